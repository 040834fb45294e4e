//! Overflow check elimination: arithmetic that dominating comparisons prove not to overflow becomes wrapping.
//!
//! ```text
//!   %c: bool = lt %i, %n                           %c: bool = lt %i, %n
//!   br_if %c, ^body, ^done                 →       br_if %c, ^body, ^done
//! ^body:                                         ^body:
//!   %j: usize = add %i, 1_usize                    %j: usize = add.wrapping %i, 1_usize
//! ```
//!
//! - OVF1 a value that is less than another one has a successor, a value that is greater has a predecessor;
//!   `a - b` of unsigned integers does not overflow where `b < a`.
//! - OVF2 lengths are at most `isize::MAX`, so the sum of two values below lengths fits a `usize`.
//! - OVF3 only inequalities of the operands' own type are used, since the argument relies on the bounds of
//!   the type.
//! - OVF4 inequalities come from [`crate::support::inequalities`].

use hashbrown::HashMap;
use overdub_context::analysis::Dominators;
use overdub_context::ir::{Block, Func, Inst, InstKind, Operand, Ty, TyKind, Var};
use overdub_context::ops::{self, OpDef};

use crate::support::consts::int_of;
use crate::support::inequalities::{Inequalities, LessThan, LinearExpr};
use crate::support::scope::Scope;
use overdub_context::analysis::Defs;
use overdub_context::edit::FuncEditor;

/// Replaces additions and subtractions that cannot overflow by wrapping ones.
pub(crate) fn run(editor: &mut FuncEditor<'_>, _: &Scope<'_>) -> bool {
    if !editor.func.blocks.iter().flat_map(|body| &body.insts).any(|inst| may_overflow(&editor.func, inst)) {
        return false;
    }
    let analyses = editor.cfg_analyses();
    let (cfg, dominators) = (&analyses.cfg, analyses.dominators());
    let defs = Defs::of(&editor.func);
    let inequalities = Inequalities::of(editor, cfg, dominators, &defs);
    if inequalities.are_none() {
        return false;
    }
    let lengths = Lengths::of(&editor.func);
    let mut fit: Vec<(Block, usize, &'static OpDef)> = Vec::new();
    for &block in cfg.reverse_postorder() {
        let known: Vec<&LessThan> = inequalities.at(dominators, block).collect();
        if !known.is_empty() {
            let insts = editor.func.block(block).insts.iter().enumerate();
            let is_length = |sum: &LinearExpr| lengths.bound(editor, &defs, dominators, block, sum);
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

/// Whether an instruction is a checked addition or subtraction of integers.
fn may_overflow(func: &Func, inst: &Inst) -> bool {
    let InstKind::Op { op, .. } = &inst.kind else { return false };
    (**op == ops::ADD || **op == ops::SUB) && matches!(func.ty(inst.result).kind(), TyKind::Int(_))
}

/// The wrapping operation for an instruction, if the known inequalities exclude an overflow.
fn wrapping(
    editor: &FuncEditor<'_>,
    defs: &Defs,
    known: &[&LessThan],
    is_length: impl Fn(&LinearExpr) -> bool,
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
    let known: Vec<&LessThan> = known.iter().copied().filter(|known| known.int == *int).collect();
    let sum = |operand: &Operand| LinearExpr::of(editor, defs, operand);
    let fits = match (int_of(a), int_of(b)) {
        (_, Some(n)) if is_add => cannot_overflow(&known, &sum(a), n),
        (Some(n), _) if is_add => cannot_overflow(&known, &sum(b), n),
        (_, Some(1)) => {
            let a = sum(a);
            known.iter().any(|known| known.high == a)
        }
        _ if !is_add && !int.is_signed() => {
            let (a, b) = (sum(a), sum(b));
            known.iter().any(|known| known.high == a && known.low == b)
        }
        _ if is_add && ty == Ty::usize() => {
            let below_length =
                |sum: LinearExpr| known.iter().any(|known| known.low == sum && is_length(&known.high));
            below_length(sum(a)) && below_length(sum(b))
        }
        _ => false,
    };
    fits.then_some(if is_add { &ops::ADD_WRAPPING } else { &ops::SUB_WRAPPING })
}

/// Whether `sum + n` is at most a value of its type (OVF1).
fn cannot_overflow(known: &[&LessThan], sum: &LinearExpr, n: i128) -> bool {
    let has = |known: &LessThan| {
        // A value less than `x - 3` can be increased by 1 (OVF1) plus 3.
        let margin = known.low.offset.checked_add(1)?.checked_sub(known.high.offset.min(0))?;
        Some(known.low.base == sum.base && sum.offset.checked_add(n)? <= margin)
    };
    n >= 0 && known.iter().any(|known| has(known) == Some(true))
}

/// The variables that are lengths of arrays (OVF2): an array occupies at most `isize::MAX` bytes.
struct Lengths {
    /// The blocks that create arrays with this variable as their length.
    creating: HashMap<Var, Vec<Block>>,
}

impl Lengths {
    fn of(func: &Func) -> Lengths {
        let mut creating: HashMap<Var, Vec<Block>> = HashMap::new();
        for (block, body) in func.iter_blocks() {
            for inst in &body.insts {
                if let InstKind::Op { op, args } = &inst.kind
                    && **op == ops::REPEAT
                    && has_sized_elements(func.ty(inst.result))
                    && let Some(len) = args.get(1).and_then(Operand::var)
                {
                    creating.entry(len).or_default().push(block);
                }
            }
        }
        Lengths { creating }
    }

    /// Whether an expression is at most a length where a block begins.
    fn bound(
        &self,
        editor: &FuncEditor<'_>,
        defs: &Defs,
        dominators: &Dominators,
        block: Block,
        sum: &LinearExpr,
    ) -> bool {
        let Some(of) = sum.base.as_ref().filter(|_| sum.offset <= 0) else { return false };
        let is_len = || match defs.inst(&editor.func, of) {
            Some(InstKind::Op { op, args }) => **op == ops::LEN && has_sized_elements(editor.ty(&args[0])),
            _ => false,
        };
        let created_in = of.var().and_then(|var| self.creating.get(&var)).into_iter().flatten();
        is_len()
            || created_in
                .into_iter()
                .any(|block_of_cell| *block_of_cell != block && dominators.dominates(*block_of_cell, block))
    }
}

/// Whether the elements of an array have a size greater than zero.
fn has_sized_elements(array: Ty) -> bool {
    let TyKind::Array(array) = array.kind() else { return false };
    array.rank == 1
        && matches!(array.elem.kind(), TyKind::Bool | TyKind::Char | TyKind::Int(_) | TyKind::Float(_))
}
