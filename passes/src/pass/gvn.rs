//! Global value numbering: reuses results of equal computations, and uses the outcome of dominating branches.
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
//! - GVN1 operations are shared as specified by [`crate::support::effects::may_share`]. An operation that
//!   fails does so the first time it is computed, so the second computation yields the same value.
//! - GVN2 in a block with one incoming edge, the outcome of the branch on that edge is known.

use std::hash::{BuildHasher, Hash, Hasher};

use hashbrown::{DefaultHashBuilder, HashMap, HashTable};
use overdub_context::ir::{
    Block, Const, Inst, InstKind, IntTy, Operand, Target, TerminatorKind, Ty, TyKind, Var,
};
use overdub_context::ops::{self, OpDef};
use overdub_context::value::Value;

use crate::support::effects::may_share;
use crate::support::scope::Scope;
use overdub_context::edit::{FuncEditor, Replacements};

/// The values and tags that are available in a block, from itself and the blocks that dominate it.
#[derive(Default)]
struct Available {
    values: HashTable<Computed>,
    hashes: DefaultHashBuilder,
    /// The known tags of enums.
    tags: HashMap<Var, i128>,
    /// The entries to remove when the walk leaves a block.
    undo: Vec<Undo>,
}

/// An instruction that was visited: the hash of its computation, and its place.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Computed {
    hash: u64,
    block: Block,
    index: usize,
}

enum Undo {
    Value(Computed),
    Tag(Var),
    /// The outcome of a condition.
    Outcome(Var),
}

/// The known outcomes of conditions, by variable.
struct Outcomes(Vec<Option<bool>>);

/// Removes computations whose value is available.
pub(crate) fn run(editor: &mut FuncEditor<'_>, _: &Scope<'_>) -> bool {
    let analyses = editor.cfg_analyses();
    let mut available = Available { values: HashTable::with_capacity(editor.size()), ..Available::default() };
    let mut outcomes = Outcomes(vec![None; editor.func.vars.len()]);
    let mut removed = vec![false; editor.func.vars.len()];
    let mut changed = false;
    let mut pending = vec![(Block::ENTRY, None)];
    while let Some((block, left)) = pending.pop() {
        if let Some(mark) = left {
            forget(&mut available, &mut outcomes, mark);
            continue;
        }
        pending.push((block, Some(available.undo.len())));
        if let [pred] = analyses.cfg.preds(block) {
            record_outcomes(editor, *pred, block, &mut available, &mut outcomes);
        }
        let mut insts = std::mem::take(&mut editor.body(block).insts);
        for at in 0..insts.len() {
            let (_, replacements) = editor.body_and_replacements(block);
            for operand in insts[at].kind.operands_mut() {
                changed |= substitute(replacements, operand, &outcomes);
            }
            if let Some(first) = available.value_of(editor, block, &insts, at) {
                editor.replace(insts[at].result, first.into());
                removed[insts[at].result.index()] = true;
                changed = true;
            }
        }
        editor.body(block).insts = insts;
        changed |= visit_terminator(editor, block, &available, &outcomes);
        pending.extend(analyses.dominators().children(block).map(|child| (child, None)));
    }
    editor.remove_insts(&removed);
    editor.apply_replacements();
    editor.clear_unreachable();
    changed
}

/// Substitutes in the terminator of a block, and folds a `switch` on a known tag.
fn visit_terminator(
    editor: &mut FuncEditor<'_>,
    block: Block,
    available: &Available,
    outcomes: &Outcomes,
) -> bool {
    let mut changed = false;
    let (body, replacements) = editor.body_and_replacements(block);
    let end = body.terminator.as_mut().expect("V3: a verified block ends in a terminator");
    if let Some(operand) = end.kind.operand_mut() {
        changed |= substitute(replacements, operand, outcomes);
    }
    for operand in end.kind.targets_mut().flat_map(|target| &mut target.args) {
        changed |= substitute(replacements, operand, outcomes);
    }
    if let TerminatorKind::Switch { on: Operand::Var(on), cases, otherwise } = &end.kind
        && let Some(tag) = available.tags.get(on)
    {
        let case = cases.iter().find(|case| case.value == *tag).map(|case| &case.target);
        if let Some(target) = case.or(otherwise.as_ref()).cloned() {
            end.kind = TerminatorKind::Br(target);
            changed = true;
        }
    }
    changed
}

/// Replaces an operand by its pending replacement and by the known outcome of that; returns whether an
/// outcome was used.
fn substitute(replacements: Replacements<'_>, operand: &mut Operand, outcomes: &Outcomes) -> bool {
    let Operand::Var(var) = operand else { return false };
    let var = match replacements.of(*var) {
        Some(other) => {
            *operand = other;
            let Operand::Var(var) = operand else { return false };
            *var
        }
        None => *var,
    };
    match outcomes.0[var.index()] {
        Some(outcome) => {
            *operand = outcome.into();
            true
        }
        None => false,
    }
}

