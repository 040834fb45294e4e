//! Durations, and clocks that stand still.

use crate::fmt;
use crate::ops::{Add, AddAssign, Div, Mul, Sub, SubAssign};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Duration {
    secs: u64,
    nanos: u32,
}

impl Duration {
    pub const ZERO: Duration = Duration { secs: 0, nanos: 0 };
    pub const MAX: Duration = Duration { secs: u64::MAX, nanos: 999_999_999 };

    pub fn new(secs: u64, nanos: u32) -> Duration {
        let secs = secs.checked_add((nanos / 1_000_000_000) as u64).expect("overflow in Duration::new");
        Duration { secs, nanos: nanos % 1_000_000_000 }
    }

    pub fn from_secs(secs: u64) -> Duration {
        Duration { secs, nanos: 0 }
    }

    pub fn from_millis(millis: u64) -> Duration {
        Duration { secs: millis / 1_000, nanos: (millis % 1_000) as u32 * 1_000_000 }
    }

    pub fn from_micros(micros: u64) -> Duration {
        Duration { secs: micros / 1_000_000, nanos: (micros % 1_000_000) as u32 * 1_000 }
    }

    pub fn from_nanos(nanos: u64) -> Duration {
        Duration { secs: nanos / 1_000_000_000, nanos: (nanos % 1_000_000_000) as u32 }
    }

    pub fn from_secs_f64(secs: f64) -> Duration {
        if secs < 0.0 {
            panic!("cannot convert float seconds to Duration: value is negative");
        }
        if !(secs < 18446744073709551616.0) {
            panic!("cannot convert float seconds to Duration: value is either too big or NaN");
        }
        let whole = secs.trunc();
        let nanos = ((secs - whole) * 1e9).round_ties_even() as u32;
        Duration::new(whole as u64, nanos)
    }

    pub fn is_zero(&self) -> bool {
        self.secs == 0 && self.nanos == 0
    }

    pub fn as_secs(&self) -> u64 {
        self.secs
    }

    pub fn subsec_nanos(&self) -> u32 {
        self.nanos
    }

    pub fn subsec_millis(&self) -> u32 {
        self.nanos / 1_000_000
    }

    pub fn as_millis(&self) -> u128 {
        self.secs as u128 * 1_000 + (self.nanos / 1_000_000) as u128
    }

    pub fn as_micros(&self) -> u128 {
        self.secs as u128 * 1_000_000 + (self.nanos / 1_000) as u128
    }

    pub fn as_nanos(&self) -> u128 {
        self.secs as u128 * 1_000_000_000 + self.nanos as u128
    }

    pub fn as_secs_f64(&self) -> f64 {
        self.secs as f64 + self.nanos as f64 / 1e9
    }

    pub fn as_secs_f32(&self) -> f32 {
        self.secs as f32 + self.nanos as f32 / 1e9
    }

    pub fn checked_add(self, rhs: Duration) -> Option<Duration> {
        let secs = self.secs.checked_add(rhs.secs)?;
        let nanos = self.nanos + rhs.nanos;
        if nanos < 1_000_000_000 {
            return Some(Duration { secs, nanos });
        }
        Some(Duration { secs: secs.checked_add(1)?, nanos: nanos - 1_000_000_000 })
    }

    pub fn checked_sub(self, rhs: Duration) -> Option<Duration> {
        let secs = self.secs.checked_sub(rhs.secs)?;
        if self.nanos >= rhs.nanos {
            return Some(Duration { secs, nanos: self.nanos - rhs.nanos });
        }
        Some(Duration { secs: secs.checked_sub(1)?, nanos: self.nanos + 1_000_000_000 - rhs.nanos })
    }

    pub fn saturating_sub(self, rhs: Duration) -> Duration {
        self.checked_sub(rhs).unwrap_or(Duration::ZERO)
    }

    pub fn mul_f64(self, rhs: f64) -> Duration {
        Duration::from_secs_f64(rhs * self.as_secs_f64())
    }

    pub fn div_f64(self, rhs: f64) -> Duration {
        Duration::from_secs_f64(self.as_secs_f64() / rhs)
    }
}

impl Add for Duration {
    type Output = Duration;

    fn add(self, rhs: Duration) -> Duration {
        self.checked_add(rhs).expect("overflow when adding durations")
    }
}

impl Sub for Duration {
    type Output = Duration;

    fn sub(self, rhs: Duration) -> Duration {
        self.checked_sub(rhs).expect("overflow when subtracting durations")
    }
}

impl AddAssign for Duration {
    fn add_assign(&mut self, rhs: Duration) {
        *self = *self + rhs;
    }
}

impl SubAssign for Duration {
    fn sub_assign(&mut self, rhs: Duration) {
        *self = *self - rhs;
    }
}

impl Mul<u32> for Duration {
    type Output = Duration;

    fn mul(self, rhs: u32) -> Duration {
        let nanos = self.nanos as u64 * rhs as u64;
        let secs = self.secs.checked_mul(rhs as u64).expect("overflow when multiplying duration by scalar");
        let secs = secs.checked_add(nanos / 1_000_000_000).expect("overflow when multiplying duration by scalar");
        Duration { secs, nanos: (nanos % 1_000_000_000) as u32 }
    }
}

impl Div<u32> for Duration {
    type Output = Duration;

    fn div(self, rhs: u32) -> Duration {
        if rhs == 0 {
            panic!("divide by zero error when dividing duration by scalar");
        }
        let rest = self.secs % rhs as u64 * 1_000_000_000 + self.nanos as u64;
        Duration { secs: self.secs / rhs as u64, nanos: (rest / rhs as u64) as u32 }
    }
}

impl fmt::Debug for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part, unit) = if self.secs > 0 {
            (self.secs, self.nanos as f64 / 1e9, "s")
        } else if self.nanos >= 1_000_000 {
            ((self.nanos / 1_000_000) as u64, (self.nanos % 1_000_000) as f64 / 1e6, "ms")
        } else if self.nanos >= 1_000 {
            ((self.nanos / 1_000) as u64, (self.nanos % 1_000) as f64 / 1e3, "µs")
        } else {
            (self.nanos as u64, 0.0, "ns")
        };
        let digits = part.to_string();
        f.write_fmt(format_args!("{whole}{}{unit}", &digits[1..]))
    }
}

/// A moment; no time passes between two of them here.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Instant {
    since_start: Duration,
}

impl Instant {
    pub fn now() -> Instant {
        Instant { since_start: Duration::ZERO }
    }

    pub fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    pub fn duration_since(&self, earlier: Instant) -> Duration {
        self.since_start.saturating_sub(earlier.since_start)
    }
}

impl Sub for Instant {
    type Output = Duration;

    fn sub(self, rhs: Instant) -> Duration {
        self.duration_since(rhs)
    }
}
