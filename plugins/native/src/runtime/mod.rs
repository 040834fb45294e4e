//! What compiled code runs with: the state of a run, the functions that code calls, and the memory that both work on.

pub(crate) mod array_kernels;
pub(crate) mod buffer_pool;
pub(crate) mod float_functions;
pub(crate) mod libcalls;
pub(crate) mod packed_elements;
pub(crate) mod run;
pub(crate) mod tape;
pub(crate) mod trampolines;
pub(crate) mod vectors;
pub(crate) mod zero_fill;
