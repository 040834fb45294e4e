//! Floats made of bits: which floats their digits come from, so that no derivative is lost on the way.
//!
//! - B1 a float whose digits are those of another is that one times a power of two, or its negative: its derivative
//!   is their quotient. One whose last digits are cut off or rounded is a step: its derivative is zero.
//! - B2 exponents and signs are steps: what is computed of them alone has no derivative.
//! - B3 where the digits are computed with in other ways, a derivative that is not zero is refused when it is met.

mod round;
mod trace;

use overdub_context::ir::{Edit, Func, InstKind, LoadError, Operand, Rewriter, Ty};
use overdub_context::ops::{self, Arity, Effects, OpCx, OpDef, OperandTys, TypeFault};
use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind};

use crate::carried::is_float;
pub(crate) use round::{ROUNDED, rounded};
use trace::Tracer;

/// A float of bits, and the floats that its digits are taken from.
pub(crate) static DIGITS: OpDef = OpDef {
    name: "ad.digits",
    arity: Arity::AtLeast(1),
    ty: float_of_bits,
    effects: Effects::PURE,
    eval: from_bits,
    doc: "A float of bits, and the floats that its digits are taken from.",
};

/// A float of bits, and the floats that its digits are computed from in ways that have no derivative.
pub(crate) static MIXED: OpDef = OpDef {
    name: "ad.mixed",
    arity: Arity::AtLeast(1),
    ty: float_of_bits,
    effects: Effects::PURE,
    eval: from_bits,
    doc: "A float of bits, and the floats that its digits are computed from in ways that have no derivative.",
};

/// The derivative of a float in the one that its digits are taken from, which carries the third operand (B1).
pub(crate) static SLOPE: OpDef = OpDef {
    name: "ad.slope",
    arity: Arity::Exactly(3),
    ty: second,
    effects: Effects::FAILS,
    eval: slope_of_digits,
    doc: "The derivative of a float in the one that its digits are taken from, which carries the third operand.",
};

/// Zero, or a failure where the third operand, which a float carries, is not zero (B3).
pub(crate) static LOST: OpDef = OpDef {
    name: "ad.lost",
    arity: Arity::Exactly(3),
    ty: second,
    effects: Effects::FAILS,
    eval: lost_slope,
    doc: "Zero, or a failure where the third operand, which a float carries, is not zero.",
};

fn float_of_bits(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    (ops::FROM_BITS.ty)(&OperandTys { args: &tys.args[..1], consts: &tys.consts[..1], declared: None })
}

fn second(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args {
        [x, y, _] if x == y && is_float(*y) => Ok(*y),
        _ => Err(TypeFault::takes("two floats of one type, and what the first carries")),
    }
}

fn from_bits<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    (ops::FROM_BITS.eval)(cx, &mut args[..1])
}

fn is_zero(carried: &Value<'_>) -> bool {
    match carried {
        Value::F64(x) => *x == 0.0,
        Value::F32(x) => *x == 0.0,
        Value::Int(n) => n.bits() == 0,
        Value::Composite(composite) => composite.parts.iter().all(is_zero),
        _ => false,
    }
}

#[cold]
fn lost() -> Failure {
    let message = "a derivative is lost where the bits of a float are computed with";
    let help = "write a rule for the function that does it, or compute with the float itself";
    Failure::new(FailureKind::Domain, message).with_help(Some(help.to_owned()))
}

fn lost_slope<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    match args {
        [_, y, carried] if is_zero(carried) => {
            Ok(if matches!(y, Value::F32(_)) { Value::F32(0.0) } else { Value::F64(0.0) })
        }
        _ => Err(lost()),
    }
}

fn slope_of_digits<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    match &*args {
        [Value::F64(_), Value::F64(_), carried] if is_zero(carried) => Ok(Value::F64(0.0)),
        [Value::F32(_), Value::F32(_), carried] if is_zero(carried) => Ok(Value::F32(0.0)),
        [Value::F64(x), Value::F64(y), _] => slope(x.to_bits(), y.to_bits(), 52, *y == 0.0)
            .map(|same| Value::F64(if same { y / x } else { 0.0 })),
        [Value::F32(x), Value::F32(y), _] => {
            let (x_bits, y_bits) = (u64::from(x.to_bits()), u64::from(y.to_bits()));
            slope(x_bits, y_bits, 23, *y == 0.0).map(|same| Value::F32(if same { y / x } else { 0.0 }))
        }
        _ => Err(lost()),
    }
}

/// Whether `y` has the digits of `x`; if not, it is `x` with the last ones cut off or rounded.
fn slope(x: u64, y: u64, digits: u32, y_is_zero: bool) -> Result<bool, Failure> {
    let low = (1 << digits) - 1;
    if y_is_zero {
        return Ok(false);
    }
    if x & low == y & low {
        return Ok(true);
    }
    let zeros = y.trailing_zeros().min(digits);
    let cut = (x >> zeros) << zeros;
    if zeros > 0 && (y == cut || y == cut + (1 << zeros)) {
        return Ok(false);
    }
    Err(lost())
}

/// The function in which each float made of bits names the floats that its digits come from, and what is rounded by
/// adding says so.
pub(crate) fn named(func: &Func) -> Result<Option<Func>, LoadError> {
    let rounded = rounded(func)?;
    match &rounded {
        Some(rounded) => Ok(Some(with_digits(rounded)?.unwrap_or_else(|| rounded.clone()))),
        None => with_digits(func),
    }
}

fn with_digits(func: &Func) -> Result<Option<Func>, LoadError> {
    let made_of_bits = |kind: &InstKind| matches!(kind, InstKind::Op { op, .. } if **op == ops::FROM_BITS);
    if !func.blocks.iter().flat_map(|block| &block.insts).any(|inst| made_of_bits(&inst.kind)) {
        return Ok(None);
    }
    let tracer = Tracer::new(func);
    let named = Rewriter::edit(func, |rewriter, inst| {
        let InstKind::Op { op, args } = &inst.kind else { return Ok(Edit::Keep) };
        if **op != ops::FROM_BITS {
            return Ok(Edit::Keep);
        }
        let digits = if func.ty(inst.result) == Ty::f32() { 23 } else { 52 };
        let found = tracer.digits(&args[0], digits, inst.result);
        let op = if found.mixed { &MIXED } else { &DIGITS };
        let operands = args.iter().cloned().chain(found.floats.into_iter().map(Operand::from));
        Ok(Edit::Replace(rewriter.op(op, operands.collect::<Vec<_>>())?.into()))
    });
    named.map(Some).map_err(|error| LoadError { message: error.to_string(), span: error.span, help: None })
}
