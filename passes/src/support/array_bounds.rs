//! Proofs that indices lie within arrays.

use std::sync::Arc;

use hashbrown::HashMap;
use overdub_context::ir::{Block, InstKind, Operand, Place, Var};
use overdub_context::ops;

use crate::support::cfg_analyses::CfgAnalyses;
use crate::support::func_editor::{Defs, FuncEditor};
use crate::support::inequalities::{Inequalities, Less, Sum};

/// What indices are held to.
pub(crate) struct Proofs {
    analyses: Arc<CfgAnalyses>,
    defs: Defs,
    facts: Inequalities,
    roots: Roots,
}

impl Proofs {
    pub(crate) fn of(editor: &mut FuncEditor<'_>) -> Proofs {
        let analyses = editor.cfg_analyses();
        let defs = Defs::of(&editor.func);
        let facts = Inequalities::of(editor, &analyses.cfg, analyses.dominators(), &defs);
        let roots = Roots::of(editor, &defs);
        Proofs { analyses, defs, facts, roots }
    }

    /// An array that has the same length as this one; arrays with the same root have the same length.
    pub(crate) fn root(&self, array: Var) -> Var {
        self.roots.root(array)
    }

    /// Whether an index of type `usize` is less than an array's length in a block.
    pub(crate) fn in_bounds(&self, editor: &FuncEditor<'_>, block: Block, array: Var, at: &Operand) -> bool {
        self.is_less(editor, block, array, at, 0) || self.comes_in_bounds(editor, block, array, at)
    }

    /// Whether `at` is less than the array's length and `more`.
    pub(crate) fn is_less(
        &self,
        editor: &FuncEditor<'_>,
        block: Block,
        array: Var,
        at: &Operand,
        more: i128,
    ) -> bool {
        let known = self.facts.at(self.analyses.dominators(), block);
        self.follows(editor, known, array, at, more)
    }

    /// Whether one index is known not to be greater than another one.
    pub(crate) fn are_ordered(&self, editor: &FuncEditor<'_>, from: &Operand, to: &Operand) -> bool {
        let (from, to) = (Sum::of(editor, &self.defs, from), Sum::of(editor, &self.defs, to));
        from.of == to.of && from.plus <= to.plus
    }

    fn follows<'f>(
        &self,
        editor: &FuncEditor<'_>,
        mut known: impl Iterator<Item = &'f Less>,
        array: Var,
        at: &Operand,
        more: i128,
    ) -> bool {
        let root = self.roots.root(array);
        let at = Sum::of(editor, &self.defs, at);
        let length = self.length(editor, root);
        let is_shorter =
            |len: &Sum| len.of.is_none() && len.plus.checked_add(more).is_some_and(|end| at.plus < end);
        if at.of.is_none() && length.as_ref().is_some_and(is_shorter) {
            return true;
        }
        let says = |fact: &Less| {
            // What is beyond the length, at most.
            let beyond = match &length {
                Some(length) if length.of == fact.high.of => fact.high.plus.checked_sub(length.plus)?,
                _ if self.is_length(editor, &fact.high.of, root) => fact.high.plus,
                _ => return None,
            };
            let beyond = beyond.checked_sub(fact.low.plus)?.checked_add(at.plus)?;
            Some(fact.low.of == at.of && beyond <= more)
        };
        known.any(|fact| says(fact) == Some(true))
    }

    /// The length that an array was made with.
    fn length(&self, editor: &FuncEditor<'_>, root: Var) -> Option<Sum> {
        match self.defs.inst(&editor.func, &root.into())? {
            InstKind::Op { op, args } if **op == ops::REPEAT => {
                Some(Sum::of(editor, &self.defs, args.get(1)?))
            }
            InstKind::Op { op, args } if **op == ops::ARRAY => {
                Some(Sum { of: None, plus: args.len() as i128 })
            }
            _ => None,
        }
    }

    fn is_length(&self, editor: &FuncEditor<'_>, of: &Option<Operand>, root: Var) -> bool {
        match of.as_ref().and_then(|of| self.defs.inst(&editor.func, of)) {
            Some(InstKind::Op { op, args }) if **op == ops::LEN => {
                args[0].var().is_some_and(|array| self.roots.root(array) == root)
            }
            _ => false,
        }
    }

    /// Whether an index is a parameter of a block that only gets indices in bounds.
    fn comes_in_bounds(&self, editor: &FuncEditor<'_>, block: Block, array: Var, at: &Operand) -> bool {
        let Some(Place::Block(home)) = at.var().and_then(|var| self.defs.place(var)) else { return false };
        let Some(k) = editor.func.block(home).params.iter().position(|param| at.var() == Some(*param)) else {
            return false;
        };
        // The array is the same in all rounds: it is defined before the block.
        let root = self.roots.root(array);
        let before = match self.defs.place(root) {
            Some(Place::Head) => true,
            Some(Place::Inst(made, _)) => made != home && self.analyses.dominators().dominates(made, home),
            _ => false,
        };
        if !before || !self.analyses.dominators().dominates(home, block) {
            return false;
        }
        let mut preds = self.analyses.cfg.preds(home).to_vec();
        preds.dedup();
        preds.into_iter().all(|pred| {
            let edge = self.facts.on_edge(editor, self.analyses.dominators(), &self.defs, pred, home);
            editor.end(pred).kind.targets().filter(|target| target.block == home).all(|target| {
                let known = edge.iter().chain(self.facts.at(self.analyses.dominators(), pred));
                self.follows(editor, known, array, &target.args[k], 0)
            })
        })
    }
}

