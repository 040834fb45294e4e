//! Sharing between threads. There is a single one: a spawned thread runs at once.

pub mod atomic;
mod condvar;
mod lock;
pub mod mpsc;
mod once;

pub use crate::rc::Rc as Arc;
pub use crate::rc::Weak;
pub use condvar::{Condvar, WaitTimeoutResult};
pub use lock::{
    LazyLock, LockResult, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard,
    TryLockError, TryLockResult,
};
pub use once::{ONCE_INIT, Once, OnceState};
