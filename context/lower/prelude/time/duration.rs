//! Spans of time.

use crate::fmt;
use crate::iter::Sum;
use crate::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Sub, SubAssign};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Duration {
    pub(super) secs: u64,
    pub(super) nanos: u32,
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

    pub fn from_weeks(weeks: u64) -> Duration {
        Duration::of_units(weeks, 7 * 24 * 60 * 60)
    }

    pub fn from_days(days: u64) -> Duration {
        Duration::of_units(days, 24 * 60 * 60)
    }

    pub fn from_hours(hours: u64) -> Duration {
        Duration::of_units(hours, 60 * 60)
    }

    pub fn from_mins(mins: u64) -> Duration {
        Duration::of_units(mins, 60)
    }

    fn of_units(count: u64, secs: u64) -> Duration {
        match count.checked_mul(secs) {
            Some(secs) => Duration { secs, nanos: 0 },
            None => panic!("overflow in Duration::from_{}", match secs {
                60 => "mins",
                3600 => "hours",
                86400 => "days",
                _ => "weeks",
            }),
        }
    }

    pub fn try_from_secs_f64(secs: f64) -> Result<Duration, TryFromFloatSecsError> {
        if secs < 0.0 {
            return Err(TryFromFloatSecsError { kind: TryFromFloatSecsErrorKind::Negative });
        }
        if !(secs < 18446744073709551616.0) {
            return Err(TryFromFloatSecsError { kind: TryFromFloatSecsErrorKind::OverflowOrNan });
        }
        let whole = secs.trunc();
        let part = secs - whole;
        // The number of nanoseconds nearest to the exact product, rounding half to even; `rest` is the rounding error.
        let nanos = part * 1e9;
        let rest = part.mul_add(1e9, -nanos);
        let below = nanos.floor();
        let nearest = if nanos - below != 0.5 || rest == 0.0 {
            nanos.round_ties_even()
        } else if rest > 0.0 {
            below + 1.0
        } else {
            below
        };
        Ok(Duration::new(whole as u64, nearest as u32))
    }

    pub fn try_from_secs_f32(secs: f32) -> Result<Duration, TryFromFloatSecsError> {
        Duration::try_from_secs_f64(secs as f64)
    }

    pub fn from_secs_f64(secs: f64) -> Duration {
        match Duration::try_from_secs_f64(secs) {
            Ok(duration) => duration,
            Err(error) => panic!("{error}"),
        }
    }

    pub fn from_secs_f32(secs: f32) -> Duration {
        Duration::from_secs_f64(secs as f64)
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

    pub fn subsec_micros(&self) -> u32 {
        self.nanos / 1_000
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

    pub fn div_duration_f64(self, rhs: Duration) -> f64 {
        let nanos = |d: Duration| d.secs as f64 * 1e9 + d.nanos as f64;
        nanos(self) / nanos(rhs)
    }

    pub fn div_duration_f32(self, rhs: Duration) -> f32 {
        let nanos = |d: Duration| d.secs as f32 * 1e9 + d.nanos as f32;
        nanos(self) / nanos(rhs)
    }

    pub fn abs_diff(self, other: Duration) -> Duration {
        if self > other { self - other } else { other - self }
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

    pub fn saturating_add(self, rhs: Duration) -> Duration {
        self.checked_add(rhs).unwrap_or(Duration::MAX)
    }

    pub fn checked_mul(self, rhs: u32) -> Option<Duration> {
        let nanos = self.nanos as u64 * rhs as u64;
        let secs = self.secs.checked_mul(rhs as u64)?.checked_add(nanos / 1_000_000_000)?;
        Some(Duration { secs, nanos: (nanos % 1_000_000_000) as u32 })
    }

    pub fn saturating_mul(self, rhs: u32) -> Duration {
        self.checked_mul(rhs).unwrap_or(Duration::MAX)
    }

    pub fn checked_div(self, rhs: u32) -> Option<Duration> {
        if rhs == 0 {
            return None;
        }
        let rest = self.secs % rhs as u64 * 1_000_000_000 + self.nanos as u64;
        Some(Duration { secs: self.secs / rhs as u64, nanos: (rest / rhs as u64) as u32 })
    }

    pub fn saturating_sub(self, rhs: Duration) -> Duration {
        self.checked_sub(rhs).unwrap_or(Duration::ZERO)
    }

    pub fn mul_f64(self, rhs: f64) -> Duration {
        Duration::from_secs_f64(rhs * self.as_secs_f64())
    }

    pub fn mul_f32(self, rhs: f32) -> Duration {
        Duration::from_secs_f32(rhs * self.as_secs_f32())
    }

    pub fn div_f64(self, rhs: f64) -> Duration {
        Duration::from_secs_f64(self.as_secs_f64() / rhs)
    }

    pub fn div_f32(self, rhs: f32) -> Duration {
        Duration::from_secs_f32(self.as_secs_f32() / rhs)
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
        self.checked_mul(rhs).expect("overflow when multiplying duration by scalar")
    }
}

impl Mul<Duration> for u32 {
    type Output = Duration;

    fn mul(self, rhs: Duration) -> Duration {
        rhs * self
    }
}

impl MulAssign<u32> for Duration {
    fn mul_assign(&mut self, rhs: u32) {
        *self = *self * rhs;
    }
}

impl Div<u32> for Duration {
    type Output = Duration;

    fn div(self, rhs: u32) -> Duration {
        self.checked_div(rhs).expect("divide by zero error when dividing duration by scalar")
    }
}

impl DivAssign<u32> for Duration {
    fn div_assign(&mut self, rhs: u32) {
        *self = *self / rhs;
    }
}

impl Sum for Duration {
    fn sum<I: Iterator<Item = Duration>>(iter: I) -> Duration {
        iter.fold(Duration::ZERO, |sum, d| sum.checked_add(d).expect("overflow in iter::sum over durations"))
    }
}

impl<'a> Sum<&'a Duration> for Duration {
    fn sum<I: Iterator<Item = &'a Duration>>(iter: I) -> Duration {
        iter.copied().sum()
    }
}

impl fmt::Debug for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nanos = self.nanos;
        let text = if self.secs > 0 {
            decimal(f, self.secs, nanos, 100_000_000, "s")
        } else if nanos >= 1_000_000 {
            decimal(f, (nanos / 1_000_000) as u64, nanos % 1_000_000, 100_000, "ms")
        } else if nanos >= 1_000 {
            decimal(f, (nanos / 1_000) as u64, nanos % 1_000, 100, "µs")
        } else {
            decimal(f, nanos as u64, 0, 1, "ns")
        };
        // The precision applies to the number, and does not truncate the text.
        let precision = f.spec.precision;
        f.spec.precision = None;
        let written = f.pad(&text);
        f.spec.precision = precision;
        written
    }
}

