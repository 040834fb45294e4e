//! The derivative of a float built from bits with respect to a float that its digits come from, decided when the
//! program runs.

use overdub_context::ir::Ty;
use overdub_context::ops::{Arity, Effects, OpCx, OpDef, OperandTys, TypeFault};
use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind};

use super::{NOTE, is_zero};
use crate::float_pair::is_float;

/// The derivative of a float with respect to the float that its digits are copied from, the last perhaps cut off, whose
/// attachment is the third operand (BITS1).
pub(crate) static SLOPE: OpDef = OpDef {
    name: "ad.slope",
    arity: Arity::Exactly(3),
    ty: second,
    effects: Effects::FAILS,
    eval: |cx, args| slope(cx, args, copied_slope),
    doc: "The derivative of a float with respect to the one that its digits come from, whose attachment is the third operand.",
};

/// The derivative of a float with respect to the float to whose bits a number is added, whose attachment is the third
/// operand (BITS1).
pub(crate) static NEIGHBOR_SLOPE: OpDef = OpDef {
    name: "ad.slope.neighbor",
    arity: Arity::Exactly(3),
    ty: second,
    effects: Effects::FAILS,
    eval: |cx, args| slope(cx, args, neighbor_slope),
    doc: "The derivative of a float with respect to the one to whose bits a number is added, whose attachment is the third operand.",
};

/// Zero; a failure if the first operand has no digits to cut off and its attachment, the third, is not zero.
pub(crate) static UNCUT: OpDef = OpDef {
    name: "ad.uncut",
    arity: Arity::Exactly(3),
    ty: second,
    effects: Effects::FAILS,
    eval: |cx, args| match &*args {
        [Value::F64(x), ..] if x.abs() < (1_u64 << 52) as f64 => Ok(Value::F64(0.0)),
        [Value::F32(x), ..] if x.abs() < (1_u32 << 23) as f32 => Ok(Value::F32(0.0)),
        _ => lost_slope(cx, args),
    },
    doc: "Zero, or a failure if a float has no digits to cut off and its attachment is not zero.",
};

/// Zero; a failure if the third operand, a float's attachment, is not zero (BITS3).
pub(crate) static LOST: OpDef = OpDef {
    name: "ad.lost",
    arity: Arity::Exactly(3),
    ty: second,
    effects: Effects::FAILS,
    eval: lost_slope,
    doc: "Zero, or a failure if the third operand, the attachment of a float, is not zero.",
};

/// Zero for a float of bits whose origin is not known; a failure if the run has taken the bits of a float that has a
/// derivative (BITS5).
pub(crate) static UNKNOWN: OpDef = OpDef {
    name: "ad.unknown",
    arity: Arity::Exactly(1),
    ty: |tys| tys.args.first().copied().filter(|ty| is_float(*ty)).ok_or_else(|| TypeFault::takes("a float")),
    effects: Effects::READS,
    eval: unknown,
    doc: "Zero, or a failure if the run has taken the bits of a float with a derivative.",
};

/// Whether an operation computes the derivative of such a float.
pub(crate) fn is_slope(op: &OpDef) -> bool {
    [&SLOPE, &NEIGHBOR_SLOPE, &LOST, &UNCUT, &UNKNOWN].into_iter().any(|known| known == op)
}

fn second(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args {
        [x, y, _] if x == y && is_float(*y) => Ok(*y),
        _ => Err(TypeFault::takes("two floats of one type, and what the first carries")),
    }
}

fn unknown<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let is_noted = cx.machine.globals().is_none_or(|globals| globals.get(*NOTE).is_some());
    match args {
        [Value::F64(_)] if !is_noted => Ok(Value::F64(0.0)),
        [Value::F32(_)] if !is_noted => Ok(Value::F32(0.0)),
        _ => Err(lost()),
    }
}

#[cold]
pub(super) fn lost() -> Failure {
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

/// The bits of a float, with those of the float that its digits come from.
struct Pair {
    x: u64,
    y: u64,
    /// The number of digits that are stored: 52 or 23.
    digits: u32,
    y_is_zero: bool,
}

impl Pair {
    fn digits_are_equal(&self) -> bool {
        let low = (1 << self.digits) - 1;
        self.x & low == self.y & low
    }

    /// Whether the last digits of `x` are cut off or rounded.
    fn is_cut(&self) -> bool {
        let zeros = self.y.trailing_zeros().min(self.digits);
        let ones = self.y.trailing_ones().min(self.digits);
        let cut = (self.x >> zeros) << zeros;
        zeros > 0 && (self.y == cut || self.y == cut + (1 << zeros))
            || ones > 0 && self.y >> ones == self.x >> ones
    }
}

/// A derivative by whole digits: the quotient of the floats, or a number.
enum Slope {
    Quotient,
    One,
    Zero,
}

/// The derivative where digits are only moved, or the last of them cut off.
fn copied_slope(pair: &Pair) -> Option<Slope> {
    match pair {
        _ if pair.x == pair.y => Some(Slope::One),
        _ if pair.y_is_zero => Some(Slope::Zero),
        _ if pair.digits_are_equal() => Some(Slope::Quotient),
        _ => pair.is_cut().then_some(Slope::Zero),
    }
}

/// The derivative where a number is added to the bits: one if the float is a few floats above or below, since its steps
/// are as fine as those of the other one.
fn neighbor_slope(pair: &Pair) -> Option<Slope> {
    match pair {
        _ if pair.x.abs_diff(pair.y) <= 1 << (pair.digits / 6) => Some(Slope::One),
        _ => (pair.digits_are_equal() && !pair.y_is_zero).then_some(Slope::Quotient),
    }
}

fn slope<'a>(
    _: &mut OpCx<'_, 'a>,
    args: &mut [Value<'a>],
    of: fn(&Pair) -> Option<Slope>,
) -> Result<Value<'a>, Failure> {
    match &*args {
        [Value::F64(_), Value::F64(_), carried] if is_zero(carried) => Ok(Value::F64(0.0)),
        [Value::F32(_), Value::F32(_), carried] if is_zero(carried) => Ok(Value::F32(0.0)),
        [Value::F64(x), Value::F64(y), _] => {
            let pair = Pair { x: x.to_bits(), y: y.to_bits(), digits: 52, y_is_zero: *y == 0.0 };
            Ok(Value::F64(match of(&pair).ok_or_else(lost)? {
                Slope::Quotient => y / x,
                Slope::One => 1.0,
                Slope::Zero => 0.0,
            }))
        }
        [Value::F32(x), Value::F32(y), _] => {
            let (x_bits, y_bits) = (u64::from(x.to_bits()), u64::from(y.to_bits()));
            let pair = Pair { x: x_bits, y: y_bits, digits: 23, y_is_zero: *y == 0.0 };
            Ok(Value::F32(match of(&pair).ok_or_else(lost)? {
                Slope::Quotient => y / x,
                Slope::One => 1.0,
                Slope::Zero => 0.0,
            }))
        }
        _ => Err(lost()),
    }
}
