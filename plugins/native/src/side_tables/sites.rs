//! Sites: descriptions of an instruction for the libcall that it calls.

use std::sync::Arc;

use overdub_context::ops::OpDef;
use overdub_context::value::Value;
use overdub_context::{Span, Symbol};

use crate::abi::layout::Layout;
use crate::values::{Packing, Transfer};

/// The function and source location of a failure.
#[derive(Debug)]
pub(crate) struct FailSite {
    pub(crate) func: Symbol,
    pub(crate) span: Span,
}

/// An operation that is run by its evaluator.
#[derive(Debug)]
pub(crate) struct OpSite {
    pub(crate) op: &'static OpDef,
    /// Whether a plugin or a context defines the operation.
    pub(crate) is_foreign: bool,
    pub(crate) args: Vec<OpArg>,
    pub(crate) ret: Arc<Layout>,
    /// The number of words of the operands or of the result, whichever is larger.
    pub(crate) words: usize,
    /// How arrays in the result are treated.
    pub(crate) packing: Packing,
}

/// An operand of such an operation.
#[derive(Debug)]
pub(crate) enum OpArg {
    Const(Value<'static>),
    Words(Arc<Layout>, Transfer),
}

/// A call of a function value.
#[derive(Debug)]
pub(crate) struct CallSite {
    /// The callee, then the arguments.
    pub(crate) args: Vec<Arc<Layout>>,
    pub(crate) ret: Arc<Layout>,
    /// The number of words of the arguments or of the result, whichever is larger.
    pub(crate) words: usize,
}

/// The layouts of a function's parameters, or that of its result, for the checking mode.
#[derive(Debug)]
pub(crate) struct FrameSite {
    pub(crate) layouts: Vec<Arc<Layout>>,
    /// The number of words of these layouts.
    pub(crate) words: usize,
}
