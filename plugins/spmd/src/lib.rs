//! A function written for one element, run for many: single program, multiple data.
//!
//! ```
//! # use overdub::prelude::*;
//! use overdub_spmd::{Fixed, map};
//!
//! /// What a call option pays at its maturity.
//! #[dub]
//! fn payoff(price: f64, strike: f64) -> f64 { (price - strike).max(0.0) }
//!
//! let prices = [90.0, 100.0, 110.0, 120.0];
//! let payoffs = map(payoff).threads(2).over((&prices, Fixed(105.0)));
//! assert_eq!(payoffs.values()?, [0.0, 0.0, 5.0, 15.0]);
//! let (total, (_, dstrike)) = payoffs.sum_and_gradient()?;
//! assert_eq!((total, dstrike), (20.0, -2.0));
//! # Ok::<(), overdub_spmd::MapError>(())
//! ```
//!
//! - SPMD1 the result of an element is that of a call for it alone, to the bit, except for the sign and the payload of a `NaN`;
//!   its error, too.
//! - SPMD2 results do not depend on the number of threads: elements are independent, and sums are reductions by a tree that
//!   depends on the number of elements alone.
//! - SPMD3 a function is lowered, differentiated and compiled once.
//!
//! [`map`](map()) is for functions of Rust, [`LoadedMap`] for those of loaded sources. [`Lanes`] is the same as a context of
//! [`overdub`](overdub_lower::api::overdub).

mod along;
mod axis;
mod block;
mod call;
mod column;
mod constants;
mod device;
mod directed;
mod each;
mod elements;
mod error;
mod gradient;
mod in_parts;
mod inputs;
mod lanes;
mod lists;
mod loaded;
mod map;
mod mapping;
mod on_device;
mod over;
mod prepared;
mod products;
mod pulled;
mod pushed;
mod reduce;
mod result_lists;
mod schedule;
mod settings;
mod shapes;
mod stored;
mod sum;

pub use axis::*;
pub use column::Column;
pub use device::{
    Collected, Device, DeviceCalls, DeviceError, DeviceList, Leaves, Returned, ValueAndGradient,
    ValueAndTangent,
};
pub use each::{EachFailure, Failures, FirstFailure, Run};
pub use error::{ElementError, Input, MapError};
pub use inputs::{
    ByIndex, Derivative, Fixed, InputKind, Inputs, Mapped, PerElement, Rows, Shared, SummedInputs,
};
pub use lanes::{DerivativeOfLanes, EachUnder, Lanes, LanesOf, MappedPullback};
pub use loaded::{LoadedMap, OverColumns};
pub use map::{Map, map};
pub use over::{Output, Over};
pub use schedule::current_element;
pub use settings::Progress;
pub use stored::Stored;
