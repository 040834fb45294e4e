//! The functions of floats, as Rust's standard library has them; on arrays they go element by element.

use super::broadcast::{self, Kernel};
use super::host_types::{Operand, domain, ill_typed};
use super::macros::{ops, with_int};
use super::type_rules::{float_ty, int_ty_of, one_type};
use super::{Arity, Effects, OpCx, OpDef, OperandTys, TypeFault, TypeRule};
use crate::failure::Failure;
use crate::types::{FloatTy, Ty};
use crate::value::Value;

/// An operation on floats of one type as a function of C, for executors that call it by its address.
#[derive(Clone, Copy, Debug)]
pub struct FloatFunction {
    /// The operation, whose arity is that of the function.
    pub op: &'static OpDef,
    /// The address of the function of this type.
    pub address: fn(FloatTy) -> *const u8,
}

/// A row is a name, its operands, and the formula, which holds for `f64` and `f32`; the operands are floats of one
/// type and so is the result.
macro_rules! functions {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident = $text:literal ($($x:ident),+) $effects:ident $kernel:ident => $body:expr;
    )*) => {
        $(
            $(#[doc = $doc])+
            pub static $name: OpDef = OpDef {
                name: $text,
                arity: Arity::Exactly([$(stringify!($x)),+].len()),
                ty: |tys| {
                    const COUNT: usize = [$(stringify!($x)),+].len();
                    elementwise_ty(tys, COUNT, floats_ty)
                },
                effects: Effects::$effects,
                eval: |cx, args| {
                    if let [$(Value::F64($x)),+] = args {
                        $(let $x = *$x;)+
                        return Ok(Value::F64($body));
                    }
                    if let [$(Value::F32($x)),+] = args {
                        $(let $x = *$x;)+
                        return Ok(Value::F32($body));
                    }
                    let kernel = Kernel::$kernel(|$($x: f64),+| $body, |$($x: f32),+| $body);
                    broadcast::eval(&$name, Some(kernel), cx, args)
                },
                doc: concat!($($doc),+).trim_ascii(),
            };
        )*

        /// The functions whose operands and result are of one float type.
        pub(super) static FUNCTIONS: &[&OpDef] = &[$(&$name),*];

        /// The functions whose operands and result are of one float type, as functions of C.
        pub static FLOAT_FUNCTIONS: &[FloatFunction] = &[$({
            extern "C" fn narrow($($x: f32),+) -> f32 { $body }
            extern "C" fn wide($($x: f64),+) -> f64 { $body }
            FloatFunction {
                op: &$name,
                address: |float| match float {
                    FloatTy::F32 => narrow as *const u8,
                    FloatTy::F64 => wide as *const u8,
                },
            }
        }),*];
    };
}

functions! {
    /// The square root.
    SQRT = "sqrt" (x) PURE One => x.sqrt();
    /// The cube root.
    CBRT = "cbrt" (x) PURE One => x.cbrt();
    /// The sine of an angle in radians.
    SIN = "sin" (x) PURE One => x.sin();
    /// The cosine of an angle in radians.
    COS = "cos" (x) PURE One => x.cos();
    /// The tangent of an angle in radians.
    TAN = "tan" (x) PURE One => x.tan();
    /// The angle in radians whose sine it is.
    ASIN = "asin" (x) PURE One => x.asin();
    /// The angle in radians whose cosine it is.
    ACOS = "acos" (x) PURE One => x.acos();
    /// The angle in radians whose tangent it is.
    ATAN = "atan" (x) PURE One => x.atan();
    /// The angle in radians of the point whose second and first coordinates the operands are.
    ATAN2 = "atan2" (y, x) FAILS_ON_ARRAYS Two => y.atan2(x);
    /// The hyperbolic sine.
    SINH = "sinh" (x) PURE One => x.sinh();
    /// The hyperbolic cosine.
    COSH = "cosh" (x) PURE One => x.cosh();
    /// The hyperbolic tangent.
    TANH = "tanh" (x) PURE One => x.tanh();
    /// The inverse hyperbolic sine.
    ASINH = "asinh" (x) PURE One => x.asinh();
    /// The inverse hyperbolic cosine.
    ACOSH = "acosh" (x) PURE One => x.acosh();
    /// The inverse hyperbolic tangent.
    ATANH = "atanh" (x) PURE One => x.atanh();
    /// `e` to this power.
    EXP = "exp" (x) PURE One => x.exp();
    /// 2 to this power.
    EXP2 = "exp2" (x) PURE One => x.exp2();
    /// `e` to this power, less 1, precise near 0.
    EXP_M1 = "exp_m1" (x) PURE One => x.exp_m1();
    /// The natural logarithm.
    LN = "ln" (x) PURE One => x.ln();
    /// The natural logarithm of 1 more, precise near 0.
    LN_1P = "ln_1p" (x) PURE One => x.ln_1p();
    /// The logarithm to the base 2.
    LOG2 = "log2" (x) PURE One => x.log2();
    /// The logarithm to the base 10.
    LOG10 = "log10" (x) PURE One => x.log10();
    /// The logarithm to the base that is the second operand.
    LOG = "log" (x, base) FAILS_ON_ARRAYS Two => x.log(base);
    /// The distance of a point from the origin.
    HYPOT = "hypot" (x, y) FAILS_ON_ARRAYS Two => x.hypot(y);
    /// The first float to the power of the second.
    POWF = "powf" (x, y) FAILS_ON_ARRAYS Two => x.powf(y);
    /// The first times the second plus the third, rounded once.
    MUL_ADD = "mul_add" (x, y, z) FAILS_ON_ARRAYS Three => x.mul_add(y, z);
    /// The largest integer that is not larger.
    FLOOR = "floor" (x) PURE One => x.floor();
    /// The smallest integer that is not smaller.
    CEIL = "ceil" (x) PURE One => x.ceil();
    /// The nearest integer, from the middle away from zero.
    ROUND = "round" (x) PURE One => x.round();
    /// The nearest integer, from the middle to the even one.
    ROUND_TIES_EVEN = "round_ties_even" (x) PURE One => x.round_ties_even();
    /// The integer part.
    TRUNC = "trunc" (x) PURE One => x.trunc();
    /// What is left without the integer part.
    FRACT = "fract" (x) PURE One => x.fract();
    /// The magnitude of the first with the sign of the second.
    COPYSIGN = "copysign" (x, sign) FAILS_ON_ARRAYS Two => x.copysign(sign);
    /// One divided by it.
    RECIP = "recip" (x) PURE One => x.recip();
    /// Radians as degrees.
    TO_DEGREES = "to_degrees" (x) PURE One => x.to_degrees();
    /// Degrees as radians.
    TO_RADIANS = "to_radians" (x) PURE One => x.to_radians();
    /// The product, zero where either factor is zero, whatever the other is: infinite, or not a number.
    MUL_ZERO = "mul.zero" (x, y) FAILS_ON_ARRAYS Two => {
        let product = x * y;
        if product.is_nan() && (x == 0.0 || y == 0.0) { 0.0 } else { product }
    };
    /// How much the first is greater than the second, or 0.
    ABS_SUB = "abs_sub" (x, y) FAILS_ON_ARRAYS Two => {
        #[allow(deprecated)]
        x.abs_sub(y)
    };
}

