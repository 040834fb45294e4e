//! Constant lists beside exported functions, for those who call them.

use crate::compression::Compression;

/// A constant list of numbers that the text declares for its readers.
#[derive(Clone, Debug)]
pub(crate) struct PublicTable {
    /// What follows the name of the function.
    pub(crate) suffix: &'static str,
    pub(crate) doc: String,
    pub(crate) numbers: Vec<usize>,
}

/// The structure of a sparse matrix, whose values the function of this name returns.
pub(crate) fn structure(function: &str, compression: &Compression) -> Vec<PublicTable> {
    let table = |suffix, doc: &str, numbers: &[usize]| PublicTable {
        suffix,
        doc: format!("{doc} `{function}`."),
        numbers: numbers.to_vec(),
    };
    vec![
        table("size", "The number of rows and of columns of", &[compression.rows(), compression.cols()]),
        table(
            "row_starts",
            "Where the entries of each row start, and at the end their number, in",
            compression.row_starts(),
        ),
        table("columns", "The column of each entry of", compression.columns()),
    ]
}
