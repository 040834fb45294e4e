//! What each instruction of a block uses for the last time, of what is counted.

use hashbrown::HashSet;
use overdub_context::analysis::{Cfg, Dominators, Liveness, LoopNest};
use overdub_context::ir::{Block, BlockBody, Callee, Func, InstKind, Operand, Target, TerminatorKind, Var};
use overdub_context::value::Value;
use smallvec::SmallVec;

/// What one instruction does to what is alive.
#[derive(Debug, Default)]
pub(super) struct Uses {
    /// For each operand in [`operands`], whether it is its variable's last use.
    pub(super) last: SmallVec<[bool; 4]>,
    /// Whether nobody reads the result.
    pub(super) is_dead: bool,
}

/// What the instructions of a block do to what is alive.
#[derive(Debug)]
pub(super) struct BlockPlan {
    pub(super) insts: Vec<Uses>,
    /// Whether what the terminator decides by is used for the last time.
    pub(super) ends: bool,
    /// What is alive where the block begins, its own parameters among it.
    pub(super) alive: HashSet<Var>,
}

/// The operands in the order in which they are read: a callee's value is the last.
pub(super) fn operands(kind: &InstKind) -> SmallVec<[&Operand; 4]> {
    match kind {
        InstKind::Const(_) => SmallVec::new(),
        InstKind::Op { args, .. } => args.iter().collect(),
        InstKind::Call { callee, args } | InstKind::Overdub { callee, args } => {
            let value = match callee {
                Callee::Func(_) => None,
                Callee::Value(value) => Some(value),
            };
            args.iter().chain(value).collect()
        }
    }
}

/// Walks the block backwards, since a use is the last one if nothing after it uses the variable.
pub(super) fn plan(body: &BlockBody, block: Block, liveness: &Liveness) -> BlockPlan {
    let mut live: HashSet<Var> = liveness.live_out(block).iter().copied().collect();
    let mut ends = false;
    if let Some(end) = &body.terminator {
        // What the block arguments read is alive before the terminator decides.
        live.extend(end.kind.targets().flat_map(|target| &target.args).filter_map(Operand::var));
        ends = end.kind.operand().and_then(Operand::var).is_some_and(|var| live.insert(var));
    }
    let mut insts: Vec<Uses> = body
        .insts
        .iter()
        .rev()
        .map(|inst| {
            let is_dead = !live.remove(&inst.result);
            let operands = operands(&inst.kind);
            let mut last: SmallVec<[bool; 4]> = operands
                .iter()
                .rev()
                .map(|operand| operand.var().is_some_and(|var| live.insert(var)))
                .collect();
            last.reverse();
            Uses { last, is_dead }
        })
        .collect();
    insts.reverse();
    BlockPlan { insts, ends, alive: live }
}

/// Which arguments of a branch hand their variable over.
pub(super) fn edge(target: &Target, liveness: &Liveness) -> SmallVec<[bool; 4]> {
    let mut live: HashSet<Var> = liveness.live_in(target.block).iter().copied().collect();
    let mut last: SmallVec<[bool; 4]> =
        target.args.iter().rev().map(|operand| operand.var().is_some_and(|var| live.insert(var))).collect();
    last.reverse();
    last
}

/// Operations that only look at a vector.
fn only_looks(kind: &InstKind) -> bool {
    matches!(kind, InstKind::Op { op, .. } if matches!(op.name, "get" | "get.unchecked" | "len"))
}

/// Variables that more than one reader may get to own: whether their buffers have other owners changes.
pub(super) fn shared(func: &Func) -> HashSet<Var> {
    let mut uses: Vec<(u32, bool)> = vec![(0, false); func.vars.len()];
    let mut used = |operand: &Operand, owns: bool| {
        if let Some(var) = operand.var() {
            let (count, owned) = &mut uses[var.index()];
            *count += 1;
            *owned |= owns;
        }
    };
    for body in &func.blocks {
        for inst in &body.insts {
            let owns = !only_looks(&inst.kind);
            inst.kind.operands().for_each(|operand| used(operand, owns));
        }
        if let Some(end) = &body.terminator {
            let args = end.kind.targets().flat_map(|target| &target.args);
            args.for_each(|operand| used(operand, true));
            if let TerminatorKind::Ret(value) = &end.kind {
                used(value, true);
            }
        }
    }
    (0..).map(Var).zip(uses).filter(|(_, (count, owned))| *count > 1 && *owned).map(|(var, _)| var).collect()
}

/// So many floats at most are kept in registers beside a loop.
const MAX_FLOATS: usize = 12;

/// The floats that the loops of a function use, each once: they are read before the loops, where each would be read in
/// every round.
pub(super) fn floats_in_loops(func: &Func, cfg: &Cfg) -> Vec<f64> {
    let nest = LoopNest::new(cfg, &Dominators::new(cfg));
    let mut found: Vec<f64> = Vec::new();
    let blocks = func.iter_blocks().filter(|(block, _)| nest.depth(*block) > 0);
    let operands = blocks.flat_map(|(_, body)| {
        let insts = body.insts.iter().flat_map(|inst| inst.kind.operands());
        insts.chain(body.terminator.iter().flat_map(|end| end.kind.operands()))
    });
    for constant in operands.filter_map(Operand::constant) {
        if let Value::F64(x) = constant.value()
            && !found.iter().any(|known| known.to_bits() == x.to_bits())
            && found.len() < MAX_FLOATS
        {
            found.push(*x);
        }
    }
    found
}
