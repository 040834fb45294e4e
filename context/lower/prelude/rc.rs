//! Shared values. If a file of the program inspects sharing, owners are counted like in rustc; otherwise a
//! shared value is the value itself, since shared values cannot change, and cells in it are shared as cells.

use crate::cell::Cell;
use crate::cmp::Ordering;
use crate::fmt;
use crate::mem::{ManuallyDrop, drop_value, forget, moved};
use crate::ops::Deref;

#[lang("rc")]
pub struct Rc<T: ?Sized> {
    owners__: Owners,
    value__: ManuallyDrop<T>,
}

/// The number of owners of a value, and of weak references to it.
#[derive(Clone, Copy)]
struct Owners {
    strong: Cell<usize>,
    weak: Cell<usize>,
}

impl Owners {
    fn of(strong: usize) -> Owners {
        Owners { strong: Cell::new(strong), weak: Cell::new(0) }
    }

    fn share(&self) {
        self.strong.set(self.strong.get() + 1);
    }

    fn share_weakly(&self) {
        self.weak.set(self.weak.get() + 1);
    }
}

/// The owners of a shared value.
#[lang("rc_owners")]
fn owners<T: ?Sized>(this: &Rc<T>) -> Owners;

/// A newly shared value.
#[lang("rc_new_counted")]
fn counted<T>(value: T) -> Rc<T> {
    Rc { owners__: Owners::of(1), value__: ManuallyDrop::new(value) }
}

#[lang("rc_clone_counted")]
fn shared<T: ?Sized>(this: &Rc<T>) -> Rc<T> {
    owners(this).share();
    Rc { owners__: owners(this), value__: same(&this.value__) }
}

#[lang("rc_deref_counted")]
fn target<T: ?Sized>(this: &Rc<T>) -> &T {
    &*this.value__
}

#[moves]
#[op("id")]
fn same<T: ?Sized>(value: &ManuallyDrop<T>) -> ManuallyDrop<T>;

#[moves]
#[op("id")]
fn row<T>(value: Vec<T>) -> ManuallyDrop<[T]>;

#[op("ref.same")]
fn same_place<T>(a: &Cell<T>, b: &Cell<T>) -> bool;

impl<T> Rc<T> {
    #[lang("rc_new")]
    #[op("id")]
    pub fn new(value: T) -> Rc<T>;

    pub fn pin(value: T) -> crate::pin::Pin<Rc<T>> {
        crate::pin::Pin::new(Rc::new(value))
    }

    pub fn new_cyclic<F: FnOnce(&Weak<T>) -> T>(data_fn: F) -> Rc<T> {
        let weak = Weak { owners: Some(Owners::of(0)), target: Cell::new(None) };
        weak.owners.unwrap().share_weakly();
        let value = ManuallyDrop::new(data_fn(&weak));
        let owners = weak.owners.unwrap();
        owners.share();
        weak.target.set(Some(same(&value)));
        Rc { owners__: owners, value__: value }
    }

    pub fn try_unwrap(this: Rc<T>) -> Result<T, Rc<T>> {
        if Rc::strong_count(&this) != 1 {
            return Err(this);
        }
        owners(&this).strong.set(0);
        let value = moved(&*this.value__);
        forget(this);
        Ok(value)
    }

    pub fn into_inner(this: Rc<T>) -> Option<T> {
        Rc::try_unwrap(this).ok()
    }

    pub fn unwrap_or_clone(this: Rc<T>) -> T
    where
        T: Clone,
    {
        match Rc::try_unwrap(this) {
            Ok(value) => value,
            Err(this) => T::clone(&*this),
        }
    }
}

impl<T: ?Sized> Rc<T> {
    pub fn ptr_eq(this: &Rc<T>, other: &Rc<T>) -> bool {
        same_place(&owners(this).strong, &owners(other).strong)
    }

    pub fn strong_count(this: &Rc<T>) -> usize {
        owners(this).strong.get()
    }

    pub fn weak_count(this: &Rc<T>) -> usize {
        owners(this).weak.get()
    }

    pub fn downgrade(this: &Rc<T>) -> Weak<T> {
        owners(this).share_weakly();
        Weak { owners: Some(owners(this)), target: Cell::new(Some(same(&this.value__))) }
    }

    pub fn get_mut(this: &mut Rc<T>) -> Option<&mut T> {
        if Rc::strong_count(this) == 1 && Rc::weak_count(this) == 0 { Some(&mut *this.value__) } else { None }
    }

    pub fn make_mut(this: &mut Rc<T>) -> &mut T
    where
        T: CloneShared,
    {
        if Rc::strong_count(this) != 1 {
            *this = T::clone_shared(&**this);
        } else if Rc::weak_count(this) != 0 {
            owners(this).strong.set(0);
            this.owners__ = Owners::of(1);
        }
        &mut *this.value__
    }

    #[lang("rc_as_ref")]
    #[op("id")]
    pub fn as_ref(&self) -> &T;
}

impl<T: ?Sized> Drop for Rc<T> {
    fn drop(&mut self) {
        let left = owners(self).strong.get() - 1;
        owners(self).strong.set(left);
        if left == 0 {
            drop_value::<T>(moved(&*self.value__));
        }
    }
}

/// A reference that does not keep its target alive.
#[lang("weak")]
pub struct Weak<T: ?Sized> {
    owners: Option<Owners>,
    target: Cell<Option<ManuallyDrop<T>>>,
}

impl<T: ?Sized> Weak<T> {
    pub fn new() -> Weak<T> {
        Weak { owners: None, target: Cell::new(None) }
    }

