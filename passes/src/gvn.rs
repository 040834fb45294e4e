//! Global value numbering: what was computed before is not computed again, and what was decided is known.
//!
//! ```text
//!   %a: f64 = sin %x                               %a: f64 = sin %x
//!   %c: bool = lt %i, %n                           %c: bool = lt %i, %n
//!   br_if %c, ^then, ^else                 →       br_if %c, ^then, ^else
//! ^then:                                         ^then:
//!   %b: f64 = sin %x                               %d: f64 = mul %a, %a
//!   %d: f64 = mul %a, %b
//!   br_if %c, ^more, ^done                         br ^more
//! ```
//!
//! - Shared is what neither reads nor changes cells and makes nothing with an identity. What fails fails the first
//!   time, so the second is the same value.
//! - Arrays are not shared where they are made: who changes one of two in place may not find another owner.
//! - A block that is entered in one way knows the decision that led to it.

use hashbrown::HashMap;
use overdub_context::analysis::{Cfg, Dominators};
use overdub_context::ir::{Block, InstKind, IntTy, Operand, Target, TerminatorKind, Ty, TyKind, Var};
use overdub_context::ops::{self, OpDef};

use crate::scope::Scope;
use crate::work::Work;

/// What two instructions that compute the same have in common.
type Key = (InstKind, Ty);

/// What was computed on the way to a block.
#[derive(Default)]
struct Known {
    values: HashMap<Key, Var>,
    tags: HashMap<Var, i128>,
    /// What to forget when a block is left.
    undo: Vec<Undo>,
}

enum Undo {
    Value(Key),
    Tag(Var),
    /// A variable stood for itself.
    Stands(Var),
}

/// Shares what is computed twice.
pub(crate) fn run(work: &mut Work<'_>, _: &Scope<'_>) -> bool {
    let cfg = Cfg::new(&work.func);
    let dominators = Dominators::new(&cfg);
    let mut known = Known::default();
    let mut stands: HashMap<Var, Operand> = HashMap::new();
    let mut gone = vec![false; work.func.vars.len()];
    let mut changed = false;
    let mut pending = vec![(Block::ENTRY, None)];
    while let Some((block, left)) = pending.pop() {
        if let Some(mark) = left {
            forget(&mut known, &mut stands, mark);
            continue;
        }
        pending.push((block, Some(known.undo.len())));
        if let [pred] = cfg.preds(block) {
            learn(work, *pred, block, &mut known, &mut stands);
        }
        let mut insts = std::mem::take(&mut work.body(block).insts);
        for inst in &mut insts {
            for operand in inst.kind.operands_mut() {
                changed |= put(work, operand, &stands);
            }
            let Some(key) = key(work, &inst.kind, inst.result) else { continue };
            if let Some(&first) = known.values.get(&key) {
                work.replace(inst.result, first.into());
                gone[inst.result.index()] = true;
                changed = true;
            } else {
                known.values.insert(key.clone(), inst.result);
                known.undo.push(Undo::Value(key));
            }
        }
        insts.retain(|inst| !gone[inst.result.index()]);
        let mut end = work.end(block).clone();
        if let Some(operand) = end.kind.operand_mut() {
            changed |= put(work, operand, &stands);
        }
        for operand in end.kind.targets_mut().flat_map(|target| &mut target.args) {
            changed |= put(work, operand, &stands);
        }
        if let TerminatorKind::Switch { on: Operand::Var(on), cases, otherwise } = &end.kind
            && let Some(tag) = known.tags.get(on)
        {
            let case = cases.iter().find(|case| case.value == *tag).map(|case| &case.target);
            if let Some(target) = case.or(otherwise.as_ref()).cloned() {
                end.kind = TerminatorKind::Br(target);
                changed = true;
            }
        }
        work.body(block).insts = insts;
        *work.end_mut(block) = end;
        pending.extend(dominators.children(block).map(|child| (child, None)));
    }
    work.carry_out();
    work.prune();
    changed
}

fn put(work: &Work<'_>, operand: &mut Operand, stands: &HashMap<Var, Operand>) -> bool {
    *operand = work.resolve(operand);
    match operand.var().and_then(|var| stands.get(&var)) {
        Some(constant) => {
            *operand = constant.clone();
            true
        }
        None => false,
    }
}

