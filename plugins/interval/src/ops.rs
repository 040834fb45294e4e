//! The operations of the domain.

use overdub_context::Failure;
use overdub_context::ir::Ty;
use overdub_context::ops::{self as floats, Arity, Effects, OpCx, OpDef, OperandTys, TypeFault};
use overdub_context::value::Value;

use crate::interval::{Interval, undefined};

/// A number as an interval.
pub(crate) static LIFT: OpDef = OpDef {
    name: "interval.lift",
    arity: Arity::Exactly(1),
    ty: |tys| if *tys.args == [Ty::f64()] { Ok(Interval::ty()) } else { Err(TypeFault::takes("a float")) },
    effects: Effects::FAILS,
    eval: lift,
    doc: "A number as an interval.",
};

/// The only number in an interval; fails if it contains more than one.
pub(crate) static UNTAG: OpDef = OpDef {
    name: "interval.number",
    arity: Arity::Exactly(1),
    ty: |tys| intervals(tys, Ty::f64()),
    effects: Effects::FAILS,
    eval: untag,
    doc: "The number that an interval consists of; fails if it contains several.",
};

fn lift<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let x = args.first().and_then(Value::as_f64).unwrap_or(f64::NAN);
    Interval::point(x).map(Value::from)
}

fn untag<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let x = operand(args, 0)?;
    if x.lo() == x.hi() {
        Ok(Value::F64(x.lo()))
    } else {
        Err(undefined(format!("{x} is not one number, and what is done with it needs one")))
    }
}

fn operand(args: &[Value<'_>], at: usize) -> Result<Interval, Failure> {
    Interval::of(args.get(at).unwrap_or(&Value::Unit))
}

/// The type rule of operations whose operands are intervals, and possibly an `i32`.
fn intervals(tys: &OperandTys<'_>, ret: Ty) -> Result<Ty, TypeFault> {
    let is_exponent = |at: usize, ty: Ty| at == 1 && ty == Ty::i32();
    let mut operands = tys.args.iter().enumerate();
    if operands.all(|(at, ty)| *ty == Interval::ty() || is_exponent(at, *ty)) {
        Ok(ret)
    } else {
        Err(TypeFault::takes("intervals"))
    }
}

/// Declares operations, and the list of them with the operations on floats that they replace.
macro_rules! ops {
    ($($STATIC:ident $name:literal $arity:literal $ret:expr, $args:ident => $result:expr;)*) => {
        $(static $STATIC: OpDef = OpDef {
            name: concat!("interval.", $name),
            arity: Arity::Exactly($arity),
            ty: |tys| intervals(tys, $ret),
            effects: Effects::FAILS,
            eval: {
                fn eval<'a>(_: &mut OpCx<'_, 'a>, $args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
                    Ok(Value::from($result))
                }
                eval
            },
            doc: concat!("`", $name, "` of intervals."),
        };)*
        static ALL: &[(&OpDef, &OpDef)] = &[$((&floats::$STATIC, &$STATIC)),*];
    };
}

macro_rules! functions {
    (one { $($A:ident $a:literal $one:ident;)* }
     two { $($B:ident $b:literal $two:ident;)* }
     tests { $($C:ident $c:literal $test:ident;)* }) => {
        ops! {
            $($A $a 1 Interval::ty(), args => operand(args, 0)?.$one()?;)*
            $($B $b 2 Interval::ty(), args => operand(args, 0)?.$two(operand(args, 1)?)?;)*
            $($C $c 2 Ty::bool(), args => $test(operand(args, 0)?, operand(args, 1)?)?;)*
            MUL_ADD "mul_add" 3 Interval::ty(),
                args => operand(args, 0)?.mul_add(operand(args, 1)?, operand(args, 2)?)?;
            POWI "powi" 2 Interval::ty(), args => operand(args, 0)?.powi(exponent(args))?;
        }
    };
}

functions! {
    one { NEG "neg" neg; RECIP "recip" recip; SQRT "sqrt" sqrt; ABS "abs" abs; FLOOR "floor" floor; CEIL "ceil" ceil;
        TRUNC "trunc" trunc; ROUND "round" round; EXP "exp" exp; EXP2 "exp2" exp2; EXP_M1 "exp_m1" exp_m1;
        LN "ln" ln; LN_1P "ln_1p" ln_1p; LOG2 "log2" log2; LOG10 "log10" log10; CBRT "cbrt" cbrt; SINH "sinh" sinh;
        COSH "cosh" cosh; TANH "tanh" tanh; ASINH "asinh" asinh; ACOSH "acosh" acosh; ATANH "atanh" atanh;
        SIN "sin" sin; COS "cos" cos; TAN "tan" tan; ASIN "asin" asin; ACOS "acos" acos; ATAN "atan" atan;
    } two { ADD "add" add; SUB "sub" sub; MUL "mul" mul; DIV "div" div; MIN "min" min; MAX "max" max;
        POWF "powf" powf; HYPOT "hypot" hypot;
    } tests { LT "lt" lt; LE "le" le; GT "gt" gt; GE "ge" ge; EQ "eq" eq; NE "ne" ne;
    }
}

/// The replacement of an operation on floats.
pub(crate) fn lifted(op: &OpDef) -> Option<&'static OpDef> {
    ALL.iter().find(|(replaced, _)| *replaced == op).map(|(_, by)| *by)
}

fn exponent(args: &[Value<'_>]) -> i32 {
    // The type rule has checked that it is an `i32`.
    args.get(1).and_then(Value::as_int).and_then(|(_, n)| i32::try_from(n).ok()).unwrap_or(0)
}

/// The outcome, if it is the same for all numbers in the intervals.
fn decided(always: bool, never: bool, sign: &str, a: Interval, b: Interval) -> Result<bool, Failure> {
    match (always, never) {
        (true, _) => Ok(true),
        (_, true) => Ok(false),
        _ => Err(undefined(format!("`{a} {sign} {b}` is undecided"))),
    }
}

fn lt(a: Interval, b: Interval) -> Result<bool, Failure> {
    decided(a.hi() < b.lo(), a.lo() >= b.hi(), "<", a, b)
}

fn le(a: Interval, b: Interval) -> Result<bool, Failure> {
    decided(a.hi() <= b.lo(), a.lo() > b.hi(), "<=", a, b)
}

fn gt(a: Interval, b: Interval) -> Result<bool, Failure> {
    decided(a.lo() > b.hi(), a.hi() <= b.lo(), ">", a, b)
}

fn ge(a: Interval, b: Interval) -> Result<bool, Failure> {
    decided(a.lo() >= b.hi(), a.hi() < b.lo(), ">=", a, b)
}

fn eq(a: Interval, b: Interval) -> Result<bool, Failure> {
    let same = a.lo() == b.hi() && a.hi() == b.lo();
    decided(same, a.hi() < b.lo() || b.hi() < a.lo(), "==", a, b)
}

fn ne(a: Interval, b: Interval) -> Result<bool, Failure> {
    let same = a.lo() == b.hi() && a.hi() == b.lo();
    decided(a.hi() < b.lo() || b.hi() < a.lo(), same, "!=", a, b)
}
