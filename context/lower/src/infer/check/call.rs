//! Calls of functions, of closures and other values, and of methods.

use overdub_context::{Span, Symbol};

use super::super::method::{Pick, Via};
use super::coerce::deref_steps;
use super::*;
use crate::hir::{DefId, ExprKind, GenericArg};

/// A method call without its receiver.
#[derive(Clone, Copy)]
pub(super) struct MethodCall<'b> {
    pub(super) name: Symbol,
    pub(super) span: Span,
    pub(super) generic_args: &'b [GenericArg],
    pub(super) args: &'b [ExprId],
    pub(super) traits: &'b [DefId],
}

impl Check<'_> {
    pub(super) fn check_call(
        &mut self,
        id: ExprId,
        func: ExprId,
        args: &[ExprId],
        expect: Expect,
    ) -> Result<Ty> {
        let ty = self.check(func, Expect::Nothing)?;
        let ty = self.known(ty)?;
        if let TyKind::FnDef(item) = ty.kind() {
            self.targets.insert(id, Target::Item(*item));
            let (params, ret) = self.cx.signature_of(*item)?;
            self.check_args(&params, ret, args, expect)?;
            return Ok(ret);
        }
        let steps = self.cx.autoderef(ty)?;
        for at in 0..steps.len() {
            let step = self.cx.shallow(steps[at].ty);
            let called = matches!(
                step.kind(),
                TyKind::FnDef(_)
                    | TyKind::FnPtr(..)
                    | TyKind::Closure(_)
                    | TyKind::Dyn(_)
                    | TyKind::Opaque(..)
            );
            if !called {
                continue;
            }
            let Some((params, ret)) = self.cx.callable(step)? else { continue };
            self.adjust(func, deref_steps(&steps[1..=at], Mutability::Shared));
            let target = match step.kind() {
                TyKind::FnDef(item) => Target::Item(*item),
                _ => Target::Value,
            };
            self.targets.insert(id, target);
            self.check_args(&params, ret, args, expect)?;
            return Ok(ret);
        }
        self.cx.error(InferErrorKind::NotCallable { ty: self.cx.show(ty) })
    }

    /// Checks arguments against parameters, taking into account the expected result type.
    fn check_args(&mut self, params: &[Ty], ret: Ty, args: &[ExprId], expect: Expect) -> Result<()> {
        if params.len() != args.len() {
            let kind = InferErrorKind::ArgCount { expected: params.len(), found: args.len() };
            return self.cx.error(kind);
        }
        let expected = self.expected_params(params, ret, expect);
        let is_closure = |check: &Self, arg: ExprId| matches!(check.expr(arg).kind, ExprKind::Closure { .. });
        let closures = args.iter().any(|&arg| is_closure(self, arg));
        for late in [false, true] {
            if late && !closures {
                break;
            }
            // A bound that is satisfied by a single impl determines the type to which arguments are coerced.
            self.cx.select()?;
            for (i, &arg) in args.iter().enumerate() {
                if is_closure(self, arg) == late {
                    // The arguments before it may have left a single impl; what a reference is coerced to depends on it.
                    let param = self.cx.shallow(params[i]);
                    match self.behind_references(param).kind() {
                        TyKind::Infer(InferVar::Any(_)) if i == 0 => {}
                        TyKind::Infer(InferVar::Any(_)) if param.referent().is_some() => {
                            self.cx.select_guided()?
                        }
                        TyKind::Infer(InferVar::Any(_)) => self.cx.select()?,
                        _ => {}
                    }
                    let likely = expected.as_ref().map_or(params[i], |expected| expected[i]);
                    self.check_arg(arg, params[i], likely)?;
                }
            }
        }
        Ok(())
    }

    fn behind_references(&self, ty: Ty) -> Ty {
        let mut ty = self.cx.shallow(ty);
        while let Some((_, inner)) = ty.referent() {
            ty = self.cx.shallow(inner);
        }
        ty
    }

    fn check_arg(&mut self, arg: ExprId, param: Ty, likely: Ty) -> Result<()> {
        let likely = self.cx.resolve(likely);
        let expect = if self.is_unsized(likely) { Expect::Hint(likely) } else { Expect::Type(likely) };
        let found = self.check(arg, expect)?;
        let outer = self.enter(arg);
        let as_expected = likely != param
            && !self.is_unsized(likely)
            && self.cx.probe(|cx| cx.unify(param, likely))
            && self.try_coerce(arg, found, likely)?;
        if as_expected {
            self.cx.unify(param, likely);
        } else {
            self.coerce(arg, found, param)?;
        }
        self.cx.span = outer;
        Ok(())
    }

    /// The parameter types if the result type were the expected one.
    fn expected_params(&mut self, params: &[Ty], ret: Ty, expect: Expect) -> Option<Vec<Ty>> {
        let expected = self.cx.shallow(expect.target()?);
        if matches!(expected.kind(), TyKind::Infer(InferVar::Any(_))) || !ret.is_open() {
            return None;
        }
        self.cx.probe(|cx| {
            cx.unify(ret, expected).then(|| params.iter().map(|&param| cx.resolve(param)).collect())
        })
    }

    pub(super) fn check_method_call(
        &mut self,
        id: ExprId,
        receiver: ExprId,
        call: MethodCall<'_>,
        expect: Expect,
    ) -> Result<Ty> {
        let ty = self.check(receiver, Expect::Nothing)?;
        let outer = std::mem::replace(&mut self.cx.span, call.span);
        let bounds = self.bounds_of_receiver(ty, call.name)?;
        let pick = self.cx.probe_method(ty, call.name, call.traits, &bounds)?;
        self.adjust_receiver(receiver, ty, &pick);
        let scope = self.scope.clone();
        let picked = self.pointer_method(receiver, &pick)?;
        let found = self.cx.complete(picked, pick.prefix.clone(), call.generic_args, &scope, call.span)?;
        let item = Instance::new(found.def, found.args);
        self.targets.insert(id, Target::Item(item));
        let (params, ret) = self.cx.signature_of(item)?;
        let Some((&self_param, rest)) = params.split_first() else {
            return self.cx.error(InferErrorKind::NoMethod { name: call.name, ty: self.cx.show(ty) });
        };
        let adjusted = self.adjusted(receiver, ty);
        if !self.cx.unify(self_param, adjusted) {
            return self.cx.mismatch(self_param, adjusted);
        }
        self.cx.span = outer;
        self.check_args(rest, ret, call.args, expect)?;
        Ok(ret)
    }

    /// The type of an expression after its adjustments so far.
    pub(super) fn adjusted(&self, expr: ExprId, ty: Ty) -> Ty {
        self.adjustments.get(&expr).and_then(|list| list.last()).map_or(ty, |last| last.ty)
    }

    /// `v.as_ptr()` takes a pointer to the place `v`, not a reference to its value, so that two such calls
    /// return equal pointers; and so does `v.set_len(n)`, since what was written behind the elements stays in the
    /// place.
    fn pointer_method(&mut self, receiver: ExprId, pick: &Pick) -> Result<DefId> {
        let program = self.cx.types.program().clone();
        let is = |name| program.lang(name) == Some(pick.item);
        let (of_place, mutability) = if is("slice_as_ptr") {
            (program.lang("slice_as_ptr_of"), Mutability::Shared)
        } else if is("vec_set_len") {
            (program.lang("vec_set_len_of"), Mutability::Mut)
        } else {
            return Ok(pick.item);
        };
        let (Some(of_place), Some(Arg::Ty(elem))) = (of_place, pick.prefix.first()) else {
            return Ok(pick.item);
        };
        let pointee = match (mutability, program.lang("vec")) {
            (Mutability::Mut, Some(vec)) => Ty::adt(vec, [Arg::Ty(*elem)]),
            _ => Ty::slice(*elem),
        };
        let ty = self.cx.raw_pointer(mutability, pointee)?;
        self.adjust(receiver, vec![OpenAdjustment { kind: OpenAdjust::RefToPointer, ty }]);
        Ok(of_place)
    }

    fn adjust_receiver(&mut self, receiver: ExprId, ty: Ty, pick: &Pick) {
        let last = pick.steps[pick.steps.len() - 1];
        let place = match last.via {
            Via::Unsize => &pick.steps[..pick.steps.len() - 1],
            Via::Start | Via::Builtin | Via::Overloaded => &pick.steps[..],
        };
        let place_ty = place[place.len() - 1].ty;
        let Some(mutability) = pick.autoref else {
            // By value; a `&mut` receiver that is dereferenced on the way here is itself a place.
            let through = match place_ty.kind() {
                TyKind::RefMut(_) => Mutability::Mut,
                _ => Mutability::Shared,
            };
            self.adjust(receiver, deref_steps(&place[1..], through));
            if place_ty.referent().is_some_and(|(m, _)| m == Mutability::Mut) && place.len() > 1 {
                self.make_mutable(receiver);
            }
            return;
        };
        // `&*r` of a reference of the same kind is `r`.
        if last.via == Via::Builtin
            && place.len() == 2
            && self.cx.shallow(ty).referent() == Some((mutability, place_ty))
        {
            return;
        }
        let mut steps = deref_steps(&place[1..], mutability);
        steps.push(OpenAdjustment {
            kind: OpenAdjust::Borrow(mutability),
            ty: Ty::reference(mutability, place_ty),
        });
        if last.via == Via::Unsize {
            steps.push(OpenAdjustment {
                kind: OpenAdjust::UnsizeArray,
                ty: Ty::reference(mutability, last.ty),
            });
        }
        self.adjust(receiver, steps);
        if mutability == Mutability::Mut {
            self.make_mutable(receiver);
        }
    }

    /// The bounds that may declare a receiver's method: those on its type, if a parameter is bound to that here (TY4).
    fn bounds_of_receiver(&mut self, ty: Ty, name: Symbol) -> Result<Vec<TraitPredicate>> {
        if self.cx.env.is_empty() || !self.cx.resolve(ty).has_marks() {
            return Ok(vec![]);
        }
        let program = self.cx.types.program().clone();
        let has_method = |predicate: &&TraitPredicate| program.child(predicate.trait_, name).is_some();
        let mut named: Vec<TraitPredicate> = self.cx.env.iter().filter(has_method).cloned().collect();
        named.extend(self.cx.assoc_env().iter().filter(has_method).cloned());
        if named.is_empty() {
            return Ok(vec![]);
        }
        let steps: Vec<Ty> = self.cx.autoderef(ty)?.iter().map(|step| self.cx.resolve(step.ty)).collect();
        let steps: Vec<Ty> = steps.into_iter().filter(|ty| ty.is_param()).collect();
        named.retain(|predicate| steps.contains(&self.cx.resolve(predicate.self_ty())));
        // Of two parameters that are bound to one type, those on the receiver's own.
        let is_of_it = |predicate: &TraitPredicate| {
            let self_ty = self.cx.resolve(predicate.self_ty());
            steps.iter().any(|ty| *ty == self_ty && ty.mark() == self_ty.mark())
        };
        match named.iter().filter(|predicate| is_of_it(predicate)).cloned().collect::<Vec<_>>() {
            own if own.is_empty() => Ok(named),
            own => Ok(own),
        }
    }
}
