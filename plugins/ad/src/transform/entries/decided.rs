//! Control and data dependence on floats: the values that depend on floats of the arguments, and the blocks
//! that they control.

use overdub_context::analysis::{Cfg, PostDominators};
use overdub_context::ir::{Block, Func, InstKind, Operand, TerminatorKind, Ty, TyKind, Var};
use overdub_context::ops;

use crate::normalize_cfg::{incoming, target};

/// What depends on floats, by data or control. Results of calls and values read from outside are taken to
/// depend on them.
pub(super) struct Decided {
    vars: Vec<bool>,
    /// The arrays whose lengths depend on floats.
    lengths: Vec<bool>,
    blocks: Vec<bool>,
}

impl Decided {
    pub(super) fn of(func: &Func, cfg: &Cfg) -> Decided {
        let none = vec![false; func.vars.len()];
        let blocks = vec![false; func.blocks.len()];
        let mut decided = Decided { vars: none.clone(), lengths: none, blocks };
        for param in func.params() {
            decided.vars[param.index()] = !is_fixed(func.ty(*param));
        }
        let after = PostDominators::new(cfg);
        while decided.spread(func) | decided.branch(func, cfg, &after) {}
        decided
    }

    /// Whether the value of an operand depends on floats.
    pub(super) fn is_value(&self, operand: &Operand) -> bool {
        operand.var().is_some_and(|var| self.vars[var.index()])
    }

    /// Whether floats decide if a block runs, or how often.
    pub(super) fn is_block(&self, block: Block) -> bool {
        self.blocks[block.index()]
    }

    fn mark(&mut self, var: Var) -> bool {
        !std::mem::replace(&mut self.vars[var.index()], true)
    }

    fn has_length(&self, operand: &Operand) -> bool {
        operand.var().is_some_and(|var| self.lengths[var.index()])
    }

    fn mark_length(&mut self, var: Var) -> bool {
        !std::mem::replace(&mut self.lengths[var.index()], true)
    }

    fn spread(&mut self, func: &Func) -> bool {
        let edges = incoming(func);
        let mut changed = false;
        for (block, body) in func.iter_blocks() {
            if block != Block::ENTRY {
                for (at, param) in body.params.iter().enumerate() {
                    let from = |edge| self.is_value(&target(func, edge).args[at]);
                    if edges[block.index()].iter().any(|edge| from(*edge)) {
                        changed |= self.mark(*param);
                    }
                    let long = |edge| self.has_length(&target(func, edge).args[at]);
                    if edges[block.index()].iter().any(|edge| long(*edge)) {
                        changed |= self.mark_length(*param);
                    }
                }
            }
            for inst in &body.insts {
                let depends = match &inst.kind {
                    InstKind::Const(_) => false,
                    InstKind::Op { op, args } if *op == &ops::LEN => self.has_length(&args[0]),
                    InstKind::Op { op, args } => {
                        let outside = op.effects.reads || op.effects.writes;
                        outside || args.iter().any(|arg| self.is_value(arg))
                    }
                    InstKind::Call { .. } | InstKind::Overdub { .. } => true,
                };
                if depends {
                    changed |= self.mark(inst.result);
                }
                if self.length_depends_on_floats(&inst.kind) {
                    changed |= self.mark_length(inst.result);
                }
            }
        }
        changed
    }

    /// Whether the length of an instruction's result depends on floats.
    fn length_depends_on_floats(&self, kind: &InstKind) -> bool {
        let InstKind::Op { op, args } = kind else { return !matches!(kind, InstKind::Const(_)) };
        match *op {
            op if op == &ops::ARRAY => false,
            op if op == &ops::REPEAT => self.is_value(&args[1]),
            op if op == &ops::SLICE => self.is_value(&args[1]) || self.is_value(&args[2]),
            op if [&ops::SET, &ops::SET_UNCHECKED, &ops::PUSH, &ops::WITH_ROOM].contains(&op) => {
                self.has_length(&args[0])
            }
            _ => true,
        }
    }

    /// A branch on a value that depends on floats decides what runs up to the post-dominator where its paths
    /// join, and which values arrive there.
    fn branch(&mut self, func: &Func, cfg: &Cfg, after: &PostDominators) -> bool {
        let mut changed = false;
        for &block in cfg.reverse_postorder() {
            let Some(end) = &func.block(block).terminator else { continue };
            let on = match &end.kind {
                TerminatorKind::BrIf { cond, .. } => cond,
                TerminatorKind::Switch { on, .. } => on,
                _ => continue,
            };
            if !self.is_value(on) {
                continue;
            }
            let join = after.ipdom(block);
            let mut work: Vec<Block> = cfg.succs(block).to_vec();
            let mut seen = vec![false; func.blocks.len()];
            while let Some(next) = work.pop() {
                if std::mem::replace(&mut seen[next.index()], true) {
                    continue;
                }
                for param in &func.block(next).params {
                    changed |= self.mark(*param) | self.mark_length(*param);
                }
                if Some(next) != join {
                    changed |= !std::mem::replace(&mut self.blocks[next.index()], true);
                    work.extend(cfg.succs(next));
                }
            }
        }
        changed
    }
}

/// Whether an argument counts as the same at all inputs: integers, and arrays of them.
fn is_fixed(ty: Ty) -> bool {
    match ty.kind() {
        TyKind::Unit | TyKind::Bool | TyKind::Char | TyKind::Int(_) => true,
        TyKind::Array(array) => is_fixed(array.elem),
        _ => false,
    }
}
