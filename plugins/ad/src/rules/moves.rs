//! The rule of an operation that moves values or computes with whole arrays: its pushforward and its adjoint.

use std::fmt;

use overdub_context::ir::{Operand, Ty, Var};
use overdub_context::ops::OpDef;

use super::Rule;
use super::adjoint::{self, Cot, Cotangents, PathStep};
use super::pushforward::{self, Tangents};
use crate::refusal::Cause;

/// An operation in a function, to which a rule is applied.
pub(crate) struct Application<'f> {
    pub(crate) op: &'static OpDef,
    pub(crate) args: &'f [Operand],
    /// The variable of its result.
    pub(crate) y: Var,
    /// The type of the result's tangents and cotangents.
    pub(crate) dty: Ty,
}

/// Returns the tangent of the result.
pub(crate) type Pushforward = fn(&mut dyn Tangents, &Application<'_>) -> Result<Operand, Cause>;

/// Adds the result's cotangent to those of the operands.
pub(crate) type Adjoint = fn(&mut dyn Cotangents, &Application<'_>, Cot) -> Result<(), Cause>;

/// The step from the first operand to a part of it.
pub(crate) type PathStepOf = fn(&[Operand]) -> Option<PathStep>;

/// A rule in both directions.
#[derive(Clone, Copy)]
pub struct Moves {
    pushforward: Pushforward,
    backward: Backward,
    operands: Operands,
    result: ResultForm,
}

#[derive(Clone, Copy)]
enum Backward {
    /// The result is a part of the first operand.
    Part(PathStepOf),
    Adjoint(Adjoint),
}

/// How an operation treats its operands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operands {
    /// It leaves them unchanged.
    Read,
    /// It may update an array without another owner in place, or make it a part of the result.
    Moved,
}

/// What is known of the result.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ResultForm {
    Any,
    /// If the first operand is an array, an array of its shape.
    SameShape,
    /// A tuple of several results.
    Several,
}

impl fmt::Debug for Moves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Moves").finish_non_exhaustive()
    }
}

impl Moves {
    pub(crate) fn push(&self, cx: &mut dyn Tangents, of: &Application<'_>) -> Result<Operand, Cause> {
        (self.pushforward)(cx, of)
    }

    pub(crate) fn pull(&self, cx: &mut dyn Cotangents, of: &Application<'_>, cot: Cot) -> Result<(), Cause> {
        match self.backward {
            Backward::Adjoint(adjoint) => adjoint(cx, of, cot),
            Backward::Part(step) => {
                let dy = cx.value_of(of.y, cot)?;
                let step = step(of.args).ok_or(Cause::NoRule(of.op.name))?;
                cx.add_step(&of.args[0], step, dy)
            }
        }
    }

    /// The step from the first operand to the result, if that is a part of it.
    pub(crate) fn step(&self) -> Option<PathStepOf> {
        match self.backward {
            Backward::Part(step) => Some(step),
            Backward::Adjoint(_) => None,
        }
    }

    /// Whether the operation leaves its operands unchanged.
    pub(crate) fn reads(&self) -> bool {
        self.operands == Operands::Read
    }

    /// Whether the result has the shape of the first operand, if that is an array.
    pub(crate) fn keeps_shape(&self) -> bool {
        self.result == ResultForm::SameShape
    }

    /// Whether the result is a tuple of several results.
    pub(crate) fn has_several_results(&self) -> bool {
        self.result == ResultForm::Several
    }
}

/// The rule of an operation that consumes its operands.
pub(super) fn both(pushforward: Pushforward, adjoint: Adjoint) -> Moves {
    Moves {
        pushforward,
        backward: Backward::Adjoint(adjoint),
        operands: Operands::Moved,
        result: ResultForm::Any,
    }
}

/// The row of an operation that consumes its operands.
pub(super) fn moves(pushforward: Pushforward, adjoint: Adjoint) -> Rule {
    Rule::Moves(both(pushforward, adjoint))
}

/// The row of an operation that returns its first operand, possibly with other elements or in another order: an
/// array keeps its shape.
pub(super) fn edits(pushforward: Pushforward, adjoint: Adjoint) -> Rule {
    Rule::Moves(Moves { result: ResultForm::SameShape, ..both(pushforward, adjoint) })
}

/// The row of an operation that takes its first operand apart: it returns a tuple of the parts.
pub(super) fn splits(pushforward: Pushforward, adjoint: Adjoint) -> Rule {
    Rule::Moves(Moves { result: ResultForm::Several, ..both(pushforward, adjoint) })
}

/// The row of an operation that copies from its operands.
pub(super) fn reads(pushforward: Pushforward, adjoint: Adjoint) -> Rule {
    Rule::Moves(Moves { operands: Operands::Read, ..both(pushforward, adjoint) })
}

/// The row of an operation that reads a part of its first operand: the part's cotangent is added at that
/// place.
pub(super) fn part(pushforward: Pushforward, step: PathStepOf) -> Rule {
    let backward = Backward::Part(step);
    Rule::Moves(Moves { pushforward, backward, operands: Operands::Read, result: ResultForm::Any })
}

/// The row of an operation that moves only augmented floats: both transformations refuse it if derivatives
/// flow through it.
pub(super) fn augmented_only() -> Rule {
    moves(pushforward::none, adjoint::none)
}
