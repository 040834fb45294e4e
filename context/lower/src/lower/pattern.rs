//! Patterns: tests in the order of the source, then bindings.
//!
//! - PATTERN1 a pattern that cannot fail is not tested; the last arm of a `match`, if it has no guard, is
//!   such a pattern, since rustc has checked exhaustiveness.
//! - PATTERN2 a scrutinee is read once, unless a pattern binds a part of it by mutable reference.

use overdub_context::Span;
use overdub_context::ir::{Block as IrBlock, Operand, TyKind as IrKind};

use super::cx::FnCx;
use super::drop_scopes::Extent;
use super::error::Lowered;
use super::place::{Place, Root};
use crate::hir::*;
use crate::infer::{self, BindMode, Mutability, PatPath, TyKind};

impl FnCx<'_> {
    pub(super) fn let_(
        &mut self,
        pat: PatId,
        init: Option<ExprId>,
        otherwise: Option<ExprId>,
    ) -> Lowered<()> {
        let Some(init) = init else {
            for local in self.bound_locals(&[pat]) {
                self.declare(local, None)?;
            }
            return Ok(());
        };
        self.extend_temporaries(pat, init)?;
        if self.moves_entire_value(pat, init) {
            let value = self.value(init)?;
            return self.match_known(pat, &Place::value(value, self.adjusted(init)));
        }
        let temporaries = self.open_temporaries();
        let place = self.scrutinee(init, &[pat])?;
        let Some(otherwise) = otherwise else { return self.matching(|cx| cx.match_known(pat, &place)) };
        let (on_fail, matched_block) = (self.build.new_block(), self.build.new_block());
        let before = self.open_locals();
        self.matching(|cx| cx.match_pat(pat, &place, on_fail))?;
        self.jump(matched_block)?;
        if !self.build.preds(on_fail).is_empty() {
            self.enter(on_fail)?;
            let left =
                self.after_temporaries(temporaries, |cx| cx.without_locals(before, |cx| cx.value(otherwise)));
            if Self::unless_diverges(left)?.is_some() {
                self.build.fail("entered unreachable code")?;
            }
        }
        self.enter(matched_block)
    }

    /// Whether a variable takes the whole of a value that needs drop.
    fn moves_entire_value(&self, pat: PatId, init: ExprId) -> bool {
        matches!(self.body.pats[pat.index()].kind, PatKind::Bind { by_ref: None, sub: None, .. })
            && (self.tracks(self.adjusted(init)) || self.lowering.owns_memory(self.adjusted(init)))
    }

    /// The place that these patterns match (PATTERN2).
    pub(super) fn scrutinee(&mut self, id: ExprId, pats: &[PatId]) -> Lowered<Place> {
        let place = self.place(id)?;
        self.at(id);
        // A variable of which a closure captures only parts has no value of its own.
        if matches!(place.root, Root::Captured(_)) {
            return Ok(place);
        }
        if pats.iter().any(|&pat| self.binds_mut(pat)) {
            return match place.root {
                Root::Addr(_) => Ok(place),
                _ => self.materialise(place, id),
            };
        }
        // Moves out of it are noted in its own place.
        if self.tracks(place.ty) || self.leaves_hole(&place) {
            return Ok(place);
        }
        match place.root {
            Root::Addr(inner) => {
                let value = self.read(&inner)?;
                Ok(Place::value(value, inner.ty).addr(place.ty))
            }
            _ if matches!(self.body.pats[pats[0].index()].kind, PatKind::Wild) && pats.len() == 1 => {
                Ok(place)
            }
            _ => {
                if pats.len() == 1 && self.takes_all(pats[0]) {
                    self.note_moved_variable(&place);
                }
                let value = self.read(&place)?;
                Ok(Place::value(value, place.ty))
            }
        }
    }

    /// Whether a pattern is a variable that takes the whole value.
    fn takes_all(&self, pat: PatId) -> bool {
        let mode = self.typed.bindings.get(&pat).copied().unwrap_or(BindMode::Value);
        let kind = &self.body.pats[pat.index()].kind;
        matches!((kind, mode), (PatKind::Bind { by_ref: None, sub: None, .. }, BindMode::Value))
    }

    /// Whether a pattern binds a mutable reference.
    fn binds_mut(&self, pat: PatId) -> bool {
        let body = &self.body;
        match &body.pats[pat.index()].kind {
            PatKind::Bind { local, sub, .. } => {
                self.typed.bindings.get(&pat) == Some(&BindMode::Ref(Mutability::Mut))
                    || matches!(self.typed.locals[local.index()].kind(), TyKind::RefMut(_))
                    || sub.is_some_and(|sub| self.binds_mut(sub))
            }
            _ => self.parts_of(pat).into_iter().any(|sub| self.binds_mut(sub)),
        }
    }

    /// The variables bound by patterns, without duplicates.
    pub(super) fn bound_locals(&self, pats: &[PatId]) -> Vec<LocalId> {
        let mut found = Vec::new();
        let mut todo: Vec<PatId> = pats.iter().rev().copied().collect();
        while let Some(pat) = todo.pop() {
            if let PatKind::Bind { local, .. } = &self.body.pats[pat.index()].kind
                && !found.contains(local)
            {
                found.push(*local);
            }
            todo.extend(self.parts_of(pat).into_iter().rev());
        }
        found
    }

    pub(super) fn parts_of(&self, pat: PatId) -> Vec<PatId> {
        self.body.pats[pat.index()].kind.parts()
    }

    pub(super) fn match_(
        &mut self,
        scrutinee: ExprId,
        arms: &[Arm],
        ty: infer::Ty,
        span: Span,
    ) -> Lowered<Operand> {
        let pats: Vec<PatId> = arms.iter().map(|arm| arm.pat).collect();
        let subject =
            if pats.is_empty() { self.place(scrutinee)? } else { self.scrutinee(scrutinee, &pats)? };
        let done = self.build.new_block();
        let result = self.join_variable(ty)?;
        let (before, mut after) = (self.debug.branch(), Vec::new());
        if let Some(blocks) = self.dispatch(&subject, arms, span)? {
            for (arm, block) in arms.iter().zip(blocks) {
                if self.build.preds(block).is_empty() {
                    continue;
                }
                self.enter(block)?;
                self.debug.restore(&before);
                let value = self.scoped(Extent::Both, |cx| {
                    cx.matching(|cx| cx.match_known(arm.pat, &subject))?;
                    cx.expr_point(arm.body)?;
                    cx.value(arm.body)
                });
                after.extend(self.debug.branch_if(value.is_ok()));
                self.join(value, result, done)?;
            }
            self.debug.restore(&before);
            self.debug.join(after);
            return self.joined(result, done);
        }
        let mut is_open = true;
        for (at, arm) in arms.iter().enumerate() {
            let pat_span = self.body.pats[arm.pat.index()].span;
            self.build.set_span(pat_span);
            let next = self.build.new_block();
            let is_last = at + 1 == arms.len() && arm.guard.is_none();
            self.debug.restore(&before);
            let value = self.scoped(Extent::Both, |cx| {
                let on_fail = (!is_last).then_some(next);
                let combinations = if arm.guard.is_some() { cx.combinations(arm.pat)? } else { Vec::new() };
                match arm.guard {
                    Some(guard) if !combinations.is_empty() => {
                        cx.match_each(arm.pat, &subject, combinations, guard, next)?;
                    }
                    guard => cx.matching_if(
                        |cx| cx.match_opt(arm.pat, &subject, on_fail),
                        |cx| guard.map_or(Ok(()), |guard| cx.condition(guard, next)),
                    )?,
                }
                cx.expr_point(arm.body)?;
                cx.value(arm.body)
            });
            after.extend(self.debug.branch_if(value.is_ok()));
            self.join(value, result, done)?;
            is_open = !self.build.preds(next).is_empty();
            if !is_open {
                break;
            }
            self.enter(next)?;
        }
        self.debug.restore(&before);
        self.debug.join(after);
        if is_open {
            self.build.set_span(span);
            self.build.fail("entered unreachable code")?;
        }
        self.joined(result, done)
    }

    /// If one tag or number decides between all arms: a block for each arm, reached by one `switch`.
    fn dispatch(&mut self, subject: &Place, arms: &[Arm], span: Span) -> Lowered<Option<Vec<IrBlock>>> {
        if arms.len() < 2 || arms.iter().any(|arm| arm.guard.is_some()) {
            return Ok(None);
        }
        let mut cases: Vec<(i128, usize)> = Vec::new();
        let mut rest = None;
        for (at, arm) in arms.iter().enumerate() {
            match self.keys(arm.pat)? {
                Keys::All if at + 1 == arms.len() => rest = Some(at),
                Keys::Some(keys) => {
                    for key in keys {
                        if cases.iter().any(|&(known, _)| known == key) {
                            return Ok(None);
                        }
                        cases.push((key, at));
                    }
                }
                Keys::All | Keys::Other => return Ok(None),
            }
        }
        let Some(first) = arms.first() else { return Ok(None) };
        let place = self.peel_pat(first.pat, subject.clone())?;
        let place = self.deref_all(place)?;
        if cases.is_empty() {
            return Ok(None);
        }
        self.build.set_span(span);
        let blocks: Vec<IrBlock> = arms.iter().map(|_| self.build.new_block()).collect();
        let is_enum = matches!(self.ir_ty_of(&place)?.kind(), IrKind::Enum(_));
        let on = if is_enum { self.tag_of(&place)? } else { self.read(&place)? };
        // PATTERN1: in an exhaustive match of numbers the last arm is the default.
        if rest.is_none() && !is_enum {
            return Ok(None);
        }
        let targets: Vec<(i128, IrBlock)> = cases.into_iter().map(|(key, at)| (key, blocks[at])).collect();
        self.switch_on(on, &targets, rest.map(|at| blocks[at]))?;
        Ok(Some(blocks))
    }

    /// The tags or numbers that decide whether a pattern matches, if nothing else does.
    fn keys(&self, pat: PatId) -> Lowered<Keys> {
        let body = self.body.clone();
        Ok(match &body.pats[pat.index()].kind {
            PatKind::Wild => Keys::All,
            PatKind::Bind { sub: None, .. } => Keys::All,
            PatKind::Ref(sub) => self.keys(*sub)?,
            PatKind::Or(subs) => {
                if !self.bound_locals(subs).is_empty() {
                    return Ok(Keys::Other);
                }
                let mut all = Vec::new();
                for &sub in subs {
                    match self.keys(sub)? {
                        Keys::Some(keys) => all.extend(keys),
                        Keys::All | Keys::Other => return Ok(Keys::Other),
                    }
                }
                Keys::Some(all)
            }
            PatKind::Lit(lit) => match &body.exprs[lit.index()].kind {
                ExprKind::Lit(Lit::Int(n, _)) if !is_float(self.typed.pats[pat.index()]) => {
                    i128::try_from(*n).map_or(Keys::Other, |n| Keys::Some(vec![n]))
                }
                ExprKind::Lit(Lit::Char(c)) => Keys::Some(vec![i128::from(u32::from(*c))]),
                ExprKind::Lit(Lit::Byte(b)) => Keys::Some(vec![i128::from(*b)]),
                ExprKind::Unary(UnOp::Neg, inner) => match &body.exprs[inner.index()].kind {
                    ExprKind::Lit(Lit::Int(n, _)) if !is_float(self.typed.pats[pat.index()]) => {
                        i128::try_from(*n).map_or(Keys::Other, |n| Keys::Some(vec![-n]))
                    }
                    _ => Keys::Other,
                },
                _ => Keys::Other,
            },
            PatKind::Path(_) | PatKind::TupleStruct(..) | PatKind::Struct(..) => {
                let Some(PatPath::Ctor(def)) = self.typed.pat_paths.get(&pat) else { return Ok(Keys::Other) };
                let Some((adt, variant)) = self.lowering.program.variant_of(*def) else {
                    return Ok(Keys::Other);
                };
                let subs = self.parts_of(pat);
                let is_enum = self.lowering.program.adt(adt)?.is_enum;
                if !is_enum || !subs.iter().all(|&sub| self.is_irrefutable(sub)) {
                    return Ok(Keys::Other);
                }
                Keys::Some(vec![variant as i128])
            }
            _ => Keys::Other,
        })
    }

    fn is_irrefutable(&self, pat: PatId) -> bool {
        match &self.body.pats[pat.index()].kind {
            PatKind::Wild => true,
            PatKind::Bind { sub, .. } => sub.is_none_or(|sub| self.is_irrefutable(sub)),
            PatKind::Tuple(subs, _) => subs.iter().all(|&sub| self.is_irrefutable(sub)),
            PatKind::Ref(sub) => self.is_irrefutable(*sub),
            _ => false,
        }
    }

    /// The place reached through the references that a pattern implicitly dereferences.
    pub(super) fn peel_pat(&mut self, pat: PatId, place: Place) -> Lowered<Place> {
        let mut place = place;
        for _ in 0..self.typed.pat_derefs.get(&pat).copied().unwrap_or(0) {
            let Some((_, inner)) = place.ty.referent() else { break };
            place = self.deref(place, inner)?;
        }
        Ok(place)
    }

    /// Binds the variables of a pattern that is known to match.
    pub(super) fn match_known(&mut self, pat: PatId, place: &Place) -> Lowered<()> {
        self.match_opt(pat, place, None)
    }

    /// Continues with the pattern's bindings if it matches; otherwise jumps to `on_fail`.
    pub(super) fn match_pat(&mut self, pat: PatId, place: &Place, on_fail: IrBlock) -> Lowered<()> {
        self.match_opt(pat, place, Some(on_fail))
    }
}

/// What decides whether a pattern matches.
enum Keys {
    /// Nothing: it always matches.
    All,
    /// A tag or number among these.
    Some(Vec<i128>),
    /// Anything else.
    Other,
}

fn is_float(ty: infer::Ty) -> bool {
    matches!(ty.peel_refs().as_prim(), Some(Prim::F32 | Prim::F64))
}
