//! Mapped functions and their derivatives on graphics cards: [`map(f).on(device)`](overdub_spmd::Map::on).
//!
//! A function is written once, for one element. It is optimised, differentiated, and written as a kernel of CUDA C++
//! ([`Kernel`](overdub_export::Kernel)), which the driver's compiler compiles; each element is a thread.
//!
//! ```
//! # if overdub_device::Emulator::new().is_err() { return Ok(()); }
//! # use std::sync::Arc;
//! # use overdub::prelude::*;
//! use overdub_device::Emulator;
//! use overdub_spmd::{Fixed, map};
//!
//! /// The height of a thrown ball.
//! #[dub]
//! fn height(time: f64, speed: f64) -> f64 { speed * time - 5.0 * time * time }
//!
//! // The same kernel on the processor, by the C++ compiler of the system; `Cuda::new()?` is the first card.
//! let device = Arc::new(Emulator::new()?);
//! let heights = map(height).on(device);
//! assert_eq!(heights.over((&[0.0, 1.0, 2.0], Fixed(20.0))).values()?, [0.0, 15.0, 20.0]);
//! assert_eq!(heights.over((&[1.0], Fixed(20.0))).gradients()?, [(10.0, 1.0)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - CARD1 additions, multiplications, divisions and square roots give the bits that the engine gives: no expressions are
//!   contracted. The other functions of a card's library may differ in the last two bits.
//! - CARD2 a kernel is compiled once for its text, which is written again for each mapped call.
//! - CARD3 memory is taken for as many elements at once as fit, and each element gets more of it until its call fits.

mod columns;
#[cfg(feature = "cuda")]
mod cuda;
mod emulator;
mod kernels;
mod launch;
mod packed;
mod parts;

#[cfg(feature = "cuda")]
pub use cuda::Cuda;
pub use emulator::Emulator;
