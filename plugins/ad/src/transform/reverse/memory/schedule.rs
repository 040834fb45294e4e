//! The schedule of binomial checkpointing, after Griewank and Walther, *Algorithm 799: Revolve* (2000).
//!
//! A loop is reversed in chunks of iterations, the last one first. Each begins at a state, which is recomputed from the
//! nearest snapshot before it. These functions are compiled by rustc for tests, and loaded as source into derivatives.

/// The number of iterations in a chunk: all of them if their records fit beside one snapshot, else as many as fit in
/// half of the memory that this leaves, at least one.
pub(super) fn chunk_of(iterations: usize, record: usize, snapshot: usize, memory: usize) -> usize {
    let left = memory.saturating_sub(snapshot);
    if record == 0 || iterations <= left / record {
        return iterations;
    }
    (left / 2 / record).max(1)
}

/// The number of snapshots that fit in the memory that a chunk leaves, at least one.
pub(super) fn snapshots(chunk: usize, record: usize, snapshot: usize, memory: usize) -> usize {
    if snapshot == 0 {
        return usize::MAX;
    }
    (memory.saturating_sub(chunk.saturating_mul(record)) / snapshot).max(1)
}

/// The number of snapshots of a loop whose chunks are single iterations, each of which needs at least `needed`
/// bytes: half of what is left beside one snapshot, at least one, and no more than iterations.
pub(super) fn outer_snapshots(iterations: usize, needed: usize, snapshot: usize, memory: usize) -> usize {
    let left = memory.saturating_sub(needed.saturating_add(snapshot));
    if snapshot == 0 {
        return iterations;
    }
    (1 + left / 2 / snapshot).min(iterations)
}

/// The number of chunks to advance from a snapshot towards the chunk `distance` further on, before the next snapshot is
/// taken: so many that the number of advances is least, if `free` more snapshots may be taken.
pub(super) fn advance(distance: usize, free: usize) -> usize {
    if free == 0 || distance <= 1 {
        return distance;
    }
    // With s snapshots and r repetitions binomial(s + r, s) chunks are reversed; `most` is that number.
    let chunks = distance + 1;
    let s = (free + 1).min(chunks);
    let mut r = 1;
    let mut before = 1;
    let mut most = s + 1;
    while most < chunks {
        r += 1;
        before = most;
        most = most.saturating_mul(s + r) / r;
    }
    // binomial(s - 1 + r - 1, s - 1)
    let rest = before.saturating_mul(s) / (s + r - 1);
    before.min(chunks - rest)
}

#[cfg(test)]
mod tests {
    use super::{advance, chunk_of, outer_snapshots, snapshots};

    /// The number of advances that reversing `chunks` with `count` snapshots takes; asserts that it keeps to them.
    fn advances(chunks: usize, count: usize) -> usize {
        let (mut total, mut stack) = (0, vec![0]);
        for at in (0..chunks).rev() {
            let mut state = *stack.last().expect("the first snapshot stays to the end");
            while state < at {
                let by = advance(at - state, count - stack.len());
                assert!(by > 0 && state + by <= at);
                (state, total) = (state + by, total + by);
                if state < at {
                    stack.push(state);
                    assert!(stack.len() <= count);
                }
            }
            if stack.last() == Some(&at) {
                stack.pop();
            }
        }
        total
    }

    fn binomial(n: usize, k: usize) -> usize {
        (0..k).fold(1, |product, i| product * (n - i) / (i + 1))
    }

    /// The least number of advances, by Griewank and Walther's formula.
    fn least(chunks: usize, snapshots: usize) -> usize {
        let r = (0..).find(|r| binomial(snapshots + r, snapshots) >= chunks).expect("it grows");
        if r == 0 { 0 } else { r * chunks - binomial(snapshots + r, snapshots + 1) }
    }

    #[test]
    fn the_schedule_advances_as_little_as_revolve() {
        for chunks in 1..200 {
            for snapshots in 1..20 {
                let found = advances(chunks, snapshots);
                assert_eq!(found, least(chunks, snapshots), "{chunks} chunks, {snapshots} snapshots");
            }
        }
    }

    #[test]
    fn chunks_and_snapshots_keep_to_the_memory() {
        for (record, snapshot, memory) in
            [(8, 8, 16), (8, 800, 808), (100, 3, 5000), (1, 1, 1 << 40), (7, 0, 70)]
        {
            for iterations in [1, 2, 10, 1_000_000] {
                let chunk = chunk_of(iterations, record, snapshot, memory);
                let count = snapshots(chunk, record, snapshot, memory);
                assert!(chunk >= 1 && count >= 1);
                assert!(chunk * record + count.saturating_mul(snapshot).min(memory) <= memory + snapshot);
                assert!(snapshot == 0 || chunk * record + count * snapshot <= memory);
            }
        }
    }

    #[test]
    fn the_snapshots_of_an_outer_loop_leave_what_an_iteration_needs() {
        for (needed, snapshot, memory) in [(100, 8, 108), (100, 8, 5000), (0, 3, 4), (7, 0, 7)] {
            for iterations in [1, 20, 1 << 40] {
                let count = outer_snapshots(iterations, needed, snapshot, memory);
                assert!((1..=iterations).contains(&count));
                assert!(snapshot == 0 || count * snapshot + needed <= memory);
            }
        }
    }
}
