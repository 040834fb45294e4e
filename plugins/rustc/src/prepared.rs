//! Prepared calls: by the executor below until the function is compiled, and by the library from then on.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use overdub_context::Failure;
use overdub_context::engine::{OutSlot, PreparedCall};
use overdub_context::ir::Module;
use overdub_context::value::Arg;

use crate::executor::State;
use crate::library::Library;
use crate::programs::{Entry, Program};

/// One of so many calls is timed: reading the clock takes as long as a short call.
const TIMED: u32 = 64;

/// A prepared call of a function.
pub(crate) struct Call {
    /// The prepared call of the executor below.
    below: Box<dyn PreparedCall>,
    state: Arc<State>,
    program: Arc<Program>,
    of: (Arc<Module>, Entry),
    library: Option<Arc<Library>>,
    calls: u32,
    packed: Vec<u8>,
}

impl Call {
    pub(crate) fn new(
        state: Arc<State>,
        below: Box<dyn PreparedCall>,
        program: Arc<Program>,
        of: (Arc<Module>, Entry),
        library: Option<Arc<Library>>,
    ) -> Call {
        Call { below, state, program, of, library, calls: 0, packed: Vec::new() }
    }

    /// A call by the executor below: of a function that is not compiled, or whose call as compiled failed.
    fn call_below(&mut self, args: &[Arg<'_>], outs: &mut [OutSlot<'_>]) -> Result<(), Failure> {
        let Call { below, state, .. } = self;
        state.within_limits(|| below.call(args, outs))
    }

    fn call_cold(&mut self, args: &[Arg<'_>], outs: &mut [OutSlot<'_>]) -> Result<(), Failure> {
        self.calls = self.calls.wrapping_add(1);
        if !self.calls.is_multiple_of(TIMED) {
            return self.call_below(args, outs);
        }
        let start = Instant::now();
        let result = self.call_below(args, outs);
        let (module, entry) = &self.of;
        self.state.add(&self.program, module, entry, start.elapsed() * TIMED);
        self.library = self.state.library(&self.program, module, entry);
        result
    }
}

impl PreparedCall for Call {
    fn call(&mut self, args: &[Arg<'_>], outs: &mut [OutSlot<'_>]) -> Result<(), Failure> {
        let Some(library) = &self.library else { return self.call_cold(args, outs) };
        if !self.state.is_unlimited() {
            return self.call_below(args, outs);
        }
        match library.run_into(args, outs, &mut self.packed) {
            Some(()) => Ok(()),
            None => self.call_below(args, outs),
        }
    }
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_compiled = self.library.is_some();
        f.debug_struct("Call")
            .field("func", &self.of.1.func)
            .field("is_compiled", &is_compiled)
            .finish_non_exhaustive()
    }
}
