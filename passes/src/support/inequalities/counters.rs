//! What the counters of loops are at most.
//!
//! ```text
//!   br ^up(0_usize)
//! ^up(%i: usize):                 %i is at most %n: it starts at 0, and grows by 1 where it is less
//!   %c: bool = lt %i, %n
//!   br_if %c, ^more, ^back(%i)
//!   …
//! ^back(%j: usize):               %j is at most %i: it starts there, and falls
//!   %z: bool = eq %j, 0_usize
//!   br_if %z, ^done, ^less
//! ^less:
//!   %k: usize = sub.wrapping %j, 1_usize            so %k, which is less than %j was, is less than %n
//! ```
//!
//! - Bounds are values from before the loop: they are the same in each of its rounds.

use hashbrown::HashMap;
use overdub_context::analysis::{Cfg, Dominators};
use overdub_context::ir::{Block, InstKind, Operand, Place, Ty, Var};
use overdub_context::ops;

use super::{compared, less};
use crate::support::consts::int_of;
use crate::support::func_editor::{Defs, FuncEditor};

/// Bounds of bounds are followed so far.
const DEEPEST: usize = 4;

/// What the counters of loops are at most, and what is one less than them.
#[derive(Default)]
pub(crate) struct Counters {
    at_most: HashMap<Var, Operand>,
    one_less: HashMap<Var, Vec<Var>>,
}

/// A parameter's argument, and the block that hands it over.
type Handed = (Block, Operand);

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
        let look = Look { editor, cfg, dominators, defs };
        for (header, body) in editor.func.iter_blocks().filter(|(block, _)| cfg.preds(*block).len() > 1) {
            for (k, param) in body.params.iter().enumerate() {
                if editor.func.ty(*param) == Ty::usize()
                    && let Some(bound) = look.bound(&counters, header, *param, k)
                {
                    counters.at_most.insert(*param, bound);
                }
            }
        }
        counters
    }

    /// What a value is at most: itself, and the bounds of that.
    pub(crate) fn bounds<'c>(&'c self, value: &'c Operand) -> impl Iterator<Item = &'c Operand> {
        let next = |value: &&'c Operand| self.at_most.get(&value.var()?);
        std::iter::successors(Some(value), next).take(DEEPEST)
    }

    /// What is less than what where a value is known not to be 0.
    pub(crate) fn where_some(&self, value: Var) -> impl Iterator<Item = (Operand, Operand)> + '_ {
        let less = self.one_less.get(&value).into_iter().flatten();
        less.map(move |less| ((*less).into(), value.into()))
    }
}

#[derive(Clone, Copy)]
struct Look<'w> {
    editor: &'w FuncEditor<'w>,
    cfg: &'w Cfg,
    dominators: &'w Dominators,
    defs: &'w Defs,
}

impl Look<'_> {
    /// What a header's parameter is at most.
    fn bound(self, counters: &Counters, header: Block, param: Var, k: usize) -> Option<Operand> {
        let (again, first): (Vec<Handed>, Vec<Handed>) = self
            .handed(header, k)
            .into_iter()
            .partition(|(from, _)| self.dominators.dominates(header, *from));
        let ([_, ..], [(_, first)]) = (again.as_slice(), first.as_slice()) else { return None };
        let less = counters.one_less.get(&param).map_or(&[][..], Vec::as_slice);
        let falls = |(_, arg): &Handed| {
            arg.var().is_some_and(|next| less.contains(&next) && self.did_not_wrap(param, next))
        };
        if again.iter().all(falls) {
            return Some(first.clone());
        }
        let [(_, next)] = again.as_slice() else { return None };
        let limit = self.rises_below(header, param, next.var()?)?;
        (int_of(first) == Some(0)).then_some(limit)
    }

    /// What is handed to a block's parameter.
    fn handed(self, block: Block, k: usize) -> Vec<Handed> {
        let mut handed = Vec::new();
        for pred in self.cfg.preds(block) {
            let targets = self.editor.end(*pred).kind.targets().filter(|target| target.block == block);
            handed.extend(targets.map(|target| (*pred, target.args[k].clone())));
        }
        handed
    }

    /// Whether `next`, which is one less than `param`, did not wrap.
    fn did_not_wrap(self, param: Var, next: Var) -> bool {
        let Some(InstKind::Op { op, .. }) = self.defs.inst(&self.editor.func, &next.into()) else {
            return false;
        };
        **op == ops::SUB
            || self.on_way_to(next, |pred, block| some(self.editor, self.defs, pred, block) == Some(param))
    }

    /// What `param` is less than where it grows by 1, if that is known before the loop.
    fn rises_below(self, header: Block, param: Var, next: Var) -> Option<Operand> {
        let InstKind::Op { op, args } = self.defs.inst(&self.editor.func, &next.into())? else { return None };
        let adds = **op == ops::ADD || **op == ops::ADD_WRAPPING;
        if !adds || args[0].var() != Some(param) || int_of(&args[1]) != Some(1) {
            return None;
        }
        let mut limit = None;
        self.on_way_to(next, |pred, block| {
            let known = less(self.editor, self.defs, pred, block).filter(|(x, _)| x.var() == Some(param));
            limit = known.map(|(_, limit)| limit).filter(|limit| self.is_before(header, limit));
            limit.is_some()
        });
        limit
    }

    fn is_before(self, header: Block, value: &Operand) -> bool {
        let Some(var) = value.var() else { return true };
        let before = |block: Block| block != header && self.dominators.dominates(block, header);
        self.made_in(var).is_some_and(before)
    }

    fn made_in(self, value: Var) -> Option<Block> {
        self.defs.place(value).map(|place| match place {
            Place::Head => Block::ENTRY,
            Place::Block(block) | Place::Inst(block, _) | Place::Terminator(block) => block,
        })
    }

    /// Whether something is found on the only way into one of the blocks that dominate where a value is made.
    fn on_way_to(self, value: Var, mut found: impl FnMut(Block, Block) -> bool) -> bool {
        let mut at = self.made_in(value);
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

/// What is known not to be 0 where `block` is entered from `pred`, its only way in.
pub(crate) fn some(editor: &FuncEditor<'_>, defs: &Defs, pred: Block, block: Block) -> Option<Var> {
    let (op, [x, y], holds) = compared(editor, defs, pred, block)?;
    let differs = if holds { *op == ops::NE } else { *op == ops::EQ };
    if differs {
        return if int_of(y) == Some(0) { x.var() } else { y.var().filter(|_| int_of(x) == Some(0)) };
    }
    // Nothing is less than 0.
    let (_, more) = less(editor, defs, pred, block)?;
    more.var()
}
