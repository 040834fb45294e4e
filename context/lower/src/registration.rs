//! The data registered by one `#[dub]`, `dub!` or `#[derive(Dub)]`, the item's location and text, and by one
//! `source!`, the files of a whole module.

use std::any::TypeId;

/// A range of a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    /// The line where it begins, from 1.
    pub line: u32,
    /// The column where it begins, from 0, in characters.
    pub column: u32,
    /// Its text; comments are blanked out.
    pub text: &'static str,
}

/// The registration of one attribute.
#[derive(Debug)]
pub struct Registered {
    /// The module of the item.
    pub module: &'static str,
    /// The path of the file.
    pub file: &'static str,
    /// The folder of its package's manifest.
    pub manifest: &'static str,
    /// The name of a function next to the item, which shows the functions that enclose it.
    pub scope: fn() -> &'static str,
    /// The item, after the `use` declarations that are visible to it.
    pub pieces: &'static [Piece],
    /// The functions in it that are not generic.
    pub funcs: &'static [RegisteredFn],
    /// The options that its `cfg`s test.
    pub cfgs: &'static [Cfg],
}

/// An option of conditional compilation that a source tests, as rustc evaluated it where the source is registered.
#[derive(Clone, Copy, Debug)]
pub struct Cfg {
    /// The name: `test`, or `feature` of `feature = "std"`.
    pub name: &'static str,
    /// The value, if the source compares one.
    pub value: Option<&'static str>,
    /// Whether it holds.
    pub is_set: bool,
}

/// A function that is not generic: its path relative to its module, and its type.
pub type RegisteredFn = (&'static str, fn() -> TypeId);

inventory::collect!(Registered);

impl Registered {
    /// The name of its module, or of the function that encloses it.
    pub(crate) fn scope_name(&self) -> &'static str {
        (self.scope)().strip_suffix("::_::__here").unwrap_or(self.module)
    }
}

/// The registration of one `source!`: a module, with all its files and those of its submodules.
#[derive(Debug)]
pub struct RegisteredSource {
    /// The path of the module; for a whole crate, the name of the crate.
    pub module: &'static str,
    /// The path of its file, as rustc reports it.
    pub file: &'static str,
    /// The folder of its submodules' files, relative to the folder of its own file.
    pub children: &'static str,
    /// Its files.
    pub files: SourceFiles,
    /// The folder of its package's manifest, from which its dependencies are found.
    pub manifest: Option<&'static str>,
    /// The edition of its crate.
    pub edition: u16,
    /// The features of its package, and the options that its `cfg`s test.
    pub cfgs: &'static [Cfg],
}

/// The files of a registered module.
#[derive(Clone, Copy, Debug)]
pub enum SourceFiles {
    /// The paths relative to the folder of its own file, with the contents at compile time; its own file
    /// comes first.
    Embedded(&'static [(&'static str, &'static [u8])]),
    /// The path of its own file, which is read at run time.
    OnDisk(&'static str),
}

/// The registration of `source!(name)`: a crate that the caller's package depends on.
#[derive(Debug)]
pub struct RegisteredDependency {
    /// The name of the crate in the caller.
    pub name: &'static str,
    /// The folder of the caller's manifest.
    pub manifest: &'static str,
}

inventory::collect!(RegisteredSource);
inventory::collect!(RegisteredDependency);
