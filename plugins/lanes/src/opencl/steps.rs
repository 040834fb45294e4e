//! Steps as statements.

use overdub_context::ir::{IntTy, Ty, TyKind};
use overdub_context::ops::{self, OpDef};

use super::eval::{to_int, wrapped};
use super::{Printer, variable};
use crate::layout::is_f64;
use crate::program::{Arith, Binary, Compared, Division, Logic, Origin, Place, Relation, Step, Unary};
use crate::unsupported::{Reason, Unsupported};

const FAIL: &str = "OVERDUB_LEAVE(OVERDUB_FAILED);";

impl Printer<'_> {
    pub(super) fn step(&mut self, step: &Step) -> Result<(), Unsupported> {
        let line = match step {
            Step::Unary(op, d, a) => format!("w{d} = {};", unary(*op, *a)),
            Step::Binary(op, d, a, b) => format!("w{d} = {};", binary(*op, *a, *b)),
            Step::Checked(op, int, d, a, b) => checked(*op, *int, *d, *a, *b),
            Step::Wrapping(op, int, d, a, b) => {
                format!("w{d} = {};", wrapped(*int, &format!("(w{a} {} w{b})", sign(*op))))
            }
            Step::Division(op, int, d, a, b) => division(*op, *int, *d, *a, *b),
            Step::Wrap(int, d, a) => format!("w{d} = {};", wrapped(*int, &format!("w{a}"))),
            Step::ToInt(int, _, d, a) => format!("w{d} = {};", to_int(*int, &format!("as_double(w{a})"))),
            Step::Compare(relation, of, d, a, b) => {
                let read = |word: u32| match of {
                    Compared::Floats => format!("as_double(w{word})"),
                    Compared::Signed => format!("(long)w{word}"),
                    Compared::Unsigned => format!("w{word}"),
                };
                format!("m{d} = {} {} {};", read(*a), symbol(*relation), read(*b))
            }
            Step::Logic(op, d, a, b) => match op {
                Logic::And => format!("m{d} = m{a} & m{b};"),
                Logic::Or => format!("m{d} = m{a} | m{b};"),
                Logic::Xor => format!("m{d} = m{a} ^ m{b};"),
                Logic::Not => format!("m{d} = !m{a};"),
            },
            Step::Select(d, on, a, b) => format!("w{d} = m{on} ? w{a} : w{b};"),
            Step::SelectMask(d, on, a, b) => format!("m{d} = m{on} ? m{a} : m{b};"),
            Step::Call(function, d, a) => match of_one(function.op, &format!("as_double(w{a})")) {
                Some(call) => format!("w{d} = as_ulong({call});"),
                None => return self.unsupported(Reason::Op(function.op)),
            },
            Step::Call2(function, d, a, b) => match of_two(function.op) {
                Some(name) => format!("w{d} = as_ulong({name}(as_double(w{a}), as_double(w{b})));"),
                None => return self.unsupported(Reason::Op(function.op)),
            },
            Step::Gather(d, array, index) => {
                let element = self.element(*array, Ty::f64(), &format!("w{index}"));
                format!("if (w{index} >= a{array}_len) {{ {FAIL} }}\n    w{d} = {element};")
            }
            Step::Require(a, word) => format!("if (w{a} != 0x{word:x}ul) {{ {FAIL} }}"),
            Step::StackNew(stack) => format!("depth{stack} = 0;"),
            Step::StackLen(d, stack) => format!("w{d} = depth{stack};"),
            Step::Push(stack, places) => {
                let width = places.len();
                self.line(&format!(
                    "if ((depth{stack} + 1) * {width} > tape_room) {{ OVERDUB_LEAVE(OVERDUB_NO_MEMORY); }}"
                ));
                for (number, place) in places.iter().enumerate() {
                    self.line(&format!("{} = {};", slot(*stack, width, number), variable(*place)));
                }
                format!("depth{stack} += 1;")
            }
            Step::Pop(stack, places) | Step::Peek(stack, places) => {
                self.line(&format!("if (depth{stack} == 0) {{ {FAIL} }}"));
                self.line(&format!("depth{stack} -= 1;"));
                for (number, place) in places.iter().enumerate() {
                    let slot = slot(*stack, places.len(), number);
                    let read = if matches!(place, Place::Mask(_)) { format!("(int){slot}") } else { slot };
                    self.line(&format!("{} = {read};", variable(*place)));
                }
                match step {
                    Step::Peek(..) => format!("depth{stack} += 1;"),
                    _ => return Ok(()),
                }
            }
            Step::Repeat(array, len, fill) => {
                self.line(&room_for(*array, &format!("w{len}")));
                let element = own_element(*array, "at");
                format!("for (ulong at = 0; at < a{array}_len; at++) {{ {element} = {}; }}", variable(*fill))
            }
            Step::List(array, items) => {
                self.line(&room_for(*array, &format!("{}ul", items.len())));
                for (at, item) in items.iter().enumerate() {
                    self.line(&format!("{} = {};", own_element(*array, &format!("{at}ul")), variable(*item)));
                }
                return Ok(());
            }
            Step::Set(array, at, value) => {
                let element = own_element(*array, &format!("w{at}"));
                format!("if (w{at} >= a{array}_len) {{ {FAIL} }}\n    {element} = {};", variable(*value))
            }
            Step::Element(d, array, at) => {
                let element = own_element(*array, &format!("w{at}"));
                let is_mask = if matches!(d, Place::Mask(_)) { "(int)" } else { "" };
                format!("if (w{at} >= a{array}_len) {{ {FAIL} }}\n    {} = {is_mask}{element};", variable(*d))
            }
            Step::ArrayLen(d, array) => format!("w{d} = a{array}_len;"),
            Step::Eval(eval) => return self.eval(eval),
        };
        self.line(&line);
        Ok(())
    }

    /// An element of an array as a word, or as an `int` if it is a bool.
    pub(super) fn element(&self, array: u32, elem: Ty, index: &str) -> String {
        if let Origin::Const(_) = self.program.arrays[array as usize] {
            let word = format!("overdub_constant{array}[{index}]");
            return if elem == Ty::bool() { format!("(int){word}") } else { word };
        }
        if let Origin::Own(_) = self.program.arrays[array as usize] {
            let word = own_element(array, index);
            return if elem == Ty::bool() { format!("(int){word}") } else { word };
        }
        let element = format!("a{array}[{index}]");
        match elem.kind() {
            TyKind::Bool => format!("{element} != 0"),
            TyKind::Float(_) if is_f64(elem) => format!("as_ulong({element})"),
            TyKind::Float(_) => format!("(ulong)as_uint({element})"),
            TyKind::Int(int) if int.is_signed() => format!("(ulong)(long){element}"),
            _ => format!("(ulong){element}"),
        }
    }
}

