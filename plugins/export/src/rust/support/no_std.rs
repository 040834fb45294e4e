//// log
/// The logarithm to a base.
#[inline]
fn log(x: f64, base: f64) -> f64 {
    libm::log(x) / libm::log(base)
}
//// log_f32
/// The logarithm to a base.
#[inline]
fn log_f32(x: f32, base: f32) -> f32 {
    libm::logf(x) / libm::logf(base)
}
//// fract
/// The fractional part.
#[inline]
fn fract(x: f64) -> f64 {
    x - libm::trunc(x)
}
//// fract_f32
/// The fractional part.
#[inline]
fn fract_f32(x: f32) -> f32 {
    x - libm::truncf(x)
}
//// powi_f32
/// An integer power.
#[inline]
fn powi_f32(mut x: f32, n: i32) -> f32 {
    let mut rest = n.unsigned_abs();
    let mut power = 1.0;
    loop {
        if rest & 1 == 1 {
            power *= x;
        }
        rest >>= 1;
        if rest == 0 {
            break;
        }
        x *= x;
    }
    if n < 0 { 1.0 / power } else { power }
}
//// div_euclid_f64
/// The quotient, rounded so that the remainder is not negative.
#[inline]
fn div_euclid_f64(x: f64, y: f64) -> f64 {
    let quotient = libm::trunc(x / y);
    if x % y < 0.0 {
        quotient - 1.0_f64.copysign(y)
    } else {
        quotient
    }
}
//// div_euclid_f32
/// The quotient, rounded so that the remainder is not negative.
#[inline]
fn div_euclid_f32(x: f32, y: f32) -> f32 {
    let quotient = libm::truncf(x / y);
    if x % y < 0.0 {
        quotient - 1.0_f32.copysign(y)
    } else {
        quotient
    }
}
//// rem_euclid_f64
/// The remainder that is not negative.
#[inline]
fn rem_euclid_f64(x: f64, y: f64) -> f64 {
    let rest = x % y;
    if rest < 0.0 { rest + y.abs() } else { rest }
}
//// rem_euclid_f32
/// The remainder that is not negative.
#[inline]
fn rem_euclid_f32(x: f32, y: f32) -> f32 {
    let rest = x % y;
    if rest < 0.0 { rest + y.abs() } else { rest }
}
