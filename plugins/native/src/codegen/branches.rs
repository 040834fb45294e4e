//! Branches between two ways: what each way does of its own, and which one the code goes on with.
//!
//! - N1 Cranelift lays blocks out so that the way that is named last comes next, and what leads to the end of the function
//!   through the first one comes behind everything else.
//! - N2 within a loop, the way back is named first, so that what it moves into place stands between its branch and the
//!   jump; else the way that leaves the loop is, so that a round is laid out as it runs.
//! - N3 a way that leaves a loop from within gets a block of its own, if it may move something: else that would stand in
//!   the middle of the loop, and each round would jump over it.

use cranelift_codegen::ir::condcodes::{CondCode as _, IntCC};
use cranelift_codegen::ir::{self, BlockArg, InstBuilder, InstructionData, ValueDef};
use hashbrown::HashMap;
use overdub_context::analysis::{Cfg, LoopNest};
use overdub_context::ir::{Block, Func, Operand, Target, TerminatorKind, Var};

use super::analysis::last_use;
use super::func_cx::FuncCx;
use crate::abi::layout::Layout;

/// How the two ways of a branch in a loop are laid out, where it is not as they are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Ways {
    /// Whether the second way is named first (N2).
    swapped: bool,
    /// Whether the way that is named first gets a block of its own (N3).
    apart: bool,
}

/// The branches in loops that are not laid out as they are written, by the blocks that they end.
#[derive(Debug, Default)]
pub(super) struct Order(HashMap<Block, Ways>);

impl Order {
    pub(super) fn of(func: &Func, cfg: &Cfg, nest: &LoopNest) -> Order {
        let mut order = HashMap::new();
        for (block, body) in func.iter_blocks() {
            if let Some(TerminatorKind::BrIf { then, otherwise, .. }) =
                body.terminator.as_ref().map(|end| &end.kind)
            {
                let ways = ways(cfg, nest, block, then.block, otherwise.block);
                if ways != Ways::default() {
                    order.insert(block, ways);
                }
            }
        }
        Order(order)
    }
}

/// How a branch is laid out (N2, N3).
fn ways(cfg: &Cfg, nest: &LoopNest, from: Block, then: Block, otherwise: Block) -> Ways {
    let Some(id) = nest.innermost(from).filter(|_| then != otherwise) else { return Ways::default() };
    let goes_back = |to: Block| {
        let mut around = std::iter::successors(Some(id), |id| nest.get(*id).parent);
        around.any(|id| nest.get(id).header == to)
    };
    let [then_stays, otherwise_stays] = [then, otherwise].map(|to| nest.contains(id, to));
    if goes_back(then) || goes_back(otherwise) {
        return Ways { swapped: !goes_back(then), apart: false };
    }
    let swapped = then_stays && !otherwise_stays;
    let leaving = if swapped { otherwise } else { then };
    Ways { swapped, apart: then_stays != otherwise_stays && cfg.preds(leaving).len() > 1 }
}

/// Whether a way is taken by a block of its own.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Taken {
    /// Where it does something.
    AsNeeded,
    Apart,
}

