//! The functions that take the place of a loop: its chunk, the measuring run, and both sweeps.

use hashbrown::HashMap;
use overdub_context::Symbol;
use overdub_context::ir::{Func, FuncBuilder, Ty};

use super::super::accumulators::Accumulators;
use super::super::checkpoint_plan::CheckpointPlan;
use super::super::forward_sweep::{AugmentedPrimal, forward};
use super::super::output::ReverseOutput;
use super::super::primal::Primal;
use super::super::reverse_sweep::backward;
use super::super::transformer::Planned;
use super::caller::{Outlined, outlined};
use super::driver::Driver;
use super::effects::Repeatable;
use super::loop_sweep::{SweepBuilder, Variant, least};
use super::outline::Chunk;
use super::region::Region;
use super::schedule_funcs::Schedule;
use super::sizes::{InnerLoop, measured};
use crate::TapeBound;
use crate::cotangent_sums::Helpers;
use crate::normalize_cfg::NormalizedCfg;
use crate::refusal::Cause;
use crate::transform::Names;

/// A call of a chunk in place of a loop.
#[derive(Debug)]
pub(in super::super) struct LoopCall {
    pub(in super::super) chunk: Chunk,
    pub(in super::super) within: Within,
    /// The memory of the gradient in bytes.
    pub(in super::super) memory: usize,
    /// Whether the bytes that are kept are counted as they are recorded.
    pub(in super::super) counts: bool,
}

/// Where a loop is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) enum Within {
    /// In no other loop: the run knows what is left of the memory.
    Function,
    /// In an iteration of a loop, which passes on what is left.
    Iteration,
}

impl LoopCall {
    /// Which cotangents of its arguments the reverse sweep takes as accumulators: those of the invariants. The state is
    /// defined for the loop alone, so that its cotangent begins there.
    pub(in super::super) fn accumulators(&self) -> Accumulators {
        Accumulators::Before(self.chunk.first_of_state())
    }

    /// This loop, as the run of the loop around it measures it.
    pub(in super::super) fn measured_as(&self, least: Symbol) -> InnerLoop {
        InnerLoop { least, ret: self.chunk.func.ret, first_of_state: self.chunk.first_of_state() }
    }
}

/// The function with calls of chunks in place of its long loops, if it has any (WITHIN1): those in no other loop, or those
/// in the one loop of a chunk.
pub(in super::super) fn outlined_loops(
    func: &Func,
    (primal, plan): (&Primal, &CheckpointPlan),
    within: Within,
    names: Names<'_>,
    name: &dyn Fn(usize) -> Symbol,
) -> Result<Option<Outlined>, Cause> {
    if plan.records.is_empty() {
        return Ok(None);
    }
    let shape = NormalizedCfg::of(func)?;
    let mut repeatable = Repeatable::new(names);
    let mut regions = Vec::new();
    for (id, each) in shape.loops.iter() {
        let records = plan.records.keys().any(|block| shape.loops.contains(id, *block));
        let is_at_depth = match within {
            Within::Function => each.depth == 1,
            Within::Iteration => each.depth == 2,
        };
        if !is_at_depth || !shape.returns[each.header.index()] || !records {
            continue;
        }
        let inside = shape.cfg.reverse_postorder().iter().filter(|block| shape.loops.contains(id, **block));
        let mut insts = inside.flat_map(|block| &shape.func.block(*block).insts);
        let repeats =
            insts.all(|inst| primal.split(inst.result).is_none() && repeatable.inst(&shape.func, inst));
        if repeats {
            regions.extend(Region::of(&shape, primal, id));
        }
    }
    let memory = match within {
        Within::Function => 0_usize.into(),
        Within::Iteration => shape.func.params()[1].into(),
    };
    outlined(&shape, primal, regions, memory, name)
}

/// The analyses of a chunk from which its functions are built.
pub(in super::super) struct LoopFuncs<'f> {
    pub(in super::super) call: &'f LoopCall,
    pub(in super::super) planned: &'f Planned,
    /// The chunk with calls of the loops inside it, if there are any, and these loops.
    pub(in super::super) inner: Option<(&'f Planned, HashMap<Symbol, InnerLoop>)>,
    pub(in super::super) names: Names<'f>,
}

/// The functions that take the place of a loop.
pub(in super::super) struct LoopSweeps {
    /// The forward sweep.
    pub(in super::super) sweeps: Symbol,
    /// The run that returns the least memory that the reverse sweep needs.
    pub(in super::super) least: Symbol,
    pub(in super::super) funcs: Vec<Func>,
}

impl LoopFuncs<'_> {
    fn name(&self, what: &str) -> Symbol {
        (self.names.name)(self.call.chunk.func.name, what)
    }

    pub(in super::super) fn all(&self, helpers: &mut Helpers) -> Result<LoopSweeps, Cause> {
        let schedule = Schedule::loaded()?;
        let no_loops = HashMap::new();
        let mut funcs = vec![self.call.chunk.func.clone()];
        funcs.extend(schedule.funcs().into_iter().map(|func| Func::clone(func)));
        let stored = self.variant("", self.planned, &no_loops, helpers, &mut funcs)?;
        let inner = match &self.inner {
            Some((planned, loops)) => Some(self.variant("Outer", planned, loops, helpers, &mut funcs)?),
            None => None,
        };
        let sweep = SweepBuilder {
            call: self.call,
            schedule,
            stored: &stored,
            inner: inner.as_ref(),
            build: FuncBuilder::new(self.name("Sweeps"), Ty::unit()),
        };
        let sweep = sweep.func()?;
        let least = least(self.call, self.name("Least"), inner.as_ref().unwrap_or(&stored).measure)?;
        let (sweeps, least_name) = (sweep.name, least.name);
        funcs.extend([sweep, least]);
        Ok(LoopSweeps { sweeps, least: least_name, funcs })
    }

    /// Builds the measuring run and the reverse sweep, with the loops inside stored or called.
    fn variant(
        &self,
        label: &str,
        planned: &Planned,
        loops: &HashMap<Symbol, InnerLoop>,
        helpers: &mut Helpers,
        funcs: &mut Vec<Func>,
    ) -> Result<Variant, Cause> {
        let Planned { primal, plan, .. } = planned;
        let name = |what: &str| self.name(&format!("{label}{what}"));
        let backward = backward((primal, 1), plan, helpers, name("ReverseSweep"))?;
        // A chunk records what was measured, so nothing has to be counted to keep to the memory.
        let bound = if self.call.counts { TapeBound::Limit(usize::MAX) } else { TapeBound::Unbounded };
        let augmented = AugmentedPrimal { primal, plan, backward: &backward, bound };
        let accumulate = forward(augmented, helpers, name("Accumulate"), ReverseOutput::Accumulate)?;
        let measure = measured(augmented, helpers, name("Measure"), self.call.chunk.state, loops)?;
        let driver = Driver {
            name: name("Revolve"),
            chunk: &self.call.chunk,
            accumulate: accumulate.name,
            schedule: Schedule::loaded()?,
            counts: self.call.counts,
        };
        let driver = driver.func()?;
        let variant = Variant { measure: measure.name, driver: driver.name };
        funcs.extend([accumulate, measure, driver, backward.func]);
        Ok(variant)
    }
}
