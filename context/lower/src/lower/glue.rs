//! Drop glue: the type's own `Drop`, then its parts in order.

use overdub_context::Symbol;
use overdub_context::ir::{Case, Func, FuncBuilder, Operand, Target, Ty};
use overdub_context::ops::{self, OpDef};
use overdub_context::ssa::SsaBuilder;

use super::error::{LowerError, Lowered, Stop};
use super::place::index;
use super::session::{Code, Lowering};
use super::shim;
use super::tys::Lang;
use crate::infer::{self, Callee, Instance, TyKind};

struct Glue<'l> {
    lowering: &'l Lowering,
    build: SsaBuilder,
}

/// The drop glue of a type.
pub(super) fn drop_value(lowering: &Lowering, name: Symbol, ty: infer::Ty) -> Result<Func, LowerError> {
    in_function(lowering, name, lowering.ty(ty)?, |glue, value| glue.parts(value, ty))
}

/// The function that drops the value behind an object: the value itself, or the contents of the object's
/// cell.
pub(super) fn drop_object(
    lowering: &Lowering,
    name: Symbol,
    ty: infer::Ty,
    in_cell: bool,
) -> Result<Func, LowerError> {
    let param_ty = lowering.ty(ty)?;
    let param_ty = if in_cell { Ty::reference(param_ty) } else { param_ty };
    in_function(lowering, name, param_ty, |glue, value| {
        let value = if in_cell { glue.op(&ops::REF_TAKE, vec![value])? } else { value };
        glue.dropped(value, ty)
    })
}

