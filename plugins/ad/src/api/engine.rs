//! The engine that derivatives of functions of Rust are run by.

use std::sync::OnceLock;

use overdub_context::engine::{Engine, Interpreting};
use overdub_lower::api::Backend;
use overdub_lower::registry;
use overdub_passes::Optimised;

/// The engine of all that is registered in this process. What is made for derivatives is optimised before it runs:
/// numbers that carry something along are taken apart, and what is not asked for is left out. A backend that is linked in
/// does so itself.
pub(super) fn engine() -> &'static Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(|| {
        let builder = registry::program().engine_builder();
        match Backend::chosen() {
            Some(Backend(backed)) => backed(builder).build(),
            None => builder.executor(Optimised::new(Interpreting::new())).build(),
        }
    })
}
