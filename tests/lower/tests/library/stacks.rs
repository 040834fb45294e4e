//! Temporary arrays on a stack (`dyn-stack`) and assertions that say what was compared (`equator`), by the crates themselves.

use std::mem::MaybeUninit;

use dyn_stack::{MemBuffer, MemStack, StackReq};
use equator::{assert, debug_assert};

fn smooth(values: &mut [f64], stack: &mut MemStack) {
    let (mut left, stack) = stack.make_with(values.len(), |k| if k == 0 { 0.0 } else { values[k - 1] });
    let (right, rest) = stack.collect(values.iter().skip(1).copied().chain([0.0]));
    assert!(all(left.len() == values.len(), right.len() == values.len()));
    left[0] = values[0];
    for ((value, a), b) in values.iter_mut().zip(left.iter()).zip(&*right) {
        *value = (a + *value + b) / 3.0;
    }
    debug_assert!(rest.len_bytes() < 1000, "{} bytes are left", rest.len_bytes());
}

pub fn temporary_arrays() -> String {
    let needed = StackReq::new::<f64>(4).array(2).and(StackReq::new::<u8>(3));
    let mut buffer = MemBuffer::new(needed);
    let mut values = [1.0, 2.0, 4.0, 8.0];
    smooth(&mut values, MemStack::new(&mut buffer));
    smooth(&mut values, MemStack::new(&mut buffer));
    format!("{values:?} {} {}", needed.size_bytes(), needed.align_bytes())
}

pub fn sizes_of_stacks() -> String {
    let (a, b) = (StackReq::new::<u64>(3), StackReq::new_aligned::<u8>(5, 16));
    let all = [a.and(b), a.or(b), a.array(4), StackReq::all_of(&[a, a, b]), StackReq::any_of(&[a, b])];
    let sizes: Vec<(usize, usize, usize)> =
        all.iter().map(|req| (req.size_bytes(), req.align_bytes(), req.unaligned_bytes_required())).collect();
    let large = StackReq::new::<u64>(usize::MAX);
    format!("{sizes:?} {} {}", large.align_bytes(), MemBuffer::try_new(large).is_err())
}

pub fn arrays_that_are_written_first() -> String {
    let mut buffer = MemBuffer::new(StackReq::new::<u32>(8));
    let stack = MemStack::new(&mut buffer);
    let fits = stack.can_hold(StackReq::new::<u32>(8)) && !stack.can_hold(StackReq::new::<u32>(9));
    let (memory, rest) = stack.make_uninit::<u32>(3);
    let write = |(at, place): (usize, &mut MaybeUninit<u32>)| *place.write(at as u32 * 10);
    let written: Vec<u32> = memory.iter_mut().enumerate().map(write).collect();
    format!("{fits} {written:?} {}", rest.len_bytes())
}

pub fn conditions_that_hold() -> String {
    let (a, b, text) = (3, 4.5, "abc");
    assert!(a == 3);
    assert!(all(a < 4, b >= 4.5, any(text == "x", text != "y"), !text.is_empty()), "not {a}");
    assert!(a == 3 && b > 4.0 || text.is_empty());
    assert!(text.parse::<i32>().is_err());
    equator::assert!(Vec::<i32>::new() == []);
    "all hold".to_owned()
}

// The first line of the message names the file, and is not compared.

pub fn differs() -> String {
    let v = [1, 2];
    equator::assert!(v.len() == 3);
    String::new()
}

pub fn differs_in_two_of_three() -> String {
    let (a, b) = (Some(1.5), vec!["x"]);
    assert!(all(a.is_none(), b.len() <= 1, a < Some(1.0)));
    String::new()
}

pub fn is_neither() -> String {
    let k = 5;
    assert!(any(k < 3, k > 7), "k is {}", k);
    String::new()
}

pub fn is_false() -> String {
    let k = 5;
    assert!(k == 5 && k == 6);
    String::new()
}
