//! What one `#[dub]`, `dub!` or `#[derive(Dub)]` registers: where the item stands, and its text. What one `source!`
//! registers: the files of a whole module.

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

/// What one `source!` registers: a module, with all that is in its files and in those of the modules within it.
#[derive(Debug)]
pub struct RegisteredSource {
    /// The module; of a whole crate, the name of the crate.
    pub module: &'static str,
    /// The file that it stands in, as rustc calls it.
    pub file: &'static str,
    /// Where the files of the modules within it are, from the folder of its own.
    pub children: &'static str,
    /// Its files.
    pub files: SourceFiles,
    /// The folder of its package's manifest, where the crates that it depends on are found.
    pub manifest: Option<&'static str>,
    /// The edition of its crate.
    pub edition: u16,
    /// The features that its text asks for, and whether they were on.
    pub features: &'static [(&'static str, bool)],
    /// The other names that its `cfg`s ask for, and whether they were set.
    pub flags: &'static [(&'static str, bool)],
}

/// The files of a registered module.
#[derive(Clone, Copy, Debug)]
pub enum SourceFiles {
    /// Their paths from the folder of its own file, and what they held when it was compiled; its own file is the first.
    Embedded(&'static [(&'static str, &'static [u8])]),
    /// The path of its own file, read when the program runs.
    OnDisk(&'static str),
}

/// What `source!(name)` registers: a crate that the caller's package depends on.
#[derive(Debug)]
pub struct RegisteredDependency {
    /// What the caller calls it.
    pub name: &'static str,
    /// The folder of the caller's manifest.
    pub manifest: &'static str,
}

inventory::collect!(RegisteredSource);
inventory::collect!(RegisteredDependency);
