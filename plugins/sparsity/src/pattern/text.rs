//! Patterns as text: a small matrix by its ones and zeros, a large one by its size.

use std::fmt;
use std::str::FromStr;

use super::{PatternError, SparsityPattern};

/// The greatest number of positions of a matrix that is written out.
const WRITTEN: usize = 4096;

/// `[1 0; 0 1]`, or for a large matrix its size and the number of its entries.
///
/// ```
/// use overdub_sparsity::SparsityPattern;
///
/// assert_eq!(SparsityPattern::diagonal(2)?.to_string(), "[1 0; 0 1]");
/// assert_eq!(SparsityPattern::diagonal(1000)?.to_string(), "1000 × 1000 with 1000 entries");
/// # Ok::<(), overdub_sparsity::PatternError>(())
/// ```
impl fmt::Display for SparsityPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.rows().saturating_mul(self.cols) > WRITTEN || self.rows() > WRITTEN {
            return write!(f, "{} × {} with {} entries", self.rows(), self.cols, self.len());
        }
        f.write_str("[")?;
        for row in 0..self.rows() {
            f.write_str(if row > 0 { "; " } else { "" })?;
            for col in 0..self.cols {
                f.write_str(if col > 0 { " " } else { "" })?;
                f.write_str(if self.contains(row, col) { "1" } else { "0" })?;
            }
        }
        f.write_str("]")
    }
}

impl fmt::Debug for SparsityPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SparsityPattern({self})")
    }
}

/// Parses the displayed form of a small matrix: every number other than zero is an entry.
///
/// ```
/// let pattern: overdub_sparsity::SparsityPattern = "[1 0 2.5; 0 -3 0]".parse()?;
/// assert_eq!(pattern.to_string(), "[1 0 1; 0 1 0]");
/// # Ok::<(), overdub_sparsity::PatternError>(())
/// ```
impl FromStr for SparsityPattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        let text = text.trim();
        let inner = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let inner = inner.ok_or_else(|| wrong(0, text, "a matrix in brackets"))?;
        if inner.trim().is_empty() {
            return Self::empty(0, 0);
        }
        let (mut cols, mut rows) = (None, Vec::new());
        for (row, line) in inner.split(';').enumerate() {
            let mut columns = Vec::new();
            let mut length = 0;
            for word in line.split_whitespace() {
                let number: f64 = word.parse().map_err(|_| wrong(row, word, "a number"))?;
                if number != 0.0 {
                    columns.push(length);
                }
                length += 1;
            }
            let expected = *cols.get_or_insert(length);
            if length != expected {
                return Err(wrong(row, &format!("{length} numbers"), &format!("{expected}")));
            }
            rows.push(columns);
        }
        Self::from_rows(cols.unwrap_or(0), rows)
    }
}

fn wrong(row: usize, found: &str, expected: &str) -> PatternError {
    PatternError::Text { row, found: format!("`{found}`"), expected: expected.to_owned() }
}
