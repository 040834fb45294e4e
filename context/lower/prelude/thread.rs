//! Threads: a thread runs to completion where it is spawned.

use crate::sync::atomic::{AtomicU64, Ordering};

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

/// Numbers of threads: that of the running one, and the largest so far.
static CURRENT: AtomicU64 = AtomicU64::new(1);
static LAST: AtomicU64 = AtomicU64::new(1);

/// Whether the program asks which thread it is in. A constant of the program.
#[lang("numbers_threads")]
fn numbers_threads() -> bool;

/// Runs something as a thread of its own.
fn run<T>(f: impl FnOnce() -> T) -> T {
    if !numbers_threads() {
        return f();
    }
    let outer = CURRENT.load(Ordering::Relaxed);
    CURRENT.store(LAST.fetch_add(1, Ordering::Relaxed) + 1, Ordering::Relaxed);
    let value = f();
    CURRENT.store(outer, Ordering::Relaxed);
    value
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ThreadId(u64);

/// A thread.
#[derive(Clone)]
pub struct Thread {
    id: ThreadId,
}

impl Thread {
    pub fn id(&self) -> ThreadId {
        self.id
    }

    pub fn name(&self) -> Option<&str> {
        if self.id.0 == 1 { Some("main") } else { None }
    }

    pub fn unpark(&self) {}
}

pub fn current() -> Thread {
    if !numbers_threads() {
        crate::macros::fail("which thread this is was not kept: no source that is known of the program asks for it");
    }
    Thread { id: ThreadId(CURRENT.load(Ordering::Relaxed)) }
}

/// A panic ends the program, and drops nothing.
pub fn panicking() -> bool {
    false
}

/// The payload of a thread that panicked; here a panic ends the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Failed;

pub fn spawn<F: FnOnce() -> T, T>(f: F) -> JoinHandle<T> {
    JoinHandle { value: run(f) }
}

#[derive(Clone, Copy)]
pub struct Scope;

impl Scope {
    pub fn spawn<F: FnOnce() -> T, T>(&self, f: F) -> JoinHandle<T> {
        JoinHandle { value: run(f) }
    }
}

pub fn scope<F: FnOnce(&Scope) -> T, T>(f: F) -> T {
    f(&Scope)
}

/// Waits step by step, so that the limits of the run keep applying.
pub fn sleep(dur: crate::time::Duration) {
    let start = crate::time::Instant::now();
    while start.elapsed() < dur {}
}

pub fn yield_now() {}

pub fn available_parallelism() -> crate::result::Result<crate::num::NonZero<usize>, crate::io::Error> {
    Ok(crate::num::NonZero::new(1).unwrap())
}

/// The type of `thread_local!` statics: a value that is initialised on first use.
pub struct LocalKey<T> {
    init: fn() -> T,
    slot: crate::cell::OnceCell<T>,
}

impl<T> LocalKey<T> {
    pub fn new(init: fn() -> T) -> LocalKey<T> {
        LocalKey { init, slot: crate::cell::OnceCell::new() }
    }

    pub fn with<F: FnOnce(&T) -> R, R>(&self, f: F) -> R {
        f(self.slot.get_or_init(self.init))
    }
}

impl<T> LocalKey<crate::cell::Cell<T>> {
    pub fn get(&self) -> T {
        self.with(|cell| cell.get())
    }

    pub fn set(&self, value: T) {
        self.with(|cell| cell.set(value))
    }

    pub fn take(&self) -> T
    where
        T: Default,
    {
        self.with(|cell| cell.take())
    }

    pub fn replace(&self, value: T) -> T {
        self.with(|cell| cell.replace(value))
    }
}

impl<T> LocalKey<crate::cell::RefCell<T>> {
    pub fn with_borrow<F: FnOnce(&T) -> R, R>(&self, f: F) -> R {
        self.with(|cell| f(&*cell.borrow()))
    }

    pub fn with_borrow_mut<F: FnOnce(&mut T) -> R, R>(&self, f: F) -> R {
        self.with(|cell| f(&mut *cell.borrow_mut()))
    }

    pub fn set(&self, value: T) {
        self.replace(value);
    }

    pub fn take(&self) -> T
    where
        T: Default,
    {
        self.with(|cell| cell.take())
    }

    pub fn replace(&self, value: T) -> T {
        self.with(|cell| cell.replace(value))
    }
}

/// Declares statics with a separate value per thread.
#[macro_export]
macro_rules! thread_local {
    () => {};
    ($(#[$attr:meta])* $vis:vis static $name:ident: $t:ty = const $init:block; $($rest:tt)*) => {
        $crate::thread_local! { $vis static $name: $t = $init; $($rest)* }
    };
    ($(#[$attr:meta])* $vis:vis static $name:ident: $t:ty = const $init:block) => {
        $crate::thread_local! { $vis static $name: $t = $init; }
    };
    ($(#[$attr:meta])* $vis:vis static $name:ident: $t:ty = $init:expr; $($rest:tt)*) => {
        $vis static $name: $crate::thread::LocalKey<$t> = $crate::thread::LocalKey::new(|| $init);
        $crate::thread_local! { $($rest)* }
    };
    ($(#[$attr:meta])* $vis:vis static $name:ident: $t:ty = $init:expr) => {
        $crate::thread_local! { $vis static $name: $t = $init; }
    };
}
