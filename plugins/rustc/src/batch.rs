//! Calls for many elements, by the library of the function in lanes.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use overdub_context::engine::{Batch, BatchOutcome};
use overdub_context::ir::Module;
use overdub_context::value::Value;

use crate::executor::State;
use crate::programs::{Entry, Program};

/// A function that runs in lanes once it is compiled.
pub(crate) struct InLanes {
    state: Arc<State>,
    program: Arc<Program>,
    of: (Arc<Module>, Entry),
}

impl InLanes {
    pub(crate) fn new(state: Arc<State>, program: Arc<Program>, of: (Arc<Module>, Entry)) -> InLanes {
        InLanes { state, program, of }
    }
}

impl Batch for InLanes {
    fn run(&self, args: &[Value<'_>]) -> BatchOutcome {
        let (module, entry) = &self.of;
        if !self.state.allows_libraries(entry.func) {
            return BatchOutcome::Unavailable;
        }
        match self.state.library(&self.program, module, entry) {
            Some(library) => library.run_batch(args),
            None => BatchOutcome::Unavailable,
        }
    }

    fn add_time(&self, time: Duration) {
        let (module, entry) = &self.of;
        if self.state.is_unlimited() {
            self.state.add(&self.program, module, entry, time);
        }
    }
}

impl fmt::Debug for InLanes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InLanes").field("of", &self.of.1).finish_non_exhaustive()
    }
}
