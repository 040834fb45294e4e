//! `clone` of types that have no impl of their own: closures, tuples, arrays; and copies of closures with state.

use overdub_context::ir::Operand;
use overdub_context::ops;

use super::cx::FnCx;
use super::error::Lowered;
use super::place::{Place, index};
use super::shim;
use crate::infer::{self, Arg, Callee, CaptureMode, TyKind};

impl FnCx<'_> {
    /// Moves a value out of a place, or copies it if its type is `Copy`.
    pub(super) fn moved_or_copied(&mut self, place: &Place) -> Lowered<Operand> {
        let value = self.read(place)?;
        self.moved(place)?;
        if self.has_state(place.ty)? && self.lowering.types.is_copy(place.ty) {
            return self.cloned(value, place.ty);
        }
        Ok(value)
    }

    /// Whether a type has a part that is a closure with variables of its own, which are in cells.
    fn has_state(&self, ty: infer::Ty) -> Lowered<bool> {
        let any = |tys: &mut dyn Iterator<Item = infer::Ty>| -> Lowered<bool> {
            for ty in tys {
                if self.has_state(ty)? {
                    return Ok(true);
                }
            }
            Ok(false)
        };
        match ty.kind() {
            TyKind::Closure(id) => {
                let captures = self.lowering.captures(*id)?;
                if captures.iter().any(|captured| captured.mode == CaptureMode::MoveMut) {
                    return Ok(true);
                }
                let moved = captures.iter().filter(|captured| captured.mode == CaptureMode::Move);
                any(&mut moved.map(|captured| captured.ty))
            }
            TyKind::Tuple(elems) => any(&mut elems.iter().copied()),
            TyKind::Array(elem, _) => self.has_state(*elem),
            TyKind::Adt(_, args) => any(&mut args.iter().filter_map(|arg| arg.ty())),
            _ => Ok(false),
        }
    }

    /// A copy of a value: the copy of a closure gets cells of its own.
    pub(super) fn cloned(&mut self, value: Operand, ty: infer::Ty) -> Lowered<Operand> {
        if shim::is_bitwise_copy(self.lowering, ty) {
            return Ok(value);
        }
        match ty.kind() {
            TyKind::Tuple(elems) => {
                let mut parts = Vec::with_capacity(elems.len());
                for (&elem, at) in elems.iter().zip(0..) {
                    let part = self.op(&ops::FIELD, vec![value.clone(), index(at)])?;
                    parts.push(self.cloned(part, elem)?);
                }
                self.op(&ops::TUPLE, parts)
            }
            TyKind::Closure(id) => {
                let captures = self.lowering.captures(*id)?;
                let mut parts = Vec::with_capacity(captures.len());
                for (captured, at) in captures.into_iter().zip(0..) {
                    let part = self.op(&ops::CAPTURED, vec![value.clone(), index(at)])?;
                    parts.push(match captured.mode {
                        CaptureMode::Move => self.cloned(part, captured.ty)?,
                        CaptureMode::MoveMut => {
                            let content = self.op(&ops::REF_GET, vec![part])?;
                            let copy = self.cloned(content, captured.ty)?;
                            self.op(&ops::CELL, vec![copy])?
                        }
                        CaptureMode::Ref | CaptureMode::RefMut => part,
                    });
                }
                let ty = self.lowering.ty(ty)?;
                self.op_as(&ops::CLOSURE, parts, ty)
            }
            TyKind::Adt(..) | TyKind::Array(..) => self.cloned_by_impl(value, ty),
            _ => Ok(value),
        }
    }

    fn cloned_by_impl(&mut self, value: Operand, ty: infer::Ty) -> Lowered<Operand> {
        let program = &self.lowering.program;
        let method =
            program.lang("clone").and_then(|trait_| program.trait_(trait_).ok()?.items.first().copied());
        let Some(method) = method else {
            return Err(self.error(self.build.span(), "internal: the prelude declares no `Clone`"));
        };
        match self.lowering.types.resolve_assoc(method, &[Arg::Ty(ty)])? {
            Callee::Fn(instance) => self.call_instance_on(instance, &[Place::value(value, ty)]),
            _ => {
                let message = format!("there is no `Clone` for `{}`", self.lowering.types.show(ty));
                Err(self.error(self.build.span(), message))
            }
        }
    }
}
