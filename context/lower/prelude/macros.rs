//! Functions called by the built-in macros.

use crate::fmt::{Arguments, Debug};

/// Ends the program with this message.
#[lang("fail")]
pub fn fail(message: &str) -> !;

#[op("print")]
pub fn print_str(text: &str);

#[op("eprint")]
pub fn eprint_str(text: &str);

/// `panic!("…")`, `assert!(c, "…")`
#[lang("panic_fmt")]
pub fn panic_fmt(message: Arguments<'_>) -> ! {
    fail(&message.text)
}

/// `unreachable!("…")`
#[lang("unreachable_fmt")]
pub fn unreachable_fmt(message: Arguments<'_>) -> ! {
    panic!("internal error: entered unreachable code: {message}")
}

/// `todo!("…")`
#[lang("todo_fmt")]
pub fn todo_fmt(message: Arguments<'_>) -> ! {
    panic!("not yet implemented: {message}")
}

/// `unimplemented!("…")`
#[lang("unimplemented_fmt")]
pub fn unimplemented_fmt(message: Arguments<'_>) -> ! {
    panic!("not implemented: {message}")
}

/// `print!("…")`; for `println!` the text includes the newline.
#[lang("print_fmt")]
pub fn print_fmt(text: Arguments<'_>) {
    print_str(&text.text)
}

/// `eprint!("…")`
#[lang("eprint_fmt")]
pub fn eprint_fmt(text: Arguments<'_>) {
    eprint_str(&text.text)
}

/// `format!("…")`
#[lang("format_fmt")]
pub fn format_fmt(text: Arguments<'_>) -> String {
    crate::fmt::format(text)
}

/// `dbg!(x)`: `place` is `[src/main.rs:1:5] x`.
#[lang("dbg_value")]
pub fn dbg_value<T: Debug>(place: &str, value: T) -> T {
    eprintln!("{place} = {value:#?}");
    value
}

/// `assert_eq!(a, b, "…")` after the comparison failed.
#[lang("assert_eq_failed")]
pub fn assert_eq_failed<T: Debug + ?Sized, U: Debug + ?Sized>(
    left: &T,
    right: &U,
    message: Option<Arguments<'_>>,
) -> ! {
    assert_failed("==", left, right, message)
}

/// `assert_ne!(a, b, "…")` after the comparison failed.
#[lang("assert_ne_failed")]
pub fn assert_ne_failed<T: Debug + ?Sized, U: Debug + ?Sized>(
    left: &T,
    right: &U,
    message: Option<Arguments<'_>>,
) -> ! {
    assert_failed("!=", left, right, message)
}

fn assert_failed<T: Debug + ?Sized, U: Debug + ?Sized>(
    op: &str,
    left: &T,
    right: &U,
    message: Option<Arguments<'_>>,
) -> ! {
    match message {
        Some(message) => {
            panic!("assertion `left {op} right` failed: {message}\n  left: {left:?}\n right: {right:?}")
        }
        None => panic!("assertion `left {op} right` failed\n  left: {left:?}\n right: {right:?}"),
    }
}

/// `vec![a, b, c]`
#[lang("vec_from_array")]
#[op("id")]
pub fn vec_from_array<T, const N: usize>(elems: [T; N]) -> Vec<T>;

#[op("repeat")]
fn repeat<T>(value: T, n: usize) -> Vec<T>;

/// `vec![x; n]`
#[lang("vec_repeat")]
pub fn vec_repeat<T: Clone>(value: T, n: usize) -> Vec<T> {
    if crate::clone::is_plain::<T>() {
        return repeat(value, n);
    }
    let mut elems = Vec::new();
    elems.resize(n, value);
    elems
}
