//! A constant that each round adds to what it passes on is added where the next round uses it.
//!
//! ```text
//! for i in 0..n {                          for i in 0..n {
//!     dx[i] = carried + a(i);        →         dx[i] = (0.0 + carried) + a(i);
//!     carried = 0.0 + b(i);                    carried = b(i);
//! }                                        }
//! ```
//!
//! The sum with a zero is not the other number if that is -0.0. LLVM vectorises loops that pass on a value as it was computed
//! (fixed-order recurrences), but not those that pass on its sum with a constant.

use hashbrown::{HashMap, HashSet};
use overdub_context::ir::{Block, Func, Inst, InstKind, Operand, Ty, Var};
use overdub_context::ops;
use overdub_context::value::Value;

use super::updated_array::Finder;
use super::{analysed, targets_to};
use crate::support::named::new_var;

/// Moves such additions.
pub(super) fn with_moved_additions(func: &mut Func) {
    let uses = uses(func);
    let found = analysed(func, |finder| {
        let loops = finder.loops.iter().filter_map(|(_, of)| match of.latches[..] {
            [latch] => Some((of.header, latch)),
            _ => None,
        });
        loops.flat_map(|(header, latch)| found(&finder, header, latch, &uses)).collect::<Vec<_>>()
    });
    // What is passed on is none of the parameters that change.
    let params: HashSet<Var> = found.iter().map(|moved| moved.param).collect();
    let is_moved = |operand: &Operand| operand.var().is_some_and(|var| params.contains(&var));
    let found: Vec<Moved> = found.into_iter().filter(|moved| !is_moved(&moved.args[moved.number])).collect();
    if !found.is_empty() {
        apply(func, &found);
    }
}

/// An addition of a constant that is moved.
struct Moved {
    header: Block,
    latch: Block,
    at: usize,
    param: Var,
    sum: Var,
    /// The operands of the addition, and which of them is the number that is passed on.
    args: Vec<Operand>,
    number: usize,
}

fn found(finder: &Finder<'_>, header: Block, latch: Block, uses: &[Uses]) -> Vec<Moved> {
    let func = finder.func;
    let args = |from: Block| {
        let end = func.block(from).terminator.as_ref()?;
        end.kind.targets().find(|target| target.block == header).map(|target| &target.args)
    };
    let outside: Vec<Block> =
        finder.cfg.preds(header).iter().copied().filter(|pred| *pred != latch).collect();
    let ([entry], Some(again)) = (&outside[..], args(latch)) else { return Vec::new() };
    let Some(first) = args(*entry) else { return Vec::new() };
    let mut found = Vec::new();
    for (at, &param) in func.block(header).params.iter().enumerate() {
        let Some(sum) = again[at].var().filter(|_| func.ty(param) == Ty::f64()) else { continue };
        let Some(InstKind::Op { op, args }) = finder.defs.inst(func, &sum.into()) else { continue };
        if *op != &ops::ADD {
            continue;
        }
        let constant = |number: usize| args[number].constant().and_then(|constant| constant.value().as_f64());
        let (number, constant) = match (constant(0), constant(1)) {
            (Some(constant), None) => (1, constant),
            (None, Some(constant)) => (0, constant),
            _ => continue,
        };
        // The first value is the same after the addition.
        let first = first[at].constant().and_then(|first| first.value().as_f64());
        let is_kept = first.is_some_and(|first| Value::F64(first + constant).same(&Value::F64(first)));
        let is_used_once = uses[sum.index()].count == 1 && !uses[param.index()].in_terminator;
        if is_kept && is_used_once {
            found.push(Moved { header, latch, at, param, sum, args: args.clone(), number });
        }
    }
    found
}

/// How a variable is used.
#[derive(Clone, Copy, Default)]
struct Uses {
    count: usize,
    in_terminator: bool,
}

fn uses(func: &Func) -> Vec<Uses> {
    let mut uses = vec![Uses::default(); func.vars.len()];
    for body in &func.blocks {
        for var in body.insts.iter().flat_map(|inst| inst.kind.operands()).filter_map(Operand::var) {
            uses[var.index()].count += 1;
        }
        for var in body.terminator.iter().flat_map(|end| end.kind.operands()).filter_map(Operand::var) {
            uses[var.index()].count += 1;
            uses[var.index()].in_terminator = true;
        }
    }
    uses
}

fn apply(func: &mut Func, all: &[Moved]) {
    for Moved { header, latch, at, args, number, .. } in all {
        for target in targets_to(func, *latch, *header) {
            target.args[*at] = args[*number].clone();
        }
    }
    let params: HashMap<Var, &Moved> = all.iter().map(|moved| (moved.param, moved)).collect();
    let sums: HashSet<Var> = all.iter().map(|moved| moved.sum).collect();
    for block in 0..func.blocks.len() {
        let mut insts = Vec::with_capacity(func.blocks[block].insts.len());
        for mut inst in std::mem::take(&mut func.blocks[block].insts) {
            if sums.contains(&inst.result) {
                continue;
            }
            let used = inst.kind.operands().filter_map(Operand::var).filter(|var| params.contains_key(var));
            let mut used: Vec<Var> = used.collect();
            used.dedup();
            for param in used {
                let moved = params[&param];
                let added = new_var(func, Ty::f64(), "carried");
                let mut args = moved.args.clone();
                args[moved.number] = param.into();
                let kind = InstKind::Op { op: &ops::ADD, args };
                insts.push(Inst { result: added, kind, span: inst.span });
                for operand in inst.kind.operands_mut().filter(|operand| operand.var() == Some(param)) {
                    *operand = added.into();
                }
            }
            insts.push(inst);
        }
        func.blocks[block].insts = insts;
    }
}
