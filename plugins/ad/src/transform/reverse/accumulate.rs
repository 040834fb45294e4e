//! Accumulation into cotangents.

use overdub_context::ir::{Operand, Ty, TyKind, Var};
use overdub_context::ops;

use super::reverse_sweep::ReverseSweepBuilder;
use crate::cotangent::{elem_of, holds_array, parts_of};
use crate::cotangent_sums::Helpers;
use crate::expr::float_constant;
use crate::refusal::Cause;
use crate::rules::{Cot, PathStep};

impl ReverseSweepBuilder<'_> {
    /// Adds to the cotangent of an operand, if it has one.
    pub(super) fn add(&mut self, operand: &Operand, value: Operand) -> Result<(), Cause> {
        self.add_at(operand, None, value)
    }

    /// Adds to a part of an operand's cotangent.
    pub(super) fn add_at(
        &mut self,
        operand: &Operand,
        part: Option<PathStep>,
        value: Operand,
    ) -> Result<(), Cause> {
        let Some(mut var) = operand.var().filter(|var| self.primal.is_active(*var)) else { return Ok(()) };
        let mut steps: Vec<PathStep> = part.into_iter().collect();
        var = self.primal.holder(var);
        while let Some((composite, step)) = self.primal.view(var) {
            steps.push(step);
            var = self.primal.holder(composite);
        }
        let path = self.path(steps)?;
        let cot = self.cot(var)?;
        let sum = self.added(var, cot, &path, value)?;
        self.set(var, sum);
        Ok(())
    }

    /// Turns steps, the innermost first, into a path from the outside, with the indices as values of the reverse sweep.
    fn path(&mut self, steps: Vec<PathStep>) -> Result<Vec<PathStep>, Cause> {
        let mut path: Vec<PathStep> = Vec::new();
        for step in steps.into_iter().rev() {
            let step = match step {
                PathStep::Elem(at) => PathStep::Elem(self.primal(&at)?),
                PathStep::From(from) => PathStep::From(self.primal(&from)?),
                PathStep::Field(k) => PathStep::Field(k),
                PathStep::At(at) => {
                    PathStep::At(at.iter().map(|at| self.primal(at)).collect::<Result<_, _>>()?)
                }
                PathStep::Axis(axis, at) => PathStep::Axis(axis, self.primal(&at)?),
            };
            let from = match path.last() {
                Some(PathStep::From(from)) => Some(from.clone()),
                _ => None,
            };
            match (from, step) {
                (Some(from), PathStep::Elem(at)) => {
                    path.pop();
                    path.push(PathStep::Elem(self.build.op(&ops::ADD_WRAPPING, [from, at])?.into()));
                }
                (Some(from), PathStep::From(more)) => {
                    path.pop();
                    path.push(PathStep::From(self.build.op(&ops::ADD_WRAPPING, [from, more])?.into()));
                }
                (_, step) => path.push(step),
            }
        }
        Ok(path)
    }

    /// Subtracts from the cotangent of an operand.
    pub(super) fn subtract(&mut self, operand: &Operand, value: Operand) -> Result<(), Cause> {
        let Some(var) = operand.var().filter(|var| self.primal.is_active(*var)) else { return Ok(()) };
        let var = self.primal.holder(var);
        match self.cot(var)? {
            Cot::Value(sum) => {
                let less = self.build.op(&ops::SUB, [sum, value])?;
                self.set(var, Cot::Value(less.into()));
                Ok(())
            }
            _ => {
                let negated = self.build.op(&ops::NEG, [value])?;
                self.add(operand, negated.into())
            }
        }
    }

    fn added(&mut self, var: Var, cot: Cot, path: &[PathStep], value: Operand) -> Result<Cot, Cause> {
        let dty = self.primal.dty(var)?;
        match (cot, path) {
            (Cot::Zero, []) => Ok(Cot::Value(value)),
            (Cot::Value(sum), path) => Ok(Cot::Value(self.placed(sum, dty, path, value)?)),
            (Cot::Zero, [PathStep::Field(k)]) => {
                let mut parts = vec![Cot::Zero; parts_of(dty).len()];
                parts[*k as usize] = Cot::Value(value);
                Ok(Cot::Parts(parts))
            }
            (Cot::Parts(mut parts), [PathStep::Field(k), rest @ ..])
                if rest.is_empty() || matches!(parts[*k as usize], Cot::Value(_)) =>
            {
                let part = &mut parts[*k as usize];
                *part = match std::mem::replace(part, Cot::Zero) {
                    Cot::Value(sum) => {
                        let ty = parts_of(dty)[*k as usize];
                        Cot::Value(self.placed(sum, ty, rest, value)?)
                    }
                    _ => Cot::Value(value),
                };
                Ok(Cot::Parts(parts))
            }
            // The element is put back, or replaced by another value.
            (Cot::Without(array, at, was), [PathStep::Elem(place)]) if *place == at => {
                if value == was {
                    return Ok(Cot::Value(array));
                }
                Ok(Cot::Value(self.build.op(&ops::SET_UNCHECKED, [array, at, value])?.into()))
            }
            (cot, path) => {
                let value_of_cot = self.value_of(var, cot)?;
                Ok(Cot::Value(self.placed(value_of_cot, dty, path, value)?))
            }
        }
    }

    /// Adds `value` at a path in a cotangent.
    fn placed(&mut self, sum: Operand, dty: Ty, path: &[PathStep], value: Operand) -> Result<Operand, Cause> {
        match path {
            [] => self.sum(&sum, &value, dty),
            [PathStep::Field(k), rest @ ..] => {
                let part_ty = parts_of(dty)[*k as usize];
                let (part, hole) = self.take_field(sum, *k, part_ty)?;
                let part = self.placed(part, part_ty, rest, value)?;
                Ok(self.build.op(&ops::WITH_FIELD, [hole, (*k).into(), part])?.into())
            }
            [PathStep::From(from), ..] => {
                let from = from.clone();
                let len = self.build.op(&ops::LEN, [value.clone()])?;
                let to = self.build.op(&ops::ADD_WRAPPING, [from.clone(), len.into()])?;
                let old = self.build.op(&ops::SLICE, [sum.clone(), from.clone(), to.into()])?;
                let new = self.sum(&old.into(), &value, dty)?;
                Ok(self.build.op(&ops::SET_SLICE, [sum, from, new])?.into())
            }
            [PathStep::At(at), ..] => {
                let old = self.build.op(&ops::ND_GET, [vec![sum.clone()], at.clone()].concat())?;
                let new = self.build.op(&ops::ADD, [old.into(), value])?;
                Ok(self.build.op(&ops::ND_SET, [vec![sum], at.clone(), vec![new.into()]].concat())?.into())
            }
            [PathStep::Axis(axis, at), ..] => {
                let place = [sum.clone(), axis.clone(), at.clone()];
                let old = self.build.op(&ops::ND_INDEX_AXIS, place)?;
                let new = self.build.op(&ops::ADD, [old.into(), value])?;
                Ok(self.build.op(&ops::ND_SET_AXIS, [sum, axis.clone(), at.clone(), new.into()])?.into())
            }
            [PathStep::Elem(at), rest @ ..] => self.placed_elem(sum, dty, at.clone(), rest, value),
        }
    }

    fn placed_elem(
        &mut self,
        sum: Operand,
        dty: Ty,
        at: Operand,
        rest: &[PathStep],
        value: Operand,
    ) -> Result<Operand, Cause> {
        let elem = dty.as_array().map_or(dty, |array| array.elem);
        if let ([], TyKind::Float(_)) = (rest, elem.kind()) {
            let old = self.build.op(&ops::GET_UNCHECKED, [sum.clone(), at.clone()])?;
            let new = self.build.op(&ops::ADD, [old.into(), value])?;
            return Ok(self.build.op(&ops::SET_UNCHECKED, [sum, at, new.into()])?.into());
        }
        let moved_out = self.build.op(&ops::TAKE_ELEM, [sum, at.clone()])?;
        let old = self.build.op(&ops::FIELD, [Operand::from(moved_out), 0_i64.into()])?;
        let hole = self.build.op(&ops::FIELD, [Operand::from(moved_out), 1_i64.into()])?;
        let new = self.placed(old.into(), elem, rest, value)?;
        Ok(self.build.op(&ops::SET_UNCHECKED, [Operand::from(hole), at, new])?.into())
    }

    fn take_field(&mut self, composite: Operand, k: i64, part: Ty) -> Result<(Operand, Operand), Cause> {
        if !holds_array(part) {
            let value = self.build.op(&ops::FIELD, [composite.clone(), k.into()])?;
            return Ok((value.into(), composite));
        }
        let moved_out = self.build.op(&ops::TAKE_FIELD, [composite, k.into()])?;
        let value = self.build.op(&ops::FIELD, [Operand::from(moved_out), 0_i64.into()])?;
        let hole = self.build.op(&ops::FIELD, [Operand::from(moved_out), 1_i64.into()])?;
        Ok((value.into(), hole.into()))
    }

    fn sum(&mut self, a: &Operand, b: &Operand, dty: Ty) -> Result<Operand, Cause> {
        self.helpers.sum(&mut self.build, a, b, dty)
    }

    /// A cotangent as a value.
    pub(super) fn value_of(&mut self, var: Var, cot: Cot) -> Result<Operand, Cause> {
        match cot {
            Cot::Value(value) => Ok(value),
            Cot::Zero => self.zero_of(var),
            Cot::Without(array, at, _) => {
                let zero = float_constant(0.0, elem_of(self.primal.func().ty(var))?);
                Ok(self.build.op(&ops::SET_UNCHECKED, [array, at, zero])?.into())
            }
            Cot::Parts(parts) => {
                let (tys, hole) = (parts_of(self.primal.dty(var)?), self.primal.hole(var));
                let mut values = Vec::new();
                for (k, (part, ty)) in (0_i64..).zip(parts.into_iter().zip(tys)) {
                    values.push(match part {
                        Cot::Value(value) => value,
                        _ if hole == Some(k) => self.nothing(ty)?,
                        _ => self.zero_of_part(var, k, ty)?,
                    });
                }
                Ok(self.build.op(&ops::TUPLE, values)?.into())
            }
        }
    }

    /// A placeholder where a part was moved out; it is never read.
    fn nothing(&mut self, dty: Ty) -> Result<Operand, Cause> {
        match dty.kind() {
            TyKind::Array(array) if array.rank == 1 => {
                Ok(self.build.op_as(&ops::ARRAY, [] as [Operand; 0], dty)?.into())
            }
            _ if holds_array(dty) => Err(Cause::Type(dty)),
            _ => self.scalar_zero(dty),
        }
    }

    /// The zero cotangent of a part of a variable's value.
    fn zero_of_part(&mut self, var: Var, k: i64, dty: Ty) -> Result<Operand, Cause> {
        if !holds_array(dty) {
            return self.scalar_zero(dty);
        }
        let ty = self.primal.func().ty(var);
        let value = self.primal(&var.into())?;
        let op = if let TyKind::Closure(_) = ty.kind() { &ops::CAPTURED } else { &ops::FIELD };
        let part = self.build.op(op, [value, k.into()])?;
        let ty = parts_of(ty).get(k as usize).copied().unwrap_or(Ty::unit());
        self.helpers.zero(&mut self.build, &part.into(), ty)
    }

    /// The zero cotangent of a variable.
    pub(super) fn zero_of(&mut self, var: Var) -> Result<Operand, Cause> {
        let dty = self.primal.dty(var)?;
        if !holds_array(dty) {
            return self.scalar_zero(dty);
        }
        if let (Some(len), Some(array)) = (self.primal.len(var), dty.as_array()) {
            let len = self.primal(&len.into())?;
            let zero = float_constant(0.0, array.elem);
            return Ok(match array.rank {
                1 => self.build.op(&ops::REPEAT, [zero, len])?.into(),
                _ => self.build.op_as(&ops::ND_FULL, [len, zero], dty)?.into(),
            });
        }
        if let (Some(len), TyKind::Stack(_)) = (self.primal.len(var), dty.kind()) {
            let len = self.primal(&len.into())?;
            return self.helpers.zeros_on_stack(&mut self.build, len, dty);
        }
        if self.primal.hole(var).is_some() {
            return self.value_of(var, Cot::Parts(vec![Cot::Zero; parts_of(dty).len()]));
        }
        let value = self.primal(&var.into())?;
        self.helpers.zero(&mut self.build, &value, self.primal.func().ty(var))
    }

    /// The zero of a cotangent type without arrays.
    pub(super) fn scalar_zero(&mut self, dty: Ty) -> Result<Operand, Cause> {
        Helpers::scalar_zero(&mut self.build, dty)
    }
}