    pub fn upgrade(&self) -> Option<Rc<T>> {
        let owners = self.owners?;
        if owners.strong.get() == 0 {
            return None;
        }
        let value = self.target.get()?;
        owners.share();
        Some(Rc { owners__: owners, value__: value })
    }

    pub fn strong_count(&self) -> usize {
        match self.owners {
            Some(owners) => owners.strong.get(),
            None => 0,
        }
    }

    pub fn weak_count(&self) -> usize {
        match self.owners {
            Some(owners) if owners.strong.get() > 0 => owners.weak.get(),
            _ => 0,
        }
    }

    pub fn ptr_eq(&self, other: &Weak<T>) -> bool {
        match (self.owners, other.owners) {
            (Some(a), Some(b)) => same_place(&a.strong, &b.strong),
            (None, None) => true,
            _ => false,
        }
    }
}

impl<T: ?Sized> Clone for Weak<T> {
    fn clone(&self) -> Weak<T> {
        if let Some(owners) = self.owners {
            owners.share_weakly();
        }
        Weak { owners: self.owners, target: self.target }
    }
}

impl<T: ?Sized> Drop for Weak<T> {
    fn drop(&mut self) {
        if let Some(owners) = self.owners {
            owners.weak.set(owners.weak.get() - 1);
        }
    }
}

impl<T: ?Sized> Default for Weak<T> {
    fn default() -> Weak<T> {
        Weak::new()
    }
}

impl<T: ?Sized> fmt::Debug for Weak<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(Weak)")
    }
}

impl<T: ?Sized> Deref for Rc<T> {
    type Target = T;
    #[lang("rc_deref")]
    #[op("id")]
    fn deref(&self) -> &T;
}

impl<T: ?Sized> Clone for Rc<T> {
    #[lang("rc_clone")]
    #[op("id")]
    fn clone(&self) -> Rc<T>;
}

impl<T> From<T> for Rc<T> {
    #[lang("rc_from")]
    #[op("id")]
    fn from(t: T) -> Rc<T>;
}

impl<T> From<Vec<T>> for Rc<[T]> {
    #[lang("rc_from_vec")]
    #[op("id")]
    fn from(t: Vec<T>) -> Rc<[T]>;
}

impl From<&str> for Rc<str> {
    #[lang("rc_from_str")]
    #[op("id")]
    fn from(t: &str) -> Rc<str>;
}

impl From<String> for Rc<str> {
    #[lang("rc_from_string")]
    #[op("id")]
    fn from(t: String) -> Rc<str>;
}

impl<T, const N: usize> From<[T; N]> for Rc<[T]> {
    fn from(t: [T; N]) -> Rc<[T]> {
        Rc::from(Vec::from(t))
    }
}

impl<T: Clone> From<&[T]> for Rc<[T]> {
    fn from(t: &[T]) -> Rc<[T]> {
        Rc::from(t.to_vec())
    }
}

impl<T> From<Box<[T]>> for Rc<[T]> {
    fn from(t: Box<[T]>) -> Rc<[T]> {
        Rc::from(Vec::from(t))
    }
}

impl From<Box<str>> for Rc<str> {
    fn from(t: Box<str>) -> Rc<str> {
        Rc::from(String::from(t))
    }
}

/// What `make_mut` can copy.
trait CloneShared {
    fn clone_shared(&self) -> Rc<Self>;
}

impl<T: Clone> CloneShared for T {
    fn clone_shared(&self) -> Rc<T> {
        Rc::new(T::clone(self))
    }
}

impl<T: Clone> CloneShared for [T] {
    fn clone_shared(&self) -> Rc<[T]> {
        Rc::from(self.to_vec())
    }
}

impl CloneShared for str {
    fn clone_shared(&self) -> Rc<str> {
        Rc::from(self)
    }
}

impl<T: Default> Default for Rc<T> {
    fn default() -> Rc<T> {
        Rc::new(T::default())
    }
}

impl<T: ?Sized> AsRef<T> for Rc<T> {
    fn as_ref(&self) -> &T {
        &**self
    }
}

impl<T: ?Sized + PartialEq> PartialEq for Rc<T> {
    fn eq(&self, other: &Rc<T>) -> bool {
        **self == **other
    }
}

impl<T: ?Sized + Eq> Eq for Rc<T> {}

impl<T: ?Sized + PartialOrd> PartialOrd for Rc<T> {
    fn partial_cmp(&self, other: &Rc<T>) -> Option<Ordering> {
        PartialOrd::partial_cmp(&**self, &**other)
    }
}

impl<T: ?Sized + Ord> Ord for Rc<T> {
    fn cmp(&self, other: &Rc<T>) -> Ordering {
        Ord::cmp(&**self, &**other)
    }
}

impl<T: ?Sized + crate::hash::Hash> crate::hash::Hash for Rc<T> {
    fn hash<H: crate::hash::Hasher>(&self, state: &mut H) {
        (**self).hash(state)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for Rc<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&**self, f)
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for Rc<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl<T> FromIterator<T> for Rc<[T]> {
    fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> Rc<[T]> {
        Rc::from(Vec::from_iter(iter))
    }
}

impl<T> From<Box<T>> for Rc<T> {
    #[lang("rc_from_box")]
    #[op("id")]
    fn from(t: Box<T>) -> Rc<T>;
}

#[lang("rc_from_vec_counted")]
fn shared_row<T>(value: Vec<T>) -> Rc<[T]> {
    Rc { owners__: Owners::of(1), value__: row(value) }
}

#[op("id")]
fn text(value: &str) -> ManuallyDrop<str>;

#[lang("rc_from_str_counted")]
fn shared_text(value: &str) -> Rc<str> {
    Rc { owners__: Owners::of(1), value__: text(value) }
}
