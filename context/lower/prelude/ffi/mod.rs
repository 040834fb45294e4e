//! Types and functions of C.

pub type c_char = i8;
pub type c_schar = i8;
pub type c_uchar = u8;
pub type c_short = i16;
pub type c_ushort = u16;
pub type c_int = i32;
pub type c_uint = u32;
pub type c_long = i64;
pub type c_ulong = u64;
pub type c_longlong = i64;
pub type c_ulonglong = u64;
pub type c_float = f32;
pub type c_double = f64;

mod c_text;
mod os_text;

pub use c_text::{CStr, CString, NulError};
pub use os_text::{OsStr, OsString};

/// What a pointer points to that C knows.
#[derive(Debug)]
pub enum c_void {}

/// The functions of C's `math.h` that Rust's library calls for its own ones. A program that declares them in an
/// `extern` block gets these.
pub mod math {
    macro_rules! functions {
        ($($f64:ident $f32:ident ($($x:ident)*) $value:expr;)*) => {$(
            pub unsafe fn $f64($($x: f64),*) -> f64 {
                $value
            }

            pub unsafe fn $f32($($x: f32),*) -> f32 {
                $value
            }
        )*};
    }

    functions! {
        sin sinf (x) x.sin();
        cos cosf (x) x.cos();
        tan tanf (x) x.tan();
        asin asinf (x) x.asin();
        acos acosf (x) x.acos();
        atan atanf (x) x.atan();
        sinh sinhf (x) x.sinh();
        cosh coshf (x) x.cosh();
        tanh tanhf (x) x.tanh();
        exp expf (x) x.exp();
        exp2 exp2f (x) x.exp2();
        expm1 expm1f (x) x.exp_m1();
        log logf (x) x.ln();
        log2 log2f (x) x.log2();
        log10 log10f (x) x.log10();
        log1p log1pf (x) x.ln_1p();
        sqrt sqrtf (x) x.sqrt();
        cbrt cbrtf (x) x.cbrt();
        fabs fabsf (x) x.abs();
        floor floorf (x) x.floor();
        ceil ceilf (x) x.ceil();
        round roundf (x) x.round();
        trunc truncf (x) x.trunc();
        rint rintf (x) x.round_ties_even();
        atan2 atan2f (x y) x.atan2(y);
        hypot hypotf (x y) x.hypot(y);
        pow powf (x y) x.powf(y);
        fmod fmodf (x y) x % y;
        fdim fdimf (x y) x.abs_sub(y);
        copysign copysignf (x y) x.copysign(y);
        fma fmaf (x y z) x.mul_add(y, z);
    }
}
