//! Instruction selection: the operations that have a step of their own. All others are evaluated lane by lane.

use overdub_context::ir::{IntTy, Operand, Ty, TyKind};
use overdub_context::ops::{self, OpDef};
use overdub_passes::fast_math::{COS_FAST, EXP_FAST, LN_FAST, POWF_FAST, SIN_FAST, TANH_FAST};

use crate::layout::is_f64;
use crate::lower::Lowering;
use crate::program::{
    Arith, Binary, Compared, Division, Function, Logic, OfOne, OfTwo, Place, Relation, Step, Unary,
};

/// The steps for an operation, and where they leave the result.
pub(crate) struct Selected {
    pub(crate) steps: Vec<Step>,
    pub(crate) result: Vec<Place>,
}

/// The entry of a table for an operation.
fn row<T: Copy>(op: &OpDef, table: &[(&OpDef, T)]) -> Option<T> {
    table.iter().find(|(of, _)| *of == op).map(|(_, entry)| *entry)
}

/// The functions of one float. Their results are those of the evaluators, which call the same.
fn function(op: &'static OpDef) -> Option<Function<OfOne>> {
    let run: Option<OfOne> = row(
        op,
        &[
            (&ops::SIN, f64::sin),
            (&ops::COS, f64::cos),
            (&ops::TAN, f64::tan),
            (&ops::ASIN, f64::asin),
            (&ops::ACOS, f64::acos),
            (&ops::ATAN, f64::atan),
            (&ops::SINH, f64::sinh),
            (&ops::COSH, f64::cosh),
            (&ops::TANH, f64::tanh),
            (&ops::EXP, f64::exp),
            (&ops::EXP_M1, f64::exp_m1),
            (&ops::LN, f64::ln),
            (&ops::LN_1P, f64::ln_1p),
            (&ops::LOG2, f64::log2),
            (&ops::LOG10, f64::log10),
            (&ops::CBRT, f64::cbrt),
            (&ops::FLOOR, f64::floor),
            (&ops::CEIL, f64::ceil),
            (&ops::ROUND, f64::round),
            (&ops::TRUNC, f64::trunc),
            (&ops::RECIP, f64::recip),
            (&ops::SIGNUM, f64::signum),
        ],
    );
    run.map(|run| Function { op, run })
}

/// The functions of two floats.
fn function_of_two(op: &'static OpDef) -> Option<Function<OfTwo>> {
    let run: Option<OfTwo> = row(
        op,
        &[
            (&ops::MIN, f64::min),
            (&ops::MAX, f64::max),
            (&ops::ATAN2, f64::atan2),
            (&ops::POWF, f64::powf),
            (&ops::HYPOT, f64::hypot),
        ],
    );
    run.map(|run| Function { op, run })
}

/// The SIMD instructions of one float.
pub(crate) fn float_unary(op: &OpDef) -> Option<Unary> {
    row(
        op,
        &[
            (&ops::NEG, Unary::Neg),
            (&ops::ABS, Unary::Abs),
            (&ops::SQRT, Unary::Sqrt),
            (&EXP_FAST, Unary::Exp),
            (&LN_FAST, Unary::Ln),
            (&TANH_FAST, Unary::Tanh),
            (&SIN_FAST, Unary::Sin),
            (&COS_FAST, Unary::Cos),
        ],
    )
}

/// Those of two.
pub(crate) fn float_binary(op: &OpDef) -> Option<Binary> {
    row(
        op,
        &[
            (&ops::ADD, Binary::Add),
            (&ops::SUB, Binary::Sub),
            (&ops::MUL, Binary::Mul),
            (&ops::DIV, Binary::Div),
            (&ops::MUL_ZERO, Binary::MulZero),
            (&POWF_FAST, Binary::Powf),
        ],
    )
}

