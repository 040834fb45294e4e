//! Instruction simplification: constant folding and algebraic identities that preserve every result (LLVM:
//! InstCombine).
//!
//! ```text
//! %1: i64 = add 2, 3                    (removed: replaced by 5)
//! %2: i64 = mul %n, 1             →     (removed: replaced by %n)
//! %3: f64 = div %x, 4.0                 %3: f64 = mul %x, 0.25
//! %4: bool = not %c                     br_if %c, ^b, ^a
//! br_if %4, ^a, ^b
//! ```
//!
//! - SIMP1 floats: only identities that are exact for all numbers, infinities and zeros of either sign: `x - 0.0` is
//!   `x`, `x + 0.0` is not (`-0.0`). A square is a product, whose derivative needs no power. Rust leaves open whether an operation
//!   quiets a signalling NaN.
//! - SIMP2 integers: the result fails exactly where the original fails.

use std::borrow::Cow;

use overdub_context::ir::{Block, Const, InstKind, Operand, TerminatorKind, Ty, TyKind};
use overdub_context::ops::{self, OpDef};
use overdub_context::value::Value;

use crate::support::const_fold;
use crate::support::consts::{constant_of, int_of};
use crate::support::scope::Scope;
use overdub_context::analysis::Defs;
use overdub_context::edit::FuncEditor;

/// The simplification of an operation.
enum Simplified {
    Operand(Operand),
    Op(&'static OpDef, Vec<Operand>),
}

/// Simplifies instructions in reverse postorder, then branches on negations.
pub(crate) fn run(editor: &mut FuncEditor<'_>, _: &Scope<'_>) -> bool {
    let defs = Defs::of(&editor.func);
    let analyses = editor.cfg_analyses();
    let order = analyses.cfg.reverse_postorder();
    let mut removed = vec![false; editor.func.vars.len()];
    let mut changed = false;
    for &block in order {
        for i in 0..editor.func.block(block).insts.len() {
            let inst = &editor.func.block(block).insts[i];
            let InstKind::Op { op, args } = &inst.kind else { continue };
            let (mut op, result) = (*op, inst.result);
            let ret = editor.func.ty(result);
            let mut args = Cow::Borrowed(args.as_slice());
            if args.iter().any(|arg| editor.replacement(arg).is_some()) {
                args = Cow::Owned(args.iter().map(|arg| editor.resolve(arg)).collect());
            }
            let mut rewritten = false;
            // The result may simplify further.
            let replacement = loop {
                match simplified(editor, &defs, op, &args, ret) {
                    Some(Simplified::Operand(operand)) => break Some(operand),
                    Some(Simplified::Op(simpler, operands)) => {
                        (op, args, rewritten) = (simpler, Cow::Owned(operands), true);
                    }
                    None => break None,
                }
            };
            changed |= rewritten || replacement.is_some();
            if let Some(operand) = replacement {
                editor.replace(result, operand);
                removed[result.index()] = true;
            } else if rewritten {
                let args = args.into_owned();
                editor.body(block).insts[i].kind = InstKind::Op { op, args };
            }
        }
    }
    editor.remove_insts(&removed);
    for block in order {
        changed |= swap_negated_branch(editor, *block);
    }
    editor.apply_replacements();
    changed
}

/// The constant of an operand, immediate or defined by a `const` instruction.
fn constant<'w>(editor: &'w FuncEditor<'_>, defs: &Defs, operand: &'w Operand) -> Option<&'w Const> {
    match operand {
        Operand::Const(constant) => Some(constant),
        Operand::Var(_) => match defs.inst(&editor.func, operand)? {
            InstKind::Const(constant) => Some(constant),
            InstKind::Op { .. } | InstKind::Call { .. } | InstKind::Overdub { .. } => None,
        },
    }
}

