//! What one `#[dub]`, `dub!` or `#[derive(Dub)]` registers: where the item stands, and its text.

use std::any::TypeId;

/// A stretch of a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    /// The line that it begins in, from 1.
    pub line: u32,
    /// The column that it begins in, from 0, in characters.
    pub column: u32,
    /// What it says; comments are blank.
    pub text: &'static str,
}

/// What one attribute registers.
#[derive(Debug)]
pub struct Registered {
    /// The module that it stands in.
    pub module: &'static str,
    /// The file.
    pub file: &'static str,
    /// The folder of its package's manifest.
    pub manifest: &'static str,
    /// The name of a function that stands beside it: what functions it is inside of.
    pub scope: fn() -> &'static str,
    /// The item, after the `use` lines that it sees.
    pub pieces: &'static [Piece],
    /// The functions in it that are not generic.
    pub funcs: &'static [RegisteredFn],
}

/// A function that is not generic: what it is called from its module, and its type.
pub type RegisteredFn = (&'static str, fn() -> TypeId);

inventory::collect!(Registered);

impl Registered {
    /// The name of its module, or of the function that it stands inside of.
    pub(crate) fn scope_name(&self) -> &'static str {
        (self.scope)().strip_suffix("::_::__here").unwrap_or(self.module)
    }
}
