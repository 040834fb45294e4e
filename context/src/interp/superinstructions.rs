//! Superinstructions: quick steps for the most frequent scalar operations, which touch only the slots of a frame.
//!
//! - SUPER1 a quick step has the effect of the step that it replaces, or changes nothing and reports that: failures,
//!   other types and shared arrays are left to the full step.
//! - SUPER2 constants have slots, after those of the variables, so that an operand is always a slot.

use std::sync::Arc;

use crate::ir::IntTy;
use crate::ops::{self, OpDef};
use crate::value::{Int, Value};

/// A slot of the frame.
pub(super) type At = u32;

/// The effect of a quick step.
#[derive(Clone, Copy, Debug)]
pub(super) enum Quick {
    /// None: the full step has to be run.
    Slow,
    /// A copy.
    Copy { from: At, to: At },
    /// An operation of one operand.
    One(One, At, At),
    /// An operation of two operands.
    Two(Two, At, At, At),
    /// `a` if `cond` is true, otherwise `b`: scalars.
    Select { cond: At, a: At, b: At, to: At },
    /// An integer as a 64-bit float.
    ToF64 { from: At, to: At },
    /// An integer as one of another type.
    ToInt { ty: IntTy, from: At, to: At },
    /// An element of a vector that stays live.
    Get { vector: At, at: At, to: At },
    /// A vector with one element replaced, in place.
    Set { vector: At, at: At, value: At, to: At },
    /// The number of elements of an array that stays live.
    Len { array: At, to: At },
    /// A part of a composite that stays live.
    Field { composite: At, k: u32, to: At },
    /// A part of an enum that stays live, if it has this variant.
    Payload { composite: At, tag: u32, k: u32, to: At },
    /// The variant of an enum that stays live.
    Tag { composite: At, to: At },
    /// A branch.
    Br(u32),
    /// A branch that depends on a bool.
    BrIf { cond: At, then: u32, otherwise: u32 },
}

/// A row of a table of operations: the variant name, the operation, the operands, and the formula, which may
/// have no result.
macro_rules! table {
    ($(#[$doc:meta])* $table:ident of $operands:literal:
        $($name:ident = $op:ident ($($kind:ident $x:ident),+) => $result:expr;)*
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(super) enum $table {
            $($name,)*
        }

        impl $table {
            /// The row for an operation on operands of the types of these samples.
            pub(super) fn of(op: &OpDef, sample: &[Value<'static>]) -> Option<$table> {
                $(
                    if *op == ops::$op && matches!(sample, [$(Value::$kind(_)),+]) {
                        return Some($table::$name);
                    }
                )*
                None
            }

            #[inline(always)]
            pub(super) fn run<'a>(self, operands: [&Value<'a>; $operands]) -> Option<Value<'a>> {
                match self {
                    $($table::$name => match operands {
                        [$(Value::$kind($x)),+] => {
                            $(let $x = *$x;)+
                            $result
                        }
                        _ => None,
                    },)*
                }
            }
        }
    };
}

fn int<'a>(int: Option<Int>) -> Option<Value<'a>> {
    int.map(Value::Int)
}

fn float<'a>(x: f64) -> Option<Value<'a>> {
    Some(Value::F64(x))
}

fn bool<'a>(b: bool) -> Option<Value<'a>> {
    Some(Value::Bool(b))
}

/// The remainder; that of the least number by -1, which overflows in every type, is left to the full step.
fn rem_but_by_minus_one(x: i64, y: i64) -> Option<i64> {
    if y == -1 { None } else { x.checked_rem(y) }
}

table! {
    /// Operations of one operand.
    One of 1:
    NegF64 = NEG (F64 x) => float(-x);
    AbsF64 = ABS (F64 x) => float(x.abs());
    Sqrt = SQRT (F64 x) => float(x.sqrt());
    Sin = SIN (F64 x) => float(x.sin());
    Cos = COS (F64 x) => float(x.cos());
    Exp = EXP (F64 x) => float(x.exp());
    Ln = LN (F64 x) => float(x.ln());
    Tanh = TANH (F64 x) => float(x.tanh());
    Not = NOT (Bool x) => bool(!x);
}