/// An element of an array of a work item's own (CL4).
fn own_element(array: u32, index: &str) -> String {
    format!("a{array}[({index}) * width]")
}

/// Gives such an array its length, if there is room for it.
fn room_for(array: u32, len: &str) -> String {
    format!(
        "a{array}_len = {len};\n    if (a{array}_len > tape_room) {{ OVERDUB_LEAVE(OVERDUB_NO_MEMORY); }}"
    )
}

/// The word of a tape at its depth (CL3).
fn slot(stack: u32, width: usize, number: usize) -> String {
    format!("memory[({stack} * tape_room + depth{stack} * {width} + {number}) * len + element]")
}

fn unary(op: Unary, a: u32) -> String {
    let x = format!("as_double(w{a})");
    match op {
        Unary::Neg => format!("w{a} ^ 0x8000000000000000ul"),
        Unary::Abs => format!("w{a} & 0x7ffffffffffffffful"),
        Unary::Sqrt => format!("as_ulong(sqrt({x}))"),
        Unary::FromSigned => format!("as_ulong((double)(long)w{a})"),
        Unary::FromUnsigned => format!("as_ulong((double)w{a})"),
        Unary::Exp => format!("as_ulong(exp({x}))"),
        Unary::Ln => format!("as_ulong(log({x}))"),
        Unary::Tanh => format!("as_ulong(tanh({x}))"),
        Unary::Sin => format!("as_ulong(sin({x}))"),
        Unary::Cos => format!("as_ulong(cos({x}))"),
    }
}

fn binary(op: Binary, a: u32, b: u32) -> String {
    let floats = |sign: &str| format!("as_ulong(as_double(w{a}) {sign} as_double(w{b}))");
    match op {
        Binary::Add => floats("+"),
        Binary::Sub => floats("-"),
        Binary::Mul => floats("*"),
        Binary::Div => floats("/"),
        Binary::MulZero => format!("as_ulong(overdub_mul_zero(as_double(w{a}), as_double(w{b})))"),
        Binary::Powf => format!("as_ulong(pow(as_double(w{a}), as_double(w{b})))"),
        Binary::And => format!("w{a} & w{b}"),
        Binary::Or => format!("w{a} | w{b}"),
        Binary::Xor => format!("w{a} ^ w{b}"),
    }
}

