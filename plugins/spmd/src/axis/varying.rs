//! Which values vary on an axis: a divergence analysis.
//!
//! Every value is *varying* on the axis (each rank has its own) or *replicated* (all ranks have the same), as in JAX's
//! `shard_map` (<https://docs.jax.dev/en/latest/notebooks/shard_map.html>). The control part is that of GPU compilers:
//! Karrenberg and Hack, *Improving Performance of OpenCL on CPUs*, CC 2012.
//!
//! - VARY1 a result varies if an operand does, except those of `psum` and other collectives, which are replicated.
//! - VARY2 a block is divergent if it is control dependent on a branch whose condition varies, or that is in a divergent block:
//!   not all ranks run it, or not equally often. Everything it defines varies.
//! - VARY3 where the paths of such a branch meet again, the parameters vary, unless all paths pass the same.
//! - VARY4 cells are one memory: it varies if a value that does is ever stored, or anything in a divergent block. So do then
//!   what is read, and the results of calls with a reference.
//! - VARY5 what an operation reads elsewhere varies: a clock, input.

use overdub_context::analysis::{Cfg, PostDominators};
use overdub_context::ir::{
    Block, Callee, Func, Inst, InstKind, Operand, TerminatorKind, Ty, TyKind, Var, Visit,
};
use overdub_context::ops;

use super::ops::{ALL, varies};

/// What varies in a function.
pub(super) struct Varying {
    vars: Vec<bool>,
    /// For each divergent block, a block that ends in the branch it depends on.
    divergent: Vec<Option<Block>>,
    pub(super) memory: bool,
    pub(super) result: bool,
}

/// Whether values of a type hold, other than behind references, one of a type for which `found` holds.
pub(super) fn holds(ty: Ty, found: impl Fn(&TyKind) -> bool) -> bool {
    ty.search(|part| match part.kind() {
        kind if found(kind) => Visit::Found,
        TyKind::Tuple(_)
        | TyKind::Array(_)
        | TyKind::Struct(_)
        | TyKind::Enum(_)
        | TyKind::Closure(_)
        | TyKind::Stack(_) => Visit::Parts,
        _ => Visit::Skip,
    })
}

/// Whether values of a type hold references.
pub(super) fn holds_ref(ty: Ty) -> bool {
    holds(ty, |kind| matches!(kind, TyKind::Ref(_)))
}

impl Varying {
    /// What varies if these parameters do. `is_on_axis` holds for the collectives of the axis.
    pub(super) fn new(func: &Func, params: &[bool], is_on_axis: &dyn Fn(&Inst) -> bool) -> Varying {
        let cfg = Cfg::new(func);
        let post_dominators = PostDominators::of_returns(&cfg, func);
        let mut varying = Varying {
            vars: vec![false; func.vars.len()],
            divergent: vec![None; func.blocks.len()],
            memory: false,
            result: false,
        };
        for (param, varies) in func.params().iter().zip(params) {
            varying.vars[param.index()] = *varies;
        }
        while varying.step(func, &cfg, &post_dominators, is_on_axis) {}
        varying
    }

    pub(super) fn var(&self, var: Var) -> bool {
        self.vars[var.index()]
    }

    pub(super) fn operand(&self, operand: &Operand) -> bool {
        operand.var().is_some_and(|var| self.var(var))
    }

    /// The block whose branch decides whether ranks run this one, if it is divergent.
    pub(super) fn divergent(&self, block: Block) -> Option<Block> {
        self.divergent[block.index()]
    }

    /// Whether an instruction is on varying values: its operands are to be varying, too.
    pub(super) fn is_on_varying(&self, func: &Func, block: Block, inst: &Inst, is_on_axis: bool) -> bool {
        let stores = self.memory && touches_memory(func, inst);
        is_on_axis || self.var(inst.result) || self.divergent(block).is_some() || stores
    }

    fn step(
        &mut self,
        func: &Func,
        cfg: &Cfg,
        post_dominators: &PostDominators,
        is_on_axis: &dyn Fn(&Inst) -> bool,
    ) -> bool {
        let mut changed = false;
        for &block in cfg.reverse_postorder() {
            let is_divergent = self.divergent(block).is_some();
            let body = func.block(block);
            if is_divergent {
                for param in &body.params {
                    changed |= set(&mut self.vars[param.index()]);
                }
            }
            for inst in &body.insts {
                let (result, memory) = self.effect(func, inst, is_divergent, is_on_axis(inst));
                if result {
                    changed |= set(&mut self.vars[inst.result.index()]);
                }
                if memory {
                    changed |= set(&mut self.memory);
                }
            }
            let Some(end) = &body.terminator else { continue };
            for target in end.kind.targets() {
                for (arg, param) in target.args.iter().zip(&func.block(target.block).params) {
                    if self.operand(arg) {
                        changed |= set(&mut self.vars[param.index()]);
                    }
                }
            }
            match &end.kind {
                TerminatorKind::Ret(value) if is_divergent || self.operand(value) => {
                    changed |= set(&mut self.result);
                }
                TerminatorKind::BrIf { cond: on, .. } | TerminatorKind::Switch { on, .. }
                    if is_divergent || self.operand(on) =>
                {
                    changed |= self.diverge(func, cfg, post_dominators, block);
                }
                _ => {}
            }
        }
        changed
    }

