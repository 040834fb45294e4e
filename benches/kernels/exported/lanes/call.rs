/// `call` of one element.
#[allow(clippy::neg_cmp_op_on_partial_ord, clippy::nonminimal_bool)]
pub fn call(spot: f64, strike: f64, rate: f64, volatility: f64, years: f64) -> f64 {
    // call.rs:12
    let t1 = volatility * years.sqrt();
    // call.rs:13
    let t2 = (rate + 0.5 * volatility * volatility) * years;
    let t3 = ((spot / strike).ln() + t2) / t1;
    // call.rs:3
    let t4 = 1.0 / (1.0 + 0.2316419 * t3.abs());
    // call.rs:5
    let t5 = t4 * (1.781477937 + t4 * (-1.821255978 + t4 * 1.330274429));
    // call.rs:6
    let t6 = t4 * (0.31938153 + t4 * (-0.356563782 + t5));
    let mut t7 = 0.3989422804014327 * (-0.5 * t3 * t3).exp() * t6;
    // call.rs:7
    if !(t3 < 0.0) {
        t7 = 1.0 - t7;
    }
    // call.rs:14
    let t8 = spot * t7;
    let t9 = strike * (-rate * years).exp();
    let t10 = t3 - t1;
    // call.rs:3
    let t11 = 1.0 / (1.0 + 0.2316419 * t10.abs());
    // call.rs:5
    let t12 = t11 * (1.781477937 + t11 * (-1.821255978 + t11 * 1.330274429));
    // call.rs:6
    let t13 = t11 * (0.31938153 + t11 * (-0.356563782 + t12));
    let mut t14 = 0.3989422804014327 * (-0.5 * t10 * t10).exp() * t13;
    // call.rs:7
    if !(t10 < 0.0) {
        t14 = 1.0 - t14;
    }
    t8 - t9 * t14
}

/// `call` for each element of the slices, which have the same length, 64 of them at a time.
#[allow(
    clippy::manual_memcpy,
    clippy::needless_range_loop,
    clippy::neg_cmp_op_on_partial_ord,
    clippy::nonminimal_bool
)]
pub fn call_lanes(
    spot: &[f64],
    strike: f64,
    rate: f64,
    volatility: f64,
    years: f64,
    y: &mut [f64],
) {
    let element_count = y.len();
    same_length(spot, element_count, "call.rs:11:8");
    let mut spot2 = [0.0; 64];
    let mut t10 = [0.0; 64];
    let mut t23 = [0.0; 64];
    let mut t28 = [0.0; 64];
    let mut t30 = [0.0; 64];
    let mut t34 = [0.0; 64];
    let mut t35 = [0.0; 64];
    let mut t48 = [0.0; 64];
    let mut t53 = [0.0; 64];
    let mut result = [0.0; 64];
    let mut t57 = [0.0; 64];
    let mut t58 = [0.0; 64];
    let mut on = [0_u64; 64];
    let mut t60 = [0.0; 64];
    let mut on2 = [0_u64; 64];
    let mut first_element = 0;
    while first_element < element_count {
        // Lanes without an element have the last one.
        for lane in 0..64 {
            let element = (first_element + lane).min(element_count - 1);
            spot2[lane] = spot[element];
        }
        // call.rs:12
        let t2 = volatility * years.sqrt();
        // call.rs:13
        let t8 = (rate + 0.5 * volatility * volatility) * years;
        for lane in 0..64 {
            t57[lane] = (spot2[lane] / strike).ln();
        }
        for lane in 0..64 {
            t10[lane] = (t57[lane] + t8) / t2;
            // call.rs:3
            let t14: f64 = 1.0 / (1.0 + 0.2316419 * t10[lane].abs());
            // call.rs:5
            let t19: f64 = t14 * (1.781477937 + t14 * (-1.821255978 + t14 * 1.330274429));
            // call.rs:6
            t23[lane] = t14 * (0.31938153 + t14 * (-0.356563782 + t19));
        }
        for lane in 0..64 {
            t58[lane] = (-0.5 * t10[lane] * t10[lane]).exp();
        }
        for lane in 0..64 {
            t28[lane] = 0.3989422804014327 * t58[lane] * t23[lane];
            // call.rs:7
            on[lane] = mask(!(t10[lane] < 0.0));
        }
        // call.rs:14
        let t59 = (-rate * years).exp();
        for lane in 0..64 {
            // call.rs:7
            t28[lane] = blend(on[lane], 1.0 - t28[lane], t28[lane]);
            // call.rs:14
            t30[lane] = spot2[lane] * t28[lane];
            t34[lane] = strike * t59;
            t35[lane] = t10[lane] - t2;
            // call.rs:3
            let t39: f64 = 1.0 / (1.0 + 0.2316419 * t35[lane].abs());
            // call.rs:5
            let t44: f64 = t39 * (1.781477937 + t39 * (-1.821255978 + t39 * 1.330274429));
            // call.rs:6
            t48[lane] = t39 * (0.31938153 + t39 * (-0.356563782 + t44));
        }
        for lane in 0..64 {
            t60[lane] = (-0.5 * t35[lane] * t35[lane]).exp();
        }
        for lane in 0..64 {
            t53[lane] = 0.3989422804014327 * t60[lane] * t48[lane];
            // call.rs:7
            on2[lane] = mask(!(t35[lane] < 0.0));
        }
        for lane in 0..64 {
            t53[lane] = blend(on2[lane], 1.0 - t53[lane], t53[lane]);
            result[lane] = t30[lane] - t34[lane] * t53[lane];
        }
        let end_element = element_count.min(first_element + 64);
        y[first_element..end_element].copy_from_slice(&result[..end_element - first_element]);
        first_element = end_element;
    }
}

/// All bits where a lane runs, and none where it does not.
#[inline]
fn mask(runs: bool) -> u64 {
    u64::from(runs).wrapping_neg()
}

/// The new value in a lane that runs, the old one otherwise.
#[inline]
fn blend(runs: u64, new: f64, old: f64) -> f64 {
    f64::from_bits((new.to_bits() & runs) | (old.to_bits() & !runs))
}

#[cold]
fn misfit(len: usize, found: usize, at: &str) -> ! {
    panic!("a slice of length {found} was given for {len} numbers, {}", at)
}

/// Fails if a slice of the caller has another length than the results.
fn same_length<T>(slice: &[T], len: usize, at: &str) {
    if slice.len() != len {
        misfit(len, slice.len(), at)
    }
}
