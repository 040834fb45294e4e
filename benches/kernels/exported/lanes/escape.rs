/// `escape` of one element.
#[allow(clippy::neg_cmp_op_on_partial_ord, clippy::nonminimal_bool)]
pub fn escape(re: f64, im: f64) -> u32 {
    // escape.rs:20
    let mut x: f64 = 0.0;
    let mut y: f64 = 0.0;
    let mut steps: u32 = 0;
    loop {
        let t1 = x * x;
        let t2 = y * y;
        if !(t1 + t2 <= 4.0) {
            break;
        }
        if steps >= 2000 {
            break;
        }
        y = 2.0 * x * y + im;
        x = t1 - t2 + re;
        steps += 1;
    }
    steps
}

/// `escape` for each element of the slices, which have the same length, 64 of them at a time.
#[allow(
    clippy::explicit_counter_loop,
    clippy::manual_memcpy,
    clippy::manual_range_contains,
    clippy::needless_range_loop,
    clippy::neg_cmp_op_on_partial_ord,
    clippy::nonminimal_bool
)]
pub fn escape_lanes(re: &[f64], im: &[f64], y: &mut [u32]) {
    let element_count = y.len();
    same_length(re, element_count, "escape.rs:18:8");
    same_length(im, element_count, "escape.rs:18:8");
    let mut re2 = [0.0; 64];
    let mut im2 = [0.0; 64];
    let mut x = [0.0; 64];
    let mut y2 = [0.0; 64];
    let mut steps = [0_u32; 64];
    let mut t1 = [0.0; 64];
    let mut t2 = [0.0; 64];
    let mut result = [0_u32; 64];
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
                re2[lane] = re[next_element];
                im2[lane] = im[next_element];
                element[lane] = next_element;
                next_element += 1;
                is_taken[lane] = u64::MAX;
                starts[lane] = u64::MAX;
            }
        }
        for lane in 0..64 {
            // escape.rs:20
            x[lane] = blend(starts[lane], 0.0, x[lane]);
            y2[lane] = blend(starts[lane], 0.0, y2[lane]);
            steps[lane] = blend_u32(starts[lane], 0, steps[lane]);
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
                t1[lane] = x[lane] * x[lane];
                t2[lane] = y2[lane] * y2[lane];
                let holds = t1[lane] + t2[lane] <= 4.0 && !(steps[lane] >= 2000);
                on[lane] = mask(holds) & runs[lane];
                count += on[lane] & 1;
            }
            if count <= few_lanes {
                break;
            }
            for lane in 0..64 {
                runs[lane] = on[lane];
                y2[lane] = blend(runs[lane], 2.0 * x[lane] * y2[lane] + im2[lane], y2[lane]);
                x[lane] = blend(runs[lane], t1[lane] - t2[lane] + re2[lane], x[lane]);
                steps[lane] = blend_u32(runs[lane], steps[lane].wrapping_add(1), steps[lane]);
            }
        }
        for lane in 0..64 {
            runs[lane] = on[lane];
        }
        for lane in 0..64 {
            ends[lane] = is_taken[lane] & !runs[lane];
        }
        for lane in 0..64 {
            result[lane] = blend_u32(ends[lane], steps[lane], result[lane]);
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

/// The new value in a lane that runs, the old one otherwise.
#[inline]
fn blend_u32(runs: u64, new: u32, old: u32) -> u32 {
    (new & runs as u32) | (old & !runs as u32)
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
