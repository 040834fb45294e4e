//! Proofs that indices of arrays are in bounds.
//!
//! - INDEX1 only indices of type `usize` are considered, which are not negative.
//! - INDEX2 an array created by `set` or `swap` has the length of its operand; a block parameter has the
//!   length of its arguments if that is the same for all.
//! - INDEX3 the result of `repeat _, n` has length `n`, and that of `array` has as many elements as operands.
//! - INDEX4 an index is compared with a length by the inequalities of [`crate::support::inequalities`]: `i + 1 < n`
//!   follows from `i < n - 1`. A block parameter is in bounds where all its arguments are.

use std::sync::Arc;

use hashbrown::HashMap;
use overdub_context::ir::{Block, InstKind, Operand, Position, Var};
use overdub_context::ops;

use crate::support::inequalities::{Inequalities, LessThan, LinearExpr};
use overdub_context::analysis::Defs;
use overdub_context::edit::CfgAnalyses;
use overdub_context::edit::FuncEditor;

/// The analyses that prove indices of arrays to be in bounds.
pub(crate) struct BoundsProofs {
    analyses: Arc<CfgAnalyses>,
    defs: Defs,
    inequalities: Inequalities,
    roots: LengthRoots,
}

impl BoundsProofs {
    pub(crate) fn of(editor: &mut FuncEditor<'_>) -> BoundsProofs {
        BoundsProofs::with_loads(editor, [])
    }

    /// With arrays that are read from cells, each with an array of the same length.
    pub(crate) fn with_loads(
        editor: &mut FuncEditor<'_>,
        loads: impl IntoIterator<Item = (Var, Var)>,
    ) -> BoundsProofs {
        let analyses = editor.cfg_analyses();
        let defs = Defs::of(&editor.func);
        let inequalities = Inequalities::of(editor, &analyses.cfg, analyses.dominators(), &defs);
        let roots = LengthRoots::of(editor, &defs, loads);
        BoundsProofs { analyses, defs, inequalities, roots }
    }

    /// The root of an array: arrays with the same root have the same length.
    pub(crate) fn root(&self, array: Var) -> Var {
        self.roots.root(array)
    }

    /// Whether an index of type `usize` is less than the length of an array, in a block.
    pub(crate) fn in_bounds(&self, editor: &FuncEditor<'_>, block: Block, array: Var, at: &Operand) -> bool {
        self.is_less(editor, block, array, at, 0) || self.args_are_in_bounds(editor, block, array, at)
    }

    /// Whether `index < length + slack` holds in a block.
    pub(crate) fn is_less(
        &self,
        editor: &FuncEditor<'_>,
        block: Block,
        array: Var,
        index: &Operand,
        slack: i128,
    ) -> bool {
        let known = self.inequalities.at(self.analyses.dominators(), block);
        self.follows(editor, known, array, index, slack)
    }

    /// Whether `from <= to` holds because their difference is constant.
    pub(crate) fn are_ordered(&self, editor: &FuncEditor<'_>, from: &Operand, to: &Operand) -> bool {
        let (from, to) = (LinearExpr::of(editor, &self.defs, from), LinearExpr::of(editor, &self.defs, to));
        from.base == to.base && from.offset <= to.offset
    }

