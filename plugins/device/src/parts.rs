//! Work of the host on the elements of a launch, by several threads.

use std::num::NonZero;
use std::ops::Range;

/// The number of elements below which a thread more does not pay.
const FEW: usize = 4096;

/// Works on ranges of numbers by several threads; the results are in order.
pub(crate) fn in_parts<T: Send>(len: usize, work: impl Fn(Range<usize>) -> T + Sync) -> Vec<T> {
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get).min(len.div_ceil(FEW)).max(1);
    if threads == 1 {
        return vec![work(0..len)];
    }
    let part = len.div_ceil(threads);
    let ranges = (0..threads).map(|number| (number * part).min(len)..((number + 1) * part).min(len));
    std::thread::scope(|scope| {
        let running: Vec<_> = ranges.map(|range| scope.spawn(|| work(range))).collect();
        let joined = running.into_iter().map(|thread| thread.join());
        joined.map(|result| result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    })
}
