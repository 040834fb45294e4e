//! Time, as clocks tell it.
//!
//! - CLOCK1 time goes on while a program runs, so each reading is an effect of its own: it is neither shared, moved nor
//!   known beforehand, and keeps its place among other effects.
//! - CLOCK2 what is read is an integer, and so a constant to whatever follows floats.

use std::sync::LazyLock;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::macros::ops;
use super::{OpCx, OperandTys, TypeFault};
use crate::failure::Failure;
use crate::types::Ty;
use crate::value::Value;

ops! {
    /// The nanoseconds of a clock that never goes back, from a moment that is the same for the whole process.
    CLOCK_NOW = "clock.now", Exactly(0), read_ty, WRITES, now;
    /// The nanoseconds since 1970 by the clock of the system.
    CLOCK_SYSTEM = "clock.system", Exactly(0), read_ty, WRITES, system;
}

fn read_ty(_: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    Ok(Ty::u64())
}

/// The nanoseconds of a duration; durations of more than 584 years give the same number.
fn nanos(duration: Duration) -> Value<'static> {
    Value::from(u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX))
}

fn now<'a>(_: &mut OpCx<'_, 'a>, _: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    /// As in Rust, the moment itself has no meaning; it lies back so that durations may be taken away.
    const BEFORE: Duration = Duration::from_secs(1 << 32);
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    Ok(nanos(START.elapsed() + BEFORE))
}

fn system<'a>(_: &mut OpCx<'_, 'a>, _: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    Ok(nanos(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()))
}
