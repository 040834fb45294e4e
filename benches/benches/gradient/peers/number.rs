//! The interface of numbers that the programs need, and the numbers of the peers.

use std::ops::{Add, Div, Mul, Neg, Sub};

use num_dual::{DualNum, DualSVec64, HyperDual64};
use reverse::Var;

/// A number that carries derivatives along.
pub(crate) trait Number:
    Copy
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// The product with a constant.
    fn times(self, constant: f64) -> Self;
    /// The sum with a constant.
    fn plus(self, constant: f64) -> Self;
    fn sin(self) -> Self;
    fn cos(self) -> Self;
    fn tanh(self) -> Self;
    fn exp(self) -> Self;
    fn ln(self) -> Self;
    fn sqrt(self) -> Self;
    /// The reciprocal.
    fn inverse(self) -> Self;
}

/// A number with the functions of a trait or of its own; `$x` is how they take their operand.
macro_rules! number {
    (($($of:tt)*) $number:ty, |$x:ident, $c:ident| $times:expr, $plus:expr; $($ours:ident: $theirs:expr),*) => {
        impl $($of)* Number for $number {
            fn times(self, $c: f64) -> Self {
                let $x = self;
                $times
            }
            fn plus(self, $c: f64) -> Self {
                let $x = self;
                $plus
            }
            $(fn $ours(self) -> Self {
                let $x = self;
                $theirs
            })*
        }
    };
}

/// The numbers of num-dual have a trait.
macro_rules! dual {
    (($($of:tt)*) $number:ty) => {
        number! {
            ($($of)*) $number, |x, c| x * c, x + c;
            sin: DualNum::sin(&x), cos: DualNum::cos(&x), tanh: DualNum::tanh(&x), exp: DualNum::exp(&x),
            ln: DualNum::ln(&x), sqrt: DualNum::sqrt(&x), inverse: DualNum::recip(&x)
        }
    };
}

number! {
    (<'a>) Var<'a>, |x, c| x * c, x + c;
    sin: Var::sin(&x), cos: Var::cos(&x), tanh: Var::tanh(&x), exp: Var::exp(&x), ln: Var::ln(&x),
    sqrt: Var::sqrt(&x), inverse: Var::recip(&x)
}
dual!((<const N: usize>) DualSVec64<N>);
dual!(() HyperDual64);

#[cfg(feature = "ad_trait")]
pub(super) use number;
