//! Values whose bits are read as another type: `mem::transmute` where it is an operation.

use overdub_context::ir::{self, IntTy, Operand, Ty};
use overdub_context::ops::{self, OpDef};
use overdub_context::ssa::SsaBuilder;

use super::error::{Lowered, Stop};
use super::pointer::view;
use super::session::Lowering;
use super::tys::prim_ty;
use super::{discriminant, regroup};
use crate::hir::DefId;
use crate::infer::{self, Arg, Instance, TyKind};

/// How a value is reinterpreted as another type.
pub(super) enum Transmutation {
    /// Both types have the same IR type.
    Same,
    /// By an operation.
    By(&'static OpDef),
    /// The discriminant of an enum without fields, an integer of this type, as its variant.
    Variant(DefId, IntTy),
    /// An enum without fields as its discriminant.
    Discriminant(DefId, IntTy),
    /// A function pointer as one with other parameters or another result, which cannot be called.
    OtherFunction,
    /// A reference or pointer as one to another type, by this function of the prelude.
    Call(Instance),
    /// A struct or an array of numbers as another one, of this type and of that.
    Regrouped(infer::Ty, infer::Ty),
    /// A pointer as the function that was cast to a pointer to this type.
    FunctionBehind(Ty),
}

impl Transmutation {
    pub(super) fn emit(
        self,
        lowering: &Lowering,
        build: &mut SsaBuilder,
        value: &Operand,
        ret: Ty,
    ) -> Lowered<Operand> {
        Ok(match self {
            Transmutation::Same => value.clone(),
            Transmutation::Call(cast) => build.call(lowering.symbol(cast), [value.clone()], ret)?.into(),
            Transmutation::By(op) => build.op_as(op, [value.clone()], ret)?.into(),
            Transmutation::Variant(def, int) => {
                discriminant::to_value(lowering, build, def, (value, int), ret)?
            }
            Transmutation::Discriminant(def, int) => {
                discriminant::of_value(lowering, build, def, value, int)?
            }
            Transmutation::Regrouped(from, to) => regroup::emit(lowering, build, value, from, to)?,
            Transmutation::FunctionBehind(pointee) => {
                let function = view(build, value.clone(), pointee, ret, false)?;
                build.op(&ops::REF_GET, [function])?.into()
            }
            Transmutation::OtherFunction => {
                build.fail("a function pointer becomes one of another type, by which it cannot be called")?;
                return Err(Stop::Diverges);
            }
        })
    }
}

/// How numbers of the same width, pointers and references are transmuted; `None` for other types.
pub(super) fn transmutation(lowering: &Lowering, from: infer::Ty, to: infer::Ty) -> Option<Transmutation> {
    if from == to {
        return Some(Transmutation::Same);
    }
    let pointee = |ty: infer::Ty| match ty.kind() {
        TyKind::Adt(def, args) if lowering.langs.get(*def) == Some(super::tys::Lang::Pointer) => {
            Some((true, args.first()?.ty()?))
        }
        TyKind::RefMut(inner) => Some((true, *inner)),
        TyKind::Ref(inner) => Some((false, *inner)),
        _ => None,
    };
    if let (Some((from_place, a)), Some((to_place, b))) = (pointee(from), pointee(to)) {
        let is_ref = |ty: infer::Ty| matches!(ty.kind(), TyKind::RefMut(_));
        let cast = || match (is_ref(from), is_ref(to)) {
            (true, true) => Some("transmuted_reference"),
            (false, false) if from_place && to_place => Some("transmuted_pointer"),
            _ => None,
        };
        return match (from_place, to_place) {
            _ if lowering.is_object(a) || lowering.is_object(b) => None,
            _ if a != b => {
                let def = lowering.program.lang(cast()?)?;
                Some(Transmutation::Call(Instance::new(def, [Arg::Ty(a), Arg::Ty(b)])))
            }
            (true, false) => Some(Transmutation::By(&ops::REF_GET)),
            (false, true) => Some(Transmutation::By(&ops::REF_SHARED)),
            _ => Some(Transmutation::Same),
        };
    }
    if let (Some((true, pointee)), TyKind::FnPtr(..)) = (pointee(from), to.kind()) {
        return lowering.ty(pointee).ok().map(Transmutation::FunctionBehind);
    }
    if pointee(from).is_some() || pointee(to).is_some() {
        return None;
    }
    if let (TyKind::FnPtr(..), TyKind::FnPtr(..)) = (from.kind(), to.kind()) {
        let is_same = matches!((lowering.ty(from), lowering.ty(to)), (Ok(a), Ok(b)) if a == b);
        return Some(if is_same { Transmutation::Same } else { Transmutation::OtherFunction });
    }
    let int = |ty: infer::Ty| match prim_ty(ty.as_prim()?).kind() {
        ir::TyKind::Int(int) => Some(*int),
        _ => None,
    };
    if let (Some(int), Some(def)) = (int(from), discriminant::enum_without_fields(lowering, to)) {
        return Some(Transmutation::Variant(def, int));
    }
    if let (Some(int), Some(def)) = (int(to), discriminant::enum_without_fields(lowering, from)) {
        return Some(Transmutation::Discriminant(def, int));
    }
    if from.as_prim().is_none() || to.as_prim().is_none() {
        return regroup::is_regrouping(lowering, from, to).then_some(Transmutation::Regrouped(from, to));
    }
    let numbers = (lowering.ty(from).ok()?, lowering.ty(to).ok()?);
    let is_float = |ty: Ty| ty == Ty::f64() || ty == Ty::f32();
    let is_unsigned = |ty: Ty| matches!(ty.kind(), ir::TyKind::Int(int) if !int.is_signed());
    if !numbers.0.is_number() || !numbers.1.is_number() {
        return None;
    }
    Some(match (is_float(numbers.0), is_float(numbers.1)) {
        _ if numbers.0 == numbers.1 => Transmutation::Same,
        (true, false) if is_unsigned(numbers.1) => Transmutation::By(&ops::TO_BITS),
        (false, true) if is_unsigned(numbers.0) => Transmutation::By(&ops::FROM_BITS),
        (false, false) => Transmutation::By(&ops::CAST),
        (true, true) => return None,
        // Between a float and a signed integer are the bits.
        _ => return regroup::is_regrouping(lowering, from, to).then_some(Transmutation::Regrouped(from, to)),
    })
}
