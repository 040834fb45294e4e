//! The tape: the predecessors and partial derivatives of each entry, in execution order.
//!
//! - ENTRY1 a block is a range of consecutive entries of one computation with a pullback of its own; they
//!   have no edges.

mod record;

use std::fmt;
use std::sync::Arc;

use overdub_context::{Failure, FailureKind};

pub(crate) use record::{Pull, RECORD, Recorder, record_block, recorded_len, recorder, recording};

/// The entries of a run. Entry 0 stands for constants and accumulates nothing.
#[derive(Clone, Debug)]
pub(crate) struct Tape {
    /// The end of each entry's edges, which begin at the end of the previous entry's.
    ends: Vec<u32>,
    sources: Vec<u32>,
    partials: Vec<f64>,
    /// The blocks, in the order of their entries.
    blocks: Vec<Block>,
    block_bytes: usize,
    limit: usize,
    /// Whether an entry has a partial derivative in single precision.
    has_single: bool,
}

/// Maps the cotangents of a computation's results to those of its operands.
pub(crate) type BlockPullback = Arc<dyn Fn(&[f64]) -> Result<Vec<f64>, Failure> + Send + Sync>;

/// A block of entries (ENTRY1).
#[derive(Clone)]
struct Block {
    first: usize,
    count: usize,
    /// The entries of its operands.
    sources: Arc<[u32]>,
    pullback: BlockPullback,
}

impl fmt::Debug for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Block")
            .field("first", &self.first)
            .field("count", &self.count)
            .finish_non_exhaustive()
    }
}

impl Block {
    fn bytes(&self) -> usize {
        size_of::<Block>() + size_of_val(&*self.sources)
    }

    fn steps(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.count
    }

    /// The cotangents of the operands, checked to be of the right number.
    fn pull(&self, cotangents: &[f64]) -> Result<Vec<f64>, Failure> {
        let found = (self.pullback)(cotangents)?;
        if found.len() == self.sources.len() {
            return Ok(found);
        }
        let message = format!("a pullback gives {} numbers for {}", found.len(), self.sources.len());
        Err(Failure::new(FailureKind::Host, message))
    }
}

const BYTES_PER_STEP: usize = size_of::<u32>();
const BYTES_PER_EDGE: usize = size_of::<u32>() + size_of::<f64>();

impl Tape {
    /// A tape for this many arguments, the entries `1..=arguments`, with a limit in bytes.
    pub(crate) fn new(arguments: usize, limit: usize) -> Tape {
        Tape {
            ends: vec![0; arguments + 1],
            sources: Vec::new(),
            partials: Vec::new(),
            blocks: Vec::new(),
            block_bytes: 0,
            limit,
            has_single: false,
        }
    }

    /// The number of entries, including that of constants.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Drops all entries except the first `len`; the last of them must not be inside a block.
    pub(crate) fn truncate(&mut self, len: usize) {
        let len = len.max(1);
        self.ends.truncate(len);
        let edges = self.ends.last().map_or(0, |end| *end as usize);
        self.sources.truncate(edges);
        self.partials.truncate(edges);
        while self.blocks.last().is_some_and(|block| block.first >= len) {
            let bytes = self.blocks.pop().map_or(0, |block| block.bytes());
            self.block_bytes -= bytes;
        }
    }

    /// Notes that an entry is a number in single precision.
    pub(crate) fn note_single(&mut self) {
        self.has_single = true;
    }

    /// Whether some entry is a number in single precision.
    #[cfg(feature = "check")]
    pub(crate) fn has_single(&self) -> bool {
        self.has_single
    }

    /// The number of bytes that the entries take.
    pub(crate) fn bytes(&self) -> usize {
        self.ends.len() * BYTES_PER_STEP + self.sources.len() * BYTES_PER_EDGE + self.block_bytes
    }

