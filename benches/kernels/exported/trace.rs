/// The value and the gradient of `trace`.
///
/// Vectors are written to the slices after the arguments, which must have their lengths.
#[allow(clippy::needless_range_loop)]
pub fn trace_value_and_gradient_into(
    a: &[f64],
    b: &[f64],
    n: usize,
    da: &mut [f64],
    db: &mut [f64],
) -> f64 {
    zero(da, a.len(), "trace.rs:60:8");
    zero(db, b.len(), "trace.rs:60:8");
    // 62: for i in 0..n {
    let mut trace: f64 = 0.0;
    for i in 0..n {
        // 63: for k in 0..n {
        for i2 in 0..n {
            // 64: trace += a[i * n + k] * b[k * n + i];
            let t1 = mul_usize(i, n, "trace.rs:64:24");
            let t2 = add_usize(t1, i2, "trace.rs:64:24");
            let t3 = *elem(a, t2, "trace.rs:64:22");
            let t4 = mul_usize(i2, n, "trace.rs:64:39");
            let t5 = add_usize(t4, i, "trace.rs:64:39");
            let t6 = *elem(b, t5, "trace.rs:64:37");
            db[t5] += t3;
            da[t2] += t6;
            trace += t3 * t6;
        }
    }
    trace
}

/// `add`, which fails where the result does not fit.
#[inline]
fn add_usize(x: usize, y: usize, at: &str) -> usize {
    match x.checked_add(y) {
        Some(result) => result,
        None => fail("attempt to add with overflow", at),
    }
}

/// `mul`, which fails where the result does not fit.
#[inline]
fn mul_usize(x: usize, y: usize, at: &str) -> usize {
    match x.checked_mul(y) {
        Some(result) => result,
        None => fail("attempt to multiply with overflow", at),
    }
}

/// Panics with the message of the program that this was made from, and the place there.
#[cold]
fn fail(message: &str, at: &str) -> ! {
    panic!("{message}, {}", at)
}

#[cold]
fn out_of_bounds(len: usize, i: usize, at: &str) -> ! {
    panic!("index out of bounds: the len is {len} but the index is {i}, {}", at)
}

/// An element, by an index that may be out of bounds.
#[inline]
fn elem<'a, T>(values: &'a [T], i: usize, at: &str) -> &'a T {
    let len = values.len();
    match values.get(i) {
        Some(value) => value,
        None => out_of_bounds(len, i, at),
    }
}

#[cold]
fn misfit(len: usize, found: usize, at: &str) -> ! {
    panic!("a slice of length {found} was given for {len} numbers, {}", at)
}

/// Zeros a slice of the caller, which must have this length.
fn zero(slice: &mut [f64], len: usize, at: &str) {
    if slice.len() != len {
        misfit(len, slice.len(), at)
    }
    slice.fill(0.0);
}
