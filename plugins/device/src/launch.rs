//! Kernels that are compiled, and launches of them: what devices have in common.

use overdub_spmd::DeviceError;

/// An argument of all calls of a launch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Column {
    pub(crate) data: Vec<u8>,
    /// Where the argument of each call begins; empty if they follow each other at a distance.
    pub(crate) offsets: Vec<u64>,
    pub(crate) stride: u64,
}

/// The calls of a launch.
#[derive(Debug)]
pub(crate) struct Launch<'l> {
    pub(crate) columns: &'l [Column],
    pub(crate) len: usize,
    /// The bytes for each result.
    pub(crate) room: usize,
    /// The bytes of memory for each call.
    pub(crate) memory: usize,
}

/// What became of a call, as the text of a kernel numbers it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Status {
    Done,
    Failed,
    NoMemory,
    NoRoom,
    TooDeep,
}

impl Status {
    pub(crate) fn of(byte: u8) -> Option<Status> {
        [Status::Done, Status::Failed, Status::NoMemory, Status::NoRoom, Status::TooDeep]
            .get(usize::from(byte))
            .copied()
    }
}

/// The status of each call, and the packed results.
#[derive(Debug)]
pub(crate) struct Launched {
    pub(crate) status: Vec<u8>,
    pub(crate) results: Vec<u8>,
}

/// A kernel that a device has compiled.
pub(crate) trait Compiled: Send + Sync + std::fmt::Debug {
    /// Runs calls, and waits for them.
    fn launch(&self, launch: &Launch<'_>) -> Result<Launched, DeviceError>;

    /// The bytes that a launch may use.
    fn free_bytes(&self) -> Result<usize, DeviceError>;
}
