//! Elementary functions beyond the arguments for which loops without branches compute them.

use overdub_passes::fast_math::{functions, powers};

use super::{LANES, Lane, float, for_each};

/// Computes the lanes of large angles again, for which the loop without branches is not exact.
#[inline(always)]
pub(super) fn far(d: &mut Lane, a: &Lane, mask: Option<&Lane>, exact: fn(f64) -> f64) {
    let far = lanes_with!(|i| float(a[i]).abs() > functions::FAR && mask.is_none_or(|mask| mask[i] != 0));
    for_each(far, |i| d[i] = exact(float(a[i])).to_bits());
}

/// Powers; those that the loop without branches leaves out one by one.
#[inline(always)]
pub(super) fn powf(d: &mut Lane, a: &Lane, b: &Lane, mask: Option<&Lane>) {
    write!(d, mask, |i| powers::powf_near(float(a[i]), float(b[i])).to_bits());
    let far = lanes_with!(|i| float(d[i]).is_nan() && mask.is_none_or(|mask| mask[i] != 0));
    for_each(far, |i| d[i] = powers::powf_branchless(float(a[i]), float(b[i])).to_bits());
}
