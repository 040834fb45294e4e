//! Clocks.
//!
//! - CLOCK1 time passes while a program runs, so each reading is a separate effect: it is neither shared,
//!   moved nor constant-folded, and keeps its place among other effects.
//! - CLOCK2 the reading is an integer, and so a constant for analyses of floats.

use std::sync::LazyLock;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::macros::ops;
use super::{OpCx, OperandTys, TypeFault};
use crate::failure::Failure;
use crate::types::Ty;
use crate::value::Value;

ops! {
    /// The nanoseconds of a monotonic clock, since a moment that is fixed for the process.
    CLOCK_NOW = "clock.now", Exactly(0), read_ty, WRITES, now;
    /// The nanoseconds since 1970 by the system clock.
    CLOCK_SYSTEM = "clock.system", Exactly(0), read_ty, WRITES, system;
}

fn read_ty(_: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    Ok(Ty::u64())
}

/// The nanoseconds of a duration, saturating beyond 584 years.
fn nanos(duration: Duration) -> Value<'static> {
    Value::from(u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX))
}

fn now<'a>(_: &mut OpCx<'_, 'a>, _: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    /// As in Rust, the reference moment is meaningless; it is in the past so that durations can be
    /// subtracted.
    const BEFORE: Duration = Duration::from_secs(1 << 32);
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    Ok(nanos(START.elapsed() + BEFORE))
}

fn system<'a>(_: &mut OpCx<'_, 'a>, _: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    Ok(nanos(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()))
}
