//! The adjoint of a call: its reverse sweep, run on the cotangents.

use overdub_context::ir::{Operand, Ty, Var};
use overdub_context::ops;

use super::primal::{CallPullback, SplitCall};
use super::reverse_sweep::ReverseSweepBuilder;
use crate::cotangent::{cotangent, holds_array};
use crate::refusal::Cause;
use crate::rules::Cot;

impl ReverseSweepBuilder<'_> {
    /// The operand that holds the cotangent of an operand.
    fn held(&self, operand: &Operand) -> Operand {
        operand.var().map_or_else(|| operand.clone(), |var| self.primal.holder(var).into())
    }

    /// Reverses a call: its reverse sweep takes the cotangents of array arguments as accumulators.
    pub(super) fn reverse_call(&mut self, result: Var, split: &SplitCall, cot: Cot) -> Result<(), Cause> {
        let dy = self.value_of(result, cot)?;
        if let CallPullback::Slope(slope) = split.pullback {
            let slope = self.primal(&slope.into())?;
            let dx = self.build.op(&ops::MUL_ZERO, [dy, slope])?;
            return split.active_args().cloned().try_for_each(|arg| self.add(&arg, dx.into()));
        }
        let mut operands = Vec::new();
        let mut moved = Vec::new();
        for (at, arg) in split.numbered_active_args() {
            let arg = &self.held(arg);
            let dty = cotangent(self.primal.ty(arg))?;
            if !split.accumulators.over(at, dty) {
                continue;
            }
            // An accumulator is moved into the call, unless it is a part of another cotangent or has already
            // been moved.
            let movable = arg.var().filter(|var| self.primal.real(arg) == Some(*var) && !moved.contains(var));
            match movable {
                Some(var) => {
                    let cot = self.cot(var)?;
                    self.set(var, Cot::Zero);
                    operands.push(self.value_of(var, cot)?);
                    moved.push(var);
                }
                None if !holds_array(dty) => operands.push(self.scalar_zero(dty)?),
                None => {
                    let value = self.primal(arg)?;
                    let ty = self.build.ty(&value)?;
                    operands.push(self.helpers.zero(&mut self.build, &value, ty)?);
                }
            }
        }
        operands.push(dy);
        let tys =
            split.active_args().map(|arg| cotangent(self.primal.ty(arg))).collect::<Result<Vec<Ty>, _>>()?;
        let gradients = match split.pullback {
            CallPullback::Function(pullback) | CallPullback::Slope(pullback) => {
                let pullback = self.primal(&pullback.into())?;
                self.build.call_value(pullback, operands, Ty::tuple(tys))?
            }
            CallPullback::Rerun(func, kept) => {
                let kept = kept.map(Operand::from);
                let args = split.args.iter().chain(&kept).map(|arg| self.primal(arg));
                let args = args.chain(operands.into_iter().map(Ok)).collect::<Result<Vec<_>, _>>()?;
                self.build.call(func, args, Ty::tuple(tys))?
            }
        };
        let mut filled = Vec::new();
        for (k, arg) in (0_i64..).zip(split.active_args().map(|arg| self.held(arg)).collect::<Vec<_>>()) {
            let part: Operand = self.build.op(&ops::FIELD, [Operand::from(gradients), k.into()])?.into();
            let unfilled = arg.var().filter(|var| moved.contains(var) && !filled.contains(var));
            match unfilled {
                Some(var) => {
                    filled.push(var);
                    self.set(var, Cot::Value(part));
                }
                None => self.add(&arg, part)?,
            }
        }
        Ok(())
    }
}
