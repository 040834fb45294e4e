//! Sharing between threads, of which there is one: threads run when they are spawned.

pub mod atomic;
mod lock;
pub mod mpsc;

pub use crate::rc::Rc as Arc;
pub use crate::rc::Weak;
pub use lock::{
    LazyLock, LockResult, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard,
    TryLockError, TryLockResult,
};
