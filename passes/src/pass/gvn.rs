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

use std::hash::{BuildHasher, Hash, Hasher};

use hashbrown::{DefaultHashBuilder, HashMap, HashTable};
use overdub_context::ir::{Block, Inst, InstKind, IntTy, Operand, Target, TerminatorKind, Ty, TyKind, Var};
use overdub_context::ops::{self, OpDef};

use crate::support::effects::may_share;
use crate::support::func_editor::{FuncEditor, Subst};
use crate::support::scope::Scope;

/// What was computed on the way to a block.
#[derive(Default)]
struct Known {
    values: HashTable<Computed>,
    hashes: DefaultHashBuilder,
    tags: HashMap<Var, i128>,
    /// What to forget when a block is left.
    undo: Vec<Undo>,
}

/// An instruction that was met before: the hash of what it computes, and where it stands.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Computed {
    hash: u64,
    block: Block,
    at: usize,
}

enum Undo {
    Value(Computed),
    Tag(Var),
    /// A variable stood for itself.
    Stands(Var),
}

/// The decisions that are known to have been taken.
struct Decisions(Vec<Option<bool>>);

/// Shares what is computed twice.
pub(crate) fn run(editor: &mut FuncEditor<'_>, _: &Scope<'_>) -> bool {
    let analyses = editor.cfg_analyses();
    let mut known = Known { values: HashTable::with_capacity(editor.size()), ..Known::default() };
    let mut decisions = Decisions(vec![None; editor.func.vars.len()]);
    let mut gone = vec![false; editor.func.vars.len()];
    let mut changed = false;
    let mut pending = vec![(Block::ENTRY, None)];
    while let Some((block, left)) = pending.pop() {
        if let Some(mark) = left {
            forget(&mut known, &mut decisions, mark);
            continue;
        }
        pending.push((block, Some(known.undo.len())));
        if let [pred] = analyses.cfg.preds(block) {
            learn(editor, *pred, block, &mut known, &mut decisions);
        }
        let mut insts = std::mem::take(&mut editor.body(block).insts);
        for at in 0..insts.len() {
            let (_, subst) = editor.body_and_subst(block);
            for operand in insts[at].kind.operands_mut() {
                changed |= put(subst, operand, &decisions);
            }
            if let Some(first) = known.computed(editor, block, &insts, at) {
                editor.replace(insts[at].result, first.into());
                gone[insts[at].result.index()] = true;
                changed = true;
            }
        }
        editor.body(block).insts = insts;
        changed |= at_end(editor, block, &known, &decisions);
        pending.extend(analyses.dominators().children(block).map(|child| (child, None)));
    }
    editor.drop_insts(&gone);
    editor.carry_out();
    editor.prune();
    changed
}

