//! Places in source files.

use std::fmt;

use crate::Symbol;

/// A place in a source file: where an instruction, a type or an error comes from.
///
/// Lines and columns count from 1 (columns in characters); line 0 means that the place is not known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The file as the user named it.
    pub file: Symbol,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// How many characters it covers, on its first line.
    pub len: u32,
}

impl Span {
    /// The span of something that no source file holds.
    pub fn unknown() -> Span {
        Span { file: Symbol::new(""), line: 0, column: 0, len: 0 }
    }

    /// A span of `len` characters.
    pub fn new(file: Symbol, line: u32, column: u32, len: u32) -> Span {
        Span { file, line, column, len }
    }

    /// Whether it names a place.
    pub fn is_known(self) -> bool {
        self.line != 0
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_known() {
            write!(f, "{}:{}:{}", self.file, self.line, self.column)
        } else {
            f.write_str("an unknown place")
        }
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
