//! The run-time support of compiled code: the run, and the functions that code calls.

pub(crate) mod array_kernels;
mod array_powers;
pub(crate) mod check_libcalls;
mod failure_trace;
pub(crate) mod float_functions;
mod host_types;
pub(crate) mod libcalls;
mod memory;
pub(crate) mod parked_panics;
pub(crate) mod run;
pub(crate) mod settings;
pub(crate) mod trampolines;
pub(crate) mod zero_fill;
