//! The source loader: Rust is answered with functions that verify, or with errors located in the text.

use overdub_context::verify::verify;
use overdub_lower::Loaded;

/// The law for a source: all its functions are lowered, and nothing is run.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let lines = text.split('\n').count() as u32;
    let loaded = match Loaded::from_source("f.rs", text) {
        Ok(loaded) => loaded,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            assert!(error.span.line <= lines, "outside of a text of {lines} lines: {error}");
            return;
        }
    };
    let program = loaded.program();
    for def in program.functions() {
        let Ok(function) = loaded.function(&program.path(def)) else { continue };
        if let Ok(Some(func)) = loaded.module().func(function.symbol) {
            verify(&func).unwrap_or_else(|errors| panic!("{errors:?}\nin\n{func}\nof\n{text}"));
        }
    }
}
