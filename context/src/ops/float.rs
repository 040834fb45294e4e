//! Functions of floats, as in Rust's standard library; arrays are processed elementwise.

use super::broadcast::{self, Kernel};
use super::host_types::{Operand, domain, ill_typed};
use super::macros::{ops, with_int};
use super::type_rules::{float_ty, int_ty_of, one_type};
use super::{Arity, Effects, OpCx, OpDef, OperandTys, TypeFault, TypeRule};
use crate::failure::Failure;
use crate::types::{FloatTy, Ty};
use crate::value::Value;

/// An operation on floats of one type as a C function, for executors that call it by address.
#[derive(Clone, Copy, Debug)]
pub struct FloatFunction {
    /// The operation, whose arity is that of the function.
    pub op: &'static OpDef,
    /// The address of the function of this type.
    pub address: fn(FloatTy) -> *const u8,
}

/// A row: the name, the operands, and the formula, which is used for `f64` and `f32`; operands and result are
/// floats of one type.
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

        /// The functions whose operands and result are of one float type, as C functions.
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
    /// The inverse sine, in radians.
    ASIN = "asin" (x) PURE One => x.asin();
    /// The inverse cosine, in radians.
    ACOS = "acos" (x) PURE One => x.acos();
    /// The inverse tangent, in radians.
    ATAN = "atan" (x) PURE One => x.atan();
    /// The angle in radians of the point whose `y` and `x` coordinates are the operands.
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
    /// `e` to the power of the operand.
    EXP = "exp" (x) PURE One => x.exp();
    /// 2 to the power of the operand.
    EXP2 = "exp2" (x) PURE One => x.exp2();
    /// `e` to the power of the operand, minus 1, precise near 0.
    EXP_M1 = "exp_m1" (x) PURE One => x.exp_m1();
    /// The natural logarithm.
    LN = "ln" (x) PURE One => x.ln();
    /// The natural logarithm of 1 plus the operand, precise near 0.
    LN_1P = "ln_1p" (x) PURE One => x.ln_1p();
    /// The logarithm to the base 2.
    LOG2 = "log2" (x) PURE One => x.log2();
    /// The logarithm to the base 10.
    LOG10 = "log10" (x) PURE One => x.log10();
    /// The logarithm to the base given by the second operand.
    LOG = "log" (x, base) FAILS_ON_ARRAYS Two => x.log(base);
    /// The distance of a point from the origin.
    HYPOT = "hypot" (x, y) FAILS_ON_ARRAYS Two => x.hypot(y);
    /// The first float to the power of the second.
    POWF = "powf" (x, y) FAILS_ON_ARRAYS Two => x.powf(y);
    /// The first times the second plus the third, rounded once.
    MUL_ADD = "mul_add" (x, y, z) FAILS_ON_ARRAYS Three => x.mul_add(y, z);
    /// The largest integer that is not greater.
    FLOOR = "floor" (x) PURE One => x.floor();
    /// The smallest integer that is not less.
    CEIL = "ceil" (x) PURE One => x.ceil();
    /// The nearest integer; ties are rounded away from zero.
    ROUND = "round" (x) PURE One => x.round();
    /// The nearest integer; ties are rounded to the even one.
    ROUND_TIES_EVEN = "round_ties_even" (x) PURE One => x.round_ties_even();
    /// The integer part.
    TRUNC = "trunc" (x) PURE One => x.trunc();
    /// The fractional part.
    FRACT = "fract" (x) PURE One => x.fract();
    /// The magnitude of the first with the sign of the second.
    COPYSIGN = "copysign" (x, sign) FAILS_ON_ARRAYS Two => x.copysign(sign);
    /// The reciprocal.
    RECIP = "recip" (x) PURE One => x.recip();
    /// Converts radians to degrees.
    TO_DEGREES = "to_degrees" (x) PURE One => x.to_degrees();
    /// Converts degrees to radians.
    TO_RADIANS = "to_radians" (x) PURE One => x.to_radians();
    /// The product, but zero if either factor is zero, even if the other is infinite or `NaN`.
    MUL_ZERO = "mul.zero" (x, y) FAILS_ON_ARRAYS Two => {
        let product = x * y;
        if product.is_nan() && (x == 0.0 || y == 0.0) { 0.0 } else { product }
    };
    /// The first minus the second if that is positive, otherwise 0.
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
    /// A number clamped to two bounds; fails if these are out of order.
    CLAMP = "clamp", Exactly(3), |tys| elementwise_ty(tys, 3, clamp_ty), FAILS, clamp;
}

/// A function of two `f64`s, and one of two `f32`s.
pub type OfTwo = (fn(f64, f64) -> f64, fn(f32, f32) -> f32);

/// Evaluates an operation on two floats of one type, elementwise on arrays, by these functions.
pub fn eval_two<'a>(
    op: &'static OpDef,
    (wide, narrow): OfTwo,
    cx: &mut OpCx<'_, 'a>,
    args: &mut [Value<'a>],
) -> Evaluated<'a> {
    match args {
        [Value::F64(x), Value::F64(y)] => Ok(Value::F64(wide(*x, *y))),
        [Value::F32(x), Value::F32(y)] => Ok(Value::F32(narrow(*x, *y))),
        _ => broadcast::eval(op, Some(Kernel::Two(wide, narrow)), cx, args),
    }
}

/// The type rule of an elementwise operation that takes `count` operands.
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
        // This form also refuses a bound that is `NaN`.
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
