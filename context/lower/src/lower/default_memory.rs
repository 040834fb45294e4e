//! Values of memory that was never written: all zero, uninitialised where that is allowed, or ready to be written in
//! parts.

use overdub_context::ir::{FloatTy, Operand, TyKind as IrKind};
use overdub_context::ops;
use overdub_context::ssa::SsaBuilder;
use overdub_context::value::Value;

use super::cx::FnCx;
use super::error::{LowerError, Lowered, Stop};
use super::session::Lowering;
use super::tys::Lang;
use crate::infer::{self, Arg, Const, Instance, TyKind};

/// The contents of memory that was never written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fill {
    /// Zero bytes: `mem::zeroed`.
    Zero,
    /// Uninitialised: `MaybeUninit::uninit`.
    Nothing,
    /// Uninitialised, but arrays have their elements, so that each can be written: elements that have no hole are zero
    /// or NaN.
    Elements,
}

/// Whether memory for a value is written element by element: it contains an array, and has a value for
/// [`Fill::Elements`].
pub(super) fn has_elements(lowering: &Lowering, ty: infer::Ty) -> bool {
    contains_array(lowering, ty, 0) == Some(true)
}

/// Whether values of a type contain an array; `None` if there is no value for [`Fill::Elements`].
fn contains_array(lowering: &Lowering, ty: infer::Ty, depth: usize) -> Option<bool> {
    /// The maximal nesting depth that is examined.
    const DEEP: usize = 32;
    let any = |tys: &mut dyn Iterator<Item = infer::Ty>| {
        let mut any = false;
        for ty in tys {
            any |= contains_array(lowering, ty, depth + 1)?;
        }
        Some(any)
    };
    match ty.kind() {
        _ if depth > DEEP => None,
        TyKind::Array(_, Const::Value(_)) => Some(true),
        TyKind::Tuple(elems) => any(&mut elems.iter().copied()),
        TyKind::Prim(prim) => (*prim != crate::hir::Prim::Str).then_some(false),
        TyKind::Adt(def, args) => match lowering.langs.get(*def) {
            Some(Lang::Phantom) => Some(false),
            Some(Lang::ManuallyDrop) => contains_array(lowering, args.first()?.ty()?, depth + 1),
            None if !lowering.program.adt(*def).ok()?.is_enum && !lowering.is_union(ty) => {
                let (_, fields) = lowering.types.variants(ty).ok()?.pop()?;
                any(&mut fields.into_iter().map(|(_, field)| field))
            }
            _ => None,
        },
        _ => None,
    }
}

impl FnCx<'_> {
    /// What memory for a float contains that was never written, a NaN; none for other types.
    pub(super) fn default_of_float(&mut self, ty: infer::Ty) -> Lowered<Option<Operand>> {
        let is_float = matches!(self.lowering.ty(ty)?.kind(), IrKind::Float(_));
        match is_float && matches!(ty.kind(), TyKind::Prim(_)) {
            true => value(self.lowering, &mut self.build, ty, Fill::Elements).map(Some),
            false => Ok(None),
        }
    }
}

/// A value of `ty` in such memory.
pub(super) fn value(
    lowering: &Lowering,
    build: &mut SsaBuilder,
    ty: infer::Ty,
    fill: Fill,
) -> Lowered<Operand> {
    let ir = lowering.ty(ty)?;
    match ty.kind() {
        TyKind::Array(elem, Const::Value(len))
            if fill == Fill::Elements && contains_array(lowering, *elem, 0).is_none() =>
        {
            let Some(def) = lowering.program.lang("uninit_array") else {
                return none(lowering, build, ty, fill);
            };
            let array = Instance::new(def, [Arg::Ty(*elem), Arg::Const(Const::Value(*len))]);
            Ok(build.call(lowering.symbol(array), Vec::<Operand>::new(), ir)?.into())
        }
        TyKind::Array(elem, Const::Value(len)) => {
            let len = usize::try_from(*len).unwrap_or(0);
            let elem = value(lowering, build, *elem, fill)?;
            Ok(build.op_as(&ops::REPEAT, [elem, Operand::from(len)], ir)?.into())
        }
        TyKind::Tuple(elems) if elems.is_empty() => Ok(super::cx::unit()),
        TyKind::Tuple(elems) => {
            let elems =
                elems.iter().map(|&elem| value(lowering, build, elem, fill)).collect::<Lowered<Vec<_>>>()?;
            Ok(build.op_as(&ops::TUPLE, elems, ir)?.into())
        }
        TyKind::Adt(def, args) => {
            let first = args.first().and_then(|arg| arg.ty());
            match (lowering.langs.get(*def), first) {
                (Some(Lang::MaybeUninit), Some(inner)) => match fill {
                    Fill::Nothing | Fill::Elements => {
                        Ok(build.op_as(&ops::VARIANT, [Operand::from(0_i64)], ir)?.into())
                    }
                    Fill::Zero => {
                        let inner = value(lowering, build, inner, fill)?;
                        Ok(build.op_as(&ops::VARIANT, [Operand::from(1_i64), inner], ir)?.into())
                    }
                },
                (Some(Lang::ManuallyDrop), Some(inner)) => value(lowering, build, inner, fill),
                (Some(Lang::Phantom), _) => Ok(super::cx::unit()),
                (Some(Lang::Pointer), _) if fill == Fill::Zero && matches!(ir.kind(), IrKind::Ref(_)) => {
                    Ok(build.op_as(&ops::REF_NULL, Vec::<Operand>::new(), ir)?.into())
                }
                (None, _) if !lowering.program.adt(*def)?.is_enum && !lowering.is_union(ty) => {
                    let (_, fields) =
                        lowering.types.variants(ty)?.pop().unwrap_or_else(|| (*def, Vec::new()));
                    let parts = fields
                        .into_iter()
                        .map(|(_, field)| value(lowering, build, field, fill))
                        .collect::<Lowered<Vec<_>>>()?;
                    Ok(build.op_as(&ops::STRUCT, parts, ir)?.into())
                }
                _ => none(lowering, build, ty, fill),
            }
        }
        TyKind::Prim(_) if fill != Fill::Nothing => match ir.kind() {
            IrKind::Int(int) => Ok(build.constant(Value::int(*int, 0), ir)?),
            IrKind::Float(FloatTy::F64) if fill == Fill::Elements => {
                Ok(build.constant(Value::F64(f64::NAN), ir)?)
            }
            IrKind::Float(FloatTy::F32) if fill == Fill::Elements => {
                Ok(build.constant(Value::F32(f32::NAN), ir)?)
            }
            IrKind::Float(FloatTy::F64) => Ok(build.constant(Value::F64(0.0), ir)?),
            IrKind::Float(FloatTy::F32) => Ok(build.constant(Value::F32(0.0), ir)?),
            IrKind::Bool => Ok(build.constant(Value::Bool(false), ir)?),
            IrKind::Char => Ok(build.constant(Value::Char('\0'), ir)?),
            _ => none(lowering, build, ty, fill),
        },
        _ => none(lowering, build, ty, fill),
    }
}

fn none(lowering: &Lowering, build: &mut SsaBuilder, ty: infer::Ty, fill: Fill) -> Lowered<Operand> {
    let ty = lowering.types.show(ty);
    match fill {
        Fill::Zero => {
            let message = format!("whether bytes that are zero are a `{ty}` is not known");
            Err(LowerError::new(build.span(), message).into())
        }
        Fill::Nothing | Fill::Elements => {
            let message = format!("memory that was not initialised is read as `{ty}`");
            build.fail(&*message)?;
            Err(Stop::Diverges)
        }
    }
}
