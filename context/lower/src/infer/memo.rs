//! What was found of types without variables: a body that is full of projections asks the same of them again and again.
//!
//! - ANSWER1 an answer depends on the where clauses, and is forgotten when one is added.
//! - ANSWER2 an answer whose obligations are pending is forgotten with them, by a rollback.
//! - ANSWER3 inside a probe, obligations decide whether something holds: there, only verdicts are kept, those that depend on
//!   no predicate under evaluation and left no obligations.

use hashbrown::{HashMap, HashSet};
use overdub_context::Symbol;
use smallvec::SmallVec;

use super::cx::{Cx, TraitPredicate};
use super::ty::*;
use crate::hir::DefId;

/// A predicate, or an associated type of one, without variables.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct MemoKey {
    trait_: DefId,
    assoc: Option<Symbol>,
    /// Types that differ in their marks (TY4) are different, since what is found of them differs likewise.
    args: SmallVec<[ExactArg; 6]>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum ExactArg {
    Ty(ExactTy),
    Const(i128),
}

/// The impl for a predicate, with its arguments.
type MarkedImpl = (DefId, Box<[Arg]>);

/// What was found in one inference.
#[derive(Default)]
pub(super) struct Memo {
    holding: HashSet<MemoKey>,
    assocs: HashMap<MemoKey, Ty>,
    impls: HashMap<MemoKey, MarkedImpl>,
    /// Whether predicates hold that were evaluated in probes (ANSWER3).
    verdicts: HashMap<MemoKey, bool>,
    /// The answers whose obligations are pending, in the order in which they were found (ANSWER2).
    open: Vec<MemoKey>,
}

/// Whether an answer requires obligations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Obligations {
    None,
    Pending,
}

impl Memo {
    /// Forgets everything (ANSWER1).
    pub(super) fn clear(&mut self) {
        *self = Memo::default();
    }

    /// A state to forget later answers with pending obligations from.
    pub(super) fn len_of_open(&self) -> usize {
        self.open.len()
    }

    /// Forgets the answers with pending obligations after the first `len` (ANSWER2).
    pub(super) fn forget_open(&mut self, len: usize) {
        for key in self.open.drain(len.min(self.open.len())..) {
            self.holding.remove(&key);
            self.assocs.remove(&key);
        }
    }

    pub(super) fn holds(&self, key: &MemoKey) -> bool {
        self.holding.contains(key)
    }

    pub(super) fn keep_holding(&mut self, key: MemoKey, obligations: Obligations) {
        if obligations == Obligations::Pending {
            self.open.push(key.clone());
        }
        self.holding.insert(key);
    }

    pub(super) fn assoc(&self, key: &MemoKey) -> Option<Ty> {
        self.assocs.get(key).copied()
    }

    pub(super) fn keep_assoc(&mut self, key: MemoKey, ty: Ty, obligations: Obligations) {
        if obligations == Obligations::Pending {
            self.open.push(key.clone());
        }
        self.assocs.insert(key, ty);
    }

    pub(super) fn verdict(&self, key: &MemoKey) -> Option<bool> {
        self.verdicts.get(key).copied()
    }

    pub(super) fn keep_verdict(&mut self, key: MemoKey, holds: bool) {
        self.verdicts.insert(key, holds);
    }

    pub(super) fn impl_for(&self, key: &MemoKey) -> Option<&MarkedImpl> {
        self.impls.get(key)
    }

    /// Keeps the impl for a predicate. Its arguments are settled, so that nothing is pending.
    pub(super) fn keep_impl(&mut self, key: MemoKey, def: DefId, args: Box<[Arg]>) {
        self.impls.insert(key, (def, args));
    }
}

impl Cx<'_> {
    /// The key of a predicate, if it contains no variables.
    pub(super) fn memo_key(&self, predicate: &TraitPredicate) -> Option<MemoKey> {
        self.key_of(predicate, None, &[])
    }

    /// The key of an associated type, if it contains no variables.
    pub(super) fn memo_key_of_assoc(
        &self,
        predicate: &TraitPredicate,
        name: Symbol,
        own_args: &[Arg],
    ) -> Option<MemoKey> {
        self.key_of(predicate, Some(name), own_args)
    }

    fn key_of(&self, of: &TraitPredicate, assoc: Option<Symbol>, own_args: &[Arg]) -> Option<MemoKey> {
        let exact = |arg: &Arg| match arg {
            Arg::Ty(ty) => {
                let ty = self.resolve(*ty);
                self.is_settled_ty(ty).then(|| ExactArg::Ty(ty.exact()))
            }
            Arg::Const(value) => match self.table.shallow_const(*value) {
                Const::Value(value) => Some(ExactArg::Const(value)),
                Const::Infer(_) => None,
            },
        };
        let args = of.args.iter().chain(own_args).map(exact).collect::<Option<_>>()?;
        Some(MemoKey { trait_: of.trait_, assoc, args })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: u32) -> MemoKey {
        MemoKey { trait_: DefId(number), assoc: None, args: SmallVec::new() }
    }

    #[test]
    fn a_rollback_forgets_the_answers_found_since_whose_obligations_are_pending() {
        let mut memo = Memo::default();
        memo.keep_holding(key(0), Obligations::Pending);
        let before = memo.len_of_open();
        memo.keep_holding(key(1), Obligations::None);
        memo.keep_holding(key(2), Obligations::Pending);
        memo.keep_assoc(key(3), Ty::bool(), Obligations::Pending);
        memo.forget_open(before);
        assert!(memo.holds(&key(0)) && memo.holds(&key(1)));
        assert!(!memo.holds(&key(2)) && memo.assoc(&key(3)).is_none());
        memo.forget_open(0);
        assert!(!memo.holds(&key(0)) && memo.holds(&key(1)));
    }

    #[test]
    fn types_that_differ_in_their_marks_have_different_answers() {
        let of = |ty: Ty| MemoKey {
            trait_: DefId(0),
            assoc: None,
            args: [ExactArg::Ty(ty.exact())].into_iter().collect(),
        };
        let mut memo = Memo::default();
        memo.keep_assoc(of(Ty::bool()), Ty::bool(), Obligations::None);
        assert!(memo.assoc(&of(Ty::bool())).is_some());
        assert!(memo.assoc(&of(Ty::bool().as_of_param())).is_none());
    }
}
