//! The pullback of one run, independent of the engine that made it.

use overdub_context::Failure;
use overdub_context::value::Value;

use crate::domain_call::checked;
use crate::flatten::floats;
use crate::strategy::Strategy;
use crate::tape::TapePullback;
use crate::transform::reverse::TransformPullback;

/// Maps cotangents of a result to cotangents of the arguments, each in the shape of its value.
#[derive(Clone, Debug)]
pub struct ValuePullback {
    sweep: Sweep,
    strategy: Strategy,
    outputs: usize,
}

#[derive(Clone, Debug)]
enum Sweep {
    Tape(TapePullback),
    Transformed(TransformPullback),
}

impl ValuePullback {
    pub(crate) fn recorded(pullback: TapePullback, strategy: Strategy) -> ValuePullback {
        let outputs = pullback.outputs();
        ValuePullback { sweep: Sweep::Tape(pullback), strategy, outputs }
    }

    /// The pullback of a transformed function whose result has `outputs` floats.
    pub(crate) fn transformed(pullback: TransformPullback, outputs: usize) -> ValuePullback {
        ValuePullback { sweep: Sweep::Transformed(pullback), strategy: Strategy::Transformation, outputs }
    }

    /// The cotangents of the arguments, for those of the first floats of the result; those of the others are
    /// zero.
    ///
    /// # Errors
    /// If there are more cotangents than the result has floats.
    pub fn pull(&self, cotangents: &[f64]) -> Result<Vec<Value<'static>>, Failure> {
        let mut seeds = cotangents.to_vec();
        seeds.resize(seeds.len().max(self.outputs), 0.0);
        checked(self.outputs, seeds.len())?;
        match &self.sweep {
            Sweep::Tape(pullback) => pullback.pull(&seeds),
            Sweep::Transformed(pullback) => pullback.pull(&seeds),
        }
    }

    /// The cotangents of all floats of the arguments in order, for cotangents as [`ValuePullback::pull`] takes them.
    pub(crate) fn pull_floats(&self, cotangents: &[f64]) -> Result<Vec<f64>, Failure> {
        match &self.sweep {
            Sweep::Tape(pullback) => {
                let mut seeds = cotangents.to_vec();
                seeds.resize(self.outputs, 0.0);
                pullback.pull_floats(&seeds)
            }
            Sweep::Transformed(_) => Ok(self.pull(cotangents)?.iter().flat_map(floats).collect()),
        }
    }

    /// The number of floats of the result.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// The number of bytes kept from the run.
    pub fn tape_bytes(&self) -> usize {
        match &self.sweep {
            Sweep::Tape(pullback) => pullback.tape_bytes(),
            Sweep::Transformed(pullback) => pullback.tape_bytes(),
        }
    }

    /// The engine that made the pullback, and why it was chosen.
    pub fn strategy(&self) -> &Strategy {
        &self.strategy
    }
}
