//! Clocks, which advance while a program runs.

mod duration;

pub use duration::{Duration, TryFromFloatSecsError};

use crate::fmt;
use crate::ops::{Add, AddAssign, Sub, SubAssign};

#[op("clock.now")]
fn nanos_now() -> u64;

#[op("clock.system")]
fn nanos_since_1970() -> u64;

/// A time of a monotonic clock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Instant {
    since_start: Duration,
}

impl Instant {
    pub fn now() -> Instant {
        Instant { since_start: Duration::from_nanos(nanos_now()) }
    }

    pub fn elapsed(&self) -> Duration {
        Instant::now().duration_since(*self)
    }

    pub fn duration_since(&self, earlier: Instant) -> Duration {
        self.since_start.saturating_sub(earlier.since_start)
    }

    pub fn checked_duration_since(&self, earlier: Instant) -> Option<Duration> {
        self.since_start.checked_sub(earlier.since_start)
    }

    pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
        self.duration_since(earlier)
    }

    pub fn checked_add(&self, duration: Duration) -> Option<Instant> {
        Some(Instant { since_start: self.since_start.checked_add(duration)? })
    }

    pub fn checked_sub(&self, duration: Duration) -> Option<Instant> {
        Some(Instant { since_start: self.since_start.checked_sub(duration)? })
    }
}

impl Add<Duration> for Instant {
    type Output = Instant;

    fn add(self, rhs: Duration) -> Instant {
        self.checked_add(rhs).expect("overflow when adding duration to instant")
    }
}

impl AddAssign<Duration> for Instant {
    fn add_assign(&mut self, rhs: Duration) {
        *self = *self + rhs;
    }
}

impl Sub<Duration> for Instant {
    type Output = Instant;

    fn sub(self, rhs: Duration) -> Instant {
        self.checked_sub(rhs).expect("overflow when subtracting duration from instant")
    }
}

impl SubAssign<Duration> for Instant {
    fn sub_assign(&mut self, rhs: Duration) {
        *self = *self - rhs;
    }
}

impl Sub<Instant> for Instant {
    type Output = Duration;

    fn sub(self, rhs: Instant) -> Duration {
        self.duration_since(rhs)
    }
}

/// A time of the system clock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SystemTime {
    since_1970: Duration,
}

pub const UNIX_EPOCH: SystemTime = SystemTime::UNIX_EPOCH;

impl SystemTime {
    pub const UNIX_EPOCH: SystemTime = SystemTime { since_1970: Duration::ZERO };

    pub fn now() -> SystemTime {
        SystemTime { since_1970: Duration::from_nanos(nanos_since_1970()) }
    }

    pub fn duration_since(&self, earlier: SystemTime) -> Result<Duration, SystemTimeError> {
        match self.since_1970.checked_sub(earlier.since_1970) {
            Some(duration) => Ok(duration),
            None => Err(SystemTimeError(earlier.since_1970 - self.since_1970)),
        }
    }

    pub fn elapsed(&self) -> Result<Duration, SystemTimeError> {
        SystemTime::now().duration_since(*self)
    }

    pub fn checked_add(&self, duration: Duration) -> Option<SystemTime> {
        Some(SystemTime { since_1970: self.since_1970.checked_add(duration)? })
    }

    /// `None` before 1970, the earliest representable time here.
    pub fn checked_sub(&self, duration: Duration) -> Option<SystemTime> {
        Some(SystemTime { since_1970: self.since_1970.checked_sub(duration)? })
    }
}

impl Add<Duration> for SystemTime {
    type Output = SystemTime;

    fn add(self, rhs: Duration) -> SystemTime {
        self.checked_add(rhs).expect("overflow when adding duration to instant")
    }
}

impl Sub<Duration> for SystemTime {
    type Output = SystemTime;

    fn sub(self, rhs: Duration) -> SystemTime {
        self.checked_sub(rhs).expect("overflow when subtracting duration from instant")
    }
}

/// By how much the supposedly earlier time is later.
#[derive(Clone, Debug)]
pub struct SystemTimeError(Duration);

impl SystemTimeError {
    pub fn duration(&self) -> Duration {
        self.0
    }
}

impl fmt::Display for SystemTimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("second time provided was later than self")
    }
}

impl crate::error::Error for SystemTimeError {}
