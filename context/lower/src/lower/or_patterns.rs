//! Or-patterns: `a | b`.
//!
//! - OR1 without a guard the first alternative that matches binds.
//! - OR2 a guard is evaluated for each combination of alternatives that matches, in their order, until it holds: `(a, _) |
//!   (_, a) if a == 2` ([match guards](https://doc.rust-lang.org/reference/expressions/match-expr.html)). Where at most
//!   one alternative matches, once is enough.

use hashbrown::HashMap;
use overdub_context::ir::Block as IrBlock;

use super::cx::{Binding, FnCx};
use super::error::Lowered;
use super::place::{Place, SlotId};
use crate::hir::*;
use crate::infer::PatPath;

/// An alternative for each or-pattern.
pub(super) type Alternatives = HashMap<PatId, usize>;

/// The most combinations of alternatives for which a guard is lowered.
const MOST: usize = 256;

impl FnCx<'_> {
    /// `a | b`: the first alternative that matches binds, or the one that was chosen.
    pub(super) fn match_any(
        &mut self,
        pat: PatId,
        subs: &[PatId],
        place: &Place,
        on_fail: Option<IrBlock>,
    ) -> Lowered<()> {
        if let Some(&chosen) = self.alternatives.get(&pat) {
            return self.match_opt(subs[chosen], place, on_fail);
        }
        let slots = self.share(subs)?;
        let matched = self.build.new_block();
        for (at, &sub) in subs.iter().enumerate() {
            let is_last = at + 1 == subs.len();
            let next = if is_last { None } else { Some(self.build.new_block()) };
            if Self::unless_diverges(self.match_opt(sub, place, next.or(on_fail)))?.is_some() {
                self.jump(matched)?;
            }
            if let Some(next) = next {
                if self.build.preds(next).is_empty() {
                    break;
                }
                self.enter(next)?;
            }
        }
        self.bind_shared(slots, matched)
    }

    /// The combinations of alternatives for which the guard of a pattern is evaluated (OR2); none if one evaluation is
    /// enough.
    pub(super) fn combinations(&self, pat: PatId) -> Lowered<Vec<Alternatives>> {
        let mut all = vec![Alternatives::new()];
        for or in self.or_patterns(pat) {
            let PatKind::Or(subs) = &self.body.pats[or.index()].kind else { continue };
            let pairs =
                subs.iter().enumerate().flat_map(|(at, a)| subs[at + 1..].iter().map(move |b| (*a, *b)));
            if pairs.into_iter().all(|(a, b)| self.are_disjoint(a, b)) {
                continue;
            }
            let each = |known: &Alternatives| -> Vec<Alternatives> {
                let with = |at| known.iter().map(|(pat, at)| (*pat, *at)).chain([(or, at)]).collect();
                (0..subs.len()).map(with).collect()
            };
            all = all.iter().flat_map(each).collect();
            if all.len() > MOST {
                let message =
                    format!("a guard follows patterns with more than {MOST} combinations of alternatives");
                return Err(self.error(self.body.pats[pat.index()].span, message));
            }
        }
        Ok(if all.len() > 1 { all } else { Vec::new() })
    }

    /// Matches a pattern with a guard by each combination of alternatives (OR2).
    pub(super) fn match_each(
        &mut self,
        pat: PatId,
        place: &Place,
        combinations: Vec<Alternatives>,
        guard: ExprId,
        on_fail: IrBlock,
    ) -> Lowered<()> {
        let slots = self.share(&[pat])?;
        let matched = self.build.new_block();
        let count = combinations.len();
        for (at, alternatives) in combinations.into_iter().enumerate() {
            let next = if at + 1 == count { on_fail } else { self.build.new_block() };
            let outer = std::mem::replace(&mut self.alternatives, alternatives);
            let held = self.matching_if(
                |cx| {
                    cx.match_opt(pat, place, Some(next))?;
                    slots.iter().for_each(|&(local, slot)| cx.bind_local(local, Binding::Slot(slot)));
                    Ok(())
                },
                |cx| cx.condition(guard, next),
            );
            self.alternatives = outer;
            if Self::unless_diverges(held)?.is_some() {
                self.jump(matched)?;
            }
            if next != on_fail {
                if self.build.preds(next).is_empty() {
                    break;
                }
                self.enter(next)?;
            }
        }
        self.bind_shared(slots, matched)
    }

    /// Declares the variables that patterns bind, so that each alternative writes to the same ones.
    fn share(&mut self, pats: &[PatId]) -> Lowered<Vec<(LocalId, SlotId)>> {
        let mut slots = Vec::new();
        for local in self.bound_locals(pats) {
            if !self.shared.contains_key(&local) {
                let slot = self.declare(local, None)?;
                slots.push((local, slot));
                self.shared.insert(local, slot);
            }
        }
        Ok(slots)
    }

    /// Continues where one of the alternatives has matched.
    fn bind_shared(&mut self, slots: Vec<(LocalId, SlotId)>, matched: IrBlock) -> Lowered<()> {
        for &(local, slot) in &slots {
            self.shared.remove(&local);
            self.bind_local(local, Binding::Slot(slot));
        }
        self.enter_joined(matched)?;
        slots.into_iter().try_for_each(|(_, slot)| self.mark_definitely_initialized(slot))
    }

    /// The or-patterns in a pattern, the outer ones first.
    fn or_patterns(&self, pat: PatId) -> Vec<PatId> {
        let (mut found, mut todo) = (Vec::new(), vec![pat]);
        while let Some(pat) = todo.pop() {
            if let PatKind::Or(_) = self.body.pats[pat.index()].kind {
                found.push(pat);
            }
            todo.extend(self.parts_of(pat).into_iter().rev());
        }
        found
    }

    /// Whether it is clear that no value matches both patterns.
    fn are_disjoint(&self, a: PatId, b: PatId) -> bool {
        let any = |a: &[PatId], b: &[PatId]| a.iter().zip(b).any(|(&a, &b)| self.are_disjoint(a, b));
        let kind = |pat: PatId| &self.body.pats[pat.index()].kind;
        let variant = |pat: PatId| match self.typed.pat_paths.get(&pat) {
            Some(PatPath::Ctor(def)) => Some(*def),
            _ => None,
        };
        match (kind(a), kind(b)) {
            (PatKind::Or(subs), _) => subs.iter().all(|&sub| self.are_disjoint(sub, b)),
            (_, PatKind::Or(subs)) => subs.iter().all(|&sub| self.are_disjoint(a, sub)),
            (PatKind::Bind { sub: Some(sub), .. }, _) => self.are_disjoint(*sub, b),
            (_, PatKind::Bind { sub: Some(sub), .. }) => self.are_disjoint(a, *sub),
            (PatKind::Ref(a), PatKind::Ref(b)) => self.are_disjoint(*a, *b),
            (PatKind::Lit(a), PatKind::Lit(b)) => match (&self.expr(*a).kind, &self.expr(*b).kind) {
                (ExprKind::Lit(a), ExprKind::Lit(b)) => a != b,
                _ => false,
            },
            (PatKind::Tuple(a, None), PatKind::Tuple(b, None)) => any(a, b),
            (PatKind::Slice { before: a, rest: None, .. }, PatKind::Slice { before: b, rest: None, .. }) => {
                a.len() != b.len() || any(a, b)
            }
            (first, second) => match (variant(a), variant(b)) {
                (Some(a), Some(b)) if a != b => true,
                (Some(_), Some(_)) => match (first, second) {
                    (PatKind::TupleStruct(_, a, None), PatKind::TupleStruct(_, b, None)) => any(a, b),
                    _ => false,
                },
                _ => false,
            },
        }
    }
}