fn forget(known: &mut Known, stands: &mut HashMap<Var, Operand>, mark: usize) {
    for undo in known.undo.drain(mark..) {
        match undo {
            Undo::Value(key) => drop(known.values.remove(&key)),
            Undo::Tag(var) => drop(known.tags.remove(&var)),
            Undo::Stands(var) => drop(stands.remove(&var)),
        }
    }
}

/// What the only way into a block says.
fn learn(work: &Work<'_>, pred: Block, block: Block, known: &mut Known, stands: &mut HashMap<Var, Operand>) {
    let here = |target: &Target| target.block == block;
    match &work.end(pred).kind {
        TerminatorKind::BrIf { cond: Operand::Var(cond), then, otherwise }
            if here(then) != here(otherwise) =>
        {
            if !stands.contains_key(cond) {
                stands.insert(*cond, here(then).into());
                known.undo.push(Undo::Stands(*cond));
            }
        }
        TerminatorKind::Switch { on: Operand::Var(on), cases, otherwise } => {
            let mut leading = cases.iter().filter(|case| here(&case.target));
            let (Some(case), None) = (leading.next(), leading.next()) else { return };
            if otherwise.as_ref().is_some_and(here) || !matches!(work.func.ty(*on).kind(), TyKind::Enum(_)) {
                return;
            }
            if known.tags.insert(*on, case.value).is_none() {
                known.undo.push(Undo::Tag(*on));
            }
        }
        TerminatorKind::BrIf { .. }
        | TerminatorKind::Switch { .. }
        | TerminatorKind::Br(_)
        | TerminatorKind::Ret(_)
        | TerminatorKind::Fail(_) => {}
    }
}

/// The key of an instruction; none for what is not shared.
fn key(work: &Work<'_>, kind: &InstKind, result: Var) -> Option<Key> {
    let InstKind::Op { op, args } = kind else { return None };
    if !may_share(op, work.func.ty(result)) {
        return None;
    }
    let mut args = args.clone();
    if let [x, y] = args.as_mut_slice()
        && commutes(op, work.ty(x))
        && rank(x) > rank(y)
    {
        std::mem::swap(x, y);
    }
    let kind = InstKind::Op { op, args };
    // Operations may go by the type that their result is declared to have.
    Some((kind, work.func.ty(result)))
}

/// Constants come after variables, those in the order of their numbers.
fn rank(operand: &Operand) -> u32 {
    operand.var().map_or(u32::MAX, |var| var.0)
}

/// Whether one result may stand for two.
pub(crate) fn may_share(op: &OpDef, ty: Ty) -> bool {
    let effects = op.effects;
    if effects.reads || effects.writes || effects.makes {
        return false;
    }
    let reads_part = *op == ops::FIELD || *op == ops::PAYLOAD || *op == ops::CAPTURED || *op == ops::GET;
    match ty.kind() {
        TyKind::Unit
        | TyKind::Never
        | TyKind::Bool
        | TyKind::Char
        | TyKind::Str
        | TyKind::Int(_)
        | TyKind::Float(_) => true,
        TyKind::Array(_) | TyKind::Stack(_) | TyKind::Struct(_) | TyKind::Enum(_) | TyKind::Tuple(_) => {
            reads_part
        }
        TyKind::Closure(_) | TyKind::Fn(_) | TyKind::Ref(_) | TyKind::Opaque(_) => false,
    }
}

/// Whether the operands may be exchanged; of floats, the first `NaN` comes out, so they may not.
fn commutes(op: &OpDef, ty: Ty) -> bool {
    let exact = matches!(ty.kind(), TyKind::Int(_) | TyKind::Bool | TyKind::Char);
    let equality = *op == ops::EQ || *op == ops::NE;
    let arithmetic = *op == ops::ADD
        || *op == ops::MUL
        || *op == ops::ADD_WRAPPING
        || *op == ops::MUL_WRAPPING
        || *op == ops::AND
        || *op == ops::OR
        || *op == ops::XOR
        || *op == ops::MIN
        || *op == ops::MAX;
    equality || exact && arithmetic && !matches!(ty.kind(), TyKind::Int(IntTy::I128 | IntTy::U128))
}