table! {
    /// Operations of two operands.
    Two of 2:
    AddF64 = ADD (F64 x, F64 y) => float(x + y);
    SubF64 = SUB (F64 x, F64 y) => float(x - y);
    MulF64 = MUL (F64 x, F64 y) => float(x * y);
    DivF64 = DIV (F64 x, F64 y) => float(x / y);
    MinF64 = MIN (F64 x, F64 y) => float(x.min(y));
    MaxF64 = MAX (F64 x, F64 y) => float(x.max(y));
    Powf = POWF (F64 x, F64 y) => float(x.powf(y));
    EqF64 = EQ (F64 x, F64 y) => bool(x == y);
    NeF64 = NE (F64 x, F64 y) => bool(x != y);
    LtF64 = LT (F64 x, F64 y) => bool(x < y);
    LeF64 = LE (F64 x, F64 y) => bool(x <= y);
    GtF64 = GT (F64 x, F64 y) => bool(x > y);
    GeF64 = GE (F64 x, F64 y) => bool(x >= y);
    AddInt = ADD (Int x, Int y) => int(x.checked(y, i64::checked_add, u64::checked_add));
    SubInt = SUB (Int x, Int y) => int(x.checked(y, i64::checked_sub, u64::checked_sub));
    MulInt = MUL (Int x, Int y) => int(x.checked(y, i64::checked_mul, u64::checked_mul));
    DivInt = DIV (Int x, Int y) => int(x.checked(y, i64::checked_div, u64::checked_div));
    RemInt = REM (Int x, Int y) => int(x.checked(y, rem_but_by_minus_one, u64::checked_rem));
    EqInt = EQ (Int x, Int y) => bool(x.compare(y)?.is_eq());
    NeInt = NE (Int x, Int y) => bool(x.compare(y)?.is_ne());
    LtInt = LT (Int x, Int y) => bool(x.compare(y)?.is_lt());
    LeInt = LE (Int x, Int y) => bool(x.compare(y)?.is_le());
    GtInt = GT (Int x, Int y) => bool(x.compare(y)?.is_gt());
    GeInt = GE (Int x, Int y) => bool(x.compare(y)?.is_ge());
    AddWrapping = ADD_WRAPPING (Int x, Int y) => int(x.bitwise(y, u64::wrapping_add));
    SubWrapping = SUB_WRAPPING (Int x, Int y) => int(x.bitwise(y, u64::wrapping_sub));
    MulWrapping = MUL_WRAPPING (Int x, Int y) => int(x.bitwise(y, u64::wrapping_mul));
    AndInt = AND (Int x, Int y) => int(x.bitwise(y, |x, y| x & y));
    OrInt = OR (Int x, Int y) => int(x.bitwise(y, |x, y| x | y));
    XorInt = XOR (Int x, Int y) => int(x.bitwise(y, |x, y| x ^ y));
    And = AND (Bool x, Bool y) => bool(x & y);
    Or = OR (Bool x, Bool y) => bool(x | y);
    Xor = XOR (Bool x, Bool y) => bool(x ^ y);
}

/// A block argument of a branch.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlotMove {
    pub(super) from: At,
    pub(super) to: At,
    pub(super) how: MoveKind,
}

/// The effect of a move on the source slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MoveKind {
    /// The source keeps the value.
    Copied,
    /// The source is emptied.
    Emptied,
}

/// A branch as a sequence of moves, ordered so that no slot is overwritten before it is read, then the slots to empty.
#[derive(Clone, Debug)]
pub(super) struct EdgeMoves {
    pub(super) target: u32,
    pub(super) moved: Box<[SlotMove]>,
    pub(super) dead: Box<[At]>,
}

