//! The Rust types with which operations compute, and their conversion from and to values.
//!
//! A row of an operation table names Rust types, from which its type rule, its effects and its checks follow.

use std::cmp::Ordering;
use std::sync::{Arc, LazyLock};

use super::Effects;
use crate::failure::{Failure, FailureKind};
use crate::types::{IntTy, Ty};
use crate::value::{Composite, HasTy, Int, IntoValue, Parts, Scalar, Value};

/// A Rust type that an operand can be read as.
pub(super) trait Operand<'v>: Sized {
    /// The corresponding IR type.
    fn ty() -> Ty;

    /// The operand, if it has this type.
    fn of(value: &'v Value<'_>) -> Option<Self>;
}

/// A Rust type that an operation can return.
pub(super) trait Outcome {
    /// Whether computing it may fail.
    const EFFECTS: Effects = Effects::PURE;

    /// The corresponding IR type.
    fn ty() -> Ty;

    /// The value; `ret` is again the IR type, so that nominal types need not be looked up.
    fn value<'a>(self, ret: Ty) -> Result<Value<'a>, Failure>;
}

/// The result of a formula that may fail.
pub(super) type Fallible<T> = Result<T, Failure>;

macro_rules! small_ints {
    ($($rust:ident => $ty:ident, $unsigned:ident;)*) => {$(
        impl Operand<'_> for $rust {
            fn ty() -> Ty {
                Ty::$rust()
            }

            #[inline]
            fn of(value: &Value<'_>) -> Option<$rust> {
                match value {
                    Value::Int(int) if int.ty() == IntTy::$ty => Some(int.bits() as $rust),
                    _ => None,
                }
            }
        }

        impl Outcome for $rust {
            fn ty() -> Ty {
                Ty::$rust()
            }

            #[inline]
            fn value<'a>(self, _: Ty) -> Result<Value<'a>, Failure> {
                Ok(Value::Int(Int::wrapping(IntTy::$ty, self as u64)))
            }
        }

        impl RustInt for $rust {
            type Unsigned = $unsigned;
        }
    )*};
}

macro_rules! boxed_ints {
    ($($rust:ident => $ty:ident;)*) => {$(
        impl Operand<'_> for $rust {
            fn ty() -> Ty {
                Ty::$rust()
            }

            fn of(value: &Value<'_>) -> Option<$rust> {
                match value {
                    Value::$ty(n) => Some(**n),
                    _ => None,
                }
            }
        }

        impl Outcome for $rust {
            fn ty() -> Ty {
                Ty::$rust()
            }

            fn value<'a>(self, _: Ty) -> Result<Value<'a>, Failure> {
                Ok(Value::$ty(Box::new(self)))
            }
        }

        impl RustInt for $rust {
            type Unsigned = u128;
        }
    )*};
}

macro_rules! other_scalars {
    ($($rust:ident => $ty:ident;)*) => {$(
        impl Operand<'_> for $rust {
            fn ty() -> Ty {
                Ty::$rust()
            }

            #[inline]
            fn of(value: &Value<'_>) -> Option<$rust> {
                match value {
                    Value::$ty(scalar) => Some(*scalar),
                    _ => None,
                }
            }
        }

        impl Outcome for $rust {
            fn ty() -> Ty {
                Ty::$rust()
            }

            #[inline]
            fn value<'a>(self, _: Ty) -> Result<Value<'a>, Failure> {
                Ok(Value::$ty(self))
            }
        }
    )*};
}

/// A Rust integer.
pub(super) trait RustInt {
    /// The unsigned integer of its width.
    type Unsigned;
}

/// The unsigned integer of a width.
pub(super) type Unsigned<T> = <T as RustInt>::Unsigned;

/// A Rust float.
pub(super) trait RustFloat {
    /// The unsigned integer of its width.
    type Bits;
}

/// The unsigned integer of a float's width.
pub(super) type Bits<F> = <F as RustFloat>::Bits;

impl RustFloat for f64 {
    type Bits = u64;
}

impl RustFloat for f32 {
    type Bits = u32;
}

small_ints! {
    i8 => I8, u8;
    i16 => I16, u16;
    i32 => I32, u32;
    i64 => I64, u64;
    isize => Isize, usize;
    u8 => U8, u8;
    u16 => U16, u16;
    u32 => U32, u32;
    u64 => U64, u64;
    usize => Usize, usize;
}

