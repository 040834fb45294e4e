/// `root` of one element.
pub fn root(x: f64) -> f64 {
    // root.rs:4
    let t1 = 1e-12 * x;
    let mut y = x.max(1.0);
    while (y * y - x).abs() > t1 {
        y = 0.5 * (y + x / y);
    }
    y
}

/// `root` for each element of the slices, which have the same length, 64 of them at a time.
#[allow(
    clippy::explicit_counter_loop,
    clippy::manual_memcpy,
    clippy::manual_range_contains,
    clippy::needless_range_loop
)]
pub fn root_lanes(x: &[f64], y: &mut [f64]) {
    let element_count = y.len();
    same_length(x, element_count, "root.rs:2:4");
    let mut x2 = [0.0; 64];
    let mut y2 = [0.0; 64];
    let mut t1 = [0.0; 64];
    let mut result = [0.0; 64];
    let mut starts = [0_u64; 64];
    let mut runs = [0_u64; 64];
    let mut ends = [0_u64; 64];
    let mut on = [0_u64; 64];
    let mut is_taken = [0; 64];
    let mut element = [0; 64];
    let mut next_element = 0;
    loop {
        // Free lanes get the next elements.
        for lane in 0..64 {
            starts[lane] = 0;
            if is_taken[lane] == 0 && next_element < element_count {
                x2[lane] = x[next_element];
                element[lane] = next_element;
                next_element += 1;
                is_taken[lane] = u64::MAX;
                starts[lane] = u64::MAX;
            }
        }
        for lane in 0..64 {
            // root.rs:4
            t1[lane] = blend(starts[lane], 1e-12 * x2[lane], t1[lane]);
            y2[lane] = blend(starts[lane], x2[lane].max(1.0), y2[lane]);
        }
        for lane in 0..64 {
            runs[lane] |= starts[lane];
        }
        // Few lanes go on alone only if no element is left.
        let is_last_round = next_element == element_count;
        let few_lanes = if is_last_round { 0 } else { 32 };
        loop {
            let mut count = 0;
            for lane in 0..64 {
                on[lane] = mask((y2[lane] * y2[lane] - x2[lane]).abs() > t1[lane]) & runs[lane];
                count += on[lane] & 1;
            }
            if count <= few_lanes {
                break;
            }
            for lane in 0..64 {
                runs[lane] = on[lane];
                y2[lane] = blend(runs[lane], 0.5 * (y2[lane] + x2[lane] / y2[lane]), y2[lane]);
            }
        }
        for lane in 0..64 {
            runs[lane] = on[lane];
        }
        for lane in 0..64 {
            ends[lane] = is_taken[lane] & !runs[lane];
        }
        for lane in 0..64 {
            result[lane] = blend(ends[lane], y2[lane], result[lane]);
        }
        for lane in 0..64 {
            if is_taken[lane] & !runs[lane] != 0 {
                y[element[lane]] = result[lane];
                is_taken[lane] = 0;
            }
        }
        if is_last_round {
            break;
        }
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
