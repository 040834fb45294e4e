//! `cast` is `as`, between all pairs of scalars.

mod common;

use common::rust::agrees_to;
use overdub_context::ir::Ty;
use overdub_context::value::Value;
use proptest::prelude::*;

macro_rules! to_numbers {
    ($x:expr) => { to_numbers!($x; i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64) };
    ($x:expr; $($to:ident)*) => {
        $(agrees_to("cast", Some(Ty::$to()), vec![Value::from($x)], || $x as $to);)*
    };
}

macro_rules! from_integers {
    ($($from:ident)*) => {
        proptest! {
            #![proptest_config(overdub_context::testing::cases(256))]
            $(
            #[test]
            fn $from(x in any::<$from>(), near in -2..=2 as i8) {
                to_numbers!(x);
                to_numbers!($from::MIN.wrapping_add(near as $from));
                to_numbers!((1 as $from).rotate_right(1).wrapping_add(near as $from));
            }
        )*}
    };
}

macro_rules! from_floats {
    ($($from:ident)*) => {
        proptest! {
            #![proptest_config(overdub_context::testing::cases(256))]
            $(
            #[test]
            fn $from(x in proptest::num::$from::ANY, y in -300.0..300.0 as $from, n in -130i32..130, sign in prop::bool::ANY) {
                let power = (2.0 as $from).powi(n) * if sign { -1.0 } else { 1.0 };
                for x in [x, y, power, power.next_up(), power.next_down(), power - 0.5, 0.0, -0.0] {
                    to_numbers!(x);
                }
            }
        )*}
    };
}

mod numbers_convert_as_rust_converts_them {
    use super::*;
    from_integers! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }
    from_floats! { f32 f64 }
}

proptest! {
    #![proptest_config(overdub_context::testing::cases(256))]

    #[test]
    fn characters_and_bytes_convert_as_rust_converts_them(c in any::<char>(), byte in any::<u8>()) {
        to_numbers!(c; u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
        agrees_to("cast", Some(Ty::char()), vec![Value::from(byte)], || byte as char);
        agrees_to("cast", Some(Ty::char()), vec![Value::Char(c)], || c);
    }
}

#[test]
fn truth_values_convert_as_rust_converts_them() {
    for b in [false, true] {
        to_numbers!(b; u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
        agrees_to("cast", Some(Ty::bool()), vec![Value::from(b)], || b);
    }
}

#[test]
fn what_as_refuses_is_refused() {
    let cast = overdub_context::ops::by_name("cast").expect("it exists");
    let refused = [
        (Value::from(1u32), Ty::char()),
        (Value::from(1u8), Ty::bool()),
        (Value::from(1.0), Ty::bool()),
        (Value::from(true), Ty::f64()),
        (Value::from('a'), Ty::f64()),
        (Value::str("1"), Ty::i64()),
        (Value::from(1i64), Ty::str()),
    ];
    for (value, to) in refused {
        assert!(common::ty_of(cast, Some(to), std::slice::from_ref(&value)).is_err(), "{value:?} to {to}");
    }
    assert!(common::ty_of(cast, None, &[Value::from(1i64)]).is_err(), "without a declared type");
}
