//! The cost of operations: the number of floating-point operations (FLOPs) of each, on floats or arrays of
//! them.
//!
//! - COST1 an addition, subtraction, multiplication, division, remainder, square root or elementary function
//!   of a float counts one; `mul_add` and `sin_cos` count two. Changes of sign, comparisons, rounding and
//!   conversions count none.
//! - COST2 a sum or product of n elements counts n, a product of matrices two for each product that is added
//!   up; a factorisation counts the leading term of the textbook's formula.
//! - COST3 each operation of the engine that computes floats from floats has a row, unless it only moves them
//!   or is one function of floats (COST1); a test names those without one. The cost of an operation of a
//!   plugin is unknown.

use std::collections::HashMap;
use std::sync::LazyLock;

use overdub_context::ops::{self, *};

/// How the cost of an operation depends on its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cost {
    /// It computes no float.
    None,
    /// This number for each element of the result; a scalar is one element.
    PerElement(u64),
    /// This number for each element of the first operand.
    PerOperand(u64),
    /// One for each row of the first operand, a matrix.
    PerRow,
    /// The cost of a product of its operands, matrices or vectors.
    MatrixProduct,
    /// This many thirds of n³, for a first operand of n rows; with a second operand, also 2n² for each of its
    /// columns.
    Factors(u64),
}

macro_rules! rows {
    ($($cost:expr => $($op:ident)+;)*) => {
        static COSTS: LazyLock<HashMap<&'static OpDef, Cost>> = LazyLock::new(|| {
            HashMap::from_iter([$($((&$op, $cost),)+)*])
        });
    };
}

rows! {
    Cost::None => NEG ABS SIGNUM COPYSIGN MIN MAX CLAMP FLOOR CEIL ROUND ROUND_TIES_EVEN TRUNC FRACT NEXT_UP NEXT_DOWN;
    Cost::None => ND_FROM_DIAG ND_MIN ND_MAX ND_MIN_AXIS ND_MAX_AXIS ND_NORM_MAX;
    Cost::PerElement(1) => ADD SUB MUL DIV REM DIV_EUCLID REM_EUCLID POWI;
    Cost::PerElement(2) => MUL_ADD SIN_COS;
    Cost::PerOperand(1) => ND_SUM ND_PRODUCT ND_MEAN ND_SUM_AXIS ND_PRODUCT_AXIS ND_MEAN_AXIS ND_CUMSUM ND_NORM_L1;
    Cost::PerOperand(2) => ND_NORM_L2;
    Cost::PerElement(1) => ND_OUTER;
    Cost::PerRow => ND_TRACE;
    Cost::MatrixProduct => ND_DOT;
    Cost::Factors(1) => ND_CHOLESKY;
    Cost::Factors(2) => ND_DET ND_LN_DET ND_SOLVE;
    Cost::Factors(6) => ND_INV;
}

/// A function of floats without a row of its own counts one (COST1).
static FUNCTIONS: LazyLock<HashMap<&'static OpDef, Cost>> =
    LazyLock::new(|| FLOAT_FUNCTIONS.iter().map(|function| (function.op, Cost::PerElement(1))).collect());

/// The cost of an operation; `None` if it is unknown, because the operation belongs to a plugin.
pub(crate) fn cost(op: &'static OpDef) -> Option<Cost> {
    let of_engine = || ops::by_name(op.name).filter(|known| *known == op).map(|_| Cost::None);
    COSTS.get(op).or_else(|| FUNCTIONS.get(op)).copied().or_else(of_engine)
}

#[cfg(test)]
mod tests {
    use overdub_context::ir::{Const, Ty};
    use overdub_context::value::Value;

    use super::*;

    /// Types of operands with which operations are tried: floats, arrays of them, and the types of other
    /// operands.
    fn types() -> Vec<(Ty, Option<Const>)> {
        let number = Const::new(Value::from(0_i64)).expect("a number is data");
        let scalar =
            [Ty::f64(), Ty::array(Ty::f64(), 1), Ty::array(Ty::f64(), 2), Ty::i32(), Ty::usize(), Ty::bool()];
        scalar.into_iter().map(|ty| (ty, None)).chain([(Ty::i64(), Some(number))]).collect()
    }

    fn is_float(ty: Ty) -> bool {
        ty == Ty::f64() || ty == Ty::array(Ty::f64(), 1) || ty == Ty::array(Ty::f64(), 2)
    }

    /// Whether the operation computes floats from floats, for some types of this many operands.
    fn computes(op: &OpDef, operands: usize) -> bool {
        let types = types();
        let combinations = types.len().pow(u32::try_from(operands).expect("operands are few"));
        (0..combinations).any(|mut code| {
            let chosen: Vec<&(Ty, Option<Const>)> = (0..operands)
                .map(|_| {
                    let at = code % types.len();
                    code /= types.len();
                    &types[at]
                })
                .collect();
            let args: Vec<Ty> = chosen.iter().map(|(ty, _)| *ty).collect();
            let consts: Vec<Option<&Const>> = chosen.iter().map(|(_, constant)| constant.as_ref()).collect();
            let ret = (op.ty)(&OperandTys { args: &args, consts: &consts, declared: None });
            args.iter().copied().any(is_float) && ret.is_ok_and(is_float)
        })
    }

    #[test]
    fn every_operation_that_computes_floats_has_a_row() {
        let lacks = |op: &&&OpDef| {
            let operands = match op.arity {
                Arity::Exactly(count) | Arity::AtLeast(count) => count,
            };
            let has_row = COSTS.contains_key(**op) || FUNCTIONS.contains_key(**op);
            !op.is_structural() && !has_row && computes(op, operands)
        };
        let lacking: Vec<&str> = ops::ALL.iter().copied().flatten().filter(lacks).map(|op| op.name).collect();
        assert!(lacking.is_empty(), "these operations have no row: {}", lacking.join(", "));
    }

    #[test]
    fn operations_of_the_engine_without_a_row_cost_nothing_and_foreign_ones_are_unknown() {
        static FOREIGN: OpDef = OpDef { name: "foreign.scale", ..ops::SIN };
        assert_eq!((cost(&ops::SIN), cost(&ops::TUPLE)), (Some(Cost::PerElement(1)), Some(Cost::None)));
        assert_eq!(cost(&FOREIGN), None);
    }
}
