//! The engine that derivatives of functions of Rust are run by.

use std::sync::OnceLock;

use overdub_context::engine::{Engine, Interpreting};
use overdub_lower::registry;
use overdub_passes::Optimised;

/// The engine of all that is registered in this process. What is made for derivatives is optimised before it runs:
/// numbers that carry something along are taken apart, and what is not asked for is left out.
pub(super) fn engine() -> &'static Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(|| {
        registry::program().engine_builder().executor(Optimised::new(Interpreting::new())).build()
    })
}
