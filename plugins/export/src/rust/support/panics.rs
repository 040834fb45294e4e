//// fail
/// Panics with the message of the program that this was made from, and the place there.
#[cold]
fn fail(message: &str, at: &str) -> ! {
    panic!("{message}, {}", at)
}
//// out_of_bounds
#[cold]
fn out_of_bounds(len: usize, i: usize, at: &str) -> ! {
    panic!("index out of bounds: the len is {len} but the index is {i}, {}", at)
}
//// elem
/// An element, by an index that may be out of bounds.
#[inline]
fn elem<'a, T>(values: &'a [T], i: usize, at: &str) -> &'a T {
    let len = values.len();
    match values.get(i) {
        Some(value) => value,
        None => out_of_bounds(len, i, at),
    }
}
//// elem_mut
/// An element to be changed, by an index that may be out of bounds.
#[inline]
fn elem_mut<'a, T>(values: &'a mut [T], i: usize, at: &str) -> &'a mut T {
    let len = values.len();
    match values.get_mut(i) {
        Some(value) => value,
        None => out_of_bounds(len, i, at),
    }
}
//// misfit
#[cold]
fn misfit(len: usize, found: usize, at: &str) -> ! {
    panic!("a slice of length {found} was given for {len} numbers, {}", at)
}
//// same_length
/// Fails if a slice of the caller has another length than the results.
fn same_length<T>(slice: &[T], len: usize, at: &str) {
    if slice.len() != len {
        misfit(len, slice.len(), at)
    }
}
//// zero
/// Zeros a slice of the caller, which must have this length.
fn zero(slice: &mut [f64], len: usize, at: &str) {
    if slice.len() != len {
        misfit(len, slice.len(), at)
    }
    slice.fill(0.0);
}
//// copy
/// Copies numbers to a slice of the caller, which must have their length.
fn copy(slice: &mut [f64], from: &[f64], at: &str) {
    if slice.len() != from.len() {
        misfit(from.len(), slice.len(), at)
    }
    slice.copy_from_slice(from);
}
//// part
/// The elements from one index up to another, which may be out of bounds.
fn part<'a, T>(values: &'a [T], from: usize, to: usize, at: &str) -> &'a [T] {
    let len = values.len();
    if from > len {
        panic!("range start index {from} out of range for slice of length {len}, {}", at)
    }
    if to > len {
        panic!("range end index {to} out of range for slice of length {len}, {}", at)
    }
    if from > to {
        panic!("slice index starts at {from} but ends at {to}, {}", at)
    }
    &values[from..to]
}
//// zip_with
/// A function of the elements of two vectors; one of length 1 is repeated.
fn zip_with<T: Copy>(a: &[T], b: &[T], at: &str, f: impl Fn(T, T) -> T) -> Vec<T> {
    match (a.len(), b.len()) {
        (n, m) if n == m => a.iter().zip(b).map(|(&x, &y)| f(x, y)).collect(),
        (1, _) => b.iter().map(|&y| f(a[0], y)).collect(),
        (_, 1) => a.iter().map(|&x| f(x, b[0])).collect(),
        (n, m) => panic!("could not broadcast array from shape: [{m}] to: [{n}], {}", at),
    }
}
//// clamped
/// A number clamped to two bounds, which must be in order.
#[inline]
fn clamped(x: f64, min: f64, max: f64, at: &str) -> f64 {
    if min <= max {
        x.clamp(min, max)
    } else {
        panic!("min > max, or either was NaN. min = {min:?}, max = {max:?}, {}", at)
    }
}
//// clamped_f32
/// A number clamped to two bounds, which must be in order.
#[inline]
fn clamped_f32(x: f32, min: f32, max: f32, at: &str) -> f32 {
    if min <= max {
        x.clamp(min, max)
    } else {
        panic!("min > max, or either was NaN. min = {min:?}, max = {max:?}, {}", at)
    }
}
//// clamped_int
/// A number clamped to two bounds, which must be in order.
#[inline]
fn clamped_int<T: Ord + std::fmt::Debug>(x: T, min: T, max: T, at: &str) -> T {
    if min <= max {
        x.clamp(min, max)
    } else {
        panic!("min > max. min = {min:?}, max = {max:?}, {}", at)
    }
}
//// gathered
/// The elements at the given indices, which may be out of bounds.
fn gathered<T: Clone>(values: &[T], places: &[usize], at: &str) -> Vec<T> {
    let at_place = |&i: &usize| elem(values, i, at).clone();
    places.iter().map(at_place).collect()
}
//// removed
/// Removes an element, by an index that may be out of bounds.
fn removed<T>(values: &mut Vec<T>, i: usize, at: &str) -> T {
    let len = values.len();
    if i >= len {
        panic!("removal index (is {i}) should be < len (is {len}), {}", at)
    }
    values.remove(i)
}
//// inserted
/// Inserts an element, by an index that may be out of bounds.
fn inserted<T>(values: &mut Vec<T>, i: usize, value: T, at: &str) {
    let len = values.len();
    if i > len {
        panic!("insertion index (is {i}) should be <= len (is {len}), {}", at)
    }
    values.insert(i, value);
}
