//! Uniquely owned, non-null stacks: push and pop need not check the count.
//!
//! - UNIQ1 such a stack is the result of `stack.new`, of a push or of a pop, which have one owner (RECORDS2), or a
//!   block parameter all of whose arguments are such stacks.
//! - UNIQ2 every use that takes the stack is its last use: no other count is created.

use std::sync::Arc;

use hashbrown::HashSet;
use overdub_context::analysis::Cfg;
use overdub_context::ir::{Block, Func, Inst, InstKind, Operand, Var};
use overdub_context::ops;

use crate::abi::layout::{Layout, LayoutKind};
use crate::codegen::analysis::last_use::{self, BlockUses, LiveMarks};
use crate::codegen::state::Ownership;

/// The uniquely owned stacks.
pub(in crate::codegen) fn unique_stacks(
    func: &Func,
    layouts: &[Arc<Layout>],
    ownership: &Ownership,
    cfg: &Cfg,
) -> HashSet<Var> {
    let mut search = UniqueStacks {
        func,
        layouts,
        ownership,
        unique: HashSet::new(),
        shared: Vec::new(),
        stack_params: Vec::new(),
        popped: Vec::new(),
    };
    if !layouts.iter().any(|layout| matches!(layout.shape, LayoutKind::Tape(_))) {
        return search.unique;
    }
    let mut live = LiveMarks::of(func);
    for &block in cfg.reverse_postorder() {
        let body = func.block(block);
        let plan = last_use::block_uses(body, block, &ownership.live_sets, &mut live);
        search.block(block, &plan);
    }
    let UniqueStacks { mut unique, shared, stack_params, .. } = search;
    unique.retain(|var| !ownership.is_borrowed(*var));
    shared.iter().for_each(|var| _ = unique.remove(var));
    let mut changed = true;
    while changed {
        changed = false;
        for (param, arg) in &stack_params {
            if !arg.var().is_some_and(|var| unique.contains(&var)) {
                changed |= unique.remove(param);
            }
        }
    }
    unique
}

struct UniqueStacks<'f> {
    func: &'f Func,
    layouts: &'f [Arc<Layout>],
    ownership: &'f Ownership,
    unique: HashSet<Var>,
    /// Variables that are taken before their last use.
    shared: Vec<Var>,
    /// Block parameters that are stacks, with their arguments.
    stack_params: Vec<(Var, Operand)>,
    /// Results of pops: an element and the stack.
    popped: Vec<Var>,
}

impl UniqueStacks<'_> {
    fn is_stack(&self, var: Var) -> bool {
        matches!(self.layouts[var.index()].shape, LayoutKind::Tape(_))
    }

    fn block(&mut self, block: Block, plan: &BlockUses) {
        let body = self.func.block(block);
        // The stacks that a function takes as parameters may have other owners.
        if block != Block::ENTRY {
            let params = body.params.iter().copied().filter(|param| self.is_stack(*param));
            self.unique.extend(params.collect::<Vec<_>>());
        }
        for (inst, uses) in body.insts.iter().zip(&plan.insts) {
            let last = uses.last.first().copied().unwrap_or(false);
            if self.returns_unique(inst, last) {
                self.unique.insert(inst.result);
            }
            if let InstKind::Op { op, .. } = &inst.kind
                && [&ops::STACK_PEEK, &ops::STACK_LEN].contains(op)
            {
                continue;
            }
            for (operand, last) in last_use::operands(&inst.kind).into_iter().zip(&uses.last) {
                self.shared.extend(operand.var().filter(|_| !last));
            }
        }
        for target in body.terminator.iter().flat_map(|end| end.kind.targets()) {
            let counted = |var: Var| self.layouts[var.index()].is_counted();
            let last = last_use::edge(target, &self.ownership.live_sets, counted);
            let params = &self.func.block(target.block).params;
            for ((arg, last), param) in target.args.iter().zip(last).zip(params) {
                self.shared.extend(arg.var().filter(|_| !last));
                if self.is_stack(*param) {
                    self.stack_params.push((*param, arg.clone()));
                }
            }
        }
    }

    /// Whether an instruction returns a unique stack (UNIQ1); `last` tells whether it uses its first operand
    /// for the last time.
    fn returns_unique(&mut self, inst: &Inst, last: bool) -> bool {
        let InstKind::Op { op, args } = &inst.kind else { return false };
        if **op == ops::STACK_POP && args[0].var().is_some_and(|var| self.is_stack(var)) {
            self.popped.push(inst.result);
        }
        if **op == ops::FIELD && self.is_stack(inst.result) {
            let moves = |var: Var| last || self.ownership.split.contains(&var);
            return args[0].var().is_some_and(|var| self.popped.contains(&var) && moves(var));
        }
        (**op == ops::STACK_NEW || **op == ops::STACK_PUSH) && self.is_stack(inst.result)
    }
}
