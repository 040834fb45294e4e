//! Shared mutable places.

use crate::cmp::Ordering;
use crate::fmt;
use crate::ops::{Deref, DerefMut};

#[lang("cell")]
pub struct Cell<T: ?Sized>;

/// A cell that tracks its borrows: `flag` counts the readers, and is negative while there is a writer.
#[lang("ref_cell")]
pub struct RefCell<T: ?Sized> {
    flag: Cell<isize>,
    value: Cell<T>,
}

/// A value that may change behind a shared reference, without tracking of borrows.
#[lang("unsafe_cell")]
pub struct UnsafeCell<T: ?Sized>;

impl<T> UnsafeCell<T> {
    #[op("cell")]
    pub fn new(value: T) -> UnsafeCell<T>;

    #[op("ref.get")]
    pub fn into_inner(self) -> T;

    #[op("id")]
    pub fn get(&self) -> *mut T;

    #[op("id")]
    pub fn get_mut(&mut self) -> &mut T;

    #[op("id")]
    pub fn raw_get(this: *const UnsafeCell<T>) -> *mut T;
}

impl<T: Default> Default for UnsafeCell<T> {
    fn default() -> UnsafeCell<T> {
        UnsafeCell::new(T::default())
    }
}

impl<T> From<T> for UnsafeCell<T> {
    fn from(value: T) -> UnsafeCell<T> {
        UnsafeCell::new(value)
    }
}

impl<T> Cell<T> {
    #[op("cell")]
    pub fn new(value: T) -> Cell<T>;

    #[op("ref.get")]
    pub fn get(&self) -> T;

    #[op("ref.set")]
    pub fn set(&self, value: T);

    #[op("ref.get")]
    pub fn into_inner(self) -> T;

    pub fn get_mut(&mut self) -> &mut T {
        &mut *self.as_ptr()
    }

    #[moves]
    pub fn replace(&self, value: T) -> T {
        let old = taken(self);
        filled(self, value);
        old
    }

    pub fn take(&self) -> T
    where
        T: Default,
    {
        self.replace(T::default())
    }

    #[moves]
    pub fn swap(&self, other: &Cell<T>) {
        let old = taken(self);
        filled(self, taken(other));
        filled(other, old);
    }

    pub fn update(&self, f: impl FnOnce(T) -> T) {
        self.set(f(self.get()));
    }
}

/// What is in a cell, which is empty afterwards.
#[moves]
#[op("ref.get")]
fn taken<T>(cell: &Cell<T>) -> T;

/// Fills an empty cell.
#[moves]
#[op("ref.set")]
fn filled<T>(cell: &Cell<T>, value: T);

#[op("ref.reborrow")]
fn of_place<T: ?Sized>(place: *mut T) -> &'static Cell<T>;

#[op("ref.reborrow")]
fn at_place<T>(place: *mut T) -> Cell<T>;

impl<T: ?Sized> Cell<T> {
    pub fn from_mut(t: &mut T) -> &Cell<T> {
        of_place(t as *mut T)
    }

    pub fn as_ptr(&self) -> *mut T {
        place(self) as *mut T
    }
}

impl<T> Cell<[T]> {
    pub fn as_slice_of_cells(&self) -> &[Cell<T>] {
        let elems = place(self);
        let mut cells = Vec::new();
        for at in 0..elems.len() {
            cells.push(at_place(&mut elems[at] as *mut T));
        }
        cells.__leaked()
    }
}

/// Sets a cell whose old value needs drop.
#[lang("cell_set")]
fn set_dropping<T>(cell: &Cell<T>, value: T) {
    drop(cell.replace(value));
}

#[op("ref.get")]
fn content<T: ?Sized>(cell: &Cell<T>) -> &T;

#[op("id")]
fn place<T: ?Sized>(cell: &Cell<T>) -> &mut T;

impl<T> RefCell<T> {
    pub fn new(value: T) -> RefCell<T> {
        RefCell { flag: Cell::new(0), value: Cell::new(value) }
    }

    pub fn into_inner(self) -> T {
        self.value.into_inner()
    }

    pub fn replace(&self, value: T) -> T {
        crate::mem::replace(&mut *self.borrow_mut(), value)
    }

    pub fn replace_with<F: FnOnce(&mut T) -> T>(&self, f: F) -> T {
        let mut guard = self.borrow_mut();
        let new = f(&mut *guard);
        crate::mem::replace(&mut *guard, new)
    }

    pub fn take(&self) -> T
    where
        T: Default,
    {
        self.replace(T::default())
    }

    pub fn swap(&self, other: &RefCell<T>) {
        let (_a, _b) = (self.borrow_mut(), other.borrow_mut());
        self.value.swap(&other.value);
    }
}

