//! Types at run time.

#[lang("any")]
pub trait Any {
    fn type_id(&self) -> TypeId {
        TypeId::of::<Self>()
    }
}

/// A number that no other type has.
#[lang("type_id")]
fn type_number<T: ?Sized>() -> u64;

#[lang("type_name")]
pub fn type_name<T: ?Sized>() -> &'static str;

pub fn type_name_of_val<T: ?Sized>(_value: &T) -> &'static str {
    type_name::<T>()
}

/// The object behind `dyn Any`, if it is a `T`.
#[lang("any_downcast")]
fn object<T>(any: &dyn Any) -> Option<&T>;

/// A reference to the object behind `dyn Any`, if it is a `T`.
#[lang("any_downcast_mut")]
fn object_mut<T>(any: &mut dyn Any) -> Option<&mut T>;

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
        object::<T>(self).is_some()
    }

    pub fn downcast_ref<T: Any>(&self) -> Option<&T> {
        object::<T>(self)
    }

    pub fn downcast_mut<T: Any>(&mut self) -> Option<&mut T> {
        object_mut::<T>(self)
    }
}

impl Box<dyn Any> {
    pub fn downcast<T: Any>(self) -> Result<Box<T>, Box<dyn Any>> {
        match object::<T>(&*self) {
            Some(value) => Ok(Box::new(*value)),
            None => Err(self),
        }
    }
}

impl crate::fmt::Debug for dyn Any {
    fn fmt(&self, f: &mut crate::fmt::Formatter<'_>) -> crate::fmt::Result {
        f.write_str("Any { .. }")
    }
}
