//! The operations with code of their own, and the functions that emit it.

use std::sync::LazyLock;

use cranelift_codegen::ir::Opcode;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use hashbrown::HashMap;
use overdub_context::ops::{self, OpDef};
use overdub_passes::fast_math;

use super::OpInst;
use super::floats::{Extreme, Sign};
use super::integers::{Arithmetic, Division, OnOverflow, Shift};
use crate::codegen::func_cx::FuncCx;
use crate::codegen::operands::Values;
use crate::runtime::float_functions as float;

/// Lowers an operation to the components of its result. `None` if it has no code for operands of these types:
/// then nothing has been emitted, and the evaluator runs the operation.
pub(super) type Lower = fn(&mut FuncCx<'_>, &OpInst<'_>) -> Option<Values>;

/// The lowering of an operation, if it has one.
pub(super) fn lowering(op: &'static OpDef) -> Option<Lower> {
    static BY_OP: LazyLock<HashMap<&'static OpDef, Lower>> = LazyLock::new(|| {
        let by_function: Lower = |cx, inst| cx.named_float_function(inst);
        let functions = ops::FLOAT_FUNCTIONS.iter().map(|function| (function.op, by_function));
        functions.chain(LOWERINGS.iter().copied()).collect()
    });
    BY_OP.get(op).copied()
}