impl<T: ?Sized> RefCell<T> {
    pub fn as_ptr(&self) -> *mut T {
        self.value.as_ptr()
    }

    pub fn borrow(&self) -> Ref<'_, T> {
        if self.flag.get() < 0 {
            crate::macros::fail("RefCell already mutably borrowed")
        }
        Ref { guarded__: content(&self.value), borrow: Borrowed::by(&self.flag, 1) }
    }

    pub fn borrow_mut(&self) -> RefMut<'_, T> {
        if self.flag.get() != 0 {
            crate::macros::fail("RefCell already borrowed")
        }
        RefMut { guarded__: place(&self.value), borrow: Borrowed::by(&self.flag, -1) }
    }

    pub fn try_borrow(&self) -> Result<Ref<'_, T>, BorrowError> {
        if self.flag.get() < 0 { Err(BorrowError(())) } else { Ok(self.borrow()) }
    }

    pub fn try_borrow_mut(&self) -> Result<RefMut<'_, T>, BorrowMutError> {
        if self.flag.get() != 0 { Err(BorrowMutError(())) } else { Ok(self.borrow_mut()) }
    }

    pub fn get_mut(&mut self) -> &mut T {
        place(&self.value)
    }
}

/// The share of a flag that a guard holds and releases when it is dropped.
#[lang("borrow_flag")]
struct Borrowed<'b> {
    flag: &'b Cell<isize>,
    share: isize,
}

impl<'b> Borrowed<'b> {
    fn by(flag: &'b Cell<isize>, share: isize) -> Borrowed<'b> {
        flag.set(flag.get().wrapping_add(share));
        Borrowed { flag, share }
    }

    fn clone_borrow(&self) -> Borrowed<'b> {
        Borrowed::by(self.flag, self.share)
    }
}

impl Drop for Borrowed<'_> {
    fn drop(&mut self) {
        self.flag.set(self.flag.get().wrapping_sub(self.share));
    }
}

#[derive(Clone, Debug)]
pub struct BorrowError(());

#[derive(Clone, Debug)]
pub struct BorrowMutError(());

impl fmt::Display for BorrowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("RefCell already mutably borrowed")
    }
}

impl crate::error::Error for BorrowError {}

impl fmt::Display for BorrowMutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("RefCell already borrowed")
    }
}

impl crate::error::Error for BorrowMutError {}

pub struct Ref<'b, T: ?Sized> {
    guarded__: &'b T,
    borrow: Borrowed<'b>,
}

impl<'b, T: ?Sized> Ref<'b, T> {
    pub fn map<U: ?Sized, F: FnOnce(&T) -> &U>(orig: Ref<'b, T>, f: F) -> Ref<'b, U> {
        Ref { guarded__: f(orig.guarded__), borrow: orig.borrow }
    }

    pub fn map_split<U: ?Sized, V: ?Sized, F>(orig: Ref<'b, T>, f: F) -> (Ref<'b, U>, Ref<'b, V>)
    where
        F: FnOnce(&T) -> (&U, &V),
    {
        let (a, b) = f(orig.guarded__);
        let more = orig.borrow.clone_borrow();
        (Ref { guarded__: a, borrow: more }, Ref { guarded__: b, borrow: orig.borrow })
    }

    pub fn filter_map<U: ?Sized, F>(orig: Ref<'b, T>, f: F) -> Result<Ref<'b, U>, Ref<'b, T>>
    where
        F: FnOnce(&T) -> Option<&U>,
    {
        match f(orig.guarded__) {
            Some(part) => Ok(Ref { guarded__: part, borrow: orig.borrow }),
            None => Err(orig),
        }
    }

    pub fn clone(orig: &Ref<'b, T>) -> Ref<'b, T> {
        Ref { guarded__: orig.guarded__, borrow: orig.borrow.clone_borrow() }
    }
}

impl<T: ?Sized> Deref for Ref<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.guarded__
    }
}

pub struct RefMut<'b, T: ?Sized> {
    guarded__: &'b mut T,
    borrow: Borrowed<'b>,
}

impl<'b, T: ?Sized> RefMut<'b, T> {
    pub fn map<U: ?Sized, F: FnOnce(&mut T) -> &mut U>(orig: RefMut<'b, T>, f: F) -> RefMut<'b, U> {
        RefMut { guarded__: f(orig.guarded__), borrow: orig.borrow }
    }

    pub fn map_split<U: ?Sized, V: ?Sized, F>(orig: RefMut<'b, T>, f: F) -> (RefMut<'b, U>, RefMut<'b, V>)
    where
        F: FnOnce(&mut T) -> (&mut U, &mut V),
    {
        let (a, b) = f(orig.guarded__);
        let more = orig.borrow.clone_borrow();
        (RefMut { guarded__: a, borrow: more }, RefMut { guarded__: b, borrow: orig.borrow })
    }
}

impl<T: ?Sized> Deref for RefMut<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &*self.guarded__
    }
}

impl<T: ?Sized> DerefMut for RefMut<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut *self.guarded__
    }
}

