//! Normalises the control flow of a function so that it can be reversed.
//!
//! - NORM1 one block returns.
//! - NORM2 a loop has one entry edge and one back edge (as after LLVM's loop-simplify), and its exit blocks
//!   have no predecessors outside the loop.

use overdub_context::analysis::{Cfg, Dominators, LoopId, LoopNest};
use overdub_context::ir::{Block, BlockBody, Func, Operand, Target, Terminator, TerminatorKind, Var};

use crate::refusal::Cause;

/// An edge of the control flow graph: the target at this position of a block's terminator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Edge {
    pub(crate) from: Block,
    pub(crate) at: usize,
}

/// A function in normal form, with its analyses.
pub(crate) struct NormalizedCfg {
    pub(crate) func: Func,
    /// The block that returns.
    pub(crate) exit: Block,
    pub(crate) cfg: Cfg,
    pub(crate) dominators: Dominators,
    pub(crate) loops: LoopNest,
    /// The incoming edges of each block.
    pub(crate) incoming: Vec<Vec<Edge>>,
    /// Whether each block can lead to the exit.
    pub(crate) returns: Vec<bool>,
}

impl NormalizedCfg {
    pub(crate) fn of(func: &Func) -> Result<NormalizedCfg, Cause> {
        let mut func = func.clone();
        let exit = single_exit(&mut func).ok_or(Cause::NeverReturns)?;
        single_entry_and_latch(&mut func)?;
        separate_exits(&mut func)?;
        Ok(NormalizedCfg::analysed(func, exit))
    }

    fn analysed(func: Func, exit: Block) -> NormalizedCfg {
        let cfg = Cfg::new(&func);
        let dominators = Dominators::new(&cfg);
        let loops = LoopNest::new(&cfg, &dominators);
        let returns = leading_to(&cfg, exit);
        let incoming = incoming(&func);
        NormalizedCfg { func, exit, cfg, dominators, loops, incoming, returns }
    }

    /// The loops that contain `block`, the innermost first.
    pub(crate) fn loops_of(&self, block: Block) -> Vec<LoopId> {
        let mut loops = Vec::new();
        let mut next = self.loops.innermost(block);
        while let Some(inner) = next {
            loops.push(inner);
            next = self.loops.get(inner).parent;
        }
        loops
    }

    /// Whether a loop contains both blocks.
    pub(crate) fn share_loop(&self, a: Block, b: Block) -> bool {
        self.loops_of(a).iter().any(|id| self.loops.contains(*id, b))
    }

    /// The target of an edge.
    pub(crate) fn target(&self, slot: Edge) -> &Target {
        target(&self.func, slot)
    }
}

pub(crate) fn target(func: &Func, slot: Edge) -> &Target {
    func.terminator(slot.from).kind.targets().nth(slot.at).expect("a slot is a target of its terminator")
}

fn target_mut(func: &mut Func, slot: Edge) -> &mut Target {
    func.terminator_mut(slot.from)
        .kind
        .targets_mut()
        .nth(slot.at)
        .expect("a slot is a target of its terminator")
}

/// The incoming edges of each block.
pub(crate) fn incoming(func: &Func) -> Vec<Vec<Edge>> {
    let mut incoming = vec![Vec::new(); func.blocks.len()];
    for (from, body) in func.iter_blocks() {
        for (at, target) in body.terminator.iter().flat_map(|end| end.kind.targets()).enumerate() {
            incoming[target.block.index()].push(Edge { from, at });
        }
    }
    incoming
}

/// A new block with these parameters that branches to `target`, inserted on that edge.
fn block_before(func: &mut Func, params: Vec<Var>, target: Target) -> Block {
    let span = func.block(target.block).terminator.as_ref().map_or(func.span, |end| end.span);
    let block = func.new_block(params);
    func.block_mut(block).terminator = Some(Terminator { kind: TerminatorKind::Br(target), span });
    block
}

