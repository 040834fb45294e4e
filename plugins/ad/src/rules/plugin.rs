//! Derivatives of operations that other plugins declare.

use overdub_context::ops::OpDef;

use super::adjoint::{Cot, Cotangents};
use super::moves::{Application, moves};
use super::pushforward::same_op;
use super::{Row, Rule};
use crate::refusal::Cause;

/// The derivative of an operation that a plugin declares, for [`provide_rule`](crate::provide_rule).
#[derive(Clone, Copy, Debug)]
pub struct PluginRule {
    /// The operation.
    pub op: &'static OpDef,
    /// Its derivative.
    pub derivative: PluginDerivative,
}

/// The derivative of an operation of a plugin.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum PluginDerivative {
    /// The result is piecewise constant in the operands, or holds no float.
    Zero,
    /// The operation is linear in its first operand, and no other one holds floats.
    ///
    /// It is applied to tangents as to values, and `transpose` to a cotangent of the result and the other operands, which
    /// gives the cotangent of the first operand. Both operate on cotangents: floats, lists of them, and tuples.
    Linear {
        /// The transposed operation; itself an operation with a rule, for derivatives of derivatives.
        transpose: &'static OpDef,
    },
}

inventory::collect!(PluginRule);

/// Gives an operation of a plugin its derivative, in all modes that transform functions.
///
/// ```
/// use overdub_ad::rules::{PluginDerivative, PluginRule, rule};
/// use overdub_context::ops::{Arity, Effects, OpDef};
///
/// /// A number that passes through a gate: linear, and its own transpose.
/// static GATE: OpDef = OpDef {
///     name: "gate",
///     arity: Arity::Exactly(1),
///     ty: |tys| Ok(tys.args[0]),
///     effects: Effects::PURE,
///     eval: |_, args| Ok(args[0].take()),
///     doc: "The number itself.",
/// };
/// overdub_ad::provide_rule!(PluginRule { op: &GATE, derivative: PluginDerivative::Linear { transpose: &GATE } });
/// # fn main() {
/// assert!(rule(&GATE).is_some());
/// # }
/// ```
#[macro_export]
macro_rules! provide_rule {
    ($rule:expr) => {
        $crate::__private::inventory::submit! { $rule }
    };
}

/// The rows of all operations of plugins.
pub(super) fn rows() -> impl Iterator<Item = Row> {
    inventory::iter::<PluginRule>.into_iter().map(|PluginRule { op, derivative }| {
        let rule = match derivative {
            PluginDerivative::Zero => Rule::Zero,
            PluginDerivative::Linear { .. } => moves(same_op, transposed),
        };
        (*op, rule)
    })
}

/// The derivative of an operation of a plugin.
pub(crate) fn plugin_derivative(op: &OpDef) -> Option<PluginDerivative> {
    inventory::iter::<PluginRule>.into_iter().find(|rule| rule.op == op).map(|rule| rule.derivative)
}

fn transposed(cx: &mut dyn Cotangents, of: &Application<'_>, cot: Cot) -> Result<(), Cause> {
    let Some(PluginDerivative::Linear { transpose }) = plugin_derivative(of.op) else {
        return Err(Cause::NoRule(of.op.name));
    };
    let mut operands = vec![cx.value_of(of.y, cot)?];
    for arg in &of.args[1..] {
        operands.push(cx.primal(arg)?);
    }
    let dty = cx.dty(&of.args[0])?;
    let dx = cx.op_as(transpose, operands, dty)?;
    cx.add(&of.args[0], dx)
}
