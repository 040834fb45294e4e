/// `orbit` of one element.
pub fn orbit(x: f64, k: f64) -> f64 {
    // orbit.rs:30
    let mut y = x;
    for _ in 0..300 {
        // orbit.rs:31
        y = (y * k).sin() + x;
    }
    y
}

/// `orbit` for each element of the slices, which have the same length, 64 of them at a time.
#[allow(clippy::manual_memcpy, clippy::needless_range_loop)]
pub fn orbit_lanes(x: &[f64], k: f64, y: &mut [f64]) {
    let element_count = y.len();
    same_length(x, element_count, "orbit.rs:28:8");
    let mut x2 = [0.0; 64];
    let mut y2 = [0.0; 64];
    let mut result = [0.0; 64];
    let mut t6 = [0.0; 64];
    let mut first_element = 0;
    while first_element < element_count {
        // Lanes without an element have the last one.
        for lane in 0..64 {
            let element = (first_element + lane).min(element_count - 1);
            x2[lane] = x[element];
        }
        for lane in 0..64 {
            // orbit.rs:30
            y2[lane] = x2[lane];
        }
        for _ in 0..300 {
            for lane in 0..64 {
                // orbit.rs:31
                t6[lane] = (y2[lane] * k).sin();
            }
            for lane in 0..64 {
                y2[lane] = t6[lane] + x2[lane];
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
