//! Solves pending obligations as far as the bound variables allow.
//!
//! - SOLVE1 a goal that fails ends the inference: programs are assumed to be accepted by rustc, so a failure
//!   is final.

use hashbrown::{HashMap, HashSet};
use overdub_context::Symbol;

use super::cx::{Cx, Goal, MAX_DEPTH, Pending, TraitPredicate};
use super::error::{InferErrorKind, Result};
use super::memo::Obligations;
use super::project::Projected;
use super::select::{Choice, ImplSource};
use super::ty::*;

/// The outcome of processing a goal.
pub(super) enum Outcome {
    /// The goal holds if these do.
    Done(Vec<Goal>),
    /// The goal depends on these variables.
    Stalled(Vec<Ty>),
    /// The goal does not hold.
    Fails,
}

/// Whether goals hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    Yes,
    Maybe,
    No,
}

/// The goals that followed from others while obligations were processed.
#[derive(Default)]
struct Known {
    traits: HashSet<TraitPredicate>,
    assocs: HashMap<(TraitPredicate, Symbol, Box<[Arg]>), Ty>,
}

impl Cx<'_> {
    /// Registers an obligation, to be solved now or when more is known.
    pub(super) fn require(&mut self, goal: Goal) {
        self.pending.push(Pending { goal, span: self.span, depth: self.depth, stalled: vec![] });
    }

    pub(super) fn require_all(&mut self, goals: Vec<Goal>) {
        for goal in goals {
            self.require(goal);
        }
    }

    /// Processes all goals that may have become decidable, until no progress is made.
    pub(super) fn select(&mut self) -> Result<()> {
        let span = self.span;
        let mut known = Known::default();
        loop {
            // Those before `kept` wait, those from there to `at` are done: removed together, since there may be hundreds.
            let (mut kept, mut at) = (0, 0);
            let result = self.select_once(&mut known, &mut kept, &mut at);
            self.pending.drain(kept..at);
            if !result? {
                self.span = span;
                return Ok(());
            }
        }
    }

    /// Runs something that has obligations of its own, and processes these: others may be processed at the time (PROBE1).
    pub(super) fn select_apart<R>(&mut self, run: impl FnOnce(&mut Self) -> Result<R>) -> Result<R> {
        let outer = std::mem::take(&mut self.pending);
        let found = run(self).and_then(|found| self.select().map(|()| found));
        let open = std::mem::replace(&mut self.pending, outer);
        self.pending.extend(open);
        found
    }

    /// Processes each pending goal once, and those that it requires; whether there was progress.
    fn select_once(&mut self, known: &mut Known, kept: &mut usize, at: &mut usize) -> Result<bool> {
        let mut progress = false;
        while *at < self.pending.len() {
            if !self.may_have_changed(&self.pending[*at].stalled) {
                self.pending.swap(*kept, *at);
                (*kept, *at) = (*kept + 1, *at + 1);
                continue;
            }
            let goal = self.pending[*at].goal.clone();
            self.span = self.pending[*at].span;
            let depth = self.pending[*at].depth;
            if depth > MAX_DEPTH {
                return self.error(InferErrorKind::TooDeep(self.show_goal(&goal)));
            }
            let before = self.table.snapshot();
            match self.process(&goal)? {
                Outcome::Done(nested) => {
                    progress = true;
                    let span = self.span;
                    for goal in nested {
                        if !self.is_known(&goal, known) {
                            self.pending.push(Pending { goal, span, depth: depth + 1, stalled: vec![] });
                        }
                    }
                }
                Outcome::Stalled(stalled) => {
                    progress |= !self.table.unchanged_since(before);
                    self.pending[*at].stalled = stalled;
                    self.pending.swap(*kept, *at);
                    *kept += 1;
                }
                Outcome::Fails => return self.fails(&goal),
            }
            *at += 1;
        }
        Ok(progress)
    }

    /// Whether a goal was required before, or is now that an associated type is the one found then: the same of nested
    /// types follows from each of the goals of an enclosing one, which are many in all.
    fn is_known(&mut self, goal: &Goal, known: &mut Known) -> bool {
        let resolved =
            |cx: &Self, of: &TraitPredicate| TraitPredicate::new(of.trait_, cx.table.resolve_args(&of.args));
        match goal {
            Goal::Trait(predicate) => !known.traits.insert(resolved(self, predicate)),
            Goal::Project { predicate, name, own_args, out } => {
                let key = (resolved(self, predicate), *name, self.table.resolve_args(own_args));
                match known.assocs.get(&key) {
                    Some(&found) => self.unify(found, *out),
                    None => {
                        known.assocs.insert(key, *out);
                        false
                    }
                }
            }
            Goal::Try { .. } => false,
        }
    }

    /// Like [`Cx::select`], but also follows where clauses for goals that are otherwise undecided.
    pub(super) fn select_guided(&mut self) -> Result<()> {
        self.select()?;
        if self.env.is_empty() || self.pending.is_empty() || self.guided {
            return Ok(());
        }
        for pending in &mut self.pending {
            pending.stalled.clear();
        }
        self.guided = true;
        let result = self.select();
        self.guided = false;
        result
    }

    fn may_have_changed(&self, stalled: &[Ty]) -> bool {
        stalled.is_empty() || stalled.iter().any(|&var| self.shallow(var) != var)
    }

    fn fails<R>(&self, goal: &Goal) -> Result<R> {
        match goal {
            Goal::Trait(predicate) => self.unsatisfied(predicate),
            Goal::Project { predicate, name, out, .. } => {
                let bound = format!("{}<{name} = {}>", self.show_predicate(predicate), self.show(*out));
                self.error(InferErrorKind::Unsatisfied { ty: self.show(predicate.self_ty()), bound })
            }
            Goal::Try { ret, .. } => self.error(InferErrorKind::NotTry { ty: self.show(*ret) }),
        }
    }

    pub(super) fn unsatisfied<R>(&self, predicate: &TraitPredicate) -> Result<R> {
        let (ty, bound) = (self.show(predicate.self_ty()), self.show_predicate(predicate));
        self.missing(predicate.self_ty(), InferErrorKind::Unsatisfied { ty, bound })
    }

    /// An error of something that a type has not; with the reason where a macro that was not expanded may produce it.
    pub(super) fn missing<R>(&self, of: Ty, missing: InferErrorKind) -> Result<R> {
        let mut of = self.shallow(of);
        while let TyKind::Ref(inner) | TyKind::RefMut(inner) = of.kind() {
            of = self.shallow(*inner);
        }
        if let TyKind::Adt(def, _) = of.kind()
            && let Some(reason) = self.types.program().derive_failure(*def)
        {
            return self.error(InferErrorKind::NotExpanded { missing: Box::new(missing), reason });
        }
        self.error(missing)
    }

    fn show_predicate(&self, predicate: &TraitPredicate) -> String {
        let args = self.table.resolve_args(&predicate.args);
        super::show::bound(self.types, predicate.trait_, args.get(1..).unwrap_or_default())
    }

    fn show_goal(&self, goal: &Goal) -> String {
        match goal {
            Goal::Trait(predicate) | Goal::Project { predicate, .. } => {
                format!("{}: {}", self.show(predicate.self_ty()), self.show_predicate(predicate))
            }
            Goal::Try { ret, .. } => self.show(*ret),
        }
    }

    /// Processes a goal if its variables allow.
    pub(super) fn process(&mut self, goal: &Goal) -> Result<Outcome> {
        match goal {
            Goal::Trait(predicate) => self.process_trait(predicate),
            Goal::Project { predicate, name, own_args, out } => {
                self.unify_projections(predicate, *name, own_args, *out);
                if self.awaits_args(predicate, own_args, *out) {
                    return Ok(Outcome::Stalled(vec![]));
                }
                match self.project(predicate, *name, own_args)? {
                    Projected::Ty(ty, nested) => {
                        Ok(if self.unify(*out, ty) { Outcome::Done(nested) } else { Outcome::Fails })
                    }
                    Projected::Open => Ok(Outcome::Stalled(self.vars_of(predicate))),
                    Projected::None => Ok(Outcome::Fails),
                }
            }
            Goal::Try { error, ret } => {
                let known_ret = self.shallow(*ret);
                if matches!(known_ret.kind(), TyKind::Infer(_)) {
                    return Ok(Outcome::Stalled(vec![known_ret]));
                }
                let Some(args) = self.as_lang(known_ret, "result") else { return Ok(Outcome::Fails) };
                let predicate = TraitPredicate::new(self.lang("from")?, [args[1], Arg::Ty(*error)]);
                Ok(Outcome::Done(vec![Goal::Trait(predicate)]))
            }
        }
    }

    fn process_trait(&mut self, predicate: &TraitPredicate) -> Result<Outcome> {
        let key = if self.probing { None } else { self.memo_key(predicate) };
        if key.as_ref().is_some_and(|key| self.memo.holds(key)) {
            return Ok(Outcome::Done(vec![]));
        }
        let first_pending = self.pending.len();
        let nested = match self.choose(predicate)? {
            Choice::One(source) if self.needs_no_proof(predicate, &source) => vec![],
            Choice::One(source) => self.nested_goals(predicate, &source)?,
            Choice::Open => return Ok(Outcome::Stalled(self.vars_of(predicate))),
            Choice::None => return Ok(Outcome::Fails),
        };
        if let Some(key) = key {
            let obligations = self.obligations(&nested, first_pending);
            self.memo.keep_holding(key, obligations);
        }
        Ok(Outcome::Done(nested))
    }

    /// What an answer requires: what follows from it, and what was registered since it was asked for.
    pub(super) fn obligations(&self, nested: &[Goal], first_pending: usize) -> Obligations {
        match nested.is_empty() && self.pending.len() == first_pending {
            true => Obligations::None,
            false => Obligations::Pending,
        }
    }

    /// Whether the consequences of a choice need not be checked: it contains no variables, and programs are
    /// assumed to be valid (INFER2).
    pub(super) fn needs_no_proof(&self, predicate: &TraitPredicate, source: &ImplSource) -> bool {
        match source {
            ImplSource::Impl { args, .. } => {
                !self.probing && self.is_settled(&predicate.args) && self.is_settled(args)
            }
            ImplSource::Callable { .. } | ImplSource::Bound { .. } | ImplSource::Builtin(_) => false,
        }
    }

    /// Whether arguments contain no variables, no hidden types and no closures in progress.
    pub(super) fn is_settled(&self, args: &[Arg]) -> bool {
        args.iter().all(|arg| match arg {
            Arg::Ty(ty) => self.is_settled_ty(self.resolve(*ty)),
            Arg::Const(value) => matches!(self.table.shallow_const(*value), Const::Value(_)),
        })
    }

    /// Whether a resolved type is such an argument.
    pub(super) fn is_settled_ty(&self, ty: Ty) -> bool {
        !(ty.is_open() || ty.has_opaque() || ty.has_closure() && self.is_blocked(ty))
    }

    /// The variables for which a predicate waits.
    fn vars_of(&self, predicate: &TraitPredicate) -> Vec<Ty> {
        let self_ty = self.shallow(predicate.self_ty());
        if let TyKind::Infer(InferVar::Any(_)) = self_ty.kind() {
            return vec![self_ty];
        }
        let mut vars = vec![];
        for arg in &predicate.args {
            match arg {
                Arg::Ty(ty) => self.table.open_vars(*ty, &mut vars),
                // Changes of constants are not tracked.
                Arg::Const(value) if matches!(self.table.shallow_const(*value), Const::Infer(_)) => {
                    return vec![];
                }
                Arg::Const(_) => {}
            }
        }
        vars
    }

    /// Whether a type implements a trait, as far as known now.
    pub(super) fn holds(&mut self, trait_: crate::hir::DefId, args: Vec<Arg>) -> bool {
        self.evaluate(&[Goal::Trait(TraitPredicate::new(trait_, args))]) == Verdict::Yes
    }

    /// Whether goals hold together, without binding anything.
    pub(super) fn evaluate(&mut self, goals: &[Goal]) -> Verdict {
        self.probe(|cx| {
            let first_pending = cx.pending.len();
            cx.require_all(goals.to_vec());
            cx.evaluate_from(first_pending)
        })
    }

    /// Whether the obligations registered since `first_pending` hold; only called inside a probe.
    pub(super) fn evaluate_from(&mut self, first_pending: usize) -> Verdict {
        let mut depth = 0;
        loop {
            let mut progress = false;
            // Those before `kept` wait, those from there to `at` are done, as in `select`.
            let (mut kept, mut at) = (first_pending, first_pending);
            while at < self.pending.len() {
                if !self.may_have_changed(&self.pending[at].stalled) {
                    self.pending.swap(kept, at);
                    (kept, at) = (kept + 1, at + 1);
                    continue;
                }
                let goal = self.pending[at].goal.clone();
                match self.evaluate_one(&goal) {
                    Outcome::Done(nested) => {
                        progress = true;
                        self.require_all(nested);
                    }
                    Outcome::Stalled(stalled) => {
                        self.pending[at].stalled = stalled;
                        self.pending.swap(kept, at);
                        kept += 1;
                    }
                    Outcome::Fails => return Verdict::No,
                }
                at += 1;
                depth += 1;
                if depth > 400 {
                    self.pending.drain(kept..at);
                    return Verdict::Maybe;
                }
            }
            self.pending.truncate(kept);
            if !progress {
                return if self.pending.len() == first_pending { Verdict::Yes } else { Verdict::Maybe };
            }
        }
    }

    fn evaluate_one(&mut self, goal: &Goal) -> Outcome {
        let Goal::Trait(predicate) = goal else { return self.process(goal).unwrap_or(Outcome::Fails) };
        // What where clauses guide to is not the verdict without them.
        let key = if self.guided { None } else { self.memo_key(predicate) };
        match key.as_ref().and_then(|key| self.memo.verdict(key)) {
            Some(true) => return Outcome::Done(vec![]),
            Some(false) => return Outcome::Fails,
            None => {}
        }
        let outer_cycle = std::mem::replace(&mut self.lowest_cycle, usize::MAX);
        let first_pending = self.pending.len();
        let outcome = self.evaluate_trait(goal, predicate);
        let holds = match &outcome {
            Outcome::Done(nested) => {
                (nested.is_empty() && self.pending.len() == first_pending).then_some(true)
            }
            Outcome::Fails => Some(false),
            Outcome::Stalled(_) => None,
        };
        if let (Some(key), Some(holds), true) = (key, holds, self.lowest_cycle >= self.stack.len()) {
            self.memo.keep_verdict(key, holds);
        }
        self.lowest_cycle = self.lowest_cycle.min(outer_cycle);
        outcome
    }

    fn evaluate_trait(&mut self, goal: &Goal, predicate: &TraitPredicate) -> Outcome {
        if self.stack.len() > MAX_DEPTH as usize {
            return self.fails_at_this_depth();
        }
        let canonical =
            TraitPredicate { trait_: predicate.trait_, args: self.table.canonical_args(&predicate.args) };
        if let Some(at) = self.stack.iter().position(|outer| *outer == canonical) {
            self.lowest_cycle = self.lowest_cycle.min(at);
            // A cycle: with variables it is undecided, without them the predicate only depends on itself and
            // fails.
            let vars = self.vars_of(predicate);
            return if vars.is_empty() { Outcome::Fails } else { Outcome::Stalled(vars) };
        }
        self.stack.push(canonical);
        let is_copy = self.types.lang.is(predicate.trait_, "copy");
        let outcome = match is_copy && self.is_never_copy(predicate.self_ty()) {
            true => Outcome::Fails,
            false => self.process(goal).unwrap_or_else(|_| self.fails_at_this_depth()),
        };
        // Consequences are evaluated while the predicate is on the stack, to detect cycles.
        let outcome = match outcome {
            Outcome::Done(nested) if !nested.is_empty() => {
                let first_pending = self.pending.len();
                self.require_all(nested);
                match self.evaluate_from(first_pending) {
                    Verdict::Yes => Outcome::Done(vec![]),
                    Verdict::No => Outcome::Fails,
                    Verdict::Maybe => {
                        let rest = self.pending.drain(first_pending..).map(|pending| pending.goal).collect();
                        Outcome::Done(rest)
                    }
                }
            }
            outcome => outcome,
        };
        self.stack.pop();
        outcome
    }

    /// A failure that may be one of depth, which says nothing of other places.
    fn fails_at_this_depth(&mut self) -> Outcome {
        self.lowest_cycle = 0;
        Outcome::Fails
    }
}
