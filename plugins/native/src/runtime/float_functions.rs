//! The functions of floats that compiled code calls, as the evaluators compute them.

use overdub_context::ir::FloatTy;
use overdub_passes::fast_math::functions;

use crate::runtime::libcalls::Libcall;

/// A C function that takes `arity` floats and returns one.
pub(crate) struct Callable {
    pub(crate) libcall: Libcall,
    pub(crate) arity: usize,
}

/// A function, in the width that is asked for.
pub(crate) type FloatFunction = fn(FloatTy) -> Callable;

macro_rules! float_functions {
    ($($name:ident ($($x:ident),+) $body:expr;)*) => {$(
        pub(crate) fn $name(float: FloatTy) -> Callable {
            extern "C" fn narrow($($x: f32),+) -> f32 { $body }
            extern "C" fn wide($($x: f64),+) -> f64 { $body }
            let address = match float {
                FloatTy::F32 => narrow as *const u8,
                FloatTy::F64 => wide as *const u8,
            };
            let libcall = Libcall { name: stringify!($name), address };
            Callable { libcall, arity: [$(stringify!($x)),+].len() }
        }
    )*};
}

float_functions! {
    cbrt (x) x.cbrt();
    sin (x) x.sin();
    cos (x) x.cos();
    tan (x) x.tan();
    asin (x) x.asin();
    acos (x) x.acos();
    atan (x) x.atan();
    atan2 (y, x) y.atan2(x);
    sinh (x) x.sinh();
    cosh (x) x.cosh();
    tanh (x) x.tanh();
    asinh (x) x.asinh();
    acosh (x) x.acosh();
    atanh (x) x.atanh();
    exp (x) x.exp();
    exp2 (x) x.exp2();
    exp_m1 (x) x.exp_m1();
    ln (x) x.ln();
    ln_1p (x) x.ln_1p();
    log2 (x) x.log2();
    log10 (x) x.log10();
    log (x, base) x.log(base);
    hypot (x, y) x.hypot(y);
    powf (x, y) x.powf(y);
    mul_add (x, y, z) x.mul_add(y, z);
    floor (x) x.floor();
    ceil (x) x.ceil();
    round (x) x.round();
    round_ties_even (x) x.round_ties_even();
    trunc (x) x.trunc();
    fract (x) x.fract();
    signum (x) x.signum();
    rem (x, y) x % y;
    rem_euclid (x, y) x.rem_euclid(y);
    div_euclid (x, y) x.div_euclid(y);
    to_degrees (x) x.to_degrees();
    to_radians (x) x.to_radians();
}

/// Those of [`overdub_passes::fast_math`], which compute an `f32` by the `f64`.
macro_rules! fast_functions {
    ($($name:ident $of:path;)*) => {$(
        pub(crate) fn $name(float: FloatTy) -> Callable {
            extern "C" fn narrow(x: f32) -> f32 {
                $of(f64::from(x)) as f32
            }
            extern "C" fn wide(x: f64) -> f64 {
                $of(x)
            }
            let address = match float {
                FloatTy::F32 => narrow as *const u8,
                FloatTy::F64 => wide as *const u8,
            };
            Callable { libcall: Libcall { name: stringify!($name), address }, arity: 1 }
        }
    )*};
}

fast_functions! {
    exp_fast functions::exp;
    ln_fast functions::ln;
    sin_fast functions::sin;
    cos_fast functions::cos;
}

/// An `f64` to the power of an integer.
pub(crate) extern "C" fn powi64(x: f64, n: i32) -> f64 {
    x.powi(n)
}

/// An `f32` to the power of an integer.
pub(crate) extern "C" fn powi32(x: f32, n: i32) -> f32 {
    x.powi(n)
}
