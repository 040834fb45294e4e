//! How exported text fails.

/// What an exported function does where the program that it was made from fails.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Failures {
    /// It panics with the message of the failure and its place.
    #[default]
    Panic,
    /// It returns an `Err` with them. The text declares their type, `Failure`, which is an `Error`.
    Result,
}

/// How the text is written.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Options {
    pub(crate) failures: Failures,
}
