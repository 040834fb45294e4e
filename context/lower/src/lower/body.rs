//! Functions with a body: functions, constants, closures.
//!
//! - BODY1 a body is lowered again as long as an attempt finds its plan incomplete; a plan only grows, so
//!   this terminates.

use std::sync::Arc;

use overdub_context::Symbol;
use overdub_context::ir::{Func, Operand, Ty};
use overdub_context::ops;

use super::abi::{Abi, Passing};
use super::cx::{Binding, CapturedPart, FnCx, Plan};
use super::drop_scopes::Extent;
use super::error::{LowerError, Lowered, Stop};
use super::place::{Place, Projection, Root, SlotKey};
use super::session::Lowering;
use crate::hir::{ExprId, ExprKind, PatId, PatKind};
use crate::infer::{self, Capture, CaptureMode, ClosureId, ClosureKind, Instance, TyKind, Typed};

/// The function of an item with a body.
pub(super) fn item(lowering: &Lowering, name: Symbol, instance: Instance) -> Result<Func, LowerError> {
    let typed = lowering.types.infer(instance)?;
    let abi = Abi::of(lowering, &typed.params, typed.ret)?;
    let span = lowering.program.head(instance.def()).span;
    lower_until_complete(lowering, name, &typed, &abi, |cx| {
        cx.build.set_func_span(span);
        cx.build.set_span(span);
        cx.drop_scopes.manual_moves = lowering.program.head(instance.def()).moves;
        let (params, value) = (cx.body.params.clone(), cx.body.value);
        cx.enter_body(&params, &typed.params, value, |_| Ok(()))
    })
}

/// The function of a constant without a name.
pub(super) fn anonymous(lowering: &Lowering, name: Symbol, typed: &Arc<Typed>) -> Result<Func, LowerError> {
    let abi = Abi::of(lowering, &[], typed.ret)?;
    lower_until_complete(lowering, name, typed, &abi, |cx| {
        let value = cx.body.value;
        cx.at(value);
        cx.enter_body(&[], &[], value, |_| Ok(()))
    })
}

/// The function of a `const` block in a body.
pub(super) fn const_block(
    lowering: &Lowering,
    name: Symbol,
    typed: &Arc<Typed>,
    block: ExprId,
) -> Result<Func, LowerError> {
    let abi = Abi::of(lowering, &[], typed.exprs[block.index()])?;
    lower_until_complete(lowering, name, typed, &abi, |cx| {
        cx.const_block = Some(block);
        cx.at(block);
        cx.enter_body(&[], &[], block, |_| Ok(()))
    })
}

/// The function of a closure: its captures first, then its parameters.
pub(super) fn closure(lowering: &Lowering, name: Symbol, id: ClosureId) -> Result<Func, LowerError> {
    let typed = lowering.types.infer(id.owner)?;
    let closure = lowering.types.closure(id)?;
    let abi = Abi::of(lowering, &closure.params, closure.ret)?;
    let captures = lowering.captures(id)?;
    let capture_tys = lowering.capture_tys(id)?;
    lower_until_complete(lowering, name, &typed, &abi, |cx| {
        let span = cx.span(id.expr);
        cx.build.set_func_span(span);
        cx.build.set_span(span);
        let param_values: Vec<Operand> = captures
            .iter()
            .zip(&capture_tys)
            .map(|(captured, &ty)| {
                let name = cx.capture_name(captured);
                cx.build.param(&name, ty).into()
            })
            .collect();
        let hir = cx.body.clone();
        let ExprKind::Closure { params, body, .. } = &hir.exprs[id.expr.index()].kind else {
            return Err(cx.error(span, "internal: this is no closure"));
        };
        let pats: Vec<PatId> = params.iter().map(|&(pat, _)| pat).collect();
        let is_once = closure.kind == ClosureKind::FnOnce;
        cx.enter_body(&pats, &closure.params, *body, |cx| {
            let captured = captures.iter().zip(&capture_tys).zip(param_values).zip(0..);
            for (((captured, &ty), value), at) in captured {
                let place = cx.captured_place(captured, at, ty, value, is_once)?;
                cx.bind_captured(captured, place);
            }
            Ok(())
        })
    })
}

