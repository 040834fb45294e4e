//! Names in text: which may be written bare, how others are quoted, and which name was probably meant.

use std::fmt;

/// The maximum length of `<…>` in a bare name, because an unclosed one would be scanned again from every
/// preceding sigil.
const MAX_ANGLES: usize = 1000;

/// A name as printed after a sigil: bare if the lexer reads it back as one name, otherwise quoted.
pub(crate) struct SigilName<'n>(pub(crate) &'n str);

/// A name as printed without a sigil: a type, a variant, a field.
pub(crate) struct BareName<'n>(pub(crate) &'n str);

/// The words that have a meaning where a type or a literal may occur.
const RESERVED: &[&str] =
    &["_", "fn", "closure", "stack", "ref", "opaque", "rank", "shape", "true", "false", "nan", "inf", "call"];

/// The characters allowed between the `<` and `>` of a function's name besides letters and digits.
const IN_ANGLES: &str = "_.:,;&*()[]{}'#@+=! ";

impl fmt::Display for SigilName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.0.is_empty() && name_len(self.0) == self.0.len() {
            f.write_str(self.0)
        } else {
            write!(f, "{:?}", self.0)
        }
    }
}

impl fmt::Display for BareName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_word = !self.0.is_empty()
            && word_len(self.0) == self.0.len()
            && !RESERVED.contains(&self.0)
            && !["nan_", "inf_"].iter().any(|prefix| self.0.starts_with(prefix));
        if is_word { f.write_str(self.0) } else { write!(f, "{:?}", self.0) }
    }
}

/// The length in bytes of the name that follows a sigil at the start of `text`.
pub(super) fn name_len(text: &str) -> usize {
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        at += match c {
            '_' | '.' | '#' => 1,
            ':' if text[at..].starts_with("::") => 2,
            '<' => match angles_len(&text[at..]) {
                Some(len) => len,
                None => break,
            },
            c if c.is_alphanumeric() => c.len_utf8(),
            _ => break,
        };
    }
    at
}

/// The length in bytes of a balanced `<…>` at the start of `text`; none if it exceeds the maximum for bare
/// names.
fn angles_len(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    let mut arrow = false;
    for (at, c) in text.char_indices().take(MAX_ANGLES) {
        match c {
            '<' => depth += 1,
            '>' if arrow => {}
            '>' => depth -= 1,
            '-' if text[at..].starts_with("->") => {}
            c if c.is_alphanumeric() || IN_ANGLES.contains(c) => {}
            _ => return None,
        }
        if depth == 0 {
            return Some(at + 1);
        }
        arrow = c == '-';
    }
    None
}

/// The length in bytes of the bare word at the start of `text`: the name of an operation, a type, a field.
pub(super) fn word_len(text: &str) -> usize {
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        at += match c {
            '_' => 1,
            '.' if at > 0 => 1,
            ':' if at > 0 && text[at..].starts_with("::") => 2,
            c if c.is_alphabetic() || (at > 0 && c.is_alphanumeric()) => c.len_utf8(),
            _ => break,
        };
    }
    at
}

/// The candidate nearest to `name`, if it is near enough to be what was meant.
pub(super) fn nearest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let length = name.chars().count();
    if length > 40 {
        return None;
    }
    let limit = length.div_ceil(3).min(3);
    candidates
        .into_iter()
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|&(distance, _)| (1..=limit).contains(&distance))
        .min()
        .map(|(_, candidate)| candidate)
}

/// The number of letters to insert, remove, replace or swap with the next one to turn one name into the
/// other.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let mut least = (last[j] + usize::from(a[i] != b[j])).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_bare_only_where_it_reads_back_as_one() {
        for bare in ["f", "0", "Vec<f64>::push", "map<fn(f64) -> f64, i64>::call", "a.b", "closure#2"] {
            assert_eq!(SigilName(bare).to_string(), bare);
        }
        for quoted in ["", "a b", "f(x)", "a:", "a<b", "é\n", "a>b"] {
            assert_eq!(SigilName(quoted).to_string(), format!("{quoted:?}"));
        }
        assert_eq!(BareName("nan").to_string(), "\"nan\"");
        assert_eq!(BareName("0x").to_string(), "\"0x\"");
        assert_eq!(BareName("geometry::Point").to_string(), "geometry::Point");
    }

    #[test]
    fn the_nearest_name_is_one_that_could_be_a_slip() {
        assert_eq!(nearest("sinn", ["cos", "sin", "sinh"]), Some("sin"));
        assert_eq!(nearest("f46", ["i64", "f64"]), Some("f64"));
        assert_eq!(nearest("x", ["frobnicate", "y"]), Some("y"));
        assert_eq!(nearest("matmul", ["add", "mul"]), None);
    }
}
