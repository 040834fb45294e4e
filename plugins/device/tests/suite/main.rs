//! Kernels give what the engine gives, element by element: on the processor everywhere, and on a card where there is one.
//!
//! The environment variable `REQUIRE_GPU=1` makes a missing card a failure.

mod devices;
mod programs;
mod random;
