//! The macros by which each operation is one row of a table.

/// Declares operations: a `static` for each, and the table `OPS` of all. Structural ones
/// ([`OpDef::is_structural`](crate::ops::OpDef::is_structural)) are also listed in the table `STRUCTURAL`.
macro_rules! ops {
    (structural; $($rows:tt)*) => {
        ops!(@table STRUCTURAL; $($rows)*);
    };
    (@table $table:ident; $(
        $(#[doc = $doc:literal])+
        $name:ident = $text:literal, $arity:ident($count:literal), $ty:expr, $effects:ident, $eval:expr;
    )*) => {
        $(
            $(#[doc = $doc])+
            pub static $name: $crate::ops::OpDef = $crate::ops::OpDef {
                name: $text,
                arity: $crate::ops::Arity::$arity($count),
                ty: $ty,
                effects: $crate::ops::Effects::$effects,
                eval: $eval,
                doc: concat!($($doc),+).trim_ascii(),
            };
        )*

        /// The operations of this table.
        pub(super) static $table: &[&$crate::ops::OpDef] = &[$(&$name),*];
    };
    ($($rows:tt)*) => {
        ops!(@table OPS; $($rows)*);
    };
}

/// Runs `$body` with `$T` as the Rust type of the integer type `$ty`, among all, the signed or the unsigned
/// ones.
macro_rules! with_int {
    (ints, $ty:expr, $T:ident => $body:expr, $otherwise:expr) => {
        with_int!(@ $ty, $T, $body, $otherwise, I64 i64, Usize usize, I32 i32, U64 u64, U32 u32, U8 u8, I8 i8,
            I16 i16, U16 u16, Isize isize, I128 i128, U128 u128)
    };
    (signed, $ty:expr, $T:ident => $body:expr, $otherwise:expr) => {
        with_int!(@ $ty, $T, $body, $otherwise, I64 i64, I32 i32, I8 i8, I16 i16, Isize isize, I128 i128)
    };
    (unsigned, $ty:expr, $T:ident => $body:expr, $otherwise:expr) => {
        with_int!(@ $ty, $T, $body, $otherwise, Usize usize, U64 u64, U32 u32, U8 u8, U16 u16, U128 u128)
    };
    (@ $ty:expr, $T:ident, $body:expr, $otherwise:expr, $($variant:ident $rust:ident),*) => {
        match $ty {
            $(Some($crate::types::IntTy::$variant) => {
                type $T = $rust;
                $body
            })*
            #[allow(unreachable_patterns)]
            _ => $otherwise,
        }
    };
}

/// Declares operations on Rust types: a row is a name, typed operands, the type of the result, and the formula.
///
/// Rows over `T` apply to each integer type of a class (`ints`, `signed`, `unsigned`), the type of their
/// first operand; rows over `F` to `f32` and `f64`; `scalars` names no type parameter. The types of operands
/// and result, and whether the operation may fail, are derived from the Rust types. The name of the table of
/// all rows precedes the class.
macro_rules! rows {
    ($table:ident: $class:ident; $(
        $(#[doc = $doc:literal])+
        $name:ident = $text:literal ($($x:ident: $X:ty),+) -> $R:ty => $body:expr;
    )*) => {
        $(
            $(#[doc = $doc])+
            pub static $name: $crate::ops::OpDef = $crate::ops::OpDef {
                name: $text,
                arity: $crate::ops::Arity::Exactly([$(stringify!($x)),+].len()),
                ty: |tys| {
                    rows!(@rule $class, tys, [$($X),+] -> $R,
                        concat!("(", stringify!($($x: $X),+), ")", rows!(@where $class)))
                },
                effects: rows!(@effects $class, $R),
                eval: |cx, args| {
                    let value = rows!(@eval $class, cx, args, [$($x: $X),+] -> $R, $body);
                    match value {
                        Some(value) => value,
                        None => Err($crate::ops::host_types::ill_typed($text, args)),
                    }
                },
                doc: concat!($($doc),+).trim_ascii(),
            };
        )*

        /// The operations of this table.
        pub(super) static $table: &[&$crate::ops::OpDef] = &[$(&$name),*];
    };

    (@where ints) => { ", T an integer type" };
    (@where signed) => { ", T a signed integer type" };
    (@where unsigned) => { ", T an unsigned integer type" };
    (@where floats) => { ", F a float type" };
    (@where scalars) => { "" };

    (@rule floats, $tys:expr, $X:tt -> $R:ty, $takes:expr) => {
        match $tys.args.first().map(|ty| ty.kind()) {
            Some($crate::types::TyKind::Float($crate::types::FloatTy::F64)) => {
                type F = f64;
                rows!(@check $tys, $X -> $R, $takes)
            }
            Some($crate::types::TyKind::Float($crate::types::FloatTy::F32)) => {
                type F = f32;
                rows!(@check $tys, $X -> $R, $takes)
            }
            _ => Err($crate::ops::TypeFault::takes($takes)),
        }
    };
    (@rule scalars, $tys:expr, $X:tt -> $R:ty, $takes:expr) => { rows!(@check $tys, $X -> $R, $takes) };
    (@rule $class:ident, $tys:expr, $X:tt -> $R:ty, $takes:expr) => {
        with_int!($class, $crate::ops::type_rules::int_ty($tys.args.first()),
            T => rows!(@check $tys, $X -> $R, $takes),
            Err($crate::ops::TypeFault::takes($takes)))
    };
    (@check $tys:expr, [$($X:ty),+] -> $R:ty, $takes:expr) => {{
        use $crate::ops::host_types::{Operand, Outcome};
        let takes = [$(<$X as Operand<'_>>::ty()),+];
        if $tys.args == takes { Ok(<$R as Outcome>::ty()) } else { Err($crate::ops::TypeFault::takes($takes)) }
    }};

    (@effects floats, $R:ty) => {{
        #[allow(dead_code)]
        type F = f64;
        <$R as $crate::ops::host_types::Outcome>::EFFECTS
    }};
    (@effects scalars, $R:ty) => { <$R as $crate::ops::host_types::Outcome>::EFFECTS };
    (@effects unsigned, $R:ty) => {{
        #[allow(dead_code)]
        type T = u64;
        <$R as $crate::ops::host_types::Outcome>::EFFECTS
    }};
    (@effects $class:ident, $R:ty) => {{
        #[allow(dead_code)]
        type T = i64;
        <$R as $crate::ops::host_types::Outcome>::EFFECTS
    }};

    (@eval floats, $cx:expr, $args:expr, $X:tt -> $R:ty, $body:expr) => {
        match $args.first() {
            Some($crate::value::Value::F64(_)) => {
                type F = f64;
                rows!(@apply $cx, $args, $X -> $R, $body)
            }
            Some($crate::value::Value::F32(_)) => {
                type F = f32;
                rows!(@apply $cx, $args, $X -> $R, $body)
            }
            _ => None,
        }
    };
    (@eval scalars, $cx:expr, $args:expr, $X:tt -> $R:ty, $body:expr) => {
        rows!(@apply $cx, $args, $X -> $R, $body)
    };
    (@eval $class:ident, $cx:expr, $args:expr, $X:tt -> $R:ty, $body:expr) => {
        with_int!($class, $crate::ops::type_rules::int_ty_of($args.first()),
            T => rows!(@apply $cx, $args, $X -> $R, $body), None)
    };
    (@apply $cx:expr, $args:expr, [$($x:ident: $X:ty),+] -> $R:ty, $body:expr) => {{
        use $crate::ops::host_types::{Operand, Outcome};
        match &*$args {
            [$($x),+] => match ($(<$X as Operand<'_>>::of($x),)+) {
                ($(Some($x),)+) => {
                    let result: $R = $body;
                    Some(result.value($cx.ret))
                }
                _ => None,
            },
            _ => None,
        }
    }};
}

pub(super) use {ops, rows, with_int};
