//! Calls: of functions, closures and other values, of methods.

use overdub_context::{Span, Symbol};

use super::super::method::{Pick, Via};
use super::coerce::deref_steps;
use super::*;
use crate::hir::{DefId, ExprKind, GenericArg, ParamRef, TypeKind, ValuePath};

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

    /// Checks arguments against parameters; what is expected of the result says something about them too.
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
            if late {
                self.cx.select()?;
            }
            for (i, &arg) in args.iter().enumerate() {
                if is_closure(self, arg) == late {
                    let likely = expected.as_ref().map_or(params[i], |expected| expected[i]);
                    self.check_arg(arg, params[i], likely)?;
                }
            }
        }
        Ok(())
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

    /// What the parameters would be if the result were what is expected.
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
        let bounds = self.bounds_of_receiver(receiver, ty, call.name)?;
        let pick = self.cx.probe_method(ty, call.name, call.traits, &bounds)?;
        self.adjust_receiver(receiver, ty, &pick);
        let scope = self.scope.clone();
        let found = self.cx.complete(pick.item, pick.prefix.clone(), call.generic_args, &scope, call.span)?;
        let item = Instance::new(found.def, found.args);
        self.targets.insert(id, Target::Item(item));
        let (params, ret) = self.cx.signature_of(item)?;
        let Some((&own, rest)) = params.split_first() else {
            return self.cx.error(InferErrorKind::NoMethod { name: call.name, ty: self.cx.show(ty) });
        };
        let adjusted = self.adjusted(receiver, ty);
        if !self.cx.unify(own, adjusted) {
            return self.cx.mismatch(own, adjusted);
        }
        self.cx.span = outer;
        self.check_args(rest, ret, call.args, expect)?;
        Ok(ret)
    }

    /// The type of an expression after its adjustments so far.
    pub(super) fn adjusted(&self, expr: ExprId, ty: Ty) -> Ty {
        self.adjustments.get(&expr).and_then(|list| list.last()).map_or(ty, |last| last.ty)
    }

    fn adjust_receiver(&mut self, receiver: ExprId, ty: Ty, pick: &Pick) {
        let last = pick.steps[pick.steps.len() - 1];
        let place = match last.via {
            Via::Unsize => &pick.steps[..pick.steps.len() - 1],
            Via::Start | Via::Builtin | Via::Overloaded => &pick.steps[..],
        };
        let place_ty = place[place.len() - 1].ty;
        let Some(mutability) = pick.autoref else {
            // By value; a `&mut` receiver that is dereferenced on the way here is a place of its own.
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

    /// The bounds on the type parameter that a receiver is of: as its variable is written, else as its type tells. A
    /// body is typed with its parameters bound, so that a `T` that is `f64` looks like any `f64`; only what is
    /// certainly none of the parameters' is taken for what it looks like.
    fn bounds_of_receiver(&mut self, receiver: ExprId, ty: Ty, name: Symbol) -> Result<Vec<Claim>> {
        let written = match &self.expr(receiver).kind {
            ExprKind::Path(ValuePath::Local(local)) => self.written.get(local),
            _ => None,
        };
        let Some(written) = written else { return self.bounds_by_type(receiver, ty, name) };
        let mut written = written.clone();
        let mut ty = self.cx.shallow(ty);
        while let TypeKind::Ref { inner, .. } = &written.kind {
            let Some((_, next)) = ty.referent() else { return Ok(vec![]) };
            ty = self.cx.shallow(next);
            written = (**inner).clone();
        }
        let scope = self.scope.clone();
        match written.kind {
            TypeKind::Param(_) | TypeKind::Assoc { .. } => self.cx.bounds_on(&written, ty, name, &scope),
            TypeKind::SelfType(item) if scope.trait_self(item).is_some() => {
                let len = self.cx.types.layout(item)?.len;
                let mut claims = vec![Claim::new(item, &scope.args[..len])];
                claims.extend(self.cx.bounds_on(&written, ty, name, &scope)?);
                Ok(claims)
            }
            _ => Ok(vec![]),
        }
    }

    fn bounds_by_type(&mut self, receiver: ExprId, ty: Ty, name: Symbol) -> Result<Vec<Claim>> {
        if self.is_concrete(receiver) {
            return Ok(vec![]);
        }
        let ty = self.cx.resolve(ty).peel_refs();
        let scope = self.scope.clone();
        let mut claims = vec![];
        for segment in &scope.layout.segments {
            for index in 0..segment.generics.params.len() {
                if scope.args.get(segment.start + index) != Some(&Arg::Ty(ty)) {
                    continue;
                }
                let param = ParamRef { owner: segment.owner, index: index as u32 };
                let written = Type { kind: TypeKind::Param(param), span: self.cx.span };
                claims.extend(self.cx.bounds_on(&written, ty, name, &scope)?);
            }
        }
        Ok(claims)
    }

    /// Whether the source says by itself that an expression is of a primitive type.
    fn is_concrete(&self, expr: ExprId) -> bool {
        match &self.expr(expr).kind {
            ExprKind::Lit(_) => true,
            ExprKind::Cast(_, ty) => matches!(ty.kind, TypeKind::Prim(_)),
            ExprKind::Unary(_, inner) | ExprKind::AddrOf { place: inner, .. } => self.is_concrete(*inner),
            ExprKind::Binary(_, left, _) => self.is_concrete(*left),
            ExprKind::Path(ValuePath::Def(..)) => true,
            _ => false,
        }
    }
}