    /// Whether `index < length + slack` follows from one of the inequalities.
    fn follows<'f>(
        &self,
        editor: &FuncEditor<'_>,
        mut known: impl Iterator<Item = &'f LessThan>,
        array: Var,
        at: &Operand,
        slack: i128,
    ) -> bool {
        let root = self.roots.root(array);
        let at = LinearExpr::of(editor, &self.defs, at);
        let length = self.created_length(editor, root);
        let is_shorter = |len: &LinearExpr| {
            len.base.is_none() && len.offset.checked_add(slack).is_some_and(|end| at.offset < end)
        };
        if at.base.is_none() && length.as_ref().is_some_and(is_shorter) {
            return true;
        }
        let implies = |fact: &LessThan| {
            // The largest possible difference: first of the high side and the length, then of the index and
            // the length.
            let difference = match &length {
                Some(length) if length.base == fact.high.base => {
                    fact.high.offset.checked_sub(length.offset)?
                }
                _ if self.is_length(editor, &fact.high.base, root) => fact.high.offset,
                _ => return None,
            };
            let difference = difference.checked_sub(fact.low.offset)?.checked_add(at.offset)?;
            Some(fact.low.base == at.base && difference <= slack)
        };
        known.any(|fact| implies(fact) == Some(true))
    }

    /// The length with which an array was created (INDEX3).
    fn created_length(&self, editor: &FuncEditor<'_>, root: Var) -> Option<LinearExpr> {
        match self.defs.inst(&editor.func, &root.into())? {
            InstKind::Op { op, args } if **op == ops::REPEAT => {
                Some(LinearExpr::of(editor, &self.defs, args.get(1)?))
            }
            InstKind::Op { op, args } if **op == ops::ARRAY => {
                Some(LinearExpr { base: None, offset: args.len() as i128 })
            }
            _ => None,
        }
    }

    /// Whether an operand is the length of an array with this root.
    fn is_length(&self, editor: &FuncEditor<'_>, of: &Option<Operand>, root: Var) -> bool {
        match of.as_ref().and_then(|of| self.defs.inst(&editor.func, of)) {
            Some(InstKind::Op { op, args }) if **op == ops::LEN => {
                args[0].var().is_some_and(|array| self.roots.root(array) == root)
            }
            _ => false,
        }
    }

    /// Whether an index is a block parameter all of whose arguments are in bounds (INDEX4).
    fn args_are_in_bounds(&self, editor: &FuncEditor<'_>, block: Block, array: Var, at: &Operand) -> bool {
        let Some(Position::Block(param_block)) = at.var().and_then(|var| self.defs.place(var)) else {
            return false;
        };
        let Some(k) = editor.func.block(param_block).params.iter().position(|param| at.var() == Some(*param))
        else {
            return false;
        };
        // The array is the same in all iterations, because it is defined before the block.
        let root = self.roots.root(array);
        let before = match self.defs.place(root) {
            Some(Position::Head) => true,
            Some(Position::Inst(defined_in, _)) => {
                defined_in != param_block && self.analyses.dominators().dominates(defined_in, param_block)
            }
            _ => false,
        };
        if !before || !self.analyses.dominators().dominates(param_block, block) {
            return false;
        }
        let mut preds = self.analyses.cfg.preds(param_block).to_vec();
        preds.dedup();
        preds.into_iter().all(|pred| {
            let edge =
                self.inequalities.on_edge(editor, self.analyses.dominators(), &self.defs, pred, param_block);
            editor.terminator(pred).kind.targets().filter(|target| target.block == param_block).all(
                |target| {
                    let known = edge.iter().chain(self.inequalities.at(self.analyses.dominators(), pred));
                    self.follows(editor, known, array, &target.args[k], 0)
                },
            )
        })
    }
}

/// The deepest loop nest through which lengths are followed.
const MAX_NESTING: usize = 8;

/// Maps arrays to an array of the same length, a step closer to the root (INDEX2).
struct LengthRoots(HashMap<Var, Var>);

impl LengthRoots {
    fn of(editor: &FuncEditor<'_>, defs: &Defs, loads: impl IntoIterator<Item = (Var, Var)>) -> LengthRoots {
        let mut args_of: HashMap<Var, Vec<Operand>> = HashMap::new();
        for block in editor.blocks() {
            for target in editor.terminator(block).kind.targets() {
                for (arg, &param) in target.args.iter().zip(&editor.func.block(target.block).params) {
                    if editor.func.ty(param).as_array().is_some() {
                        args_of.entry(param).or_default().push(arg.clone());
                    }
                }
            }
        }
        let mut roots = LengthRoots(loads.into_iter().collect());
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
        let mut params: Vec<(Var, Vec<Operand>)> = args_of.into_iter().collect();
        params.sort_unstable_by_key(|(param, _)| *param);
        // The length of an array that an inner loop passes back to an outer loop is found after that of the
        // inner loop.
        for _ in 0..MAX_NESTING {
            let known = roots.0.len();
            params.retain(|(param, args)| !roots.add_param(defs, *param, args));
            if roots.0.len() == known {
                break;
            }
        }
        roots
    }

    /// Adds a block parameter if all its arguments have the same length; returns whether they do.
    fn add_param(&mut self, defs: &Defs, param: Var, args: &[Operand]) -> bool {
        // An argument that derives from the parameter itself has the length of the other arguments.
        let arg_roots = args.iter().map(|arg| arg.var().map(|var| self.root(var)));
        let mut others = arg_roots.filter(|root| *root != Some(param));
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
