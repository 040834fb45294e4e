//! How many elements a vector has room for.
//!
//! Room is a number that a vector carries where a file of the program asks for a `capacity`; nothing is allocated for it.
//! It is as large as Rust's library makes it at least, and stays when elements go.

use crate::fmt;

/// Whether a file of the program asks for capacities. A constant of the program.
#[lang("keeps_capacity")]
fn keeps() -> bool;

/// The bytes of a `T`, as near as can be told.
#[lang("likely_size_of")]
pub fn size<T>() -> usize;

#[op("capacity")]
fn room_of<T>(elems: &Vec<T>) -> usize;

#[moves]
#[op("with_room")]
fn set_room<T>(elems: &mut Vec<T>, room: usize);

pub fn of<T>(elems: &Vec<T>) -> usize {
    if keeps() { room_of(elems) } else { elems.len() }
}

/// The room that a vector has to be given again when its elements are put anew: none where nobody asks.
pub fn given<T>(elems: &Vec<T>) -> usize {
    if keeps() { room_of(elems) } else { 0 }
}

pub fn give<T>(elems: &mut Vec<T>, room: usize) {
    if keeps() {
        set_room(elems, room);
    }
}

/// Room for `needed` elements, where there was less: as much as makes pushes cheap.
pub fn grown<T>(room: usize, needed: usize) -> usize {
    let size = size::<T>();
    let least = if size == 1 {
        8
    } else if size <= 1024 {
        4
    } else {
        1
    };
    needed.max(room * 2).max(least)
}

/// Fails where `capacity` elements are more bytes than an allocation may have.
pub fn check<T>(capacity: usize) {
    if !fits::<T>(capacity) {
        crate::macros::fail("capacity overflow");
    }
}

fn fits<T>(capacity: usize) -> bool {
    let size = size::<T>();
    size == 0 || capacity <= isize::MAX as usize / size
}

/// The number of elements with more of them; fails as [`check`] does.
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

/// More elements than memory can hold.
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
