//! The memory that a run reserves, and its limit.

use overdub_context::Failure;
use overdub_context::limits::{ExtraBytes, Left, Limit};

/// The memory limit: reservations add up, and when the sum reaches the limit, the resident size of the
/// process is compared with it.
#[derive(Default)]
pub(super) struct Memory {
    pub(super) reserved: usize,
    /// The resident size at the run's first reservation; kept, since asking the system is slow.
    pub(super) resident_before: Option<usize>,
}

impl Memory {
    /// Reserves this many bytes of what is left of the limit.
    pub(super) fn reserve(&mut self, left: Option<Left<usize>>, bytes: usize) -> Result<(), Failure> {
        let Some(Left { left, limit }) = left else { return Ok(()) };
        let before = *self.resident_before.get_or_insert_with(resident_bytes);
        self.reserved = self.reserved.saturating_add(bytes);
        if self.reserved.saturating_add(ExtraBytes::bytes()) <= left {
            return Ok(());
        }
        let used = resident_bytes().saturating_sub(before);
        self.reserved = used.saturating_add(bytes);
        if self.reserved > left {
            return Err(Failure::of_limit(Limit::Memory(limit)));
        }
        Ok(())
    }
}

/// The resident size of the process; 0 if the system does not report it.
fn resident_bytes() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = statm.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok());
    pages.unwrap_or(0).saturating_mul(4096)
}