fn in_function(
    lowering: &Lowering,
    name: Symbol,
    param: Ty,
    lower: impl FnOnce(&mut Glue<'_>, Operand) -> Lowered<()>,
) -> Result<Func, LowerError> {
    let mut build = SsaBuilder::new(FuncBuilder::new(name, Ty::unit()));
    let value = Operand::from(build.param("value", param));
    let mut glue = Glue { lowering, build };
    match lower(&mut glue, value) {
        Ok(()) => glue.build.ret(super::cx::unit())?,
        Err(Stop::Diverges) => {}
        Err(Stop::Error(error)) => return Err(*error),
    }
    Ok(glue.build.finish()?)
}

impl Glue<'_> {
    fn op(&mut self, op: &'static OpDef, args: Vec<Operand>) -> Lowered<Operand> {
        Ok(self.build.op(op, args)?.into())
    }

    fn part(&mut self, op: &'static OpDef, args: Vec<Operand>, ty: infer::Ty) -> Lowered<()> {
        if !self.lowering.needs_drop(ty) {
            return Ok(());
        }
        let part = self.build.op_as(op, args, self.lowering.ty(ty)?)?.into();
        self.dropped(part, ty)
    }

    fn dropped(&mut self, value: Operand, ty: infer::Ty) -> Lowered<()> {
        if self.lowering.needs_drop(ty) {
            let glue = self.lowering.symbol_of(Code::Drop(ty));
            self.build.call(glue, [value], Ty::unit())?;
        }
        Ok(())
    }

    fn parts(&mut self, value: Operand, ty: infer::Ty) -> Lowered<()> {
        match ty.kind() {
            TyKind::Tuple(elems) => {
                for (&elem, at) in elems.iter().zip(0..) {
                    self.part(&ops::FIELD, vec![value.clone(), index(at)], elem)?;
                }
                Ok(())
            }
            TyKind::Array(elem, _) | TyKind::Slice(elem) => self.elements(value, *elem),
            TyKind::Closure(id) => {
                for (captured, at) in self.lowering.captures(*id)?.into_iter().zip(0..) {
                    self.captured(value.clone(), captured, at)?;
                }
                Ok(())
            }
            TyKind::Dyn(_) => self.object(value),
            TyKind::Adt(def, args) => {
                let first = args.first().and_then(|arg| arg.ty()).unwrap_or_else(infer::Ty::unit);
                match self.lowering.langs.get(*def) {
                    Some(Lang::Array) => self.elements(value, first),
                    Some(Lang::Transparent) => self.dropped(value, first),
                    Some(Lang::Cell) if self.lowering.is_object(first) => self.dropped(value, first),
                    Some(Lang::Cell) => {
                        let content = self.op(&ops::REF_TAKE, vec![value])?;
                        self.dropped(content, first)
                    }
                    _ => self.nominal(value, ty, *def),
                }
            }
            _ => Ok(()),
        }
    }

    fn captured(&mut self, closure: Operand, captured: infer::Capture, at: u32) -> Lowered<()> {
        let args = vec![closure, index(at)];
        match captured.mode {
            infer::CaptureMode::Move => self.part(&ops::CAPTURED, args, captured.ty),
            infer::CaptureMode::MoveMut if self.lowering.needs_drop(captured.ty) => {
                let cell = self.op(&ops::CAPTURED, args)?;
                let content = self.op(&ops::REF_TAKE, vec![cell])?;
                self.dropped(content, captured.ty)
            }
            _ => Ok(()),
        }
    }

    /// Drops an object by calling its last entry.
    fn object(&mut self, value: Operand) -> Lowered<()> {
        let ty = self.build.ty(&value)?;
        let Some(last) = ty.as_nominal().and_then(|nominal| nominal.fields()?.len().checked_sub(1)) else {
            return Ok(());
        };
        let entry = self.op(&ops::FIELD, vec![value, Operand::from(last as i64)])?;
        self.build.call_value(entry, [] as [Operand; 0], Ty::unit())?;
        Ok(())
    }

    fn nominal(&mut self, value: Operand, ty: infer::Ty, def: crate::hir::DefId) -> Lowered<()> {
        let value = if self.lowering.implements_drop(def) { self.call_drop_impl(value, ty)? } else { value };
        let variants = self.lowering.types.variants(ty)?;
        if !self.lowering.program.adt(def)?.is_enum {
            let fields = variants.into_iter().flat_map(|(_, fields)| fields);
            for ((_, field), at) in fields.zip(0..) {
                self.part(&ops::FIELD, vec![value.clone(), index(at)], field)?;
            }
            return Ok(());
        }
        let done = self.build.new_block();
        let mut variant_arms = Vec::new();
        for ((_, fields), tag) in variants.into_iter().zip(0_u32..) {
            if fields.iter().any(|&(_, ty)| self.lowering.needs_drop(ty)) {
                variant_arms.push((tag, self.build.new_block(), fields));
            }
        }
        let target = |block: &overdub_context::ir::Block| Target::from(*block);
        let cases = variant_arms
            .iter()
            .map(|(tag, block, _)| Case { value: i128::from(*tag), target: target(block) })
            .collect();
        self.build.switch(value.clone(), cases, Some(target(&done)))?;
        for (tag, block, fields) in variant_arms {
            self.enter(block)?;
            for ((_, field), at) in fields.into_iter().zip(0..) {
                self.part(&ops::PAYLOAD, vec![value.clone(), index(tag), index(at)], field)?;
            }
            self.build.br(done, [] as [Operand; 0])?;
        }
        self.enter(done)
    }

    /// Calls the type's `Drop::drop`, and returns the value it leaves.
    fn call_drop_impl(&mut self, value: Operand, ty: infer::Ty) -> Lowered<Operand> {
        let program = &self.lowering.program;
        let trait_ = program.lang("drop");
        let method = trait_.and_then(|trait_| program.trait_(trait_).ok()?.items.first().copied());
        let Some(method) = method else {
            return Err(LowerError::new(self.build.span(), "internal: the prelude declares no `Drop`").into());
        };
        let found = self.lowering.types.resolve_assoc(method, &[infer::Arg::Ty(ty)])?;
        let Callee::Fn(instance) = found else { return Ok(value) };
        self.call(instance, value)
    }

    fn call(&mut self, instance: Instance, value: Operand) -> Lowered<Operand> {
        let abi = self.lowering.abi(instance)?;
        if abi.outs() > 0 {
            return shim::emit(self.lowering, &mut self.build, instance, vec![value], abi.full_ret);
        }
        // A value that holds raw pointers is passed by reference.
        let place = self.op(&ops::REF_RELOCATED, vec![value])?;
        shim::emit(self.lowering, &mut self.build, instance, vec![place.clone()], abi.full_ret)?;
        self.op(&ops::REF_TAKE, vec![place])
    }

    fn elements(&mut self, value: Operand, elem: infer::Ty) -> Lowered<()> {
        let len = self.op(&ops::LEN, vec![value.clone()])?;
        let at = self.build.declare_variable(Ty::usize(), Some("i"));
        self.build.write_variable(at, 0_usize)?;
        let (header, body, done) = (self.build.new_block(), self.build.new_block(), self.build.new_block());
        self.build.br(header, [] as [Operand; 0])?;
        self.build.switch_to(header)?;
        let i = self.build.read_variable(at)?;
        let more = self.op(&ops::LT, vec![i.clone(), len])?;
        self.build.br_if(more, Target::from(body), Target::from(done))?;
        self.enter(body)?;
        self.part(&ops::GET, vec![value, i.clone()], elem)?;
        let next = self.op(&ops::ADD, vec![i, Operand::from(1_usize)])?;
        self.build.write_variable(at, next)?;
        self.build.br(header, [] as [Operand; 0])?;
        self.build.seal_block(header);
        self.enter(done)
    }

    fn enter(&mut self, block: overdub_context::ir::Block) -> Lowered<()> {
        self.build.switch_to(block)?;
        self.build.seal_block(block);
        Ok(())
    }
}
