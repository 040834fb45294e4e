//! The process-wide engine of typed derivatives.

use std::sync::OnceLock;

use overdub_context::engine::{Engine, Interpreting};
use overdub_lower::api::Backend;
use overdub_lower::registry;
use overdub_passes::Optimised;

/// The engine of all functions registered in this process. Generated code is optimised before it runs, which
/// takes dual numbers apart and drops unused values. A linked backend does its own optimisation.
///
/// ```
/// assert!(overdub_ad::api::engine().module().epoch() < u64::MAX);
/// ```
pub fn engine() -> &'static Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(|| {
        let builder = registry::program().engine_builder();
        match Backend::chosen() {
            Some(Backend(backed)) => backed(builder).build(),
            None => builder.executor(Optimised::new(Interpreting::new())).build(),
        }
    })
}
