//! Patterns in the exchange format of Matrix Market.
//!
//! Boisvert, Pozo, Remington, *The Matrix Market exchange formats: initial design*, NISTIR 5935, 1996. Files
//! of the coordinate format, such as those of the SuiteSparse collection, are read regardless of their
//! numbers: a listed position is an entry, even if its number is zero.

use std::fmt::Write;

use super::{PatternError, SparsityPattern};

/// The pattern as text in the coordinate format, by rows.
///
/// ```
/// use overdub_sparsity::pattern::matrix_market;
///
/// let text = matrix_market::write(&"[1 0 1; 0 1 0]".parse()?);
/// assert_eq!(text, "%%MatrixMarket matrix coordinate pattern general\n2 3 3\n1 1\n1 3\n2 2\n");
/// # Ok::<(), overdub_sparsity::PatternError>(())
/// ```
#[must_use]
pub fn write(pattern: &SparsityPattern) -> String {
    let mut text = format!(
        "%%MatrixMarket matrix coordinate pattern general\n{} {} {}\n",
        pattern.rows(),
        pattern.cols(),
        pattern.len()
    );
    for (row, col) in pattern.entries() {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{} {}", row + 1, col + 1);
    }
    text
}

/// Reads the pattern of a matrix in the coordinate format, general or symmetric.
///
/// # Errors
/// If a line does not follow the format, an entry is outside the matrix, or the number of entries is not the
/// announced one.
///
/// ```
/// use overdub_sparsity::pattern::matrix_market;
///
/// let text = "%%MatrixMarket matrix coordinate real symmetric\n% A comment.\n2 2 2\n1 1 0.5\n2 1 -1e3\n";
/// assert_eq!(matrix_market::read(text)?.to_string(), "[1 1; 1 0]");
/// let error = matrix_market::read(&text.replace("2 1", "3 1")).unwrap_err();
/// assert_eq!(error.to_string(), "line 5: the entry (3, 1) lies outside of a matrix of 2 rows and 2 columns");
/// # Ok::<(), matrix_market::MatrixMarketError>(())
/// ```
pub fn read(text: &str) -> Result<SparsityPattern, MatrixMarketError> {
    let mut lines = text.lines().zip(1..);
    let (header, _) = lines.next().unwrap_or(("", 1));
    let (fields, is_mirrored) = read_header(header).map_err(|cause| cause.at(1))?;
    let mut last = 1;
    let mut lines = lines.filter(|(line, _)| !line.starts_with('%') && !line.trim().is_empty());
    let (sizes, at) = lines.next().ok_or_else(|| MatrixMarketCause::Missing("sizes").at(last))?;
    let sizes = words(sizes, 3).map_err(|cause| cause.at(at))?;
    let [rows, cols, announced] = [sizes[0], sizes[1], sizes[2]];
    let mut entries = Vec::new();
    let mut found = 0;
    for (line, at) in lines {
        let place = words(line, fields).map_err(|cause| cause.at(at))?;
        let (row, col) = (place[0], place[1]);
        if row == 0 || col == 0 || row > rows || col > cols {
            return Err(MatrixMarketCause::Outside { row, col, rows, cols }.at(at));
        }
        entries.push((row - 1, col - 1));
        if is_mirrored && row != col {
            entries.push((col - 1, row - 1));
        }
        found += 1;
        last = at;
    }
    if found != announced {
        return Err(MatrixMarketCause::Count { found, announced }.at(last));
    }
    SparsityPattern::new(rows, cols, entries).map_err(|error| MatrixMarketCause::Pattern(error).at(at))
}

/// The number of words on an entry's line, and whether the matrix is symmetric, so that mirror images are
/// entries too.
fn read_header(line: &str) -> Result<(usize, bool), MatrixMarketCause> {
    let lower = line.to_ascii_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    let ["%%matrixmarket", "matrix", "coordinate", field, symmetry] = words[..] else {
        return Err(MatrixMarketCause::Header(line.chars().take(80).collect()));
    };
    let fields = match field {
        "pattern" => 2,
        "real" | "integer" | "double" => 3,
        "complex" => 4,
        _ => return Err(MatrixMarketCause::Unknown(field.to_owned())),
    };
    match symmetry {
        "general" => Ok((fields, false)),
        "symmetric" | "skew-symmetric" | "hermitian" => Ok((fields, true)),
        _ => Err(MatrixMarketCause::Unknown(symmetry.to_owned())),
    }
}

/// The leading integers of a line with `count` words, of which the first two or three are integers.
fn words(line: &str, count: usize) -> Result<[usize; 3], MatrixMarketCause> {
    let mut numbers = [0; 3];
    let mut found = 0;
    for (at, word) in line.split_whitespace().enumerate() {
        let wrong = || MatrixMarketCause::Number(word.chars().take(80).collect());
        // Sizes are three integers, and the first two words of an entry are integers.
        match word.parse() {
            Ok(number) if at < 3 => numbers[at] = number,
            Ok(_) => {}
            Err(_) if at < 2 => return Err(wrong()),
            Err(_) => drop(word.parse::<f64>().map_err(|_| wrong())?),
        }
        found += 1;
    }
    if found != count {
        return Err(MatrixMarketCause::Words { found, expected: count });
    }
    Ok(numbers)
}

/// Why a text is not a matrix, and where.
///
/// ```
/// use overdub_sparsity::pattern::matrix_market::read;
///
/// let error = read("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1\n").unwrap_err();
/// assert_eq!((error.line, error.to_string()), (3, "line 3: 1 words where there are 2".to_owned()));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {cause}")]
pub struct MatrixMarketError {
    /// The line, counted from one.
    pub line: usize,
    /// What is wrong with it.
    pub cause: MatrixMarketCause,
}

/// The error in a line.
///
/// ```
/// use overdub_sparsity::pattern::matrix_market::{MatrixMarketCause, read};
///
/// assert_eq!(read("").unwrap_err().cause, MatrixMarketCause::Header(String::new()));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MatrixMarketCause {
    /// The first line does not announce a matrix of the coordinate format.
    #[error("`{0}` does not announce a matrix of the coordinate format")]
    Header(String),
    /// A kind of number or of symmetry that is not part of the format.
    #[error("`{0}` is no kind of number or of symmetry")]
    Unknown(String),
    /// A line is missing.
    #[error("there are no {0}")]
    Missing(&'static str),
    /// A line has the wrong number of words.
    #[error("{found} words where there are {expected}")]
    Words {
        /// The number of words.
        found: usize,
        /// The expected number.
        expected: usize,
    },
    /// A word is not a number, or not an integer where one is required.
    #[error("`{0}` is not the number that stands here")]
    Number(String),
    /// An entry is outside the matrix, counted from one as in the text.
    #[error("the entry ({row}, {col}) lies outside of a matrix of {rows} rows and {cols} columns")]
    Outside {
        /// The row of the entry.
        row: usize,
        /// The column of the entry.
        col: usize,
        /// The rows of the matrix.
        rows: usize,
        /// The columns of the matrix.
        cols: usize,
    },
    /// The number of entries is not the announced one.
    #[error("{found} entries where {announced} are announced")]
    Count {
        /// The number of entries.
        found: usize,
        /// The announced number.
        announced: usize,
    },
    /// The sizes are not possible for a pattern.
    #[error(transparent)]
    Pattern(PatternError),
}

impl MatrixMarketCause {
    fn at(self, line: usize) -> MatrixMarketError {
        MatrixMarketError { line, cause: self }
    }
}