fn sign(op: Arith) -> &'static str {
    match op {
        Arith::Add => "+",
        Arith::Sub => "-",
        Arith::Mul => "*",
    }
}

fn symbol(relation: Relation) -> &'static str {
    match relation {
        Relation::Eq => "==",
        Relation::Ne => "!=",
        Relation::Lt => "<",
        Relation::Le => "<=",
        Relation::Gt => ">",
        Relation::Ge => ">=",
    }
}

/// Arithmetic that fails if its result does not fit.
fn checked(op: Arith, int: IntTy, d: u32, a: u32, b: u32) -> String {
    let exact = format!("w{a} {} w{b}", sign(op));
    let fits_not = match (op, int.is_signed()) {
        _ if int.bits() < 64 => format!("{} != exact", wrapped(int, "exact")),
        (Arith::Add, true) => format!("((w{a} ^ exact) & (w{b} ^ exact)) >> 63"),
        (Arith::Add, false) => format!("exact < w{a}"),
        (Arith::Sub, true) => format!("((w{a} ^ w{b}) & (w{a} ^ exact)) >> 63"),
        (Arith::Sub, false) => format!("w{a} < w{b}"),
        (Arith::Mul, true) => format!("mul_hi((long)w{a}, (long)w{b}) != (long)exact >> 63"),
        (Arith::Mul, false) => format!("mul_hi(w{a}, w{b}) != 0"),
    };
    format!("{{ ulong exact = {exact}; if ({fits_not}) {{ {FAIL} }} w{d} = exact; }}")
}

/// A division that fails by zero, or if the quotient does not fit.
fn division(op: Division, int: IntTy, d: u32, a: u32, b: u32) -> String {
    let sign = if op == Division::Quotient { "/" } else { "%" };
    if !int.is_signed() {
        return format!("if (w{b} == 0) {{ {FAIL} }}\n    w{d} = w{a} {sign} w{b};");
    }
    let least = format!("0x{:x}ul", (i64::MIN >> (64 - int.bits().min(64))) as u64);
    let fails = format!("w{b} == 0 || (w{a} == {least} && w{b} == ~(ulong)0)");
    format!("if ({fails}) {{ {FAIL} }}\n    w{d} = (ulong)((long)w{a} {sign} (long)w{b});")
}

/// A function of one float.
fn of_one(op: &OpDef, x: &str) -> Option<String> {
    let table: [(&OpDef, &str); 20] = [
        (&ops::SIN, "sin"),
        (&ops::COS, "cos"),
        (&ops::TAN, "tan"),
        (&ops::ASIN, "asin"),
        (&ops::ACOS, "acos"),
        (&ops::ATAN, "atan"),
        (&ops::SINH, "sinh"),
        (&ops::COSH, "cosh"),
        (&ops::TANH, "tanh"),
        (&ops::EXP, "exp"),
        (&ops::EXP_M1, "expm1"),
        (&ops::LN, "log"),
        (&ops::LN_1P, "log1p"),
        (&ops::LOG2, "log2"),
        (&ops::LOG10, "log10"),
        (&ops::CBRT, "cbrt"),
        (&ops::FLOOR, "floor"),
        (&ops::CEIL, "ceil"),
        (&ops::ROUND, "round"),
        (&ops::TRUNC, "trunc"),
    ];
    if *op == ops::RECIP {
        return Some(format!("1.0 / {x}"));
    }
    if *op == ops::SIGNUM {
        return Some(format!("overdub_signum({x})"));
    }
    table.iter().find(|(of, _)| *of == op).map(|(_, name)| format!("{name}({x})"))
}

/// The name of a function of two floats.
fn of_two(op: &OpDef) -> Option<&'static str> {
    let table: [(&OpDef, &str); 5] = [
        (&ops::MIN, "overdub_min"),
        (&ops::MAX, "overdub_max"),
        (&ops::ATAN2, "atan2"),
        (&ops::POWF, "pow"),
        (&ops::HYPOT, "hypot"),
    ];
    table.iter().find(|(of, _)| *of == op).map(|(_, name)| *name)
}
