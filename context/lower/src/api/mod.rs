//! Functions of Rust, called by their own values: `run(f, (2.0, 3.0))`.
//!
//! - API1 rustc has checked the call: argument and result types are those of the function. What is left to check is
//!   that the types registered are those linked.
//! - API2 finding the function ([`Target`]), handing over arguments ([`Arguments`]) and taking the result
//!   ([`Function::split`](crate::Function::split) and `FromValue`) are separate, for callers that run it in another way.

mod arguments;
mod callable;
mod dubbed;
mod erased;
mod error;
mod overdub;
mod run;
mod seal;
mod under;
mod within;

pub use arguments::{Arguments, Handed};
pub use callable::{Callable, Target};
pub use dubbed::{Capture, Dubbed};
pub use erased::Erased;
pub use error::{Call, Error, ErrorKind, Missing};
pub use overdub::{Backend, engine, overdub, overdub_in};
pub use run::{finish, run, run_in, run_with};
pub use under::{Takes, Under};
pub use within::{UnderContext, under};
