//! Partial derivatives that are recorded in place of the numbers that they are computed from.
//!
//! ```text
//! %s: f64 = sin %x              %s: f64 = sin %x
//! record %x             =>      %c: f64 = cos %x
//!                               record %c
//! ```
//!
//! - PARTIAL1 the derivative of a sine or a cosine, hyperbolic or not, is computed in the forward sweep where its operand would be
//!   recorded for it alone: both together take little longer than one of them, as `sin_cos`, and the record is as long.

use std::convert::Infallible;

use hashbrown::HashSet;
use overdub_context::ir::{Func, InstKind, Var};
use overdub_context::ops::{self, OpDef};

use super::checkpoint_plan::CheckpointPlan;
use super::primal::Primal;

/// The functions, and those that their derivatives apply to the same operand.
const PAIRS: [(&OpDef, &OpDef); 4] =
    [(&ops::SIN, &ops::COS), (&ops::COS, &ops::SIN), (&ops::SINH, &ops::COSH), (&ops::COSH, &ops::SINH)];

/// Such a function of the program: its result and its operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Paired {
    result: Var,
    operand: Var,
}

fn pair_of(op: &OpDef) -> Option<&'static OpDef> {
    PAIRS.iter().find(|(of, _)| *of == op).map(|(_, pair)| *pair)
}

/// The functions of a program whose operands are recorded.
pub(super) fn candidates(program: &Func, primal: &Primal, plan: &CheckpointPlan) -> Vec<Paired> {
    let recorded = recorded(plan);
    let mut found = Vec::new();
    for inst in program.blocks.iter().flat_map(|body| &body.insts) {
        if let InstKind::Op { op, args } = &inst.kind
            && pair_of(op).is_some()
            && let Some(operand) = args[0].var()
            && recorded.contains(&operand)
            && primal.is_active(inst.result)
        {
            found.push(Paired { result: inst.result, operand });
        }
    }
    found
}

/// Those whose operands are recorded no more.
pub(super) fn without_records(paired: &[Paired], plan: &CheckpointPlan) -> Vec<Paired> {
    let recorded = recorded(plan);
    paired.iter().copied().filter(|paired| !recorded.contains(&paired.operand)).collect()
}

fn recorded(plan: &CheckpointPlan) -> HashSet<Var> {
    plan.records.values().flatten().copied().collect()
}

/// The program that computes, after each of these functions, the one that its derivative consists of.
pub(super) fn with_partials(program: &Func, paired: &[Paired]) -> Func {
    let mut func = program.clone();
    let Ok(()) = func.rewrite_insts(|func, inst, out| {
        let pair = match &inst.kind {
            InstKind::Op { op, args } if paired.iter().any(|paired| paired.result == inst.result) => {
                pair_of(op).map(|pair| (pair, args.clone()))
            }
            _ => None,
        };
        let (ty, span) = (func.ty(inst.result), inst.span);
        out.push(inst);
        if let Some((pair, args)) = pair {
            func.push_op(out, pair, args, ty, span);
        }
        Ok::<(), Infallible>(())
    });
    func
}
