//! How exported text fails, and which library it uses.

/// What an exported function does where the program that it was made from fails.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Failures {
    /// It panics with the message of the failure and its place.
    #[default]
    Panic,
    /// It returns an `Err` with them. The text declares their type, `Failure`, which is an `Error`.
    Result,
}

/// The library that exported text in Rust uses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Library {
    /// The standard library.
    #[default]
    Std,
    /// `core` and `alloc`, and the crate [`libm`](https://docs.rs/libm) for the functions of floats that `core` lacks:
    /// for crates with `#![no_std]`. Arithmetic, square roots and rounding give the same bits as with the standard library;
    /// `sin`, `exp` and their like may differ in the last one. Rust 1.85 or later compiles it.
    NoStd,
}

/// How exported functions compute with floats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Arithmetic {
    /// Each operation as the program has it, and in its order: the results have the same bits.
    #[default]
    Exact,
    /// What compilers call fast math, as far as derivatives and sums gain from it: sums of loops over arrays are added in eight
    /// parts (`reassoc`), in Rust, derivatives do not test whether zero meets infinity (`nnan`), and `exp`, `ln`,
    /// `tanh` and `powf` in loops over slices, in lanes `sin` and `cos`, too, are computed without branches, less than one unit in the
    /// last place from the exact result. Results may differ in the
    /// last digits, and a derivative may not be a number where a derivative of zero is multiplied by one that is infinite.
    Fast,
}

/// How a function hands over vectors of `f64`s that it computes, which are its result or parts of that.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Results {
    /// It returns them.
    #[default]
    Returned,
    /// It writes them to slices of the caller, which follow the arguments in the order of the result, and must have their
    /// lengths: for callers that use the same memory again. What it returns is the rest.
    IntoSlices,
}

impl Results {
    /// How names of functions end that hand over vectors in this way, where nobody chooses others.
    ///
    /// ```
    /// use overdub_export::{Derivative, Results, result_name};
    ///
    /// let name = result_name("loss", Some(Derivative::Gradient)) + Results::IntoSlices.ending();
    /// assert_eq!(name, "loss_gradient_into");
    /// ```
    pub fn ending(self) -> &'static str {
        match self {
            Results::Returned => "",
            Results::IntoSlices => "_into",
        }
    }
}

/// How many lanes functions have where nobody chooses another number: enough to hide that an instruction waits for the result
/// of the one before, and few enough for the fastest cache.
pub const LANES: usize = 64;

/// The largest number of lanes: more have no advantage, and their values are on the stack.
pub(crate) const MOST_LANES: usize = 1024;

/// Lanes: how many, and the names or numbers of the parameters that have one argument for all elements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lanes {
    pub(crate) width: usize,
    pub(crate) fixed: Vec<String>,
}

impl Lanes {
    /// Whether the parameter of this number and name has one argument for all elements.
    pub(crate) fn fixes(&self, number: usize, name: Option<&str>) -> bool {
        self.fixed.iter().any(|fixed| Some(fixed.as_str()) == name || fixed.parse() == Ok(number))
    }
}

/// How the text is written.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Options {
    pub(crate) failures: Failures,
    pub(crate) library: Library,
    pub(crate) arithmetic: Arithmetic,
    pub(crate) results: Results,
    pub(crate) has_workspace: bool,
    pub(crate) room: Room,
}

impl Options {
    /// Whether functions take slices for their results, or a workspace.
    pub(crate) fn uses_memory_of_caller(self) -> bool {
        self.results == Results::IntoSlices || self.has_workspace
    }
}

/// Whether there is memory for as many elements as a number says.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum Room {
    /// If there is not, the process ends, as that of any program in Rust.
    #[default]
    Taken,
    /// It is asked for before, by `overdub_room`: if there is not, the call fails.
    Checked,
}
