//! How each operation is run: by code of its own, or by its evaluator, and why.
//!
//! Every operation of the engine is in [`LOWERINGS`], or in [`EVALUATED`] with a reason, or is a function of floats
//! alone, which is called by its address; a test names those that are in none.

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
use crate::values::Packing;

/// Lowers an operation to the components of its result. `None` if it has no code for operands of these types:
/// then nothing has been emitted, and the evaluator runs the operation.
pub(super) type Lower = fn(&mut FuncCx<'_>, &OpInst<'_>) -> Option<Values>;

/// How an operation is run.
#[derive(Clone, Copy)]
pub(super) enum Row {
    /// By this code; by its evaluator on operands of types for which there is none.
    Lowered(Lower),
    /// By its evaluator.
    Evaluated(Packing),
}

/// Operations that evaluators run: the reason why a lowering would gain nothing, whether the vectors in their
/// results are packed, and the operations. Results are packed of evaluators that leave the elements unpacked: these
/// have visited all of them, so that packing adds no cost.
type Evaluated = (&'static str, Packing, &'static [&'static OpDef]);

/// The row of an operation; those of plugins have none.
pub(super) fn row(op: &'static OpDef) -> Option<Row> {
    static BY_OP: LazyLock<HashMap<&'static OpDef, Row>> = LazyLock::new(|| {
        let by_function: Lower = |cx, inst| cx.named_float_function(inst);
        let functions = ops::FLOAT_FUNCTIONS.iter().map(|function| (function.op, by_function));
        // The later row of a function that also has code replaces the earlier one.
        let lowered = functions.chain(LOWERINGS.iter().copied()).map(|(op, lower)| (op, Row::Lowered(lower)));
        let evaluated = EVALUATED.iter().flat_map(|(_, packing, ops)| ops.iter().map(|op| (*op, *packing)));
        lowered.chain(evaluated.map(|(op, packing)| (op, Row::Evaluated(packing)))).collect()
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
    (&fast_math::TANH_FAST, |cx, inst| cx.float_function(inst, float::tanh_fast)),
    (&fast_math::POWF_FAST, |cx, inst| cx.float_function(inst, float::powf_fast)),
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

    (&ops::REPEAT, |cx, inst| cx.repeat(inst).or_else(|| Some(cx.evaluate(inst, Packing::Pack)))),
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

/// The operations without a lowering.
#[rustfmt::skip]
pub(super) static EVALUATED: &[Evaluated] = &[
    ("the work is that of the text, and a call beside it costs nothing", Packing::Keep, &[
        &ops::STR_BYTES, &ops::STR_CHARS, &ops::STR_CONCAT, &ops::STR_CONTAINS, &ops::STR_ENDS_WITH,
        &ops::STR_ESCAPE_DEBUG, &ops::STR_FIND, &ops::STR_FROM_CHARS, &ops::STR_FROM_UTF8, &ops::STR_LEN,
        &ops::STR_LINES, &ops::STR_PARSE_FLOAT, &ops::STR_PARSE_INT, &ops::STR_PUSH, &ops::STR_REPEAT,
        &ops::STR_REPLACE, &ops::STR_SLICE, &ops::STR_SPLIT, &ops::STR_SPLIT_WHITESPACE,
        &ops::STR_STARTS_WITH, &ops::STR_TO_LOWER, &ops::STR_TO_UPPER, &ops::STR_TRIM, &ops::STR_TRIM_END,
        &ops::STR_TRIM_START, &ops::CHAR_FROM_U32, &ops::CHAR_IS_ALPHABETIC, &ops::CHAR_IS_ALPHANUMERIC,
        &ops::CHAR_IS_LOWERCASE, &ops::CHAR_IS_NUMERIC, &ops::CHAR_IS_UPPERCASE, &ops::CHAR_IS_WHITESPACE,
        &ops::CHAR_TO_LOWER, &ops::CHAR_TO_UPPER, &ops::FMT_CHAR_DEBUG, &ops::FMT_FLOAT, &ops::FMT_INT,
        &ops::FMT_PAD, &ops::FMT_STR_DEBUG,
    ]),
    ("a cell is behind a pointer and a lock, which the host alone takes", Packing::Keep, &[
        &ops::CELL, &ops::GLOBAL, &ops::REF_ELEM, &ops::REF_ELEMS, &ops::REF_FIELD, &ops::REF_GET, &ops::REF_GET_OR,
        &ops::REF_LEN, &ops::REF_PAYLOAD, &ops::REF_SAME, &ops::REF_SET, &ops::REF_SLICE, &ops::REF_TAG,
        &ops::REF_TAKE, &ops::REF_DISTANCE, &ops::REF_POSITION, &ops::REF_END, &ops::REF_FIRST, &ops::REF_FLAT, &ops::REF_FREE,
        &ops::REF_UNION, &ops::UNION_AS, &ops::UNION_GET, &ops::REF_IS_NULL, &ops::REF_NULL,
        &ops::REF_OFFSET, &ops::REF_OVERLAP, &ops::REF_UNALIGNED, &ops::REF_RANGE, &ops::REF_RAW, &ops::REF_REBORROW, &ops::REF_RELOCATED,
        &ops::REF_SHARED, &ops::REF_ALLOC, &ops::REF_ALLOC_ZEROED, &ops::REF_DEALLOC, &ops::REF_REALLOC, &ops::REF_TYPED,
        &ops::REF_SET_LEN, &ops::REF_TAKE_ARRAY, &ops::REF_VARIABLE, &ops::REF_VIEW,
    ]),
    ("an effect on the host", Packing::Keep, &[
        &ops::EPRINT, &ops::PRINT, &ops::CLOCK_NOW, &ops::CLOCK_SYSTEM,
    ]),
    ("an array of any rank, whose evaluator loops over its elements", Packing::Keep, &[
        &ops::ND_BROADCAST, &ops::ND_ELEMS, &ops::ND_EYE, &ops::ND_FROM_ELEMS, &ops::ND_FULL,
        &ops::ND_GET, &ops::ND_RESHAPE, &ops::ND_SET, &ops::ND_SHAPE, &ops::ND_CONCAT,
        &ops::ND_FROM_DIAG, &ops::ND_INDEX_AXIS, &ops::ND_PERMUTE, &ops::ND_SET_AXIS, &ops::ND_SLICE_AXIS,
        &ops::ND_STACK, &ops::ND_TRANSPOSE, &ops::ND_CHOLESKY, &ops::ND_DET, &ops::ND_INV,
        &ops::ND_LN_DET, &ops::ND_SOLVE, &ops::ND_DOT, &ops::ND_MAP, &ops::ND_OUTER, &ops::ND_ZIP_MAP,
        &ops::ND_CUMSUM, &ops::ND_MAX, &ops::ND_MAX_AXIS, &ops::ND_MEAN, &ops::ND_MEAN_AXIS, &ops::ND_MIN,
        &ops::ND_MIN_AXIS, &ops::ND_NORM_L1, &ops::ND_NORM_L2, &ops::ND_NORM_MAX, &ops::ND_PRODUCT,
        &ops::ND_PRODUCT_AXIS, &ops::ND_SUM, &ops::ND_SUM_AXIS, &ops::ND_TRACE,
    ]),
    ("an array, whose evaluator copies all elements of the result one by one", Packing::Pack, &[
        &ops::ARRAY, &ops::ARRAY_ROTATE_LEFT, &ops::ARRAY_ROTATE_RIGHT, &ops::FILL, &ops::REVERSE,
        &ops::GATHER, &ops::SORT_BY, &ops::ND_DIAG,
    ]),
    ("a vector, whose evaluator edits it as it is stored, or whose elements are numbers", Packing::Keep, &[
        &ops::CONCAT, &ops::RANGE, &ops::CAPACITY, &ops::COPY_WITHIN, &ops::INSERT, &ops::REMOVE,
        &ops::RESIZE, &ops::SET_SLICE, &ops::SWAP, &ops::SWAP_REMOVE, &ops::WITH_ROOM, &ops::SORT_ORDER,
    ]),
    ("of integers, and rare in loops", Packing::Keep, &[
        &ops::COUNT_ONES, &ops::COUNT_ZEROS, &ops::LEADING_ONES, &ops::LEADING_ZEROS, &ops::REVERSE_BITS,
        &ops::SWAP_BYTES, &ops::TRAILING_ONES, &ops::TRAILING_ZEROS, &ops::ABS_CHECKED, &ops::ABS_DIFF,
        &ops::ABS_WRAPPING, &ops::ILOG, &ops::ILOG10, &ops::ILOG2, &ops::ISQRT, &ops::IS_POWER_OF_TWO,
        &ops::NEXT_POWER_OF_TWO, &ops::POW, &ops::UNSIGNED_ABS, &ops::ADD_SATURATING, &ops::DIV_CHECKED,
        &ops::DIV_EUCLID_CHECKED, &ops::DIV_WRAPPING, &ops::MUL_SATURATING, &ops::NEG_CHECKED,
        &ops::NEG_OVERFLOWING, &ops::POW_CHECKED, &ops::POW_OVERFLOWING, &ops::POW_SATURATING,
        &ops::POW_WRAPPING, &ops::REM_CHECKED, &ops::REM_EUCLID_CHECKED, &ops::REM_WRAPPING,
        &ops::SHL_CHECKED, &ops::SHR_CHECKED, &ops::SUB_SATURATING,
    ]),
    ("of floats, and rare in loops", Packing::Keep, &[
        &ops::CLAMP, &ops::SIN_COS, &ops::CLASSIFY, &ops::IS_FINITE, &ops::IS_INFINITE, &ops::IS_NORMAL,
        &ops::IS_SIGN_NEGATIVE, &ops::IS_SIGN_POSITIVE, &ops::IS_SUBNORMAL, &ops::NEXT_DOWN,
        &ops::NEXT_UP, &ops::TOTAL_CMP,
    ]),
    ("looks into values of any type", Packing::Keep, &[
        &ops::HAS_HOLE, &ops::ORDER, &ops::SAME, &ops::ERASE, &ops::RECOVER,
    ]),
];

impl FuncCx<'_> {
    /// `add`, `sub`, `mul`: integers fail on overflow.
    fn arithmetic(&mut self, inst: &OpInst<'_>, int: Arithmetic, float: Opcode) -> Option<Values> {
        self.int_arithmetic(inst, int, OnOverflow::Fail).or_else(|| self.float_binary(inst, float))
    }
}
