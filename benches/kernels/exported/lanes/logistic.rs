/// `logistic` of one element.
pub fn logistic(x: f64, r: f64) -> f64 {
    // logistic.rs:13
    let mut y = x;
    for _ in 0..100 {
        // logistic.rs:14
        y = r * y * (1.0 - y);
    }
    y
}

/// `logistic` for each element of the slices, which have the same length, 64 of them at a time.
#[allow(clippy::manual_memcpy, clippy::needless_range_loop)]
pub fn logistic_lanes(x: &[f64], r: f64, y: &mut [f64]) {
    let element_count = y.len();
    same_length(x, element_count, "logistic.rs:11:4");
    let mut x2 = [0.0; 64];
    let mut y2 = [0.0; 64];
    let mut result = [0.0; 64];
    let mut first_element = 0;
    while first_element < element_count {
        // Lanes without an element have the last one.
        for lane in 0..64 {
            let element = (first_element + lane).min(element_count - 1);
            x2[lane] = x[element];
        }
        for lane in 0..64 {
            // logistic.rs:13
            y2[lane] = x2[lane];
        }
        for _ in 0..100 {
            for lane in 0..64 {
                // logistic.rs:14
                y2[lane] = r * y2[lane] * (1.0 - y2[lane]);
            }
        }
        for lane in 0..64 {
            result[lane] = y2[lane];
        }
        let end_element = element_count.min(first_element + 64);
        y[first_element..end_element].copy_from_slice(&result[..end_element - first_element]);
        first_element = end_element;
    }
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
