//! How arguments and results are passed: `&mut` parameters are passed by value and returned (in/out).
//!
//! - CALLCONV1 a function returns its result, unless that is unit, followed by the final value of each in/out
//!   parameter: no value as `unit`, one as itself, several as a tuple.
//! - CALLCONV2 the convention depends only on the Rust types of the parameters and the result, so a function,
//!   a closure and a function pointer of the same type agree on it.

use overdub_context::ir::Ty;

use super::error::LowerError;
use super::session::Lowering;
use crate::hir::{Type, TypeKind};
use crate::infer::{self, TyKind};

/// How a parameter is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Passing {
    /// By value; a `&mut` as a `ref` value.
    Value,
    /// `&mut T`: the value is passed in and the updated value is returned.
    InOut,
}

/// A parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct AbiParam {
    pub(super) passing: Passing,
    /// The IR type of the value passed.
    pub(super) ty: Ty,
}

/// The calling convention of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Abi {
    pub(super) params: Vec<AbiParam>,
    /// The IR type of the result.
    pub(super) ret: Ty,
    /// The type of the result together with the final values of the in/out parameters (CALLCONV1).
    pub(super) full_ret: Ty,
}

impl Abi {
    /// The convention of a function with these parameters and this result. If the result, or the referent of
    /// another parameter, can retain a reference, `&mut` parameters are passed as references.
    pub(super) fn of(lowering: &Lowering, params: &[infer::Ty], ret: infer::Ty) -> Result<Abi, LowerError> {
        let is_mut = |ty: &infer::Ty| matches!(ty.kind(), TyKind::RefMut(_));
        let holds_mut = |ty: &infer::Ty| match ty.kind() {
            TyKind::Ref(inner) | TyKind::RefMut(inner) => lowering.keeps_mut(*inner),
            _ => false,
        };
        let retained_by_other =
            |at: usize| params.iter().enumerate().any(|(other, ty)| other != at && holds_mut(ty));
        // A raw pointer to one part of the referent of a `&mut` may be stored in another part of it.
        let may_retain_itself =
            |ty: &infer::Ty| is_mut(ty) && ty.referent().is_some_and(|(_, ty)| lowering.holds_pointer(ty));
        let escapes = params.iter().any(is_mut) && lowering.holds_mut(ret)
            || params.iter().enumerate().any(|(at, ty)| is_mut(ty) && retained_by_other(at))
            || params.iter().any(may_retain_itself);
        Abi::with(lowering, params, ret, |_| !escapes)
    }

    /// The convention of an operation: the parameters written as `&mut` are in/out, whatever their type
    /// parameters are instantiated with.
    pub(super) fn of_op(
        lowering: &Lowering,
        params: &[infer::Ty],
        ret: infer::Ty,
        written: &[Type],
    ) -> Result<Abi, LowerError> {
        let is_mut = |at: usize| {
            matches!(written.get(at).map(|ty| &ty.kind), Some(TypeKind::Ref { mutable: true, .. }))
        };
        Abi::with(lowering, params, ret, is_mut)
    }

    fn with(
        lowering: &Lowering,
        params: &[infer::Ty],
        ret: infer::Ty,
        in_out: impl Fn(usize) -> bool,
    ) -> Result<Abi, LowerError> {
        let mut list = Vec::with_capacity(params.len());
        for (at, &param) in params.iter().enumerate() {
            list.push(match param.kind() {
                TyKind::RefMut(inner) if in_out(at) && !lowering.is_object(*inner) => {
                    AbiParam { passing: Passing::InOut, ty: lowering.ty(*inner)? }
                }
                _ => AbiParam { passing: Passing::Value, ty: lowering.ty(param)? },
            });
        }
        let ret = lowering.ty(ret)?;
        let outs = list.iter().filter(|param| param.passing == Passing::InOut).map(|param| param.ty);
        let full_ret = if ret == Ty::never() { ret } else { Abi::pack(ret, outs.collect()) };
        Ok(Abi { params: list, ret, full_ret })
    }

    pub(super) fn pack(ret: Ty, outs: Vec<Ty>) -> Ty {
        let mut parts = outs;
        if ret != Ty::unit() {
            parts.insert(0, ret);
        }
        if let [one] = parts[..] { one } else { Ty::tuple(parts) }
    }

    /// The number of in/out parameters.
    pub(super) fn outs(&self) -> usize {
        self.params.iter().filter(|param| param.passing == Passing::InOut).count()
    }
}
