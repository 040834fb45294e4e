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

/// Lets the time pass, step by step, so that limits of the run hold meanwhile.
pub fn sleep(dur: crate::time::Duration) {
    let start = crate::time::Instant::now();
    while start.elapsed() < dur {}
}

pub fn yield_now() {}

pub fn available_parallelism() -> crate::result::Result<crate::num::NonZero<usize>, crate::io::Error> {
    Ok(crate::num::NonZero::new(1).unwrap())
}

/// What `thread_local!` declares: a value that is made when it is first asked for.
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

/// Declares statics that each thread has its own of.
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
