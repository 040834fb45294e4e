//! Functions with a body: functions, constants, closures.
//!
//! - B1 a body is lowered again as long as a round finds that its plan is too small; a plan only grows, so this ends.

use std::sync::Arc;

use overdub_context::Symbol;
use overdub_context::ir::{Func, Operand, Ty};

use super::abi::{Abi, Passing};
use super::cx::{Binding, FnCx, Plan};
use super::error::{LowerError, Lowered, Stop};
use super::place::{Place, Root, SlotKey};
use super::session::{Captured, Lowering};
use crate::hir::{ExprId, ExprKind, PatId, PatKind};
use crate::infer::{self, CaptureMode, ClosureId, Instance, TyKind, Typed};

/// The function of an item with a body.
pub(super) fn item(lowering: &Lowering, name: Symbol, instance: Instance) -> Result<Func, LowerError> {
    let typed = lowering.types.infer(instance)?;
    let abi = Abi::of(lowering, &typed.params, typed.ret)?;
    let span = lowering.program.head(instance.def()).span;
    rounds(lowering, name, &typed, &abi, |cx| {
        cx.build.set_func_span(span);
        cx.build.set_span(span);
        let (params, value) = (cx.body.params.clone(), cx.body.value);
        cx.enter_body(&params, &typed.params, value)
    })
}

/// The code of a closure: what it captured first, then its parameters.
pub(super) fn closure(lowering: &Lowering, name: Symbol, id: ClosureId) -> Result<Func, LowerError> {
    let typed = lowering.types.infer(id.owner)?;
    let closure = lowering.types.closure(id)?;
    let abi = Abi::of(lowering, &closure.params, closure.ret)?;
    let captures = lowering.captures(id)?;
    let capture_tys = lowering.capture_tys(id)?;
    rounds(lowering, name, &typed, &abi, |cx| {
        let span = cx.span(id.expr);
        cx.build.set_func_span(span);
        cx.build.set_span(span);
        for (captured, &ty) in captures.iter().zip(&capture_tys) {
            cx.bind_captured(captured, ty)?;
        }
        let hir = cx.body.clone();
        let ExprKind::Closure { params, body, .. } = &hir.exprs[id.expr.index()].kind else {
            return Err(cx.error(span, "internal: this is no closure"));
        };
        let pats: Vec<PatId> = params.iter().map(|&(pat, _)| pat).collect();
        cx.enter_body(&pats, &closure.params, *body)
    })
}

/// Lowers until the plan suffices (B1).
fn rounds(
    lowering: &Lowering,
    name: Symbol,
    typed: &Arc<Typed>,
    abi: &Abi,
    lower: impl Fn(&mut FnCx<'_>) -> Lowered<()>,
) -> Result<Func, LowerError> {
    let mut plan = Plan::default();
    loop {
        let mut cx = FnCx::new(lowering, name, typed.clone(), abi.clone(), plan.clone());
        let lowered = lower(&mut cx);
        if cx.wanted.is_empty() {
            match lowered {
                Ok(()) | Err(Stop::Diverges) => return Ok(cx.build.finish()?),
                Err(Stop::Error(error)) => return Err(*error),
            }
        }
        plan.extend(cx.wanted);
    }
}

impl FnCx<'_> {
    /// Binds the parameters, lowers the value, returns it.
    fn enter_body(&mut self, pats: &[PatId], tys: &[infer::Ty], value: ExprId) -> Lowered<()> {
        let abi = self.abi.clone();
        let mut places = Vec::with_capacity(pats.len());
        // All parameters are declared before anything else is appended.
        let mut given = Vec::with_capacity(pats.len());
        for (&pat, param) in pats.iter().zip(&abi.params) {
            let name = self.param_name(pat);
            given.push(Operand::from(self.build.param(&name, param.ty)));
        }
        for (at, ((value, param), &ty)) in (0..).zip(given.into_iter().zip(&abi.params).zip(tys)) {
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
        for (&pat, place) in pats.iter().zip(&places) {
            self.match_known(pat, place)?;
        }
        let result = self.value(value)?;
        self.at(value);
        self.give_back(result)
    }

    fn param_name(&self, pat: PatId) -> String {
        match &self.body.pats[pat.index()].kind {
            PatKind::Bind { local, .. } => self.body.locals[local.index()].name.to_string(),
            PatKind::Ref(sub) => self.param_name(*sub),
            _ => "arg".to_owned(),
        }
    }

    /// Binds a captured variable to the parameter that brings it.
    fn bind_captured(&mut self, captured: &Captured, ty: Ty) -> Lowered<()> {
        let name = self.body.locals[captured.local.index()].name;
        let value = Operand::from(self.build.param(&name, ty));
        let place = match (captured.mode, captured.ty.kind()) {
            (CaptureMode::Ref, TyKind::RefMut(inner)) => Place::value(value, *inner).addr(captured.ty),
            (_, TyKind::RefMut(inner)) if !self.lowering.is_object(*inner) => {
                Place::new(Root::Ref(value), *inner).addr(captured.ty)
            }
            (CaptureMode::RefMut | CaptureMode::MoveMut, kind) if !matches!(kind, TyKind::RefMut(_)) => {
                Place::new(Root::Ref(value), captured.ty)
            }
            _ => {
                let slot = self.new_slot(SlotKey::Local(captured.local), ty, Some(&name), Some(value))?;
                Place::new(Root::Slot(slot), captured.ty)
            }
        };
        self.bindings.insert(captured.local, Binding::Place(place));
        Ok(())
    }

    /// `|x| …`: its code, and what it captures.
    pub(super) fn closure(&mut self, id: ExprId, ty: infer::Ty) -> Lowered<Operand> {
        let span = self.span(id);
        let TyKind::Closure(closure) = ty.kind() else {
            return Err(self.error(span, "internal: the closure has another type"));
        };
        let mut captures = Vec::new();
        for captured in self.lowering.captures(*closure)? {
            captures.push(self.capture(&captured, id)?);
        }
        self.build.set_span(span);
        let ty = self.lowering.ty(ty)?;
        self.op_as("closure", captures, ty)
    }

    fn capture(&mut self, captured: &Captured, id: ExprId) -> Lowered<Operand> {
        let name = self.body.locals[captured.local.index()].name;
        let place = match self.bindings.get(&captured.local) {
            Some(Binding::Slot(slot)) => Place::new(Root::Slot(*slot), captured.ty),
            Some(Binding::Place(place)) => place.clone(),
            None => {
                let message = format!("internal: the captured variable `{name}` is not bound here");
                return Err(self.error(self.span(id), message));
            }
        };
        match (captured.mode, captured.ty.kind()) {
            (CaptureMode::Ref, TyKind::RefMut(inner)) => {
                let target = self.deref(place, *inner)?;
                self.read(&target)
            }
            (_, TyKind::RefMut(_)) | (CaptureMode::Ref | CaptureMode::Move, _) => self.read(&place),
            (CaptureMode::RefMut, _) => {
                let cell = self.borrow(&place)?;
                Ok(cell)
            }
            (CaptureMode::MoveMut, _) => {
                let value = self.read(&place)?;
                self.op("cell", vec![value])
            }
        }
    }
}
