//! Constant folding and algebra that never changes a result.
//!
//! ```text
//! %1: i64 = add 2, 3                    (gone: 5 stands for it)
//! %2: i64 = mul %n, 1             →     (gone: %n stands for it)
//! %3: f64 = div %x, 4.0                 %3: f64 = mul %x, 0.25
//! %4: bool = not %c                     br_if %c, ^b, ^a
//! br_if %4, ^a, ^b
//! ```
//!
//! - Floats: only what is exact for every number, infinity and zero of either sign. `x + 0.0` is not (`-0.0`),
//!   `x - 0.0` is. Of a signalling `NaN` Rust leaves open whether it comes out quiet.
//! - Integers: only what fails exactly where the original fails.

use overdub_context::ir::{Block, Const, InstKind, Operand, TerminatorKind, Ty, TyKind};
use overdub_context::ops::{self, OpDef};
use overdub_context::value::Value;

use crate::support::const_fold;
use crate::support::consts::{constant_of, int_of};
use crate::support::func_editor::{Defs, FuncEditor};
use crate::support::scope::Scope;

/// What an operation is besides itself.
enum Simple {
    Operand(Operand),
    Op(&'static OpDef, Vec<Operand>),
}

/// Folds constants and simplifies.
pub(crate) fn run(editor: &mut FuncEditor<'_>, _: &Scope<'_>) -> bool {
    let defs = Defs::of(&editor.func);
    let analyses = editor.cfg_analyses();
    let order = analyses.cfg.reverse_postorder();
    let mut gone = vec![false; editor.func.vars.len()];
    let mut changed = false;
    for &block in order {
        for i in 0..editor.func.block(block).insts.len() {
            let inst = &editor.func.block(block).insts[i];
            let InstKind::Op { op, args } = &inst.kind else { continue };
            let (op, result) = (*op, inst.result);
            let resolved: Vec<Operand>;
            let args = match args.iter().any(|arg| editor.stands_for(arg).is_some()) {
                true => {
                    resolved = args.iter().map(|arg| editor.resolve(arg)).collect();
                    resolved.as_slice()
                }
                false => args.as_slice(),
            };
            match simplified(editor, &defs, op, args, editor.func.ty(result)) {
                Some(Simple::Operand(operand)) => {
                    editor.replace(result, operand);
                    gone[result.index()] = true;
                    changed = true;
                }
                Some(Simple::Op(op, args)) => {
                    editor.body(block).insts[i].kind = InstKind::Op { op, args };
                    changed = true;
                }
                None => {}
            }
        }
    }
    editor.drop_insts(&gone);
    for block in order {
        changed |= decide_by_what_is_negated(editor, *block);
    }
    editor.carry_out();
    changed
}

/// The constant that an operand is: in place, or by a `const` instruction.
fn constant<'w>(editor: &'w FuncEditor<'_>, defs: &Defs, operand: &'w Operand) -> Option<&'w Const> {
    match operand {
        Operand::Const(constant) => Some(constant),
        Operand::Var(_) => match defs.inst(&editor.func, operand)? {
            InstKind::Const(constant) => Some(constant),
            InstKind::Op { .. } | InstKind::Call { .. } | InstKind::Overdub { .. } => None,
        },
    }
}

fn simplified(
    editor: &FuncEditor<'_>,
    defs: &Defs,
    op: &'static OpDef,
    args: &[Operand],
    ret: Ty,
) -> Option<Simple> {
    let constants: Option<Vec<&Const>> = args.iter().map(|arg| constant(editor, defs, arg)).collect();
    if let Some(constants) = constants
        && let Some(folded) = const_fold::scalar(op, &constants, ret)
    {
        return Some(Simple::Operand(folded));
    }
    if let Some(set) = read_back(editor, defs, op, args) {
        return Some(Simple::Operand(set));
    }
    match args {
        [x] => one(editor, defs, op, x, ret),
        [x, y] if matches!(ret.kind(), TyKind::Float(_)) => two_floats(editor, defs, op, x, y),
        [x, y] => two(op, x, y, ret),
        [cond, then, otherwise] if *op == ops::SELECT => {
            match cond.constant().and_then(|cond| cond.value().as_bool()) {
                Some(true) => Some(Simple::Operand(then.clone())),
                Some(false) => Some(Simple::Operand(otherwise.clone())),
                None => (then == otherwise).then(|| Simple::Operand(then.clone())),
            }
        }
        _ => None,
    }
}