/// The operations with a lowering of their own; other functions of floats are called by their address.
#[rustfmt::skip]
pub(super) static LOWERINGS: &[(&OpDef, Lower)] = &[
    (&ops::ADD, |cx, inst| cx.arithmetic(inst, Arithmetic::Add, Opcode::Fadd)),
    (&ops::SUB, |cx, inst| cx.arithmetic(inst, Arithmetic::Sub, Opcode::Fsub)),
    (&ops::MUL, |cx, inst| cx.arithmetic(inst, Arithmetic::Mul, Opcode::Fmul)),
    (&ops::DIV, |cx, inst| cx.int_division(inst, Division::Quotient).or_else(|| cx.float_binary(inst, Opcode::Fdiv))),
    (&ops::REM, |cx, inst| cx.int_division(inst, Division::Remainder).or_else(|| cx.float_function(inst, float::rem))),
    (&ops::NEG, |cx, inst| cx.int_neg(inst, OnOverflow::Fail).or_else(|| cx.float_sign(inst, Sign::Flip))),
    (&ops::MIN, |cx, inst| cx.int_extreme(inst, IntCC::SignedLessThan).or_else(|| cx.float_extreme(inst, Extreme::Min))),
    (&ops::MAX, |cx, inst| cx.int_extreme(inst, IntCC::SignedGreaterThan).or_else(|| cx.float_extreme(inst, Extreme::Max))),

    (&ops::ADD_WRAPPING,    |cx, inst| cx.int_arithmetic(inst, Arithmetic::Add, OnOverflow::Wrap)),
    (&ops::SUB_WRAPPING,    |cx, inst| cx.int_arithmetic(inst, Arithmetic::Sub, OnOverflow::Wrap)),
    (&ops::MUL_WRAPPING,    |cx, inst| cx.int_arithmetic(inst, Arithmetic::Mul, OnOverflow::Wrap)),
    (&ops::NEG_WRAPPING,    |cx, inst| cx.int_neg(inst, OnOverflow::Wrap)),
    (&ops::ADD_CHECKED,     |cx, inst| cx.int_arithmetic(inst, Arithmetic::Add, OnOverflow::None)),
    (&ops::SUB_CHECKED,     |cx, inst| cx.int_arithmetic(inst, Arithmetic::Sub, OnOverflow::None)),
    (&ops::MUL_CHECKED,     |cx, inst| cx.int_arithmetic(inst, Arithmetic::Mul, OnOverflow::None)),
    (&ops::ADD_OVERFLOWING, |cx, inst| cx.int_arithmetic(inst, Arithmetic::Add, OnOverflow::Flag)),
    (&ops::SUB_OVERFLOWING, |cx, inst| cx.int_arithmetic(inst, Arithmetic::Sub, OnOverflow::Flag)),
    (&ops::MUL_OVERFLOWING, |cx, inst| cx.int_arithmetic(inst, Arithmetic::Mul, OnOverflow::Flag)),

    (&ops::NOT, |cx, inst| cx.not(inst)),
    (&ops::AND, |cx, inst| cx.bitwise(inst, Opcode::Band)),
    (&ops::OR,  |cx, inst| cx.bitwise(inst, Opcode::Bor)),
    (&ops::XOR, |cx, inst| cx.bitwise(inst, Opcode::Bxor)),
    (&ops::SHL, |cx, inst| cx.shift(inst, Shift::Left, OnOverflow::Fail)),
    (&ops::SHR, |cx, inst| cx.shift(inst, Shift::Right, OnOverflow::Fail)),
    (&ops::SHL_WRAPPING, |cx, inst| cx.shift(inst, Shift::Left, OnOverflow::Wrap)),
    (&ops::SHR_WRAPPING, |cx, inst| cx.shift(inst, Shift::Right, OnOverflow::Wrap)),
    (&ops::ROTATE_LEFT,  |cx, inst| cx.rotate(inst, Opcode::Rotl)),
    (&ops::ROTATE_RIGHT, |cx, inst| cx.rotate(inst, Opcode::Rotr)),

    (&ops::EQ, |cx, inst| cx.comparison(inst, FloatCC::Equal, IntCC::Equal)),
    (&ops::NE, |cx, inst| cx.comparison(inst, FloatCC::NotEqual, IntCC::NotEqual)),
    (&ops::LT, |cx, inst| cx.comparison(inst, FloatCC::LessThan, IntCC::SignedLessThan)),
    (&ops::LE, |cx, inst| cx.comparison(inst, FloatCC::LessThanOrEqual, IntCC::SignedLessThanOrEqual)),
    (&ops::GT, |cx, inst| cx.comparison(inst, FloatCC::GreaterThan, IntCC::SignedGreaterThan)),
    (&ops::GE, |cx, inst| cx.comparison(inst, FloatCC::GreaterThanOrEqual, IntCC::SignedGreaterThanOrEqual)),
    (&ops::CMP,         |cx, inst| cx.total_order(inst)),
    (&ops::PARTIAL_CMP, |cx, inst| cx.partial_order(inst)),

    (&ops::ABS,      |cx, inst| cx.float_sign(inst, Sign::Clear)),
    (&ops::SQRT,     |cx, inst| cx.float_unary(inst, Opcode::Sqrt)),
    (&ops::COPYSIGN, |cx, inst| cx.float_binary(inst, Opcode::Fcopysign)),
    (&ops::MUL_ZERO, |cx, inst| cx.float_mul_zero(inst)),
    (&ops::RECIP,    |cx, inst| cx.recip(inst)),
    (&ops::IS_NAN,   |cx, inst| cx.is_nan(inst)),
    (&ops::TO_BITS,  |cx, inst| cx.lower_to_bits(inst)),
    (&ops::POWI,     |cx, inst| cx.powi(inst)),
    (&ops::FLOOR, |cx, inst| cx.rounding(inst, Opcode::Floor)),
    (&ops::CEIL,  |cx, inst| cx.rounding(inst, Opcode::Ceil)),
    (&ops::TRUNC, |cx, inst| cx.rounding(inst, Opcode::Trunc)),
    (&ops::ROUND_TIES_EVEN, |cx, inst| cx.rounding(inst, Opcode::Nearest)),

    (&ops::SIGNUM, |cx, inst| cx.float_function(inst, float::signum)),
    (&ops::DIV_EUCLID, |cx, inst| cx.float_function(inst, float::div_euclid)),
    (&ops::REM_EUCLID, |cx, inst| cx.float_function(inst, float::rem_euclid)),
    (&fast_math::EXP_FAST, |cx, inst| cx.float_function(inst, float::exp_fast)),
    (&fast_math::LN_FAST,  |cx, inst| cx.float_function(inst, float::ln_fast)),
    (&fast_math::SIN_FAST, |cx, inst| cx.float_function(inst, float::sin_fast)),
    (&fast_math::COS_FAST, |cx, inst| cx.float_function(inst, float::cos_fast)),

    (&ops::CAST,      |cx, inst| cx.cast(inst)),
    (&ops::FROM_BITS, |cx, inst| cx.lower_from_bits(inst)),
    (&ops::SELECT,    |cx, inst| cx.select(inst)),
    (&ops::DUP,       |cx, inst| cx.same_value(inst)),
    (&ops::BLACK_BOX, |cx, inst| cx.same_value(inst)),
    (&ops::STEPS_ADD, |cx, inst| cx.steps_add(inst)),

    (&ops::TUPLE,        |cx, inst| cx.aggregate(inst)),
    (&ops::STRUCT,       |cx, inst| cx.aggregate(inst)),
    (&ops::CLOSURE,      |cx, inst| cx.aggregate(inst)),
    (&ops::VARIANT,      |cx, inst| cx.variant(inst)),
    (&ops::TAG,          |cx, inst| cx.tag(inst)),
    (&ops::FIELD,        |cx, inst| cx.field(inst)),
    (&ops::CAPTURED,     |cx, inst| cx.field(inst)),
    (&ops::PAYLOAD,      |cx, inst| cx.payload(inst)),
    (&ops::WITH_FIELD,   |cx, inst| cx.with_field(inst)),
    (&ops::WITH_PAYLOAD, |cx, inst| cx.with_payload(inst)),
    (&ops::TAKE_FIELD,   |cx, inst| cx.take_field(inst)),
    (&ops::TAKE_PAYLOAD, |cx, inst| cx.take_payload(inst)),

    (&ops::REPEAT, |cx, inst| cx.repeat(inst)),
    (&ops::LEN,    |cx, inst| cx.on_elements(inst, |cx, inst, _| cx.len(inst), |cx, inst, _| cx.packed_len(inst))),
    (&ops::GET,    |cx, inst| cx.on_elements(inst, FuncCx::get, FuncCx::get_packed)),
    (&ops::GET_UNCHECKED, |cx, inst| cx.on_elements(inst, FuncCx::get_unchecked, FuncCx::get_packed)),
    (&ops::GET_CHECKED,   |cx, inst| cx.on_elements(inst, FuncCx::get_checked, FuncCx::get_checked_packed)),
    (&ops::SET,           |cx, inst| cx.on_elements(inst, FuncCx::set, FuncCx::set_packed)),
    (&ops::SET_UNCHECKED, |cx, inst| cx.on_elements(inst, FuncCx::set, FuncCx::set_packed)),
    (&ops::SLICE,     |cx, inst| cx.on_elements(inst, FuncCx::slice, FuncCx::slice_packed)),
    (&ops::PUSH,      |cx, inst| cx.on_elements(inst, FuncCx::push, FuncCx::push_packed)),
    (&ops::POP,       |cx, inst| cx.on_elements(inst, FuncCx::pop, FuncCx::pop_packed)),
    (&ops::TAKE_ELEM, |cx, inst| cx.on_elements(inst, FuncCx::take_elem, FuncCx::take_elem_packed)),
    (&ops::TRUNCATE,  |cx, inst| cx.on_scalars(inst, |cx, inst, _| cx.truncate(inst))),

    (&ops::STACK_NEW,  |cx, inst| cx.stack_new(inst)),
    (&ops::STACK_PUSH, |cx, inst| cx.stack_push(inst)),
    (&ops::STACK_POP,  |cx, inst| cx.stack_pop(inst)),
    (&ops::STACK_PEEK, |cx, inst| cx.stack_peek(inst)),
    (&ops::STACK_LEN,  |cx, inst| cx.stack_len(inst)),
];

impl FuncCx<'_> {
    /// `add`, `sub`, `mul`: integers fail on overflow.
    fn arithmetic(&mut self, inst: &OpInst<'_>, int: Arithmetic, float: Opcode) -> Option<Values> {
        self.int_arithmetic(inst, int, OnOverflow::Fail).or_else(|| self.float_binary(inst, float))
    }
}
