//! Locks: cells that track their holders.

use crate::cell::{Ref, RefCell, RefMut};
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

/// The reason why a lock was not acquired immediately.
pub enum TryLockError<T> {
    Poisoned(PoisonError<T>),
    WouldBlock,
}

pub type TryLockResult<T> = Result<T, TryLockError<T>>;

impl<T> fmt::Debug for TryLockError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TryLockError::Poisoned(_) => "Poisoned(..)",
            TryLockError::WouldBlock => "WouldBlock",
        })
    }
}

impl<T> fmt::Display for TryLockError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            TryLockError::Poisoned(_) => "poisoned lock: another task failed inside",
            TryLockError::WouldBlock => "try_lock failed because the operation would block",
        })
    }
}

impl<T> crate::error::Error for TryLockError<T> {}

#[lang("mutex")]
pub struct Mutex<T: ?Sized> {
    inner: RefCell<T>,
}

pub struct MutexGuard<'a, T: ?Sized> {
    guard: RefMut<'a, T>,
}

/// Nothing else can release the lock: threads run one after the other.
fn deadlock() -> ! {
    crate::macros::fail("the lock is guard where it is waited for: a thread runs to its end where it is spawned")
}

impl<T> Mutex<T> {
    pub fn new(value: T) -> Mutex<T> {
        Mutex { inner: RefCell::new(value) }
    }

    pub fn into_inner(self) -> LockResult<T> {
        Ok(self.inner.into_inner())
    }
}

impl<T: ?Sized> Mutex<T> {
    pub fn lock(&self) -> LockResult<MutexGuard<'_, T>> {
        match self.inner.try_borrow_mut() {
            Ok(guard) => Ok(MutexGuard { guard }),
            Err(_) => deadlock(),
        }
    }

    pub fn try_lock(&self) -> TryLockResult<MutexGuard<'_, T>> {
        match self.inner.try_borrow_mut() {
            Ok(guard) => Ok(MutexGuard { guard }),
            Err(_) => Err(TryLockError::WouldBlock),
        }
    }

    pub fn get_mut(&mut self) -> LockResult<&mut T> {
        Ok(self.inner.get_mut())
    }

    pub fn is_poisoned(&self) -> bool {
        false
    }
}

/// A lock with readers.
#[lang("rw_lock")]
pub struct RwLock<T: ?Sized> {
    inner: RefCell<T>,
}

pub struct RwLockReadGuard<'a, T: ?Sized> {
    guard: Ref<'a, T>,
}

pub use MutexGuard as RwLockWriteGuard;

impl<T> RwLock<T> {
    pub fn new(value: T) -> RwLock<T> {
        RwLock { inner: RefCell::new(value) }
    }

    pub fn into_inner(self) -> LockResult<T> {
        Ok(self.inner.into_inner())
    }
}

impl<T: ?Sized> RwLock<T> {
    pub fn read(&self) -> LockResult<RwLockReadGuard<'_, T>> {
        match self.inner.try_borrow() {
            Ok(guard) => Ok(RwLockReadGuard { guard }),
            Err(_) => deadlock(),
        }
    }

    pub fn write(&self) -> LockResult<MutexGuard<'_, T>> {
        match self.inner.try_borrow_mut() {
            Ok(guard) => Ok(MutexGuard { guard }),
            Err(_) => deadlock(),
        }
    }

    pub fn try_read(&self) -> TryLockResult<RwLockReadGuard<'_, T>> {
        match self.inner.try_borrow() {
            Ok(guard) => Ok(RwLockReadGuard { guard }),
            Err(_) => Err(TryLockError::WouldBlock),
        }
    }

    pub fn try_write(&self) -> TryLockResult<MutexGuard<'_, T>> {
        match self.inner.try_borrow_mut() {
            Ok(guard) => Ok(MutexGuard { guard }),
            Err(_) => Err(TryLockError::WouldBlock),
        }
    }

    pub fn get_mut(&mut self) -> LockResult<&mut T> {
        Ok(self.inner.get_mut())
    }
}

impl<T: ?Sized> Deref for RwLockReadGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &*self.guard
    }
}

impl<T: ?Sized> Deref for MutexGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &*self.guard
    }
}

impl<T: ?Sized> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut *self.guard
    }
}

macro_rules! guards {
    ($($G:ident)*) => {$(
        impl<T: ?Sized + fmt::Debug> fmt::Debug for $G<'_, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&**self, f)
            }
        }

        impl<T: ?Sized + fmt::Display> fmt::Display for $G<'_, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&**self, f)
            }
        }
    )*};
}

#[impls(Display, Debug)]
guards! { MutexGuard RwLockReadGuard }

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

/// A value that is computed on first use.
pub struct LazyLock<T, F = fn() -> T> {
    init__: F,
    slot__: crate::cell::OnceCell<T>,
}

impl<T, F: FnOnce() -> T> LazyLock<T, F> {
    pub fn new(init: F) -> LazyLock<T, F> {
        LazyLock { init__: init, slot__: crate::cell::OnceCell::new() }
    }

    pub fn force(this: &LazyLock<T, F>) -> &T {
        this.slot__.get_or_init(|| (crate::mem::moved(&this.init__))())
    }
}

impl<T, F: FnOnce() -> T> Deref for LazyLock<T, F> {
    type Target = T;

    fn deref(&self) -> &T {
        LazyLock::force(self)
    }
}