/// The simplification of an operation on resolved operands, if there is one.
fn simplified(
    editor: &FuncEditor<'_>,
    defs: &Defs,
    op: &'static OpDef,
    args: &[Operand],
    ret: Ty,
) -> Option<Simplified> {
    let constants: Option<Vec<&Const>> = args.iter().map(|arg| constant(editor, defs, arg)).collect();
    if let Some(constants) = constants
        && let Some(folded) = const_fold::scalar(op, &constants, ret)
    {
        return Some(Simplified::Operand(folded));
    }
    if let Some(stored) = stored_value(editor, defs, op, args) {
        return Some(Simplified::Operand(stored));
    }
    match args {
        [x] => unary(editor, defs, op, x, ret),
        [x, y] if matches!(ret.kind(), TyKind::Float(_)) => binary_float(editor, defs, op, x, y),
        [x, y] => binary(op, x, y, ret),
        [cond, then, otherwise] if *op == ops::SELECT => {
            match cond.constant().and_then(|cond| cond.value().as_bool()) {
                Some(true) => Some(Simplified::Operand(then.clone())),
                Some(false) => Some(Simplified::Operand(otherwise.clone())),
                None => (then == otherwise).then(|| Simplified::Operand(then.clone())),
            }
        }
        _ => None,
    }
}

/// The stored value that a read of an array element finds because the array was created by setting that
/// element.
fn stored_value(
    editor: &FuncEditor<'_>,
    defs: &Defs,
    op: &'static OpDef,
    args: &[Operand],
) -> Option<Operand> {
    let [array, at] = args else { return None };
    if *op != ops::GET && *op != ops::GET_UNCHECKED {
        return None;
    }
    match defs.inst(&editor.func, array)? {
        InstKind::Op { op, args } if **op == ops::SET || **op == ops::SET_UNCHECKED => {
            let [_, place, value] = args.as_slice() else { return None };
            let same = editor.resolve(place) == editor.resolve(at);
            (same && editor.ty(place) == editor.ty(at)).then(|| editor.resolve(value))
        }
        _ => None,
    }
}

/// The simplification of an operation with one operand.
fn unary(
    editor: &FuncEditor<'_>,
    defs: &Defs,
    op: &'static OpDef,
    x: &Operand,
    ret: Ty,
) -> Option<Simplified> {
    let inner = match defs.inst(&editor.func, x) {
        Some(InstKind::Op { op, args }) => Some((*op, args.as_slice())),
        _ => None,
    };
    match inner {
        // Double negation.
        Some((of, [y])) if *op == ops::NOT && *of == ops::NOT => {
            return Some(Simplified::Operand(editor.resolve(y)));
        }
        Some((of, [y])) if *op == ops::NEG && *of == ops::NEG && is_float(ret) => {
            return Some(Simplified::Operand(editor.resolve(y)));
        }
        // A float, or an integer, that was only moved as bits.
        Some((of, [y]))
            if (*op == ops::FROM_BITS && *of == ops::TO_BITS
                || *op == ops::TO_BITS && *of == ops::FROM_BITS)
                && editor.ty(y) == ret =>
        {
            return Some(Simplified::Operand(editor.resolve(y)));
        }
        Some((of, [a, b])) if *op == ops::NOT => {
            let (a, b) = (editor.resolve(a), editor.resolve(b));
            // A comparison with NaN is false, and so is the inverse comparison.
            let total = !is_float(editor.ty(&a)) || *of == ops::EQ || *of == ops::NE;
            if let Some(inverse) = inverse(of).filter(|_| total) {
                return Some(Simplified::Op(inverse, vec![a, b]));
            }
        }
        Some((of, [array, _, _])) if *op == ops::LEN && (*of == ops::SET || *of == ops::SET_UNCHECKED) => {
            return Some(Simplified::Op(op, vec![editor.resolve(array)]));
        }
        Some((of, [_, n])) if *op == ops::LEN && *of == ops::REPEAT && editor.ty(n) == ret => {
            return Some(Simplified::Operand(editor.resolve(n)));
        }
        Some((of, elems)) if *op == ops::LEN && *of == ops::ARRAY => {
            return Some(Simplified::Operand(elems.len().into()));
        }
        _ => {}
    }
    (*op == ops::CAST && editor.ty(x) == ret).then(|| Simplified::Operand(x.clone()))
}

/// The comparison with the negated result.
fn inverse(op: &OpDef) -> Option<&'static OpDef> {
    let pairs: [(&'static OpDef, &'static OpDef); 3] =
        [(&ops::EQ, &ops::NE), (&ops::LT, &ops::GE), (&ops::LE, &ops::GT)];
    pairs.iter().find_map(|&(a, b)| {
        if *op == *a {
            Some(b)
        } else if *op == *b {
            Some(a)
        } else {
            None
        }
    })
}

