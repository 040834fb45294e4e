//! The function under test as compiled by rustc, whose values finite differences take.
//!
//! - COMPILED1 it runs only where its values are those of the run that derivatives are for: without limits, which cannot
//!   stop it, and without rules that give other values.

use std::cell::Cell;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use overdub_context::limits::Budget;
use overdub_context::value::{IntoValue, Value};
use overdub_lower::api::Callable;

use super::RemadeAll;
use crate::custom::any_value;

/// The stack of a call: the interpreter needs none of its own for open calls, compiled code does. Only the used part takes
/// memory.
const STACK_BYTES: usize = 64 << 20;

/// A function compiled by rustc, from arguments to its result.
pub(super) struct Compiled<'f> {
    call: Box<dyn Fn(Vec<Value<'static>>) -> Option<Value<'static>> + 'f>,
    /// Whether a call panicked. A panic prints a message, so that the interpreter runs the function from then on.
    has_panicked: Cell<bool>,
}

impl<'f> Compiled<'f> {
    pub(super) fn new<F, Args, Forms>(func: F) -> Compiled<'f>
    where
        Args: RemadeAll<Forms>,
        F: for<'x> Callable<Args::At<'x>, Output: IntoValue<'x>> + 'f,
    {
        let call = move |values| {
            let mut stored = Args::store(values)?;
            Some(func.call_compiled(Args::at(&mut stored))?.into_value().into_owned())
        };
        Compiled { call: Box::new(call), has_panicked: Cell::new(false) }
    }

    /// Whether its values count (COMPILED1).
    pub(super) fn counts(&self) -> bool {
        cfg!(panic = "unwind") && !self.has_panicked.get() && Budget::current().is_none() && !any_value()
    }

    /// Calls it; `None` if it panics, or is not to be called.
    pub(super) fn call(&self, args: Vec<Value<'static>>) -> Option<Value<'static>> {
        if !self.counts() {
            return None;
        }
        let called = catch_unwind(AssertUnwindSafe(|| (self.call)(args)));
        self.has_panicked.set(called.is_err());
        called.ok().flatten()
    }

    /// Runs `f`, which calls it, on a stack that is large enough.
    pub(super) fn on_large_stack<R>(f: impl FnOnce() -> R) -> R {
        stacker::grow(STACK_BYTES, f)
    }
}

impl fmt::Debug for Compiled<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Compiled").field("has_panicked", &self.has_panicked).finish_non_exhaustive()
    }
}
