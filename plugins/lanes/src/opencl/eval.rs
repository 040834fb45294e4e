//! Operations that lanes evaluate one by one, as expressions.

use overdub_context::ir::{IntTy, Ty, TyKind};
use overdub_context::ops;

use super::{Printer, is_scalar, variable};
use crate::layout::is_f64;
use crate::program::{Eval, Place};
use crate::unsupported::{Reason, Unsupported};

/// How a scalar is computed: an expression of type `ulong`, or `int` for a bool, and when the work item fails.
struct Computed {
    expr: String,
    fails: Option<String>,
}

impl Printer<'_> {
    pub(super) fn eval(&mut self, eval: &Eval) -> Result<(), Unsupported> {
        if let ([sin, cos], [(ty, places)]) = (&eval.result[..], &eval.args[..])
            && *eval.op == ops::SIN_COS
            && is_f64(*ty)
        {
            let x = format!("as_double({})", variable(places[0]));
            self.line(&format!("{} = as_ulong(sin({x}));", variable(*sin)));
            self.line(&format!("{} = as_ulong(cos({x}));", variable(*cos)));
            return Ok(());
        }
        let found = match eval.result[..] {
            [result] if is_scalar(eval.ret) => self.computed(eval).map(|computed| (result, computed)),
            _ => None,
        };
        let Some((result, Computed { expr, fails })) = found else {
            return self.unsupported(Reason::Op(eval.op));
        };
        if let Some(fails) = fails {
            self.line(&format!("if ({fails}) {{ OVERDUB_LEAVE(OVERDUB_FAILED); }}"));
        }
        self.line(&format!("{} = {expr};", variable(result)));
        Ok(())
    }

    fn computed(&self, eval: &Eval) -> Option<Computed> {
        let (first, places) = eval.args.first()?;
        if let [Place::Array(array)] = places[..] {
            return self.of_array(eval, array, *first);
        }
        if !eval.args.iter().all(|(ty, places)| is_scalar(*ty) && places.len() == 1) {
            return None;
        }
        let args: Vec<String> = eval.args.iter().map(|(_, places)| variable(places[0])).collect();
        match first.kind() {
            TyKind::Float(_) => of_floats(eval, *first, &args),
            TyKind::Int(int) => of_ints(eval, *int, &args),
            TyKind::Bool if *eval.op == ops::CAST => {
                Some(certain(of_word(eval.ret, &format!("(ulong){}", args[0]))?))
            }
            TyKind::Bool => {
                let relation = relation(eval.op)?;
                Some(certain(format!("{} {relation} {}", args[0], args[1])))
            }
            TyKind::Char if *eval.op == ops::CAST => Some(certain(of_word(eval.ret, &args[0])?)),
            _ => None,
        }
    }

    fn of_array(&self, eval: &Eval, array: u32, ty: Ty) -> Option<Computed> {
        let TyKind::Array(of) = ty.kind() else { return None };
        if of.rank != 1 {
            return None;
        }
        if *eval.op != ops::GET && *eval.op != ops::GET_UNCHECKED {
            return None;
        }
        let [Place::Word(index)] = eval.args.get(1)?.1[..] else { return None };
        let expr = self.element(array, of.elem, &format!("w{index}"));
        Some(Computed { expr, fails: Some(format!("w{index} >= a{array}_len")) })
    }
}

fn certain(expr: String) -> Computed {
    Computed { expr, fails: None }
}

fn relation(op: &ops::OpDef) -> Option<&'static str> {
    let table: [(&ops::OpDef, &str); 6] = [
        (&ops::EQ, "=="),
        (&ops::NE, "!="),
        (&ops::LT, "<"),
        (&ops::LE, "<="),
        (&ops::GT, ">"),
        (&ops::GE, ">="),
    ];
    table.iter().find(|(of, _)| *of == op).map(|(_, text)| *text)
}

/// The bits that a word has more than a type.
pub(super) fn spare(int: IntTy) -> u32 {
    64 - int.bits().min(64)
}

/// A word modulo the width of an integer type.
pub(super) fn wrapped(int: IntTy, word: &str) -> String {
    match (spare(int), int.is_signed()) {
        (0, _) => word.to_owned(),
        (spare, true) => format!("overdub_signed({word}, {spare})"),
        (spare, false) => format!("overdub_unsigned({word}, {spare})"),
    }
}

/// A word as one of a type of integers or characters.
fn of_word(ty: Ty, word: &str) -> Option<String> {
    match ty.kind() {
        TyKind::Int(int) if int.bits() <= 64 => Some(wrapped(*int, word)),
        TyKind::Char => Some(word.to_owned()),
        _ => None,
    }
}

