//! Arithmetic of integers, which are extended to 64 bits.

use overdub_context::ir::IntTy;

use super::{LANES, Lane};
use crate::program::{Arith, Division};

/// The number of bits that a type has less than a word.
fn spare(int: IntTy) -> u32 {
    64 - int.bits().min(64)
}

/// An integer modulo the width of its type, extended.
#[inline(always)]
fn wrapped(is_signed: bool, spare: u32, bits: u64) -> u64 {
    if is_signed { (((bits << spare) as i64) >> spare) as u64 } else { (bits << spare) >> spare }
}

#[inline(always)]
fn exact(op: Arith, a: u64, b: u64) -> u64 {
    match op {
        Arith::Add => a.wrapping_add(b),
        Arith::Sub => a.wrapping_sub(b),
        Arith::Mul => a.wrapping_mul(b),
    }
}

/// Computes with integers; the result is the mask of the lanes in which it overflows.
#[inline(always)]
pub(crate) fn checked(op: Arith, int: IntTy, d: &mut Lane, a: &Lane, b: &Lane, mask: Option<&Lane>) -> u64 {
    let spare = spare(int);
    if spare > 0 {
        // Shorter integers, extended, do not overflow 64 bits.
        let is_signed = int.is_signed();
        write!(d, mask, |i| exact(op, a[i], b[i]));
        return lanes_with!(|i| {
            let exact = exact(op, a[i], b[i]);
            wrapped(is_signed, spare, exact) != exact
        });
    }
    match op {
        Arith::Add => write!(d, mask, |i| exact(Arith::Add, a[i], b[i])),
        Arith::Sub => write!(d, mask, |i| exact(Arith::Sub, a[i], b[i])),
        Arith::Mul => write!(d, mask, |i| exact(Arith::Mul, a[i], b[i])),
    }
    match (op, int.is_signed()) {
        (Arith::Add, true) => lanes_with!(|i| {
            let sum = a[i].wrapping_add(b[i]);
            ((a[i] ^ sum) & (b[i] ^ sum)) >> 63 == 1
        }),
        (Arith::Add, false) => lanes_with!(|i| a[i].wrapping_add(b[i]) < a[i]),
        (Arith::Sub, true) => lanes_with!(|i| ((a[i] ^ b[i]) & (a[i] ^ a[i].wrapping_sub(b[i]))) >> 63 == 1),
        (Arith::Sub, false) => lanes_with!(|i| a[i] < b[i]),
        (Arith::Mul, true) => lanes_with!(|i| (a[i] as i64).overflowing_mul(b[i] as i64).1),
        (Arith::Mul, false) => lanes_with!(|i| a[i].overflowing_mul(b[i]).1),
    }
}

/// Computes with integers modulo the width of their type.
#[inline(always)]
pub(crate) fn wrapping(op: Arith, int: IntTy, d: &mut Lane, a: &Lane, b: &Lane, mask: Option<&Lane>) {
    let (is_signed, spare) = (int.is_signed(), spare(int));
    match op {
        Arith::Add => write!(d, mask, |i| wrapped(is_signed, spare, exact(Arith::Add, a[i], b[i]))),
        Arith::Sub => write!(d, mask, |i| wrapped(is_signed, spare, exact(Arith::Sub, a[i], b[i]))),
        Arith::Mul => write!(d, mask, |i| wrapped(is_signed, spare, exact(Arith::Mul, a[i], b[i]))),
    }
}

/// An integer modulo the width of a type.
#[inline(always)]
pub(crate) fn wrap(int: IntTy, d: &mut Lane, a: &Lane, mask: Option<&Lane>) {
    let (is_signed, spare) = (int.is_signed(), spare(int));
    write!(d, mask, |i| wrapped(is_signed, spare, a[i]));
}

/// Computes with two integers of 64 bits; none if it overflows.
#[inline(always)]
pub(crate) fn checked_words(op: Arith, is_signed: bool, a: u64, b: u64) -> Option<u64> {
    let (x, y) = (a as i64, b as i64);
    match (op, is_signed) {
        (Arith::Add, true) => x.checked_add(y).map(|sum| sum as u64),
        (Arith::Sub, true) => x.checked_sub(y).map(|difference| difference as u64),
        (Arith::Mul, true) => x.checked_mul(y).map(|product| product as u64),
        (Arith::Add, false) => a.checked_add(b),
        (Arith::Sub, false) => a.checked_sub(b),
        (Arith::Mul, false) => a.checked_mul(b),
    }
}

/// Divides integers of a type; none by zero, or if the quotient does not fit.
#[inline(always)]
pub(crate) fn divided(op: Division, int: IntTy, a: u64, b: u64) -> Option<u64> {
    if !int.is_signed() {
        return match op {
            Division::Quotient => a.checked_div(b),
            Division::Remainder => a.checked_rem(b),
        };
    }
    let (x, y) = (a as i64, b as i64);
    // The remainder fails where the quotient does.
    let quotient = x.checked_div(y)? as u64;
    if wrapped(true, spare(int), quotient) != quotient {
        return None;
    }
    match op {
        Division::Quotient => Some(quotient),
        Division::Remainder => Some(x.checked_rem(y)? as u64),
    }
}
