//! Calls: arguments in rustc's order, in/out arguments written back.
//!
//! - CALL1 the place of an in/out argument is evaluated in argument order but read only after all arguments
//!   are evaluated: this is what two-phase borrows (`v.push(v.len())`) require.

use std::sync::Arc;

use overdub_context::Span;
use overdub_context::ir::{Operand, Ty};
use overdub_context::ops;

use super::abi::{Abi, AbiParam, Passing};
use super::cx::{FnCx, unit};
use super::error::Lowered;
use super::expr::is_place;
use super::place::{Place, Projection, Root, index};
use super::shim;
use crate::hir::*;
use crate::infer::{self, Callee, Instance, TyKind};

/// The callee.
#[derive(Clone, Debug)]
pub(super) enum Target {
    Item(Instance),
    Value(Operand),
}

/// An argument that is evaluated but not yet passed.
#[derive(Clone, Debug)]
pub(super) enum PassedArg {
    Value(Operand),
    /// An in/out argument: the place that is read before the call and written after it.
    Out(Place),
    /// An in/out argument behind a raw pointer, the reference, and the NaN that is passed if the memory was not
    /// initialised: the function may only write to it.
    Pointee(Place, Operand, Operand),
}

impl FnCx<'_> {
    /// `f(a, b)`
    pub(super) fn call(&mut self, id: ExprId, callee: ExprId, args: &[ExprId]) -> Lowered<Operand> {
        let resolved = self.typed.callees.get(&id).cloned();
        match resolved {
            Some(Callee::Value) | None => self.call_value(id, callee, args),
            Some(resolved) => self.call_resolved(id, &resolved, args, self.span(id)),
        }
    }

    /// `x.f(a, b)`: as in rustc, its location is the line of `f`.
    pub(super) fn method_call(
        &mut self,
        id: ExprId,
        receiver: ExprId,
        name_span: Span,
        args: &[ExprId],
    ) -> Lowered<Operand> {
        let full_span = self.span(id);
        let span = if name_span.line == full_span.line { full_span } else { name_span };
        let all: Vec<ExprId> = std::iter::once(receiver).chain(args.iter().copied()).collect();
        match self.typed.callees.get(&id).cloned() {
            Some(resolved) => self.call_resolved(id, &resolved, &all, span),
            None => Err(self.error(self.span(id), "internal: the method is not resolved")),
        }
    }

    fn call_resolved(
        &mut self,
        id: ExprId,
        callee: &Callee,
        args: &[ExprId],
        span: Span,
    ) -> Lowered<Operand> {
        match callee {
            Callee::Fn(instance) => self.call_instance(*instance, args, span),
            Callee::Ctor(def) => {
                let fields = self.values(args)?;
                self.build.set_span(span);
                self.construct(self.typed.exprs[id.index()], *def, fields)
            }
            Callee::Clone(_) => {
                let place = self.place(args[0])?;
                let place = self.deref_all(place)?;
                self.at(id);
                let value = self.read(&place)?;
                self.cloned(value, place.ty)
            }
            Callee::CallValue(_) => {
                let place = self.place(args[0])?;
                let (target, abi, after) = self.callable_in(place, span)?;
                let tuple_ty = self.adjusted(args[1]);
                let body = self.body.clone();
                let passed = match &body.exprs[args[1].index()].kind {
                    ExprKind::Tuple(elems) => self.pass_all(elems, &abi)?,
                    _ => {
                        let tuple = self.value(args[1])?;
                        self.pass_parts(tuple, tuple_ty, &abi)?
                    }
                };
                self.build.set_span(span);
                let result = self.finish_call(&target, &abi, passed)?;
                self.run_entry(after)?;
                Ok(result)
            }
            Callee::Dyn(_, at) => {
                let (receiver, rest) = args.split_first().expect("a method has a receiver");
                let place = self.place(*receiver)?;
                let object = self.read_object(place.clone())?;
                let params: Vec<infer::Ty> = rest.iter().map(|&arg| self.adjusted(arg)).collect();
                let abi = Abi::of(self.lowering, &params, self.typed.exprs[id.index()])?;
                let method = Operand::from(*at as i64);
                self.build.set_span(span);
                let method = self.op(&ops::FIELD, vec![object, method])?;
                let passed = self.pass_all(rest, &abi)?;
                self.build.set_span(span);
                // `self: Box<Self>`: the method owns the object.
                if place.ty.referent().is_none() {
                    self.moved(&place)?;
                }
                self.finish_call(&Target::Value(method), &abi, passed)
            }
            Callee::Value
            | Callee::Builtin
            | Callee::Const(_)
            | Callee::Static(_)
            | Callee::ConstParam(_) => Err(self.error(span, "internal: this call has no callee")),
        }
    }

    /// Calls an instance on argument expressions.
    pub(super) fn call_instance(
        &mut self,
        instance: Instance,
        args: &[ExprId],
        span: Span,
    ) -> Lowered<Operand> {
        if let [arg] = args
            && self.lowering.program.lang("forget") == Some(instance.def())
            && !self.typed.adjustments.contains_key(arg)
            && is_place(&self.expr(*arg).kind)
        {
            let place = self.place(*arg)?;
            self.forgotten(&place)?;
            return Ok(unit());
        }
        if let [arg] = args
            && let Some(len) = self.slice_len(instance, *arg, span)?
        {
            return Ok(len);
        }
        let abi = self.lowering.abi(instance)?;
        let passed = self.pass_all(args, &abi)?;
        self.build.set_span(span);
        self.finish_call(&Target::Item(instance), &abi, passed)
    }

    /// `len` and `is_empty` of a slice. Through a reference the elements are not read: some of them may not be initialised.
    fn slice_len(&mut self, callee: Instance, slice: ExprId, span: Span) -> Lowered<Option<Operand>> {
        let is = |lang: &str| self.lowering.program.lang(lang) == Some(callee.def());
        let is_empty = is("slice_is_empty");
        if !is_empty && !is("slice_len") {
            return Ok(None);
        }
        let place = self.place(slice)?;
        let place = self.deref_all(place)?;
        self.build.set_span(span);
        let len = match place.root {
            Root::Ref(_) => self.len_of(&place)?,
            _ => {
                let value = self.read(&place)?;
                self.op(&ops::LEN, vec![value])?
            }
        };
        Ok(Some(if is_empty { self.op(&ops::EQ, vec![len, Operand::from(0_usize)])? } else { len }))
    }

    fn call_value(&mut self, id: ExprId, callee: ExprId, args: &[ExprId]) -> Lowered<Operand> {
        let span = self.span(id);
        let place = self.place(callee)?;
        let (target, abi, after) = self.callable_in(place, span)?;
        let passed = self.pass_all(args, &abi)?;
        self.build.set_span(span);
        let result = self.finish_call(&target, &abi, passed)?;
        self.run_entry(after)?;
        Ok(result)
    }

    /// Calls the function that drops an object after its call, if there is one.
    fn run_entry(&mut self, entry: Option<Operand>) -> Lowered<()> {
        if let Some(entry) = entry {
            self.build.call_value(entry, [] as [Operand; 0], Ty::unit())?;
        }
        Ok(())
    }

    /// The function value in a place, its calling convention, and the function that drops the object after
    /// the call.
    fn callable_in(&mut self, place: Place, span: Span) -> Lowered<(Target, Arc<Abi>, Option<Operand>)> {
        let place = self.read_through(place)?;
        let Some((params, ret)) = self.lowering.callable(place.ty)? else {
            let message = format!("`{}` cannot be called", self.lowering.types.show(place.ty));
            return Err(self.error(span, message));
        };
        let abi = Arc::new(Abi::of(self.lowering, &params, ret)?);
        let target = match place.ty.kind() {
            TyKind::FnDef(instance) if self.lowering.program.variant_of(instance.def()).is_none() => {
                Target::Item(*instance)
            }
            TyKind::Closure(id) if self.lowering.types.closure(*id)?.kind == infer::ClosureKind::FnOnce => {
                Target::Value(self.release(&place)?)
            }
            TyKind::Dyn(_) if self.lowering.drops_objects() || self.lowering.dyn_fn(place.ty).is_none() => {
                let object = self.read(&place)?;
                if self.lowering.drops_objects()
                    && self.lowering.dyn_fn(place.ty).is_none()
                    && self.lowering.types.is_called_once(place.ty)?
                {
                    let message =
                        format!("the call of a `{}` would drop it twice", self.lowering.types.show(place.ty));
                    return Err(self.error(span, message));
                }
                let at = Operand::from(self.lowering.call_entry(place.ty)? as i64);
                let call = self.op(&ops::FIELD, vec![object.clone(), at])?;
                if self.lowering.is_called_once(place.ty) {
                    let after = self.op(&ops::FIELD, vec![object, index(1)])?;
                    self.moved(&place)?;
                    return Ok((Target::Value(call), abi, Some(after)));
                }
                Target::Value(call)
            }
            _ => Target::Value(self.read(&place)?),
        };
        Ok((target, abi, None))
    }

    /// The place reached through references, boxes and reference-counted pointers.
    pub(super) fn read_through(&mut self, place: Place) -> Lowered<Place> {
        let mut place = place;
        loop {
            if let Some((_, inner)) = place.ty.referent() {
                place = self.deref(place, inner)?;
                continue;
            }
            let peeled = self.lowering.peel(place.ty);
            if peeled == place.ty {
                return Ok(place);
            }
            place = match place.ty.kind() {
                TyKind::Adt(_, args) => match args.first().and_then(|arg| arg.ty()) {
                    Some(inner) if self.is_counted(place.ty) => {
                        self.project(place, Projection::Field(1), inner)?
                    }
                    Some(inner) => place.with_ty(inner),
                    None => return Ok(place),
                },
                _ => return Ok(place),
            };
        }
    }

    pub(super) fn read_object(&mut self, place: Place) -> Lowered<Operand> {
        let place = self.read_through(place)?;
        self.read(&place)
    }

    fn pass_all(&mut self, args: &[ExprId], abi: &Abi) -> Lowered<Vec<PassedArg>> {
        let (mut passed, mut held_values) = (Vec::with_capacity(args.len()), Vec::new());
        for (&arg, param) in args.iter().zip(&abi.params) {
            passed.push(match param.passing {
                Passing::Value => {
                    let value = self.value(arg)?;
                    let place = self.hold(arg, value, passed.len() + 1 < args.len())?;
                    if let Root::Slot(_) = place.root {
                        held_values.push((passed.len(), place));
                        PassedArg::Value(unit())
                    } else {
                        PassedArg::Value(self.read(&place)?)
                    }
                }
                Passing::InOut => {
                    let place = self.place(arg)?;
                    self.pass_place(place, *param)?
                }
            });
        }
        for (at, place) in held_values {
            passed[at] = PassedArg::Value(self.release(&place)?);
        }
        Ok(passed)
    }

    /// Passes the value in a place.
    pub(super) fn pass_place(&mut self, place: Place, param: AbiParam) -> Lowered<PassedArg> {
        let place = match (param.passing, place.ty.kind()) {
            (Passing::Value, _) => return Ok(PassedArg::Value(self.read(&place)?)),
            (Passing::InOut, TyKind::RefMut(inner)) => self.deref(place, *inner)?,
            // There may be no adjustment for a reborrow if nothing depends on it.
            (Passing::InOut, _) => place,
        };
        if !place.is_raw {
            return Ok(PassedArg::Out(place));
        }
        let reference = self.borrow(&place)?;
        let pointee = Place::new(Root::Ref(reference.clone()), place.ty);
        Ok(match self.default_of_float(place.ty)? {
            Some(default) => PassedArg::Pointee(pointee, reference, default),
            None => PassedArg::Out(pointee),
        })
    }

    fn pass_parts(&mut self, tuple: Operand, ty: infer::Ty, abi: &Abi) -> Lowered<Vec<PassedArg>> {
        let TyKind::Tuple(elems) = ty.kind() else { return Ok(vec![PassedArg::Value(tuple)]) };
        let mut passed = Vec::with_capacity(elems.len());
        for (at, (&elem, param)) in (0..).zip(elems.iter().zip(&abi.params)) {
            let part = self.project(Place::value(tuple.clone(), ty), Projection::Field(at), elem)?;
            let part = Place::value(self.read(&part)?, elem);
            passed.push(self.pass_place(part, *param)?);
        }
        Ok(passed)
    }

    /// Appends the call, and writes the in/out results back.
    pub(super) fn finish_call(
        &mut self,
        target: &Target,
        abi: &Abi,
        passed: Vec<PassedArg>,
    ) -> Lowered<Operand> {
        let mut args = Vec::with_capacity(passed.len());
        for passed in &passed {
            args.push(match passed {
                PassedArg::Value(value) => value.clone(),
                PassedArg::Out(place) => self.take(place)?,
                PassedArg::Pointee(_, reference, default) => {
                    self.op(&ops::REF_GET_OR, vec![reference.clone(), default.clone()])?
                }
            });
        }
        let all = match target {
            Target::Item(instance) => {
                shim::emit(self.lowering, &mut self.build, *instance, args, abi.full_ret)?
            }
            Target::Value(callee) => self.build.call_value(callee.clone(), args, abi.full_ret)?.into(),
        };
        if abi.ret == Ty::never() {
            return self.fail("entered unreachable code");
        }
        let outs: Vec<&Place> = passed
            .iter()
            .filter_map(|passed| match passed {
                PassedArg::Out(place) | PassedArg::Pointee(place, ..) => Some(place),
                PassedArg::Value(_) => None,
            })
            .collect();
        self.unpack(all, abi, &outs)
    }

    /// Writes the in/out results of a call to their places and returns the result proper.
    fn unpack(&mut self, all: Operand, abi: &Abi, outs: &[&Place]) -> Lowered<Operand> {
        let has_result = abi.ret != Ty::unit();
        match (has_result, outs) {
            (true, []) => return Ok(all),
            (false, []) => return Ok(unit()),
            (false, [place]) => {
                self.write(place, all)?;
                return Ok(unit());
            }
            _ => {}
        }
        let result = if has_result { self.op(&ops::FIELD, vec![all.clone(), index(0)])? } else { unit() };
        for (at, place) in (u32::from(has_result)..).zip(outs) {
            let out = self.op(&ops::FIELD, vec![all.clone(), index(at)])?;
            // A place that is not read again need not be rebuilt.
            if !matches!(place.root, Root::Value(_)) {
                self.write(place, out)?;
            }
        }
        Ok(result)
    }
}