/// The simplification of an operation on two floats (SIMP1).
fn binary_float(
    editor: &FuncEditor<'_>,
    defs: &Defs,
    op: &'static OpDef,
    x: &Operand,
    y: &Operand,
) -> Option<Simplified> {
    let keep = |operand: &Operand| Some(Simplified::Operand(operand.clone()));
    if *op == ops::POWI {
        return match int_of(y) {
            Some(1) => keep(x),
            Some(2) => Some(Simplified::Op(&ops::MUL, vec![x.clone(), x.clone()])),
            _ => None,
        };
    }
    let zeroing = *op == ops::MUL_ZERO;
    if (is_float_of(y, 1.0) && (*op == ops::MUL || *op == ops::DIV || zeroing))
        || (is_float_of(y, 0.0) && *op == ops::SUB)
        || (is_float_of(y, -0.0) && *op == ops::ADD)
    {
        return keep(x);
    }
    if (is_float_of(x, 1.0) && (*op == ops::MUL || zeroing)) || (is_float_of(x, -0.0) && *op == ops::ADD) {
        return keep(y);
    }
    // `mul.zero` differs from `mul` only where a zero meets an infinity or a NaN.
    let is_finite_nonzero =
        |operand: &Operand| float_of(operand).is_some_and(|factor| factor.is_finite() && factor != 0.0);
    if zeroing && (is_finite_nonzero(x) || is_finite_nonzero(y)) {
        return Some(Simplified::Op(&ops::MUL, vec![x.clone(), y.clone()]));
    }
    let negated = |operand: &Operand| match defs.inst(&editor.func, operand) {
        Some(InstKind::Op { op, args }) if **op == ops::NEG => Some(editor.resolve(&args[0])),
        _ => None,
    };
    if *op == ops::ADD || *op == ops::SUB {
        let other = if *op == ops::ADD { &ops::SUB } else { &ops::ADD };
        if let Some(y) = negated(y) {
            return Some(Simplified::Op(other, vec![x.clone(), y]));
        }
        if let (true, Some(x)) = (*op == ops::ADD, negated(x)) {
            return Some(Simplified::Op(&ops::SUB, vec![y.clone(), x]));
        }
    }
    let reciprocal = if *op == ops::DIV { exact_reciprocal(y) } else { None };
    reciprocal.map(|reciprocal| Simplified::Op(&ops::MUL, vec![x.clone(), reciprocal]))
}

/// The outcome of a comparison of an integer without a sign with zero, if its type determines it.
fn comparison_with_zero(op: &OpDef, x: &Operand, y: &Operand) -> Option<bool> {
    let is_zero = |operand: &Operand| {
        let int = operand.constant().and_then(|constant| constant.value().as_int());
        int.is_some_and(|(ty, n)| n == 0 && !ty.is_signed())
    };
    match () {
        () if is_zero(y) && *op == ops::LT || is_zero(x) && *op == ops::GT => Some(false),
        () if is_zero(y) && *op == ops::GE || is_zero(x) && *op == ops::LE => Some(true),
        () => None,
    }
}

