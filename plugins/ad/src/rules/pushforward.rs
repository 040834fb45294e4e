//! The interface that pushforwards are written against, and the pushforwards that several operations share.
//!
//! - MOVE1 an operation that moves values moves tangents in the same way, with the indices and conditions of
//!   the primal, which were checked there.

use overdub_context::ir::{FuncBuilder, Operand, Ty};
use overdub_context::ops::{self, OpDef};

use super::moves::Application;
use crate::array_ops::DOT_ZERO;
use crate::cotangent::cotangent;
use crate::refusal::Cause;

/// The forward transformation, as a pushforward sees it.
pub(crate) trait Tangents {
    /// The function that is being built.
    fn build(&mut self) -> &mut FuncBuilder;

    /// The type of an operand of the primal.
    fn ty(&self, operand: &Operand) -> Ty;

    /// An operand of the primal in the function that is being built.
    fn primal(&self, operand: &Operand) -> Operand;

    /// The tangent of an operand that varies.
    fn varied(&self, operand: &Operand) -> Option<Operand>;

    /// The tangent of an operand: zero if it is constant, unit if it holds no float.
    fn tangent(&mut self, operand: &Operand) -> Result<Operand, Cause>;
}

impl dyn Tangents + '_ {
    /// An operation on tangents, with the primal's other operands.
    pub(super) fn same_op(
        &mut self,
        op: &'static OpDef,
        args: &[Operand],
        dty: Ty,
    ) -> Result<Operand, Cause> {
        let mut operands = Vec::new();
        for arg in args {
            operands.push(match cotangent(self.ty(arg))? {
                none if none == Ty::unit() => self.primal(arg),
                _ => self.tangent(arg)?,
            });
        }
        Ok(self.build().op_as(op, operands, dty)?.into())
    }
}

/// The same operation on tangents, with the primal's other operands.
pub(crate) fn same_op(cx: &mut dyn Tangents, of: &Application<'_>) -> Result<Operand, Cause> {
    cx.same_op(of.op, of.args, of.dty)
}

/// The tuple of the operands' tangents.
pub(super) fn tuple(cx: &mut dyn Tangents, of: &Application<'_>) -> Result<Operand, Cause> {
    let parts = of.args.iter().map(|arg| cx.tangent(arg)).collect::<Result<Vec<_>, _>>()?;
    Ok(cx.build().op(&ops::TUPLE, parts)?.into())
}

/// The sum of the products in which one factor is replaced by its tangent (AD3).
pub(super) fn product(cx: &mut dyn Tangents, of: &Application<'_>) -> Result<Operand, Cause> {
    let numbers: Vec<Operand> = of.args.iter().map(|arg| cx.primal(arg)).collect();
    let mut sum: Option<Operand> = None;
    for (k, arg) in of.args.iter().enumerate() {
        let Some(dx) = cx.varied(arg) else { continue };
        let mut factors = numbers.clone();
        factors[k] = dx;
        let part: Operand = cx.build().op(&DOT_ZERO, factors)?.into();
        sum = Some(match sum {
            Some(sum) => cx.build().op(&ops::ADD, [sum, part])?.into(),
            None => part,
        });
    }
    // The forward rule is applied only if an operand varies.
    sum.ok_or(Cause::NoRule(of.op.name))
}

/// Refuses the operation.
pub(super) fn none(_: &mut dyn Tangents, of: &Application<'_>) -> Result<Operand, Cause> {
    Err(Cause::NoRule(of.op.name))
}
