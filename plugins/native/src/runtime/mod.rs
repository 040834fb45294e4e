//! The run-time support of compiled code: the run, and the functions that code calls.

pub(crate) mod array_kernels;
pub(crate) mod check_libcalls;
pub(crate) mod float_functions;
mod host_types;
mod kept_panics;
pub(crate) mod libcalls;
mod memory;
pub(crate) mod run;
pub(crate) mod settings;
mod trail;
pub(crate) mod trampolines;
pub(crate) mod zero_fill;
