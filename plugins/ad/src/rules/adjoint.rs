//! The interface that adjoints are written against, and the adjoints that several operations share.

use overdub_context::ir::{FuncBuilder, Inst, Operand, Ty, Var};
use overdub_context::ops::{self, OpDef};

use super::moves::Application;
use crate::cotangent::{cotangent, elem_of};
use crate::cotangent_sums::Helpers;
use crate::refusal::Cause;

/// A cotangent while a block is being reversed.
#[derive(Clone, Debug)]
pub(crate) enum Cot {
    /// Zero: nothing has been added yet.
    Zero,
    /// This value.
    Value(Operand),
    /// A composite with these parts.
    Parts(Vec<Cot>),
    /// This array (first operand), except that the element at this index (second) is zero; the array still
    /// holds the previous element (third).
    Without(Operand, Operand, Operand),
}

/// A step from a whole to a part of it.
#[derive(Clone, Debug)]
pub(crate) enum PathStep {
    /// An element.
    Elem(Operand),
    /// The elements from an index on.
    From(Operand),
    /// A field.
    Field(i64),
    /// The element at an index for each axis.
    At(Vec<Operand>),
    /// The part at an index of an axis.
    Axis(Operand, Operand),
}

/// The reverse sweep, as an adjoint sees it.
pub(crate) trait Cotangents {
    /// The function that is being built.
    fn build(&mut self) -> &mut FuncBuilder;

    /// The generated functions for zeros and sums.
    fn helpers(&mut self) -> &mut Helpers;

    /// The type of an operand of the primal.
    fn ty(&self, operand: &Operand) -> Ty;

    /// The instruction that defines an operand of the primal.
    fn definition(&self, operand: &Operand) -> Option<&Inst>;

    /// Whether an operand of the primal has one use, not counting reads of its length.
    fn is_read_once(&self, operand: &Operand) -> bool;

    /// Whether derivatives flow through an operand.
    fn is_active(&self, operand: &Operand) -> bool;

    /// The value of an operand of the primal in the reverse sweep.
    fn primal(&mut self, operand: &Operand) -> Result<Operand, Cause>;

    /// The variable of the primal that is the length of a vector or stack, or the shape of another array.
    fn len(&self, operand: &Operand) -> Option<Operand>;

    /// The cotangent accumulated for a variable.
    fn cot(&mut self, var: Var) -> Result<Cot, Cause>;

    /// Replaces the cotangent accumulated for a variable.
    fn set(&mut self, var: Var, cot: Cot);

    /// A cotangent as a value.
    fn value_of(&mut self, var: Var, cot: Cot) -> Result<Operand, Cause>;

    /// A part of a cotangent, if it is not zero.
    fn part(&mut self, cot: &Cot, k: i64) -> Result<Option<Operand>, Cause>;

    /// Adds to the cotangent of an operand, if it has one.
    fn add(&mut self, operand: &Operand, value: Operand) -> Result<(), Cause>;

    /// Adds to a part of an operand's cotangent.
    fn add_step(&mut self, operand: &Operand, step: PathStep, value: Operand) -> Result<(), Cause>;

    /// Adds an array to the cotangent of an operand, without the array's element `dx` at an index.
    fn add_without(
        &mut self,
        operand: &Operand,
        array: Operand,
        at: Operand,
        dx: Operand,
    ) -> Result<(), Cause>;

    /// The zero cotangent of a value of this type.
    fn zero(&mut self, value: &Operand, ty: Ty) -> Result<Operand, Cause>;

    /// The sum of two cotangents of a type.
    fn sum(&mut self, a: &Operand, b: &Operand, dty: Ty) -> Result<Operand, Cause>;
}

impl dyn Cotangents + '_ {
    pub(super) fn op(
        &mut self,
        op: &'static OpDef,
        operands: impl IntoIterator<Item: Into<Operand>>,
    ) -> Result<Operand, Cause> {
        Ok(self.build().op(op, operands)?.into())
    }

    pub(super) fn op_as(
        &mut self,
        op: &'static OpDef,
        operands: impl IntoIterator<Item: Into<Operand>>,
        ty: Ty,
    ) -> Result<Operand, Cause> {
        Ok(self.build().op_as(op, operands, ty)?.into())
    }

    /// A part of a tuple in the reverse sweep.
    pub(super) fn field(&mut self, tuple: &Operand, k: i64) -> Result<Operand, Cause> {
        self.op(&ops::FIELD, [tuple.clone(), k.into()])
    }

    /// The zero of a cotangent type without arrays.
    pub(super) fn scalar_zero(&mut self, dty: Ty) -> Result<Operand, Cause> {
        Helpers::scalar_zero(self.build(), dty)
    }

    /// The type of an operand's cotangent.
    pub(super) fn dty(&self, operand: &Operand) -> Result<Ty, Cause> {
        cotangent(self.ty(operand))
    }

    /// The type of the elements of an operand's cotangent.
    pub(super) fn elem_of(&self, operand: &Operand) -> Result<Ty, Cause> {
        elem_of(self.ty(operand))
    }

    /// Adds to a field of an operand's cotangent.
    pub(super) fn add_field(&mut self, operand: &Operand, k: i64, value: Operand) -> Result<(), Cause> {
        self.add_step(operand, PathStep::Field(k), value)
    }

    /// Adds to an element of an operand's cotangent.
    pub(super) fn add_elem(&mut self, operand: &Operand, at: &Operand, value: Operand) -> Result<(), Cause> {
        self.add_step(operand, PathStep::Elem(at.clone()), value)
    }

    pub(super) fn rank_of(&self, operand: &Operand) -> u32 {
        self.ty(operand).as_array().map_or(0, |array| array.rank)
    }

    /// The length of an array of the program.
    pub(super) fn len_of(&mut self, array: &Operand) -> Result<Operand, Cause> {
        if let Some(len) = self.len(array) {
            return self.primal(&len);
        }
        let array = self.primal(array)?;
        self.op(&ops::LEN, [array])
    }

    /// The shape of an array of the program.
    pub(super) fn shape_of(&mut self, array: &Operand) -> Result<Operand, Cause> {
        if self.rank_of(array) > 1
            && let Some(shape) = self.len(array)
        {
            return self.primal(&shape);
        }
        let array = self.primal(array)?;
        self.op(&ops::ND_SHAPE, [array])
    }
}

/// Each operand gets its part of the cotangent.
pub(super) fn parts(cx: &mut dyn Cotangents, of: &Application<'_>, cot: Cot) -> Result<(), Cause> {
    for (k, arg) in (0_i64..).zip(of.args) {
        if let Some(part) = cx.part(&cot, k)? {
            cx.add(arg, part)?;
        }
    }
    Ok(())
}

/// The first operand gets the cotangent.
pub(super) fn first(cx: &mut dyn Cotangents, of: &Application<'_>, cot: Cot) -> Result<(), Cause> {
    let dy = cx.value_of(of.y, cot)?;
    cx.add(&of.args[0], dy)
}

/// The number that a constant operand is.
pub(super) fn index(operand: &Operand) -> Option<i64> {
    operand.constant()?.value().as_index().map(|k| k as i64)
}

/// The number that a constant operand of an application is.
pub(super) fn number(of: &Application<'_>, at: usize) -> Result<i64, Cause> {
    of.args.get(at).and_then(index).ok_or(Cause::NoRule(of.op.name))
}

/// Refuses the operation.
pub(super) fn none(_: &mut dyn Cotangents, of: &Application<'_>, _: Cot) -> Result<(), Cause> {
    Err(Cause::NoRule(of.op.name))
}
