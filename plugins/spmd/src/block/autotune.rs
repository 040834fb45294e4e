//! Empirical autotuning: which of two implementations of a mapped function is the faster one. Both give the same bits, so the choice
//! changes nothing else.
//!
//! - AUTOTUNE1 loops that lanes leave at different times are faster by the kernels, which give free lanes other elements, most other functions
//!   by what the executor compiled. A few blocks are run by
//!   both, and timed; the others are run by the one that took less time.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The number of elements of a block from which on it may be timed: the compiled code runs fewer, whose times say little.
const TIMED: usize = 1024;

/// The first blocks are run by both, and later one of each period, since the elements may change.
const TRIALS: u64 = 2;
const PERIOD: u64 = 64;

/// What runs a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Choice {
    Kernels,
    Compiled,
    /// Both, to be timed.
    Both,
}

/// The total times of the blocks that were run by both, in nanoseconds.
#[derive(Debug, Default)]
pub(super) struct Autotuner {
    kernels: AtomicU64,
    compiled: AtomicU64,
    trials: AtomicU64,
    blocks: AtomicU64,
}

impl Autotuner {
    /// Adds the times of a block that was run by both.
    pub(super) fn add(&self, kernels: Duration, compiled: Duration) {
        for (sum, time) in [(&self.kernels, kernels), (&self.compiled, compiled)] {
            sum.fetch_add(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
        }
        self.trials.fetch_add(1, Ordering::Relaxed);
    }

    /// Chooses what runs the next block, of `len` elements.
    pub(super) fn choose(&self, len: usize) -> Choice {
        if len < TIMED {
            return Choice::Compiled;
        }
        let is_in_turn = self.blocks.fetch_add(1, Ordering::Relaxed) % PERIOD == PERIOD - 1;
        let of = |sum: &AtomicU64| sum.load(Ordering::Relaxed);
        match is_in_turn || of(&self.trials) < TRIALS {
            true => Choice::Both,
            false if of(&self.kernels) < of(&self.compiled) => Choice::Kernels,
            false => Choice::Compiled,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_faster_one_is_chosen_and_both_now_and_then() {
        let tuner = Autotuner::default();
        let run = |kernels: u64, compiled: u64| {
            let mut counts = [0; 3];
            for _ in 0..640 {
                let choice = tuner.choose(TIMED);
                counts[choice as usize] += 1;
                if choice == Choice::Both {
                    tuner.add(Duration::from_nanos(kernels), Duration::from_nanos(compiled));
                }
            }
            counts
        };
        assert_eq!(run(1000, 3000), [628, 0, 12]);
        // The compiled code becomes the faster one.
        let [kernels, compiled, both] = run(90_000, 3000);
        assert!(kernels < 70 && compiled > 560 && both == 10, "{kernels} {compiled} {both}");
        assert_eq!(tuner.choose(3), Choice::Compiled);
    }
}