fn of_floats(eval: &Eval, ty: Ty, args: &[String]) -> Option<Computed> {
    let is_double = is_f64(ty);
    // An `f32` is computed in its own precision, but by functions of `f64` where these round once to it.
    let read = |arg: &String| match is_double {
        true => format!("as_double({arg})"),
        false => format!("as_float((uint){arg})"),
    };
    let write = |expr: String| match is_double {
        true => format!("as_ulong({expr})"),
        false => format!("(ulong)as_uint({expr})"),
    };
    let x = read(&args[0]);
    let of = |op: &ops::OpDef| *eval.op == *op;
    let all_floats = eval.args.iter().all(|(arg, _)| *arg == ty);
    if let (Some(relation), [_, y], true) = (relation(eval.op), args, all_floats) {
        return Some(certain(format!("{x} {relation} {}", read(y))));
    }
    if of(&ops::CAST) {
        return Some(certain(match eval.ret.kind() {
            TyKind::Float(_) if eval.ret == ty => args[0].clone(),
            TyKind::Float(_) if is_double => format!("(ulong)as_uint((float){x})"),
            TyKind::Float(_) => format!("as_ulong((double){x})"),
            TyKind::Int(int) if int.bits() <= 64 => to_int(*int, &format!("(double){x}")),
            _ => return None,
        }));
    }
    let y = args.get(1).filter(|_| all_floats).map(read);
    let z = args.get(2).filter(|_| all_floats).map(read);
    if let (Some(least), Some(most), true) = (&y, &z, of(&ops::CLAMP)) {
        let choice = |is, then: usize, otherwise: &str| format!("{is} ? {} : {otherwise}", args[then]);
        let upper = choice(format!("{x} > {most}"), 2, &args[0]);
        let fails = Some(format!("!({least} <= {most})"));
        return Some(Computed { expr: choice(format!("{x} < {least}"), 1, &upper), fails });
    }
    Some(certain(match (args.len(), y, z) {
        (1, ..) if of(&ops::NEG) => format!("{} ^ {}", args[0], sign_bit(is_double)),
        (1, ..) if of(&ops::ABS) => format!("{} & ~{}", args[0], sign_bit(is_double)),
        (1, ..) if of(&ops::TO_BITS) => args[0].clone(),
        (1, ..) if of(&ops::IS_NAN) => format!("isnan({x}) != 0"),
        (1, ..) if of(&ops::IS_FINITE) => format!("isfinite({x}) != 0"),
        (1, ..) if of(&ops::IS_INFINITE) => format!("isinf({x}) != 0"),
        (1, ..) if of(&ops::IS_SIGN_NEGATIVE) => format!("({} & {}) != 0", args[0], sign_bit(is_double)),
        (1, ..) if of(&ops::IS_SIGN_POSITIVE) => format!("({} & {}) == 0", args[0], sign_bit(is_double)),
        // A square root in `f64` rounds to that in `f32`.
        (1, ..) if of(&ops::SQRT) && !is_double => write(format!("(float)sqrt((double){x})")),
        (1, ..) if of(&ops::ROUND_TIES_EVEN) => write(format!("rint({x})")),
        (1, ..) if of(&ops::FRACT) => write(format!("{x} - trunc({x})")),
        (1, ..) if of(&ops::EXP2) && is_double => write(format!("exp2({x})")),
        (1, ..) if of(&ops::ASINH) && is_double => write(format!("overdub_asinh({x})")),
        (1, ..) if of(&ops::ACOSH) && is_double => write(format!("overdub_acosh({x})")),
        (1, ..) if of(&ops::ATANH) && is_double => write(format!("0.5 * log1p(2 * {x} / (1 - {x}))")),
        (1, ..) if of(&ops::TO_DEGREES) && is_double => write(format!("{x} * (180.0 / {PI})")),
        (1, ..) if of(&ops::TO_RADIANS) && is_double => write(format!("{x} * ({PI} / 180.0)")),
        (2, Some(y), _) if of(&ops::LOG) && is_double => write(format!("log({x}) / log({y})")),
        (2, Some(y), _) if of(&ops::ADD) => write(format!("{x} + {y}")),
        (2, Some(y), _) if of(&ops::SUB) => write(format!("{x} - {y}")),
        (2, Some(y), _) if of(&ops::MUL) => write(format!("{x} * {y}")),
        // So does a quotient.
        (2, Some(y), _) if of(&ops::DIV) && is_double => write(format!("{x} / {y}")),
        (2, Some(y), _) if of(&ops::DIV) => write(format!("(float)((double){x} / (double){y})")),
        (2, Some(y), _) if of(&ops::REM) => write(format!("fmod({x}, {y})")),
        (2, Some(y), _) if of(&ops::COPYSIGN) => write(format!("copysign({x}, {y})")),
        (3, Some(y), Some(z)) if of(&ops::MUL_ADD) && is_double => write(format!("fma({x}, {y}, {z})")),
        (2, ..) if of(&ops::POWI) && is_double => write(format!("overdub_powi({x}, {})", args[1])),
        _ => return None,
    }))
}