/// The step for two integers of a type.
fn int_step(op: &OpDef, int: IntTy, d: u32, a: u32, b: u32) -> Option<Step> {
    Some(match op {
        _ if *op == ops::ADD => Step::Checked(Arith::Add, int, d, a, b),
        _ if *op == ops::SUB => Step::Checked(Arith::Sub, int, d, a, b),
        _ if *op == ops::MUL => Step::Checked(Arith::Mul, int, d, a, b),
        _ if *op == ops::ADD_WRAPPING => Step::Wrapping(Arith::Add, int, d, a, b),
        _ if *op == ops::SUB_WRAPPING => Step::Wrapping(Arith::Sub, int, d, a, b),
        _ if *op == ops::MUL_WRAPPING => Step::Wrapping(Arith::Mul, int, d, a, b),
        _ if *op == ops::DIV => Step::Division(Division::Quotient, int, d, a, b),
        _ if *op == ops::REM => Step::Division(Division::Remainder, int, d, a, b),
        // The extension to 64 bits is that of the result, too.
        _ if *op == ops::AND => Step::Binary(Binary::And, d, a, b),
        _ if *op == ops::OR => Step::Binary(Binary::Or, d, a, b),
        _ if *op == ops::XOR => Step::Binary(Binary::Xor, d, a, b),
        _ => return None,
    })
}

/// The word of a float as an integer of a type.
fn to_int(int: IntTy) -> Option<fn(u64) -> u64> {
    Some(match int {
        IntTy::I8 => |x| f64::from_bits(x) as i8 as u64,
        IntTy::I16 => |x| f64::from_bits(x) as i16 as u64,
        IntTy::I32 => |x| f64::from_bits(x) as i32 as u64,
        IntTy::I64 | IntTy::Isize => |x| f64::from_bits(x) as i64 as u64,
        IntTy::U8 => |x| f64::from_bits(x) as u8 as u64,
        IntTy::U16 => |x| f64::from_bits(x) as u16 as u64,
        IntTy::U32 => |x| f64::from_bits(x) as u32 as u64,
        IntTy::U64 | IntTy::Usize => |x| f64::from_bits(x) as u64,
        IntTy::I128 | IntTy::U128 => return None,
    })
}

fn relation(op: &OpDef) -> Option<Relation> {
    row(
        op,
        &[
            (&ops::EQ, Relation::Eq),
            (&ops::NE, Relation::Ne),
            (&ops::LT, Relation::Lt),
            (&ops::LE, Relation::Le),
            (&ops::GT, Relation::Gt),
            (&ops::GE, Relation::Ge),
        ],
    )
}

fn logic(op: &OpDef) -> Option<Logic> {
    row(
        op,
        &[(&ops::AND, Logic::And), (&ops::OR, Logic::Or), (&ops::XOR, Logic::Xor), (&ops::NOT, Logic::Not)],
    )
}

/// What values of a type are compared as.
fn compared(ty: Ty) -> Option<Compared> {
    match ty.kind() {
        _ if is_f64(ty) => Some(Compared::Floats),
        TyKind::Int(int) if int.is_signed() => Some(Compared::Signed),
        TyKind::Int(_) | TyKind::Char => Some(Compared::Unsigned),
        _ => None,
    }
}