    /// Whether the result of an instruction varies, and whether it makes the memory vary.
    fn effect(&self, func: &Func, inst: &Inst, is_divergent: bool, is_on_axis: bool) -> (bool, bool) {
        let operands_vary = inst.kind.operands().any(|operand| self.operand(operand));
        let reads = touches_memory(func, inst);
        match &inst.kind {
            InstKind::Op { op, .. } if is_on_axis => (varies(op), false),
            InstKind::Const(_) => (is_divergent, false),
            InstKind::Op { op, .. } => {
                let is_on_cells = ops::is_on_cells(op);
                let is_outside = op.effects.reads && !is_on_cells && !ALL.contains(op);
                let result = is_divergent || operands_vary || (reads && self.memory) || is_outside;
                (
                    result,
                    is_on_cells
                        && (op.effects.writes || op.effects.allocates)
                        && (operands_vary || is_divergent),
                )
            }
            InstKind::Call { callee, .. } | InstKind::Overdub { callee, .. } => {
                // What a host does with a reference, or a function value holds, is not known.
                let is_value = matches!(callee, Callee::Value(_));
                let result = is_divergent || operands_vary || (reads && self.memory) || is_value;
                (result, reads && (operands_vary || is_divergent || is_value))
            }
        }
    }

    /// VARY2, VARY3.
    fn diverge(&mut self, func: &Func, cfg: &Cfg, post_dominators: &PostDominators, branch: Block) -> bool {
        let mut changed = false;
        let end = post_dominators.ipdom(branch);
        for &succ in cfg.succs(branch) {
            let mut block = Some(succ).filter(|succ| post_dominators.post_dominates(*succ, *succ));
            while let Some(at) = block.filter(|at| Some(*at) != end) {
                if self.divergent[at.index()].is_none() {
                    self.divergent[at.index()] = Some(branch);
                    changed = true;
                }
                block = post_dominators.ipdom(at);
            }
        }
        match end {
            Some(meeting) => {
                let paths = between(cfg, branch, meeting);
                for (at, param) in func.block(meeting).params.iter().enumerate() {
                    if !is_same_on_all(func, &paths, meeting, at) {
                        changed |= set(&mut self.vars[param.index()]);
                    }
                }
            }
            // The paths meet where the function returns.
            None => changed |= set(&mut self.result),
        }
        changed
    }
}

/// The blocks on paths from a branch to where they meet, the branch included.
fn between(cfg: &Cfg, branch: Block, meeting: Block) -> Vec<Block> {
    let mut is_found = vec![false; cfg.len()];
    is_found[branch.index()] = true;
    let mut found = vec![branch];
    let mut next = 0;
    while let Some(&block) = found.get(next) {
        next += 1;
        for &succ in cfg.succs(block) {
            if succ != meeting && !std::mem::replace(&mut is_found[succ.index()], true) {
                found.push(succ);
            }
        }
    }
    found
}

/// Whether all edges from these blocks pass one operand for a parameter.
fn is_same_on_all(func: &Func, paths: &[Block], meeting: Block, at: usize) -> bool {
    let ends = paths.iter().filter_map(|block| func.block(*block).terminator.as_ref());
    let targets = ends.flat_map(|end| end.kind.targets()).filter(|target| target.block == meeting);
    let mut args = targets.map(|target| target.args.get(at));
    let first = args.next();
    args.all(|arg| Some(arg) == first)
}

fn set(flag: &mut bool) -> bool {
    !std::mem::replace(flag, true)
}

fn touches_memory(func: &Func, inst: &Inst) -> bool {
    let is_ref = |operand: &Operand| operand.var().is_some_and(|var| holds_ref(func.ty(var)));
    let is_on_cells = matches!(&inst.kind, InstKind::Op { op, .. } if ops::is_on_cells(op));
    is_on_cells
        || (matches!(inst.kind, InstKind::Call { .. } | InstKind::Overdub { .. })
            && inst.kind.operands().any(is_ref))
}
