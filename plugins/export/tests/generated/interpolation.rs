use std::borrow::Cow;

/// Why a call failed: the message of the program that this was made from, and the place there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    message: Cow<'static, str>,
    at: &'static str,
}

impl Failure {
    /// The message.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The place in the source: the file, the line and the column.
    pub fn at(&self) -> &'static str {
        self.at
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}, {}", self.message, self.at)
    }
}

impl std::error::Error for Failure {}

/// The gradient of `interpolation`.
#[allow(clippy::neg_cmp_op_on_partial_ord, clippy::nonminimal_bool)]
pub fn interpolation_gradient(samples: &[f64], at: f64) -> Result<(Vec<f64>, f64), Failure> {
    let mut t1 = vec![0.0; samples.len()];
    // 3: assert!(at >= 0.0, "there is no sample at {at}");
    if at >= 0.0 {
        // 4: let before = at as usize;
        let t2 = at as usize;
        // 5: let part = at - before as f64;
        let t3 = at - t2 as f64;
        // 6: samples[before] * (1.0 - part) + samples[before + 1] * part
        let t4 = *elem(samples, t2, "interpolation.rs:6:5")?;
        let t5 = add_usize(t2, 1, "interpolation.rs:6:46")?;
        let t6 = *elem(samples, t5, "interpolation.rs:6:38")?;
        t1[t5] += t3;
        t1[t2] += 1.0 - t3;
        return Ok((t1, t6 - t4));
    }
    // 3: assert!(at >= 0.0, "there is no sample at {at}");
    let t7 = at.to_string();
    let t8 = t7.chars().collect::<Vec<char>>();
    let mut t9;
    'block0: {
        if !t8.is_empty() {
            let t10 = t8[0];
            if t10 == '-' {
                let t11 = text_part(&t7, 1, t7.len(), "interpolation.rs:3:5")?;
                t9 = "there is no sample at -".to_owned();
                t9.push_str(&t11);
                break 'block0;
            }
            if t10 == '+' {
                let t12 = text_part(&t7, 1, t7.len(), "interpolation.rs:3:5")?;
                t9 = "there is no sample at +".to_owned();
                t9.push_str(&t12);
                break 'block0;
            }
        }
        t9 = "there is no sample at ".to_owned();
        t9.push_str(&t7);
    }
    fail(t9, "interpolation.rs:3:5")
}

/// `add`, which fails where the result does not fit.
#[inline]
fn add_usize(x: usize, y: usize, at: &'static str) -> Result<usize, Failure> {
    match x.checked_add(y) {
        Some(result) => Ok(result),
        None => fail("attempt to add with overflow", at),
    }
}

/// Fails with the message of the program that this was made from, and the place there.
#[cold]
fn fail<T>(message: impl Into<Cow<'static, str>>, at: &'static str) -> Result<T, Failure> {
    let message = message.into();
    Err(Failure { message, at })
}

#[cold]
fn out_of_bounds<T>(len: usize, i: usize, at: &'static str) -> Result<T, Failure> {
    let message = format!("index out of bounds: the len is {len} but the index is {i}");
    fail(message, at)
}

/// An element, by an index that may be out of bounds.
#[inline]
fn elem<'a, T>(values: &'a [T], i: usize, at: &'static str) -> Result<&'a T, Failure> {
    match values.get(i) {
        Some(value) => Ok(value),
        None => out_of_bounds(values.len(), i, at),
    }
}

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
