//! The settings of an executor, which all its runs share.

use std::sync::Arc;

use overdub_context::engine::{Executor, Interpreting, Sink};
use overdub_context::limits::Limits;
use overdub_passes::Optimised;

/// The limits of a run, and its output.
#[derive(Clone, Default)]
pub(crate) struct Settings {
    pub(crate) limits: Limits,
    pub(crate) sink: Option<Sink>,
    pub(crate) errors: Option<Sink>,
    /// The interpreter for functions that are not compiled.
    pub(crate) interpreting: Interpreting,
    /// The interpreter with fast functions, if those are selected.
    pub(crate) fast: Option<Arc<Optimised<Interpreting>>>,
}

impl Settings {
    /// The executor for functions that are not compiled.
    pub(crate) fn interpreter(&self) -> &dyn Executor {
        match &self.fast {
            Some(fast) => &**fast,
            None => &self.interpreting,
        }
    }

    /// Replaces the interpreter.
    pub(crate) fn interpreted_by(self, interpreting: Interpreting) -> Settings {
        let settings = Settings { interpreting, ..self };
        if settings.fast.is_some() { settings.with_fast_functions() } else { settings }
    }

    /// Selects fast functions.
    pub(crate) fn with_fast_functions(self) -> Settings {
        let fast = Optimised::new(self.interpreting.clone()).with_fast_functions();
        Settings { fast: Some(Arc::new(fast)), ..self }
    }
}
