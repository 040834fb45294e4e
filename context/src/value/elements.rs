//! Elements of arrays by type: unboxed scalars, and anything else as values.
//!
//! - ELEM1 elements of a scalar type are always in the variant of that type, never in [`Elements::Other`].
//! - ELEM2 the values in [`Elements::Other`] have the type recorded there.
//! - ELEM3 they own their contents: arrays borrowed from the caller are copied when they become elements, so
//!   that an array of any length can be moved into a cell without traversing it.

use super::{Arg, Array, Buffer, Slice, Value, Values};
use crate::types::Ty;

/// The elements of an array: a buffer of the Rust type for the element type, or of values.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Elements<'a> {
    F64(Buffer<'a, f64>),
    F32(Buffer<'a, f32>),
    Bool(Buffer<'a, bool>),
    Char(Buffer<'a, char>),
    I8(Buffer<'a, i8>),
    I16(Buffer<'a, i16>),
    I32(Buffer<'a, i32>),
    I64(Buffer<'a, i64>),
    I128(Buffer<'a, i128>),
    Isize(Buffer<'a, isize>),
    U8(Buffer<'a, u8>),
    U16(Buffer<'a, u16>),
    U32(Buffer<'a, u32>),
    U64(Buffer<'a, u64>),
    U128(Buffer<'a, u128>),
    Usize(Buffer<'a, usize>),
    /// Elements of any other type, with that type.
    Other(Ty, Values),
}

/// `match` on [`Elements`] with one arm for all: `each_elements!(elems, buffer => …)`, where `buffer` is a
/// [`Buffer`] of any [`Elem`].
macro_rules! each_elements {
    ($elems:expr, $buffer:ident => $body:expr) => {
        each_elements!($elems, $buffer => $body, (_) => $body)
    };
    ($elems:expr, $buffer:ident => $scalar:expr, ($ty:pat) => $other:expr) => {
        match $elems {
            Elements::F64($buffer) => $scalar,
            Elements::F32($buffer) => $scalar,
            Elements::Bool($buffer) => $scalar,
            Elements::Char($buffer) => $scalar,
            Elements::I8($buffer) => $scalar,
            Elements::I16($buffer) => $scalar,
            Elements::I32($buffer) => $scalar,
            Elements::I64($buffer) => $scalar,
            Elements::I128($buffer) => $scalar,
            Elements::Isize($buffer) => $scalar,
            Elements::U8($buffer) => $scalar,
            Elements::U16($buffer) => $scalar,
            Elements::U32($buffer) => $scalar,
            Elements::U64($buffer) => $scalar,
            Elements::U128($buffer) => $scalar,
            Elements::Usize($buffer) => $scalar,
            Elements::Other($ty, $buffer) => $other,
        }
    };
}

/// `match` on a pair of [`Elements`] of one type, with an arm for all and one for pairs of different types.
macro_rules! each_elements_pair {
    ($pair:expr, ($a:ident, $b:ident) => $body:expr, _ => $mixed:expr) => {
        match $pair {
            (Elements::F64($a), Elements::F64($b)) => $body,
            (Elements::F32($a), Elements::F32($b)) => $body,
            (Elements::Bool($a), Elements::Bool($b)) => $body,
            (Elements::Char($a), Elements::Char($b)) => $body,
            (Elements::I8($a), Elements::I8($b)) => $body,
            (Elements::I16($a), Elements::I16($b)) => $body,
            (Elements::I32($a), Elements::I32($b)) => $body,
            (Elements::I64($a), Elements::I64($b)) => $body,
            (Elements::I128($a), Elements::I128($b)) => $body,
            (Elements::Isize($a), Elements::Isize($b)) => $body,
            (Elements::U8($a), Elements::U8($b)) => $body,
            (Elements::U16($a), Elements::U16($b)) => $body,
            (Elements::U32($a), Elements::U32($b)) => $body,
            (Elements::U64($a), Elements::U64($b)) => $body,
            (Elements::U128($a), Elements::U128($b)) => $body,
            (Elements::Usize($a), Elements::Usize($b)) => $body,
            (Elements::Other(t, $a), Elements::Other(u, $b)) if *t == *u => $body,
            _ => $mixed,
        }
    };
}

pub(super) use {each_elements, each_elements_pair};

/// The items of buffers: a Rust scalar, or a [`Value`].
pub(super) trait Elem<'a>: Clone {
    /// The element for a value.
    fn of_value(value: Value<'a>) -> Option<Self>;
    /// The value of an element.
    fn to_value(&self) -> Value<'a>;
    /// Whether both are the same, to the bit.
    fn same(&self, other: &Self) -> bool;
}

/// A Rust type whose values are stored unboxed in arrays.
pub trait Scalar: Copy + Send + Sync + 'static {
    /// The corresponding IR type.
    fn scalar_ty() -> Ty;

    /// The value of a scalar.
    fn to_value<'a>(self) -> Value<'a>;

    /// The scalar of a value.
    fn of_value(value: &Value<'_>) -> Option<Self>;

    /// The argument of a scalar.
    #[inline]
    fn to_arg<'a>(self) -> Arg<'a> {
        Arg::of_scalar(&self.to_value()).expect("it is a scalar")
    }

    /// The scalar of an argument.
    #[inline]
    fn of_arg(arg: Arg<'_>) -> Option<Self> {
        Self::of_value(&arg.to_value())
    }

    /// A slice of these scalars.
    fn to_slice(elems: &[Self]) -> Slice<'_>;

    /// The scalars of a slice, if it has this type.
    fn of_slice(slice: Slice<'_>) -> Option<&[Self]>;

    /// A buffer of these scalars as elements.
    fn wrap(buffer: Buffer<'_, Self>) -> Elements<'_>;

    /// The buffer, if the elements have this type.
    fn buffer<'e, 'a>(elems: &'e Elements<'a>) -> Option<&'e Buffer<'a, Self>>;

    /// The buffer for writing, if the elements have this type.
    fn buffer_mut<'e, 'a>(elems: &'e mut Elements<'a>) -> Option<&'e mut Buffer<'a, Self>>;
}

macro_rules! scalars {
    ($($rust:ident $variant:ident: $get:expr, $make:expr, $same:expr $(, argument $arg:ident)?;)*) => {
        $(
            impl Scalar for $rust {
                fn scalar_ty() -> Ty {
                    Ty::$rust()
                }

                #[inline]
                fn to_value<'a>(self) -> Value<'a> {
                    $make(self)
                }

                fn of_value(value: &Value<'_>) -> Option<Self> {
                    $get(value)
                }

                $(#[inline]
                fn to_arg<'a>(self) -> Arg<'a> {
                    Arg::$arg(self)
                }

                #[inline]
                fn of_arg(arg: Arg<'_>) -> Option<Self> {
                    if let Arg::$arg(x) = arg { Some(x) } else { None }
                })?

                #[inline]
                fn to_slice(elems: &[Self]) -> Slice<'_> {
                    Slice::$variant(elems)
                }

                #[inline]
                fn of_slice(slice: Slice<'_>) -> Option<&[Self]> {
                    match slice {
                        Slice::$variant(elems) => Some(elems),
                        _ => None,
                    }
                }

                #[inline]
                fn wrap(buffer: Buffer<'_, Self>) -> Elements<'_> {
                    Elements::$variant(buffer)
                }

                #[inline]
                fn buffer<'e, 'a>(elems: &'e Elements<'a>) -> Option<&'e Buffer<'a, Self>> {
                    match elems {
                        Elements::$variant(buffer) => Some(buffer),
                        _ => None,
                    }
                }

                #[inline]
                fn buffer_mut<'e, 'a>(elems: &'e mut Elements<'a>) -> Option<&'e mut Buffer<'a, Self>> {
                    match elems {
                        Elements::$variant(buffer) => Some(buffer),
                        _ => None,
                    }
                }
            }

            impl<'a> Elem<'a> for $rust {
                fn of_value(value: Value<'a>) -> Option<Self> {
                    $get(&value)
                }

                fn to_value(&self) -> Value<'a> {
                    $make(*self)
                }

                fn same(&self, other: &Self) -> bool {
                    $same(self, other)
                }
            }
        )*

        impl<'a> Elements<'a> {
            /// No elements, of type `ty`.
            pub fn none(ty: Ty) -> Elements<'a> {
                $(if ty == Ty::$rust() {
                    return Elements::$variant(Buffer::from(Vec::new()));
                })*
                Elements::Other(ty, Values::from(Vec::new()))
            }

            /// These values as elements of type `ty`; none if one has another type (for scalar types; the
            /// contents of boxed values are not checked).
            pub fn from_values(ty: Ty, values: Vec<Value<'a>>) -> Option<Elements<'a>> {
                $(if ty == Ty::$rust() {
                    let elems = values.iter().map(<$rust as Scalar>::of_value).collect::<Option<Vec<_>>>()?;
                    return Some(Elements::$variant(Buffer::from(elems)));
                })*
                Some(Elements::Other(ty, Values::from(values.into_iter().map(Value::into_owned).collect::<Vec<_>>())))
            }

            /// The number of elements.
            pub fn len(&self) -> usize {
                each_elements!(self, elems => elems.len())
            }

            /// Whether there are no elements.
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// The type of the elements.
            pub fn ty(&self) -> Ty {
                match self {
                    $(Elements::$variant(_) => Ty::$rust(),)*
                    Elements::Other(ty, _) => *ty,
                }
            }

            /// The scalars of a view of the elements; none if they are not scalars.
            pub(super) fn to_slice(&self, view: std::ops::Range<usize>) -> Option<Slice<'_>> {
                match self {
                    $(Elements::$variant(elems) => Some(Slice::$variant(&elems[view])),)*
                    Elements::Other(..) => None,
                }
            }

            /// The size of an element in bytes.
            pub fn size_of_elem(ty: Ty) -> usize {
                $(if ty == Ty::$rust() {
                    return size_of::<$rust>();
                })*
                size_of::<Value<'a>>()
            }

            /// The elements, owned: of those borrowed from a caller, only the range `view` is copied.
            pub(super) fn into_owned(self, view: std::ops::Range<usize>) -> (Elements<'static>, usize) {
                match self {
                    $(Elements::$variant(Buffer::Counted(elems)) => {
                        (Elements::$variant(Buffer::Counted(elems)), view.start)
                    }
                    Elements::$variant(Buffer::Borrowed(elems)) => {
                        (Elements::$variant(Buffer::from(elems[view].to_vec())), 0)
                    })*
                    Elements::Other(ty, elems) => (Elements::Other(ty, elems), view.start),
                }
            }
        }

        impl<'a> From<Slice<'a>> for Array<'a> {
            fn from(slice: Slice<'a>) -> Array<'a> {
                match slice {
                    $(Slice::$variant(elems) => Array::from_slice(elems),)*
                }
            }
        }
    };
}

fn int<T: TryFrom<i128>>(ty: crate::types::IntTy) -> impl Fn(&Value<'_>) -> Option<T> {
    move |value| match value.as_int() {
        Some((found, n)) if found == ty => T::try_from(n).ok(),
        _ => None,
    }
}

use crate::types::IntTy;

scalars! {
    f64 F64: Value::as_f64, Value::F64, |a: &f64, b: &f64| a.to_bits() == b.to_bits(), argument F64;
    f32 F32: |v: &Value<'_>| if let Value::F32(x) = v { Some(*x) } else { None }, Value::F32,
        |a: &f32, b: &f32| a.to_bits() == b.to_bits(), argument F32;
    bool Bool: Value::as_bool, Value::Bool, bool::eq;
    char Char: |v: &Value<'_>| if let Value::Char(c) = v { Some(*c) } else { None }, Value::Char, char::eq;
    i8 I8: int(IntTy::I8), Value::from, i8::eq;
    i16 I16: int(IntTy::I16), Value::from, i16::eq;
    i32 I32: int(IntTy::I32), Value::from, i32::eq;
    i64 I64: int(IntTy::I64), Value::from, i64::eq;
    i128 I128: int(IntTy::I128), Value::from, i128::eq;
    isize Isize: int(IntTy::Isize), Value::from, isize::eq;
    u8 U8: int(IntTy::U8), Value::from, u8::eq;
    u16 U16: int(IntTy::U16), Value::from, u16::eq;
    u32 U32: int(IntTy::U32), Value::from, u32::eq;
    u64 U64: int(IntTy::U64), Value::from, u64::eq;
    u128 U128: |v: &Value<'_>| if let Value::U128(n) = v { Some(**n) } else { None }, Value::from, u128::eq;
    usize Usize: int(IntTy::Usize), Value::from, usize::eq;
}

impl<'a> Elem<'a> for Value<'static> {
    fn of_value(value: Value<'a>) -> Option<Self> {
        Some(value.into_owned())
    }

    fn to_value(&self) -> Value<'a> {
        self.clone()
    }

    fn same(&self, other: &Self) -> bool {
        Value::same(self, other)
    }
}
