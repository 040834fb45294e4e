//! The part of a run that compiled code accesses itself, by the offsets of its fields.

/// The memory that compiled code gets a pointer to: the beginning of the run (RUN1).
#[derive(Default)]
#[repr(C)]
pub(crate) struct RunState {
    /// The number of open calls, stored before host code runs that may call back (CALLDEPTH1).
    pub(crate) depth: u64,
    /// The maximal number of open calls.
    pub(crate) max_depth: u64,
    /// The lowest stack pointer.
    pub(crate) stack_limit: u64,
    /// The status of the last register-preserving libcall (RUN2), which returns no result.
    pub(crate) status: u32,
    /// The steps that code may take before it asks for more (FUEL1); negative when it must ask.
    pub(crate) fuel: i64,
    /// The steps that the program has counted itself, by `steps.add`.
    pub(crate) counted: u64,
    /// The address at which code stores its current site, in the checking mode.
    pub(crate) at: u64,
}
