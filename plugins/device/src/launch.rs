//! What devices have in common: memory, kernels that are compiled, and launches of them.

use std::ops::Range;
use std::sync::Arc;

use overdub_export::{Export, ExportError};
use overdub_spmd::DeviceError;

/// The bytes before the results of a launch; its last word is for the number of them, so that they can be read as a list.
pub(crate) const HEADER: usize = 16;

/// The refusal of a function that cannot be exported.
pub(crate) fn unsupported(error: &ExportError) -> DeviceError {
    let span = error.span();
    DeviceError::Unsupported(if span.is_known() { format!("{error}, at {span}") } else { error.to_string() })
}

/// The memory that each call of a kernel takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Memory {
    Nothing,
    /// For this number of lists alone, each about as long as the arguments.
    Lists(usize),
    /// How much is seen when it runs.
    Unknown,
}

/// The text of a kernel in CUDA C++.
pub(crate) fn cuda_text(export: &Export<'_>) -> Result<(String, Memory), DeviceError> {
    let kernel = export.kernel().map_err(|error| unsupported(&error))?;
    Ok((kernel.text, if kernel.allocates { Memory::Unknown } else { Memory::Nothing }))
}

/// A device, or what runs kernels in its place.
pub(crate) trait Backend: std::fmt::Debug + Send + Sync + 'static {
    /// Memory of the device.
    type Buffer: Send + Sync;
    /// A compiled kernel.
    type Program: Send + Sync;

    /// The text of the kernel of an exported function, and the memory that it takes.
    fn text(&self, export: &Export<'_>, name: &str) -> Result<(String, Memory), DeviceError>;

    /// Compiles the text of a kernel.
    fn compile(&self, text: &str) -> Result<Self::Program, DeviceError>;

    /// Copies bytes to the device; those of an empty list, too, have a place.
    fn send(&self, bytes: &[u8]) -> Result<Self::Buffer, DeviceError>;

    /// Replaces bytes from a place on.
    fn replace(&self, buffer: &mut Self::Buffer, from: usize, bytes: &[u8]) -> Result<(), DeviceError>;

    /// Copies bytes from the device.
    fn fetch(&self, buffer: &Self::Buffer, range: Range<usize>) -> Result<Vec<u8>, DeviceError>;

    /// The bytes that a launch may use.
    fn free_bytes(&self) -> Result<usize, DeviceError>;

    /// Runs calls, and waits for them.
    fn launch(
        &self,
        program: &Self::Program,
        launch: &Launch<'_, Self::Buffer>,
    ) -> Result<Launched<Self::Buffer>, DeviceError>;

    /// Adds numbers of the results of calls, leaf by leaf.
    fn sums(&self, program: &Self::Program, sums: &Sums<'_, Self::Buffer>) -> Result<Vec<f64>, DeviceError>;
}

/// An argument of all calls of a launch.
#[derive(Debug)]
pub(crate) struct Column<B> {
    pub(crate) data: Data<B>,
    /// Where the data begin.
    pub(crate) begin: u64,
    /// Where the argument of each call begins after that; empty if they follow each other at a distance.
    pub(crate) offsets: Vec<u64>,
    pub(crate) stride: u64,
}

/// Where the data of a column are.
#[derive(Debug)]
pub(crate) enum Data<B> {
    Host(Vec<u8>),
    Device(Arc<B>),
}

/// The calls of a launch.
#[derive(Debug)]
pub(crate) struct Launch<'l, B> {
    pub(crate) columns: &'l [Column<B>],
    pub(crate) len: usize,
    /// The bytes for each result.
    pub(crate) room: usize,
    /// The bytes of memory for each call.
    pub(crate) memory: usize,
}

impl<B> Launch<'_, B> {
    /// The bytes for all results.
    pub(crate) fn results(&self) -> usize {
        HEADER + self.len * self.room
    }
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

/// The status of each call, and the packed results behind the [`HEADER`].
#[derive(Debug)]
pub(crate) struct Launched<B> {
    pub(crate) status: Vec<u8>,
    pub(crate) results: B,
}

/// Sums over the results of calls, each of which has numbers at the same places.
#[derive(Debug)]
pub(crate) struct Sums<'s, B> {
    pub(crate) results: &'s B,
    pub(crate) len: usize,
    pub(crate) room: usize,
    /// The number of calls whose numbers are added, in order.
    pub(crate) leaf: usize,
    /// The bytes before each number in a result, and one more if it is an `f32`. The sums of a leaf are in this order.
    pub(crate) places: &'s [u64],
}

impl<B> Sums<'_, B> {
    /// The number of sums.
    pub(crate) fn count(&self) -> usize {
        self.len.div_ceil(self.leaf) * self.places.len()
    }
}
