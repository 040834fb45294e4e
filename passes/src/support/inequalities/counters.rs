//! Upper bounds of the induction variables of loops.
//!
//! ```text
//!   br ^up(0_usize)
//! ^up(%i: usize):                 %i <= %n: it starts at 0, and grows by 1 where it is less
//!   %c: bool = lt %i, %n
//!   br_if %c, ^more, ^back(%i)
//!   …
//! ^back(%j: usize):               %j <= %i: it starts there, and decreases
//!   %z: bool = eq %j, 0_usize
//!   br_if %z, ^done, ^less
//! ^less:
//!   %k: usize = sub.wrapping %j, 1_usize            %k < %j, hence %k < %n
//! ```
//!
//! - COUNT1 bounds are defined before the loop, so they are the same in each iteration.

use hashbrown::HashMap;
use overdub_context::analysis::{Cfg, Dominators};
use overdub_context::ir::{Block, InstKind, Operand, Position, Ty, Var};
use overdub_context::ops;

use super::{compared, less};
use crate::support::consts::int_of;
use overdub_context::analysis::Defs;
use overdub_context::edit::FuncEditor;

/// The longest chain of transitive bounds that is followed.
const MAX_CHAIN: usize = 4;

/// The upper bounds of induction variables, and the variables that are one less than another.
#[derive(Default)]
pub(crate) struct Counters {
    /// The upper bound of each induction variable.
    at_most: HashMap<Var, Operand>,
    /// For each variable: the results of subtracting 1 from it.
    one_less: HashMap<Var, Vec<Var>>,
}

/// An argument for a parameter, and the predecessor that passes it.
type Incoming = (Block, Operand);

impl Counters {
    pub(crate) fn of(editor: &FuncEditor<'_>, cfg: &Cfg, dominators: &Dominators, defs: &Defs) -> Counters {
        let mut counters = Counters::default();
        for inst in editor.func.blocks.iter().flat_map(|body| &body.insts) {
            if let InstKind::Op { op, args } = &inst.kind
                && (**op == ops::SUB || **op == ops::SUB_WRAPPING)
                && int_of(&args[1]) == Some(1)
                && let Operand::Var(from) = args[0]
                && editor.func.ty(from) == Ty::usize()
            {
                counters.one_less.entry(from).or_default().push(inst.result);
            }
        }
        let finder = BoundFinder { editor, cfg, dominators, defs };
        for (header, body) in editor.func.iter_blocks().filter(|(block, _)| cfg.preds(*block).len() > 1) {
            for (k, param) in body.params.iter().enumerate() {
                if editor.func.ty(*param) == Ty::usize()
                    && let Some(bound) = finder.bound(&counters, header, *param, k)
                {
                    counters.at_most.insert(*param, bound);
                }
            }
        }
        counters
    }

    /// The upper bounds of a value: itself, its bound, the bound of that, and so on.
    pub(crate) fn bounds<'c>(&'c self, value: &'c Operand) -> impl Iterator<Item = &'c Operand> {
        let next = |value: &&'c Operand| self.at_most.get(&value.var()?);
        std::iter::successors(Some(value), next).take(MAX_CHAIN)
    }

    /// The inequalities that hold where a variable is not 0: `x - 1 < x`.
    pub(crate) fn less_if_nonzero(&self, value: Var) -> impl Iterator<Item = (Operand, Operand)> + '_ {
        let less = self.one_less.get(&value).into_iter().flatten();
        less.map(move |less| ((*less).into(), value.into()))
    }
}

/// Finds the bound of an induction variable.
#[derive(Clone, Copy)]
struct BoundFinder<'w> {
    editor: &'w FuncEditor<'w>,
    cfg: &'w Cfg,
    dominators: &'w Dominators,
    defs: &'w Defs,
}

