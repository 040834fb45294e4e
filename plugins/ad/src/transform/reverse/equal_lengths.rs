//! Which arrays have equal lengths: an operation whose row says that it keeps the shape, such as setting an
//! element, preserves the length, and so does a loop of such operations.

use overdub_context::ir::{Block, Func, InstKind, Operand, TyKind, Var};
use overdub_context::ops::OpDef;

use crate::normalize_cfg::{Edge, target};
use crate::rules::{Rule, rule};

/// For each vector, a representative that has the same length on all paths: the vector itself, if no other is
/// known.
///
/// An optimistic fixed point: assumes at first that all arguments for a block parameter have equal lengths,
/// and retracts this for those that do not.
pub(super) fn equal_lengths(func: &Func, incoming: &[Vec<Edge>]) -> Vec<Option<Var>> {
    let mut found: Vec<Option<Var>> = vec![None; func.vars.len()];
    for _ in 0..func.blocks.len() + 2 {
        let before = found.clone();
        once(func, incoming, &mut found);
        if found == before {
            return found;
        }
    }
    (0..func.vars.len()).map(|at| Some(Var(at as u32))).collect()
}

fn once(func: &Func, incoming: &[Vec<Edge>], found: &mut [Option<Var>]) {
    for (block, body) in func.iter_blocks() {
        for (k, param) in body.params.iter().enumerate() {
            if !matches!(func.ty(*param).kind(), TyKind::Array(_)) {
                continue;
            }
            found[param.index()] = if block == Block::ENTRY {
                Some(*param)
            } else {
                let incoming_args = incoming[block.index()].iter().map(|slot| &target(func, *slot).args[k]);
                common_representative(*param, incoming_args, found)
            };
        }
        for inst in &body.insts {
            let result = inst.result;
            found[result.index()] = match &inst.kind {
                InstKind::Op { op, args } if keeps_length(op) => {
                    args[0].var().map_or(Some(result), |of| found[of.index()])
                }
                _ => Some(result),
            };
        }
    }
}

/// The common representative of all arguments for a block parameter: `None` while none is known, the
/// parameter itself if they differ.
fn common_representative<'o>(
    param: Var,
    args: impl Iterator<Item = &'o Operand>,
    found: &[Option<Var>],
) -> Option<Var> {
    let mut all = None;
    for arg in args {
        let Some(var) = arg.var() else { return Some(param) };
        match (found[var.index()], all) {
            (None, _) => {}
            (Some(one), None) => all = Some(one),
            (Some(one), Some(other)) if one == other => {}
            _ => return Some(param),
        }
    }
    all
}

fn keeps_length(op: &'static OpDef) -> bool {
    matches!(rule(op), Some(Rule::Moves(moves)) if moves.keeps_shape())
}
