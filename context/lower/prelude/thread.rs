//! Threads: a thread runs to its end where it is spawned.

pub type Result<T> = crate::result::Result<T, Box<dyn crate::any::Any + Send>>;

pub struct JoinHandle<T> {
    value: T,
}

pub use JoinHandle as ScopedJoinHandle;

impl<T> JoinHandle<T> {
    pub fn join(self) -> crate::result::Result<T, Failed> {
        Ok(self.value)
    }

    pub fn is_finished(&self) -> bool {
        true
    }
}

/// What a thread that panicked leaves; a panic ends the program here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Failed;

pub fn spawn<F: FnOnce() -> T, T>(f: F) -> JoinHandle<T> {
    JoinHandle { value: f() }
}

#[derive(Clone, Copy)]
pub struct Scope;

impl Scope {
    pub fn spawn<F: FnOnce() -> T, T>(&self, f: F) -> JoinHandle<T> {
        JoinHandle { value: f() }
    }
}

pub fn scope<F: FnOnce(&Scope) -> T, T>(f: F) -> T {
    f(&Scope)
}

pub fn sleep(_dur: crate::time::Duration) {}

pub fn yield_now() {}

pub fn available_parallelism() -> crate::result::Result<crate::num::NonZero<usize>, crate::io::Error> {
    Ok(crate::num::NonZero::new(1).unwrap())
}