/// Arrays are followed through loops so deep in each other.
const DEEPEST: usize = 8;

/// Of each array the one whose length it has.
struct Roots(HashMap<Var, Var>);

impl Roots {
    fn of(editor: &FuncEditor<'_>, defs: &Defs) -> Roots {
        let mut handed: HashMap<Var, Vec<Operand>> = HashMap::new();
        for block in editor.blocks() {
            for target in editor.end(block).kind.targets() {
                for (arg, &param) in target.args.iter().zip(&editor.func.block(target.block).params) {
                    if editor.func.ty(param).as_array().is_some() {
                        handed.entry(param).or_default().push(arg.clone());
                    }
                }
            }
        }
        let mut roots = Roots(HashMap::new());
        for body in &editor.func.blocks {
            for inst in &body.insts {
                if let InstKind::Op { op, args } = &inst.kind
                    && (**op == ops::SET || **op == ops::SET_UNCHECKED || **op == ops::SWAP)
                    && let Some(Operand::Var(array)) = args.first()
                {
                    roots.0.insert(inst.result, *array);
                }
            }
        }
        let mut params: Vec<(Var, Vec<Operand>)> = handed.into_iter().collect();
        params.sort_unstable_by_key(|(param, _)| *param);
        // What an inner loop hands back to an outer one is known after the inner one is.
        for _ in 0..DEEPEST {
            let known = roots.0.len();
            params.retain(|(param, args)| !roots.hand(defs, *param, args));
            if roots.0.len() == known {
                break;
            }
        }
        roots
    }

    /// Whether all that is handed to a block parameter has one length, which the parameter has then, too.
    fn hand(&mut self, defs: &Defs, param: Var, args: &[Operand]) -> bool {
        // What comes back in a circle has the length that went in.
        let ends = args.iter().map(|arg| arg.var().map(|var| self.root(var)));
        let mut others = ends.filter(|root| *root != Some(param));
        let Some(Some(first)) = others.next() else { return false };
        let same = others.all(|other| other == Some(first)) && defs.place(first).is_some();
        if same {
            self.0.insert(param, first);
        }
        same
    }

    fn root(&self, mut var: Var) -> Var {
        while let Some(&next) = self.0.get(&var) {
            var = next;
        }
        var
    }
}