/// Lowers until the plan suffices (BODY1).
fn lower_until_complete(
    lowering: &Lowering,
    name: Symbol,
    typed: &Arc<Typed>,
    abi: &Abi,
    lower: impl Fn(&mut FnCx<'_>) -> Lowered<()>,
) -> Result<Func, LowerError> {
    let mut plan = Plan::default();
    loop {
        let mut cx = FnCx::new(lowering, name, typed.clone(), abi.clone(), plan.clone());
        if lowering.debug_info {
            cx.begin_debug_info();
        }
        let lowered = lower(&mut cx);
        if cx.missing_plan.is_empty() {
            match lowered {
                Ok(()) | Err(Stop::Diverges) => return Ok(cx.build.finish()?),
                Err(Stop::Error(error)) => return Err(*error),
            }
        }
        plan.extend(cx.missing_plan);
    }
}

impl FnCx<'_> {
    /// Binds the captures and the parameters, lowers the value and returns it.
    fn enter_body(
        &mut self,
        pats: &[PatId],
        tys: &[infer::Ty],
        value: ExprId,
        bind_captures: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        let abi = self.abi.clone();
        let mut places = Vec::with_capacity(pats.len());
        // All parameters are declared before anything else is appended.
        let mut param_values = Vec::with_capacity(pats.len());
        for (&pat, param) in pats.iter().zip(&abi.params) {
            let name = self.param_name(pat);
            param_values.push(Operand::from(self.build.param(&name, param.ty)));
        }
        for (at, ((value, param), &ty)) in (0..).zip(param_values.into_iter().zip(&abi.params).zip(tys)) {
            let place = match (param.passing, ty.kind()) {
                (Passing::InOut, TyKind::RefMut(inner)) => {
                    let slot = self.new_slot(SlotKey::Param(at), param.ty, None, Some(value))?;
                    self.outs.push(slot);
                    self.out_tys.push(*inner);
                    Place::new(Root::Slot(slot), *inner).addr(ty)
                }
                _ => Place::value(value, ty),
            };
            places.push(place);
        }
        let result = self.scoped(Extent::Both, |cx| {
            bind_captures(cx)?;
            for ((&pat, place), at) in pats.iter().zip(&places).zip(0..) {
                let place = cx.owned_param(pat, place, at)?;
                cx.match_known(pat, &place)?;
                cx.note_storage(pat);
            }
            cx.debug.params_are_bound();
            cx.body_point(value)?;
            let result = cx.scoped(Extent::Temporaries, |cx| cx.value(value))?;
            cx.at(value);
            cx.scope_end_point()?;
            Ok(result)
        })?;
        self.return_with_outs(result)
    }

    fn param_name(&self, pat: PatId) -> String {
        match &self.body.pats[pat.index()].kind {
            PatKind::Bind { local, .. } => self.body.locals[local.index()].name.to_string(),
            PatKind::Ref(sub) => self.param_name(*sub),
            _ => "arg".to_owned(),
        }
    }

    /// The names and types of the fields from a variable to a captured part of it.
    fn captured_fields(&self, captured: &Capture) -> Vec<(Symbol, infer::Ty)> {
        let mut ty = self.typed.locals[captured.local.index()];
        let fields = captured.fields.iter().map_while(|&at| {
            let field = self.lowering.types.field(ty, at)?;
            ty = field.1;
            Some(field)
        });
        fields.collect()
    }

    /// The name of a captured variable or part, such as `p` or `p.x`.
    fn capture_name(&self, captured: &Capture) -> Symbol {
        let name = self.body.locals[captured.local.index()].name;
        let fields = self.captured_fields(captured);
        fields.into_iter().fold(name, |name, (field, _)| Symbol::new(&format!("{name}.{field}")))
    }

    /// The place of a captured place in the closure's function, given the value passed for it; a closure that
    /// can be called only once owns what was moved into it.
    fn captured_place(
        &mut self,
        captured: &Capture,
        at: u32,
        ty: Ty,
        value: Operand,
        is_once: bool,
    ) -> Lowered<Place> {
        let is_variable = captured.fields.is_empty();
        let key = if is_variable { SlotKey::Local(captured.local) } else { SlotKey::Capture(at) };
        let owns = is_once && self.tracks(captured.ty);
        Ok(match (captured.mode, captured.ty.kind()) {
            (CaptureMode::Ref, TyKind::RefMut(inner)) => Place::value(value, *inner).addr(captured.ty),
            (_, TyKind::RefMut(inner)) if !self.lowering.is_object(*inner) => {
                Place::new(Root::Ref(value), *inner).addr(captured.ty)
            }
            (CaptureMode::MoveMut, _) if owns => {
                let value = self.op(&ops::REF_TAKE, vec![value])?;
                self.owned_slot(key, captured.ty, value)?
            }
            (CaptureMode::RefMut | CaptureMode::MoveMut, kind) if !matches!(kind, TyKind::RefMut(_)) => {
                Place::new(Root::Ref(value), captured.ty)
            }
            (CaptureMode::Move, _) if owns => self.owned_slot(key, captured.ty, value)?,
            _ => {
                let name = self.capture_name(captured);
                let slot = self.new_slot(key, ty, Some(&name), Some(value))?;
                Place::new(Root::Slot(slot), captured.ty)
            }
        })
    }

    fn bind_captured(&mut self, captured: &Capture, place: Place) {
        let &Capture { local, ref fields, .. } = captured;
        if fields.is_empty() {
            return self.bind_local(local, Binding::Place(place));
        }
        let number = self.number_captured(self.capture_name(captured), local, captured.ty);
        self.captured_parts.push(CapturedPart { local, fields: fields.clone(), place, number });
    }

    /// `|x| …`: a closure value with its captures.
    pub(super) fn closure(&mut self, id: ExprId, ty: infer::Ty) -> Lowered<Operand> {
        let span = self.span(id);
        let TyKind::Closure(closure) = ty.kind() else {
            return Err(self.error(span, "internal: the closure has another type"));
        };
        let mut captures = Vec::new();
        for captured in self.lowering.captures(*closure)? {
            captures.push(self.capture(&captured)?);
        }
        self.build.set_span(span);
        let ty = self.lowering.ty(ty)?;
        self.op_as(&ops::CLOSURE, captures, ty)
    }

    fn capture(&mut self, captured: &Capture) -> Lowered<Operand> {
        let mut place = self.local_place(captured.local);
        for (&field, (_, ty)) in captured.fields.iter().zip(self.captured_fields(captured)) {
            let is_enum = matches!(place.ty.kind(), TyKind::Adt(def, _)
                if self.lowering.program.adt(*def)?.is_enum);
            let step = if is_enum { Projection::Payload(0, field) } else { Projection::Field(field) };
            place = self.project(place, step, ty)?;
        }
        match (captured.mode, captured.ty.kind()) {
            (CaptureMode::Ref, TyKind::RefMut(inner)) => {
                let target = self.deref(place, *inner)?;
                self.read(&target)
            }
            (CaptureMode::Move, _) => self.moved_or_copied(&place),
            (_, TyKind::RefMut(_)) | (CaptureMode::Ref, _) => self.read(&place),
            (CaptureMode::RefMut, _) => {
                let cell = self.borrow(&place)?;
                Ok(cell)
            }
            (CaptureMode::MoveMut, _) => {
                let value = self.moved_or_copied(&place)?;
                self.op(&ops::CELL, vec![value])
            }
        }
    }
}
