//! Patterns, with the binding modes that follow from matching through references.

use super::super::cx::Cx;
use super::*;
use crate::hir::{CtorPath, ExprKind, Lit, PatKind, Prim, ValuePath, positions};

impl Check<'_> {
    /// Infers the types of a pattern that matches values of the expected type.
    pub(super) fn check_pat(&mut self, pat: PatId, expected: Ty) -> Result<()> {
        self.pat(pat, expected, BindMode::Value)
    }

    fn pat(&mut self, id: PatId, expected: Ty, mode: BindMode) -> Result<()> {
        let body = self.body.clone();
        let pat = &body.pats[id.index()];
        let outer = std::mem::replace(&mut self.cx.span, pat.span);
        let (expected, mode) = if self.peels(&pat.kind)? {
            self.peel(id, expected, mode)?
        } else {
            (self.cx.shallow(expected), mode)
        };
        self.pats[id.index()] = Some(expected);
        match &pat.kind {
            PatKind::Wild => {}
            PatKind::Bind { local, by_ref, sub } => {
                self.pat_bind(id, *local, *by_ref, expected, mode)?;
                if let Some(sub) = sub {
                    self.pat(*sub, expected, mode)?;
                }
            }
            PatKind::Lit(lit) => self.pat_value(*lit, expected)?,
            PatKind::Range { low, high, .. } => {
                for end in low.iter().chain(high) {
                    self.pat_value(*end, expected)?;
                }
            }
            PatKind::Path(path) => self.pat_path(id, path, expected)?,
            PatKind::TupleStruct(path, pats, rest) => {
                let fields = self.pat_ctor(id, path, expected)?;
                let tys: Vec<Ty> = fields.into_iter().map(|(_, ty)| ty).collect();
                self.pat_sequence(pats, *rest, &tys, mode)?;
            }
            PatKind::Struct(path, pats) => {
                let fields = self.pat_ctor(id, path, expected)?;
                for (name, pat) in pats {
                    match fields.iter().find(|(field, _)| field == name) {
                        Some((_, ty)) => self.pat(*pat, *ty, mode)?,
                        None => {
                            let ty = self.cx.show(expected);
                            return self.cx.error(InferErrorKind::NoField { name: *name, ty });
                        }
                    }
                }
            }
            PatKind::Tuple(pats, rest) => self.pat_tuple(pats, *rest, expected, mode)?,
            PatKind::Slice { before, rest, after } => {
                self.pat_slice(before, *rest, after, expected, mode)?;
            }
            PatKind::Ref(inner) => {
                let ty = self.known(expected)?;
                let pointee = match ty.referent() {
                    Some((_, pointee)) => pointee,
                    None => {
                        let pointee = self.cx.fresh();
                        self.expect_pat(Ty::shared(pointee), ty)?;
                        pointee
                    }
                };
                self.pat(*inner, pointee, BindMode::Value)?;
            }
            PatKind::Or(pats) => {
                for &pat in pats {
                    self.pat(pat, expected, mode)?;
                }
            }
        }
        self.cx.span = outer;
        Ok(())
    }

    /// Whether a pattern implicitly looks through references.
    fn peels(&mut self, kind: &PatKind) -> Result<bool> {
        Ok(match kind {
            PatKind::TupleStruct(..)
            | PatKind::Struct(..)
            | PatKind::Tuple(..)
            | PatKind::Slice { .. }
            | PatKind::Range { .. } => true,
            PatKind::Lit(lit) => {
                !matches!(self.expr(*lit).kind, ExprKind::Lit(Lit::Str(_) | Lit::ByteStr(_)))
            }
            PatKind::Path(path) => !self.is_const_path(path),
            PatKind::Wild | PatKind::Bind { .. } | PatKind::Ref(_) | PatKind::Or(_) => false,
        })
    }

    fn is_const_path(&self, path: &ValuePath) -> bool {
        match path {
            ValuePath::Def(def, _) => matches!(self.cx.types.kind(*def), DefKind::Const | DefKind::Static),
            _ => false,
        }
    }

    fn peel(&mut self, id: PatId, expected: Ty, mode: BindMode) -> Result<(Ty, BindMode)> {
        let (mut ty, mut mode) = (self.known(expected)?, mode);
        let mut derefs = 0;
        while let Some((mutability, inner)) = ty.referent() {
            mode = match (mode, mutability) {
                (BindMode::Ref(Mutability::Shared), _) | (_, Mutability::Shared) => {
                    BindMode::Ref(Mutability::Shared)
                }
                _ => BindMode::Ref(Mutability::Mut),
            };
            derefs += 1;
            ty = self.known(inner)?;
        }
        if derefs > 0 {
            self.pat_derefs.insert(id, derefs);
        }
        Ok((ty, mode))
    }

    fn expect_pat(&mut self, found: Ty, expected: Ty) -> Result<()> {
        if self.cx.unify(expected, found) { Ok(()) } else { self.cx.mismatch(expected, found) }
    }

    fn pat_bind(
        &mut self,
        id: PatId,
        local: LocalId,
        by_ref: Option<bool>,
        ty: Ty,
        mode: BindMode,
    ) -> Result<()> {
        let mode = match by_ref {
            Some(mutable) => BindMode::Ref(super::super::lower_ty::mutability(mutable)),
            None => mode,
        };
        let ty = match mode {
            BindMode::Value => ty,
            BindMode::Ref(mutability) => Ty::reference(mutability, ty),
        };
        self.bindings.insert(id, mode);
        let declared = self.local(local);
        self.expect_pat(ty, declared)
    }

    fn pat_value(&mut self, value: ExprId, expected: Ty) -> Result<()> {
        let ty = self.check(value, Expect::Hint(expected))?;
        let (ty, expected) = (self.cx.shallow(ty), self.cx.shallow(expected));
        // A byte string is an array, and as a pattern of a slice a slice.
        let bytes = expected.referent().map_or(expected, |(_, inner)| self.cx.shallow(inner));
        if let (TyKind::Slice(elem), ExprKind::Lit(Lit::ByteStr(_))) = (bytes.kind(), &self.expr(value).kind)
        {
            return self.expect_pat(Ty::prim(Prim::U8), *elem);
        }
        // A string literal matches a `str` behind references.
        if let (Some((_, inner)), None) = (ty.referent(), expected.referent())
            && !matches!(expected.kind(), TyKind::Infer(_))
        {
            return self.expect_pat(inner, expected);
        }
        self.expect_pat(ty, expected)
    }

    fn pat_path(&mut self, id: PatId, path: &ValuePath, expected: Ty) -> Result<()> {
        let item = self.path_item(path)?;
        let ty = self.item_ty(item)?;
        let found = match self.cx.types.kind(item.def()) {
            DefKind::Const | DefKind::AssocConst | DefKind::Static => OpenPatPath::Const(item),
            _ => OpenPatPath::Ctor(item.def()),
        };
        self.pat_paths.insert(id, found);
        self.expect_pat(ty, expected)
    }

    fn pat_ctor(&mut self, id: PatId, path: &CtorPath, expected: Ty) -> Result<Fields> {
        let (variant, ty) = self.ctor(path)?;
        self.expect_pat(ty, expected)?;
        self.pat_paths.insert(id, OpenPatPath::Ctor(variant));
        let span = self.cx.span;
        self.cx.fields_of(ty, variant, span)
    }

    /// Matches patterns with types, where `..` stands for the remaining types.
    fn pat_sequence(
        &mut self,
        pats: &[PatId],
        rest: Option<usize>,
        tys: &[Ty],
        mode: BindMode,
    ) -> Result<()> {
        let fits = match rest {
            Some(_) => pats.len() <= tys.len(),
            None => pats.len() == tys.len(),
        };
        if !fits {
            return self.cx.error(InferErrorKind::ArgCount { expected: tys.len(), found: pats.len() });
        }
        positions(pats, rest, tys.len()).into_iter().try_for_each(|(pat, at)| self.pat(pat, tys[at], mode))
    }

    fn pat_tuple(&mut self, pats: &[PatId], rest: Option<usize>, expected: Ty, mode: BindMode) -> Result<()> {
        let elems: Vec<Ty> = match (expected.kind(), rest) {
            (TyKind::Tuple(elems), _) => elems.to_vec(),
            (_, None) => {
                let elems: Vec<Ty> = pats.iter().map(|_| self.cx.fresh()).collect();
                self.expect_pat(Ty::tuple(elems.clone()), expected)?;
                elems
            }
            (_, Some(_)) => {
                let ty = self.cx.show(expected);
                return self.cx.error(InferErrorKind::Unknown { what: "pattern", ty });
            }
        };
        self.pat_sequence(pats, rest, &elems, mode)
    }

    fn pat_slice(
        &mut self,
        before: &[PatId],
        rest: Option<PatId>,
        after: &[PatId],
        expected: Ty,
        mode: BindMode,
    ) -> Result<()> {
        let (elem, rest_ty) = match expected.kind() {
            TyKind::Array(elem, len) => {
                let rest_ty = match self.cx.table.shallow_const(*len) {
                    Const::Value(len) => {
                        let matched = (before.len() + after.len()) as i128;
                        Ty::new(TyKind::Array(*elem, Const::Value((len - matched).max(0))))
                    }
                    Const::Infer(_) => {
                        if rest.is_none() {
                            let len = Const::Value((before.len() + after.len()) as i128);
                            self.expect_pat(Ty::new(TyKind::Array(*elem, len)), expected)?;
                        }
                        expected
                    }
                };
                (*elem, rest_ty)
            }
            TyKind::Slice(elem) => (*elem, expected),
            TyKind::Infer(_) => {
                let elem = self.cx.fresh();
                let array = Ty::new(TyKind::Array(elem, Const::Value(before.len() as i128)));
                self.expect_pat(array, expected)?;
                (elem, array)
            }
            _ => {
                let elem = self.cx.fresh();
                return self.cx.mismatch(expected, Ty::slice(elem));
            }
        };
        for &pat in before.iter().chain(after) {
            self.pat(pat, elem, mode)?;
        }
        match rest {
            Some(rest) => self.pat(rest, rest_ty, mode),
            None => Ok(()),
        }
    }
}

impl Cx<'_> {
    /// The resolved path of a pattern.
    pub(super) fn finish_pat_path(
        &mut self,
        path: &OpenPatPath,
        span: overdub_context::Span,
    ) -> Result<PatPath> {
        match path {
            OpenPatPath::Ctor(def) => Ok(PatPath::Ctor(*def)),
            OpenPatPath::Const(item) => {
                let args = self.table.resolve_args(item.args());
                match self.callee(Instance::new(item.def(), args), span)? {
                    Callee::Const(item) => Ok(PatPath::Const(item)),
                    _ => Ok(PatPath::Const(*item)),
                }
            }
        }
    }
}
