//! Functions of the IR as Rust that people read, vendor and ship: whatever a context made of them, with everything
//! they call. What comes out needs nothing of overdub.
//!
//! - EXPORT1 what is exported gives the same value as the interpreter, to the bit, and fails where that fails. Failed
//!   assertions, integer arithmetic and indices have the interpreter's message and place.
//! - EXPORT2 what has no counterpart is an error that names it and its place; nothing is left out.
//!
//! ```
//! use overdub_export::Export;
//!
//! let loaded = overdub_lower::Loaded::from_source("f.rs", "pub fn f(x: f64) -> f64 { x * x + 1.0 }")?;
//! let text = Export::new(&loaded.engine()).function(loaded.function("f")?.symbol, "f", "").rust()?;
//! assert!(text.contains("x * x + 1.0"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod ast;
mod bits;
mod body;
mod build;
mod coalesce;
mod counted;
mod derivative;
mod error;
mod liveness;
mod ownership;
mod program;
mod reducible;
mod rust;
mod scopes;
mod tidy;
mod unused;

use overdub_context::Symbol;
use overdub_context::engine::Engine;
use overdub_context::ir::Ty;
use overdub_context::value::Value;

pub use derivative::Derivative;
pub use error::ExportError;

/// Functions to be exported together.
pub struct Export<'e> {
    engine: &'e Engine,
    functions: Vec<Wanted>,
    /// What keeps functions that contexts made.
    kept: Vec<Box<dyn std::any::Any>>,
    main: Option<Vec<(Value<'static>, Ty)>>,
    source: Box<dyn Fn(Symbol, u32) -> Option<String> + 'e>,
}

/// A function that is asked for.
struct Wanted {
    symbol: Symbol,
    name: String,
    doc: String,
}

impl<'e> Export<'e> {
    /// Exports functions of an engine.
    pub fn new(engine: &'e Engine) -> Export<'e> {
        Export { engine, functions: Vec::new(), kept: Vec::new(), main: None, source: Box::new(|_, _| None) }
    }

    /// Adds a public function of this name. `doc` becomes its documentation.
    #[must_use]
    pub fn function(mut self, symbol: Symbol, name: &str, doc: &str) -> Export<'e> {
        self.functions.push(Wanted { symbol, name: name.to_owned(), doc: doc.to_owned() });
        self
    }

    /// Adds a public function that computes a derivative of a function, with respect to the arguments in `wrt`.
    ///
    /// # Errors
    /// If the function has no such derivative, none of these arguments holds floats, or it can only be recorded on a tape.
    pub fn derivative(
        mut self,
        symbol: Symbol,
        derivative: Derivative,
        wrt: &[bool],
        name: &str,
        doc: &str,
    ) -> Result<Export<'e>, ExportError> {
        let derived = derivative::derive(self.engine, symbol, derivative, wrt)?;
        self.kept.push(derived.kept);
        Ok(self.function(derived.symbol, name, doc))
    }

    /// The names and types of the parameters of an added function.
    ///
    /// # Errors
    /// If it cannot be loaded, or there is none of this name.
    pub fn params(&self, name: &str) -> Result<Vec<(String, Ty)>, ExportError> {
        let missing = || ExportError::Missing(Symbol::new(name));
        let wanted = self.functions.iter().find(|wanted| wanted.name == name).ok_or_else(missing)?;
        let func = self.engine.module().func(wanted.symbol);
        let func = func.map_err(|cause| ExportError::Load { func: wanted.symbol, cause })?;
        let func = func.ok_or_else(missing)?;
        let named = func.params().iter().map(|&param| (func.var_label(param).to_string(), func.ty(param)));
        Ok(named.collect())
    }

    /// Adds a `main` that calls the first function with these arguments, and prints its result.
    #[must_use]
    pub fn with_main(mut self, args: Vec<(Value<'static>, Ty)>) -> Export<'e> {
        self.main = Some(args);
        self
    }

    /// Shows the lines of the source in comments: `source` gives the text of a line of a file.
    #[must_use]
    pub fn with_source(mut self, source: impl Fn(Symbol, u32) -> Option<String> + 'e) -> Export<'e> {
        self.source = Box::new(source);
        self
    }

    /// The functions as Rust.
    ///
    /// # Errors
    /// If a function cannot be loaded or has no counterpart in Rust.
    pub fn rust(&self) -> Result<String, ExportError> {
        let roots: Vec<Symbol> = self.functions.iter().map(|wanted| wanted.symbol).collect();
        if let Some((_, twice)) = (1..).zip(&roots).find(|(from, symbol)| roots[*from..].contains(symbol)) {
            return Err(ExportError::Twice(*twice));
        }
        let functions = program::program(&self.engine.module(), &roots)?;
        let signatures = functions.into_iter().map(|(function, refs)| {
            let wanted = self.functions.iter().find(|wanted| wanted.symbol == function.symbol);
            let signature = rust::Signature {
                symbol: function.symbol,
                name: wanted.map(|wanted| wanted.name.clone()),
                doc: wanted.map(|wanted| wanted.doc.clone()).filter(|doc| !doc.is_empty()),
                refs,
            };
            (function, signature)
        });
        let all: Vec<_> = signatures.collect();
        let deepest = all.iter().map(|(function, _)| function.depth).max().unwrap_or(0);
        program::with_stack_for(deepest, || rust::print(&all, self.main.as_deref(), &self.source))
    }
}

impl std::fmt::Debug for Export<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = self.functions.iter().map(|wanted| wanted.name.as_str()).collect();
        f.debug_struct("Export").field("functions", &names).finish_non_exhaustive()
    }
}
