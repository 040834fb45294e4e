//! How arguments and results are passed: `&mut` parameters go in and come out.
//!
//! - CALLCONV1 a function returns its result, unless it is unit, and then what each of its in/out parameters holds at
//!   last; nothing is `unit`, one is itself, more are a tuple.
//! - CALLCONV2 the convention depends on the Rust types of parameters and result alone, so a function, a closure and a
//!   function pointer of one type agree on it.

use overdub_context::ir::Ty;

use super::error::LowerError;
use super::session::Lowering;
use crate::hir::{Type, TypeKind};
use crate::infer::{self, TyKind};

/// How a parameter is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Passing {
    /// As its value; a `&mut` as a `ref` value.
    Value,
    /// `&mut T`: the value goes in, the updated one comes out.
    InOut,
}

/// A parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct AbiParam {
    pub(super) passing: Passing,
    /// The IR's type of what is passed.
    pub(super) ty: Ty,
}

/// How a function is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Abi {
    pub(super) params: Vec<AbiParam>,
    /// The IR's type of the result.
    pub(super) ret: Ty,
    /// The type of all that comes back (CALLCONV1).
    pub(super) full_ret: Ty,
}

impl Abi {
    /// The convention of a function with these parameters and this result. Where the result, or what another parameter
    /// refers to, can hold on to a reference, references are passed as what they are.
    pub(super) fn of(lowering: &Lowering, params: &[infer::Ty], ret: infer::Ty) -> Result<Abi, LowerError> {
        let is_mut = |ty: &infer::Ty| matches!(ty.kind(), TyKind::RefMut(_));
        let keeps = |ty: &infer::Ty| match ty.kind() {
            TyKind::Ref(inner) | TyKind::RefMut(inner) => lowering.keeps_mut(*inner),
            _ => false,
        };
        let kept = |at: usize| params.iter().enumerate().any(|(other, ty)| other != at && keeps(ty));
        // A raw pointer to a part of what a `&mut` refers to may be kept in another part of it.
        let keeps_itself =
            |ty: &infer::Ty| is_mut(ty) && ty.referent().is_some_and(|(_, ty)| lowering.holds_pointer(ty));
        let escapes = params.iter().any(is_mut) && lowering.holds_mut(ret)
            || params.iter().enumerate().any(|(at, ty)| is_mut(ty) && kept(at))
            || params.iter().any(keeps_itself);
        Abi::with(lowering, params, ret, |_| !escapes)
    }

    /// The convention of an operation: in/out is what is written as `&mut`, whatever its type parameters stand for.
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

    fn pack(ret: Ty, outs: Vec<Ty>) -> Ty {
        let mut parts = outs;
        if ret != Ty::unit() {
            parts.insert(0, ret);
        }
        if let [one] = parts[..] { one } else { Ty::tuple(parts) }
    }

    /// How many parameters are in/out.
    pub(super) fn outs(&self) -> usize {
        self.params.iter().filter(|param| param.passing == Passing::InOut).count()
    }
}
