//! The crate `zerocopy` as programs see it: values as bytes and bytes as values, by casts of pointers. rustc has checked
//! that the types allow it, so each trait holds for every type. Bytes begin at a multiple of any alignment.

use core::fmt;
use core::marker::PhantomData;
use core::mem::{size_of, size_of_val};

pub trait Immutable {}
pub trait Unaligned {}
pub trait TryFromBytes {}

impl<T: ?Sized> Immutable for T {}
impl<T: ?Sized> Unaligned for T {}
impl<T: ?Sized> TryFromBytes for T {}

/// A type to which a pointer to bytes can be cast.
pub trait KnownLayout {
    /// The bytes as a value, if their number fits.
    fn of_bytes(bytes: &[u8]) -> Option<&Self>;

    fn of_mut_bytes(bytes: &mut [u8]) -> Option<&mut Self>;
}

impl<T> KnownLayout for T {
    fn of_bytes(bytes: &[u8]) -> Option<&T> {
        if bytes.len() == size_of::<T>() { Some(unsafe { &*(bytes.as_ptr() as *const T) }) } else { None }
    }

    fn of_mut_bytes(bytes: &mut [u8]) -> Option<&mut T> {
        if bytes.len() == size_of::<T>() { Some(unsafe { &mut *(bytes.as_mut_ptr() as *mut T) }) } else { None }
    }
}

impl<T> KnownLayout for [T] {
    fn of_bytes(bytes: &[u8]) -> Option<&[T]> {
        if bytes.len() % size_of::<T>() != 0 {
            return None;
        }
        let len = bytes.len() / size_of::<T>();
        Some(unsafe { core::slice::from_raw_parts(bytes.as_ptr() as *const T, len) })
    }

    fn of_mut_bytes(bytes: &mut [u8]) -> Option<&mut [T]> {
        if bytes.len() % size_of::<T>() != 0 {
            return None;
        }
        let len = bytes.len() / size_of::<T>();
        Some(unsafe { core::slice::from_raw_parts_mut(bytes.as_mut_ptr() as *mut T, len) })
    }
}

/// The number of bytes is not that of the type.
pub struct SizeError<Src, Dst: ?Sized> {
    src: Src,
    dst: PhantomData<Dst>,
}

/// Why bytes are no value of a type: here always their number.
pub enum ConvertError<A, S, V> {
    Alignment(A),
    Size(S),
    Validity(V),
}

pub type CastError<Src, Dst> = ConvertError<core::convert::Infallible, SizeError<Src, Dst>, core::convert::Infallible>;

impl<Src, Dst: ?Sized> SizeError<Src, Dst> {
    fn new(src: Src) -> SizeError<Src, Dst> {
        SizeError { src, dst: PhantomData }
    }

    pub fn into_src(self) -> Src {
        self.src
    }
}

impl<A, Src, Dst: ?Sized, V> ConvertError<A, SizeError<Src, Dst>, V> {
    fn new(src: Src) -> ConvertError<A, SizeError<Src, Dst>, V> {
        ConvertError::Size(SizeError::new(src))
    }
}

impl<Src, Dst: ?Sized> fmt::Debug for SizeError<Src, Dst> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SizeError")
    }
}

impl<A, S: fmt::Debug, V> fmt::Debug for ConvertError<A, S, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConvertError::Size(error) => f.debug_tuple("Size").field(error).finish(),
            _ => Ok(()),
        }
    }
}

pub trait FromZeros {
    fn new_zeroed() -> Self
    where
        Self: Sized,
    {
        unsafe { core::mem::zeroed() }
    }

    fn zero(&mut self)
    where
        Self: Sized,
    {
        *self = unsafe { core::mem::zeroed() };
    }
}

impl<T: ?Sized> FromZeros for T {}

pub trait FromBytes: KnownLayout {
    fn read_from_bytes(source: &[u8]) -> Result<Self, SizeError<&[u8], Self>>
    where
        Self: Sized,
    {
        if source.len() != size_of::<Self>() {
            return Err(SizeError::new(source));
        }
        Ok(unsafe { core::ptr::read_unaligned(source.as_ptr() as *const Self) })
    }

