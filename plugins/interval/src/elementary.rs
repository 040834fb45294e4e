//! Elementary functions of intervals, by the pieces on which they are monotonic.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use overdub_context::Failure;

use crate::interval::{Interval, undefined};

/// The error of the platform's elementary functions is less than this number of units in the last place.
pub const ULPS: usize = 4;

type Out = Result<Interval, Failure>;

fn down(x: f64) -> f64 {
    (0..ULPS).fold(x, |x, _| x.next_down())
}

fn up(x: f64) -> f64 {
    (0..ULPS).fold(x, |x, _| x.next_up())
}

/// Increasing functions: evaluated at the ends, with their domains and ranges.
macro_rules! rising {
    ($($name:ident on $from:expr, $to:expr, within $least:expr, $most:expr;)*) => {
        impl Interval {
            $(pub(crate) fn $name(self) -> Out {
                if self.lo() < $from || self.hi() > $to {
                    return Err(undefined(format!(
                        "`{}` is not defined on all of {self}", stringify!($name)
                    )));
                }
                Ok(Interval::enclosing(
                    down(self.lo().$name()).max($least),
                    up(self.hi().$name()).min($most),
                ))
            })*
        }
    };
}

const INF: f64 = f64::INFINITY;

rising! {
    exp on -INF, INF, within 0.0, INF;
    exp2 on -INF, INF, within 0.0, INF;
    exp_m1 on -INF, INF, within -1.0, INF;
    ln on 0.0, INF, within -INF, INF;
    ln_1p on -1.0, INF, within -INF, INF;
    log2 on 0.0, INF, within -INF, INF;
    log10 on 0.0, INF, within -INF, INF;
    cbrt on -INF, INF, within -INF, INF;
    sinh on -INF, INF, within -INF, INF;
    tanh on -INF, INF, within -1.0, 1.0;
    asinh on -INF, INF, within -INF, INF;
    acosh on 1.0, INF, within 0.0, INF;
    atanh on -1.0, 1.0, within -INF, INF;
    atan on -INF, INF, within -up(FRAC_PI_2), up(FRAC_PI_2);
    asin on -1.0, 1.0, within -up(FRAC_PI_2), up(FRAC_PI_2);
}

impl Interval {
    /// Decreasing.
    pub(crate) fn acos(self) -> Out {
        if self.lo() < -1.0 || self.hi() > 1.0 {
            return Err(undefined(format!("`acos` is not defined on all of {self}")));
        }
        Ok(Interval::enclosing(down(self.hi().acos()).max(0.0), up(self.lo().acos())))
    }

    /// Decreasing below zero and increasing above it.
    pub(crate) fn cosh(self) -> Out {
        let abs = self.abs()?;
        Ok(Interval::enclosing(down(abs.lo().cosh()).max(1.0), up(abs.hi().cosh())))
    }

    pub(crate) fn sin(self) -> Out {
        // The maximum is a quarter of a turn after zero, the minimum three quarters.
        self.wave(f64::sin, FRAC_PI_2, -FRAC_PI_2)
    }

    pub(crate) fn cos(self) -> Out {
        self.wave(f64::cos, 0.0, PI)
    }

    /// A periodic function with one maximum, at `top`, and one minimum, at `bottom`.
    fn wave(self, function: fn(f64) -> f64, top: f64, bottom: f64) -> Out {
        // For larger numbers, the number of turns is not exact enough.
        let is_wide = self.width() >= TAU || self.lo().abs().max(self.hi().abs()) > 1e8;
        if is_wide {
            return Ok(Interval::enclosing(-1.0, 1.0));
        }
        let (first, last) = (function(self.lo()), function(self.hi()));
        let hi = if self.crosses(top) { 1.0 } else { up(first.max(last)).min(1.0) };
        let lo = if self.crosses(bottom) { -1.0 } else { down(first.min(last)).max(-1.0) };
        Ok(Interval::enclosing(lo, hi))
    }

    /// Whether the interval may contain a point `at + k·2π`: the errors of the quotients are far less than
    /// the margin.
    fn crosses(self, at: f64) -> bool {
        let turns = |x: f64| (x - at) / TAU;
        const MARGIN: f64 = 1e-7;
        (turns(self.hi()) + MARGIN).floor() >= (turns(self.lo()) - MARGIN).ceil()
    }

    /// Increasing between its poles.
    pub(crate) fn tan(self) -> Out {
        let is_wide = self.width() >= PI || self.lo().abs().max(self.hi().abs()) > 1e8;
        if is_wide || self.crosses(FRAC_PI_2) || self.crosses(-FRAC_PI_2) {
            return Err(undefined(format!("`tan` may not be defined on all of {self}")));
        }
        Ok(Interval::enclosing(down(self.lo().tan()), up(self.hi().tan())))
    }

    /// Monotonic in each of its arguments, so its extremes are at the corners.
    pub(crate) fn powf(self, by: Interval) -> Out {
        if by.lo() == by.hi() && by.lo().fract() == 0.0 && by.lo().abs() <= 1e9 {
            // An integer that fits an `i32`.
            return self.powi(by.lo() as i32);
        }
        if self.lo() <= 0.0 {
            return Err(undefined(format!("a power of {self}, which reaches down to zero, to {by}")));
        }
        let corners = [self.lo(), self.hi()].map(|x| [x.powf(by.lo()), x.powf(by.hi())]);
        let corners = corners.iter().flatten();
        let lo = corners.clone().copied().fold(INF, f64::min);
        let hi = corners.copied().fold(-INF, f64::max);
        Ok(Interval::enclosing(down(lo).max(0.0), up(hi)))
    }

    pub(crate) fn hypot(self, other: Interval) -> Out {
        let (a, b) = (self.abs()?, other.abs()?);
        Ok(Interval::enclosing(down(a.lo().hypot(b.lo())).max(0.0), up(a.hi().hypot(b.hi()))))
    }
}
