//! Compiled functions.
//!
//! - CODE1 code is freed with its last owner; a program owns its functions, and a run its program.

use std::fmt;
use std::mem::ManuallyDrop;
use std::sync::Arc;

use cranelift_jit::JITModule;
use overdub_context::Failure;
use overdub_context::ir::Func;
use overdub_context::value::Value;

use crate::abi::entry_thunks::EntryThunk;
use crate::abi::layout::Layout;
use crate::abi::run_state::RunState;
use crate::side_tables::SideTables;
use crate::values::{self, Packing, mistyped};

/// A compiled function.
pub(crate) struct Compiled {
    /// The function as it is in the module.
    pub(crate) func: Arc<Func>,
    pub(crate) params: Vec<Arc<Layout>>,
    pub(crate) ret: Arc<Layout>,
    /// The address of the function, for compiled callers.
    pub(crate) direct: *const u8,
    /// The thunk for all other callers.
    pub(crate) thunk: Arc<EntryThunk>,
    /// The number of instructions that were compiled.
    pub(crate) size: usize,
    pub(crate) tables: SideTables,
    pub(crate) module: ManuallyDrop<JITModule>,
}

// SAFETY: finished code and the data that it refers to are only read; the module is used again only to free
// it, by the last owner. Values in sites and constants are `Send + Sync` themselves.
unsafe impl Send for Compiled {}
// SAFETY: as above.
unsafe impl Sync for Compiled {}

impl Compiled {
    /// Converts arguments to words.
    pub(crate) fn arg_words(&self, args: Vec<Value<'static>>, packing: Packing) -> Result<Vec<u64>, Failure> {
        let count: usize = self.params.iter().map(|layout| layout.components.len()).sum();
        let mut words = vec![0; count.max(1)];
        let mut next = 0;
        for (layout, arg) in self.params.iter().zip(args) {
            let arg_words = &mut words[next..next + layout.components.len()];
            if let Err(mismatch) = values::write_with(layout, arg, arg_words, packing) {
                // The remaining words are zero, or were written.
                release_args(&self.params, &words);
                return Err(mistyped("call", &mismatch));
            }
            next += layout.components.len();
        }
        Ok(words)
    }

    /// Runs the function.
    ///
    /// # Safety
    /// `run` points to a run (RUN1), `args` are the words of the parameters, and `results` has room for those of the
    /// result.
    pub(crate) unsafe fn call(&self, run: *mut RunState, args: &mut [u64], results: &mut [u64]) -> u32 {
        // SAFETY: passed on.
        unsafe { (self.thunk.enter)(run, args.as_ptr(), results.as_mut_ptr(), self.direct) }
    }
}

impl Drop for Compiled {
    fn drop(&mut self) {
        // SAFETY: CODE1: no run uses the code any more, and the module is not used after this.
        unsafe { ManuallyDrop::take(&mut self.module).free_memory() }
    }
}

impl fmt::Debug for Compiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Compiled")
            .field("func", &self.func.name)
            .field("size", &self.size)
            .field("sites", &self.tables.op_sites.len())
            .finish()
    }
}

/// Releases the arguments of a call that is not made.
pub(crate) fn release_args(params: &[Arc<Layout>], words: &[u64]) {
    let mut next = 0;
    for layout in params {
        let arg_words = &words[next..next + layout.components.len()];
        next += arg_words.len();
        // SAFETY: each was written before, and is not used again.
        unsafe { values::release_all(layout, arg_words) };
    }
}