ops! {
    /// A float to the power of an `i32`.
    POWI = "powi", Exactly(2), |tys| elementwise_ty(tys, 2, powi_ty), FAILS_ON_ARRAYS, powi;
    /// The sine and the cosine of an angle in radians.
    SIN_COS = "sin_cos", Exactly(1), sin_cos_ty, PURE, sin_cos;
    /// A number, or the bound that it passes; fails where the bounds are out of order.
    CLAMP = "clamp", Exactly(3), |tys| elementwise_ty(tys, 3, clamp_ty), FAILS, clamp;
}

/// The type of an operation that takes `count` operands and goes element by element over those that are arrays.
fn elementwise_ty(tys: &OperandTys<'_>, count: usize, scalars: TypeRule) -> Result<Ty, TypeFault> {
    if tys.args.len() != count {
        return Err(TypeFault::takes(format!("{count} operands")));
    }
    if tys.args.iter().any(|ty| ty.as_array().is_some()) { broadcast::ty(scalars, tys) } else { scalars(tys) }
}

fn floats_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    one_type(tys, |ty| float_ty(Some(&ty)).is_some(), "floats of one type")
}

fn powi_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args {
        [x, n] if float_ty(Some(x)).is_some() && *n == Ty::i32() => Ok(*x),
        _ => Err(TypeFault::takes("a float and an i32")),
    }
}

fn sin_cos_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args {
        [x] if float_ty(Some(x)).is_some() => Ok(Ty::tuple([*x, *x])),
        _ => Err(TypeFault::takes("a float")),
    }
}

fn clamp_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    one_type(tys, Ty::is_number, "three numbers of one type")
}

type Evaluated<'a> = Result<Value<'a>, Failure>;

fn powi<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    if let [x, n] = &*args
        && let Some(n) = i32::of(n)
    {
        match x {
            Value::F64(x) => return Ok(Value::F64(x.powi(n))),
            Value::F32(x) => return Ok(Value::F32(x.powi(n))),
            _ => {}
        }
    }
    broadcast::eval(&POWI, None, cx, args)
}

fn sin_cos<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    match args {
        [Value::F64(x)] => Ok(Value::tuple([Value::F64(x.sin()), Value::F64(x.cos())])),
        [Value::F32(x)] => Ok(Value::tuple([Value::F32(x.sin()), Value::F32(x.cos())])),
        _ => Err(ill_typed("sin_cos", args)),
    }
}

macro_rules! clamp_floats {
    ($x:ident, $min:ident, $max:ident, $variant:ident) => {
        // Written so that a bound that is `NaN` is refused.
        if $min <= $max {
            return Ok(Value::$variant($x.clamp(*$min, *$max)));
        } else {
            return Err(domain(format!("min > max, or either was NaN. min = {:?}, max = {:?}", $min, $max)));
        }
    };
}

fn clamp<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    match &*args {
        [Value::F64(x), Value::F64(min), Value::F64(max)] => clamp_floats!(x, min, max, F64),
        [Value::F32(x), Value::F32(min), Value::F32(max)] => clamp_floats!(x, min, max, F32),
        [x, min, max] => {
            let clamped = with_int!(ints, int_ty_of(Some(x)), T => match (T::of(x), T::of(min), T::of(max)) {
                (Some(_), Some(min), Some(max)) if min > max => {
                    Some(Err(domain(format!("min > max. min = {min:?}, max = {max:?}"))))
                }
                (Some(x), Some(min), Some(max)) => Some(Ok(Value::from(x.clamp(min, max)))),
                _ => None,
            }, None);
            clamped.unwrap_or_else(|| broadcast::eval(&CLAMP, None, cx, args))
        }
        _ => Err(ill_typed("clamp", args)),
    }
}