impl BoundFinder<'_> {
    /// The upper bound of a parameter of a loop header.
    fn bound(self, counters: &Counters, header: Block, param: Var, k: usize) -> Option<Operand> {
        let (from_latches, from_outside): (Vec<Incoming>, Vec<Incoming>) = self
            .incoming(header, k)
            .into_iter()
            .partition(|(from, _)| self.dominators.dominates(header, *from));
        let ([_, ..], [(_, first)]) = (from_latches.as_slice(), from_outside.as_slice()) else { return None };
        let less = counters.one_less.get(&param).map_or(&[][..], Vec::as_slice);
        let decreases = |(_, arg): &Incoming| {
            arg.var().is_some_and(|next| less.contains(&next) && self.did_not_wrap(param, next))
        };
        if from_latches.iter().all(decreases) {
            return Some(first.clone());
        }
        let [(_, next)] = from_latches.as_slice() else { return None };
        let limit = self.rises_below(header, param, next.var()?)?;
        (int_of(first) == Some(0)).then_some(limit)
    }

    /// The arguments for a parameter of a block.
    fn incoming(self, block: Block, k: usize) -> Vec<Incoming> {
        let mut incoming = Vec::new();
        for pred in self.cfg.preds(block) {
            let targets = self.editor.terminator(*pred).kind.targets().filter(|target| target.block == block);
            incoming.extend(targets.map(|target| (*pred, target.args[k].clone())));
        }
        incoming
    }

    /// Whether `next`, which is one less than `param`, did not wrap.
    fn did_not_wrap(self, param: Var, next: Var) -> bool {
        let Some(InstKind::Op { op, .. }) = self.defs.inst(&self.editor.func, &next.into()) else {
            return false;
        };
        **op == ops::SUB
            || self.on_dominating_edge(next, |pred, block| {
                nonzero(self.editor, self.defs, pred, block) == Some(param)
            })
    }

    /// The limit below which `param` is incremented by 1, if it is defined before the loop (COUNT1).
    fn rises_below(self, header: Block, param: Var, next: Var) -> Option<Operand> {
        let InstKind::Op { op, args } = self.defs.inst(&self.editor.func, &next.into())? else { return None };
        let adds = **op == ops::ADD || **op == ops::ADD_WRAPPING;
        if !adds || args[0].var() != Some(param) || int_of(&args[1]) != Some(1) {
            return None;
        }
        let mut limit = None;
        self.on_dominating_edge(next, |pred, block| {
            let known = less(self.editor, self.defs, pred, block).filter(|(x, _)| x.var() == Some(param));
            limit = known.map(|(_, limit)| limit).filter(|limit| self.is_before(header, limit));
            limit.is_some()
        });
        limit
    }

    /// Whether a value is defined before the loop with this header.
    fn is_before(self, header: Block, value: &Operand) -> bool {
        let Some(var) = value.var() else { return true };
        let before = |block: Block| block != header && self.dominators.dominates(block, header);
        self.defining_block(var).is_some_and(before)
    }

    /// The block that defines a variable.
    fn defining_block(self, value: Var) -> Option<Block> {
        self.defs.place(value).map(|place| match place {
            Position::Head => Block::ENTRY,
            Position::Block(block) | Position::Inst(block, _) | Position::Terminator(block) => block,
        })
    }

    /// Whether `found` holds for the only incoming edge of a block that dominates the definition of a variable.
    fn on_dominating_edge(self, value: Var, mut found: impl FnMut(Block, Block) -> bool) -> bool {
        let mut at = self.defining_block(value);
        while let Some(block) = at {
            if let [pred] = self.cfg.preds(block)
                && found(*pred, block)
            {
                return true;
            }
            at = self.dominators.idom(block);
        }
        false
    }
}

/// The variable that is not 0 on the edge from `pred` to `block`, which is the only edge into `block`.
pub(crate) fn nonzero(editor: &FuncEditor<'_>, defs: &Defs, pred: Block, block: Block) -> Option<Var> {
    let (op, [x, y], holds) = compared(editor, defs, pred, block)?;
    let differs = if holds { *op == ops::NE } else { *op == ops::EQ };
    if differs {
        return if int_of(y) == Some(0) { x.var() } else { y.var().filter(|_| int_of(x) == Some(0)) };
    }
    // No `usize` is less than 0, so the greater side is not 0.
    let (_, more) = less(editor, defs, pred, block)?;
    more.var()
}