    fn read_from_prefix(source: &[u8]) -> Result<(Self, &[u8]), SizeError<&[u8], Self>>
    where
        Self: Sized,
    {
        match source.split_at_checked(size_of::<Self>()) {
            Some((own, rest)) => Self::read_from_bytes(own).map(|value| (value, rest)),
            None => Err(SizeError::new(source)),
        }
    }

    fn read_from_suffix(source: &[u8]) -> Result<(&[u8], Self), SizeError<&[u8], Self>>
    where
        Self: Sized,
    {
        match source.len().checked_sub(size_of::<Self>()) {
            Some(at) => Self::read_from_bytes(&source[at..]).map(|value| (&source[..at], value)),
            None => Err(SizeError::new(source)),
        }
    }

    fn ref_from_bytes(source: &[u8]) -> Result<&Self, CastError<&[u8], Self>> {
        match Self::of_bytes(source) {
            Some(value) => Ok(value),
            None => Err(ConvertError::new(source)),
        }
    }

    fn ref_from_prefix(source: &[u8]) -> Result<(&Self, &[u8]), CastError<&[u8], Self>>
    where
        Self: Sized,
    {
        match source.split_at_checked(size_of::<Self>()) {
            Some((own, rest)) => Self::ref_from_bytes(own).map(|value| (value, rest)),
            None => Err(ConvertError::new(source)),
        }
    }

    fn mut_from_bytes(source: &mut [u8]) -> Result<&mut Self, CastError<&mut [u8], Self>> {
        match Self::of_mut_bytes(source) {
            Some(value) => Ok(value),
            None => Err(ConvertError::new(source)),
        }
    }
}

impl<T: ?Sized + KnownLayout> FromBytes for T {}

pub trait IntoBytes {
    fn as_bytes(&self) -> &[u8] {
        unsafe { core::slice::from_raw_parts(self as *const Self as *const u8, size_of_val(self)) }
    }

    fn as_mut_bytes(&mut self) -> &mut [u8] {
        let len = size_of_val(self);
        unsafe { core::slice::from_raw_parts_mut(self as *mut Self as *mut u8, len) }
    }

    fn write_to<'a>(&self, dst: &'a mut [u8]) -> Result<(), SizeError<&Self, &'a mut [u8]>> {
        let bytes = self.as_bytes();
        if dst.len() != bytes.len() {
            return Err(SizeError::new(self));
        }
        dst.copy_from_slice(bytes);
        Ok(())
    }

    fn write_to_prefix<'a>(&self, dst: &'a mut [u8]) -> Result<(), SizeError<&Self, &'a mut [u8]>> {
        let bytes = self.as_bytes();
        match dst.get_mut(..bytes.len()) {
            Some(own) => {
                own.copy_from_slice(bytes);
                Ok(())
            }
            None => Err(SizeError::new(self)),
        }
    }

    fn write_to_suffix<'a>(&self, dst: &'a mut [u8]) -> Result<(), SizeError<&Self, &'a mut [u8]>> {
        let bytes = self.as_bytes();
        match dst.len().checked_sub(bytes.len()) {
            Some(at) => {
                dst[at..].copy_from_slice(bytes);
                Ok(())
            }
            None => Err(SizeError::new(self)),
        }
    }
}

impl<T: ?Sized> IntoBytes for T {}

#[macro_export]
macro_rules! transmute {
    ($value:expr) => {
        unsafe { core::mem::transmute($value) }
    };
}

#[macro_export]
macro_rules! transmute_ref {
    ($value:expr) => {
        unsafe { &*($value as *const _ as *const _) }
    };
}

#[macro_export]
macro_rules! transmute_mut {
    ($value:expr) => {
        unsafe { &mut *($value as *mut _ as *mut _) }
    };
}

#[macro_export]
macro_rules! cryptocorrosion_derive_traits {
    ($($item:tt)*) => {
        $($item)*
    };
}
