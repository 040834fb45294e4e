//! The cotangents in the reverse sweep.
//!
//! - SWEEP2 a cotangent that a block does not change is not passed again. Blocks are built in execution
//!   order, and sealed when all their predecessors are built, so that only cotangents that differ between
//!   predecessors get a block parameter.
//! - SWEEP4 a sweep pulls back several cotangents of the result at once where that is asked for: the vector mode of Griewank and
//!   Walther, *Evaluating Derivatives* (2008). Each direction has cotangents of its own; values of the primal, partial derivatives,
//!   records and control flow are shared.

use overdub_context::ir::{Block, Operand, Var};
use overdub_context::ops;
use overdub_context::ssa::Variable;

use super::reverse_sweep::ReverseSweepBuilder;
use crate::refusal::Cause;
use crate::rules::Cot;

impl ReverseSweepBuilder<'_> {
    /// Builds a part of the sweep for the cotangents of each direction.
    pub(super) fn in_each_direction(
        &mut self,
        mut part: impl FnMut(&mut Self) -> Result<(), Cause>,
    ) -> Result<(), Cause> {
        for direction in 0..self.state.len() {
            self.direction = direction;
            part(self)?;
        }
        Ok(())
    }

    /// Leaves the reverse block of a block: of its cotangents, those stay that are live at the end of `to` (SWEEP2).
    pub(super) fn leave(&mut self, block: Block, to: Block) {
        let (primal, state) = (self.primal, &mut self.state[self.direction]);
        let (live, defined) = (&primal.live_in[block.index()], &primal.defined_on_entry[to.index()]);
        let flows = defined.iter().filter(|var| live.contains(var) && !state.contains_key(*var));
        self.flows[self.direction] =
            flows.copied().filter(|var| primal.defined_on_entry[block.index()].contains(var)).collect();
        state.retain(|var, _| live.contains(var) && defined.contains(var));
    }

    /// Passes cotangents on an edge to the reverse block of `to`: those of the block's parameters are added to those of the
    /// arguments.
    pub(super) fn pass(&mut self, from_params: Vec<(&Operand, Cot)>, to: Block) -> Result<(), Cause> {
        for (arg, cot) in from_params {
            if let (Some(var), false) = (arg.var(), matches!(cot, Cot::Zero)) {
                let value = self.value_of(var, cot)?;
                self.add(arg, value)?;
            }
        }
        for &var in &self.primal.defined_on_entry[to.index()] {
            let cot = match self.state[self.direction].remove(&var) {
                Some(cot) => cot,
                None if self.flows[self.direction].contains(&var) => continue,
                None => Cot::Zero,
            };
            let value = self.value_of(var, cot)?;
            self.write(var, value)?;
        }
        Ok(())
    }

    /// The cotangents of the arguments as a tuple.
    pub(super) fn gradients(&mut self) -> Result<Operand, Cause> {
        let primal = self.primal;
        let mut gradients = Vec::new();
        for (at, (param, wrt)) in primal.func().params().iter().zip(&primal.wrt).enumerate() {
            if *wrt {
                let dty = primal.dty(*param)?;
                let has = primal.accumulators.over(at, dty) || primal.is_active(*param);
                let cot = if has { self.cot(*param)? } else { Cot::Zero };
                gradients.push(self.value_of(*param, cot)?);
            }
        }
        if gradients.is_empty() {
            return Ok(Operand::unit());
        }
        Ok(self.build.op(&ops::TUPLE, gradients)?.into())
    }

    /// The cotangent accumulated for a variable.
    pub(super) fn cot(&mut self, var: Var) -> Result<Cot, Cause> {
        if let Some(cot) = self.state[self.direction].get(&var) {
            return Ok(cot.clone());
        }
        let is_defined = match self.entered {
            true => self.primal.defined_on_entry[self.at.index()].contains(&var),
            false => self.flows[self.direction].contains(&var),
        };
        if !is_defined {
            return Ok(Cot::Zero);
        }
        let variable = self.cotangent_of(var)?;
        Ok(Cot::Value(self.build.read_variable(variable)?))
    }

    pub(super) fn set(&mut self, var: Var, cot: Cot) {
        self.state[self.direction].insert(var, cot);
    }

    fn cotangent_of(&mut self, var: Var) -> Result<Variable, Cause> {
        if let Some(variable) = self.cotangents[self.direction].get(&var) {
            return Ok(*variable);
        }
        let name = format!("d{}", self.primal.func().var_label(var));
        let variable = self.build.declare_variable(self.primal.dty(var)?, Some(&name));
        self.cotangents[self.direction].insert(var, variable);
        Ok(variable)
    }

    pub(super) fn write(&mut self, var: Var, value: Operand) -> Result<(), Cause> {
        let variable = self.cotangent_of(var)?;
        Ok(self.build.write_variable(variable, value)?)
    }
}