boxed_ints! {
    i128 => I128;
    u128 => U128;
}

other_scalars! {
    f64 => F64;
    f32 => F32;
    bool => Bool;
    char => Char;
}

impl<'v> Operand<'v> for &'v str {
    fn ty() -> Ty {
        Ty::str()
    }

    fn of(value: &'v Value<'_>) -> Option<&'v str> {
        value.as_str()
    }
}

impl<'v, T: Scalar + HasTy> Operand<'v> for &'v [T] {
    fn ty() -> Ty {
        Ty::array(T::ty(), 1)
    }

    fn of(value: &'v Value<'_>) -> Option<&'v [T]> {
        value.as_array()?.as_slice()
    }
}

macro_rules! converted {
    ($($rust:ty),*) => {$(
        impl Outcome for $rust {
            fn ty() -> Ty {
                <$rust as HasTy>::ty()
            }

            fn value<'a>(self, _: Ty) -> Result<Value<'a>, Failure> {
                Ok(self.into_value())
            }
        }
    )*};
}

converted! { String, Vec<u8>, Vec<char>, Vec<String> }

impl<T: Outcome> Outcome for Option<T> {
    const EFFECTS: Effects = T::EFFECTS;

    fn ty() -> Ty {
        Ty::option(T::ty())
    }

    fn value<'a>(self, ret: Ty) -> Result<Value<'a>, Failure> {
        let elem = ret.as_nominal().and_then(|option| option.args().first().copied());
        let some = self.map(|some| some.value(elem.unwrap_or(ret))).transpose()?;
        Ok(option(ret, some))
    }
}

impl<A: Outcome, B: Outcome> Outcome for (A, B) {
    fn ty() -> Ty {
        Ty::tuple([A::ty(), B::ty()])
    }

    /// Tuples only contain scalars here, and these ignore the type.
    fn value<'a>(self, ret: Ty) -> Result<Value<'a>, Failure> {
        Ok(Value::tuple([self.0.value(ret)?, self.1.value(ret)?]))
    }
}

impl Outcome for Ordering {
    fn ty() -> Ty {
        ordering_ty()
    }

    fn value<'a>(self, _: Ty) -> Result<Value<'a>, Failure> {
        Ok(ordering(self))
    }
}

impl<T: Outcome> Outcome for Fallible<T> {
    const EFFECTS: Effects = Effects::FAILS;

    fn ty() -> Ty {
        T::ty()
    }

    #[inline]
    fn value<'a>(self, ret: Ty) -> Result<Value<'a>, Failure> {
        self?.value(ret)
    }
}

/// `Ordering`, looked up once.
pub(super) fn ordering_ty() -> Ty {
    static TY: LazyLock<Ty> = LazyLock::new(Ty::ordering);
    *TY
}

/// An `Ordering` as a value.
pub(super) fn ordering<'a>(ordering: Ordering) -> Value<'a> {
    let tag = match ordering {
        Ordering::Less => 0,
        Ordering::Equal => 1,
        Ordering::Greater => 2,
    };
    Value::Composite(Arc::new(Composite { ty: Some(ordering_ty()), tag, parts: Parts::new() }))
}

/// A value of the `Option<…>` type `ty`.
pub(super) fn option(ty: Ty, some: Option<Value<'_>>) -> Value<'_> {
    let tag = u32::from(some.is_some());
    Value::Composite(Arc::new(Composite { ty: Some(ty), tag, parts: some.into_iter().collect() }))
}

/// The failure for operands of types that the verifier rejects.
#[cold]
pub(super) fn ill_typed(op: &str, args: &[Value<'_>]) -> Failure {
    let got: Vec<String> = args.iter().map(|arg| arg.ty().to_string()).collect();
    Failure::new(FailureKind::Type, format!("`{op}` does not take ({})", got.join(", ")))
}

/// Integer overflow, in rustc's words.
#[cold]
pub(super) fn overflow(message: &str) -> Failure {
    Failure::new(FailureKind::Overflow, message)
}

/// Division by zero, in rustc's words.
#[cold]
pub(super) fn by_zero(message: &str) -> Failure {
    Failure::new(FailureKind::DivisionByZero, message)
}

/// The failure for another operand on which the operation is not defined.
#[cold]
pub(super) fn domain(message: impl Into<String>) -> Failure {
    Failure::new(FailureKind::Domain, message)
}
