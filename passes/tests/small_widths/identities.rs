//! `simplify`, `gvn` and constant folding agree with Rust on all 8-bit integers, failures included.

use overdub_context::interp::{Interpreter, Output};
use overdub_context::ir::{Const, Func, FuncBuilder, IntTy, Module, Operand, Ty};
use overdub_context::ops::{self, OpDef};
use overdub_context::value::Value;
use overdub_passes::{Scope, by_name};

/// A binary operation, and Rust's result, none where it fails.
type Row = (&'static OpDef, fn(i8, i8) -> Option<i8>, fn(u8, u8) -> Option<u8>);

macro_rules! rows {
    ($($op:ident ($x:ident, $y:ident) => $formula:expr;)*) => {
        &[$((&ops::$op, |$x: i8, $y: i8| -> Option<i8> { $formula }, |$x: u8, $y: u8| -> Option<u8> { $formula })),*]
    };
}

/// All binary operations whose result has the type of their operands.
const ROWS: &[Row] = rows! {
    ADD (x, y) => x.checked_add(y);
    SUB (x, y) => x.checked_sub(y);
    MUL (x, y) => x.checked_mul(y);
    DIV (x, y) => x.checked_div(y);
    REM (x, y) => x.checked_rem(y);
    DIV_EUCLID (x, y) => x.checked_div_euclid(y);
    REM_EUCLID (x, y) => x.checked_rem_euclid(y);
    MIN (x, y) => Some(x.min(y));
    MAX (x, y) => Some(x.max(y));
    AND (x, y) => Some(x & y);
    OR (x, y) => Some(x | y);
    XOR (x, y) => Some(x ^ y);
    SHL (x, y) => shift(i32::from(y)).and_then(|y| x.checked_shl(y));
    SHR (x, y) => shift(i32::from(y)).and_then(|y| x.checked_shr(y));
    ADD_WRAPPING (x, y) => Some(x.wrapping_add(y));
    SUB_WRAPPING (x, y) => Some(x.wrapping_sub(y));
    MUL_WRAPPING (x, y) => Some(x.wrapping_mul(y));
    DIV_WRAPPING (x, y) => (y != 0).then(|| x.wrapping_div(y));
    REM_WRAPPING (x, y) => (y != 0).then(|| x.wrapping_rem(y));
    ADD_SATURATING (x, y) => Some(x.saturating_add(y));
    SUB_SATURATING (x, y) => Some(x.saturating_sub(y));
    MUL_SATURATING (x, y) => Some(x.saturating_mul(y));
};

/// The distance of a shift, unless it is negative.
fn shift(by: i32) -> Option<u32> {
    u32::try_from(by).ok()
}

/// A unary operation, and Rust's result.
type RowOfOne = (&'static OpDef, fn(i8) -> Option<i8>, fn(u8) -> Option<u8>);

/// All unary operations.
const ONES: &[RowOfOne] = &[
    (&ops::NOT, |x| Some(!x), |x| Some(!x)),
    (&ops::NEG_WRAPPING, |x| Some(x.wrapping_neg()), |x| Some(x.wrapping_neg())),
    (&ops::REVERSE_BITS, |x| Some(x.reverse_bits()), |x| Some(x.reverse_bits())),
    (&ops::SWAP_BYTES, |x| Some(x.swap_bytes()), |x| Some(x.swap_bytes())),
];

/// A comparison, and Rust's result.
type Comparison = (&'static OpDef, fn(i32, i32) -> bool);

const PASSES: [&str; 2] = ["simplify", "gvn"];

/// An 8-bit integer type.
trait Small: Copy + PartialEq + Into<i32> + Into<Value<'static>> + std::fmt::Debug + 'static {
    const INT: IntTy;
    fn all() -> impl Iterator<Item = Self> + Clone;
    fn row(row: &Row) -> fn(Self, Self) -> Option<Self>;
}

impl Small for i8 {
    const INT: IntTy = IntTy::I8;
    fn all() -> impl Iterator<Item = i8> + Clone {
        i8::MIN..=i8::MAX
    }
    fn row(row: &Row) -> fn(i8, i8) -> Option<i8> {
        row.1
    }
}

impl Small for u8 {
    const INT: IntTy = IntTy::U8;
    fn all() -> impl Iterator<Item = u8> + Clone {
        u8::MIN..=u8::MAX
    }
    fn row(row: &Row) -> fn(u8, u8) -> Option<u8> {
        row.2
    }
}

fn constant(value: impl Into<Value<'static>>) -> Operand {
    Operand::Const(Const::new(value.into()).expect("a scalar is a constant"))
}

/// A function with `params` parameters of a type, and the instructions for its result.
fn func(params: usize, ty: Ty, ret: Ty, make: impl FnOnce(&mut FuncBuilder, &[Operand]) -> Operand) -> Func {
    let mut build = FuncBuilder::new("f", ret);
    let params: Vec<Operand> = (0..params).map(|k| build.param(&format!("x{k}"), ty).into()).collect();
    let result = make(&mut build, &params);
    build.ret(result).expect("the block is open");
    build.finish().expect("all blocks end")
}

fn op(build: &mut FuncBuilder, op: &'static OpDef, args: &[Operand]) -> Operand {
    build.op(op, args.iter().cloned()).expect("the operands fit").into()
}

/// The text of a function.
fn text(func: &Func) -> String {
    overdub_context::text::Printer::new().func(func).to_string()
}

/// Runs a function, and its result after each pass, on all arguments, and compares them with Rust.
fn check(func: &Func, args: &[Vec<Value<'static>>], rust: impl Fn(usize) -> Option<Value<'static>>) {
    let before = text(func);
    let mut changed: Vec<Func> = Vec::new();
    for pass in PASSES {
        let after = by_name(pass).expect("it is a pass").apply(func, &Scope::none());
        if text(&after) != before {
            changed.push(after);
        }
    }
    for func in changed {
        let shown = text(&func);
        let module = Module::new();
        module.define(func);
        let mut interpreter = Interpreter::new(&module).with_output(Output::Discard);
        for (k, args) in args.iter().enumerate() {
            match (interpreter.run("f", args.clone()), rust(k)) {
                (Ok(value), Some(rust)) if value.same(&rust) => {}
                (Err(_), None) => {}
                (ours, rust) => {
                    panic!("{before}became\n{shown}which gives {ours:?} for {args:?}, and Rust {rust:?}")
                }
            }
        }
    }
}

fn one_operand_is_constant<T: Small>() {
    let args: Vec<Vec<Value<'static>>> = T::all().map(|x| vec![x.into()]).collect();
    let all: Vec<T> = T::all().collect();
    let ty = Ty::int(T::INT);
    for row in ROWS {
        let rust = T::row(row);
        for c in T::all() {
            let right = func(1, ty, ty, |build, x| op(build, row.0, &[x[0].clone(), constant(c)]));
            check(&right, &args, |k| rust(all[k], c).map(Into::into));
            let left = func(1, ty, ty, |build, x| op(build, row.0, &[constant(c), x[0].clone()]));
            check(&left, &args, |k| rust(c, all[k]).map(Into::into));
        }
        let same = func(1, ty, ty, |build, x| op(build, row.0, &[x[0].clone(), x[0].clone()]));
        check(&same, &args, |k| rust(all[k], all[k]).map(Into::into));
    }
}

#[test]
fn operations_with_one_constant_give_what_rust_gives() {
    one_operand_is_constant::<u8>();
    one_operand_is_constant::<i8>();
}

/// Folded constants are what Rust computes; operations that fail in Rust are not folded. Tries every 17th number with all
/// others, which takes a second; with `EXHAUSTIVE` in the environment, all pairs.
fn both_operands_are_constant<T: Small>() {
    let ty = Ty::int(T::INT);
    let stride = if std::env::var_os("EXHAUSTIVE").is_some() { 1 } else { 17 };
    for row in ROWS {
        for a in T::all().step_by(stride) {
            let list = func(0, ty, Ty::array(ty, 1), |build, _| {
                let all: Vec<Operand> =
                    T::all().map(|b| op(build, row.0, &[constant(a), constant(b)])).collect();
                build.op_as(&ops::ARRAY, all, Ty::array(ty, 1)).expect("they are of one type").into()
            });
            let folded = by_name("simplify").expect("it is a pass").apply(&list, &Scope::none());
            let last = folded.blocks[0].insts.last().expect("the array is made");
            for (operand, b) in last.kind.operands().zip(T::all()) {
                let ours = operand.constant().map(|constant| constant.value().clone());
                let rust = T::row(row)(a, b).map(Into::into);
                let same = match (&ours, &rust) {
                    (Some(ours), Some(rust)) => Value::same(ours, rust),
                    (None, None) => true,
                    _ => false,
                };
                assert!(same, "{} of {a:?} and {b:?}: {ours:?}, but {rust:?} by Rust", row.0.name);
            }
        }
    }
}

#[test]
fn constants_fold_to_what_rust_computes() {
    both_operands_are_constant::<u8>();
    both_operands_are_constant::<i8>();
}

/// All pairs with a corner case.
fn pairs<T: Small>() -> Vec<(T, T)> {
    let corners: Vec<T> = T::all()
        .filter(|n| [0, 1, 2, 126, 127, 128, 254, 255, -1, -127, -128].contains(&(*n).into()))
        .collect();
    T::all().flat_map(|a| corners.iter().flat_map(move |&b| [(a, b), (b, a)]).collect::<Vec<_>>()).collect()
}

fn operations_of_operations<T: Small>() {
    let ty = Ty::int(T::INT);
    let pairs = pairs::<T>();
    let args: Vec<Vec<Value<'static>>> = pairs.iter().map(|&(a, b)| vec![a.into(), b.into()]).collect();
    for row in ROWS {
        let both = func(2, ty, Ty::tuple([ty, ty]), |build, x| {
            let parts = [op(build, row.0, x), op(build, row.0, &[x[1].clone(), x[0].clone()])];
            op(build, &ops::TUPLE, &parts)
        });
        check(&both, &args, |k| {
            let (a, b) = pairs[k];
            let parts = [T::row(row)(a, b)?, T::row(row)(b, a)?];
            Some(Value::tuple(parts.map(Into::into)))
        });
    }
    let comparisons: [Comparison; 6] = [
        (&ops::LT, |a, b| a < b),
        (&ops::LE, |a, b| a <= b),
        (&ops::GT, |a, b| a > b),
        (&ops::GE, |a, b| a >= b),
        (&ops::EQ, |a, b| a == b),
        (&ops::NE, |a, b| a != b),
    ];
    for (compare, rust) in comparisons {
        let negated = func(2, ty, Ty::bool(), |build, x| {
            let compared = op(build, compare, x);
            op(build, &ops::NOT, &[compared])
        });
        let rust = |k: usize| rust(pairs[k].0.into(), pairs[k].1.into());
        check(&negated, &args, |k| Some((!rust(k)).into()));
        let twice = func(2, ty, Ty::bool(), |build, x| {
            let compared = op(build, compare, x);
            let not = op(build, &ops::NOT, &[compared]);
            op(build, &ops::NOT, &[not])
        });
        check(&twice, &args, |k| Some(rust(k).into()));
    }
}

#[test]
fn operations_of_operations_give_what_rust_gives() {
    operations_of_operations::<u8>();
    operations_of_operations::<i8>();
}

#[test]
fn operations_done_twice_give_what_rust_gives() {
    for (one, signed, unsigned) in ONES {
        let twice = |ty| {
            func(1, ty, ty, |build, x| {
                let once = op(build, one, x);
                op(build, one, &[once])
            })
        };
        let args: Vec<Vec<Value<'static>>> = i8::all().map(|x| vec![x.into()]).collect();
        let rust = |k: usize| signed(i8::MIN.wrapping_add(k as i8)).and_then(signed).map(Value::from);
        check(&twice(Ty::int(IntTy::I8)), &args, rust);
        let args: Vec<Vec<Value<'static>>> = u8::all().map(|x| vec![x.into()]).collect();
        check(&twice(Ty::u8()), &args, |k| unsigned(k as u8).and_then(unsigned).map(Value::from));
    }
}

#[test]
fn logic_gives_what_rust_gives() {
    type Logic = (&'static OpDef, fn(bool, bool) -> bool);
    let rows: [Logic; 5] = [
        (&ops::AND, |a, b| a & b),
        (&ops::OR, |a, b| a | b),
        (&ops::XOR, |a, b| a ^ b),
        (&ops::EQ, |a, b| a == b),
        (&ops::NE, |a, b| a != b),
    ];
    let bools = [false, true];
    let args: Vec<Vec<Value<'static>>> = bools.iter().map(|x| vec![(*x).into()]).collect();
    for (logic, rust) in rows {
        for c in bools {
            let right =
                func(1, Ty::bool(), Ty::bool(), |build, x| op(build, logic, &[x[0].clone(), constant(c)]));
            check(&right, &args, |k| Some(rust(bools[k], c).into()));
            let left =
                func(1, Ty::bool(), Ty::bool(), |build, x| op(build, logic, &[constant(c), x[0].clone()]));
            check(&left, &args, |k| Some(rust(c, bools[k]).into()));
        }
        let same =
            func(1, Ty::bool(), Ty::bool(), |build, x| op(build, logic, &[x[0].clone(), x[0].clone()]));
        check(&same, &args, |k| Some(rust(bools[k], bools[k]).into()));
    }
}
