//! Conversions of structs of other crates, behind features unless overdub uses the crate itself: a value has the struct type that the crate's
//! source is lowered to, so programs see into it, and derivatives have the Rust type.
//!
//! - FOREIGN1 the IR type is found by the name that rustc gives the Rust type. If there is none, or its fields
//!   are not those that rustc compiled here (another version of the crate), it is an opaque type, which no
//!   function has as a parameter type: the call is refused.

#[cfg(feature = "glam")]
mod glam;
#[cfg(feature = "nalgebra")]
mod nalgebra;
#[cfg(feature = "num-complex")]
mod num_complex;
#[cfg(feature = "ordered-float")]
mod ordered_float;
mod smallvec;

use std::any::type_name;
use std::collections::BTreeMap;
use std::sync::{OnceLock, PoisonError, RwLock};

use hashbrown::HashMap;

use crate::Symbol;
use crate::types::Ty;

/// The IR type for the name that rustc gives a type, if the source of the type is known.
pub type TyOfName = fn(&'static str) -> Option<Ty>;

static TY_OF_NAME: OnceLock<TyOfName> = OnceLock::new();

/// Sets where the IR types of Rust's structs are looked up. The first call counts: a process has one program
/// that contains its own types.
pub fn provide_struct_tys(lookup: TyOfName) {
    // A later call is one of the same program.
    let _ = TY_OF_NAME.set(lookup);
}

/// Why a struct of another crate has an opaque type (FOREIGN1).
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum StructFault {
    /// No source of the struct is known, or there are two of its name.
    Unknown,
    /// The source has other fields than the version that rustc compiled.
    Fields {
        /// The types of the fields in the source.
        read: Vec<Ty>,
        /// Those that rustc compiled.
        compiled: Vec<Ty>,
    },
    /// A field holds values of this type, which are passed as others: as arrays.
    Field(String),
}

static FAULTS: RwLock<BTreeMap<&'static str, StructFault>> = RwLock::new(BTreeMap::new());

/// The first struct of another crate in a type that has no type of its own, and why.
pub fn struct_fault(ty: Ty) -> Option<(&'static str, StructFault)> {
    let shown = ty.to_string();
    let faults = FAULTS.read().unwrap_or_else(PoisonError::into_inner);
    faults.iter().find(|(name, _)| shown.contains(**name)).map(|(name, fault)| (*name, fault.clone()))
}

/// The opaque type of a struct that cannot be passed for this reason, which [`struct_fault`] returns from now on.
pub fn faulty_struct(name: &'static str, fault: StructFault) -> Ty {
    FAULTS.write().unwrap_or_else(PoisonError::into_inner).insert(name, fault);
    Ty::opaque(Symbol::new(name))
}

/// The IR type of the struct `T` if its fields have these types, otherwise an opaque one (FOREIGN1).
pub fn struct_ty<T>(fields: &[Ty]) -> Ty {
    static KNOWN: RwLock<Option<HashMap<&'static str, Ty>>> = RwLock::new(None);
    let name = type_name::<T>();
    let known = KNOWN.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(ty) = known.as_ref().and_then(|known| known.get(name)) {
        return *ty;
    }
    drop(known);
    let found = TY_OF_NAME.get().and_then(|lookup| lookup(name));
    let read = found.and_then(|ty| ty.parts(0));
    match found.filter(|_| read.as_ref().is_some_and(|parts| parts == fields)) {
        Some(ty) => {
            KNOWN.write().unwrap_or_else(PoisonError::into_inner).get_or_insert_default().insert(name, ty);
            ty
        }
        None => {
            let fault = match read {
                Some(read) => StructFault::Fields { read, compiled: fields.to_vec() },
                None => StructFault::Unknown,
            };
            faulty_struct(name, fault)
        }
    }
}

/// The conversions of structs, each with its generic parameters, its bounds, and all its fields in the order
/// of their declaration. If some are private, only their types are written, followed by their values when the
/// struct is moved and when it is lent, and by the struct, if one can be made of such values.
#[cfg(any(feature = "glam", feature = "nalgebra", feature = "num-complex", feature = "ordered-float"))]
macro_rules! structs {
    ($([$($generics:tt)*] $ty:ty $(where [$($bound:tt)*])? { $($field:tt: $of:ty),* })*) => {$(
        $crate::value::foreign::private_structs! {
            [$($generics)*] [$($($bound)*)?] $ty { $($of),* }
            moved this => [$(IntoValue::into_value(this.$field)),*];
            lent this => [$(Lend::lend(&this.$field)),*];
            made fields => Self {
                $($field: <$of as FromValue>::from_value(fields.next().unwrap_or(Value::Unit))?),*
            };
        }
    )*};
}

#[cfg(any(feature = "glam", feature = "nalgebra", feature = "num-complex", feature = "ordered-float"))]
macro_rules! private_structs {
    ($(
        [$($generics:tt)*] [$($bound:tt)*] $ty:ty { $($of:ty),* }
        moved $moved:ident => $moved_values:expr;
        lent $lent:ident => $lent_values:expr;
        made $fields:ident => $made:expr;
    )*) => {$(
        #[allow(trivial_bounds)]
        impl<$($generics)*> HasTy for $ty
        where
            $($of: HasTy,)*
            $($bound)*
        {
            fn ty() -> Ty {
                struct_ty::<Self>(&[$(<$of as HasTy>::ty()),*])
            }
        }

        #[allow(trivial_bounds)]
        impl<'value, $($generics)*> IntoValue<'value> for $ty
        where
            $($of: IntoValue<'value>,)*
            $($bound)*
        {
            fn into_value(self) -> Value<'value> {
                #[allow(unused_variables)]
                let $moved = self;
                variant(Self::ty(), 0, $moved_values.into_iter().collect())
            }
        }

        #[allow(trivial_bounds)]
        impl<$($generics)*> Lend for $ty
        where
            $($of: Lend,)*
            $($bound)*
        {
            fn lend(&self) -> Value<'_> {
                #[allow(unused_variables)]
                let $lent = self;
                variant(Self::ty(), 0, $lent_values.into_iter().collect())
            }
        }

        #[allow(trivial_bounds)]
        impl<$($generics)*> FromValue for $ty
        where
            $($of: FromValue,)*
            $($bound)*
        {
            fn from_value(value: Value<'_>) -> Result<Self, Mismatch> {
                let (_, fields) = variant_of::<Self>(value)?;
                #[allow(unused_mut, unused_variables)]
                let mut $fields = fields.into_iter();
                Ok($made)
            }
        }

        #[allow(trivial_bounds)]
        impl<$($generics)*> Floats for $ty
        where
            $($of: FromValue + Lend,)*
            $($bound)*
        {
            $crate::value::convert_floats::own_floats!();
        }
    )*};
}

#[cfg(any(feature = "glam", feature = "nalgebra", feature = "num-complex", feature = "ordered-float"))]
use {private_structs, structs};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Field, Nominal, NominalBody, TyKind};

    struct Known;
    struct Unknown;

    #[test]
    fn a_struct_whose_fields_differ_from_those_of_its_source_is_opaque() {
        fn lookup(name: &'static str) -> Option<Ty> {
            let nominal = Nominal::shared("Known", []);
            let field = Field { name: Symbol::new("x"), ty: Ty::f64() };
            nominal.define(NominalBody::Struct(vec![field]));
            (name == type_name::<Known>()).then(|| Ty::new(TyKind::Struct(nominal)))
        }
        provide_struct_tys(lookup);
        let opaque = |ty: Ty| matches!(ty.kind(), TyKind::Opaque(_));
        assert!(opaque(struct_ty::<Known>(&[Ty::f32()])));
        assert!(opaque(struct_ty::<Known>(&[Ty::f64(), Ty::f64()])));
        assert!(opaque(struct_ty::<Unknown>(&[Ty::f64()])));
        assert_eq!(Some(struct_ty::<Known>(&[Ty::f64()])), lookup(type_name::<Known>()));
    }
}
