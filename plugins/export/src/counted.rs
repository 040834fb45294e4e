//! Counted loops: those that become `for` over a range.
//!
//! - FORLOOP1 the header only compares the counter, all back edges pass the counter plus one, and the bound does not
//!   change in the loop. A loop that counts down to a lower number, or to one that its start is not less than, compares its counter with
//!   it and reduces it by one at the start of a round: the reduced number counts the rounds.
//! - FORLOOP2 the counter is not used after the loop, and the exit has no parameters.

use overdub_context::analysis::{Cfg, LoopNest};
use overdub_context::ir::{Block, Operand, TerminatorKind, Ty, TyKind, Var};
use overdub_context::ops;

use crate::body::{Body, NodeKind, index};
use crate::sites::Sites;

/// A counted loop.
#[derive(Clone, Debug)]
pub(crate) struct Counted {
    /// The variable that counts: the parameter of the header, or the reduced number.
    pub(crate) counter: Var,
    /// The parameter of the header.
    pub(crate) param: Var,
    pub(crate) from: Operand,
    pub(crate) to: Operand,
    pub(crate) is_reversed: bool,
    /// The variables that the loop computes by itself: the reduced number, or the next one if nothing else uses it.
    pub(crate) computed: Vec<Var>,
    /// The block to which the header leaves the loop.
    pub(crate) exit: Block,
    /// The target of the header's branch inside the loop is its first one.
    pub(crate) enters_first: bool,
}

/// The counted loop of a header, if it is one.
pub(crate) fn counted(
    body: &Body,
    sites: &Sites,
    cfg: &Cfg,
    loops: &LoopNest,
    header: Block,
) -> Option<Counted> {
    let id = loops.innermost(header).filter(|&id| loops.get(id).header == header)?;
    let block = body.block(header);
    let TerminatorKind::BrIf { cond: Operand::Var(cond), then, otherwise } = &block.terminator.kind else {
        return None;
    };
    let [compare] = &block.nodes[..] else { return None };
    let NodeKind::Op(op) = compare.kind else { return None };
    if compare.result() != Some(*cond) || sites.use_count(*cond) != 1 {
        return None;
    }
    let enters_first = loops.contains(id, then.block);
    let (inside, exit) = if enters_first { (then, otherwise) } else { (otherwise, then) };
    if !loops.contains(id, inside.block) || loops.contains(id, exit.block) || !exit.args.is_empty() {
        return None;
    }
    let is_lt = op == &ops::LT && enters_first || op == &ops::GE && !enters_first;
    let is_gt = op == &ops::GT && enters_first || op == &ops::LE && !enters_first;
    let is_ne = op == &ops::NE && enters_first || op == &ops::EQ && !enters_first;
    let (low, high) = match (is_lt || is_ne, is_gt) {
        (true, _) => (&compare.args[0], &compare.args[1]),
        (_, true) => (&compare.args[1], &compare.args[0]),
        _ => return None,
    };
    let is_param = |operand: &Operand| operand.var().is_some_and(|var| block.params.contains(&var));
    // It may count down to the lower number.
    let is_high = !is_param(low) && (is_lt || is_gt);
    let (counter, bound) = if is_high { (high, low) } else { (low, high) };
    let param = counter.var()?;
    let at = block.params.iter().position(|&var| var == param)?;
    if !matches!(body.vars[param.index()].ty.kind(), TyKind::Int(_)) || !sites.is_invariant(loops, id, bound)
    {
        return None;
    }
    let mut entry = None;
    let mut nexts = Vec::new();
    for &pred in cfg.preds(header) {
        for target in body.block(pred).terminator.kind.targets().filter(|target| target.block == header) {
            let arg = target.args[at].clone();
            if loops.contains(id, pred) {
                nexts.push(arg.var()?);
            } else if entry.replace(arg.clone()).is_some_and(|known| known != arg) {
                return None;
            }
        }
    }
    let entry = entry?;
    if sites.is_used_outside(loops, id, param) {
        return None;
    }
    let step = |next: Var, op_is: &[&ops::OpDef]| {
        sites.definition(body, next).is_some_and(|(_, node)| {
            matches!(node.kind, NodeKind::Op(op) if op_is.contains(&op))
                && node.args[0].var() == Some(param)
                && index(&node.args[1]) == Some(1)
        })
    };
    let starts_below = is_ne && index(&entry) == Some(0) && body.vars[param.index()].ty == Ty::usize();
    let counts_up = (is_lt || is_gt) && !is_high || starts_below;
    if counts_up && nexts.iter().all(|&next| step(next, &[&ops::ADD, &ops::ADD_WRAPPING])) {
        let passed = |next: &Var| nexts.iter().filter(|other| *other == next).count();
        Some(Counted {
            counter: param,
            param,
            from: entry,
            to: bound.clone(),
            is_reversed: false,
            computed: nexts.iter().copied().filter(|next| sites.use_count(*next) == passed(next)).collect(),
            exit: exit.block,
            enters_first,
        })
    } else {
        let first = *nexts.first()?;
        let counts_down = (is_high || is_ne)
            && (is_high || index(bound) == Some(0) || is_at_least(body, sites, &entry, bound))
            && nexts.iter().all(|&next| next == first)
            && step(first, &[&ops::SUB, &ops::SUB_WRAPPING])
            && sites.definition(body, first).is_some_and(|(block, _)| block == inside.block)
            && cfg.preds(inside.block) == [header]
            // Its two uses: in the comparison and in the reduction.
            && sites.use_count(param) == 2
            && !sites.is_used_outside(loops, id, first);
        counts_down.then(|| Counted {
            counter: first,
            param,
            from: bound.clone(),
            to: entry,
            is_reversed: true,
            computed: vec![first],
            exit: exit.block,
            enters_first,
        })
    }
}

/// Whether a number is the larger one of a bound and another number, or a constant that is not less than a constant bound.
fn is_at_least(body: &Body, sites: &Sites, number: &Operand, bound: &Operand) -> bool {
    if let (Some(number), Some(bound)) = (index(number), index(bound)) {
        return number >= bound;
    }
    let inputs = |operand: &Operand, op: &ops::OpDef| {
        let (_, node) = sites.definition(body, operand.var()?)?;
        matches!(node.kind, NodeKind::Op(other) if *other == *op).then_some(&node.args)
    };
    let Some([is_less, larger, otherwise]) = inputs(number, &ops::SELECT).map(|args| &args[..]) else {
        return false;
    };
    let compared = inputs(is_less, &ops::LT);
    otherwise == bound && compared.is_some_and(|args| args[0] == *bound && args[1] == *larger)
}
