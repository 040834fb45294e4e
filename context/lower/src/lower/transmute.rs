//! Values whose bits are read as another type: `mem::transmute` where it is an operation.

use overdub_context::ir::{self, Operand, Ty};
use overdub_context::ops::{self, OpDef};
use overdub_context::ssa::SsaBuilder;
use overdub_context::value::{Array, Composite, Parts, Value};

use super::error::{Lowered, Stop};
use super::session::Lowering;
use super::tys::prim_ty;
use crate::infer::{self, Arg, Instance, TyKind};

/// How a value is reinterpreted as another type.
pub(super) enum Transmutation {
    /// Both types have the same IR type.
    Same,
    /// By an operation.
    By(&'static OpDef),
    /// The discriminant of an enum without fields as one of these variants.
    Variant(Array<'static>),
    /// An enum without fields as its discriminant.
    Tag,
    /// A function pointer as one with other parameters or another result, which cannot be called.
    OtherFunction,
    /// A reference or pointer as one to another type, by this function of the prelude.
    Call(Instance),
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
            // A number that no variant has is undefined in Rust, and fails here.
            Transmutation::Variant(variants) => {
                let table = build.constant(Value::Array(variants.into()), Ty::array(ret, 1))?;
                let at = build.op_as(&ops::CAST, [value.clone()], Ty::usize())?;
                build.op_as(&ops::GET, [table, Operand::from(at)], ret)?.into()
            }
            Transmutation::Tag => {
                let tag = build.op_as(&ops::TAG, [value.clone()], Ty::i64())?;
                build.op_as(&ops::CAST, [Operand::from(tag)], ret)?.into()
            }
            Transmutation::OtherFunction => {
                build.fail("a function pointer becomes one of another type, by which it cannot be called")?;
                return Err(Stop::Diverges);
            }
        })
    }
}

/// The variants of an enum without fields whose discriminants count from 0.
fn plain_variants(lowering: &Lowering, ty: infer::Ty) -> Option<Array<'static>> {
    let TyKind::Adt(def, _) = ty.kind() else { return None };
    if lowering.langs.get(*def).is_some() {
        return None;
    }
    let adt = lowering.program.adt(*def).ok()?;
    let variants = lowering.types.variants(ty).ok()?;
    let counts = adt.is_enum
        && variants.iter().all(|(_, fields)| fields.is_empty())
        && lowering
            .types
            .discriminants(*def)
            .is_ok_and(|numbers| numbers.into_iter().eq(0..variants.len() as i128));
    let ty = lowering.ty(ty).ok().filter(|_| counts)?;
    let variant = |tag: usize| {
        let parts = Parts::from_iter([]);
        Value::Composite(Composite { ty: Some(ty), tag: tag as u32, parts }.into())
    };
    Array::from_values(ty, (0..variants.len()).map(variant))
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
    if pointee(from).is_some() || pointee(to).is_some() {
        return None;
    }
    if let (TyKind::FnPtr(..), TyKind::FnPtr(..)) = (from.kind(), to.kind()) {
        let is_same = matches!((lowering.ty(from), lowering.ty(to)), (Ok(a), Ok(b)) if a == b);
        return Some(if is_same { Transmutation::Same } else { Transmutation::OtherFunction });
    }
    let is_int =
        |ty: infer::Ty| ty.as_prim().is_some_and(|prim| matches!(prim_ty(prim).kind(), ir::TyKind::Int(_)));
    if is_int(from)
        && let Some(variants) = plain_variants(lowering, to)
    {
        return Some(Transmutation::Variant(variants));
    }
    if is_int(to) && plain_variants(lowering, from).is_some() {
        return Some(Transmutation::Tag);
    }
    let (from, to) = (lowering.ty(from).ok()?, lowering.ty(to).ok()?);
    let is_float = |ty: Ty| ty == Ty::f64() || ty == Ty::f32();
    if !from.is_number() || !to.is_number() {
        return None;
    }
    Some(match (is_float(from), is_float(to)) {
        _ if from == to => Transmutation::Same,
        (true, false) => Transmutation::By(&ops::TO_BITS),
        (false, true) => Transmutation::By(&ops::FROM_BITS),
        (false, false) => Transmutation::By(&ops::CAST),
        (true, true) => return None,
    })
}
