//! The rule of an operation that computes with whole arrays of floats.
//!
//! - WHOLE1 if the transformations have no rule on whole arrays, the operation is expanded into a loop over
//!   elements, and differentiated as any program. Augmented floats always take the loop, except for products
//!   of matrices.

use overdub_context::ir::{FloatTy, IntTy, Ty, TyKind};
use overdub_context::ops::OpDef;

use super::Rule;
use super::moves::{Adjoint, Moves, Pushforward, both};
use crate::float_pair::is_float;

/// An operation with the types of its operands, and its constant operands.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Applied {
    pub(crate) op: &'static OpDef,
    pub(crate) args: Vec<Ty>,
    pub(crate) consts: Vec<Option<usize>>,
    pub(crate) ret: Ty,
}

/// The body of a Rust function that computes the operation of `a`, `b`, … as `ndarray` does, in the same order.
pub(crate) type RustSource = fn(&Applied) -> String;

/// The derivative of an operation on whole arrays.
#[derive(Clone, Copy, Debug)]
pub struct ArrayOpRule {
    pub(crate) implementation: ArrayOpImpl,
    pub(crate) source: Option<RustSource>,
}

/// The rule of the transformations.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ArrayOpImpl {
    /// None: they expand the operation, if a float is involved at all (WHOLE1).
    Expanded,
    /// A rule on whole arrays.
    Moves(Moves),
    /// The functions of `nd/factors.rs` whose names begin with this.
    InRust(&'static str),
}

/// How the transformations differentiate an operation on whole arrays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArrayOpKind {
    /// By a rule on whole arrays.
    Array,
    /// By functions in Rust, which are differentiated as any program.
    InRust,
    /// As a loop over elements.
    Loop,
}

impl ArrayOpRule {
    /// How the transformations differentiate the operation.
    pub fn kind(&self) -> ArrayOpKind {
        match self.implementation {
            ArrayOpImpl::Moves(_) => ArrayOpKind::Array,
            ArrayOpImpl::InRust(_) => ArrayOpKind::InRust,
            ArrayOpImpl::Expanded => ArrayOpKind::Loop,
        }
    }

    /// The rule on whole arrays.
    pub(crate) fn moves(&self) -> Option<&Moves> {
        match &self.implementation {
            ArrayOpImpl::Moves(moves) => Some(moves),
            ArrayOpImpl::InRust(_) | ArrayOpImpl::Expanded => None,
        }
    }
}

impl Applied {
    /// The rank of the first operand, an array of floats.
    pub(crate) fn rank(&self) -> Option<u32> {
        let array = self.args.first()?.as_array();
        array.filter(|array| is_float(array.elem)).map(|array| array.rank)
    }

    /// The axis that the second operand names.
    pub(super) fn axis(&self) -> usize {
        self.consts.get(1).copied().flatten().unwrap_or(0)
    }

    /// The float type of the first operand, as source text.
    pub(super) fn float(&self) -> String {
        let elem = self.args.first().and_then(|ty| ty.as_array()).map(|array| array.elem);
        elem.and_then(|elem| written(elem, false)).unwrap_or_default()
    }
}

/// A type as source text.
pub(crate) fn written(ty: Ty, is_param: bool) -> Option<String> {
    let reference = if is_param { "&" } else { "" };
    match ty.kind() {
        TyKind::Float(FloatTy::F64) => Some("f64".to_owned()),
        TyKind::Float(FloatTy::F32) => Some("f32".to_owned()),
        TyKind::Int(IntTy::I32) => Some("i32".to_owned()),
        TyKind::Int(IntTy::I64) => Some("i64".to_owned()),
        TyKind::Int(IntTy::Usize) => Some("usize".to_owned()),
        TyKind::Array(array) if array.rank <= 6 && is_float(array.elem) => {
            Some(format!("{reference}Array{}<{}>", array.rank, written(array.elem, false)?))
        }
        _ => None,
    }
}

/// The row of an operation with a rule on whole arrays; `source` is for augmented floats.
pub(super) fn by_array_rule(pushforward: Pushforward, adjoint: Adjoint, source: Option<RustSource>) -> Rule {
    Rule::ArrayOp(ArrayOpRule { implementation: ArrayOpImpl::Moves(both(pushforward, adjoint)), source })
}

/// The row of an operation that is expanded into a loop.
pub(super) fn by_loop(source: RustSource) -> Rule {
    Rule::ArrayOp(ArrayOpRule { implementation: ArrayOpImpl::Expanded, source: Some(source) })
}

/// The row of an operation whose rule is in `nd/factors.rs`.
pub(super) fn in_rust(name: &'static str) -> Rule {
    Rule::ArrayOp(ArrayOpRule { implementation: ArrayOpImpl::InRust(name), source: None })
}

/// The row of an operation that converts integers to floats.
pub(super) fn constant() -> Rule {
    Rule::ArrayOp(ArrayOpRule { implementation: ArrayOpImpl::Expanded, source: None })
}
