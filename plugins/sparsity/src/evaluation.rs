//! How a sparse derivative is evaluated, and why.

use std::fmt;

/// How a sparse derivative is evaluated, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Evaluation {
    /// The function writes each entry at its position, in one run.
    Entries {
        /// The number of partial derivatives that the function writes.
        written: usize,
    },
    /// By a product for each color, several of them in each sweep.
    Compression {
        /// The number of colors.
        colors: usize,
        /// Why the entries are not written in one run.
        because: String,
    },
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Evaluation::Entries { written } => write!(
                f,
                "{written} entries written in one run, since each number that is returned depends on a few reads"
            ),
            Evaluation::Compression { colors, because } => {
                write!(f, "compression to {colors} colors, since {because}")
            }
        }
    }
}
