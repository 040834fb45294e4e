//! Memory that holds machine code: it is written, then executed, and never both at once.

use memmap2::{Mmap, MmapMut};

/// Code that can be executed.
#[derive(Debug)]
pub(super) struct Memory(Mmap);

impl Memory {
    /// Memory with this code; none if the system does not give any.
    pub(super) fn with(code: &[u8]) -> Option<Memory> {
        let mut memory = MmapMut::map_anon(code.len().max(1)).ok()?;
        memory.get_mut(..code.len())?.copy_from_slice(code);
        memory.make_exec().ok().map(Memory)
    }

    /// The address of the code.
    pub(super) fn begin(&self) -> *const u8 {
        self.0.as_ptr()
    }
}
