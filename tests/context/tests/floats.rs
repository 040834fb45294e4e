//! Every operation of floats gives what Rust's standard library gives, to the bit.

mod common;

use common::rust::{agrees, agrees_to};
use overdub_context::ir::Ty;
use overdub_context::value::Value;
use proptest::prelude::*;

macro_rules! check {
    ($($op:literal ($($x:expr),+) => $rust:expr;)*) => {
        $(agrees($op, vec![$(Value::from($x)),+], || $rust);)*
    };
}

macro_rules! every_float {
    ($($T:ident $U:ident)*) => {$(
        mod $T {
            use super::*;

            type T = $T;

            fn number() -> impl Strategy<Value = T> {
                prop_oneof![
                    3 => proptest::num::$T::ANY,
                    3 => -100.0..100.0 as T,
                    2 => -1.0..1.0 as T,
                    1 => (-20..20).prop_map(|n| n as T / 2.0),
                    2 => prop::sample::select(vec![
                        0.0, -0.0, 1.0, -1.0, T::NAN, T::INFINITY, T::NEG_INFINITY, T::MIN, T::MAX,
                        T::MIN_POSITIVE, T::EPSILON, T::MIN_POSITIVE / 2.0,
                    ]),
                ]
            }

            proptest! {
                #![proptest_config(overdub_context::testing::cases(256))]

                #[test]
                fn arithmetic_is_rusts(x in number(), y in number(), z in number(), n in -400..400) {
                    check! {
                        "add" (x, y) => x + y;
                        "sub" (x, y) => x - y;
                        "mul" (x, y) => x * y;
                        "div" (x, y) => x / y;
                        "rem" (x, y) => x % y;
                        "neg" (x) => -x;
                        "div_euclid" (x, y) => x.div_euclid(y);
                        "rem_euclid" (x, y) => x.rem_euclid(y);
                        "min" (x, y) => x.min(y);
                        "max" (x, y) => x.max(y);
                        "clamp" (x, y, z) => x.clamp(y, z);
                        "abs" (x) => x.abs();
                        "signum" (x) => x.signum();
                        "copysign" (x, y) => x.copysign(y);
                        "mul_add" (x, y, z) => x.mul_add(y, z);
                        "recip" (x) => x.recip();
                        "powi" (x, n) => x.powi(n);
                        "powf" (x, y) => x.powf(y);
                        "sqrt" (x) => x.sqrt();
                        "cbrt" (x) => x.cbrt();
                        "hypot" (x, y) => x.hypot(y);
                        "floor" (x) => x.floor();
                        "ceil" (x) => x.ceil();
                        "round" (x) => x.round();
                        "round_ties_even" (x) => x.round_ties_even();
                        "trunc" (x) => x.trunc();
                        "fract" (x) => x.fract();
                    }
                    #[allow(deprecated)]
                    { check! { "abs_sub" (x, y) => x.abs_sub(y); } }
                }

                #[test]
                fn functions_are_rusts(x in number(), y in number()) {
                    check! {
                        "sin" (x) => x.sin();
                        "cos" (x) => x.cos();
                        "tan" (x) => x.tan();
                        "asin" (x) => x.asin();
                        "acos" (x) => x.acos();
                        "atan" (x) => x.atan();
                        "atan2" (x, y) => x.atan2(y);
                        "sin_cos" (x) => x.sin_cos();
                        "sinh" (x) => x.sinh();
                        "cosh" (x) => x.cosh();
                        "tanh" (x) => x.tanh();
                        "asinh" (x) => x.asinh();
                        "acosh" (x) => x.acosh();
                        "atanh" (x) => x.atanh();
                        "exp" (x) => x.exp();
                        "exp2" (x) => x.exp2();
                        "exp_m1" (x) => x.exp_m1();
                        "ln" (x) => x.ln();
                        "ln_1p" (x) => x.ln_1p();
                        "log2" (x) => x.log2();
                        "log10" (x) => x.log10();
                        "log" (x, y) => x.log(y);
                        "to_degrees" (x) => x.to_degrees();
                        "to_radians" (x) => x.to_radians();
                    }
                }

                #[test]
                fn what_a_float_is_rust_says(x in number(), y in number(), bits in any::<$U>()) {
                    check! {
                        "is_nan" (x) => x.is_nan();
                        "is_finite" (x) => x.is_finite();
                        "is_infinite" (x) => x.is_infinite();
                        "is_normal" (x) => x.is_normal();
                        "is_subnormal" (x) => x.is_subnormal();
                        "is_sign_negative" (x) => x.is_sign_negative();
                        "is_sign_positive" (x) => x.is_sign_positive();
                        "classify" (x) => x.classify() as i64;
                        "to_bits" (x) => x.to_bits();
                        "from_bits" (bits) => T::from_bits(bits);
                        "next_up" (x) => x.next_up();
                        "next_down" (x) => x.next_down();
                    }
                    for y in [x, y] {
                        check! {
                            "eq" (x, y) => x == y;
                            "ne" (x, y) => x != y;
                            "lt" (x, y) => x < y;
                            "le" (x, y) => x <= y;
                            "gt" (x, y) => x > y;
                            "ge" (x, y) => x >= y;
                            "same" (x, y) => x == y;
                            "partial_cmp" (x, y) => x.partial_cmp(&y);
                            "total_cmp" (x, y) => x.total_cmp(&y);
                            "order" (x, y) => x.total_cmp(&y);
                        }
                    }
                }

                #[test]
                fn text_is_rusts(x in number(), p in 0usize..30) {
                    let none = -1i64;
                    check! {
                        "fmt.float" (x, 0i64, none, false) => format!("{x}");
                        "fmt.float" (x, 0i64, none, true) => format!("{x:+}");
                        "fmt.float" (x, 0i64, p as i64, false) => format!("{x:.p$}");
                        "fmt.float" (x, 0i64, p as i64, true) => format!("{x:+.p$}");
                        "fmt.float" (x, 1i64, none, false) => format!("{x:?}");
                        "fmt.float" (x, 1i64, none, true) => format!("{x:+?}");
                        "fmt.float" (x, 1i64, p as i64, false) => format!("{x:.p$?}");
                        "fmt.float" (x, 1i64, p as i64, true) => format!("{x:+.p$?}");
                        "fmt.float" (x, 2i64, none, false) => format!("{x:e}");
                        "fmt.float" (x, 2i64, none, true) => format!("{x:+e}");
                        "fmt.float" (x, 2i64, p as i64, false) => format!("{x:.p$e}");
                        "fmt.float" (x, 2i64, p as i64, true) => format!("{x:+.p$e}");
                        "fmt.float" (x, 3i64, none, false) => format!("{x:E}");
                        "fmt.float" (x, 3i64, none, true) => format!("{x:+E}");
                        "fmt.float" (x, 3i64, p as i64, false) => format!("{x:.p$E}");
                        "fmt.float" (x, 3i64, p as i64, true) => format!("{x:+.p$E}");
                    }
                    let ty = Ty::option(Ty::$T());
                    for text in [format!("{x:?}"), format!("{x:.p$}"), format!("{x}x")] {
                        agrees_to("str.parse_float", Some(ty), vec![Value::str(&*text)], || text.parse::<T>().ok());
                    }
                }
            }
        }
    )*};
}

every_float! { f64 u64  f32 u32 }

#[test]
fn a_precision_that_rust_refuses_is_refused_with_its_words() {
    check! {
        "fmt.float" (1.0, 0i64, 65_535i64, false) => format!("{:.65535}", 1.0);
        "fmt.float" (1.0, 0i64, 65_536i64, false) => { let p = 65_536; format!("{:.p$}", 1.0) };
    }
}
