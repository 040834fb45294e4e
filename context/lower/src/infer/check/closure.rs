//! Closures: their parameter types follow from the expected type.

use super::*;
use crate::hir::TypeKind;

/// The expected signature of a closure.
struct ExpectedClosure {
    params: Vec<Ty>,
    ret: Option<Ty>,
}

impl Check<'_> {
    pub(super) fn check_closure(
        &mut self,
        id: ExprId,
        params: &[(PatId, Type)],
        ret: &Type,
        body: ExprId,
        expect: Expect,
    ) -> Result<Ty> {
        let scope = self.scope.clone();
        let expected = match expect.any() {
            Some(ty) => self.expected_closure(ty)?.filter(|found| found.params.len() == params.len()),
            None => None,
        };
        let mut tys = vec![];
        for (i, (_, written)) in params.iter().enumerate() {
            let ty = self.cx.read_ty(written, &scope)?;
            if let Some(expected) = &expected {
                // The written and the expected type can differ only in unknown parts.
                self.cx.unify(ty, expected.params[i]);
            }
            tys.push(ty);
        }
        let ret_ty = self.cx.read_ty(ret, &scope)?;
        if let Some(expected) = expected.and_then(|expected| expected.ret)
            && matches!(ret.kind, TypeKind::Infer)
        {
            self.cx.unify(ret_ty, expected);
        }
        let closure = ClosureId { owner: self.instance, expr: id };
        self.cx.closures.insert(closure, OpenClosure { params: tys.clone().into(), ret: ret_ty });
        self.closures.push(id);
        for ((pat, _), &ty) in params.iter().zip(&tys) {
            self.check_pat(*pat, ty)?;
        }
        let outer = std::mem::replace(&mut self.diverges, false);
        self.rets.push(ret_ty);
        self.check_coerce(body, ret_ty)?;
        self.rets.pop();
        self.diverges = outer;
        Ok(Ty::new(TyKind::Closure(closure)))
    }

    fn expected_closure(&mut self, ty: Ty) -> Result<Option<ExpectedClosure>> {
        let ty = self.cx.shallow(ty);
        match ty.kind() {
            TyKind::FnPtr(params, ret) => {
                Ok(Some(ExpectedClosure { params: params.to_vec(), ret: Some(*ret) }))
            }
            TyKind::Dyn(_) | TyKind::Opaque(..) => {
                let found = self.cx.callable(ty)?;
                Ok(found.map(|(params, ret)| ExpectedClosure { params, ret: Some(ret) }))
            }
            TyKind::Infer(InferVar::Any(_)) => self.closure_from_goals(ty),
            _ => Ok(None),
        }
    }

    /// The signature of a closure from the pending obligations on its type.
    fn closure_from_goals(&mut self, var: Ty) -> Result<Option<ExpectedClosure>> {
        let mut params: Option<Vec<Ty>> = None;
        let mut ret = None;
        let pending_goals: Vec<Goal> = self.cx.pending.iter().map(|pending| pending.goal.clone()).collect();
        for goal in pending_goals {
            let (predicate, out) = match goal {
                Goal::Trait(predicate) => (predicate, None),
                Goal::Project { predicate, out, .. } => (predicate, Some(out)),
                Goal::Try { .. } => continue,
            };
            if self.cx.shallow(predicate.self_ty()) != var {
                continue;
            }
            let calls = match self.cx.types.lang.is_fn(predicate.trait_) {
                true => vec![predicate],
                false => {
                    let all = self.cx.elaborate(predicate)?;
                    all.into_iter().filter(|predicate| self.cx.types.lang.is_fn(predicate.trait_)).collect()
                }
            };
            for call in calls {
                let tuple = call.args.get(1).and_then(|arg| arg.ty()).map(|ty| self.cx.shallow(ty));
                if let Some(TyKind::Tuple(elems)) = tuple.map(Ty::kind) {
                    params = params.or_else(|| Some(elems.to_vec()));
                    ret = ret.or(out);
                }
            }
        }
        Ok(params.map(|params| ExpectedClosure { params, ret }))
    }
}
