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
