//! Every operation of integers, of every width, gives what Rust gives: the result, or the message of the panic.

mod common;

use common::rust::agrees;
use overdub_context::value::Value;
use proptest::prelude::*;

macro_rules! check {
    ($($op:literal ($($x:expr),+) => $rust:expr;)*) => {
        $(agrees($op, vec![$(Value::from($x)),+], || $rust);)*
    };
}

macro_rules! every_integer {
    ($($T:ident)*) => {$(
        mod $T {
            use super::*;

            type T = $T;

            fn number() -> impl Strategy<Value = T> {
                prop_oneof![
                    4 => any::<T>(),
                    2 => (0 as T)..=20,
                    3 => prop::sample::select(vec![T::MIN, T::MAX, T::MIN + 1, T::MAX / 2, 0, (0 as T).wrapping_sub(1)]),
                ]
            }

            fn count() -> impl Strategy<Value = u32> {
                prop_oneof![
                    2 => 0u32..8,
                    2 => 0..T::BITS,
                    1 => prop::sample::select(vec![T::BITS - 1, T::BITS, T::BITS + 1, u32::MAX]),
                ]
            }

            proptest! {
                #![proptest_config(overdub_context::testing::cases(256))]

                #[test]
                fn arithmetic_is_rusts(x in number(), y in number(), n in count()) {
                    check! {
                        "add" (x, y) => x + y;
                        "sub" (x, y) => x - y;
                        "mul" (x, y) => x * y;
                        "div" (x, y) => x / y;
                        "rem" (x, y) => x % y;
                        "div_euclid" (x, y) => x.div_euclid(y);
                        "rem_euclid" (x, y) => x.rem_euclid(y);
                        "min" (x, y) => x.min(y);
                        "max" (x, y) => x.max(y);
                        "pow" (x, n) => x.pow(n);
                        "isqrt" (x) => x.isqrt();
                        "abs_diff" (x, y) => x.abs_diff(y);
                        "ilog" (x, y) => x.ilog(y);
                        "ilog2" (x) => x.ilog2();
                        "ilog10" (x) => x.ilog10();
                    }
                }

                #[test]
                fn clamping_is_rusts(x in number(), y in number(), z in number()) {
                    check! { "clamp" (x, y, z) => x.clamp(y, z); }
                }

                #[test]
                fn overflow_is_dealt_with_as_in_rust(x in number(), y in number(), n in count()) {
                    check! {
                        "add.wrapping" (x, y) => x.wrapping_add(y);
                        "sub.wrapping" (x, y) => x.wrapping_sub(y);
                        "mul.wrapping" (x, y) => x.wrapping_mul(y);
                        "div.wrapping" (x, y) => x.wrapping_div(y);
                        "rem.wrapping" (x, y) => x.wrapping_rem(y);
                        "neg.wrapping" (x) => x.wrapping_neg();
                        "pow.wrapping" (x, n) => x.wrapping_pow(n);
                        "shl.wrapping" (x, n) => x.wrapping_shl(n);
                        "shr.wrapping" (x, n) => x.wrapping_shr(n);
                        "add.checked" (x, y) => x.checked_add(y);
                        "sub.checked" (x, y) => x.checked_sub(y);
                        "mul.checked" (x, y) => x.checked_mul(y);
                        "div.checked" (x, y) => x.checked_div(y);
                        "rem.checked" (x, y) => x.checked_rem(y);
                        "div_euclid.checked" (x, y) => x.checked_div_euclid(y);
                        "rem_euclid.checked" (x, y) => x.checked_rem_euclid(y);
                        "neg.checked" (x) => x.checked_neg();
                        "pow.checked" (x, n) => x.checked_pow(n);
                        "shl.checked" (x, n) => x.checked_shl(n);
                        "shr.checked" (x, n) => x.checked_shr(n);
                        "add.saturating" (x, y) => x.saturating_add(y);
                        "sub.saturating" (x, y) => x.saturating_sub(y);
                        "mul.saturating" (x, y) => x.saturating_mul(y);
                        "pow.saturating" (x, n) => x.saturating_pow(n);
                        "add.overflowing" (x, y) => x.overflowing_add(y);
                        "sub.overflowing" (x, y) => x.overflowing_sub(y);
                        "mul.overflowing" (x, y) => x.overflowing_mul(y);
                        "neg.overflowing" (x) => x.overflowing_neg();
                        "pow.overflowing" (x, n) => x.overflowing_pow(n);
                    }
                }

                #[test]
                fn bits_are_rusts(x in number(), y in number(), n in count(), i in any::<i8>(), j in -2i128..140) {
                    check! {
                        "and" (x, y) => x & y;
                        "or" (x, y) => x | y;
                        "xor" (x, y) => x ^ y;
                        "not" (x) => !x;
                        "shl" (x, n) => x << n;
                        "shr" (x, n) => x >> n;
                        "shl" (x, i) => x << i;
                        "shr" (x, i) => x >> i;
                        "shl" (x, j) => x << j;
                        "shr" (x, y) => x >> y;
                        "count_ones" (x) => x.count_ones();
                        "count_zeros" (x) => x.count_zeros();
                        "leading_zeros" (x) => x.leading_zeros();
                        "trailing_zeros" (x) => x.trailing_zeros();
                        "leading_ones" (x) => x.leading_ones();
                        "trailing_ones" (x) => x.trailing_ones();
                        "swap_bytes" (x) => x.swap_bytes();
                        "reverse_bits" (x) => x.reverse_bits();
                        "rotate_left" (x, n) => x.rotate_left(n);
                        "rotate_right" (x, n) => x.rotate_right(n);
                    }
                }

                #[test]
                fn comparisons_are_rusts(x in number(), y in number()) {
                    for y in [x, y] {
                        check! {
                            "eq" (x, y) => x == y;
                            "ne" (x, y) => x != y;
                            "lt" (x, y) => x < y;
                            "le" (x, y) => x <= y;
                            "gt" (x, y) => x > y;
                            "ge" (x, y) => x >= y;
                            "cmp" (x, y) => x.cmp(&y);
                            "partial_cmp" (x, y) => x.partial_cmp(&y);
                            "order" (x, y) => x.cmp(&y);
                            "same" (x, y) => x == y;
                        }
                    }
                }

                #[test]
                fn text_is_rusts(x in number()) {
                    check! { "fmt.int" (x, 10i64) => x.to_string(); }
                    #[allow(unused_comparisons)]
                    if x >= 0 {
                        check! {
                            "fmt.int" (x, 2i64) => format!("{x:b}");
                            "fmt.int" (x, 8i64) => format!("{x:o}");
                            "fmt.int" (x, 16i64) => format!("{x:x}");
                        }
                    }
                    for radix in 2..=36 {
                        let text = common::eval("fmt.int", [Value::from(x), Value::from(i64::from(radix))]);
                        let text = text.expect("a radix that has digits");
                        prop_assert_eq!(T::from_str_radix(text.as_str().expect("a text"), radix), Ok(x));
                    }
                }

                #[test]
                fn parsing_is_rusts(x in number(), other in "[-+]?[0-9a]{0,4}") {
                    for text in [x.to_string(), format!("{x}0"), format!("+{x}"), other] {
                        let ty = overdub_context::ir::Ty::option(overdub_context::ir::Ty::$T());
                        common::rust::agrees_to("str.parse_int", Some(ty), vec![Value::str(&*text)], || {
                            text.parse::<T>().ok()
                        });
                    }
                }
            }
        }
    )*};
}

