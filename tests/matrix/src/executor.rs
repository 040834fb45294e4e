//! The columns: all executors.

use std::sync::{Arc, Mutex, PoisonError};

use overdub_context::engine::{Engine, EngineBuilder, Interpreting, Sink};
use overdub_context::interp::Limits;
use overdub_native::Native;
use overdub_passes::Optimised;
use overdub_rustc::{Compiler, Rustc};

/// Their names; the first is the reference.
pub const EXECUTORS: [&str; 6] =
    ["interpreter", "optimised", "native", "native-unoptimised", "auto", "rustc"];

/// Those that compile in milliseconds; `rustc` takes a fraction of a second for each cell.
pub const QUICK: [usize; 5] = [0, 1, 2, 3, 4];

/// The step limit of the interpreter.
const STEPS: u64 = 3_000_000;

/// The output of a program since the last query.
#[derive(Clone, Default, Debug)]
pub struct Printed(Arc<Mutex<String>>);

impl Printed {
    /// Takes the output.
    pub fn take(&self) -> String {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn sink(&self) -> Sink {
        let printed = self.clone();
        Arc::new(Mutex::new(move |text: &str| {
            printed.0.lock().unwrap_or_else(PoisonError::into_inner).push_str(text);
        }))
    }
}

/// The engine whose executor is the one of [`EXECUTORS`] with this number.
pub fn engine(builder: EngineBuilder, executor: usize) -> (Engine, Printed) {
    let limits = Limits { memory: Some(4 << 30), ..Limits::default() };
    let printed = Printed::default();
    // A row that changes values may make a loop endless: then machine code is not run. Machine code has no
    // step limit, since code that counts steps is different code.
    let interpreted = Limits { steps: Some(STEPS), ..limits.clone() };
    let interpreter = Interpreting::new().with_limits(interpreted).printing(printed.sink());
    let native = |native: Native| native.with_limits(limits.clone()).printing(printed.sink());
    let builder = match executor {
        0 => builder.executor(interpreter),
        1 => builder.executor(Optimised::new(interpreter)),
        2 => builder.executor(native(Native::new())),
        3 => builder.executor(native(Native::new().without_optimising())),
        // Below it there are no limits: with limits, nothing runs as rustc compiled it.
        5 => builder.executor(
            Rustc::new(Interpreting::new().printing(printed.sink()))
                .with_compiler(Compiler::installed().without_optimising())
                .compiling_first(),
        ),
        _ => builder.executor(native(Native::auto())),
    };
    (builder.build(), printed)
}
