//! How the elements of a mapped call are run: threads, progress, cancellation.

use std::fmt;
use std::num::NonZero;
use std::sync::{Arc, Mutex, PoisonError};

use overdub_context::limits::Cancel;

use crate::device::Device;

/// The stack of a thread, of which only the used part takes memory: functions are lowered where they are first called, and
/// may be deeply nested.
pub(crate) const STACK_BYTES: usize = 256 << 20;

/// The number of elements from which a block is run by a loop: a call of it costs what some twenty calls of a small function
/// do.
const SMALLEST_BLOCK: usize = 32;

/// How far a mapped call is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The number of elements that are done.
    pub done: usize,
    /// The number of all elements.
    pub len: usize,
}

type Callback = Arc<Mutex<dyn FnMut(Progress) + Send>>;

/// The number of elements side by side, unless it is chosen.
pub(crate) const DEFAULT_LANES: usize = 64;

/// The settings of a mapped call. Clones share the callback.
#[derive(Clone)]
pub(crate) struct Settings {
    threads: usize,
    progress: Option<Callback>,
    pub(crate) cancel: Option<Cancel>,
    pub(crate) device: Option<Arc<dyn Device>>,
    /// The number of elements side by side, if they run in lanes.
    pub(crate) lanes: Option<usize>,
    /// The number of elements from which a block is run by a loop.
    pub(crate) smallest_block: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            threads: 1,
            progress: None,
            cancel: None,
            device: None,
            lanes: None,
            smallest_block: SMALLEST_BLOCK,
        }
    }
}

impl Settings {
    /// Lanes, this many side by side, on the calling thread.
    pub(crate) fn in_lanes(lanes: usize) -> Settings {
        Settings { lanes: Some(lanes), ..Settings::default() }
    }

    /// The number of lanes that is asked for, or that would be.
    pub(crate) fn width(&self) -> usize {
        self.lanes.unwrap_or(DEFAULT_LANES)
    }

    /// Sets the number of threads; 0 is one for each core.
    pub(crate) fn set_threads(&mut self, threads: usize) {
        self.threads = match threads {
            0 => std::thread::available_parallelism().map_or(1, NonZero::get),
            threads => threads,
        };
    }

    pub(crate) fn set_progress(&mut self, callback: impl FnMut(Progress) + Send + 'static) {
        self.progress = Some(Arc::new(Mutex::new(callback)));
    }

    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(Cancel::is_cancelled)
    }

    /// Counts elements that are done; calls of the callback do not overlap, and its numbers grow.
    pub(crate) fn advance(&self, done: &Mutex<usize>, by: usize, len: usize) {
        let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
        *done += by;
        if let Some(callback) = &self.progress {
            let mut callback = callback.lock().unwrap_or_else(PoisonError::into_inner);
            callback(Progress { done: *done, len });
        }
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings").field("threads", &self.threads).finish_non_exhaustive()
    }
}
