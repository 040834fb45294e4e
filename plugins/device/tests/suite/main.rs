//! Kernels give what the engine gives, element by element: on the processor everywhere, and on a card where there is one.
//!
//! The environment variable `REQUIRE_GPU=1` makes a missing card a failure, `REQUIRE_OPENCL=1` a missing device of OpenCL.

mod devices;
mod opencl;
mod products;
mod programs;
mod random;
mod recorded;
mod shared_lists;
mod stored;
mod sums;
