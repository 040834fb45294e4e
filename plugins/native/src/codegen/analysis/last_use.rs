//! Last uses of counted variables, by a backward walk over each block.

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use overdub_context::analysis::{Dominators, Liveness, LoopId, LoopNest};
use overdub_context::ir::{
    Block, BlockBody, Callee, Func, InstKind, Operand, Target, TerminatorKind, Ty, Var,
};
use overdub_context::ops::{self, OpDef};
use smallvec::SmallVec;

use crate::abi::layout::{Component, Layout, LayoutKind};
use crate::codegen::analysis::borrow;
use crate::codegen::constant_pool::{MemoryOperands, memory_operand};
use crate::codegen::lower::floats::{REST, SIGN};

/// The uses of one instruction.
#[derive(Debug, Default)]
pub(in crate::codegen) struct Uses {
    /// For each operand in [`operands`], whether this is the last use of its variable.
    pub(in crate::codegen) last: SmallVec<[bool; 4]>,
    /// Whether the result is dead.
    pub(in crate::codegen) is_dead: bool,
}

/// The uses in a block.
#[derive(Debug)]
pub(in crate::codegen) struct BlockUses {
    pub(in crate::codegen) insts: Vec<Uses>,
    /// Whether the terminator uses its operand for the last time.
    pub(in crate::codegen) ends: bool,
    /// The block's parameters that are dead.
    pub(in crate::codegen) dead_params: Vec<Var>,
}

/// Liveness at block boundaries, computed only for functions with counted variables.
#[derive(Debug)]
pub(in crate::codegen) struct LiveSets(Option<Liveness>);

impl LiveSets {
    pub(in crate::codegen) fn of(func: &Func, layouts: &[Arc<Layout>]) -> LiveSets {
        LiveSets(layouts.iter().any(|layout| layout.is_counted()).then(|| Liveness::new(func)))
    }

    /// Whether no variable is counted.
    pub(in crate::codegen) fn are_uncounted(&self) -> bool {
        self.0.is_none()
    }

    /// The borrowed variables.
    pub(in crate::codegen) fn borrowed(&self, func: &Func, layouts: &[Arc<Layout>]) -> HashSet<Var> {
        self.0.as_ref().map_or_else(HashSet::new, |liveness| borrow::borrowed(func, layouts, liveness))
    }

    /// The variables that are live into a block; empty if liveness is not computed.
    pub(in crate::codegen) fn live_in(&self, block: Block) -> &[Var] {
        self.0.as_ref().map_or(&[], |liveness| liveness.live_in(block))
    }
}

/// The variables that are live at a position, as a sparse set: marks of earlier walks need not be cleared.
#[derive(Debug)]
pub(in crate::codegen) struct LiveMarks {
    marks: Vec<u32>,
    walk: u32,
}

impl LiveMarks {
    pub(in crate::codegen) fn of(func: &Func) -> LiveMarks {
        LiveMarks { marks: vec![0; func.vars.len()], walk: 0 }
    }

    fn begin(&mut self, live: &[Var]) {
        self.walk += 1;
        live.iter().for_each(|var| self.marks[var.index()] = self.walk);
    }

    /// Inserts a variable; returns whether it was absent.
    fn insert(&mut self, var: Var) -> bool {
        std::mem::replace(&mut self.marks[var.index()], self.walk) != self.walk
    }

    /// Removes a variable; returns whether it was present.
    fn remove(&mut self, var: Var) -> bool {
        std::mem::replace(&mut self.marks[var.index()], 0) == self.walk
    }
}

