//! Bit provenance: which floats the digits of a float built from bits come from, so that no derivative is
//! lost silently.
//!
//! - BITS1 a float with the digits of another is that float times a power of two, or its negative: its
//!   derivative is their quotient. One whose last digits are cut off or rounded is a step function: its derivative is
//!   zero. A number added to the bits gives a float with the derivative 1 if it is a few floats above or below, as that
//!   of `next_up`. Which of these an integer is, its operations say, not its value.
//! - BITS2 exponents and signs are step functions: a value computed from them alone has no derivative.
//! - BITS3 if digits are used in other computations, a non-zero derivative is refused when it reaches them.
//! - BITS4 a float converted to an integer is a step function, unless it is so large that nothing is cut off:
//!   then its digits are those of the integer. An integer built from bits and converted to a float keeps its
//!   digits, if the last are among them.
//! - BITS5 digits whose origin is not known, because they were kept in an array or a struct, are those of numbers
//!   unless the run has taken the bits of a float with a derivative before, or cast one to an integer whole.

mod round;
mod slope;
mod sum;
mod trace;

use std::sync::LazyLock;

use overdub_context::codes::INTERNAL;
use overdub_context::ir::{Edit, Func, InstKind, LoadError, Operand, Rewriter, Ty};
use overdub_context::ops::{self, Arity, Effects, OpCx, OpDef, OperandTys, TypeFault};
use overdub_context::value::{CellRef, Value};
use overdub_context::{Failure, Symbol};

use crate::float_pair::is_float;
pub(crate) use round::{ROUNDED, rounded};
pub(crate) use slope::{LOST, UNKNOWN, is_slope};
use slope::{NEIGHBOR_SLOPE, SLOPE, UNCUT, lost};
use trace::Tracer;

/// A float built from bits, with the floats that its digits are copied from.
pub(crate) static DIGITS: OpDef = OpDef {
    name: "ad.digits",
    arity: Arity::AtLeast(1),
    ty: float_of_bits,
    effects: Effects::PURE,
    eval: from_bits,
    doc: "A float from bits, and the floats that its digits come from.",
};

/// A float built from the sum of bits and a number, with the floats that its digits come from.
pub(crate) static NEIGHBOR: OpDef = OpDef {
    name: "ad.neighbor",
    arity: Arity::AtLeast(1),
    ty: float_of_bits,
    effects: Effects::PURE,
    eval: from_bits,
    doc: "A float from the sum of bits and a number, and the floats that its digits come from.",
};

/// A float built from bits, with the floats that its digits are computed from without a derivative.
pub(crate) static MIXED: OpDef = OpDef {
    name: "ad.mixed",
    arity: Arity::AtLeast(1),
    ty: float_of_bits,
    effects: Effects::PURE,
    eval: from_bits,
    doc: "A float from bits, and the floats from which its digits are computed without a derivative.",
};

/// A float converted from an integer, with the floats whose digits the integer holds.
pub(crate) static COUNTED: OpDef = OpDef {
    name: "ad.counted",
    arity: Arity::AtLeast(2),
    ty: |tys| {
        tys.declared
            .filter(|ty| is_float(*ty))
            .ok_or_else(|| TypeFault::takes("an integer, a float declared"))
    },
    effects: Effects::PURE,
    eval: |cx, args| (ops::CAST.eval)(cx, &mut args[..1]),
    doc: "A float from an integer, and the floats whose digits the integer counts.",
};

/// A float converted to an integer whose digits become those of a float.
pub(crate) static CUT: OpDef = OpDef {
    name: "ad.cut",
    arity: Arity::Exactly(1),
    ty: |tys| tys.args.first().copied().filter(|ty| is_float(*ty)).ok_or_else(|| TypeFault::takes("a float")),
    effects: Effects::PURE,
    eval: |_, args| Ok(args[0].take()),
    doc: "A float converted to an integer whose digits become those of a float.",
};

/// The bits of a float, whose attachment is the second operand; it is noted if that is not zero (BITS5).
pub(crate) static TAKEN: OpDef = OpDef {
    name: "ad.taken",
    arity: Arity::Exactly(2),
    ty: |tys| {
        (ops::TO_BITS.ty)(&OperandTys { args: &tys.args[..1], consts: &tys.consts[..1], declared: None })
    },
    effects: Effects::WRITES,
    eval: taken,
    doc: "The bits of a float; that its derivative can be lost in them is noted if its attachment, the second operand, is not zero.",
};

/// A float cast to an integer; as [`TAKEN`] if it is so large that nothing is cut off (BITS4).
pub(crate) static COUNTED_TAKEN: OpDef = OpDef {
    name: "ad.taken.cast",
    arity: Arity::Exactly(2),
    ty: |tys| {
        tys.declared.ok_or_else(|| TypeFault::takes("a float and its attachment, an integer type declared"))
    },
    effects: Effects::WRITES,
    eval: counted_taken,
    doc: "A float cast to an integer; that its derivative can be lost is noted if the float is large and its attachment not zero.",
};

/// The name of the run's note that bits were taken.
static NOTE: LazyLock<Symbol> = LazyLock::new(|| Symbol::new("ad.taken"));

fn taken<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    note(cx, args)?;
    (ops::TO_BITS.eval)(cx, &mut args[..1])
}

