//! Loop versioning: a loop gets a version without checks, which runs if checks before the loop hold.
//!
//! ```text
//!                                                  %h: usize = sub.wrapping %n, 1_usize
//!                                                  %l: usize = len %xs
//!                                                  %in: bool = lt %h, %l
//!                                                  … that %n is small, and that there is an iteration
//!   br ^loop(0_usize, 0.0)                         br_if %ok, ^fast(0_usize, 0.0), ^loop(0_usize, 0.0)
//! ^loop(%i: usize, %s: f64):                     ^fast(%i: usize, %s: f64):
//!   %x: f64 = get %xs, %i                          %x: f64 = get.unchecked %xs, %i
//!   %t: f64 = add %s, %x                   →       …
//!   %j: usize = add %i, 1_usize                    %j: usize = add.wrapping %i, 1_usize
//!   %c: bool = lt %j, %n                           %c: bool = lt %j, %n
//!   br_if %c, ^loop(%j, %t), ^done(%t)             br_if %c, ^fast(%j, %t), ^done(%t)
//!                                                ^loop(%i: usize, %s: f64):
//!                                                  … as before
//! ```
//!
//! - VERSION1 candidates are rotated loops of one block whose counter of type `usize` changes by one.
//! - VERSION2 sums and products of counters and loop-invariant values are monotone: their maximum is computed from
//!   the maxima of their operands. Each input is checked to be less than 2^31, so that a result that needs fewer than
//!   64 bits does not wrap.
//! - VERSION3 if the checks do not hold, the original loop runs, and fails at the same place in the same way.

mod preconditions;

use hashbrown::{HashMap, HashSet};
use overdub_context::analysis::{Cfg, LoopId, LoopNest};
use overdub_context::ir::{Block, Inst, InstKind, Operand, Target, Terminator, TerminatorKind, Var};
use overdub_context::ops::{self, OpDef};

use crate::support::clone_blocks::{self, LiveOuts};
use crate::support::consts::int_of;
use crate::support::effects::has_effect;
use crate::support::effects::may_share;
use crate::support::loops::preheader;
use crate::support::scope::Scope;
use overdub_context::analysis::Defs;
use overdub_context::edit::{FuncEditor, br};
use preconditions::preconditions;

/// The longest loop that gets a version, in instructions.
const MAX_LOOP: usize = 200;

/// The checks before a loop, and the unchecked operations that they justify.
struct Preconditions {
    insts: Vec<Inst>,
    /// Whether all checks hold.
    holds: Operand,
    /// The replacement of each operation, by the index of its instruction.
    unchecked: HashMap<usize, &'static OpDef>,
}

/// Adds versions without checks to loops.
pub(crate) fn run(editor: &mut FuncEditor<'_>, _: &Scope<'_>) -> bool {
    let analyses = editor.cfg_analyses();
    let (cfg, nest) = (&analyses.cfg, analyses.loops());
    let found: Vec<Block> = nest.iter().filter_map(|(id, _)| candidate(editor, cfg, nest, id)).collect();
    if found.is_empty() {
        return false;
    }
    let preheaders: Vec<Block> =
        found.iter().map(|block| preheader(editor, cfg, *block, &[*block])).collect();
    let defs = Defs::of(&editor.func);
    let mut live_outs = LiveOuts::default();
    for (block, preheader) in found.into_iter().zip(preheaders) {
        if let Some(preconditions) = preconditions(editor, &defs, block, preheader) {
            add_version(editor, block, preheader, preconditions, &mut live_outs);
        }
    }
    let changed = !live_outs.is_empty();
    clone_blocks::repair_ssa(editor, live_outs);
    changed
}

/// The block of a loop that is to get a version (VERSION1).
fn candidate(editor: &FuncEditor<'_>, cfg: &Cfg, nest: &LoopNest, id: LoopId) -> Option<Block> {
    let this = nest.get(id);
    let body = editor.func.block(this.header);
    let has_one_block = this.latches == [this.header] && cfg.succs(this.header).contains(&this.header);
    let is_checked_access =
        |inst: &Inst| matches!(&inst.kind, InstKind::Op { op, .. } if **op == ops::GET || **op == ops::SET);
    let is_short = body.insts.len() <= MAX_LOOP;
    let is_candidate = has_one_block && is_short && body.insts.iter().any(is_checked_access);
    (is_candidate && !has_version(editor, cfg, this.header)).then_some(this.header)
}

