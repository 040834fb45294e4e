//// mul_zero
/// The product, but zero if a factor is zero, even if the other is infinite or not a number.
#[inline]
fn mul_zero(x: f64, y: f64) -> f64 {
    let product = x * y;
    if product.is_nan() && (x == 0.0 || y == 0.0) {
        0.0
    } else {
        product
    }
}
//// mul_zero_f32
/// The product, but zero if a factor is zero, even if the other is infinite or not a number.
#[inline]
fn mul_zero_f32(x: f32, y: f32) -> f32 {
    let product = x * y;
    if product.is_nan() && (x == 0.0 || y == 0.0) {
        0.0
    } else {
        product
    }
}
//// mul_zero_if
/// The product; if zeros are strong, zero if a factor is zero, even if the other is infinite or not a number.
#[inline]
fn mul_zero_if<const STRONG: bool>(x: f64, y: f64) -> f64 {
    let product = x * y;
    if STRONG && product.is_nan() && (x == 0.0 || y == 0.0) {
        0.0
    } else {
        product
    }
}
//// mul_zero_if_f32
/// The product; if zeros are strong, zero if a factor is zero, even if the other is infinite or not a number.
#[inline]
fn mul_zero_if_f32<const STRONG: bool>(x: f32, y: f32) -> f32 {
    let product = x * y;
    if STRONG && product.is_nan() && (x == 0.0 || y == 0.0) {
        0.0
    } else {
        product
    }
}
//// any_nan
/// Whether one of these is not a number.
#[inline]
fn any_nan(values: &[f64]) -> bool {
    values.iter().fold(false, |any, x| any | x.is_nan())
}
//// zero_from
/// Zeros the elements of a slice from a place on, if there are any.
#[inline]
fn zero_from(slice: &mut [f64], from: usize) {
    if let Some(rest) = slice.get_mut(from..) {
        rest.fill(0.0);
    }
}
//// make_room
/// Room for more elements, if there is memory for them.
fn make_room<T>(list: &mut Vec<T>, more: usize) {
    let _ = list.try_reserve(more);
}
//// filled
/// A vector of the workspace with copies of a value.
fn filled<T: Clone>(list: &mut Vec<T>, value: T, len: usize) -> &mut [T] {
    list.clear();
    list.resize(len, value);
    list
}
//// cleared
/// A vector of the workspace without elements.
fn cleared<T>(list: &mut Vec<T>) -> &mut Vec<T> {
    list.clear();
    list
}
//// new_records
/// As many new records of a tape.
#[inline]
fn new_records<T: Clone + Default>(tape: &mut Vec<T>, count: usize) -> &mut [T] {
    let first = tape.len();
    if tape.try_reserve(count).is_err() {
        panic!("no memory for {} records", count);
    }
    tape.resize(first + count, T::default());
    &mut tape[first..]
}
//// last_records
/// The last records of a tape.
#[inline]
fn last_records<T>(tape: &[T], count: usize) -> &[T] {
    &tape[tape.len() - count..]
}
//// drop_records
/// Removes the last records of a tape.
#[inline]
fn drop_records<T>(tape: &mut Vec<T>, count: usize) {
    tape.truncate(tape.len() - count);
}
//// powi
/// An integer power, multiplied in one order whatever the optimiser prefers.
#[inline]
fn powi(mut x: f64, n: i32) -> f64 {
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
//// sum
/// The sum, by eight partial sums.
fn sum(values: &[f64]) -> f64 {
    let mut parts = [0.0; 8];
    let eights = values.chunks_exact(8);
    let rest = eights.remainder();
    for eight in eights {
        for (part, value) in parts.iter_mut().zip(eight) {
            *part += value;
        }
    }
    let mut total = 0.0;
    for i in 0..4 {
        total += parts[i] + parts[i + 4];
    }
    for value in rest {
        total += value;
    }
    total
}
//// scattered
/// The elements at the places that an order gives, which has each index once.
fn scattered<T: Clone>(values: &[T], order: &[usize]) -> Vec<T> {
    let mut result = values.to_vec();
    for (value, &place) in values.iter().zip(order) {
        result[place].clone_from(value);
    }
    result
}
//// pad
/// A text padded to a width in characters: aligned left (0), centred (1) or right (2).
fn pad(text: &str, fill: char, align: i64, width: usize) -> String {
    let missing = width.saturating_sub(text.chars().count());
    let before = match align {
        0 => 0,
        1 => missing / 2,
        _ => missing,
    };
    let filling = |count: usize| std::iter::repeat_n(fill, count);
    let after = missing - before;
    let mut padded: String = filling(before).collect();
    padded.push_str(text);
    padded.extend(filling(after));
    padded
}
//// span
/// The elements of a list from `start`, or none if there are not `len` of them.
#[inline]
fn span<T>(values: &[T], start: usize, len: usize) -> &[T] {
    let rest = values.get(start..).unwrap_or_default();
    rest.get(..len).unwrap_or_default()
}
//// span_mut
/// The elements of a list from `start`, or none if there are not `len` of them.
#[inline]
fn span_mut<T>(values: &mut [T], start: usize, len: usize) -> &mut [T] {
    let rest = values.get_mut(start..).unwrap_or_default();
    rest.get_mut(..len).unwrap_or_default()
}
//// long_span
/// The elements of a list from `start`, or none if there are not `len` of them, or so few that a loop over them gains nothing.
#[inline]
fn long_span<T>(values: &[T], start: usize, len: usize) -> &[T] {
    if len < 16 {
        return &[];
    }
    span(values, start, len)
}
//// long_span_mut
/// The elements of a list from `start`, or none if there are not `len` of them, or so few that a loop over them gains nothing.
#[inline]
fn long_span_mut<T>(values: &mut [T], start: usize, len: usize) -> &mut [T] {
    if len < 16 {
        return &mut [];
    }
    span_mut(values, start, len)
}
//// sum_of
/// The sum of a value for each number, by eight partial sums.
#[inline]
fn sum_of(count: usize, mut value: impl FnMut(usize) -> f64) -> f64 {
    let mut parts = [0.0; 8];
    let whole = count - count % 8;
    for first in (0..whole).step_by(8) {
        for (i, part) in parts.iter_mut().enumerate() {
            *part += value(first + i);
        }
    }
    let mut total = 0.0;
    for i in 0..4 {
        total += parts[i] + parts[i + 4];
    }
    for i in whole..count {
        total += value(i);
    }
    total
}
//// mask
/// All bits where a lane runs, and none where it does not.
#[inline]
fn mask(runs: bool) -> u64 {
    u64::from(runs).wrapping_neg()
}
//// blend
/// The new value in a lane that runs, the old one otherwise.
#[inline]
fn blend(runs: u64, new: f64, old: f64) -> f64 {
    f64::from_bits((new.to_bits() & runs) | (old.to_bits() & !runs))
}
//// blend_f32
/// The new value in a lane that runs, the old one otherwise.
#[inline]
fn blend_f32(runs: u64, new: f32, old: f32) -> f32 {
    let runs = runs as u32;
    f32::from_bits((new.to_bits() & runs) | (old.to_bits() & !runs))
}
//// blend_bool
/// The new value in a lane that runs, the old one otherwise.
#[inline]
fn blend_bool(runs: u64, new: bool, old: bool) -> bool {
    (new & (runs != 0)) | (old & (runs == 0))
}
//// blend_char
/// The new value in a lane that runs, the old one otherwise.
#[inline]
fn blend_char(runs: u64, new: char, old: char) -> char {
    if runs != 0 {
        new
    } else {
        old
    }
}
//// make_row
/// Rows for one more record of each lane.
fn make_row<T: Copy + Default, const W: usize>(rows: &mut Vec<[T; W]>, depth: &[usize; W]) {
    let most = depth.iter().fold(0, |most, depth| most.max(*depth));
    while rows.len() <= most {
        rows.push([T::default(); W]);
    }
}