every_integer! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }

macro_rules! signed_integers {
    ($($T:ident)*) => {
        proptest! {
            #![proptest_config(overdub_context::testing::cases(256))]
            $(
            #[test]
            fn $T(x in prop_oneof![any::<$T>(), Just($T::MIN), Just($T::MAX), -2..=2 as $T]) {
                check! {
                    "neg" (x) => -x;
                    "abs" (x) => x.abs();
                    "signum" (x) => x.signum();
                    "unsigned_abs" (x) => x.unsigned_abs();
                    "abs.wrapping" (x) => x.wrapping_abs();
                    "abs.checked" (x) => x.checked_abs();
                }
            }
        )*}
    };
}

mod signs_are_rusts {
    use super::*;
    signed_integers! { i8 i16 i32 i64 i128 isize }
}

macro_rules! unsigned_integers {
    ($($T:ident)*) => {
        proptest! {
            #![proptest_config(overdub_context::testing::cases(256))]
            $(
            #[test]
            fn $T(x in prop_oneof![any::<$T>(), Just($T::MAX), 0..=9 as $T], n in 0..$T::BITS) {
                for x in [x, 1 << n] {
                    check! {
                        "is_power_of_two" (x) => x.is_power_of_two();
                        "next_power_of_two" (x) => x.next_power_of_two();
                    }
                }
            }
        )*}
    };
}

mod powers_of_two_are_rusts {
    use super::*;
    unsigned_integers! { u8 u16 u32 u64 u128 usize }
}

#[test]
fn an_operation_on_two_types_is_refused_by_its_rule_and_its_evaluator() {
    let op = overdub_context::ops::by_name("add").expect("it exists");
    let mut args = [Value::from(1i64), Value::from(1i32)];
    assert!(common::ty_of(op, None, &args).is_err());
    let ret = overdub_context::ir::Ty::i64();
    let mut machine = common::Bench::default();
    let failure = (op.eval)(&mut overdub_context::ops::OpCx { ret, machine: &mut machine }, &mut args)
        .expect_err("the types differ");
    assert_eq!(failure.report().message, "`add` does not take (i64, i32)");
}
