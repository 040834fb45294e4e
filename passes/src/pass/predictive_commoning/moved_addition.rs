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

use overdub_context::ir::{Block, Func, Inst, InstKind, Operand, Ty, Var};
use overdub_context::ops;
use overdub_context::value::Value;

use super::{analysed, targets_to};
use crate::support::named::new_var;

/// Moves such additions.
pub(super) fn with_moved_additions(func: &mut Func) {
    for moved in analysed(func, |finder| {
        let loops = finder.loops.iter().map(|(_, of)| (of.header, &of.latches));
        loops
            .flat_map(|(header, latches)| match latches[..] {
                [latch] => found(func, header, latch),
                _ => Vec::new(),
            })
            .collect::<Vec<_>>()
    }) {
        apply(func, &moved);
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

fn found(func: &Func, header: Block, latch: Block) -> Vec<Moved> {
    let args = |from: Block| {
        let end = func.block(from).terminator.as_ref()?;
        end.kind.targets().find(|target| target.block == header).map(|target| &target.args)
    };
    let preds = func.iter_blocks().filter(|(block, body)| {
        *block != latch
            && body.terminator.iter().flat_map(|end| end.kind.targets()).any(|target| target.block == header)
    });
    let preds: Vec<Block> = preds.map(|(block, _)| block).collect();
    let ([entry], Some(again)) = (&preds[..], args(latch)) else { return Vec::new() };
    let Some(first) = args(*entry) else { return Vec::new() };
    let mut found = Vec::new();
    for (at, &param) in func.block(header).params.iter().enumerate() {
        let Some(sum) = again[at].var().filter(|_| func.ty(param) == Ty::f64()) else { continue };
        let insts = func.blocks.iter().flat_map(|body| &body.insts);
        let Some(InstKind::Op { op, args }) =
            insts.clone().find(|inst| inst.result == sum).map(|inst| &inst.kind)
        else {
            continue;
        };
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
        let uses = uses(func, sum);
        let is_itself = args[number].var() == Some(param);
        if is_kept && uses == 1 && !is_itself && !is_in_terminator(func, param) {
            found.push(Moved { header, latch, at, param, sum, args: args.clone(), number });
        }
    }
    found
}

/// How often a variable is used.
fn uses(func: &Func, var: Var) -> usize {
    let insts = func.blocks.iter().flat_map(|body| body.insts.iter().flat_map(|inst| inst.kind.operands()));
    let ends = func.blocks.iter().flat_map(|body| body.terminator.iter().flat_map(|end| end.kind.operands()));
    insts.chain(ends).filter(|operand| operand.var() == Some(var)).count()
}

fn is_in_terminator(func: &Func, var: Var) -> bool {
    let ends = func.blocks.iter().flat_map(|body| body.terminator.iter().flat_map(|end| end.kind.operands()));
    ends.into_iter().any(|operand| operand.var() == Some(var))
}

fn apply(func: &mut Func, moved: &Moved) {
    let Moved { header, latch, at, param, sum, args, number } = moved;
    for target in targets_to(func, *latch, *header) {
        target.args[*at] = args[*number].clone();
    }
    for block in 0..func.blocks.len() {
        let mut insts = Vec::with_capacity(func.blocks[block].insts.len() + 1);
        for mut inst in std::mem::take(&mut func.blocks[block].insts) {
            if inst.result == *sum {
                continue;
            }
            if inst.kind.operands().any(|operand| operand.var() == Some(*param)) {
                let added = new_var(func, Ty::f64(), "carried");
                let mut sum = args.clone();
                sum[*number] = (*param).into();
                insts.push(Inst {
                    result: added,
                    kind: InstKind::Op { op: &ops::ADD, args: sum },
                    span: inst.span,
                });
                for operand in inst.kind.operands_mut().filter(|operand| operand.var() == Some(*param)) {
                    *operand = added.into();
                }
            }
            insts.push(inst);
        }
        func.blocks[block].insts = insts;
    }
}
