//! Which of two ways to run elements is the faster one: both give the same, so the choice changes nothing else.
//!
//! - PACE1 loops that lanes leave at different times are faster by the kernels, which give free lanes other elements, most other functions
//!   by what the executor compiled. A few blocks run both ways, and are timed; the others run the way that took less time.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The number of elements of a block from which on it may be timed: the compiled code runs fewer, whose times say little.
const TIMED: usize = 1024;

/// The number of blocks that run both ways at first, and the number of blocks of which one does later: elements may change.
const TRIALS: u64 = 2;
const PERIOD: u64 = 64;

/// How a block runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    Kernels,
    Compiled,
    /// Both ways, to be timed.
    Both,
}

/// The times of the blocks that ran both ways.
#[derive(Debug, Default)]
pub(super) struct Paces {
    kernels: AtomicU64,
    compiled: AtomicU64,
    trials: AtomicU64,
    blocks: AtomicU64,
}

impl Paces {
    /// Adds the times of a block that ran both ways.
    pub(super) fn add(&self, kernels: Duration, compiled: Duration) {
        for (sum, time) in [(&self.kernels, kernels), (&self.compiled, compiled)] {
            sum.fetch_add(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
        }
        self.trials.fetch_add(1, Ordering::Relaxed);
    }

    /// How the next block, of so many elements, runs if there is compiled code.
    pub(super) fn way(&self, len: usize) -> Way {
        if len < TIMED {
            return Way::Compiled;
        }
        let is_in_turn = self.blocks.fetch_add(1, Ordering::Relaxed) % PERIOD == PERIOD - 1;
        let of = |sum: &AtomicU64| sum.load(Ordering::Relaxed);
        match is_in_turn || of(&self.trials) < TRIALS {
            true => Way::Both,
            false if of(&self.kernels) < of(&self.compiled) => Way::Kernels,
            false => Way::Compiled,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_faster_way_is_taken_and_both_now_and_then() {
        let paces = Paces::default();
        let run = |kernels: u64, compiled: u64| {
            let mut counts = [0; 3];
            for _ in 0..640 {
                let way = paces.way(TIMED);
                counts[way as usize] += 1;
                if way == Way::Both {
                    paces.add(Duration::from_nanos(kernels), Duration::from_nanos(compiled));
                }
            }
            counts
        };
        assert_eq!(run(1000, 3000), [628, 0, 12]);
        // The others become faster than these were all along.
        let [kernels, compiled, both] = run(90_000, 3000);
        assert!(kernels < 70 && compiled > 560 && both == 10, "{kernels} {compiled} {both}");
        assert_eq!(paces.way(3), Way::Compiled);
    }
}