fn counted_taken<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let is_whole = match args.first() {
        Some(Value::F64(x)) => x.abs() >= 2.0_f64.powi(52),
        Some(Value::F32(x)) => x.abs() >= 2.0_f32.powi(23),
        _ => false,
    };
    if is_whole {
        note(cx, args)?;
    }
    (ops::CAST.eval)(cx, &mut args[..1])
}

/// Notes that bits were taken, if the attachment, the second operand, is not zero.
fn note<'a>(cx: &mut OpCx<'_, 'a>, args: &[Value<'a>]) -> Result<(), Failure> {
    if args.get(1).is_some_and(|carried| !is_zero(carried)) {
        match cx.machine.globals() {
            Some(globals) => globals.insert(*NOTE, Ty::unit(), CellRef::null()),
            None => return Err(lost()),
        }
    }
    Ok(())
}

/// Whether an operation takes the bits of its first operand; those of an augmented float are taken by [`TAKEN`].
fn takes_bits(op: &OpDef) -> bool {
    *op == ops::TO_BITS || *op == TAKEN
}

/// Whether an operation casts its first operand, which if it is an augmented float [`COUNTED_TAKEN`] does.
fn casts(op: &OpDef) -> bool {
    *op == ops::CAST || *op == COUNTED_TAKEN
}

/// Whether an operation builds a float whose derivative depends on where its bits come from.
pub(crate) fn is_built_from_bits(op: &OpDef) -> bool {
    [&DIGITS, &NEIGHBOR, &MIXED, &COUNTED, &CUT].into_iter().any(|known| known == op)
}

/// The operation that computes the float from its first operand, and the operation for its derivatives.
pub(crate) fn computed(op: &OpDef) -> (&'static OpDef, &'static OpDef) {
    match op {
        op if *op == DIGITS => (&ops::FROM_BITS, &SLOPE),
        op if *op == NEIGHBOR => (&ops::FROM_BITS, &NEIGHBOR_SLOPE),
        op if *op == COUNTED => (&ops::CAST, &LOST),
        op if *op == CUT => (&ops::DUP, &UNCUT),
        _ => (&ops::FROM_BITS, &LOST),
    }
}

fn float_of_bits(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    (ops::FROM_BITS.ty)(&OperandTys { args: &tys.args[..1], consts: &tys.consts[..1], declared: None })
}

fn from_bits<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    (ops::FROM_BITS.eval)(cx, &mut args[..1])
}

/// Whether an attachment is zero in all its parts.
pub(crate) fn is_zero(carried: &Value<'_>) -> bool {
    match carried {
        Value::F64(x) => *x == 0.0,
        Value::F32(x) => *x == 0.0,
        Value::Int(n) => n.bits() == 0,
        Value::Composite(composite) => composite.parts.iter().all(is_zero),
        _ => false,
    }
}

/// The function with the sources of each float's digits as operands of the operation that builds it from
/// bits, and with rounding by addition made explicit.
pub(crate) fn named(func: &Func) -> Result<Option<Func>, LoadError> {
    let rounded = rounded(func)?;
    match &rounded {
        Some(rounded) => Ok(Some(with_digits(rounded)?.unwrap_or_else(|| rounded.clone()))),
        None => with_digits(func),
    }
}

fn with_digits(func: &Func) -> Result<Option<Func>, LoadError> {
    let converts_bits =
        |kind: &InstKind| matches!(kind, InstKind::Op { op, .. } if **op == ops::FROM_BITS || takes_bits(op));
    if !func.blocks.iter().flat_map(|block| &block.insts).any(|inst| converts_bits(&inst.kind)) {
        return Ok(None);
    }
    let tracer = Tracer::new(func);
    let named = Rewriter::edit(func, |rewriter, inst| match &inst.kind {
        InstKind::Op { op, args } if **op == ops::FROM_BITS => {
            let digits = if func.ty(inst.result) == Ty::f32() { 23 } else { 52 };
            let found = tracer.digits(&args[0], digits, inst.result);
            let op = match found.mixed || !found.cut.is_empty() {
                true => &MIXED,
                false if tracer.is_added_to(&args[0]) => &NEIGHBOR,
                false => &DIGITS,
            };
            let mut operands = args.clone();
            operands.extend(found.floats.into_iter().map(Operand::from));
            for float in found.cut {
                operands.push(rewriter.op(&CUT, [float])?.into());
            }
            Ok(Edit::Replace(rewriter.op(op, operands)?.into()))
        }
        InstKind::Op { op, args } if **op == ops::CAST && is_float(func.ty(inst.result)) => {
            let floats = tracer.counted(&args[0], inst.result);
            if floats.is_empty() {
                return Ok(Edit::Keep);
            }
            let operands = args.iter().cloned().chain(floats.into_iter().map(Operand::from));
            let operands = operands.collect::<Vec<_>>();
            Ok(Edit::Replace(rewriter.op_as(&COUNTED, operands, func.ty(inst.result))?.into()))
        }
        _ => Ok(Edit::Keep),
    });
    named.map(Some).map_err(|error| LoadError {
        code: INTERNAL,
        message: error.to_string(),
        span: error.span,
        help: None,
    })
}
