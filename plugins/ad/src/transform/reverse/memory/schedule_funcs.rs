//! The functions of the [`schedule`](super::schedule), as a derivative calls them.

use std::sync::{Arc, LazyLock};

use overdub_context::Symbol;
use overdub_context::ir::Func;
use overdub_lower::Loaded;
use overdub_passes::{Limits, Scope, optimise};

use crate::refusal::Cause;

/// The functions, each without calls.
pub(super) struct Schedule {
    pub(super) chunk_of: Arc<Func>,
    pub(super) snapshots: Arc<Func>,
    pub(super) outer_snapshots: Arc<Func>,
    pub(super) advance: Arc<Func>,
}

impl Schedule {
    /// The functions, which are loaded when they are first needed.
    pub(super) fn loaded() -> Result<&'static Schedule, Cause> {
        static SCHEDULE: LazyLock<Option<Schedule>> = LazyLock::new(load);
        let missing = || Cause::Missing(Symbol::new("the schedule of checkpoints"));
        SCHEDULE.as_ref().ok_or_else(missing)
    }

    pub(super) fn funcs(&self) -> [&Arc<Func>; 4] {
        [&self.chunk_of, &self.snapshots, &self.outer_snapshots, &self.advance]
    }
}

fn load() -> Option<Schedule> {
    let text = include_str!("schedule.rs").replace("//!", "//");
    let text = text.split("#[cfg(test)]").next()?;
    let loaded =
        Loaded::from_source("schedule.rs", &format!("pub mod overdub_ad_schedule {{\n{text}\n}}")).ok()?;
    let module = loaded.module();
    let lookup = |name: Symbol| module.func(name).ok().flatten();
    let limits = Limits { callee: usize::MAX, total: usize::MAX };
    let func = |name: &str| {
        let symbol = loaded.function(&format!("overdub_ad_schedule::{name}")).ok()?.symbol;
        Some(Arc::new(optimise(&*lookup(symbol)?, &Scope::new(&lookup).with_limits(limits))))
    };
    Some(Schedule {
        chunk_of: func("chunk_of")?,
        snapshots: func("snapshots")?,
        outer_snapshots: func("outer_snapshots")?,
        advance: func("advance")?,
    })
}