/// Removes what became available after `mark`.
fn forget(available: &mut Available, outcomes: &mut Outcomes, mark: usize) {
    for undo in available.undo.drain(mark..) {
        match undo {
            Undo::Value(value) => {
                if let Ok(entry) = available.values.find_entry(value.hash, |other| *other == value) {
                    entry.remove();
                }
            }
            Undo::Tag(var) => drop(available.tags.remove(&var)),
            Undo::Outcome(var) => outcomes.0[var.index()] = None,
        }
    }
}

/// Adds the facts that the branch on the only edge into a block implies (GVN2).
fn record_outcomes(
    editor: &FuncEditor<'_>,
    pred: Block,
    block: Block,
    available: &mut Available,
    outcomes: &mut Outcomes,
) {
    let targets_block = |target: &Target| target.block == block;
    match &editor.terminator(pred).kind {
        TerminatorKind::BrIf { cond: Operand::Var(cond), then, otherwise }
            if targets_block(then) != targets_block(otherwise) =>
        {
            if outcomes.0[cond.index()].is_none() {
                outcomes.0[cond.index()] = Some(targets_block(then));
                available.undo.push(Undo::Outcome(*cond));
            }
        }
        TerminatorKind::Switch { on: Operand::Var(on), cases, otherwise } => {
            let mut matching = cases.iter().filter(|case| targets_block(&case.target));
            let (Some(case), None) = (matching.next(), matching.next()) else { return };
            if otherwise.as_ref().is_some_and(targets_block)
                || !matches!(editor.func.ty(*on).kind(), TyKind::Enum(_))
            {
                return;
            }
            if available.tags.insert(*on, case.value).is_none() {
                available.undo.push(Undo::Tag(*on));
            }
        }
        TerminatorKind::BrIf { .. }
        | TerminatorKind::Switch { .. }
        | TerminatorKind::Br(_)
        | TerminatorKind::Ret(_)
        | TerminatorKind::Fail(_) => {}
    }
}

impl Available {
    /// The available variable that holds the value of an instruction; if there is none, the instruction
    /// becomes available.
    fn value_of(&mut self, editor: &FuncEditor<'_>, block: Block, insts: &[Inst], at: usize) -> Option<Var> {
        let this = Key::of(editor, &insts[at])?;
        let hash = this.hash(self.hashes.build_hasher());
        // The instructions of the current block are taken out of the function during its visit.
        let inst = |other: &Computed| match other.block == block {
            true => &insts[other.index],
            false => &editor.func.block(other.block).insts[other.index],
        };
        let same = |other: &Computed| {
            other.hash == hash && Key::of(editor, inst(other)).is_some_and(|other| other.same(&this))
        };
        if let Some(first) = self.values.find(hash, same) {
            return Some(inst(first).result);
        }
        let value = Computed { hash, block, index: at };
        self.values.insert_unique(hash, value, |value| value.hash);
        self.undo.push(Undo::Value(value));
        None
    }
}

/// The key by which instructions that compute the same value are equal.
struct Key<'i> {
    op: &'static OpDef,
    /// The declared type of the result, on which an operation may depend.
    ty: Ty,
    args: &'i [Operand],
    /// Whether the two operands of a commutative operation are swapped into the canonical order.
    is_swapped: bool,
}

impl<'i> Key<'i> {
    /// The key of an instruction, if it may be shared.
    fn of(editor: &FuncEditor<'_>, inst: &'i Inst) -> Option<Key<'i>> {
        let InstKind::Op { op, args } = &inst.kind else { return None };
        let ty = editor.func.ty(inst.result);
        if !may_share(op, ty) {
            return None;
        }
        let is_swapped = match args.as_slice() {
            [x, y] => {
                rank(x) > rank(y)
                    && (commutes(op, editor.ty(x)) || commutes_with(op, x) || commutes_with(op, y))
            }
            _ => false,
        };
        Some(Key { op, ty, args, is_swapped })
    }

    /// The operands in the canonical order.
    fn args(&self) -> impl Iterator<Item = &'i Operand> {
        let (first, second) = self.args.split_at(if self.is_swapped { 1 } else { 0 });
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

/// The canonical order of operands: variables by number, then constants.
fn rank(operand: &Operand) -> u32 {
    operand.var().map_or(u32::MAX, |var| var.0)
}

/// Whether an operation on floats is commutative since this operand is a constant other than NaN.
fn commutes_with(op: &OpDef, operand: &Operand) -> bool {
    let is_number = |constant: &Const| match constant.value() {
        Value::F64(x) => !x.is_nan(),
        Value::F32(x) => !x.is_nan(),
        _ => false,
    };
    (*op == ops::ADD || *op == ops::MUL) && operand.constant().is_some_and(is_number)
}

/// Whether an operation is commutative for all operands. On floats it is not: the result for two NaNs is the first of them.
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
