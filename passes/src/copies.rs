//! Blocks that are there more than once, and what they define where their ways meet again.

use hashbrown::HashMap;
use overdub_context::ir::{Block, Inst, Operand, Var};

use crate::work::{Reach, Work, for_each_operand, for_each_use};

/// What stands for a variable where a block ends that defines it or a copy of it.
pub(crate) type Ends = HashMap<Var, HashMap<Block, Operand>>;

/// Notes that a block defines its variables itself.
pub(crate) fn defines(work: &Work<'_>, block: Block, ends: &mut Ends) {
    let body = work.func.block(block);
    for &var in body.params.iter().chain(body.insts.iter().map(|inst| &inst.result)) {
        ends.entry(var).or_default().insert(block, var.into());
    }
}

/// Fills the block `copy` with what `block` does where `args` are handed to it, but for its terminator; what stands there
/// for what `block` defines. It is noted in `ends`, too.
pub(crate) fn copy_insts(
    work: &mut Work<'_>,
    block: Block,
    args: Vec<Operand>,
    copy: Block,
    ends: &mut Ends,
) -> HashMap<Var, Operand> {
    let body = work.func.block(block).clone();
    let mut here: HashMap<Var, Operand> = body.params.iter().copied().zip(args).collect();
    for inst in &body.insts {
        let mut kind = inst.kind.clone();
        kind.operands_mut().for_each(|operand| put(&here, operand));
        let result = work.new_var_like(work.func.vars[inst.result.index()]);
        if let Some(from) = work.inlined_from.get(&inst.result).cloned() {
            work.inlined_from.insert(result, from);
        }
        here.insert(inst.result, result.into());
        work.body(copy).insts.push(Inst { result, kind, span: inst.span });
    }
    for (&var, value) in &here {
        ends.entry(var).or_default().insert(copy, value.clone());
    }
    here
}

/// Puts what stands for a variable in its place.
pub(crate) fn put(here: &HashMap<Var, Operand>, operand: &mut Operand) {
    if let Some(new) = operand.var().and_then(|var| here.get(&var)) {
        *operand = new.clone();
    }
}

/// Lets other blocks use what blocks and their copies define.
pub(crate) fn meet_again(work: &mut Work<'_>, ends: &Ends) {
    let shape = work.shape();
    let mut has_ends = vec![false; work.func.vars.len()];
    ends.keys().for_each(|var| has_ends[var.index()] = true);
    let mut used: Vec<(Var, Block)> = Vec::new();
    for (block, body) in work.func.iter_blocks().filter(|(block, _)| shape.cfg.is_reachable(*block)) {
        for_each_use(body, |var| {
            if has_ends[var.index()] && !ends[&var].contains_key(&block) {
                used.push((var, block));
            }
        });
    }
    used.sort_unstable();
    used.dedup();
    let mut stands: HashMap<(Block, Var), Operand> = HashMap::new();
    for uses in used.chunk_by(|(var, _), (other, _)| var == other) {
        let var = uses[0].0;
        let mut reach = Reach::new(&shape.cfg, work.func.ty(var), ends[&var].clone());
        for &(_, block) in uses {
            stands.insert((block, var), reach.at_start(work, block));
        }
        reach.finish(work);
    }
    let mut blocks: Vec<Block> = used.iter().map(|(_, block)| *block).collect();
    blocks.sort_unstable();
    blocks.dedup();
    for block in blocks {
        for_each_operand(work.body(block), |operand| {
            if let Some(new) = operand.var().and_then(|var| stands.get(&(block, var))) {
                *operand = new.clone();
            }
        });
    }
}