impl FuncCx<'_> {
    /// Goes one of two ways.
    pub(super) fn branch(&mut self, cond: ir::Value, then: &Target, otherwise: &Target) {
        let ways = self.control.order.0.get(&self.control.at).copied().unwrap_or_default();
        let first_taken = if ways.apart { Taken::Apart } else { Taken::AsNeeded };
        let (cond, first, second) =
            if ways.swapped { (self.opposite(cond), otherwise, then) } else { (cond, then, otherwise) };
        let (first_block, first_args) = self.side_taken(first, first_taken);
        let (second_block, second_args) = self.side(second);
        self.b.ins().brif(cond, first_block, &first_args, second_block, &second_args);
        self.finish_sides([(first, first_block), (second, second_block)]);
    }

    /// What holds where `cond` does not: a comparison by the opposite one, which costs no more.
    fn opposite(&mut self, cond: ir::Value) -> ir::Value {
        let dfg = &self.b.func.dfg;
        let made = match dfg.value_def(cond) {
            ValueDef::Result(inst, 0) => Some(dfg.insts[inst]),
            _ => None,
        };
        match made {
            Some(InstructionData::IntCompare { cond, args: [x, y], .. }) => {
                self.b.ins().icmp(cond.complement(), x, y)
            }
            Some(InstructionData::FloatCompare { cond, args: [x, y], .. }) => {
                self.b.ins().fcmp(cond.complement(), x, y)
            }
            _ => self.b.ins().icmp_imm_u(IntCC::Equal, cond, 0),
        }
    }

    /// The arguments of a branch, with what it shares and gives up.
    pub(super) fn edge(&mut self, target: &Target) -> Vec<BlockArg> {
        if self.ownership.live_sets.are_uncounted() {
            return target.args.iter().flat_map(|arg| self.read(arg)).map(BlockArg::Value).collect();
        }
        let last = last_use::edge(target, &self.ownership.live_sets, |var| self.is_counted(var));
        let args = target.args.iter().zip(last);
        let args: Vec<BlockArg> =
            args.flat_map(|(arg, last)| self.take(arg, last)).map(BlockArg::Value).collect();
        for var in self.dead_on(target) {
            self.release_var(var);
        }
        args
    }

    /// What is owned here and nobody reads beyond a branch.
    fn dead_on(&self, target: &Target) -> Vec<Var> {
        let live = self.ownership.live_sets.live_in(target.block);
        self.ownership.owned.iter().copied().filter(|var| live.binary_search(var).is_err()).collect()
    }

    /// One way of a branch that decides: where it goes, by a block of its own if the way itself does something.
    pub(super) fn side(&mut self, target: &Target) -> (ir::Block, Vec<BlockArg>) {
        self.side_taken(target, Taken::AsNeeded)
    }

    fn side_taken(&mut self, target: &Target, taken: Taken) -> (ir::Block, Vec<BlockArg>) {
        let is_apart = taken == Taken::Apart && !target.args.is_empty() || self.leaves_merged(target.block);
        if is_apart || !(self.ownership.live_sets.are_uncounted() || self.is_empty_way(target)) {
            return (self.b.create_block(), Vec::new());
        }
        // What this way hands over, the other one still owns.
        let owned = self.ownership.owned.clone();
        let way = (self.way_to(target.block), self.edge(target));
        self.ownership.owned = owned;
        way
    }

    /// Whether a way does nothing but hand over what it has.
    fn is_empty_way(&self, target: &Target) -> bool {
        let last = last_use::edge(target, &self.ownership.live_sets, |var| self.is_counted(var));
        let is_handed = |(arg, last): (&Operand, bool)| match arg {
            Operand::Var(var) => !self.is_counted(*var) || last && !self.ownership.is_borrowed(*var),
            Operand::Const(constant) => !Layout::of(constant.value().ty()).is_counted(),
        };
        let goes_along = |var: &Var| target.args.iter().any(|arg| arg.var() == Some(*var));
        target.args.iter().zip(last).all(is_handed) && self.dead_on(target).iter().all(goes_along)
    }

    /// Fills the blocks that were made for ways of their own.
    pub(super) fn finish_sides<'t>(&mut self, sides: impl IntoIterator<Item = (&'t Target, ir::Block)>) {
        let owned = self.ownership.owned.clone();
        for (target, block) in sides {
            let to = self.way_to(target.block);
            if block != to {
                self.b.switch_to_block(block);
                self.leave_merged(target.block);
                let args = self.edge(target);
                self.b.ins().jump(to, &args);
                self.ownership.owned.clone_from(&owned);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use overdub_context::Symbol;
    use overdub_context::analysis::Dominators;
    use overdub_context::text;

    use super::*;

    fn order_of(text: &str) -> (Cfg, Order) {
        let module = text::parse(text).expect("it is well formed").module();
        let func = module.func(Symbol::new("f")).expect("nothing is loaded").expect("it is there");
        let cfg = Cfg::new(&func);
        let order = Order::of(&func, &cfg, &LoopNest::new(&cfg, &Dominators::new(&cfg)));
        (cfg, order)
    }

    /// Leaves from the middle of a round, or behind it.
    fn loop_with(asks: &str, goes_back: &str) -> String {
        format!(
            "fn @f(%n: usize, %m: usize) -> usize {{
  br ^loop(0_usize)
^loop(%i: usize):
  %a: bool = lt %i, %m
  {asks}
^round:
  %j: usize = add.wrapping %i, 1_usize
  %c: bool = lt %j, %n
  {goes_back}
^done(%k: usize):
  ret %k
}}"
        )
    }

    const LOOP: Block = Block(1);
    const ROUND: Block = Block(2);

    #[test]
    fn a_round_is_laid_out_as_it_runs_whichever_way_leaves_it() {
        let back = "br_if %c, ^loop(%j), ^done(%j)";
        let (cfg, order) = order_of(&loop_with("br_if %a, ^round, ^done(%i)", back));
        assert_eq!(cfg.succs(LOOP)[0], ROUND);
        assert_eq!(order.0.get(&LOOP), Some(&Ways { swapped: true, apart: true }));
        assert_eq!(order.0.get(&ROUND), None);
        let (_, order) = order_of(&loop_with("br_if %a, ^done(%i), ^round", back));
        assert_eq!(order.0.get(&LOOP), Some(&Ways { swapped: false, apart: true }));
    }

    #[test]
    fn the_way_back_is_named_first() {
        let asks = "br_if %a, ^done(%i), ^round";
        let (_, order) = order_of(&loop_with(asks, "br_if %c, ^done(%j), ^loop(%j)"));
        assert_eq!(order.0.get(&ROUND), Some(&Ways { swapped: true, apart: false }));
    }

    #[test]
    fn branches_outside_of_loops_stay_as_they_are_written() {
        let text = "fn @f(%a: bool) -> i64 {
  br_if %a, ^one, ^two
^one:
  ret 1
^two:
  ret 2
}";
        assert!(order_of(text).1.0.is_empty());
    }
}