/// The number of reads and writes of array elements.
fn count_accesses(insts: &[Inst]) -> usize {
    const ACCESSES: &[&OpDef] = &[&ops::GET, &ops::GET_UNCHECKED, &ops::SET, &ops::SET_UNCHECKED];
    let is_one = |inst: &&Inst| matches!(&inst.kind, InstKind::Op { op, .. } if ACCESSES.contains(op));
    insts.iter().filter(is_one).count()
}

/// Whether a loop already is the original of a version.
fn has_version(editor: &FuncEditor<'_>, cfg: &Cfg, block: Block) -> bool {
    let is_checked = |pred: &Block| {
        let TerminatorKind::BrIf { then, otherwise, .. } = &editor.terminator(*pred).kind else {
            return false;
        };
        let outside = editor.func.block(then.block);
        let TerminatorKind::Br(to) = &editor.terminator(then.block).kind else { return false };
        let fast = editor.func.block(to.block);
        otherwise.block == block
            && cfg.succs(to.block).contains(&to.block)
            && count_accesses(&outside.insts) + count_accesses(&fast.insts)
                == count_accesses(&editor.func.block(block).insts)
    };
    cfg.preds(block).iter().any(|pred| *pred != block && is_checked(pred))
}

/// Adds the version of a loop, and the branch to it.
fn add_version(
    editor: &mut FuncEditor<'_>,
    block: Block,
    preheader: Block,
    preconditions: Preconditions,
    live_outs: &mut LiveOuts,
) {
    let (entry, fast) = (editor.new_block(None), editor.new_block(None));
    let TerminatorKind::Br(enter) = editor.terminator(preheader).kind.clone() else {
        unreachable!("VERSION1: a preheader ends in a branch to the loop")
    };
    let params = editor.new_params_like(block);
    // A parameter that is passed to itself is loop-invariant: its value comes from the preheader.
    let back_edge = editor.terminator(block).kind.targets().find(|target| target.block == block).cloned();
    let old_params = editor.func.block(block).params.clone();
    let is_invariant =
        |k: usize| back_edge.as_ref().is_some_and(|back_edge| back_edge.args[k].var() == Some(old_params[k]));
    let args = params.iter().enumerate();
    let args =
        args.map(|(k, new)| if is_invariant(k) { enter.args[k].clone() } else { (*new).into() }).collect();
    editor.body(fast).params = params;
    clone_blocks::record_definitions(editor, block, live_outs);
    let cloned_values = clone_blocks::clone_insts(editor, block, args, fast, live_outs);
    let Terminator { mut kind, span } = editor.terminator(block).clone();
    kind.operand_mut().into_iter().for_each(|operand| clone_blocks::substitute(&cloned_values, operand));
    for target in kind.targets_mut() {
        target.args.iter_mut().for_each(|arg| clone_blocks::substitute(&cloned_values, arg));
        if target.block == block {
            target.block = fast;
        }
    }
    editor.body(fast).terminator = Some(Terminator { kind, span });
    for (at, unchecked) in &preconditions.unchecked {
        if let InstKind::Op { op, .. } = &mut editor.body(fast).insts[*at].kind {
            *op = unchecked;
        }
    }
    hoist_invariant(editor, fast, entry, &preconditions.unchecked);
    editor.body(entry).terminator = Some(br(fast, enter.args.clone(), span));
    add_induction_variables(editor, fast, entry);
    editor.body(preheader).insts.extend(preconditions.insts);
    let then = Target { block: entry, args: Vec::new() };
    let kind = TerminatorKind::BrIf { cond: preconditions.holds, then, otherwise: enter };
    editor.body(preheader).terminator = Some(Terminator { kind, span });
}

