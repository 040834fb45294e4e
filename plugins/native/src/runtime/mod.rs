//! What compiled code runs with: the run, and the functions that code calls.

pub(crate) mod array_kernels;
pub(crate) mod check_libcalls;
pub(crate) mod float_functions;
mod host_types;
pub(crate) mod libcalls;
pub(crate) mod run;
pub(crate) mod trampolines;
pub(crate) mod zero_fill;
