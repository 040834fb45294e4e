//! Intervals as values.

use std::fmt;
use std::sync::{Arc, LazyLock};

use overdub_context::ir::{Field, Nominal, NominalBody, Ty, TyKind};
use overdub_context::value::{Composite, Value};
use overdub_context::{Failure, FailureKind, Symbol};

/// The numbers from `lo` to `hi`, both included; neither is NaN, and `lo` is not above `hi`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    lo: f64,
    hi: f64,
}

impl Interval {
    /// The numbers from `lo` to `hi`.
    ///
    /// # Errors
    /// If one is NaN, or `lo` is above `hi`.
    pub fn new(lo: f64, hi: f64) -> Result<Interval, Failure> {
        if lo <= hi {
            Ok(Interval { lo, hi })
        } else {
            Err(undefined(format!("there is no interval from {lo:?} to {hi:?}")))
        }
    }

    /// One number.
    ///
    /// # Errors
    /// If the number is NaN.
    pub fn point(x: f64) -> Result<Interval, Failure> {
        Interval::new(x, x)
    }

    /// The interval between computed bounds; a bound that is NaN is unknown, and becomes infinite.
    pub(crate) fn enclosing(lo: f64, hi: f64) -> Interval {
        Interval {
            lo: if lo.is_nan() { f64::NEG_INFINITY } else { lo },
            hi: if hi.is_nan() { f64::INFINITY } else { hi },
        }
    }

    /// The least number in it.
    pub fn lo(self) -> f64 {
        self.lo
    }

    /// The greatest number in it.
    pub fn hi(self) -> f64 {
        self.hi
    }

    /// The distance between its ends.
    pub fn width(self) -> f64 {
        self.hi - self.lo
    }

    /// Whether the interval contains a number.
    pub fn holds(self, x: f64) -> bool {
        self.lo <= x && x <= self.hi
    }

    /// Its type in the IR: a struct of two floats.
    pub fn ty() -> Ty {
        static TY: LazyLock<Ty> = LazyLock::new(|| {
            let universe = Nominal::universe(Symbol::new("overdub-interval"));
            let nominal = Nominal::new(universe, Symbol::new("Interval"), []);
            let field = |name: &str| Field { name: Symbol::new(name), ty: Ty::f64() };
            nominal.define(NominalBody::Struct(vec![field("lo"), field("hi")]));
            Ty::new(TyKind::Struct(nominal))
        });
        *TY
    }

    /// The interval of a value.
    ///
    /// # Errors
    /// If the value is not an interval.
    pub fn of(value: &Value<'_>) -> Result<Interval, Failure> {
        let parts = value.as_composite().filter(|it| it.ty == Some(Interval::ty())).map(|it| &it.parts[..]);
        match parts {
            Some([Value::F64(lo), Value::F64(hi)]) => Interval::new(*lo, *hi),
            _ => Err(Failure::new(FailureKind::Type, format!("`{value}` is no interval"))),
        }
    }
}

impl From<Interval> for Value<'_> {
    fn from(it: Interval) -> Self {
        let parts = [it.lo, it.hi].map(Value::F64).into_iter().collect();
        Value::Composite(Arc::new(Composite { ty: Some(Interval::ty()), tag: 0, parts }))
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{:?}, {:?}]", self.lo, self.hi)
    }
}

/// The failure of a computation that is not defined on all of an interval.
#[cold]
pub(crate) fn undefined(message: impl Into<String>) -> Failure {
    Failure::new(FailureKind::Domain, message)
}
