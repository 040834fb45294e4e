//! Arithmetic on integers and floats; integers fail as in Rust's debug build, arrays are processed
//! elementwise.

use super::broadcast::{self, Kernel};
use super::host_types::{Operand, Outcome, by_zero, overflow};
use super::macros::with_int;
use super::type_rules::{float_ty, int_ty, int_ty_of, one_type};
use super::{Arity, Effects, OpDef, OperandTys, TypeFault};
use crate::failure::Failure;
use crate::types::Ty;
use crate::value::Value;

/// A row: the name, operands of one type, the class of integers with their formula (a `Result`), and the
/// formula for floats with the kind of its kernel.
macro_rules! arith {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident = $text:literal ($($x:ident),+) $effects:ident
            $class:ident $int:expr, $kernel:ident $float:expr;
    )*) => {
        $(
            $(#[doc = $doc])+
            pub static $name: OpDef = OpDef {
                name: $text,
                arity: Arity::Exactly([$(stringify!($x)),+].len()),
                ty: |tys| {
                    fn scalars(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
                        let takes = concat!("numbers of one type (", stringify!($class), " or floats)");
                        one_type(tys, |ty| float_ty(Some(&ty)).is_some() || arith!(@is $class, ty), takes)
                    }
                    if tys.args.len() != [$(stringify!($x)),+].len() {
                        return scalars(&OperandTys { args: &[], consts: &[], declared: None });
                    }
                    if tys.args.iter().any(|ty| ty.as_array().is_some()) {
                        return broadcast::ty(scalars, tys);
                    }
                    scalars(tys)
                },
                effects: Effects::$effects,
                eval: |cx, args| {
                    if let [$(Value::F64($x)),+] = args {
                        $(let $x = *$x;)+
                        return Ok(Value::F64($float));
                    }
                    let value = with_int!($class, int_ty_of(args.first()), T => {
                        match &*args {
                            [$($x),+] => match ($(<T as Operand<'_>>::of($x),)+) {
                                ($(Some($x),)+) => {
                                    let result: Result<T, Failure> = $int;
                                    Some(result.and_then(|n| n.value(cx.ret)))
                                }
                                _ => None,
                            },
                            _ => None,
                        }
                    }, None);
                    if let Some(value) = value {
                        return value;
                    }
                    if let [$(Value::F32($x)),+] = args {
                        $(let $x = *$x;)+
                        return Ok(Value::F32($float));
                    }
                    let kernel = Kernel::$kernel(|$($x),+| $float, |$($x),+| $float);
                    broadcast::eval(&$name, Some(kernel), cx, args)
                },
                doc: concat!($($doc),+).trim_ascii(),
            };
        )*

        /// The operations of this file.
        pub(super) static OPS: &[&OpDef] = &[$(&$name),*];
    };
    (@is ints, $ty:expr) => { int_ty(Some(&$ty)).is_some() };
    (@is signed, $ty:expr) => { int_ty(Some(&$ty)).is_some_and(|int| int.is_signed()) };
}

arith! {
    /// Adds two numbers.
    ADD = "add" (x, y) FAILS_ON_INTS
        ints x.checked_add(y).ok_or_else(|| overflow("attempt to add with overflow")),
        Two x + y;
    /// Subtracts the second number from the first.
    SUB = "sub" (x, y) FAILS_ON_INTS
        ints x.checked_sub(y).ok_or_else(|| overflow("attempt to subtract with overflow")),
        Two x - y;
    /// Multiplies two numbers.
    MUL = "mul" (x, y) FAILS_ON_INTS
        ints x.checked_mul(y).ok_or_else(|| overflow("attempt to multiply with overflow")),
        Two x * y;
    /// Divides the first number by the second; integers round towards zero.
    DIV = "div" (x, y) FAILS_ON_INTS
        ints x.checked_div(y).ok_or_else(|| div_failure(y == 0)),
        Two x / y;
    /// The remainder of a division that rounds towards zero.
    REM = "rem" (x, y) FAILS_ON_INTS
        ints x.checked_rem(y).ok_or_else(|| rem_failure(y == 0)),
        Two x % y;
    /// Changes the sign.
    NEG = "neg" (x) FAILS_ON_INTS
        signed x.checked_neg().ok_or_else(|| overflow("attempt to negate with overflow")),
        One -x;
    /// The magnitude.
    ABS = "abs" (x) FAILS_ON_INTS
        signed x.checked_abs().ok_or_else(|| overflow("attempt to negate with overflow")),
        One x.abs();
    /// The sign as -1, 0 or 1; a float's is -1 or 1, according to its sign bit.
    SIGNUM = "signum" (x) PURE
        signed Ok(x.signum()),
        One x.signum();
    /// The quotient whose remainder is not negative.
    DIV_EUCLID = "div_euclid" (x, y) FAILS_ON_INTS
        ints x.checked_div_euclid(y).ok_or_else(|| div_failure(y == 0)),
        Two x.div_euclid(y);
    /// The remainder that is not negative.
    REM_EUCLID = "rem_euclid" (x, y) FAILS_ON_INTS
        ints x.checked_rem_euclid(y).ok_or_else(|| rem_failure(y == 0)),
        Two x.rem_euclid(y);
    /// The smaller of two numbers; of floats, the one that is a number.
    MIN = "min" (x, y) FAILS_ON_ARRAYS
        ints Ok(x.min(y)),
        Two x.min(y);
    /// The larger of two numbers; of floats, the one that is a number.
    MAX = "max" (x, y) FAILS_ON_ARRAYS
        ints Ok(x.max(y)),
        Two x.max(y);
}

#[cold]
fn div_failure(zero: bool) -> Failure {
    if zero { by_zero("attempt to divide by zero") } else { overflow("attempt to divide with overflow") }
}

#[cold]
fn rem_failure(zero: bool) -> Failure {
    if zero {
        by_zero("attempt to calculate the remainder with a divisor of zero")
    } else {
        overflow("attempt to calculate the remainder with overflow")
    }
}
