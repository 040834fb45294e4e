//! Common subexpressions of derivatives and the primal: a function that a partial derivative applies to an operand, and that the primal
//! applied to it too, is not computed again. Where a program takes the sine and the cosine of an angle, as each rotation does, each
//! is the derivative of the other.
//!
//! - COMPUTED1 the primal computed the value in each run that gets to the instruction that is reversed: the block that defines it
//!   dominates that of the instruction, or is the same one.
//! - COMPUTED2 these are functions that take longer than storing and loading their value.

use hashbrown::HashMap;
use overdub_context::ir::{Block, Func, InstKind, Operand, Var};
use overdub_context::ops::{self, OpDef};

use super::primal::Primal;
use crate::Expr;
use crate::expr::Node;

/// COMPUTED2: the functions in partial derivatives.
const FUNCTIONS: [&OpDef; 6] = [&ops::SIN, &ops::COS, &ops::EXP, &ops::LN, &ops::SINH, &ops::COSH];

/// The values of functions that a program computes, by function and operand.
#[derive(Default)]
pub(super) struct Computed(HashMap<(&'static str, Var), Vec<Var>>);

impl Computed {
    pub(super) fn by(func: &Func) -> Computed {
        let mut found = Computed::default();
        for inst in func.blocks.iter().flat_map(|body| &body.insts) {
            if let InstKind::Op { op, args } = &inst.kind
                && FUNCTIONS.contains(op)
                && let Some(of) = args.first().and_then(Operand::var)
            {
                found.0.entry((op.name, of)).or_default().push(inst.result);
            }
        }
        found
    }
}

impl Primal {
    /// A formula for the reverse block of `at` in which values that the primal computed are further operands.
    pub(super) fn by_computed(&self, formula: &Expr, operands: &mut Vec<Operand>, at: Block) -> Expr {
        if self.computed.0.is_empty() {
            return formula.clone();
        }
        let count = operands.len();
        replaced(formula, &mut |op, of| {
            let of = operands[..count].get(of)?.var()?;
            let values = self.computed.0.get(&(op.name, of))?;
            // COMPUTED1
            let ran = |value: &&Var| self.shape.dominators.dominates(self.block_of(**value), at);
            operands.push((*values.iter().find(ran)?).into());
            Some(Expr::operand(operands.len() - 1))
        })
    }
}

/// A formula with other terms in the place of functions of operands, where there are some.
fn replaced(formula: &Expr, by: &mut dyn FnMut(&'static OpDef, usize) -> Option<Expr>) -> Expr {
    let Node::Op(op, args) = formula.node() else { return formula.clone() };
    if let [arg] = &args[..]
        && let Node::Operand(of) = arg.node()
        && let Some(term) = by(op, *of)
    {
        return term;
    }
    Expr::op(op, args.iter().map(|arg| replaced(arg, by)))
}
