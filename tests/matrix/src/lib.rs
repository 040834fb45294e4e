//! The law that contexts and executors compose: under any context, every executor gives what the interpreter
//! gives, and a context that only watches changes nothing.
//!
//! A [`Row`] is a context, or several nested ones; a column is an [`executor`]. A cell runs a [`Subject`], a
//! function with its arguments, by that executor under that context, and compares four things with the
//! reference:
//!
//! - MATRIX1 the result: the value to the bit (except the payload of a NaN), or the failure with kind,
//!   message and location;
//! - MATRIX2 what hooks and host methods see: names, arguments and results in order, as a digest;
//! - MATRIX3 the output of the program;
//! - MATRIX4 the arguments that the caller still holds: no run changes them.
//!
//! The reference of a row that only watches is the plain run by the interpreter; that of a row that changes
//! values is the same row by the interpreter.

pub mod check;
pub mod contexts;
pub mod digest;
pub mod executor;
pub mod row;
pub mod subject;
pub mod values;

pub use check::{Cell, Tally, Verdict};
pub use row::{Meaning, Row, rows, sampled_rows};
pub use subject::Subject;