/// The operands in the order in which they are read: the callee's value comes last.
pub(in crate::codegen) fn operands(kind: &InstKind) -> SmallVec<[&Operand; 4]> {
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

/// Walks the block backwards: a use is the last one if no later instruction uses the variable.
pub(in crate::codegen) fn block_uses(
    body: &BlockBody,
    block: Block,
    live_sets: &LiveSets,
    live: &mut LiveMarks,
) -> BlockUses {
    let Some(liveness) = &live_sets.0 else { return nothing_ends(body) };
    live.begin(liveness.live_out(block));
    let mut ends = false;
    if let Some(end) = &body.terminator {
        // The arguments of a branch are live before the terminator's operand is read.
        let branch_args = end.kind.targets().flat_map(|target| &target.args).filter_map(Operand::var);
        branch_args.for_each(|var| _ = live.insert(var));
        ends = end.kind.operand().and_then(Operand::var).is_some_and(|var| live.insert(var));
    }
    let mut insts: Vec<Uses> = body
        .insts
        .iter()
        .rev()
        .map(|inst| {
            let is_dead = !live.remove(inst.result);
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
    let dead_params = body.params.iter().copied().filter(|param| !live.remove(*param)).collect();
    BlockUses { insts, ends, dead_params }
}

/// The uses of a block without counted variables, where last uses do not matter.
fn nothing_ends(body: &BlockBody) -> BlockUses {
    let uses = |count| Uses { last: SmallVec::from_elem(false, count), is_dead: false };
    let insts = body.insts.iter().map(|inst| uses(inst.kind.operands().count())).collect();
    BlockUses { insts, ends: false, dead_params: Vec::new() }
}

/// Which arguments of a branch take over their variable's counts.
pub(in crate::codegen) fn edge(
    target: &Target,
    live_sets: &LiveSets,
    counts: impl Fn(Var) -> bool,
) -> SmallVec<[bool; 4]> {
    let live = live_sets.live_in(target.block);
    let args = target.args.iter().enumerate();
    args.map(|(k, arg)| {
        arg.var().is_some_and(|var| {
            counts(var) && live.binary_search(&var).is_err() && !target.args[k + 1..].contains(arg)
        })
    })
    .collect()
}

/// Whether an instruction only reads its operands.
fn only_reads(kind: &InstKind) -> bool {
    const READS: &[&OpDef] = &[&ops::GET, &ops::GET_UNCHECKED, &ops::LEN];
    matches!(kind, InstKind::Op { op, .. } if READS.contains(op))
}

/// Variables with several uses, at least one of which may take a count, so that their uniqueness flag
/// changes. Empty if no variable has a flag.
pub(in crate::codegen) fn shared(func: &Func, layouts: &[Arc<Layout>]) -> HashSet<Var> {
    if !layouts.iter().any(|layout| layout.components.contains(&Component::Unique)) {
        return HashSet::new();
    }
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
            let owns = !only_reads(&inst.kind);
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

/// Variables that are only taken apart, each field once and in the defining block: their fields are moved, not
/// shared.
pub(in crate::codegen) fn split(func: &Func, layouts: &[Arc<Layout>]) -> HashSet<Var> {
    let mut parts: HashMap<Var, (Block, SmallVec<[usize; 4]>)> = HashMap::new();
    for (block, body) in func.iter_blocks() {
        for inst in &body.insts {
            // Unreachable code may have no layouts.
            let Some(layout) = layouts.get(inst.result.index()) else { continue };
            if matches!(layout.shape, LayoutKind::Aggregate(..)) && layout.is_counted() {
                parts.insert(inst.result, (block, SmallVec::new()));
            }
        }
    }
    if parts.is_empty() {
        return HashSet::new();
    }
    for (block, body) in func.iter_blocks() {
        for inst in &body.insts {
            let part = part_of(&inst.kind);
            for var in inst.kind.operands().filter_map(Operand::var) {
                let Some((def_block, moved_parts)) = parts.get_mut(&var) else { continue };
                match part {
                    Some(part) if *def_block == block && !moved_parts.contains(&part) => {
                        moved_parts.push(part)
                    }
                    _ => drop(parts.remove(&var)),
                }
            }
        }
        for var in body.terminator.iter().flat_map(|end| end.kind.operands()).filter_map(Operand::var) {
            parts.remove(&var);
        }
    }
    parts.retain(|_, (_, moved_parts)| moved_parts.len() > 1);
    parts.into_keys().collect()
}

/// The field that an instruction reads.
fn part_of(kind: &InstKind) -> Option<usize> {
    match kind {
        InstKind::Op { op, args } if **op == ops::FIELD => args.get(1)?.constant()?.value().as_index(),
        _ => None,
    }
}

/// Whether a function pushes to vectors.
pub(in crate::codegen) fn pushes(func: &Func) -> bool {
    let insts = func.blocks.iter().flat_map(|body| &body.insts);
    insts.into_iter().any(|inst| matches!(&inst.kind, InstKind::Op { op, .. } if **op == ops::PUSH))
}

/// The number of float constants that are kept in registers during a loop.
const MAX_FLOATS: usize = 12;

/// Float constants that are loaded before the loops that use them. They stay in registers during an outermost loop:
/// keeping them throughout a long function would exhaust the registers.
#[derive(Default, Debug)]
pub(in crate::codegen) struct LoopFloats {
    /// The outermost loop around each block.
    outermost_loops: Vec<Option<u32>>,
    /// For each block that precedes outermost loops: the loops, and the constants that they use.
    before: HashMap<Block, Vec<(u32, Vec<f64>)>>,
}

impl LoopFloats {
    pub(in crate::codegen) fn of(
        func: &Func,
        memory_operands: MemoryOperands,
        dominators: &Dominators,
        nest: &LoopNest,
    ) -> LoopFloats {
        let outermost = |block: Block| {
            let ids = std::iter::successors(nest.innermost(block), |id| nest.get(*id).parent);
            ids.last().map(|LoopId(id)| id)
        };
        let outermost_loops: Vec<Option<u32>> =
            (0..func.blocks.len() as u32).map(|block| outermost(Block(block))).collect();
        let mut floats: Vec<Vec<f64>> = vec![Vec::new(); nest.iter().count()];
        for (block, body) in func.iter_blocks() {
            if let Some(id) = outermost_loops[block.index()] {
                note_floats(func, memory_operands, body, &mut floats[id as usize]);
            }
        }
        let mut before: HashMap<Block, Vec<(u32, Vec<f64>)>> = HashMap::new();
        for ((id, this), floats) in nest.iter().zip(floats).filter(|(_, floats)| !floats.is_empty()) {
            if let Some(from) = dominators.idom(this.header) {
                before.entry(from).or_default().push((id.0, floats));
            }
        }
        LoopFloats { outermost_loops, before }
    }

    /// The outermost loop around a block.
    pub(in crate::codegen) fn outermost_loop(&self, block: Block) -> Option<u32> {
        self.outermost_loops.get(block.index()).copied().flatten()
    }

    /// The constants to load at the end of a block, by loop.
    pub(in crate::codegen) fn before(&mut self, block: Block) -> Vec<(u32, Vec<f64>)> {
        self.before.remove(&block).unwrap_or_default()
    }
}

/// Collects the float constants that a block needs in registers, with the masks that change signs.
fn note_floats(func: &Func, memory_operands: MemoryOperands, body: &BlockBody, found: &mut Vec<f64>) {
    let mut note = |x: f64| {
        if found.len() < MAX_FLOATS && !found.iter().any(|known: &f64| known.to_bits() == x.to_bits()) {
            found.push(x);
        }
    };
    let float = |operand: &Operand| operand.constant()?.value().as_f64();
    for inst in &body.insts {
        let memory_operand = match &inst.kind {
            InstKind::Op { op, args } if memory_operands == MemoryOperands::Always => {
                memory_operand(op, args)
            }
            _ => None,
        };
        let operands = inst.kind.operands().enumerate().filter(|(k, _)| Some(*k) != memory_operand);
        operands.filter_map(|(_, operand)| float(operand)).for_each(&mut note);
        if let InstKind::Op { op, .. } = &inst.kind
            && func.ty(inst.result) == Ty::f64()
        {
            if **op == ops::NEG {
                note(SIGN);
            } else if **op == ops::ABS {
                note(REST);
            }
        }
    }
    let end = body.terminator.iter().flat_map(|end| end.kind.operands());
    end.filter_map(float).for_each(&mut note);
}
