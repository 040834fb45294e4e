//! Calls of Rust functions by their own values: `run(f, (2.0, 3.0))`.
//!
//! - API1 rustc has checked the call: argument and result types are those of the function. It remains to
//!   check that the registered types are the linked ones.
//! - API2 finding the function ([`Target`]), converting arguments ([`Arguments`]) and converting the result
//!   ([`Function::split`](crate::Function::split) and `FromValue`) are separate, for callers that run it in
//!   another way.

mod advice;
mod arguments;
mod by_function;
mod callable;
mod dubbed;
mod erased;
mod error;
mod overdub;
mod run;
mod seal;
mod under;
mod within;

pub use arguments::{Arguments, TransferredArgs};
pub use by_function::ByFunction;
pub use callable::{Callable, Target};
pub use dubbed::{Capture, Dubbed};
pub use erased::Erased;
pub use error::{Call, Error, ErrorKind, Missing};
pub use overdub::{Backend, engine, overdub, overdub_in};
pub use run::{finish, run, run_in, run_with};
pub use under::{Takes, Under};
pub use within::{UnderContext, under};