/// The same at the end of a block.
fn at_end(editor: &mut FuncEditor<'_>, block: Block, known: &Known, decisions: &Decisions) -> bool {
    let mut changed = false;
    let (body, subst) = editor.body_and_subst(block);
    let end = body.terminator.as_mut().expect("V3: a verified block ends in a terminator");
    if let Some(operand) = end.kind.operand_mut() {
        changed |= put(subst, operand, decisions);
    }
    for operand in end.kind.targets_mut().flat_map(|target| &mut target.args) {
        changed |= put(subst, operand, decisions);
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
    changed
}

/// Puts what stands for it in the place of an operand; says whether that is a decision.
fn put(subst: Subst<'_>, operand: &mut Operand, decisions: &Decisions) -> bool {
    let Operand::Var(var) = operand else { return false };
    let var = match subst.stands_for(*var) {
        Some(other) => {
            *operand = other;
            let Operand::Var(var) = operand else { return false };
            *var
        }
        None => *var,
    };
    match decisions.0[var.index()] {
        Some(decision) => {
            *operand = decision.into();
            true
        }
        None => false,
    }
}

fn forget(known: &mut Known, decisions: &mut Decisions, mark: usize) {
    for undo in known.undo.drain(mark..) {
        match undo {
            Undo::Value(value) => {
                if let Ok(entry) = known.values.find_entry(value.hash, |other| *other == value) {
                    entry.remove();
                }
            }
            Undo::Tag(var) => drop(known.tags.remove(&var)),
            Undo::Stands(var) => decisions.0[var.index()] = None,
        }
    }
}

/// What the only way into a block says.
fn learn(editor: &FuncEditor<'_>, pred: Block, block: Block, known: &mut Known, decisions: &mut Decisions) {
    let here = |target: &Target| target.block == block;
    match &editor.end(pred).kind {
        TerminatorKind::BrIf { cond: Operand::Var(cond), then, otherwise }
            if here(then) != here(otherwise) =>
        {
            if decisions.0[cond.index()].is_none() {
                decisions.0[cond.index()] = Some(here(then));
                known.undo.push(Undo::Stands(*cond));
            }
        }
        TerminatorKind::Switch { on: Operand::Var(on), cases, otherwise } => {
            let mut leading = cases.iter().filter(|case| here(&case.target));
            let (Some(case), None) = (leading.next(), leading.next()) else { return };
            if otherwise.as_ref().is_some_and(here) || !matches!(editor.func.ty(*on).kind(), TyKind::Enum(_))
            {
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

impl Known {
    /// The variable that holds already what an instruction computes, which is noted if there is none.
    fn computed(&mut self, editor: &FuncEditor<'_>, block: Block, insts: &[Inst], at: usize) -> Option<Var> {
        let this = Key::of(editor, &insts[at])?;
        let hash = this.hash(self.hashes.build_hasher());
        // The instructions of the block at hand are not in the function just now.
        let inst = |other: &Computed| match other.block == block {
            true => &insts[other.at],
            false => &editor.func.block(other.block).insts[other.at],
        };
        let same = |other: &Computed| {
            other.hash == hash && Key::of(editor, inst(other)).is_some_and(|other| other.same(&this))
        };
        if let Some(first) = self.values.find(hash, same) {
            return Some(inst(first).result);
        }
        let value = Computed { hash, block, at };
        self.values.insert_unique(hash, value, |value| value.hash);
        self.undo.push(Undo::Value(value));
        None
    }
}

/// What two instructions that compute the same have in common.
struct Key<'i> {
    op: &'static OpDef,
    /// Operations may go by the type that their result is declared to have.
    ty: Ty,
    args: &'i [Operand],
    /// Of two operands that may be exchanged, the second one comes first.
    turned: bool,
}

impl<'i> Key<'i> {
    /// The key of an instruction; none for what is not shared.
    fn of(editor: &FuncEditor<'_>, inst: &'i Inst) -> Option<Key<'i>> {
        let InstKind::Op { op, args } = &inst.kind else { return None };
        let ty = editor.func.ty(inst.result);
        if !may_share(op, ty) {
            return None;
        }
        let turned = matches!(args.as_slice(), [x, y] if rank(x) > rank(y) && commutes(op, editor.ty(x)));
        Some(Key { op, ty, args, turned })
    }

    fn args(&self) -> impl Iterator<Item = &'i Operand> {
        let (first, second) = self.args.split_at(if self.turned { 1 } else { 0 });
        second.iter().chain(first)
    }

    fn same(&self, other: &Key<'_>) -> bool {
        *self.op == *other.op && self.ty == other.ty && self.args().eq(other.args())
    }

    fn hash(&self, mut state: impl Hasher) -> u64 {
        std::ptr::hash(self.op, &mut state);
        self.ty.hash(&mut state);
        self.args().for_each(|arg| match arg {
            Operand::Var(var) => state.write_u32(var.0),
            Operand::Const(constant) => constant.hash(&mut state),
        });
        state.finish()
    }
}

/// Constants come after variables, those in the order of their numbers.
fn rank(operand: &Operand) -> u32 {
    operand.var().map_or(u32::MAX, |var| var.0)
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