/// As Rust writes it.
const PI: &str = "3.14159265358979323846264338327950288";

fn sign_bit(is_double: bool) -> &'static str {
    if is_double { "0x8000000000000000ul" } else { "0x80000000ul" }
}

/// A float as an integer.
pub(super) fn to_int(int: IntTy, x: &str) -> String {
    let function = if int.is_signed() { "overdub_to_signed" } else { "overdub_to_unsigned" };
    format!("{function}({x}, {})", int.bits())
}

fn of_ints(eval: &Eval, int: IntTy, args: &[String]) -> Option<Computed> {
    if int.bits() > 64 {
        return None;
    }
    let x = &args[0];
    let of = |op: &ops::OpDef| *eval.op == *op;
    let is_signed = int.is_signed();
    let read = |arg: &String| if is_signed { format!("(long){arg}") } else { arg.clone() };
    let least = format!("0x{:x}ul", (i64::MIN >> spare(int)) as u64);
    // A count of a shift, of any integer type, is less than the width.
    let count = |n: &String| Computed { expr: String::new(), fails: Some(format!("{n} >= {}", int.bits())) };
    let right = |n: &str| match is_signed {
        true => format!("(ulong)((long){x} >> {n})"),
        false => format!("{x} >> {n}"),
    };
    Some(match args {
        [_] if of(&ops::CAST) => match eval.ret.kind() {
            // An integer beyond 2^53 rounds once.
            TyKind::Float(_) if is_f64(eval.ret) => certain(format!("as_ulong((double){})", read(x))),
            TyKind::Float(_) => certain(format!("(ulong)as_uint((float){})", read(x))),
            _ => certain(of_word(eval.ret, x)?),
        },
        [_] if of(&ops::FROM_BITS) => certain(x.clone()),
        [_] if of(&ops::NOT) => certain(wrapped(int, &format!("(~{x})"))),
        [_] if of(&ops::NEG) && is_signed => {
            Computed { expr: format!("0ul - {x}"), fails: Some(format!("{x} == {least}")) }
        }
        [_] if of(&ops::ABS) && is_signed => {
            let expr = format!("(long){x} < 0 ? 0ul - {x} : {x}");
            Computed { expr, fails: Some(format!("{x} == {least}")) }
        }
        [_] if of(&ops::UNSIGNED_ABS) && is_signed => certain(format!("(long){x} < 0 ? 0ul - {x} : {x}")),
        [_] if of(&ops::NEG_WRAPPING) => certain(wrapped(int, &format!("(0ul - {x})"))),
        [_] if of(&ops::COUNT_ONES) => certain(format!("popcount({x} & {})", mask(int))),
        [_] if of(&ops::LEADING_ZEROS) => certain(format!("clz({x} & {}) - {}", mask(int), spare(int))),
        [_, y] if of(&ops::MIN) => certain(format!("{} < {} ? {x} : {y}", read(x), read(y))),
        [_, y] if of(&ops::MAX) => certain(format!("{} > {} ? {x} : {y}", read(x), read(y))),
        [_, y] if of(&ops::ABS_DIFF) => certain(format!("{} < {} ? {y} - {x} : {x} - {y}", read(x), read(y))),
        [_, y] if of(&ops::ADD_SATURATING) => certain(saturating("add", int, x, y)),
        [_, y] if of(&ops::SUB_SATURATING) => certain(saturating("sub", int, x, y)),
        [_, n] if of(&ops::SHL) => Computed { expr: wrapped(int, &format!("({x} << {n})")), ..count(n) },
        [_, n] if of(&ops::SHR) => Computed { expr: right(n), ..count(n) },
        [_, n] if of(&ops::SHL_WRAPPING) => {
            certain(wrapped(int, &format!("({x} << ({n} & {}))", int.bits() - 1)))
        }
        [_, n] if of(&ops::SHR_WRAPPING) => certain(right(&format!("({n} & {})", int.bits() - 1))),
        _ => return None,
    })
}

/// A sum or a difference that stays within a type.
fn saturating(op: &str, int: IntTy, x: &str, y: &str) -> String {
    let kind = if int.is_signed() { "signed" } else { "unsigned" };
    format!("overdub_{op}_{kind}({x}, {y}, {})", int.bits())
}

/// The bits of a type.
fn mask(int: IntTy) -> String {
    format!("0x{:x}ul", u64::MAX >> spare(int))
}