/// `whole` and `part` units with the requested precision; `place` is the weight of the first decimal.
fn decimal(f: &fmt::Formatter<'_>, whole: u64, part: u32, place: u32, unit: &str) -> String {
    let most = f.spec.precision.unwrap_or(9);
    let mut digits = String::new();
    let (mut rest, mut place) = (part, place);
    while rest > 0 && digits.len() < most {
        digits.push((b'0' + (rest / place) as u8) as char);
        rest %= place;
        place /= 10;
    }
    let mut whole = whole as u128;
    if rest > 0 && rest >= place * 5 {
        let last_is_odd = match digits.as_bytes().last() {
            Some(digit) => (*digit - b'0') % 2 == 1,
            None => whole % 2 == 1,
        };
        if rest > place * 5 || last_is_odd {
            let count = digits.len();
            let up = digits.parse::<u32>().unwrap_or(0) + 1;
            let text = format!("{up:0count$}");
            if text.len() > count {
                whole += 1;
                digits = "0".repeat(count);
            } else {
                digits = text;
            }
        }
    }
    let sign = if f.spec.plus { "+" } else { "" };
    let width = f.spec.precision.unwrap_or(digits.len());
    if width == 0 {
        return format!("{sign}{whole}{unit}");
    }
    format!("{sign}{whole}.{digits:0<width$}{unit}")
}

/// A number of seconds that is not a valid duration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TryFromFloatSecsError {
    kind: TryFromFloatSecsErrorKind,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum TryFromFloatSecsErrorKind {
    Negative,
    OverflowOrNan,
}

impl fmt::Display for TryFromFloatSecsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self.kind {
            TryFromFloatSecsErrorKind::Negative => "cannot convert float seconds to Duration: value is negative",
            TryFromFloatSecsErrorKind::OverflowOrNan => {
                "cannot convert float seconds to Duration: value is either too big or NaN"
            }
        })
    }
}

impl crate::error::Error for TryFromFloatSecsError {}