/// Turns indices `invariant + counter` into separate induction variables, so that the vectoriser sees a
/// stride of 1.
fn add_induction_variables(editor: &mut FuncEditor<'_>, fast: Block, entry: Block) {
    let body = editor.func.block(fast).clone();
    let inside: HashSet<Var> =
        body.params.iter().copied().chain(body.insts.iter().map(|inst| inst.result)).collect();
    let end = body.terminator.as_ref().expect("V3: a verified block ends in a terminator");
    let Some(back_edge) = end.kind.targets().find(|target| target.block == fast) else { return };
    let unit_counter = |var: Var| {
        let at = body.params.iter().position(|param| *param == var)?;
        let next = back_edge.args[at].var()?;
        let inst = body.insts.iter().find(|inst| inst.result == next)?;
        let InstKind::Op { op, args } = &inst.kind else { return None };
        let by_one = **op == ops::ADD_WRAPPING && args[0].var() == Some(var) && int_of(&args[1]) == Some(1);
        by_one.then_some(at)
    };
    let mut induction: HashMap<Var, Var> = HashMap::new();
    for inst in &body.insts {
        let InstKind::Op { op, args } = &inst.kind else { continue };
        let [a, b] = args.as_slice() else { continue };
        let before = |operand: &Operand| operand.var().is_some_and(|var| !inside.contains(&var));
        let (base, counter) = if before(a) { (a, b) } else { (b, a) };
        let Some(at) =
            counter.var().filter(|_| **op == ops::ADD_WRAPPING && before(base)).and_then(unit_counter)
        else {
            continue;
        };
        let (ty, span) = (editor.func.ty(inst.result), inst.span);
        let [mut initial, mut increment] = [Vec::new(), Vec::new()];
        let new = editor.new_var(ty);
        let TerminatorKind::Br(enter) = &editor.terminator(entry).kind else { return };
        let first = enter.args[at].clone();
        let first =
            editor.func.push_op(&mut initial, &ops::ADD_WRAPPING, vec![base.clone(), first], ty, span);
        let next = editor.func.push_op(
            &mut increment,
            &ops::ADD_WRAPPING,
            vec![new.into(), 1_usize.into()],
            ty,
            span,
        );
        editor.body(entry).insts.extend(initial);
        editor.body(fast).insts.extend(increment);
        editor.body(fast).params.push(new);
        editor.terminator_mut(entry).kind.targets_mut().for_each(|target| target.args.push(first.into()));
        let latches = editor.terminator_mut(fast).kind.targets_mut().filter(|target| target.block == fast);
        latches.for_each(|target| target.args.push(next.into()));
        induction.insert(inst.result, new);
    }
    for inst in &mut editor.body(fast).insts {
        if let InstKind::Op { op, args } = &mut inst.kind
            && [&ops::GET_UNCHECKED, &ops::SET_UNCHECKED].contains(op)
            && let Some(new) = args[1].var().and_then(|at| induction.get(&at))
        {
            args[1] = (*new).into();
        }
    }
}

/// Moves the invariant instructions of the version before it: unchecked operations no longer depend on effects in the loop.
fn hoist_invariant(
    editor: &mut FuncEditor<'_>,
    fast: Block,
    entry: Block,
    unchecked: &HashMap<usize, &'static OpDef>,
) {
    let mut varies: HashSet<Var> = editor.func.block(fast).params.iter().copied().collect();
    let (mut moved, mut kept) = (Vec::new(), Vec::new());
    for (at, inst) in std::mem::take(&mut editor.body(fast).insts).into_iter().enumerate() {
        let is_invariant = inst.kind.operands().filter_map(Operand::var).all(|var| !varies.contains(&var));
        let InstKind::Op { op, .. } = &inst.kind else {
            varies.insert(inst.result);
            kept.push(inst);
            continue;
        };
        let is_pure = unchecked.contains_key(&at) || !has_effect(editor, &inst);
        let may_move = may_share(op, editor.func.ty(inst.result)) && **op != ops::BLACK_BOX;
        if is_invariant && is_pure && may_move {
            moved.push(inst);
        } else {
            varies.insert(inst.result);
            kept.push(inst);
        }
    }
    editor.body(fast).insts = kept;
    editor.body(entry).insts = moved;
}
