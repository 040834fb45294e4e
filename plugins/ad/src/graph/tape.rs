//! The tape: each step's predecessors and partial derivatives, in the order of execution.

use overdub_context::{Failure, FailureKind};

/// The steps of a run. Step 0 is that of constants, which nothing is added to.
#[derive(Clone, Debug)]
pub(crate) struct Tape {
    /// Where the edges of each step end; they begin where those of the step before end.
    ends: Vec<u32>,
    sources: Vec<u32>,
    partials: Vec<f64>,
    limit: usize,
}

const BYTES_PER_STEP: usize = size_of::<u32>();
const BYTES_PER_EDGE: usize = size_of::<u32>() + size_of::<f64>();

impl Tape {
    /// A tape for so many arguments, the steps `1..=arguments`, that may take so many bytes.
    pub(crate) fn new(arguments: usize, limit: usize) -> Tape {
        Tape { ends: vec![0; arguments + 1], sources: Vec::new(), partials: Vec::new(), limit }
    }

    /// The bytes that the steps take.
    pub(crate) fn bytes(&self) -> usize {
        self.ends.len() * BYTES_PER_STEP + self.sources.len() * BYTES_PER_EDGE
    }

    /// Records a step and gives its place; 0 where it depends on constants alone.
    pub(crate) fn push(&mut self, edges: impl Iterator<Item = (u32, f64)>) -> Result<u32, Failure> {
        let before = self.sources.len();
        for (source, partial) in edges {
            // A3: what does not change with an operand takes nothing back to it.
            if source != 0 && partial != 0.0 {
                self.sources.push(source);
                self.partials.push(partial);
            }
        }
        if self.sources.len() == before {
            return Ok(0);
        }
        let fits = u32::try_from(self.sources.len()).ok().zip(u32::try_from(self.ends.len()).ok());
        match fits {
            Some((end, step)) if self.bytes() <= self.limit => {
                self.ends.push(end);
                Ok(step)
            }
            _ => Err(full(self.limit)),
        }
    }

    /// How each step changes as the first `directions.len()` of them, the arguments, do.
    pub(crate) fn push_forward(&self, directions: &[f64]) -> Vec<f64> {
        let mut tangents = vec![0.0; self.ends.len()];
        tangents[1..=directions.len()].copy_from_slice(directions);
        for step in directions.len() + 1..self.ends.len() {
            let edges = self.ends[step - 1] as usize..self.ends[step] as usize;
            let terms = self.sources[edges.clone()].iter().zip(&self.partials[edges]);
            // A3: what does not change contributes nothing.
            let changing = terms.map(|(source, partial)| (tangents[*source as usize], partial));
            tangents[step] = changing.filter(|(dx, _)| *dx != 0.0).map(|(dx, partial)| dx * partial).sum();
        }
        tangents
    }

    /// The derivatives of the sum of some steps, each weighted, in the first `arguments` steps.
    pub(crate) fn pull(&self, seeds: &[(u32, f64)], arguments: usize) -> Vec<f64> {
        let mut cotangents = vec![0.0; self.ends.len()];
        for (step, seed) in seeds {
            cotangents[*step as usize] += seed;
        }
        let last = seeds.iter().map(|(step, _)| *step as usize).max().unwrap_or(0);
        for step in (arguments + 1..=last).rev() {
            let cotangent = cotangents[step];
            // A3: nothing comes back from what nothing depends on.
            if cotangent == 0.0 {
                continue;
            }
            let edges = self.ends[step - 1] as usize..self.ends[step] as usize;
            for (source, partial) in self.sources[edges.clone()].iter().zip(&self.partials[edges]) {
                cotangents[*source as usize] += cotangent * partial;
            }
        }
        cotangents.truncate(arguments + 1);
        cotangents.remove(0);
        cotangents
    }
}

#[cold]
fn full(limit: usize) -> Failure {
    let message = format!("the tape of reverse mode would take more than {limit} bytes");
    let help = "use forward mode, a checkpoint around the loop, or a higher limit".to_owned();
    Failure::new(FailureKind::MemoryLimit, message).with_help(Some(help))
}
