//! Checks of overflow that a comparison makes needless.
//!
//! ```text
//!   %c: bool = lt %i, %n                           %c: bool = lt %i, %n
//!   br_if %c, ^body, ^done                 →       br_if %c, ^body, ^done
//! ^body:                                         ^body:
//!   %j: usize = add %i, 1_usize                    %j: usize = add.wrapping %i, 1_usize
//! ```
//!
//! - What is less than something has a successor, what is greater has a predecessor, and `a - b` of numbers without a
//!   sign is one of them where `b < a`.
//! - Lengths are at most half of what a `usize` holds: what is less than one has room for another one that is.
//! - Only what is known of numbers of the same type counts: the largest and the least number are those of the type.
//! - What is known is in [`crate::support::inequalities`].

use hashbrown::HashMap;
use overdub_context::analysis::Dominators;
use overdub_context::ir::{Block, Func, Inst, InstKind, Operand, Ty, TyKind, Var};
use overdub_context::ops::{self, OpDef};

use crate::support::consts::int_of;
use crate::support::func_editor::{Defs, FuncEditor};
use crate::support::inequalities::{Inequalities, Less, Sum};
use crate::support::scope::Scope;

/// Lets additions and subtractions wrap that cannot overflow.
pub(crate) fn run(editor: &mut FuncEditor<'_>, _: &Scope<'_>) -> bool {
    if !editor.func.blocks.iter().flat_map(|body| &body.insts).any(|inst| may_overflow(&editor.func, inst)) {
        return false;
    }
    let analyses = editor.cfg_analyses();
    let (cfg, dominators) = (&analyses.cfg, analyses.dominators());
    let defs = Defs::of(&editor.func);
    let facts = Inequalities::of(editor, cfg, dominators, &defs);
    if facts.are_none() {
        return false;
    }
    let lengths = Lengths::of(&editor.func);
    let mut fit: Vec<(Block, usize, &'static OpDef)> = Vec::new();
    for &block in cfg.reverse_postorder() {
        let known: Vec<&Less> = facts.at(dominators, block).collect();
        if !known.is_empty() {
            let insts = editor.func.block(block).insts.iter().enumerate();
            let is_length = |sum: &Sum| lengths.have(editor, &defs, dominators, block, sum);
            let fits = |inst: &Inst| wrapping(editor, &defs, &known, is_length, &inst.kind);
            fit.extend(insts.filter_map(|(i, inst)| Some((block, i, fits(inst)?))));
        }
    }
    for &(block, i, wrapping) in &fit {
        if let InstKind::Op { op, .. } = &mut editor.body(block).insts[i].kind {
            *op = wrapping;
        }
    }
    !fit.is_empty()
}

/// Whether an instruction adds or subtracts integers with a check.
fn may_overflow(func: &Func, inst: &Inst) -> bool {
    let InstKind::Op { op, .. } = &inst.kind else { return false };
    (**op == ops::ADD || **op == ops::SUB) && matches!(func.ty(inst.result).kind(), TyKind::Int(_))
}

/// The operation that gives the same without a check, if what is known says that it does.
fn wrapping(
    editor: &FuncEditor<'_>,
    defs: &Defs,
    known: &[&Less],
    is_length: impl Fn(&Sum) -> bool,
    kind: &InstKind,
) -> Option<&'static OpDef> {
    let InstKind::Op { op, args } = kind else { return None };
    let [a, b] = args.as_slice() else { return None };
    let is_add = **op == ops::ADD;
    if !is_add && **op != ops::SUB {
        return None;
    }
    let ty = editor.ty(a);
    let TyKind::Int(int) = ty.kind() else { return None };
    let known: Vec<&Less> = known.iter().copied().filter(|fact| fact.int == *int).collect();
    let sum = |operand: &Operand| Sum::of(editor, defs, operand);
    let fits = match (int_of(a), int_of(b)) {
        (_, Some(n)) if is_add => has_room(&known, &sum(a), n),
        (Some(n), _) if is_add => has_room(&known, &sum(b), n),
        (_, Some(1)) => {
            let a = sum(a);
            known.iter().any(|fact| fact.high == a)
        }
        _ if !is_add && !int.is_signed() => {
            let (a, b) = (sum(a), sum(b));
            known.iter().any(|fact| fact.high == a && fact.low == b)
        }
        _ if is_add && ty == Ty::usize() => {
            let below_length = |sum: Sum| known.iter().any(|fact| fact.low == sum && is_length(&fact.high));
            below_length(sum(a)) && below_length(sum(b))
        }
        _ => false,
    };
    fits.then_some(if is_add { &ops::ADD_WRAPPING } else { &ops::SUB_WRAPPING })
}

/// Whether `n` more than `sum` is at most something that is known to be one of its type.
fn has_room(known: &[&Less], sum: &Sum, n: i128) -> bool {
    let has = |fact: &Less| {
        // What is less than `x - 3` has room for three more than its successor.
        let room = fact.low.plus.checked_add(1)?.checked_sub(fact.high.plus.min(0))?;
        Some(fact.low.of == sum.of && sum.plus.checked_add(n)? <= room)
    };
    n >= 0 && known.iter().any(|fact| has(fact) == Some(true))
}

/// What vectors have as their lengths: each takes at most `isize::MAX` bytes.
struct Lengths {
    /// The blocks in which vectors of so many elements are made.
    made: HashMap<Var, Vec<Block>>,
}

impl Lengths {
    fn of(func: &Func) -> Lengths {
        let mut made: HashMap<Var, Vec<Block>> = HashMap::new();
        for (block, body) in func.iter_blocks() {
            for inst in &body.insts {
                if let InstKind::Op { op, args } = &inst.kind
                    && **op == ops::REPEAT
                    && takes_room(func.ty(inst.result))
                    && let Some(len) = args.get(1).and_then(Operand::var)
                {
                    made.entry(len).or_default().push(block);
                }
            }
        }
        Lengths { made }
    }

    /// Whether a sum is at most a length where a block begins.
    fn have(
        &self,
        editor: &FuncEditor<'_>,
        defs: &Defs,
        dominators: &Dominators,
        block: Block,
        sum: &Sum,
    ) -> bool {
        let Some(of) = sum.of.as_ref().filter(|_| sum.plus <= 0) else { return false };
        let is_len = || match defs.inst(&editor.func, of) {
            Some(InstKind::Op { op, args }) => **op == ops::LEN && takes_room(editor.ty(&args[0])),
            _ => false,
        };
        let made = of.var().and_then(|var| self.made.get(&var)).into_iter().flatten();
        is_len() || made.into_iter().any(|made| *made != block && dominators.dominates(*made, block))
    }
}

/// Whether the elements of an array take room.
fn takes_room(array: Ty) -> bool {
    let TyKind::Array(array) = array.kind() else { return false };
    array.rank == 1
        && matches!(array.elem.kind(), TyKind::Bool | TyKind::Char | TyKind::Int(_) | TyKind::Float(_))
}
