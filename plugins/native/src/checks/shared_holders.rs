//! The ledger of holders that are not frames: packed elements, constants and the pool.

use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use hashbrown::HashMap;

use super::{Holder, ON, ledger};
use crate::abi::layout::Counted;

/// Holders that outlive runs and are shared between threads.
#[derive(Default)]
struct SharedHolders {
    /// The number of words of each block in packed elements and constants.
    words: HashMap<u64, usize>,
    /// The words of each holder.
    words_by_holder: HashMap<Holder, HashMap<u64, usize>>,
    /// The allocations of packed elements, by address range.
    buffers: BTreeMap<usize, usize>,
}

static SHARED: LazyLock<Mutex<SharedHolders>> = LazyLock::new(Mutex::default);

fn all() -> MutexGuard<'static, SharedHolders> {
    SHARED.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SharedHolders {
    fn add(&mut self, holder: Holder, word: u64) {
        *self.words_by_holder.entry(holder).or_default().entry(word).or_default() += 1;
        if holder != Holder::Pool {
            *self.words.entry(word).or_default() += 1;
        }
    }

    /// Removes a count, if the holder has one.
    fn remove(&mut self, holder: Holder, word: u64) -> bool {
        let was_held = self.words_by_holder.get_mut(&holder).is_some_and(|held| take_from(held, word));
        if was_held && holder != Holder::Pool {
            take_from(&mut self.words, word);
        }
        was_held
    }

    /// The packed elements at an address.
    fn rows_at(&self, place: usize) -> Option<Holder> {
        let (from, to) = self.buffers.range(..=place).next_back()?;
        (place < *to).then_some(Holder::Packed(*from))
    }
}

fn take_from(counts: &mut HashMap<u64, usize>, word: u64) -> bool {
    let Some(left) = counts.get_mut(&word) else { return false };
    *left -= 1;
    if *left == 0 {
        counts.remove(&word);
    }
    true
}

/// The number of words of a block in packed elements and constants.
pub(super) fn count(word: u64) -> usize {
    all().words.get(&word).copied().unwrap_or(0)
}

pub(super) fn gained(holder: Holder, word: u64) {
    all().add(holder, word);
}

pub(super) fn lost(holder: Holder, word: u64) -> bool {
    all().remove(holder, word)
}

/// A guard: while it lives, the current holder is the given one.
pub(crate) struct Holding(Holder);

impl Holding {
    pub(crate) fn by(holder: Holder) -> Holding {
        Holding(if ON { ledger::hold_by(holder) } else { holder })
    }
}

impl Drop for Holding {
    fn drop(&mut self) {
        if ON {
            ledger::hold_by(self.0);
        }
    }
}

/// Records an allocation of packed elements.
pub(crate) fn buffer_allocated(base: usize, bytes: usize) {
    if ON {
        all().buffers.insert(base, base + bytes);
    }
}

/// Records that words moved from one allocation to another.
pub(crate) fn buffer_moved(from: usize, to: usize) {
    if ON {
        let mut all = all();
        for (word, count) in all.words_by_holder.remove(&Holder::Packed(from)).unwrap_or_default() {
            *all.words_by_holder.entry(Holder::Packed(to)).or_default().entry(word).or_default() += count;
        }
    }
}

/// Records that an allocation, whose words were released, is freed.
pub(crate) fn buffer_freed(base: usize) {
    if ON {
        let mut all = all();
        all.buffers.remove(&base);
        let left = all.words_by_holder.remove(&Holder::Packed(base)).unwrap_or_default();
        for (word, count) in &left {
            (0..*count).for_each(|_| _ = take_from(&mut all.words, *word));
        }
        drop(all);
        if let Some((word, _)) = left.iter().find(|(_, count)| **count > 0) {
            ledger::fault(&format!(
                "rows at {base:#x} are freed, but {} blocks that they held were not given up, the one at {word:#x} among them",
                left.len()
            ));
        }
    }
}

/// Compiled code moves words of its frame to a row.
pub(crate) fn row_put(place: usize, words: impl Iterator<Item = (Counted, u64)>) {
    let rows = all().rows_at(place);
    match rows {
        None => ledger::fault(&format!("it writes a row at {place:#x}, where there are no rows")),
        Some(rows) => words.for_each(|(counted, word)| {
            ledger::lost(counted, word);
            ledger::gained_by(rows, counted, word);
        }),
    }
}

/// Compiled code moves words of a row to its frame.
pub(crate) fn row_moved_out(place: usize, words: impl Iterator<Item = (Counted, u64)>) {
    let rows = all().rows_at(place);
    match rows {
        None => ledger::fault(&format!("it takes a row at {place:#x}, where there are no rows")),
        Some(rows) => words.for_each(|(counted, word)| {
            ledger::lost_by(rows, counted, word);
            ledger::gained(counted, word);
        }),
    }
}
