//! Traits that hold for all types here, and the type of no value.

#[lang("copy")]
pub trait Copy: Clone {}

#[lang("send")]
pub trait Send {}

#[lang("sync")]
pub trait Sync {}

#[lang("sized")]
pub trait Sized {}

#[lang("unpin")]
pub trait Unpin {}

#[lang("phantom")]
pub struct PhantomData<T: ?Sized>;

impl<T: ?Sized> Clone for PhantomData<T> {
    fn clone(&self) -> Self {
        PhantomData
    }
}

impl<T: ?Sized> Default for PhantomData<T> {
    fn default() -> Self {
        PhantomData
    }
}

impl<T: ?Sized> PartialEq for PhantomData<T> {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

impl<T: ?Sized> Eq for PhantomData<T> {}

impl<T: ?Sized> crate::fmt::Debug for PhantomData<T> {
    fn fmt(&self, f: &mut crate::fmt::Formatter<'_>) -> crate::fmt::Result {
        f.write_str("PhantomData<")?;
        f.write_str(crate::any::type_name::<T>())?;
        f.write_str(">")
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct PhantomPinned;