/// The steps for an operation on these places; none if it has none of its own.
pub(crate) fn select(
    lowering: &mut Lowering<'_>,
    op: &'static OpDef,
    args: &[Operand],
    places: &[Vec<Place>],
    ret: Ty,
) -> Option<Selected> {
    if *op == ops::SELECT {
        return choice(lowering, places);
    }
    let first = lowering.ty(args.first()?);
    let one = |place: &Vec<Place>| <[Place; 1]>::try_from(&place[..]).ok();
    let all = places.iter().map(|place| Some(one(place)?[0])).collect::<Option<Vec<_>>>()?;
    let to_word = |lowering: &mut Lowering<'_>, step: &dyn Fn(u32) -> Step| {
        let d = lowering.word();
        Some(Selected { steps: vec![step(d)], result: vec![Place::Word(d)] })
    };
    let to_mask = |lowering: &mut Lowering<'_>, step: &dyn Fn(u32) -> Step| {
        let d = lowering.mask();
        Some(Selected { steps: vec![step(d)], result: vec![Place::Mask(d)] })
    };
    match (&all[..], first.kind()) {
        ([Place::Word(a)], _) if is_f64(first) && is_f64(ret) => {
            if let Some(unary) = float_unary(op) {
                return to_word(lowering, &|d| Step::Unary(unary, d, *a));
            }
            let function = function(op)?;
            to_word(lowering, &|d| Step::Call(function, d, *a))
        }
        ([Place::Word(a)], TyKind::Int(int)) if *op == ops::CAST && is_f64(ret) => {
            let from = if int.is_signed() { Unary::FromSigned } else { Unary::FromUnsigned };
            to_word(lowering, &|d| Step::Unary(from, d, *a))
        }
        ([Place::Word(a)], TyKind::Int(_) | TyKind::Float(_)) if *op == ops::CAST => match ret.kind() {
            TyKind::Int(to) if to.bits() <= 64 && is_f64(first) => {
                let function = to_int(*to)?;
                to_word(lowering, &|d| Step::ToInt(*to, function, d, *a))
            }
            TyKind::Int(to) if to.bits() <= 64 && matches!(first.kind(), TyKind::Int(_)) => {
                to_word(lowering, &|d| Step::Wrap(*to, d, *a))
            }
            _ => None,
        },
        ([Place::Word(a), Place::Word(b)], _) if is_f64(first) && is_f64(ret) => {
            if let Some(binary) = float_binary(op) {
                return to_word(lowering, &|d| Step::Binary(binary, d, *a, *b));
            }
            let function = function_of_two(op).filter(|_| args.iter().all(|arg| is_f64(lowering.ty(arg))))?;
            to_word(lowering, &|d| Step::Call2(function, d, *a, *b))
        }
        ([Place::Word(a), Place::Word(b)], _) if relation(op).is_some() => {
            let (relation, of) = (relation(op)?, compared(first)?);
            to_mask(lowering, &|d| Step::Compare(relation, of, d, *a, *b))
        }
        ([Place::Word(a), Place::Word(b)], TyKind::Int(int)) if first == ret => {
            let d = lowering.word();
            Some(Selected { steps: vec![int_step(op, *int, d, *a, *b)?], result: vec![Place::Word(d)] })
        }
        ([Place::Mask(a), Place::Mask(b)], _) => {
            let logic = logic(op)?;
            to_mask(lowering, &|d| Step::Logic(logic, d, *a, *b))
        }
        ([Place::Mask(a)], _) => {
            let logic = logic(op)?;
            to_mask(lowering, &|d| Step::Logic(logic, d, *a, *a))
        }
        ([Place::Array(array), Place::Word(index)], TyKind::Array(of)) if is_f64(of.elem) && of.rank == 1 => {
            let is_read = *op == ops::GET || *op == ops::GET_UNCHECKED;
            is_read.then(|| to_word(lowering, &|d| Step::Gather(d, *array, *index)))?
        }
        _ => None,
    }
}

/// A `select` of values of any type.
fn choice(lowering: &mut Lowering<'_>, places: &[Vec<Place>]) -> Option<Selected> {
    let [condition, then, otherwise] = places else { return None };
    let [Place::Mask(on)] = condition[..] else { return None };
    let (mut steps, mut result) = (Vec::new(), Vec::new());
    for pair in then.iter().zip(otherwise) {
        match pair {
            (Place::Word(a), Place::Word(b)) => {
                let d = lowering.word();
                steps.push(Step::Select(d, on, *a, *b));
                result.push(Place::Word(d));
            }
            (Place::Mask(a), Place::Mask(b)) => {
                let d = lowering.mask();
                steps.push(Step::SelectMask(d, on, *a, *b));
                result.push(Place::Mask(d));
            }
            (a, b) if a == b => result.push(*a),
            _ => return None,
        }
    }
    Some(Selected { steps, result })
}