/// The simplification of an operation on two integers (SIMP2) or `bool`s.
fn binary(op: &'static OpDef, x: &Operand, y: &Operand, ret: Ty) -> Option<Simplified> {
    let keep = |operand: &Operand| Some(Simplified::Operand(operand.clone()));
    match ret.kind() {
        TyKind::Int(int) => {
            let is = |operand: &Operand, n: i128| int_of(operand) == Some(n);
            let adds = *op == ops::ADD || *op == ops::ADD_WRAPPING || *op == ops::OR || *op == ops::XOR;
            let multiplies = *op == ops::MUL || *op == ops::MUL_WRAPPING;
            let subs = *op == ops::SUB || *op == ops::SUB_WRAPPING;
            let shifts = *op == ops::SHL || *op == ops::SHR;
            if (is(y, 0) && (adds || subs || shifts)) || (is(y, 1) && (multiplies || *op == ops::DIV)) {
                return keep(x);
            }
            if (is(x, 0) && adds) || (is(x, 1) && multiplies) {
                return keep(y);
            }
            if multiplies && (is(x, 0) || is(y, 0)) {
                return keep(if is(x, 0) { x } else { y });
            }
            if x == y && (*op == ops::AND || *op == ops::OR || *op == ops::MIN || *op == ops::MAX) {
                return keep(x);
            }
            if x == y && (subs || *op == ops::XOR) {
                return constant_of(Value::int(*int, 0)).map(Simplified::Operand);
            }
            None
        }
        TyKind::Bool => {
            if let Some(known) = comparison_with_zero(op, x, y) {
                return constant_of(Value::Bool(known)).map(Simplified::Operand);
            }
            let (a, b) = (bool_of(x), bool_of(y));
            if *op == ops::AND || *op == ops::OR {
                // `true and y` is `y`, `true or y` is `true`.
                let unit = *op == ops::AND;
                return match (a, b) {
                    (Some(a), _) => keep(if a == unit { y } else { x }),
                    (_, Some(b)) => keep(if b == unit { x } else { y }),
                    _ => (x == y).then(|| Simplified::Operand(x.clone())),
                };
            }
            let unequal = *op == ops::NE || *op == ops::XOR;
            match (a, b) {
                (Some(a), None) if *op == ops::EQ || unequal => Some(if a == unequal {
                    Simplified::Op(&ops::NOT, vec![y.clone()])
                } else {
                    Simplified::Operand(y.clone())
                }),
                (None, Some(b)) if *op == ops::EQ || unequal => Some(if b == unequal {
                    Simplified::Op(&ops::NOT, vec![x.clone()])
                } else {
                    Simplified::Operand(x.clone())
                }),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Turns `br_if` on a negation into `br_if` on its operand with swapped targets.
fn swap_negated_branch(editor: &mut FuncEditor<'_>, block: Block) -> bool {
    let TerminatorKind::BrIf { cond, .. } = &editor.terminator(block).kind else { return false };
    // The condition may have a pending replacement.
    let Operand::Var(cond) = editor.resolve(cond) else { return false };
    let negated = editor.func.block(block).insts.iter().rev().find(|inst| inst.result == cond);
    let Some(InstKind::Op { op, args }) = negated.map(|inst| &inst.kind) else { return false };
    let [inner] = args.as_slice() else { return false };
    if **op != ops::NOT {
        return false;
    }
    let inner = inner.clone();
    if let TerminatorKind::BrIf { cond, then, otherwise } = &mut editor.terminator_mut(block).kind {
        *cond = inner;
        std::mem::swap(then, otherwise);
    }
    true
}

fn bool_of(operand: &Operand) -> Option<bool> {
    operand.constant()?.value().as_bool()
}

fn is_float(ty: Ty) -> bool {
    matches!(ty.kind(), TyKind::Float(_))
}

/// Whether an operand is this float, bit for bit, of either width.
fn is_float_of(operand: &Operand, float: f64) -> bool {
    match operand.constant().map(Const::value) {
        Some(Value::F64(x)) => x.to_bits() == float.to_bits(),
        Some(Value::F32(x)) => x.to_bits() == (float as f32).to_bits(),
        _ => false,
    }
}

fn float_of(operand: &Operand) -> Option<f64> {
    match operand.constant()?.value() {
        Value::F64(x) => Some(*x),
        Value::F32(x) => Some(f64::from(*x)),
        _ => None,
    }
}

/// `1/x` if it is exact, that is, if `x` is a power of two, and neither is subnormal.
fn exact_reciprocal(x: &Operand) -> Option<Operand> {
    match x.constant()?.value() {
        Value::F64(x) => {
            let reciprocal = x.recip();
            let power = x.to_bits() << 12 == 0 && x.is_normal() && reciprocal.is_normal();
            power.then(|| reciprocal.into())
        }
        Value::F32(x) => {
            let reciprocal = x.recip();
            let power = x.to_bits() << 9 == 0 && x.is_normal() && reciprocal.is_normal();
            power.then(|| reciprocal.into())
        }
        _ => None,
    }
}