macro_rules! guards {
    ($($G:ident)*) => {$(
        impl<T: ?Sized + fmt::Display> fmt::Display for $G<'_, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&**self, f)
            }
        }

        impl<T: ?Sized + fmt::Debug> fmt::Debug for $G<'_, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&**self, f)
            }
        }
    )*};
}

#[impls(Display, Debug)]
guards! { Ref RefMut }

impl<T> Clone for Cell<T> {
    fn clone(&self) -> Cell<T> {
        Cell::new(self.get())
    }
}

impl<T: Clone> Clone for RefCell<T> {
    fn clone(&self) -> RefCell<T> {
        RefCell::new(T::clone(&*self.borrow()))
    }
}

impl<T: Default> Default for Cell<T> {
    fn default() -> Cell<T> {
        Cell::new(T::default())
    }
}

impl<T: Default> Default for RefCell<T> {
    fn default() -> RefCell<T> {
        RefCell::new(T::default())
    }
}

impl<T> From<T> for Cell<T> {
    fn from(t: T) -> Cell<T> {
        Cell::new(t)
    }
}

impl<T> From<T> for RefCell<T> {
    fn from(t: T) -> RefCell<T> {
        RefCell::new(t)
    }
}

impl<T: PartialEq> PartialEq for Cell<T> {
    fn eq(&self, other: &Cell<T>) -> bool {
        self.get() == other.get()
    }
}

impl<T: PartialEq> PartialEq for RefCell<T> {
    fn eq(&self, other: &RefCell<T>) -> bool {
        *self.borrow() == *other.borrow()
    }
}

impl<T: PartialOrd> PartialOrd for Cell<T> {
    fn partial_cmp(&self, other: &Cell<T>) -> Option<Ordering> {
        PartialOrd::partial_cmp(&self.get(), &other.get())
    }
}

impl<T: PartialOrd> PartialOrd for RefCell<T> {
    fn partial_cmp(&self, other: &RefCell<T>) -> Option<Ordering> {
        PartialOrd::partial_cmp(&*self.borrow(), &*other.borrow())
    }
}

impl<T: fmt::Debug> fmt::Debug for Cell<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cell").field("value", &self.get()).finish()
    }
}

impl<T: fmt::Debug> fmt::Debug for RefCell<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.try_borrow() {
            Ok(content) => f.debug_struct("RefCell").field("value", &*content).finish(),
            Err(_) => f.debug_struct("RefCell").field("value", &format_args!("<borrowed>")).finish(),
        }
    }
}

pub use crate::sync::LazyLock as LazyCell;

/// A place that is written once.
pub struct OnceCell<T> {
    inner: Cell<Option<T>>,
}

impl<T> OnceCell<T> {
    pub fn new() -> OnceCell<T> {
        OnceCell { inner: Cell::new(None) }
    }

    pub fn get(&self) -> Option<&T> {
        content(&self.inner).as_ref()
    }

    pub fn set(&self, value: T) -> Result<(), T> {
        if self.get().is_some() {
            return Err(value);
        }
        *place(&self.inner) = Some(value);
        Ok(())
    }

    pub fn get_or_init<F: FnOnce() -> T>(&self, f: F) -> &T {
        if self.get().is_none() {
            let value = f();
            if self.get().is_some() {
                crate::macros::fail("reentrant init")
            }
            *place(&self.inner) = Some(value);
        }
        self.get().unwrap()
    }

    pub fn get_mut(&mut self) -> Option<&mut T> {
        place(&self.inner).as_mut()
    }

    pub fn take(&mut self) -> Option<T> {
        self.inner.take()
    }

    pub fn into_inner(self) -> Option<T> {
        self.inner.into_inner()
    }
}

impl<T: Clone> Clone for OnceCell<T> {
    fn clone(&self) -> OnceCell<T> {
        OnceCell { inner: Cell::new(self.get().cloned()) }
    }
}

impl<T: PartialEq> PartialEq for OnceCell<T> {
    fn eq(&self, other: &OnceCell<T>) -> bool {
        self.get() == other.get()
    }
}

impl<T: fmt::Debug> fmt::Debug for OnceCell<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.get() {
            Some(value) => f.debug_tuple("OnceCell").field(value).finish(),
            None => f.write_str("OnceCell(<uninit>)"),
        }
    }
}

impl<T> From<T> for OnceCell<T> {
    fn from(value: T) -> OnceCell<T> {
        OnceCell { inner: Cell::new(Some(value)) }
    }
}

impl<T> Default for OnceCell<T> {
    fn default() -> OnceCell<T> {
        OnceCell::new()
    }
}
