//! Types at run time.

#[lang("any")]
pub trait Any {
    fn type_id(&self) -> TypeId {
        TypeId::of::<Self>()
    }

    /// Does nothing; because of its `&mut self`, objects are kept in a cell, which `downcast_mut` returns.
    fn touch__(&mut self) {}
}

/// A number unique to the type.
#[lang("type_id")]
fn type_number<T: ?Sized>() -> u64;

#[lang("type_name")]
pub fn type_name<T: ?Sized>() -> &'static str;

pub fn type_name_of_val<T: ?Sized>(_value: &T) -> &'static str {
    type_name::<T>()
}

/// Whether the object behind `dyn Any` is a `T`.
#[lang("any_is")]
fn is_object<T>(any: &dyn Any) -> bool;

/// The object behind `dyn Any`, which must be a `T`.
#[lang("any_downcast")]
fn object<T>(any: &dyn Any) -> &T;

/// A reference to the object behind `dyn Any`, which must be a `T`.
#[lang("any_downcast_mut")]
fn object_mut<T>(any: &mut dyn Any) -> &mut T;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TypeId {
    number: u64,
}

impl TypeId {
    pub fn of<T: ?Sized>() -> TypeId {
        TypeId { number: type_number::<T>() }
    }
}

impl dyn Any {
    pub fn is<T: Any>(&self) -> bool {
        is_object::<T>(self)
    }

    pub fn downcast_ref<T: Any>(&self) -> Option<&T> {
        if is_object::<T>(self) { Some(object::<T>(self)) } else { None }
    }

    pub fn downcast_mut<T: Any>(&mut self) -> Option<&mut T> {
        if is_object::<T>(self) { Some(object_mut::<T>(self)) } else { None }
    }
}

impl Box<dyn Any> {
    pub fn downcast<T: Any>(self) -> Result<Box<T>, Box<dyn Any>> {
        if !is_object::<T>(&*self) {
            return Err(self);
        }
        let value = crate::mem::moved(object::<T>(&*self));
        crate::mem::forget(self);
        Ok(Box::new(value))
    }
}

impl crate::fmt::Debug for dyn Any {
    fn fmt(&self, f: &mut crate::fmt::Formatter<'_>) -> crate::fmt::Result {
        f.write_str("Any { .. }")
    }
}