/// What was set where it is read.
fn read_back(editor: &FuncEditor<'_>, defs: &Defs, op: &'static OpDef, args: &[Operand]) -> Option<Operand> {
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

fn one(editor: &FuncEditor<'_>, defs: &Defs, op: &'static OpDef, x: &Operand, ret: Ty) -> Option<Simple> {
    let inner = match defs.inst(&editor.func, x) {
        Some(InstKind::Op { op, args }) => Some((*op, args.as_slice())),
        _ => None,
    };
    match inner {
        // Twice is not at all.
        Some((of, [y])) if *op == ops::NOT && *of == ops::NOT => {
            return Some(Simple::Operand(editor.resolve(y)));
        }
        Some((of, [y])) if *op == ops::NEG && *of == ops::NEG && is_float(ret) => {
            return Some(Simple::Operand(editor.resolve(y)));
        }
        Some((of, [a, b])) if *op == ops::NOT => {
            let (a, b) = (editor.resolve(a), editor.resolve(b));
            // A comparison with NaN is false, and so is its opposite.
            let total = !is_float(editor.ty(&a)) || *of == ops::EQ || *of == ops::NE;
            if let Some(opposite) = opposite(of).filter(|_| total) {
                return Some(Simple::Op(opposite, vec![a, b]));
            }
        }
        Some((of, [array, _, _])) if *op == ops::LEN && (*of == ops::SET || *of == ops::SET_UNCHECKED) => {
            return Some(Simple::Op(op, vec![editor.resolve(array)]));
        }
        Some((of, [_, n])) if *op == ops::LEN && *of == ops::REPEAT && editor.ty(n) == ret => {
            return Some(Simple::Operand(editor.resolve(n)));
        }
        Some((of, elems)) if *op == ops::LEN && *of == ops::ARRAY => {
            return Some(Simple::Operand(elems.len().into()));
        }
        _ => {}
    }
    (*op == ops::CAST && editor.ty(x) == ret).then(|| Simple::Operand(x.clone()))
}

fn opposite(op: &OpDef) -> Option<&'static OpDef> {
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

fn two_floats(
    editor: &FuncEditor<'_>,
    defs: &Defs,
    op: &'static OpDef,
    x: &Operand,
    y: &Operand,
) -> Option<Simple> {
    let keep = |operand: &Operand| Some(Simple::Operand(operand.clone()));
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
    // By a number that is neither zero nor infinite nothing becomes a number that is none.
    let plain =
        |operand: &Operand| float_of(operand).is_some_and(|factor| factor.is_finite() && factor != 0.0);
    if zeroing && (plain(x) || plain(y)) {
        return Some(Simple::Op(&ops::MUL, vec![x.clone(), y.clone()]));
    }
    let negated = |operand: &Operand| match defs.inst(&editor.func, operand) {
        Some(InstKind::Op { op, args }) if **op == ops::NEG => Some(editor.resolve(&args[0])),
        _ => None,
    };
    if *op == ops::ADD || *op == ops::SUB {
        let other = if *op == ops::ADD { &ops::SUB } else { &ops::ADD };
        if let Some(y) = negated(y) {
            return Some(Simple::Op(other, vec![x.clone(), y]));
        }
        if let (true, Some(x)) = (*op == ops::ADD, negated(x)) {
            return Some(Simple::Op(&ops::SUB, vec![y.clone(), x]));
        }
    }
    let reciprocal = if *op == ops::DIV { exact_reciprocal(y) } else { None };
    reciprocal.map(|reciprocal| Simple::Op(&ops::MUL, vec![x.clone(), reciprocal]))
}

fn two(op: &'static OpDef, x: &Operand, y: &Operand, ret: Ty) -> Option<Simple> {
    let keep = |operand: &Operand| Some(Simple::Operand(operand.clone()));
    match ret.kind() {
        TyKind::Int(int) => {
            let is = |operand: &Operand, n: i128| int_of(operand) == Some(n);
            let adds = *op == ops::ADD || *op == ops::ADD_WRAPPING || *op == ops::OR || *op == ops::XOR;
            let muls = *op == ops::MUL || *op == ops::MUL_WRAPPING;
            let subs = *op == ops::SUB || *op == ops::SUB_WRAPPING;
            let shifts = *op == ops::SHL || *op == ops::SHR;
            if (is(y, 0) && (adds || subs || shifts)) || (is(y, 1) && (muls || *op == ops::DIV)) {
                return keep(x);
            }
            if (is(x, 0) && adds) || (is(x, 1) && muls) {
                return keep(y);
            }
            if muls && (is(x, 0) || is(y, 0)) {
                return keep(if is(x, 0) { x } else { y });
            }
            if x == y && (*op == ops::AND || *op == ops::OR || *op == ops::MIN || *op == ops::MAX) {
                return keep(x);
            }
            if x == y && (subs || *op == ops::XOR) {
                return constant_of(Value::int(*int, 0)).map(Simple::Operand);
            }
            None
        }
        TyKind::Bool => {
            let (a, b) = (bool_of(x), bool_of(y));
            if *op == ops::AND || *op == ops::OR {
                // `true and y` is `y`, `true or y` is `true`.
                let unit = *op == ops::AND;
                return match (a, b) {
                    (Some(a), _) => keep(if a == unit { y } else { x }),
                    (_, Some(b)) => keep(if b == unit { x } else { y }),
                    _ => (x == y).then(|| Simple::Operand(x.clone())),
                };
            }
            let unequal = *op == ops::NE || *op == ops::XOR;
            match (a, b) {
                (Some(a), None) if *op == ops::EQ || unequal => Some(if a == unequal {
                    Simple::Op(&ops::NOT, vec![y.clone()])
                } else {
                    Simple::Operand(y.clone())
                }),
                (None, Some(b)) if *op == ops::EQ || unequal => Some(if b == unequal {
                    Simple::Op(&ops::NOT, vec![x.clone()])
                } else {
                    Simple::Operand(x.clone())
                }),
                _ => None,
            }
        }
        _ => None,
    }
}

/// `br_if` on a negation goes the other way.
fn decide_by_what_is_negated(editor: &mut FuncEditor<'_>, block: Block) -> bool {
    let TerminatorKind::BrIf { cond, .. } = &editor.end(block).kind else { return false };
    // The condition may have been found to be another value.
    let Operand::Var(cond) = editor.resolve(cond) else { return false };
    let negated = editor.func.block(block).insts.iter().rev().find(|inst| inst.result == cond);
    let Some(InstKind::Op { op, args }) = negated.map(|inst| &inst.kind) else { return false };
    let [inner] = args.as_slice() else { return false };
    if **op != ops::NOT {
        return false;
    }
    let inner = inner.clone();
    if let TerminatorKind::BrIf { cond, then, otherwise } = &mut editor.end_mut(block).kind {
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

/// Whether an operand is this very float, of either width.
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

/// `1/x` where that is exact and neither it nor `x` is subnormal: a power of two.
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
