//! Two-way branches: the code on each edge, and the order of the targets, which determines the block layout.
//!
//! - BRANCH1 Cranelift lays out blocks such that the target named last comes next, and code that leads from the first
//!   target to the end of the function comes last.
//! - BRANCH2 in a loop, a back edge is named first, so that the moves for its block parameters are between the branch
//!   and the jump; otherwise the exit edge is, so that an iteration is laid out in execution order.
//! - BRANCH3 an exit edge from the middle of a loop is split if it may need moves: they would otherwise be in the
//!   middle of the loop, and each iteration would jump over them.

use cranelift_codegen::ir::condcodes::{CondCode as _, IntCC};
use cranelift_codegen::ir::{self, BlockArg, InstBuilder, InstructionData, ValueDef};
use hashbrown::HashMap;
use overdub_context::analysis::{Cfg, LoopNest};
use overdub_context::ir::{Block, Func, Operand, Target, TerminatorKind, Var};

use super::analysis::last_use;
use super::func_cx::FuncCx;
use crate::abi::layout::Layout;

/// The layout of a branch in a loop, if it differs from the order as written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct BranchLayout {
    /// Whether the second target is named first (BRANCH2).
    swapped: bool,
    /// Whether the edge to the target named first is split (BRANCH3).
    split: bool,
}

/// The branches in loops that are not laid out as written, by block.
#[derive(Debug, Default)]
pub(super) struct BranchLayouts(HashMap<Block, BranchLayout>);

impl BranchLayouts {
    pub(super) fn of(func: &Func, cfg: &Cfg, nest: &LoopNest) -> BranchLayouts {
        let mut order = HashMap::new();
        for (block, body) in func.iter_blocks() {
            if let Some(TerminatorKind::BrIf { then, otherwise, .. }) =
                body.terminator.as_ref().map(|end| &end.kind)
            {
                let layout_of = layout_of(cfg, nest, block, then.block, otherwise.block);
                if layout_of != BranchLayout::default() {
                    order.insert(block, layout_of);
                }
            }
        }
        BranchLayouts(order)
    }
}

/// The layout of a branch (BRANCH2, BRANCH3).
fn layout_of(cfg: &Cfg, nest: &LoopNest, from: Block, then: Block, otherwise: Block) -> BranchLayout {
    let Some(id) = nest.innermost(from).filter(|_| then != otherwise) else { return BranchLayout::default() };
    let is_back_edge = |to: Block| {
        let mut loops = std::iter::successors(Some(id), |id| nest.get(*id).parent);
        loops.any(|id| nest.get(id).header == to)
    };
    let [then_in_loop, otherwise_in_loop] = [then, otherwise].map(|to| nest.contains(id, to));
    if is_back_edge(then) || is_back_edge(otherwise) {
        return BranchLayout { swapped: !is_back_edge(then), split: false };
    }
    let swapped = then_in_loop && !otherwise_in_loop;
    let leaving = if swapped { otherwise } else { then };
    BranchLayout { swapped, split: then_in_loop != otherwise_in_loop && cfg.preds(leaving).len() > 1 }
}

/// Whether an edge is split.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Split {
    /// Only if code is emitted on it.
    AsNeeded,
    Always,
}

