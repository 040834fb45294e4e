//! Arithmetic on intervals: the ends are computed with their rounding errors, and rounded outward if there is
//! an error.

use overdub_context::Failure;

use crate::interval::{Interval, undefined};

/// The rounding error of a smaller number may itself be rounded away.
const TINY: f64 = 1e-280;

/// A float, and the sign of the difference to the exact number: zero only if the float is exact, NaN if this
/// is not known.
#[derive(Clone, Copy)]
pub(crate) struct Rounded {
    value: f64,
    missing: f64,
}

impl Rounded {
    fn lo(self) -> f64 {
        if self.missing >= 0.0 { self.value } else { self.value.next_down() }
    }

    fn hi(self) -> f64 {
        if self.missing <= 0.0 { self.value } else { self.value.next_up() }
    }

    fn add(a: f64, b: f64) -> Rounded {
        let value = a + b;
        let recomputed = value - a;
        Rounded { value, missing: (a - (value - recomputed)) + (b - recomputed) }
    }

    fn mul(a: f64, b: f64) -> Rounded {
        if a == 0.0 || b == 0.0 {
            // Also for zero times infinity: infinite ends stand for arbitrarily large numbers.
            return Rounded { value: 0.0, missing: 0.0 };
        }
        let value = a * b;
        let missing = if value.abs() > TINY { a.mul_add(b, -value) } else { f64::NAN };
        Rounded { value, missing }
    }

    fn div(a: f64, b: f64) -> Rounded {
        if a == 0.0 {
            return Rounded { value: 0.0, missing: 0.0 };
        }
        let value = a / b;
        let is_safe = value.abs() > TINY && a.abs() > TINY;
        let missing = if is_safe { (-value).mul_add(b, a) * b.signum() } else { f64::NAN };
        Rounded { value, missing }
    }

    fn sqrt(a: f64) -> Rounded {
        let value = a.sqrt();
        let missing = if a == 0.0 {
            0.0
        } else if a > TINY {
            (-value).mul_add(value, a)
        } else {
            f64::NAN
        };
        Rounded { value, missing }
    }
}

/// The least and the greatest of the results for the ends of two intervals.
fn hull(ends: [Rounded; 4]) -> Interval {
    let lo = ends.iter().map(|end| end.lo()).fold(f64::INFINITY, f64::min);
    let hi = ends.iter().map(|end| end.hi()).fold(f64::NEG_INFINITY, f64::max);
    if ends.iter().any(|end| end.value.is_nan()) {
        Interval::enclosing(f64::NAN, f64::NAN)
    } else {
        Interval::enclosing(lo, hi)
    }
}

type Out = Result<Interval, Failure>;

impl Interval {
    pub(crate) fn add(self, other: Interval) -> Out {
        let (lo, hi) = (Rounded::add(self.lo(), other.lo()), Rounded::add(self.hi(), other.hi()));
        Ok(Interval::enclosing(lo.lo(), hi.hi()))
    }

    pub(crate) fn sub(self, other: Interval) -> Out {
        self.add(other.neg()?)
    }

    pub(crate) fn neg(self) -> Out {
        Ok(Interval::enclosing(-self.hi(), -self.lo()))
    }

    pub(crate) fn mul(self, other: Interval) -> Out {
        let end = Rounded::mul;
        Ok(hull([
            end(self.lo(), other.lo()),
            end(self.lo(), other.hi()),
            end(self.hi(), other.lo()),
            end(self.hi(), other.hi()),
        ]))
    }

    pub(crate) fn div(self, other: Interval) -> Out {
        if other.holds(0.0) {
            return Err(undefined(format!("division by {other}, which holds zero")));
        }
        let end = Rounded::div;
        Ok(hull([
            end(self.lo(), other.lo()),
            end(self.lo(), other.hi()),
            end(self.hi(), other.lo()),
            end(self.hi(), other.hi()),
        ]))
    }

    pub(crate) fn recip(self) -> Out {
        Interval::point(1.0)?.div(self)
    }

    pub(crate) fn mul_add(self, by: Interval, more: Interval) -> Out {
        self.mul(by)?.add(more)
    }

    pub(crate) fn sqrt(self) -> Out {
        if self.lo() < 0.0 {
            return Err(undefined(format!("the square root of {self}, which reaches below zero")));
        }
        Ok(Interval::enclosing(Rounded::sqrt(self.lo()).lo(), Rounded::sqrt(self.hi()).hi()))
    }

    pub(crate) fn abs(self) -> Out {
        if self.lo() >= 0.0 {
            Ok(self)
        } else if self.hi() <= 0.0 {
            self.neg()
        } else {
            Ok(Interval::enclosing(0.0, self.hi().max(-self.lo())))
        }
    }

    pub(crate) fn min(self, other: Interval) -> Out {
        Ok(Interval::enclosing(self.lo().min(other.lo()), self.hi().min(other.hi())))
    }

    pub(crate) fn max(self, other: Interval) -> Out {
        Ok(Interval::enclosing(self.lo().max(other.lo()), self.hi().max(other.hi())))
    }

    pub(crate) fn floor(self) -> Out {
        Ok(Interval::enclosing(self.lo().floor(), self.hi().floor()))
    }

    pub(crate) fn ceil(self) -> Out {
        Ok(Interval::enclosing(self.lo().ceil(), self.hi().ceil()))
    }

    pub(crate) fn trunc(self) -> Out {
        Ok(Interval::enclosing(self.lo().trunc(), self.hi().trunc()))
    }

    pub(crate) fn round(self) -> Out {
        Ok(Interval::enclosing(self.lo().round(), self.hi().round()))
    }

    /// An even power is the power of the absolute value; an odd power has the sign of its base.
    pub(crate) fn powi(self, n: i32) -> Out {
        let mut base = if n % 2 == 0 { self.abs()? } else { self };
        let mut ends = [Interval::point(base.lo())?, Interval::point(base.hi())?];
        for end in &mut ends {
            *end = end.point_powi(n.unsigned_abs())?;
        }
        base = Interval::enclosing(ends[0].lo(), ends[1].hi());
        if n < 0 { base.recip() } else { Ok(base) }
    }

    fn point_powi(self, n: u32) -> Out {
        let (mut base, mut power, mut left) = (self, Interval::point(1.0)?, n);
        while left > 0 {
            if left % 2 == 1 {
                power = power.mul(base)?;
            }
            left /= 2;
            if left > 0 {
                base = base.mul(base)?;
            }
        }
        Ok(power)
    }
}
