//! The standard library as programs see it: Rust text that is loaded like any program.
//!
//! - P1 a function without a body has `#[op("…")]` (it is that operation) or `#[lang("…")]` (it is an intrinsic).
//! - P2 a struct without fields and with `#[lang("…")]` is a type of the IR; everything else is ordinary Rust.
//! - P3 values are values: nothing here borrows, so what Rust would call a move out of a reference is a copy. For
//!   values that may need drop each move is explicit: `mem::moved` takes one out of its place, `mem::put` fills an
//!   empty place, and a function marked `#[moves]` drops only by name.

pub mod alloc;
pub mod any;
pub mod arch;
pub mod array;
pub mod ascii;
pub mod backtrace;
pub mod borrow;
pub mod boxed;
pub mod cell;
pub mod char;
pub mod clone;
pub mod cmp;
pub mod collections;
pub mod convert;
pub mod default;
pub mod entry;
pub mod env;
pub mod error;
pub mod ffi;
pub mod fmt;
pub mod fs;
pub mod hash;
pub mod hint;
pub mod io;
pub mod iter;
pub mod macros;
pub mod marker;
pub mod mem;
pub mod net;
pub mod num;
pub mod ops;
pub mod option;
pub mod os {
    pub mod raw {
        pub use crate::ffi::*;
    }
}
pub mod panic;
pub mod path;
pub mod pin;
pub mod prelude;
pub mod primitive {}
pub mod process;
pub mod ptr;
pub mod range;
pub mod rc;
pub mod result;
pub mod slice;
pub mod str;
pub mod string;
pub mod sync;
pub mod thread;
pub mod time;
pub mod tuple;
pub mod vec;

pub use num::consts::{f32, f64, i128, i16, i32, i64, i8, isize, u128, u16, u32, u64, u8, usize};
