//! Rigorous bounds: a domain in which a number is represented by an interval that contains it.
//!
//! ```
//! use overdub_interval::{Interval, bounds};
//!
//! let source = "pub fn f(x: f64) -> f64 { x * (1.0 - x) + x.sin() }";
//! let loaded = overdub_lower::Loaded::from_source("f.rs", source)?;
//! let f = loaded.function("f")?.symbol;
//! let y = bounds(&loaded.engine(), f, [Interval::new(0.25, 0.5)?])?;
//! assert!(y.lo() > 0.37 && y.hi() < 0.86);
//! assert!(y.holds(0.3 * (1.0 - 0.3) + 0.3_f64.sin()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - INTERVAL1 the result contains every value that the function takes for real arguments in the given
//!   intervals. What is undecided, or not defined on all of an interval, is a failure that names the call,
//!   never a guess: a comparison of intervals that overlap, a square root of an interval that reaches below
//!   zero.
//! - INTERVAL2 sums, products, quotients and square roots are rounded outward only if they are not exact.
//!   Elementary functions are the platform's, assumed to err by less than [`ULPS`] units in the last place,
//!   as the common ones do.
//!
//! The arithmetic is this crate's own: the available crates with elementary functions use MPFR, which is
//! built from C.

mod arith;
mod elementary;
mod interval;
mod ops;

use overdub_context::engine::{CallSite, Called, Domain, Engine, Key, Lift, Lifted};
use overdub_context::ir::Ty;
use overdub_context::value::Value;
use overdub_context::{Failure, Symbol};

pub use elementary::ULPS;
pub use interval::Interval;

/// The domain of intervals.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Intervals;

impl Domain for Intervals {
    fn name(&self) -> String {
        "Interval".to_owned()
    }

    fn key(&self) -> Key {
        Key::of::<Intervals>()
    }

    fn map(&self, ty: Ty) -> Option<Ty> {
        (ty == Ty::f64()).then_some(Interval::ty())
    }

    fn lift(&self, of: Ty) -> Option<Lifted> {
        (of == Ty::f64()).then(|| Lifted::Op(&ops::LIFT))
    }

    fn untag(&self, of: Ty, _: &CallSite) -> Option<Lifted> {
        (of == Ty::f64()).then(|| Lifted::Op(&ops::UNTAG))
    }

    fn lifted(&self, call: &CallSite) -> Option<Lifted> {
        let Called::Op(op) = call.callee else { return None };
        let on_numbers = !call.args.is_empty() && call.args.iter().all(|ty| *ty == Ty::f64());
        let by_integer = *call.args == [Ty::f64(), Ty::i32()];
        if let Some(lifted) = (on_numbers || by_integer).then(|| ops::lifted(op)).flatten() {
            return Some(Lifted::Op(lifted));
        }
        // A cast, a class or a text depends on the number itself, and fails if the interval contains more
        // than one (INTERVAL1).
        let is_of_one = on_numbers && call.ret != Ty::f64() && !op.is_structural();
        is_of_one.then_some(Lifted::Untagged)
    }
}

/// Bounds of the result of a function of floats, for arguments anywhere in these intervals.
///
/// # Errors
/// If the program fails, something is undecided or undefined, or the result is no float.
pub fn bounds(
    engine: &Engine,
    func: impl Into<Symbol>,
    args: impl IntoIterator<Item = Interval>,
) -> Result<Interval, Failure> {
    let args: Vec<Value<'static>> = args.into_iter().map(Value::from).collect();
    let value = engine.overdub(&Lift::new(Intervals), func, args)?;
    Interval::of(&value)
}
