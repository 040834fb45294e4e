//! Panics, which end the program here.

#[lang("unwind_safe")]
pub trait UnwindSafe {}

#[lang("ref_unwind_safe")]
pub trait RefUnwindSafe {}

pub struct AssertUnwindSafe<T>(pub T);

impl<T> crate::ops::Deref for AssertUnwindSafe<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<R, F: FnOnce() -> R> FnOnce<()> for AssertUnwindSafe<F> {
    type Output = R;

    fn call_once(self, _args: ()) -> R {
        (self.0)()
    }
}

/// A panic inside is not caught: it ends the program.
pub fn catch_unwind<F: FnOnce() -> R, R>(f: F) -> crate::thread::Result<R> {
    Ok(f())
}

/// A place in the source.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Location<'a> {
    file: &'a str,
    line: u32,
    column: u32,
}

impl<'a> Location<'a> {
    /// The paths that rustc gives to files are not known here.
    pub fn caller() -> &'static Location<'static> {
        crate::macros::fail("`Location::caller` is not known: files have other paths for rustc")
    }

    pub fn file(&self) -> &str {
        self.file
    }

    pub fn line(&self) -> u32 {
        self.line
    }

    pub fn column(&self) -> u32 {
        self.column
    }
}

impl crate::fmt::Display for Location<'_> {
    fn fmt(&self, f: &mut crate::fmt::Formatter<'_>) -> crate::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}
