//// fail
/// Fails with the message of the program that this was made from, and the place there.
#[cold]
fn fail<T>(message: impl Into<MESSAGE>, at: &'static str) -> Result<T, Failure> {
    let message = message.into();
    Err(Failure { message, at })
}
//// out_of_bounds
#[cold]
fn out_of_bounds<T>(len: usize, i: usize, at: &'static str) -> Result<T, Failure> {
    let message = format!("index out of bounds: the len is {len} but the index is {i}");
    fail(message, at)
}
//// elem
/// An element, by an index that may be out of bounds.
#[inline]
fn elem<'a, T>(values: &'a [T], i: usize, at: &'static str) -> Result<&'a T, Failure> {
    match values.get(i) {
        Some(value) => Ok(value),
        None => out_of_bounds(values.len(), i, at),
    }
}
//// elem_mut
/// An element to be changed, by an index that may be out of bounds.
#[inline]
fn elem_mut<'a, T>(values: &'a mut [T], i: usize, at: &'static str) -> Result<&'a mut T, Failure> {
    let len = values.len();
    match values.get_mut(i) {
        Some(value) => Ok(value),
        None => out_of_bounds(len, i, at),
    }
}
//// misfit
#[cold]
fn misfit<T>(len: usize, found: usize, at: &'static str) -> Result<T, Failure> {
    let message = format!("a slice of length {found} was given for {len} numbers");
    fail(message, at)
}
//// same_length
/// Fails if a slice of the caller has another length than the results.
fn same_length<T>(slice: &[T], len: usize, at: &'static str) -> Result<(), Failure> {
    if slice.len() != len {
        return misfit(len, slice.len(), at);
    }
    Ok(())
}
//// zero
/// Zeros a slice of the caller, which must have this length.
fn zero(slice: &mut [f64], len: usize, at: &'static str) -> Result<(), Failure> {
    if slice.len() != len {
        return misfit(len, slice.len(), at);
    }
    slice.fill(0.0);
    Ok(())
}
//// copy
/// Copies numbers to a slice of the caller, which must have their length.
fn copy(slice: &mut [f64], from: &[f64], at: &'static str) -> Result<(), Failure> {
    if slice.len() != from.len() {
        return misfit(from.len(), slice.len(), at);
    }
    slice.copy_from_slice(from);
    Ok(())
}
//// check_range
/// Fails if two indices are no range of a vector of this length.
fn check_range(from: usize, to: usize, len: usize, at: &'static str) -> Result<(), Failure> {
    let message = if from > len {
        format!("range start index {from} out of range for slice of length {len}")
    } else if to > len {
        format!("range end index {to} out of range for slice of length {len}")
    } else if from > to {
        format!("slice index starts at {from} but ends at {to}")
    } else {
        return Ok(());
    };
    fail(message, at)
}
//// part
/// The elements from one index up to another, which may be out of bounds.
fn part<'a, T>(
    values: &'a [T],
    from: usize,
    to: usize,
    at: &'static str,
) -> Result<&'a [T], Failure> {
    check_range(from, to, values.len(), at)?;
    Ok(&values[from..to])
}
//// zip_with
/// A function of the elements of two vectors; one of length 1 is repeated.
fn zip_with<T: Copy>(
    a: &[T],
    b: &[T],
    at: &'static str,
    f: impl Fn(T, T) -> Result<T, Failure>,
) -> Result<Vec<T>, Failure> {
    match (a.len(), b.len()) {
        (n, m) if n == m => a.iter().zip(b).map(|(&x, &y)| f(x, y)).collect(),
        (1, _) => b.iter().map(|&y| f(a[0], y)).collect(),
        (_, 1) => a.iter().map(|&x| f(x, b[0])).collect(),
        (n, m) => {
            let message = format!("could not broadcast array from shape: [{m}] to: [{n}]");
            fail(message, at)
        }
    }
}
//// clamped
/// A number clamped to two bounds, which must be in order.
#[inline]
fn clamped(x: f64, min: f64, max: f64, at: &'static str) -> Result<f64, Failure> {
    if min <= max {
        Ok(x.clamp(min, max))
    } else {
        let message = format!("min > max, or either was NaN. min = {min:?}, max = {max:?}");
        fail(message, at)
    }
}
//// clamped_f32
/// A number clamped to two bounds, which must be in order.
#[inline]
fn clamped_f32(x: f32, min: f32, max: f32, at: &'static str) -> Result<f32, Failure> {
    if min <= max {
        Ok(x.clamp(min, max))
    } else {
        let message = format!("min > max, or either was NaN. min = {min:?}, max = {max:?}");
        fail(message, at)
    }
}
//// clamped_int
/// A number clamped to two bounds, which must be in order.
#[inline]
fn clamped_int<T: Ord + std::fmt::Debug>(x: T, min: T, max: T, at: &'static str) -> Result<T, Failure> {
    if min <= max {
        Ok(x.clamp(min, max))
    } else {
        let message = format!("min > max. min = {min:?}, max = {max:?}");
        fail(message, at)
    }
}
//// gathered
/// The elements at the given indices, which may be out of bounds.
fn gathered<T: Clone>(values: &[T], places: &[usize], at: &'static str) -> Result<Vec<T>, Failure> {
    let at_place = |&i: &usize| elem(values, i, at).cloned();
    places.iter().map(at_place).collect()
}
//// removed
/// Removes an element, by an index that may be out of bounds.
fn removed<T>(values: &mut Vec<T>, i: usize, at: &'static str) -> Result<T, Failure> {
    let len = values.len();
    if i < len {
        Ok(values.remove(i))
    } else {
        let message = format!("removal index (is {i}) should be < len (is {len})");
        fail(message, at)
    }
}
//// swap_removed
/// Removes an element, by an index that may be out of bounds, and puts the last one in its place.
fn swap_removed<T>(values: &mut Vec<T>, i: usize, at: &'static str) -> Result<T, Failure> {
    let len = values.len();
    if i < len {
        Ok(values.swap_remove(i))
    } else {
        let message = format!("swap_remove index (is {i}) should be < len (is {len})");
        fail(message, at)
    }
}
//// inserted
/// Inserts an element, by an index that may be out of bounds.
fn inserted<T>(values: &mut Vec<T>, i: usize, value: T, at: &'static str) -> Result<(), Failure> {
    let len = values.len();
    if i > len {
        let message = format!("insertion index (is {i}) should be <= len (is {len})");
        return fail(message, at);
    }
    values.insert(i, value);
    Ok(())
}
//// swapped
/// Swaps two elements, by indices that may be out of bounds.
fn swapped<T>(values: &mut [T], i: usize, j: usize, at: &'static str) -> Result<(), Failure> {
    elem(values, i, at)?;
    elem(values, j, at)?;
    values.swap(i, j);
    Ok(())
}
//// rotated_left
/// Moves the elements from an index on to the front, and those before it behind them.
fn rotated_left<T>(values: &mut [T], mid: usize, at: &'static str) -> Result<(), Failure> {
    if mid > values.len() {
        return fail("assertion failed: mid <= self.len()", at);
    }
    values.rotate_left(mid);
    Ok(())
}
//// rotated_right
/// Moves as many elements from the back to the front.
fn rotated_right<T>(values: &mut [T], k: usize, at: &'static str) -> Result<(), Failure> {
    if k > values.len() {
        return fail("assertion failed: k <= self.len()", at);
    }
    values.rotate_right(k);
    Ok(())
}
//// copied_within
/// Copies the elements from one index up to another to a third one.
fn copied_within<T: Copy>(
    values: &mut [T],
    from: usize,
    to: usize,
    dest: usize,
    at: &'static str,
) -> Result<(), Failure> {
    check_range(0, to, values.len(), at)?;
    check_range(from, to, values.len(), at)?;
    if dest > values.len() - (to - from) {
        return fail("dest is out of bounds", at);
    }
    values.copy_within(from..to, dest);
    Ok(())
}
//// stored
/// Stores elements from an index on, which may be out of bounds.
fn stored<T: Clone>(
    values: &mut [T],
    from: usize,
    new: &[T],
    at: &'static str,
) -> Result<(), Failure> {
    let to = from.saturating_add(new.len());
    check_range(from, to, values.len(), at)?;
    values[from..to].clone_from_slice(new);
    Ok(())
}
//// check_room
/// Fails if so many values are more bytes than a vector can have.
fn check_room<T>(len: usize, at: &'static str) -> Result<(), Failure> {
    match len.checked_mul(std::mem::size_of::<T>()) {
        Some(bytes) if bytes <= isize::MAX as usize => Ok(()),
        _ => fail("capacity overflow", at),
    }
}
//// repeated
/// A vector of one value, as often as asked.
fn repeated<T: Clone>(value: T, len: usize, at: &'static str) -> Result<Vec<T>, Failure> {
    check_room::<T>(len, at)?;
    Ok(vec![value; len])
}
//// refilled
/// A vector of the workspace with copies of a value.
fn refilled<'w, T: Clone>(
    list: &'w mut Vec<T>,
    value: T,
    len: usize,
    at: &'static str,
) -> Result<&'w mut [T], Failure> {
    check_room::<T>(len, at)?;
    list.clear();
    list.resize(len, value);
    Ok(list)
}
//// resized
/// Makes a vector shorter, or longer by copies of a value.
fn resized<T: Clone>(
    values: &mut Vec<T>,
    len: usize,
    value: T,
    at: &'static str,
) -> Result<(), Failure> {
    check_room::<T>(len, at)?;
    values.resize(len, value);
    Ok(())
}
//// repeated_text
/// A text, as often as asked.
fn repeated_text(text: &str, times: usize, at: &'static str) -> Result<String, Failure> {
    check_room::<u8>(text.len().saturating_mul(times), at)?;
    Ok(text.repeat(times))
}
//// text_part
/// The bytes of a text from one index up to another, which may be out of bounds or within a character.
fn text_part(text: &str, from: usize, to: usize, at: &'static str) -> Result<String, Failure> {
    if let Some(part) = text.get(from..to) {
        return Ok(part.to_owned());
    }
    let boundary = |i: usize| {
        (0..=i)
            .rev()
            .find(|&i| text.is_char_boundary(i))
            .unwrap_or(0)
    };
    let cut = boundary(text.len().min(256));
    let more = if cut < text.len() { "[...]" } else { "" };
    let shown = format!("`{}`{more}", &text[..cut]);
    let len = text.len();
    let message = if from > len {
        format!("start byte index {from} is out of bounds of {shown}")
    } else if to > len {
        format!("end byte index {to} is out of bounds of {shown}")
    } else if from > to {
        format!("begin > end ({from} > {to}) when slicing {shown}")
    } else {
        let (name, i) = match text.is_char_boundary(from) {
            true => ("end", to),
            false => ("start", from),
        };
        let start = boundary(i);
        let inside = text[start..].chars().next().unwrap_or_default();
        let end = start + inside.len_utf8();
        let place = format!("it is inside {inside:?} (bytes {start}..{end}) of {shown}");
        format!("{name} byte index {i} is not a char boundary; {place}")
    };
    fail(message, at)
}
//// sorted_order
/// The order in which elements are sorted by a comparison, with equal ones as they were.
fn sorted_order(
    len: usize,
    compare: impl Fn(usize, usize) -> Result<std::cmp::Ordering, Failure>,
) -> Result<Vec<usize>, Failure> {
    let mut order: Vec<usize> = (0..len).collect();
    let mut width = 1;
    while width < len {
        let mut merged = Vec::new();
        for both in order.chunks(2 * width) {
            let (left, right) = both.split_at(width.min(both.len()));
            let (mut i, mut j) = (0, 0);
            while i < left.len() && j < right.len() {
                if compare(right[j], left[i])?.is_lt() {
                    merged.push(right[j]);
                    j += 1;
                } else {
                    merged.push(left[i]);
                    i += 1;
                }
            }
            merged.extend_from_slice(&left[i..]);
            merged.extend_from_slice(&right[j..]);
        }
        order = merged;
        width *= 2;
    }
    Ok(order)
}
//// sort
/// Sorts elements by a comparison, with equal ones as they were.
fn sort<T: Clone>(
    values: &mut [T],
    compare: impl Fn(&T, &T) -> Result<std::cmp::Ordering, Failure>,
) -> Result<(), Failure> {
    let order = sorted_order(values.len(), |i, j| compare(&values[i], &values[j]))?;
    let sorted: Vec<T> = order.into_iter().map(|i| values[i].clone()).collect();
    values
        .iter_mut()
        .zip(sorted)
        .for_each(|(old, new)| *old = new);
    Ok(())
}
//// sort_unstable
/// Sorts elements by a comparison, with equal ones in the order of the standard library.
fn sort_unstable<T>(
    values: &mut [T],
    compare: impl Fn(&T, &T) -> Result<std::cmp::Ordering, Failure>,
) -> Result<(), Failure> {
    // The library's sort cannot be left, so what fails has to fail before.
    sorted_order(values.len(), |i, j| compare(&values[i], &values[j]))?;
    let mut failed = None;
    values.sort_unstable_by(|a, b| match compare(a, b) {
        Ok(order) => order,
        Err(failure) => {
            failed.get_or_insert(failure);
            std::cmp::Ordering::Equal
        }
    });
    failed.map_or(Ok(()), Err)
}