/// The quick steps of a function, one for each step, with their branches and constants.
#[derive(Clone, Debug)]
pub(super) struct QuickCode {
    pub(super) steps: Box<[Quick]>,
    pub(super) edges: Box<[EdgeMoves]>,
    /// The values of the slots that follow those of the variables.
    pub(super) consts: Box<[Value<'static>]>,
}

impl QuickCode {
    /// Runs quick steps from `next` on, at most `most`, until one that is not quick; returns its index, and
    /// the number of steps run.
    pub(super) fn run<'a>(&self, slots: &mut [Value<'a>], mut next: usize, most: u64) -> (usize, u64) {
        let mut ran = 0;
        while ran < most {
            match self.step(slots, next) {
                Some(after) => next = after,
                None => break,
            }
            ran += 1;
        }
        (next, ran)
    }

    #[inline(always)]
    fn step<'a>(&self, slots: &mut [Value<'a>], at: usize) -> Option<usize> {
        match self.steps[at] {
            Quick::Slow => return None,
            Quick::Copy { from, to } => put(slots, to, copy(&slots[from as usize])),
            Quick::One(op, a, to) => {
                let value = op.run([&slots[a as usize]])?;
                put(slots, to, value);
            }
            Quick::Two(op, a, b, to) => {
                let value = op.run([&slots[a as usize], &slots[b as usize]])?;
                put(slots, to, value);
            }
            Quick::Select { cond, a, b, to } => {
                let from = if slots[cond as usize].as_bool()? { a } else { b };
                put(slots, to, copy(&slots[from as usize]));
            }
            Quick::ToF64 { from, to } => {
                let Value::Int(n) = slots[from as usize] else { return None };
                let x = if n.ty().is_signed() { n.bits() as i64 as f64 } else { n.bits() as f64 };
                put(slots, to, Value::F64(x));
            }
            Quick::ToInt { ty, from, to } => {
                let Value::Int(n) = slots[from as usize] else { return None };
                put(slots, to, Value::Int(Int::wrapping(ty, n.bits())));
            }
            Quick::Get { vector, at, to } => {
                let value = element(&slots[vector as usize], &slots[at as usize])?;
                put(slots, to, value);
            }
            Quick::Set { vector, at, value, to } => set(slots, [vector, at, value, to])?,
            Quick::Len { array, to } => {
                let len = slots[array as usize].as_array()?.len();
                put(slots, to, Value::from(len));
            }
            Quick::Field { composite, k, to } => {
                let part = slots[composite as usize].as_composite()?.parts.get(k as usize)?.clone();
                put(slots, to, part);
            }
            Quick::Payload { composite, tag, k, to } => {
                let composite = slots[composite as usize].as_composite()?;
                let part = composite.parts.get(k as usize).filter(|_| composite.tag == tag)?.clone();
                put(slots, to, part);
            }
            Quick::Tag { composite, to } => {
                let tag = slots[composite as usize].as_composite()?.tag;
                put(slots, to, Value::from(i64::from(tag)));
            }
            Quick::Br(edge) => return Some(self.take_edge(slots, edge)),
            Quick::BrIf { cond, then, otherwise } => {
                let edge = if slots[cond as usize].as_bool()? { then } else { otherwise };
                return Some(self.take_edge(slots, edge));
            }
        }
        Some(at + 1)
    }

    #[inline]
    fn take_edge(&self, slots: &mut [Value<'_>], edge: u32) -> usize {
        let edge = &self.edges[edge as usize];
        for &SlotMove { from, to, how } in &edge.moved {
            let value = match how {
                MoveKind::Copied => copy(&slots[from as usize]),
                MoveKind::Emptied => slots[from as usize].take(),
            };
            put(slots, to, value);
        }
        for &slot in &edge.dead {
            put(slots, slot, Value::Unit);
        }
        edge.target as usize
    }
}

/// A copy; most values are scalars, which count no references.
#[inline(always)]
fn copy<'a>(value: &Value<'a>) -> Value<'a> {
    match value {
        Value::F64(x) => Value::F64(*x),
        Value::Int(int) => Value::Int(*int),
        Value::Bool(b) => Value::Bool(*b),
        value => value.clone(),
    }
}

/// Writes a slot; the old value is usually a scalar, which has nothing to drop.
#[inline(always)]
fn put<'a>(slots: &mut [Value<'a>], to: At, value: Value<'a>) {
    let slot = &mut slots[to as usize];
    match slot {
        Value::F64(_) | Value::Int(_) | Value::Bool(_) | Value::Unit => {
            // The old value owns nothing, so it may be forgotten instead of dropped.
            std::mem::forget(std::mem::replace(slot, value));
        }
        _ => *slot = value,
    }
}

#[inline(always)]
fn index(value: &Value<'_>) -> Option<usize> {
    match value {
        Value::Int(int) => usize::try_from(if int.ty().is_signed() {
            u64::try_from(int.bits() as i64).ok()?
        } else {
            int.bits()
        })
        .ok(),
        _ => None,
    }
}

#[inline(always)]
fn element<'a>(vector: &Value<'a>, at: &Value<'a>) -> Option<Value<'a>> {
    let (Value::Array(array), at) = (vector, index(at)?) else { return None };
    match array.as_f64s() {
        Some(floats) => floats.get(at).map(|x| Value::F64(*x)),
        None => array.get(at),
    }
}

/// `vector[at] = value`, a scalar, in place; none if the vector is shared or has no such element.
#[inline]
fn set(slots: &mut [Value<'_>], [vector, at, value, to]: [At; 4]) -> Option<()> {
    let at = index(&slots[at as usize])?;
    let new = copy(&slots[value as usize]);
    let Value::Array(array) = &mut slots[vector as usize] else { return None };
    let array = Arc::get_mut(array)?;
    if at >= array.len() || array.bytes_to_write() > 0 {
        return None;
    }
    match new {
        Value::F64(x) => *array.to_f64s_mut()?.get_mut(at)? = x,
        new => array.set(at, new)?,
    }
    let changed = slots[vector as usize].take();
    put(slots, to, changed);
    Some(())
}
