//! Atomics: cells.

use crate::cell::Cell;
use crate::fmt;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ordering {
    Relaxed,
    Release,
    Acquire,
    AcqRel,
    SeqCst,
}

pub struct Atomic<T> {
    value: Cell<T>,
}

impl<T> Atomic<T> {
    pub fn new(value: T) -> Atomic<T> {
        Atomic { value: Cell::new(value) }
    }

    pub fn load(&self, _order: Ordering) -> T {
        self.value.get()
    }

    pub fn store(&self, value: T, _order: Ordering) {
        self.value.set(value)
    }

    pub fn swap(&self, value: T, _order: Ordering) -> T {
        self.value.replace(value)
    }

    pub fn into_inner(self) -> T {
        self.value.get()
    }

    pub fn get_mut(&mut self) -> &mut T {
        self.value.get_mut()
    }

    pub fn compare_exchange(&self, current: T, new: T, _success: Ordering, _failure: Ordering) -> Result<T, T>
    where
        T: PartialEq,
    {
        let held = self.value.get();
        if held == current {
            self.value.set(new);
            Ok(held)
        } else {
            Err(held)
        }
    }

    pub fn compare_exchange_weak(&self, current: T, new: T, success: Ordering, failure: Ordering) -> Result<T, T>
    where
        T: PartialEq,
    {
        self.compare_exchange(current, new, success, failure)
    }

    pub fn fetch_update<F: FnMut(T) -> Option<T>>(&self, _set: Ordering, _fetch: Ordering, mut f: F) -> Result<T, T> {
        let held = self.value.get();
        match f(held) {
            Some(new) => {
                self.value.set(new);
                Ok(held)
            }
            None => Err(held),
        }
    }
}

#[op("add.wrapping")]
fn add<T>(a: T, b: T) -> T;
#[op("sub.wrapping")]
fn sub<T>(a: T, b: T) -> T;
#[op("and")]
fn and<T>(a: T, b: T) -> T;
#[op("or")]
fn or<T>(a: T, b: T) -> T;
#[op("xor")]
fn xor<T>(a: T, b: T) -> T;
#[op("max")]
fn max<T>(a: T, b: T) -> T;
#[op("min")]
fn min<T>(a: T, b: T) -> T;

impl<T> Atomic<T> {
    pub fn fetch_add(&self, value: T, _order: Ordering) -> T {
        self.value.replace(add(self.value.get(), value))
    }

    pub fn fetch_sub(&self, value: T, _order: Ordering) -> T {
        self.value.replace(sub(self.value.get(), value))
    }

    pub fn fetch_and(&self, value: T, _order: Ordering) -> T {
        self.value.replace(and(self.value.get(), value))
    }

    pub fn fetch_or(&self, value: T, _order: Ordering) -> T {
        self.value.replace(or(self.value.get(), value))
    }

    pub fn fetch_xor(&self, value: T, _order: Ordering) -> T {
        self.value.replace(xor(self.value.get(), value))
    }

    pub fn fetch_max(&self, value: T, _order: Ordering) -> T {
        self.value.replace(max(self.value.get(), value))
    }

    pub fn fetch_min(&self, value: T, _order: Ordering) -> T {
        self.value.replace(min(self.value.get(), value))
    }
}

impl<T: fmt::Debug> fmt::Debug for Atomic<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.value.get(), f)
    }
}

impl<T: Default> Default for Atomic<T> {
    fn default() -> Atomic<T> {
        Atomic::new(T::default())
    }
}

pub fn fence(_order: Ordering) {}

pub type AtomicPtr<T> = Atomic<*mut T>;
pub type AtomicBool = Atomic<bool>;
pub type AtomicI8 = Atomic<i8>;
pub type AtomicI16 = Atomic<i16>;
pub type AtomicI32 = Atomic<i32>;
pub type AtomicI64 = Atomic<i64>;
pub type AtomicIsize = Atomic<isize>;
pub type AtomicU8 = Atomic<u8>;
pub type AtomicU16 = Atomic<u16>;
pub type AtomicU32 = Atomic<u32>;
pub type AtomicU64 = Atomic<u64>;
pub type AtomicUsize = Atomic<usize>;

pub const ATOMIC_BOOL_INIT: AtomicBool = Atomic::new(false);
pub const ATOMIC_ISIZE_INIT: AtomicIsize = Atomic::new(0);
pub const ATOMIC_USIZE_INIT: AtomicUsize = Atomic::new(0);