impl FuncCx<'_> {
    /// Lowers a two-way branch.
    pub(super) fn branch(&mut self, cond: ir::Value, then: &Target, otherwise: &Target) {
        let layout_of = self.control.order.0.get(&self.control.at).copied().unwrap_or_default();
        let first_split = if layout_of.split { Split::Always } else { Split::AsNeeded };
        let (cond, first, second) =
            if layout_of.swapped { (self.opposite(cond), otherwise, then) } else { (cond, then, otherwise) };
        let (first_block, first_args) = self.side_split(first, first_split);
        let (second_block, second_args) = self.side(second);
        self.b.ins().brif(cond, first_block, &first_args, second_block, &second_args);
        self.emit_split_edges([(first, first_block), (second, second_block)]);
    }

    /// The negation of a condition: for a comparison the complementary one, which costs no more.
    fn opposite(&mut self, cond: ir::Value) -> ir::Value {
        let dfg = &self.b.func.dfg;
        let comparison = match dfg.value_def(cond) {
            ValueDef::Result(inst, 0) => Some(dfg.insts[inst]),
            _ => None,
        };
        match comparison {
            Some(InstructionData::IntCompare { cond, args: [x, y], .. }) => {
                self.b.ins().icmp(cond.complement(), x, y)
            }
            Some(InstructionData::FloatCompare { cond, args: [x, y], .. }) => {
                self.b.ins().fcmp(cond.complement(), x, y)
            }
            _ => self.b.ins().icmp_imm_u(IntCC::Equal, cond, 0),
        }
    }

    /// The arguments of a branch, with the counts that the edge adds and releases.
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

    /// The owned variables that are dead on an edge.
    fn dead_on(&self, target: &Target) -> Vec<Var> {
        let live = self.ownership.live_sets.live_in(target.block);
        self.ownership.owned.iter().copied().filter(|var| live.binary_search(var).is_err()).collect()
    }

    /// The target of an edge: the block itself, or a block of its own if code is emitted on the edge.
    pub(super) fn side(&mut self, target: &Target) -> (ir::Block, Vec<BlockArg>) {
        self.side_split(target, Split::AsNeeded)
    }

    fn side_split(&mut self, target: &Target, split: Split) -> (ir::Block, Vec<BlockArg>) {
        let is_split = split == Split::Always && !target.args.is_empty() || self.leaves_merged(target.block);
        if is_split || !(self.ownership.live_sets.are_uncounted() || self.needs_no_code(target)) {
            return (self.b.create_block(), Vec::new());
        }
        // The counts that this edge hands over are still owned on the other edge.
        let owned = self.ownership.owned.clone();
        let edge = (self.target_block(target.block), self.edge(target));
        self.ownership.owned = owned;
        edge
    }

    /// Whether an edge needs no code: it hands its arguments over, and releases nothing.
    fn needs_no_code(&self, target: &Target) -> bool {
        let last = last_use::edge(target, &self.ownership.live_sets, |var| self.is_counted(var));
        let is_moved = |(arg, last): (&Operand, bool)| match arg {
            Operand::Var(var) => !self.is_counted(*var) || last && !self.ownership.is_borrowed(*var),
            Operand::Const(constant) => !Layout::of(constant.value().ty()).is_counted(),
        };
        let is_passed = |var: &Var| target.args.iter().any(|arg| arg.var() == Some(*var));
        target.args.iter().zip(last).all(is_moved) && self.dead_on(target).iter().all(is_passed)
    }

    /// Emits the blocks of split edges.
    pub(super) fn emit_split_edges<'t>(&mut self, sides: impl IntoIterator<Item = (&'t Target, ir::Block)>) {
        let owned = self.ownership.owned.clone();
        for (target, block) in sides {
            let to = self.target_block(target.block);
            if block != to {
                self.b.switch_to_block(block);
                self.store_fuel_on_exit(target.block);
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

    fn order_of(text: &str) -> (Cfg, BranchLayouts) {
        let module = text::parse(text).expect("it is well formed").module();
        let func = module.func(Symbol::new("f")).expect("nothing is loaded").expect("it is there");
        let cfg = Cfg::new(&func);
        let order = BranchLayouts::of(&func, &cfg, &LoopNest::new(&cfg, &Dominators::new(&cfg)));
        (cfg, order)
    }

    /// A loop with an exit from its middle, and one at its end.
    fn loop_with(test: &str, latch: &str) -> String {
        format!(
            "fn @f(%n: usize, %m: usize) -> usize {{
  br ^loop(0_usize)
^loop(%i: usize):
  %a: bool = lt %i, %m
  {test}
^round:
  %j: usize = add.wrapping %i, 1_usize
  %c: bool = lt %j, %n
  {latch}
^done(%k: usize):
  ret %k
}}"
        )
    }

    const LOOP: Block = Block(1);
    const LATCH: Block = Block(2);

    #[test]
    fn a_round_is_laid_out_as_it_runs_whichever_way_leaves_it() {
        let latch = "br_if %c, ^loop(%j), ^done(%j)";
        let (cfg, order) = order_of(&loop_with("br_if %a, ^round, ^done(%i)", latch));
        assert_eq!(cfg.succs(LOOP)[0], LATCH);
        assert_eq!(order.0.get(&LOOP), Some(&BranchLayout { swapped: true, split: true }));
        assert_eq!(order.0.get(&LATCH), None);
        let (_, order) = order_of(&loop_with("br_if %a, ^done(%i), ^round", latch));
        assert_eq!(order.0.get(&LOOP), Some(&BranchLayout { swapped: false, split: true }));
    }

    #[test]
    fn the_way_back_is_named_first() {
        let test = "br_if %a, ^done(%i), ^round";
        let (_, order) = order_of(&loop_with(test, "br_if %c, ^done(%j), ^loop(%j)"));
        assert_eq!(order.0.get(&LATCH), Some(&BranchLayout { swapped: true, split: false }));
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