/// Redirects `edges`, which lead to `block`, through one new block. An argument that all of them pass does
/// not become a parameter of the new block, so that a counter's next value stays recognisable.
fn merge(func: &mut Func, block: Block, slots: &[Edge]) {
    let params = func.block(block).params.clone();
    let (mut new_params, mut forwarded, mut differs) = (Vec::new(), Vec::new(), Vec::new());
    for (k, param) in params.into_iter().enumerate() {
        let mut args = slots.iter().map(|slot| &target(func, *slot).args[k]);
        let first = args.next().cloned();
        let same = first.filter(|first| args.all(|arg| arg == first));
        differs.push(same.is_none());
        forwarded.push(same.unwrap_or_else(|| {
            let ty = func.ty(param);
            new_params.push(func.new_var(ty));
            Operand::Var(new_params[new_params.len() - 1])
        }));
    }
    let merged = block_before(func, new_params, Target::new(block, forwarded));
    for slot in slots {
        let target = target_mut(func, *slot);
        target.block = merged;
        let mut differs = differs.iter();
        target
            .args
            .retain(|_| *differs.next().expect("V6: a branch hands over as many as there are parameters"));
    }
}

/// Establishes NORM1. `None` if no block returns.
fn single_exit(func: &mut Func) -> Option<Block> {
    let returned = |body: &BlockBody| match &body.terminator.as_ref()?.kind {
        TerminatorKind::Ret(value) => Some(value.clone()),
        _ => None,
    };
    let exits: Vec<(Block, Operand)> =
        func.iter_blocks().filter_map(|(block, body)| Some((block, returned(body)?))).collect();
    if let [] | [_] = exits.as_slice() {
        return exits.first().map(|(block, _)| *block);
    }
    let result = func.new_var(func.ret);
    let exit = func.new_block(vec![result]);
    let kind = TerminatorKind::Ret(result.into());
    func.block_mut(exit).terminator = Some(Terminator { kind, span: func.span });
    for (block, value) in exits {
        func.terminator_mut(block).kind = TerminatorKind::Br(Target::new(exit, [value]));
    }
    Some(exit)
}

/// Establishes the first half of NORM2: one entry edge and one back edge for each loop.
fn single_entry_and_latch(func: &mut Func) -> Result<(), Cause> {
    let cfg = Cfg::new(func);
    let loops = LoopNest::new(&cfg, &Dominators::new(&cfg));
    if !loops.irreducible().is_empty() {
        return Err(Cause::Irreducible);
    }
    let incoming_edges = incoming(func);
    for (id, each) in loops.iter() {
        let (latches, entries): (Vec<Edge>, Vec<Edge>) =
            incoming_edges[each.header.index()].iter().partition(|slot| loops.contains(id, slot.from));
        for slots in [entries, latches] {
            if slots.len() > 1 {
                merge(func, each.header, &slots);
            }
        }
    }
    Ok(())
}

/// Establishes the second half of NORM2: exit blocks of their own for each loop.
fn separate_exits(func: &mut Func) -> Result<(), Cause> {
    let cfg = Cfg::new(func);
    let loops = LoopNest::new(&cfg, &Dominators::new(&cfg));
    let incoming_edges = incoming(func);
    for (block, edges) in (0..).map(Block).zip(incoming_edges) {
        if edges.len() < 2 {
            continue;
        }
        for slot in edges {
            let left = loops.innermost(slot.from).is_some_and(|id| !loops.contains(id, block));
            if left {
                let forwarded = target(func, slot).clone();
                let exit = block_before(func, Vec::new(), forwarded);
                *target_mut(func, slot) = exit.into();
            }
        }
    }
    Ok(())
}

fn leading_to(cfg: &Cfg, exit: Block) -> Vec<bool> {
    let mut leads = vec![false; cfg.len()];
    let mut pending = vec![exit];
    while let Some(block) = pending.pop() {
        if !std::mem::replace(&mut leads[block.index()], true) {
            pending.extend(cfg.preds(block));
        }
    }
    leads
}
