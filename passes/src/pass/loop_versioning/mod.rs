//! Loops that check before they begin what they would check in each round.
//!
//! ```text
//!                                                  %h: usize = sub.wrapping %n, 1_usize
//!                                                  %l: usize = len %xs
//!                                                  %in: bool = lt %h, %l
//!                                                  … that %n is small, and that there is a first round
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
//! - Rotated loops of one block, whose counter of type `usize` grows by one or falls by one.
//! - W1 sums and products of counters and of what does not change in the loop never fall where these grow: what is
//!   computed of the largest of them is the largest. What goes in is held to be less than 2^31, so that nothing of fewer
//!   than 64 bits is cut off.
//! - Where the checks do not hold, the loop is the one that was there: it fails where and as it did.

mod preconditions;

use hashbrown::{HashMap, HashSet};
use overdub_context::analysis::{Cfg, LoopId, LoopNest};
use overdub_context::ir::{Block, Inst, InstKind, Operand, Target, Terminator, TerminatorKind, Var};
use overdub_context::ops::{self, OpDef};

use crate::support::clone_blocks::{self, Ends};
use crate::support::consts::int_of;
use crate::support::effects::has_effect;
use crate::support::effects::may_share;
use crate::support::func_editor::{Defs, FuncEditor, br};
use crate::support::loops::preheader;
use crate::support::scope::Scope;
use preconditions::checks;

/// Longer loops stay as they are.
const LONGEST: usize = 200;

/// What is asked before a loop, and what each of its instructions is where that holds.
struct Checks {
    insts: Vec<Inst>,
    holds: Operand,
    unchecked: HashMap<usize, &'static OpDef>,
}

/// Gives loops a version without checks.
pub(crate) fn run(editor: &mut FuncEditor<'_>, _: &Scope<'_>) -> bool {
    let analyses = editor.cfg_analyses();
    let (cfg, nest) = (&analyses.cfg, analyses.loops());
    let found: Vec<Block> = nest.iter().filter_map(|(id, _)| whole(editor, cfg, nest, id)).collect();
    if found.is_empty() {
        return false;
    }
    let befores: Vec<Block> = found.iter().map(|block| preheader(editor, cfg, *block, &[*block])).collect();
    let defs = Defs::of(&editor.func);
    let mut ends = Ends::default();
    for (block, before) in found.into_iter().zip(befores) {
        if let Some(checks) = checks(editor, &defs, block, before) {
            split(editor, block, before, checks, &mut ends);
        }
    }
    let changed = !ends.is_empty();
    clone_blocks::meet_again(editor, ends);
    changed
}

/// The one block of a loop that reads or writes arrays, if it has one.
fn whole(editor: &FuncEditor<'_>, cfg: &Cfg, nest: &LoopNest, id: LoopId) -> Option<Block> {
    let this = nest.get(id);
    let body = editor.func.block(this.header);
    let is_whole = this.latches == [this.header] && cfg.succs(this.header).contains(&this.header);
    let accesses =
        |inst: &Inst| matches!(&inst.kind, InstKind::Op { op, .. } if **op == ops::GET || **op == ops::SET);
    let is_short = body.insts.len() <= LONGEST;
    let is_one = is_whole && is_short && body.insts.iter().any(accesses);
    (is_one && !has_version(editor, cfg, this.header)).then_some(this.header)
}

/// How often arrays are read or written.
fn accesses(insts: &[Inst]) -> usize {
    const ACCESSES: &[&OpDef] = &[&ops::GET, &ops::GET_UNCHECKED, &ops::SET, &ops::SET_UNCHECKED];
    let is_one = |inst: &&Inst| matches!(&inst.kind, InstKind::Op { op, .. } if ACCESSES.contains(op));
    insts.iter().filter(is_one).count()
}

/// Whether a loop is the one that is left where checks do not hold.
fn has_version(editor: &FuncEditor<'_>, cfg: &Cfg, block: Block) -> bool {
    let is_checked = |pred: &Block| {
        let TerminatorKind::BrIf { then, otherwise, .. } = &editor.end(*pred).kind else { return false };
        let outside = editor.func.block(then.block);
        let TerminatorKind::Br(to) = &editor.end(then.block).kind else { return false };
        let fast = editor.func.block(to.block);
        otherwise.block == block
            && cfg.succs(to.block).contains(&to.block)
            && accesses(&outside.insts) + accesses(&fast.insts) == accesses(&editor.func.block(block).insts)
    };
    cfg.preds(block).iter().any(|pred| *pred != block && is_checked(pred))
}

