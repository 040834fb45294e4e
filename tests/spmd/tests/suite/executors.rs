//! The executors that mapped calls run on.

use std::sync::{Arc, Mutex};

use overdub_context::engine::{Engine, EngineBuilder, Interpreting, Sink};
use overdub_native::Native;
use overdub_passes::Optimised;

/// The numbers of threads for which results are compared.
pub(crate) const THREADS: [usize; 4] = [1, 2, 3, 8];

/// The same engine on each executor, by name; what programs print is dropped.
pub(crate) fn engines(builder: impl Fn() -> EngineBuilder) -> Vec<(&'static str, Engine)> {
    let sink = || -> Sink { Arc::new(Mutex::new(|_: &str| {})) };
    let interpreting = || Interpreting::new().printing(sink());
    vec![
        ("interpreter", builder().executor(interpreting()).build()),
        ("optimised", builder().executor(Optimised::new(interpreting())).build()),
        ("native", builder().executor(Native::new().printing(sink())).build()),
        ("auto", builder().executor(Native::auto().printing(sink())).build()),
    ]
}
