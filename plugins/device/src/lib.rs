//! Mapped functions and their derivatives on graphics cards: [`map(f).on(device)`](overdub_spmd::Map::on).
//!
//! A function is written once, for one element. It is optimised, differentiated, and written as a kernel, which the driver's
//! compiler compiles; each element is a thread. [`OpenCl`] takes kernels of scalars ([`overdub_lanes::opencl`]). [`Cuda`] takes
//! these, too, since accesses to their tapes are coalesced; for all other functions, kernels of CUDA C++
//! ([`Kernel`](overdub_export::Kernel)).
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
//! Lists that several calls read are stored on the device once, and results stay there:
//!
//! ```
//! # if overdub_device::Emulator::new().is_err() { return Ok(()); }
//! # use std::sync::Arc;
//! # use overdub::prelude::*;
//! use overdub_device::Emulator;
//! use overdub_spmd::{Device, Fixed, Stored, map};
//!
//! /// Growth that ends at a capacity: one step of Euler's method.
//! #[dub]
//! fn step(x: f64, rate: f64, dt: f64) -> f64 { x + dt * rate * x * (1.0 - x) }
//!
//! let device: Arc<dyn Device> = Arc::new(Emulator::new()?);
//! let mut state = Stored::new(&device, vec![0.1, 0.5, 0.9])?;
//! let step = map(step).on(device).with_respect_to(["rate"]);
//! for _ in 0..5 {
//!     state = step.over((&state, Fixed(2.0), Fixed(0.1))).stored_values()?;
//! }
//! // The sum and its derivative are added there: nothing but these numbers is copied.
//! let (total, (_, by_rate, _)) = step.over((&state, Fixed(2.0), Fixed(0.1))).sum_and_gradient()?;
//! assert!(total > 2.0 && by_rate > 0.0);
//! assert_eq!(state.list()?.len(), 3);
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
mod implement;
mod kernels;
mod launch;
mod leaves;
#[cfg(feature = "opencl")]
mod opencl;
mod parts;
mod run;
mod scalar_text;
mod stored;
mod summed;

#[cfg(feature = "cuda")]
pub use cuda::Cuda;
pub use emulator::Emulator;
#[cfg(feature = "opencl")]
pub use opencl::OpenCl;
