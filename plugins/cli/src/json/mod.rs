//! JSON to values and back, guided by types.
//!
//! - Floats are numbers, and `"NaN"`, `"inf"`, `"-inf"`; they are written with the shortest digits that give
//!   the same float again, integral ones with `.0`.
//! - Arrays, slices, `Vec`, tuples and tuple structs are lists, arrays of ndarray nested lists; structs are
//!   objects; a unit variant is its name, another variant an object with one entry; `Option` is null or the
//!   value.

mod lengths;
mod read;
mod strided;
mod tangent;
mod write;

pub use lengths::{check_lengths, shape};
pub use read::{ArgError, in_a_cell, read};
pub use tangent::{tangent, typed_tangent};
pub use write::{write, write_floats};
