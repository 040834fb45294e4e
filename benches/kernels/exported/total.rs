/// The value and the gradient of `total`.
///
/// Vectors are written to the slices after the arguments, which must have their lengths.
#[allow(clippy::needless_range_loop)]
pub fn total_value_and_gradient_into(x: &[f64], dx: &mut [f64]) -> f64 {
    let t1 = x.len();
    same_length(dx, t1, "total.rs:51:8");
    // 53: for v in x {
    let mut sum2: f64 = 0.0;
    for i in 0..t1 {
        dx[i] = 1.0;
        sum2 += x[i];
    }
    sum2
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
