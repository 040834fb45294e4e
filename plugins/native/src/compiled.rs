//! Compiled functions, and what their code refers to.
//!
//! - CODE1 code is freed with its last owner; a program owns its functions, and a run its program.
//! - CODE2 data that code refers to by address is kept beside the code and does not move.

use std::fmt;
use std::mem::ManuallyDrop;
use std::sync::Arc;
use std::sync::atomic::AtomicPtr;

use cranelift_jit::JITModule;
use overdub_context::ir::{Func, Ty};
use overdub_context::ops::OpDef;
use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind};
use overdub_context::{Span, Symbol};

use crate::abi::entry_thunks::EntryThunk;
use crate::abi::layout::{Component, Layout};
use crate::abi::values::{self, Packing, Transfer};
use crate::checks::{Holder, Holding, Site};
use crate::prepared::take_back;
use crate::runtime::run::{Run, mistyped};
use crate::runtime::tape::TapeSite;

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
    /// What happens to arrays in the result.
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

/// A function that compiled code calls, and the address of its code, null until it is first called.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) name: Symbol,
    pub(crate) params: Box<[Ty]>,
    pub(crate) ret: Ty,
    pub(crate) code: AtomicPtr<u8>,
}

impl Entry {
    /// Checks that the function has the signature that its callers assume.
    pub(crate) fn check(&self, compiled: &Compiled) -> Result<(), Failure> {
        let wrong = |message| Err(Failure::new(FailureKind::Type, message));
        let takes: Vec<Ty> = compiled.params.iter().map(|layout| layout.ty).collect();
        if takes.len() != self.params.len() {
            return wrong(format!(
                "`@{}` takes {} arguments, got {}",
                self.name,
                takes.len(),
                self.params.len()
            ));
        }
        if *takes != *self.params || compiled.ret.ty != self.ret {
            return wrong(format!(
                "`@{}` takes {takes:?} and gives {:?}, but is called with {:?} for a {:?}",
                self.name, compiled.ret.ty, self.params, self.ret
            ));
        }
        Ok(())
    }
}

/// What code refers to by address (CODE2). Items are boxed, since the lists grow while code with their addresses is
/// generated.
#[expect(clippy::vec_box, reason = "the addresses stay while the lists grow")]
#[derive(Default)]
pub(crate) struct SideTables {
    pub(crate) fail_sites: Vec<Box<FailSite>>,
    pub(crate) op_sites: Vec<Box<OpSite>>,
    pub(crate) call_sites: Vec<Box<CallSite>>,
    pub(crate) floats: Vec<Box<[u64; 32]>>,
    pub(crate) constants: Vec<Constant>,
    pub(crate) tape_sites: Vec<Box<TapeSite>>,
    /// Used by the checking mode alone.
    pub(crate) sites: Vec<Box<Site>>,
    pub(crate) frame_sites: Vec<Box<FrameSite>>,
    /// The vectors of the result that the function makes by `repeat`, by their first components.
    pub(crate) made: Vec<usize>,
    /// Whether the function passes arrays to other code.
    pub(crate) shows_arrays: bool,
}

/// A constant as words, which own their counts.
pub(crate) struct Constant {
    layout: Arc<Layout>,
    pub(crate) words: Vec<u64>,
}

impl Constant {
    pub(crate) fn new(value: Value<'static>, layout: Arc<Layout>) -> Option<Constant> {
        let mut words = vec![0; layout.components.len()];
        let _constants = Holding::by(Holder::Constants);
        values::write_with(&layout, value, &mut words, Packing::Pack).ok()?;
        // A write copies the constant first.
        for (component, word) in layout.components.iter().zip(&mut words) {
            if *component == Component::Unique {
                *word = 0;
            }
        }
        Some(Constant { layout, words })
    }
}

impl Drop for Constant {
    fn drop(&mut self) {
        let _constants = Holding::by(Holder::Constants);
        // SAFETY: the words were written from a value of this layout and are not used after this.
        drop(unsafe { values::value_of(&self.layout, &self.words, Transfer::Move) });
    }
}

/// A compiled function.
pub(crate) struct Compiled {
    /// The function as it is in the module.
    pub(crate) func: Arc<Func>,
    pub(crate) params: Vec<Arc<Layout>>,
    pub(crate) ret: Arc<Layout>,
    /// The address of the function, for compiled callers.
    pub(crate) direct: *const u8,
    /// The thunk for all other callers.
    pub(crate) thunk: Arc<EntryThunk>,
    /// The number of instructions that were compiled.
    pub(crate) size: usize,
    pub(crate) tables: SideTables,
    pub(crate) module: ManuallyDrop<JITModule>,
}

// SAFETY: finished code and what it refers to are only read; the module is used again only to free it, by the last
// owner. Values in sites and constants are `Send + Sync` themselves.
unsafe impl Send for Compiled {}
// SAFETY: as above.
unsafe impl Sync for Compiled {}

impl Compiled {
    /// Converts arguments to words.
    pub(crate) fn arg_words(&self, args: Vec<Value<'static>>, packing: Packing) -> Result<Vec<u64>, Failure> {
        let count: usize = self.params.iter().map(|layout| layout.components.len()).sum();
        let mut words = vec![0; count.max(1)];
        let mut next = 0;
        for (layout, arg) in self.params.iter().zip(args) {
            let own = &mut words[next..next + layout.components.len()];
            if let Err(mismatch) = values::write_with(layout, arg, own, packing) {
                // The remaining words are zero, or were written.
                take_back(&self.params, &words);
                return Err(mistyped("call", &mismatch));
            }
            next += layout.components.len();
        }
        Ok(words)
    }

    /// Runs the function.
    pub(crate) fn call(&self, run: &mut Run, args: &mut [u64], results: &mut [u64]) -> u32 {
        // SAFETY: `args` are the words of the parameters, and `results` has room for those of the result.
        unsafe { (self.thunk.enter)(run, args.as_ptr(), results.as_mut_ptr(), self.direct) }
    }
}

impl Drop for Compiled {
    fn drop(&mut self) {
        // SAFETY: CODE1: no run uses the code any more, and the module is not used after this.
        unsafe { ManuallyDrop::take(&mut self.module).free_memory() }
    }
}

impl fmt::Debug for Compiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Compiled")
            .field("func", &self.func.name)
            .field("size", &self.size)
            .field("sites", &self.tables.op_sites.len())
            .finish()
    }
}