    /// Appends an entry and returns its index; 0 if it depends on constants only.
    pub(crate) fn push(&mut self, edges: impl Iterator<Item = (u32, f64)>) -> Result<u32, Failure> {
        let before = self.sources.len();
        for (source, partial) in edges {
            // AD3: a zero partial derivative propagates nothing.
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

    /// Appends a block of `count` entries for a computation on these entries, and returns the first.
    pub(crate) fn push_block(
        &mut self,
        sources: Vec<u32>,
        count: usize,
        pullback: BlockPullback,
    ) -> Result<u32, Failure> {
        let first = self.ends.len();
        let block = Block { first, count, sources: sources.into(), pullback };
        self.block_bytes += block.bytes();
        let fits = u32::try_from(first + count).is_ok() && self.bytes() <= self.limit;
        let (Ok(step), true) = (u32::try_from(first), fits) else { return Err(full(self.limit)) };
        let end = self.ends[first - 1];
        self.ends.resize(first + count, end);
        self.blocks.push(block);
        Ok(step)
    }

    /// The tangents of all entries, from those of the first `directions.len()`, the arguments.
    pub(crate) fn push_forward(&self, directions: &[f64]) -> Result<Vec<f64>, Failure> {
        let mut tangents = vec![0.0; self.ends.len()];
        tangents[1..=directions.len()].copy_from_slice(directions);
        let mut blocks = self.blocks.iter().peekable();
        for step in directions.len() + 1..self.ends.len() {
            if let Some(block) = blocks.next_if(|block| block.first == step) {
                self.through(block, &mut tangents)?;
            }
            let edges = self.ends[step - 1] as usize..self.ends[step] as usize;
            let terms = self.sources[edges.clone()].iter().zip(&self.partials[edges]);
            // AD3: a zero tangent contributes zero.
            let changing = terms.map(|(source, partial)| (tangents[*source as usize], partial));
            let dx: f64 = changing.filter(|(dx, _)| *dx != 0.0).map(|(dx, partial)| dx * partial).sum();
            tangents[step] += dx;
        }
        Ok(tangents)
    }

    /// The tangents of a block's entries, from its pullback row by row.
    fn through(&self, block: &Block, tangents: &mut [f64]) -> Result<(), Failure> {
        let directions: Vec<f64> = block.sources.iter().map(|source| tangents[*source as usize]).collect();
        for (row, step) in block.steps().enumerate() {
            let mut seed = vec![0.0; block.count];
            seed[row] = 1.0;
            let partials = block.pull(&seed)?;
            let terms = partials.iter().zip(&directions).filter(|(_, dx)| **dx != 0.0);
            tangents[step] = terms.map(|(partial, dx)| partial * dx).sum();
        }
        Ok(())
    }

    /// The derivatives of a weighted sum of entries with respect to the first `arguments` entries.
    pub(crate) fn pull(&self, seeds: &[(u32, f64)], arguments: usize) -> Result<Vec<f64>, Failure> {
        Ok(inputs(self.pull_each(seeds, arguments + 1, |partial| partial)?, arguments))
    }

    /// The cotangents of all entries at the point at which the reverse sweep has reached the entry `from`.
    pub(crate) fn cotangents(&self, seeds: &[(u32, f64)], from: usize) -> Result<Vec<f64>, Failure> {
        self.pull_each(seeds, from, |partial| partial)
    }

    /// The sums of the absolute values of the terms of such derivatives; a block counts as one term.
    #[cfg(feature = "check")]
    pub(crate) fn magnitudes(&self, seeds: &[(u32, f64)], arguments: usize) -> Result<Vec<f64>, Failure> {
        let seeds: Vec<(u32, f64)> = seeds.iter().map(|(step, seed)| (*step, seed.abs())).collect();
        Ok(inputs(self.pull_each(&seeds, arguments + 1, f64::abs)?, arguments))
    }

    /// The cotangents of all entries after the entries from `from` on have propagated theirs, with each
    /// partial derivative mapped by `map_partial`.
    fn pull_each(
        &self,
        seeds: &[(u32, f64)],
        from: usize,
        map_partial: impl Fn(f64) -> f64,
    ) -> Result<Vec<f64>, Failure> {
        let mut cotangents = vec![0.0; self.ends.len()];
        for (step, seed) in seeds {
            cotangents[*step as usize] += seed;
        }
        let last = seeds.iter().map(|(step, _)| *step as usize).max().unwrap_or(0);
        let mut blocks = self.blocks.iter().rev().skip_while(|block| block.first > last).peekable();
        for step in (from.max(1)..=last).rev() {
            if let Some(block) = blocks.next_if(|block| block.first == step) {
                propagate_block(block, &mut cotangents, &map_partial)?;
            }
            let cotangent = cotangents[step];
            // AD3: an entry with a zero cotangent propagates nothing.
            if cotangent == 0.0 {
                continue;
            }
            let edges = self.ends[step - 1] as usize..self.ends[step] as usize;
            for (source, partial) in self.sources[edges.clone()].iter().zip(&self.partials[edges]) {
                cotangents[*source as usize] += cotangent * map_partial(*partial);
            }
        }
        Ok(cotangents)
    }
}

/// The cotangents of the arguments.
fn inputs(mut cotangents: Vec<f64>, arguments: usize) -> Vec<f64> {
    cotangents.truncate(arguments + 1);
    cotangents.remove(0);
    cotangents
}

/// Propagates the cotangents of a block's entries to its operands.
fn propagate_block(
    block: &Block,
    cotangents: &mut [f64],
    map_partial: &impl Fn(f64) -> f64,
) -> Result<(), Failure> {
    let seeds = cotangents[block.steps()].to_vec();
    // AD3
    if seeds.iter().all(|seed| *seed == 0.0) {
        return Ok(());
    }
    for (source, found) in block.sources.iter().zip(block.pull(&seeds)?) {
        if *source != 0 {
            cotangents[*source as usize] += map_partial(found);
        }
    }
    Ok(())
}

#[cold]
fn full(limit: usize) -> Failure {
    let message = format!("the tape of reverse mode would take more than {limit} bytes");
    let help = "use forward mode, a checkpoint around the loop, or a higher limit".to_owned();
    Failure::new(FailureKind::MemoryLimit, message).with_help(Some(help))
}
