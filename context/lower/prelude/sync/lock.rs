//! Locks: cells.

use crate::fmt;
use crate::ops::{Deref, DerefMut};

pub use crate::cell::OnceCell as OnceLock;

pub struct PoisonError<T> {
    guard: T,
}

impl<T> PoisonError<T> {
    pub fn into_inner(self) -> T {
        self.guard
    }
}

impl<T> fmt::Debug for PoisonError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PoisonError { .. }")
    }
}

impl<T> fmt::Display for PoisonError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("poisoned lock: another task failed inside")
    }
}

impl<T> crate::error::Error for PoisonError<T> {}

pub type LockResult<T> = Result<T, PoisonError<T>>;

pub type TryLockResult<T> = Result<T, PoisonError<T>>;

#[lang("mutex")]
pub struct Mutex<T: ?Sized>;

#[op("ref.get")]
fn content<T: ?Sized>(cell: &Mutex<T>) -> &T;

#[op("id")]
fn place<T: ?Sized>(cell: &Mutex<T>) -> &mut T;

pub struct MutexGuard<'a, T: ?Sized> {
    guarded__: &'a mut T,
}

impl<T> Mutex<T> {
    #[op("cell")]
    pub fn new(value: T) -> Mutex<T>;

    pub fn into_inner(self) -> LockResult<T> {
        Ok(*content(&self))
    }

    pub fn lock(&self) -> LockResult<MutexGuard<'_, T>> {
        Ok(MutexGuard { guarded__: place(self) })
    }

    pub fn try_lock(&self) -> TryLockResult<MutexGuard<'_, T>> {
        Ok(MutexGuard { guarded__: place(self) })
    }

    pub fn get_mut(&mut self) -> LockResult<&mut T> {
        Ok(place(self))
    }

    pub fn is_poisoned(&self) -> bool {
        false
    }
}

/// A lock with readers.
#[lang("rw_lock")]
pub struct RwLock<T> {
    inner: Mutex<T>,
}

pub use MutexGuard as RwLockReadGuard;
pub use MutexGuard as RwLockWriteGuard;

impl<T> RwLock<T> {
    pub fn new(value: T) -> RwLock<T> {
        RwLock { inner: Mutex::new(value) }
    }

    pub fn read(&self) -> LockResult<MutexGuard<'_, T>> {
        self.inner.lock()
    }

    pub fn write(&self) -> LockResult<MutexGuard<'_, T>> {
        self.inner.lock()
    }

    pub fn into_inner(self) -> LockResult<T> {
        self.inner.into_inner()
    }
}

impl<T: ?Sized> Deref for MutexGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &*self.guarded__
    }
}

impl<T: ?Sized> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut *self.guarded__
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&**self, f)
    }
}

impl<T: Default> Default for Mutex<T> {
    fn default() -> Mutex<T> {
        Mutex::new(T::default())
    }
}

impl<T: Default> Default for RwLock<T> {
    fn default() -> RwLock<T> {
        RwLock::new(T::default())
    }
}

impl<T> From<T> for Mutex<T> {
    fn from(t: T) -> Mutex<T> {
        Mutex::new(t)
    }
}

/// A value that is computed whenever it is read: nobody can tell, and a static may hold it.
pub struct LazyLock<T, F = fn() -> T> {
    init__: F,
    of__: crate::marker::PhantomData<T>,
}

#[op("id")]
fn kept<T>(value: T) -> &T;

impl<T, F: FnOnce() -> T> LazyLock<T, F> {
    pub fn new(init: F) -> LazyLock<T, F> {
        LazyLock { init__: init, of__: crate::marker::PhantomData }
    }

    pub fn force(this: &LazyLock<T, F>) -> &T {
        kept((this.init__)())
    }
}

impl<T, F: FnOnce() -> T> Deref for LazyLock<T, F> {
    type Target = T;

    fn deref(&self) -> &T {
        LazyLock::force(self)
    }
}
