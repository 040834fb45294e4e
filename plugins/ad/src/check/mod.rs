//! Checks of derivatives: against finite differences of the function itself, and between engines.
//!
//! - GRADCHECK1 the reference shares no code with the derivatives: it runs the plain function, at more points; as
//!   compiled by rustc where that is known, so that it shares nothing with overdub's run either.
//! - GRADCHECK2 a kink, a jump or noise is not an error of the derivative: differences come with an error
//!   estimate, and if it is large they are inconclusive.
//! - GRADCHECK3 a check that compared nothing fails.

mod against_differences;
mod applicable;
mod case;
mod compiled;
mod differences;
mod domain;
mod function_under_test;
mod gradient;
mod mismatch;
mod operation;
mod remade;
mod tally;

// Users need no dependency of their own, and have the version whose strategies fit.
pub use proptest;

pub use applicable::{Applicable, ApplicableAll};
pub use case::{TOLERANCE, check_at, check_func, check_point};
pub use differences::{Estimate, Slope, slope};
pub use domain::{DomainError, arguments_in};
pub use gradient::{CheckGradient, Counterexample, Inputs, Over, check_gradient, check_rule, check_values};
pub use mismatch::Mismatch;
pub use operation::check_operation;
pub use remade::{Borrowed, BorrowedMut, Owned, Remade, RemadeAll, Slice, SliceMut, Text, View};
pub use tally::Tally;

/// Asserts inside `proptest!` that the derivatives of a function at a point are right.
///
/// ```
/// # use overdub::prelude::*;
/// use overdub::ad::prop_assert_gradient;
/// use proptest::prelude::*;
///
/// #[dub]
/// fn f(a: f64, b: f64) -> f64 { a * b.exp() }
///
/// proptest!(|(a in -2.0..2.0, b in -1.0..1.0)| {
///     prop_assert_gradient!(f, (a, b));
/// });
/// ```
#[macro_export]
macro_rules! prop_assert_gradient {
    ($func:expr, $args:expr $(,)?) => {
        if let ::core::result::Result::Err(complaint) = $crate::check::check_at($func, $args) {
            let message = ::std::format!("{}: {complaint}", ::core::stringify!($func));
            return ::core::result::Result::Err($crate::check::proptest::test_runner::TestCaseError::fail(
                message,
            ));
        }
    };
}
