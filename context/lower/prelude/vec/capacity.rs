//! The capacities of vectors.
//!
//! Capacity is a number that a vector carries if a file of the program uses `capacity`; no memory is
//! allocated for it. It is at least that of Rust's library, and does not shrink when elements are removed.

use crate::fmt;

/// Whether a file of the program uses capacities. A constant of the program.
#[lang("keeps_capacity")]
fn keeps() -> bool;

/// Refused if capacities are not kept: crates that are loaded later may ask for them.
#[lang("asks_capacity")]
fn ask();

/// The capacity that a program asks for.
pub fn asked<T>(elems: &Vec<T>) -> usize {
    ask();
    of(elems)
}

/// An estimate of the size of a `T` in bytes.
#[lang("likely_size_of")]
pub fn size<T>() -> usize;

#[op("capacity")]
fn capacity_of<T>(elems: &Vec<T>) -> usize;

#[moves]
#[op("with_room")]
fn set_capacity<T>(elems: &mut Vec<T>, capacity: usize);

pub fn of<T>(elems: &Vec<T>) -> usize {
    if keeps() { capacity_of(elems) } else { elems.len() }
}

/// The capacity to restore when the elements of a vector are replaced: 0 if capacities are not used.
pub fn saved<T>(elems: &Vec<T>) -> usize {
    if keeps() { capacity_of(elems) } else { 0 }
}

pub fn set<T>(elems: &mut Vec<T>, capacity: usize) {
    if keeps() {
        set_capacity(elems, capacity);
    }
}

/// Fails if a vector is to have more elements than its capacity, where capacities are known.
pub fn check_len<T>(elems: &Vec<T>, len: usize) {
    if keeps() && len > capacity_of(elems) {
        crate::macros::fail("the length of a vector is set to more than its capacity");
    }
}

/// Fails if a vector of parts has more elements than its capacity, where capacities are known.
pub fn check_parts(len: usize, capacity: usize) {
    if keeps() && len > capacity {
        crate::macros::fail("a vector is made of parts with a length of more than its capacity");
    }
}

/// The capacity that a program states of memory: `usize::MAX` if capacities are not known.
pub fn stated(capacity: usize) -> usize {
    if keeps() { capacity } else { usize::MAX }
}

/// The capacity for `needed` elements after a smaller one: large enough to make pushes cheap.
pub fn grown<T>(capacity: usize, needed: usize) -> usize {
    let size = size::<T>();
    let least = if size == 1 {
        8
    } else if size <= 1024 {
        4
    } else {
        1
    };
    needed.max(capacity * 2).max(least)
}

/// Fails if `capacity` elements exceed the maximal size of an allocation.
pub fn check<T>(capacity: usize) {
    if !fits::<T>(capacity) {
        crate::macros::fail("capacity overflow");
    }
}

fn fits<T>(capacity: usize) -> bool {
    let size = size::<T>();
    size == 0 || capacity <= isize::MAX as usize / size
}

/// The number of elements plus `additional` ones; fails like [`check`].
pub fn sum<T>(len: usize, additional: usize) -> usize {
    match try_sum::<T>(len, additional) {
        Ok(sum) => sum,
        Err(_) => crate::macros::fail("capacity overflow"),
    }
}

pub fn try_sum<T>(len: usize, additional: usize) -> Result<usize, TryReserveError> {
    match len.checked_add(additional) {
        Some(sum) if fits::<T>(sum) => Ok(sum),
        _ => Err(TryReserveError { kind: TryReserveErrorKind::CapacityOverflow }),
    }
}

/// A capacity that exceeds the available memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TryReserveError {
    kind: TryReserveErrorKind,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum TryReserveErrorKind {
    CapacityOverflow,
}

impl fmt::Display for TryReserveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "memory allocation failed because the computed capacity exceeded the collection's maximum",
        )
    }
}

impl crate::error::Error for TryReserveError {}
