//! Which of two ways to run elements is the faster one: both give the same, so the choice changes nothing else.
//!
//! - PACE1 loops that lanes leave at different times are faster by the kernels, which give free lanes other elements, most other functions
//!   by what the executor compiled. Each way is timed; the one that takes less time for an element runs, and now and then the other,
//!   as elements may change.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The number of elements of a block from which on it is timed: the compiled code runs fewer, whose times say little.
const TIMED: usize = 1024;

/// From how many blocks on a way is known.
const KNOWN: u64 = 2;

/// The number of blocks of which one runs the other way.
const PERIOD: u64 = 64;

/// The time that elements took in one way.
#[derive(Debug, Default)]
pub(super) struct Pace {
    nanos: AtomicU64,
    elements: AtomicU64,
    blocks: AtomicU64,
}

impl Pace {
    pub(super) fn add(&self, elements: usize, time: Duration) {
        if elements < TIMED {
            return;
        }
        self.nanos.fetch_add(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
        self.elements.fetch_add(elements as u64, Ordering::Relaxed);
        self.blocks.fetch_add(1, Ordering::Relaxed);
    }

    /// The time for an element; none if too few were run.
    fn nanos(&self) -> Option<f64> {
        let is_known = self.blocks.load(Ordering::Relaxed) >= KNOWN;
        let of = |count: &AtomicU64| count.load(Ordering::Relaxed) as f64;
        is_known.then(|| of(&self.nanos) / of(&self.elements).max(1.0))
    }
}

/// The times of both ways.
#[derive(Debug, Default)]
pub(super) struct Paces {
    pub(super) kernels: Pace,
    pub(super) compiled: Pace,
    blocks: AtomicU64,
}

impl Paces {
    /// Whether the next block, of so many elements, runs by kernels although there is compiled code.
    pub(super) fn prefers_kernels(&self, len: usize) -> bool {
        if len < TIMED {
            return false;
        }
        let is_in_turn = self.blocks.fetch_add(1, Ordering::Relaxed) % PERIOD == PERIOD - 1;
        match (self.kernels.nanos(), self.compiled.nanos()) {
            (Some(kernels), Some(compiled)) => (kernels < compiled) != is_in_turn,
            // First what is compiled, then the others.
            (None, Some(_)) => true,
            (_, None) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_faster_way_is_taken_and_the_other_one_now_and_then() {
        let paces = Paces::default();
        let run = |kernels: u64, compiled: u64| {
            let by_kernels = (0..640).filter(|_| {
                let is_by_kernels = paces.prefers_kernels(TIMED);
                let (pace, nanos) =
                    if is_by_kernels { (&paces.kernels, kernels) } else { (&paces.compiled, compiled) };
                pace.add(TIMED, Duration::from_nanos(nanos));
                is_by_kernels
            });
            by_kernels.count()
        };
        assert!((600..640).contains(&run(1000, 3000)));
        // They become slower than the others were all along.
        assert!(run(90_000, 3000) < 100);
    }
}
