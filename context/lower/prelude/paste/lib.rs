//! The crate `paste` as programs see it: macros whose output has the identifiers in `[<` and `>]` put together.

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
