//! Arrays of any rank: elements in row-major order.

use std::borrow::Cow;

use smallvec::SmallVec;

use super::Value;
use crate::ir::{FloatTy, IntTy, Ty, TyKind};

/// An array: a shape, and the elements in row-major order.
#[derive(Clone, Debug)]
pub struct Array<'a> {
    shape: SmallVec<[usize; 2]>,
    elems: Elements<'a>,
}

/// The elements of an array, by type; scalars are stored unboxed, floats may be borrowed from the caller.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Elements<'a> {
    F64(Cow<'a, [f64]>),
    F32(Cow<'a, [f32]>),
    Bool(Cow<'a, [bool]>),
    I8(Cow<'a, [i8]>),
    I16(Cow<'a, [i16]>),
    I32(Cow<'a, [i32]>),
    I64(Cow<'a, [i64]>),
    U8(Cow<'a, [u8]>),
    U16(Cow<'a, [u16]>),
    U32(Cow<'a, [u32]>),
    U64(Cow<'a, [u64]>),
    Isize(Cow<'a, [isize]>),
    Usize(Cow<'a, [usize]>),
    /// Anything else, with the type of the elements.
    Other(Ty, Vec<Value<'a>>),
}

impl<'a> Array<'a> {
    /// A vector of floats.
    pub fn from_floats(elems: Cow<'a, [f64]>) -> Array<'a> {
        Array { shape: SmallVec::from_slice(&[elems.len()]), elems: Elements::F64(elems) }
    }

    /// The array of this shape with these elements in row-major order; `None` where their number is another.
    pub fn new(shape: &[usize], elems: Elements<'a>) -> Option<Array<'a>> {
        let len = shape.iter().try_fold(1usize, |len, &axis| len.checked_mul(axis))?;
        (len == elems.len()).then(|| Array { shape: SmallVec::from_slice(shape), elems })
    }

    /// The lengths of its axes.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Its elements in row-major order.
    pub fn elems(&self) -> &Elements<'a> {
        &self.elems
    }

    /// The type of its elements.
    pub fn elem_ty(&self) -> Ty {
        match &self.elems {
            Elements::F64(_) => Ty::f64(),
            Elements::F32(_) => Ty::f32(),
            Elements::Bool(_) => Ty::bool(),
            Elements::I8(_) => Ty::int(IntTy::I8),
            Elements::I16(_) => Ty::int(IntTy::I16),
            Elements::I32(_) => Ty::int(IntTy::I32),
            Elements::I64(_) => Ty::int(IntTy::I64),
            Elements::U8(_) => Ty::int(IntTy::U8),
            Elements::U16(_) => Ty::int(IntTy::U16),
            Elements::U32(_) => Ty::int(IntTy::U32),
            Elements::U64(_) => Ty::int(IntTy::U64),
            Elements::Isize(_) => Ty::int(IntTy::Isize),
            Elements::Usize(_) => Ty::int(IntTy::Usize),
            Elements::Other(ty, _) => *ty,
        }
    }

    pub(super) fn is_data(&self) -> bool {
        match &self.elems {
            Elements::Other(_, elems) => elems.iter().all(Value::is_data),
            _ => true,
        }
    }

    pub(super) fn into_owned(self) -> Array<'static> {
        Array { shape: self.shape, elems: self.elems.into_owned() }
    }
}

macro_rules! for_scalars {
    ($elems:expr, $slice:ident => $scalar:expr, $values:ident => $other:expr) => {
        match $elems {
            Elements::F64($slice) => $scalar,
            Elements::F32($slice) => $scalar,
            Elements::Bool($slice) => $scalar,
            Elements::I8($slice) => $scalar,
            Elements::I16($slice) => $scalar,
            Elements::I32($slice) => $scalar,
            Elements::I64($slice) => $scalar,
            Elements::U8($slice) => $scalar,
            Elements::U16($slice) => $scalar,
            Elements::U32($slice) => $scalar,
            Elements::U64($slice) => $scalar,
            Elements::Isize($slice) => $scalar,
            Elements::Usize($slice) => $scalar,
            Elements::Other(_, $values) => $other,
        }
    };
}

impl<'a> Elements<'a> {
    /// These values as the elements of an array of `ty`; `None` where one has another type.
    pub fn from_values(ty: Ty, values: Vec<Value<'a>>) -> Option<Elements<'a>> {
        fn all<'a, T: Clone>(
            values: &[Value<'a>],
            scalar: impl Fn(&Value<'a>) -> Option<T>,
        ) -> Option<Cow<'a, [T]>> {
            values.iter().map(scalar).collect::<Option<Vec<T>>>().map(Cow::Owned)
        }
        macro_rules! ints {
            ($int:expr, $($variant:ident: $rust:ty),*) => {
                match $int {
                    $(IntTy::$variant => all(&values, |value| match value {
                        Value::Int(int) if int.ty() == $int => Some(int.bits() as $rust),
                        _ => None,
                    }).map(Elements::$variant),)*
                    IntTy::I128 | IntTy::U128 => Some(Elements::Other(ty, values)),
                }
            };
        }
        match *ty.kind() {
            TyKind::Float(FloatTy::F64) => all(&values, Value::as_f64).map(Elements::F64),
            TyKind::Float(FloatTy::F32) => all(&values, |value| match value {
                Value::F32(x) => Some(*x),
                _ => None,
            })
            .map(Elements::F32),
            TyKind::Bool => all(&values, Value::as_bool).map(Elements::Bool),
            TyKind::Int(int) => ints!(
                int, I8: i8, I16: i16, I32: i32, I64: i64, U8: u8, U16: u16, U32: u32, U64: u64, Isize: isize,
                Usize: usize
            ),
            _ => Some(Elements::Other(ty, values)),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        for_scalars!(self, elems => elems.len(), values => values.len())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The element at `index` in row-major order.
    pub fn get(&self, index: usize) -> Option<Value<'a>> {
        for_scalars!(
            self,
            elems => elems.get(index).map(|&elem| Value::from(elem)),
            values => values.get(index).cloned()
        )
    }

    /// Its elements in row-major order.
    pub fn iter(&self) -> impl Iterator<Item = Value<'a>> {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    fn into_owned(self) -> Elements<'static> {
        fn own<T: Clone>(elems: Cow<'_, [T]>) -> Cow<'static, [T]> {
            Cow::Owned(elems.into_owned())
        }
        match self {
            Elements::F64(elems) => Elements::F64(own(elems)),
            Elements::F32(elems) => Elements::F32(own(elems)),
            Elements::Bool(elems) => Elements::Bool(own(elems)),
            Elements::I8(elems) => Elements::I8(own(elems)),
            Elements::I16(elems) => Elements::I16(own(elems)),
            Elements::I32(elems) => Elements::I32(own(elems)),
            Elements::I64(elems) => Elements::I64(own(elems)),
            Elements::U8(elems) => Elements::U8(own(elems)),
            Elements::U16(elems) => Elements::U16(own(elems)),
            Elements::U32(elems) => Elements::U32(own(elems)),
            Elements::U64(elems) => Elements::U64(own(elems)),
            Elements::Isize(elems) => Elements::Isize(own(elems)),
            Elements::Usize(elems) => Elements::Usize(own(elems)),
            Elements::Other(ty, elems) => {
                Elements::Other(ty, elems.into_iter().map(Value::into_owned).collect())
            }
        }
    }
}
