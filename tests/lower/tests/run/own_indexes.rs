//! Slices and vectors indexed by types of the program, and byte strings as patterns of slices.

use std::ops::{Index, IndexMut};

#[derive(Clone, Copy)]
struct State(u32);

#[derive(Clone, Copy)]
struct Slot(u8);

impl<T> Index<State> for Vec<T> {
    type Output = T;

    fn index(&self, at: State) -> &T {
        &self[at.0 as usize]
    }
}

impl<T> IndexMut<State> for Vec<T> {
    fn index_mut(&mut self, at: State) -> &mut T {
        &mut self[at.0 as usize]
    }
}

impl<T> Index<Slot> for [T] {
    type Output = T;

    fn index(&self, at: Slot) -> &T {
        &self[usize::from(at.0)]
    }
}

/// A range of slots.
struct Slots(Slot, Slot);

impl Index<Slots> for str {
    type Output = str;

    fn index(&self, at: Slots) -> &str {
        &self[usize::from(at.0.0)..usize::from(at.1.0)]
    }
}

struct Sum(Slot, State);

impl<T> Index<Sum> for [T] {
    type Output = T;

    fn index(&self, at: Sum) -> &T {
        &self[usize::from(at.0.0) + at.1.0 as usize]
    }
}

pub fn vectors_and_slices(x: f64) -> f64 {
    let mut v = vec![1.0, x, 3.0];
    v[State(2)] += x;
    let s: &[f64] = &v;
    v[State(1)] * s[Slot(2)] + v[0]
}

pub fn sums_and_texts(x: f64) -> f64 {
    let v = [1.0, x, 3.0, 4.0];
    let s: &[f64] = &v;
    let text = "some text";
    s[Sum(Slot(1), State(2))] * x + s[1..].len() as f64 + text[Slots(Slot(1), Slot(3))].len() as f64
}

fn side(text: &[u8]) -> f64 {
    let mut parts = text.split(|c| *c == b' ');
    parts.next();
    match parts.next() {
        Some(b"w") | None => 1.0,
        Some(b"bl") => 2.0,
        Some(_) => 0.0,
    }
}

pub fn byte_strings_in_patterns(x: f64) -> f64 {
    let whole = |text: &[u8]| match text {
        b"" => 5.0,
        b"ab" => 6.0,
        [b'a', ..] => 7.0,
        _ => 8.0,
    };
    x * (side(b"f w") + 10.0 * side(b"f") + 100.0 * side(b"f bl -") + side(b"f b"))
        + whole(b"")
        + 10.0 * whole(b"ab")
        + 100.0 * whole(b"abc")
        + whole(b"b")
}
