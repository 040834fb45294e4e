//! What a derivative may keep for its reverse sweep.

/// What a derivative may keep for its reverse sweep.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum TapeBound {
    /// As much as there is.
    #[default]
    Unbounded,
    /// This number of bytes; a derivative that keeps more fails.
    Limit(usize),
    /// This number of bytes; long loops are checkpointed to keep within it, and a derivative that cannot fails.
    Memory(usize),
}

impl TapeBound {
    /// The number of bytes, if there is a bound.
    pub fn bytes(self) -> Option<usize> {
        match self {
            TapeBound::Unbounded => None,
            TapeBound::Limit(bytes) | TapeBound::Memory(bytes) => Some(bytes),
        }
    }

    /// The bytes within which loops are checkpointed, if they are.
    pub(crate) fn memory(self) -> Option<usize> {
        match self {
            TapeBound::Memory(bytes) => Some(bytes),
            TapeBound::Unbounded | TapeBound::Limit(_) => None,
        }
    }
}
