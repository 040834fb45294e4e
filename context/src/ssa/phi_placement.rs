//! Phi placement by dominance frontiers, for variables read before all predecessors of a block were known.
//!
//! After Cytron et al., *Efficiently Computing Static Single Assignment Form and the Control Dependence Graph* (1991):
//! walking up the predecessors would create a block parameter for every variable at every join, only to remove nearly
//! all of them again.
//!
//! - A variable needs a block parameter only in the iterated dominance frontier of the blocks that assign it; elsewhere
//!   it has its value at the end of the immediate dominator.
//! - Only block parameters that are read are created.

use super::{Phi, SsaBuilder, Variable};
use crate::analysis::{Cfg, Dominators, Frontiers};
use crate::ir::{Block, Operand};

/// The state of a block for the variable being processed.
#[derive(Clone, Debug, Default)]
struct BlockState {
    /// The variable to which the other fields belong; if it is another one, they are outdated.
    of: Option<Variable>,
    /// The variable's value at the end of the block, if known.
    end: Option<Operand>,
    /// Whether paths with different assignments join here.
    needs_phi: bool,
    /// The index of the block parameter that represents the variable.
    phi: Option<usize>,
}

/// Places phis for one variable at a time. All blocks are sealed.
pub(super) struct Webs<'s> {
    ssa: &'s mut SsaBuilder,
    cfg: Cfg,
    dominators: Dominators,
    frontiers: Frontiers,
    /// The state of each block.
    states: Vec<BlockState>,
    /// The blocks at whose end each variable has a known value.
    known: Vec<Vec<Block>>,
}

impl<'s> Webs<'s> {
    /// Requires that every branch has been appended, and every reachable block is terminated.
    pub(super) fn new(ssa: &'s mut SsaBuilder) -> Webs<'s> {
        let cfg = Cfg::new(ssa.build.func());
        let dominators = Dominators::new(&cfg);
        let frontiers = Frontiers::new(&cfg, &dominators);
        let mut known = vec![Vec::new(); ssa.variables.len()];
        for (variable, block) in ssa.values.keys() {
            known[variable.0 as usize].push(*block);
        }
        known.iter_mut().for_each(|blocks| blocks.sort_unstable());
        Webs { states: vec![BlockState::default(); cfg.len()], cfg, dominators, frontiers, ssa, known }
    }

    /// Fills in the block parameters for variables that were read in unsealed blocks.
    pub(super) fn fill(&mut self, open: Vec<usize>) {
        let mut of: Vec<Vec<usize>> = vec![Vec::new(); self.ssa.variables.len()];
        let mut order = Vec::new();
        for index in open {
            let Phi { variable, block, .. } = self.ssa.phis[index];
            if self.cfg.is_reachable(block) {
                let blocks = &mut of[variable.0 as usize];
                if blocks.is_empty() {
                    order.push(variable);
                }
                blocks.push(index);
            }
        }
        for variable in order {
            self.web(variable, std::mem::take(&mut of[variable.0 as usize]));
        }
    }

    fn web(&mut self, variable: Variable, open: Vec<usize>) {
        self.record_assignments(variable);
        let (mut unfilled, mut passed) = (Vec::new(), Vec::new());
        for index in open {
            let block = self.ssa.phis[index].block;
            let block_state = self.at(variable, block);
            if block_state.needs_phi {
                block_state.phi = Some(index);
                unfilled.push(index);
            } else {
                passed.push(index);
            }
        }
        for index in passed {
            let Phi { block, var, .. } = self.ssa.phis[index];
            let value = match self.dominators.idom(block) {
                Some(above) => self.end(variable, above, &mut unfilled),
                None => self.ssa.new_var(variable).into(),
            };
            self.ssa.build.draft.replace(var, value);
            if let Some(state) = self.ssa.blocks.get_mut(block.index()) {
                state.phis.retain(|known| *known != index);
            }
        }
        while let Some(index) = unfilled.pop() {
            let block = self.ssa.phis[index].block;
            for at in 0..self.cfg.preds(block).len() {
                let pred = self.cfg.preds(block)[at];
                if self.cfg.is_reachable(pred) {
                    let value = self.end(variable, pred, &mut unfilled);
                    self.ssa.phis[index].args.push((pred, value));
                }
            }
        }
    }

    /// The state of a block for this variable.
    fn at(&mut self, variable: Variable, block: Block) -> &mut BlockState {
        let state = &mut self.states[block.index()];
        if state.of != Some(variable) {
            *state = BlockState { of: Some(variable), ..BlockState::default() };
        }
        state
    }

    /// Records the values that blocks assign to a variable, and the blocks where they meet. A block whose
    /// final value is its initial one assigns nothing.
    fn record_assignments(&mut self, variable: Variable) {
        let mut pending = Vec::new();
        for block in std::mem::take(&mut self.known[variable.0 as usize]) {
            let value = self.ssa.values[&(variable, block)].clone();
            if self.cfg.is_reachable(block) && !self.begins_with(&value, variable, block) {
                self.at(variable, block).end = Some(value);
                pending.push(block);
            }
        }
        while let Some(block) = pending.pop() {
            for at in 0..self.frontiers.of(block).len() {
                let meeting = self.frontiers.of(block)[at];
                if !std::mem::replace(&mut self.at(variable, meeting).needs_phi, true) {
                    pending.push(meeting);
                }
            }
        }
    }

    fn begins_with(&self, value: &Operand, variable: Variable, block: Block) -> bool {
        let phis = self.ssa.blocks.get(block.index()).map_or(&[] as &[usize], |state| &state.phis);
        let mut phis = phis.iter().map(|index| &self.ssa.phis[*index]);
        phis.any(|phi| phi.variable == variable && phi.args.is_empty() && value.var() == Some(phi.var))
    }

    /// The value of a variable at the end of a block; block parameters created on the way are added to
    /// `unfilled`.
    fn end(&mut self, variable: Variable, mut block: Block, unfilled: &mut Vec<usize>) -> Operand {
        let mut path = Vec::new();
        let value = loop {
            let state = self.at(variable, block);
            if let Some(end) = &state.end {
                break end.clone();
            }
            let (needs_phi, phi) = (state.needs_phi, state.phi);
            path.push(block);
            match (needs_phi, phi) {
                (true, Some(index)) => break self.ssa.phis[index].var.into(),
                (true, None) => {
                    self.at(variable, block).phi = Some(self.ssa.phis.len());
                    break self.ssa.new_phi(variable, block, unfilled).into();
                }
                (false, _) => match self.dominators.idom(block) {
                    Some(above) => block = above,
                    None => break self.ssa.new_var(variable).into(),
                },
            }
        };
        for block in path {
            self.at(variable, block).end = Some(value.clone());
        }
        value
    }
}
