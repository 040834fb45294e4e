//! The invariants of the control flow and of definitions: V1, V3, V4, V5, V13.

use hashbrown::HashSet;

use super::{Fault, Invariant};
use crate::Symbol;
use crate::analysis::{Cfg, Dominators};
use crate::ir::{Block, Func, Label, Operand, Position, Var};

pub(super) fn check(func: &Func) -> Vec<Fault> {
    let mut faults = Vec::new();
    let cfg = Cfg::new(func);
    blocks(func, &cfg, &mut faults);
    labels(func, &mut faults);
    definitions(func, &mut faults);
    uses(func, &cfg, &mut faults);
    faults
}

fn blocks(func: &Func, cfg: &Cfg, faults: &mut Vec<Fault>) {
    if cfg.is_empty() {
        faults.push(Fault::new(func, Invariant::V5, Position::Head, "the function has no entry block"));
        return;
    }
    for &pred in cfg.preds(Block::ENTRY) {
        let message = format!("a branch goes to the entry block `^{}`", func.block_label(Block::ENTRY));
        faults.push(Fault::new(func, Invariant::V5, Position::Terminator(pred), message));
    }
    for (block, body) in func.iter_blocks() {
        let label = func.block_label(block);
        if body.terminator.is_none() {
            let place = match body.insts.len().checked_sub(1) {
                Some(last) => Position::Inst(block, last),
                None => Position::of_block(block),
            };
            let message = format!("block `^{label}` does not end in a terminator");
            faults.push(Fault::new(func, Invariant::V3, place, message));
        }
        if !cfg.is_reachable(block) {
            let message = format!("block `^{label}` cannot be reached from the entry");
            faults.push(Fault::new(func, Invariant::V4, Position::Block(block), message));
        }
    }
}

fn labels(func: &Func, faults: &mut Vec<Fault>) {
    let mut seen = Labels::new(func.blocks.len());
    // The label of the entry is not printed.
    for (block, _) in func.iter_blocks().skip(1) {
        let label = func.block_label(block);
        if !seen.insert(label) {
            let message = format!("two blocks are called `^{label}`");
            faults.push(Fault::new(func, Invariant::V13, Position::of_block(block), message));
        }
    }
    let mut seen = Labels::new(func.vars.len());
    for (var, place) in (0..).map(Var).zip(func.definitions()) {
        let label = func.var_label(var);
        if let Some(place) = place
            && !seen.insert(label)
        {
            let message = format!("two variables are called `%{label}`");
            faults.push(Fault::new(func, Invariant::V13, place, message));
        }
    }
}

/// A set of labels, most of which are small numbers.
struct Labels {
    numbers: Vec<bool>,
    others: HashSet<(Option<u32>, Option<Symbol>)>,
}

impl Labels {
    fn new(count: usize) -> Labels {
        Labels { numbers: vec![false; count], others: HashSet::new() }
    }

    /// Adds a label; returns whether it was absent.
    fn insert(&mut self, label: Label) -> bool {
        let key = label.key();
        match key.0.and_then(|number| self.numbers.get_mut(number as usize)) {
            Some(is_known) => !std::mem::replace(is_known, true),
            None => self.others.insert(key),
        }
    }
}

fn definitions(func: &Func, faults: &mut Vec<Fault>) {
    let mut defined = vec![false; func.vars.len()];
    let mut define = |var: Var, place| {
        if std::mem::replace(&mut defined[var.index()], true) {
            let message = format!("`%{}` is defined a second time", func.var_label(var));
            faults.push(Fault::new(func, Invariant::V1, place, message));
        }
    };
    for (block, body) in func.iter_blocks() {
        body.params.iter().for_each(|&param| define(param, Position::of_block(block)));
        for (i, inst) in body.insts.iter().enumerate() {
            define(inst.result, Position::Inst(block, i));
        }
    }
}

fn uses(func: &Func, cfg: &Cfg, faults: &mut Vec<Fault>) {
    let dominators = Dominators::new(cfg);
    let definitions = func.definitions();
    let mut check = |operand: &Operand, block: Block, i: usize, place: Position| {
        let Operand::Var(var) = operand else { return };
        let label = func.var_label(*var);
        let message = match definitions[var.index()] {
            None => format!("nothing defines `%{label}`"),
            // Unreachable blocks are not dominated; V4 already reports them.
            _ if !cfg.is_reachable(block) => return,
            Some(Position::Inst(def_block, at)) if def_block == block => {
                if at < i {
                    return;
                }
                format!("`%{label}` is used before it is defined")
            }
            Some(Position::Head) => return,
            Some(
                Position::Block(def_block) | Position::Inst(def_block, _) | Position::Terminator(def_block),
            ) => {
                if dominators.dominates(def_block, block) {
                    return;
                }
                format!(
                    "`%{label}` is not defined on every way to here: its definition is in `^{}`",
                    func.block_label(def_block)
                )
            }
        };
        faults.push(Fault::new(func, Invariant::V1, place, message));
    };
    for (block, body) in func.iter_blocks() {
        for (i, inst) in body.insts.iter().enumerate() {
            inst.kind.operands().for_each(|operand| check(operand, block, i, Position::Inst(block, i)));
        }
        if let Some(terminator) = &body.terminator {
            let place = Position::Terminator(block);
            terminator.kind.operands().for_each(|operand| check(operand, block, body.insts.len(), place));
        }
    }
}
