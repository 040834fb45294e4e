//! Values of memory that was never written: all zero, or uninitialised where that is allowed.

use overdub_context::ir::{Operand, TyKind as IrKind};
use overdub_context::ops;
use overdub_context::ssa::SsaBuilder;
use overdub_context::value::Value;

use super::error::{LowerError, Lowered, Stop};
use super::session::Lowering;
use super::tys::Lang;
use crate::infer::{self, Const, TyKind};

/// The contents of memory that was never written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fill {
    /// Zero bytes: `mem::zeroed`.
    Zero,
    /// Uninitialised: `MaybeUninit::uninit`.
    Nothing,
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
                    Fill::Nothing => Ok(build.op_as(&ops::VARIANT, [Operand::from(0_i64)], ir)?.into()),
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
        TyKind::Prim(_) if fill == Fill::Zero => match ir.kind() {
            IrKind::Int(int) => Ok(build.constant(Value::int(*int, 0), ir)?),
            IrKind::Float(overdub_context::ir::FloatTy::F64) => Ok(build.constant(Value::F64(0.0), ir)?),
            IrKind::Float(overdub_context::ir::FloatTy::F32) => Ok(build.constant(Value::F32(0.0), ir)?),
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
        Fill::Nothing => {
            let message = format!("memory that was not initialised is read as `{ty}`");
            build.fail(&*message)?;
            Err(Stop::Diverges)
        }
    }
}
