//! The crate `paste` as programs see it: macros that concatenate the identifiers within `[<` and `>]` in their output.

#[lang("paste")]
#[macro_export]
macro_rules! paste {
    ($($tokens:tt)*) => { $($tokens)* };
}

#[lang("paste")]
#[macro_export]
macro_rules! item {
    ($($tokens:tt)*) => { $($tokens)* };
}

#[lang("paste")]
#[macro_export]
macro_rules! expr {
    ($($tokens:tt)*) => { $($tokens)* };
}
