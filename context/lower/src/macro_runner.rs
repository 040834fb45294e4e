//! Runs procedural macros by the interpreter.

use std::sync::Arc;
use std::time::Duration;

use overdub_context::interp::Interpreter;
use overdub_context::limits::Limits;
use overdub_context::value::Value;

use crate::loaded::Loaded;
use crate::program::Program;
use crate::resolve::proc_macros::{ENTRY, Expand, MacroRunner};

inventory::submit! { MacroRunner(expand_by) }

/// What expands by the function of a macro's program, in the interpreter. Macros of the largest structs take some seconds.
fn expand_by(program: Program) -> Result<Arc<Expand>, String> {
    let loaded = Loaded::new(program);
    let function = loaded.function(ENTRY).map_err(|error| error.to_string())?;
    Ok(Arc::new(move |text| {
        let limits = Limits::default().with_time(Duration::from_secs(300)).with_memory(4 << 30);
        let mut interpreter = Interpreter::new(loaded.module()).with_limits(limits);
        let value = interpreter.run(function.symbol, vec![Value::from(text).into_owned()]);
        let value = value.map_err(|failure| failure.to_string())?;
        value.as_str().map(str::to_owned).ok_or_else(|| "it returned no text".to_owned())
    }))
}