/// Lets a loop go on in a version of its own where the checks hold.
fn split(editor: &mut FuncEditor<'_>, block: Block, before: Block, checks: Checks, ends: &mut Ends) {
    let (outside, fast) = (editor.new_block(None), editor.new_block(None));
    let TerminatorKind::Br(enter) = editor.end(before).kind.clone() else {
        unreachable!("a preheader goes to the loop alone")
    };
    let params: Vec<Var> = editor.func.block(block).params.clone();
    let params: Vec<Var> =
        params.into_iter().map(|param| editor.new_var_like(editor.func.vars[param.index()])).collect();
    // What a parameter is that hands on itself is known outside.
    let again = editor.end(block).kind.targets().find(|target| target.block == block).cloned();
    let olds = editor.func.block(block).params.clone();
    let same = |k: usize| again.as_ref().is_some_and(|again| again.args[k].var() == Some(olds[k]));
    let handed = params.iter().enumerate();
    let handed = handed.map(|(k, new)| if same(k) { enter.args[k].clone() } else { (*new).into() }).collect();
    editor.body(fast).params = params;
    clone_blocks::defines(editor, block, ends);
    let here = clone_blocks::copy_insts(editor, block, handed, fast, ends);
    let Terminator { mut kind, span } = editor.end(block).clone();
    kind.operand_mut().into_iter().for_each(|operand| clone_blocks::put(&here, operand));
    for target in kind.targets_mut() {
        target.args.iter_mut().for_each(|arg| clone_blocks::put(&here, arg));
        if target.block == block {
            target.block = fast;
        }
    }
    editor.body(fast).terminator = Some(Terminator { kind, span });
    for (at, unchecked) in &checks.unchecked {
        if let InstKind::Op { op, .. } = &mut editor.body(fast).insts[*at].kind {
            *op = unchecked;
        }
    }
    move_before(editor, fast, outside, &checks.unchecked);
    editor.body(outside).terminator = Some(br(fast, enter.args.clone(), span));
    follow(editor, fast, outside);
    editor.body(before).insts.extend(checks.insts);
    let then = Target { block: outside, args: Vec::new() };
    let kind = TerminatorKind::BrIf { cond: checks.holds, then, otherwise: enter };
    editor.body(before).terminator = Some(Terminator { kind, span });
}

/// Lets indices that are so much more than a counter be counters of their own: who reads side by side sees that they go
/// on by one.
fn follow(editor: &mut FuncEditor<'_>, fast: Block, outside: Block) {
    let body = editor.func.block(fast).clone();
    let inside: HashSet<Var> =
        body.params.iter().copied().chain(body.insts.iter().map(|inst| inst.result)).collect();
    let end = body.terminator.as_ref().expect("V3: a verified block ends in a terminator");
    let Some(again) = end.kind.targets().find(|target| target.block == fast) else { return };
    let counts = |var: Var| {
        let at = body.params.iter().position(|param| *param == var)?;
        let next = again.args[at].var()?;
        let inst = body.insts.iter().find(|inst| inst.result == next)?;
        let InstKind::Op { op, args } = &inst.kind else { return None };
        let by_one = **op == ops::ADD_WRAPPING && args[0].var() == Some(var) && int_of(&args[1]) == Some(1);
        by_one.then_some(at)
    };
    let mut followed: HashMap<Var, Var> = HashMap::new();
    for inst in &body.insts {
        let InstKind::Op { op, args } = &inst.kind else { continue };
        let [a, b] = args.as_slice() else { continue };
        let before = |operand: &Operand| operand.var().is_some_and(|var| !inside.contains(&var));
        let (base, counter) = if before(a) { (a, b) } else { (b, a) };
        let Some(at) = counter.var().filter(|_| **op == ops::ADD_WRAPPING && before(base)).and_then(counts)
        else {
            continue;
        };
        let (ty, span) = (editor.func.ty(inst.result), inst.span);
        let [mut begin, mut go_on] = [Vec::new(), Vec::new()];
        let new = editor.new_var(ty);
        let TerminatorKind::Br(enter) = &editor.end(outside).kind else { return };
        let first = enter.args[at].clone();
        let first = editor.op(&mut begin, &ops::ADD_WRAPPING, vec![base.clone(), first], ty, span);
        let next = editor.op(&mut go_on, &ops::ADD_WRAPPING, vec![new.into(), 1_usize.into()], ty, span);
        editor.body(outside).insts.extend(begin);
        editor.body(fast).insts.extend(go_on);
        editor.body(fast).params.push(new);
        editor.end_mut(outside).kind.targets_mut().for_each(|target| target.args.push(first.into()));
        let back = editor.end_mut(fast).kind.targets_mut().filter(|target| target.block == fast);
        back.for_each(|target| target.args.push(next.into()));
        followed.insert(inst.result, new);
    }
    for inst in &mut editor.body(fast).insts {
        if let InstKind::Op { op, args } = &mut inst.kind
            && [&ops::GET_UNCHECKED, &ops::SET_UNCHECKED].contains(op)
            && let Some(new) = args[1].var().and_then(|at| followed.get(&at))
        {
            args[1] = (*new).into();
        }
    }
}

/// Moves what is invariant in the version without checks before it: what was checked before the loop needs nothing that
/// happens in it.
fn move_before(
    editor: &mut FuncEditor<'_>,
    fast: Block,
    outside: Block,
    unchecked: &HashMap<usize, &'static OpDef>,
) {
    let mut varies: HashSet<Var> = editor.func.block(fast).params.iter().copied().collect();
    let (mut moved, mut stay) = (Vec::new(), Vec::new());
    for (at, inst) in std::mem::take(&mut editor.body(fast).insts).into_iter().enumerate() {
        let is_invariant = inst.kind.operands().filter_map(Operand::var).all(|var| !varies.contains(&var));
        let InstKind::Op { op, .. } = &inst.kind else {
            varies.insert(inst.result);
            stay.push(inst);
            continue;
        };
        let is_pure = unchecked.contains_key(&at) || !has_effect(editor, &inst);
        let may_move = may_share(op, editor.func.ty(inst.result)) && **op != ops::BLACK_BOX;
        if is_invariant && is_pure && may_move {
            moved.push(inst);
        } else {
            varies.insert(inst.result);
            stay.push(inst);
        }
    }
    editor.body(fast).insts = stay;
    editor.body(outside).insts = moved;
}
