//! Functions of the IR as Rust or C that people read, vendor and ship: whatever a context made of them, with everything
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

mod answer;
mod ast;
mod bits;
mod body;
mod build;
mod c;
mod checked;
mod coalesce;
mod commoning;
mod compression;
mod constants;
mod counted;
mod derivative;
mod describe;
mod error;
mod liveness;
mod local_names;
mod matrix;
mod names;
mod nominal;
mod options;
mod owned;
mod ownership;
mod places;
mod program;
mod reducible;
mod rust;
mod scopes;
mod silent;
mod tables;
mod tidy;
mod unused;

use std::sync::Arc;

use overdub_context::Symbol;
use overdub_context::engine::Engine;
use overdub_context::ir::{Func, Nominal, Ty};
use overdub_context::value::Value;

use answer::Derived;
use options::Options;
use tables::PublicTable;

pub use answer::Interface;
pub use compression::{Compression, CompressionError, Products};
pub use derivative::Derivative;
pub use describe::{result_doc, result_name};
pub use error::ExportError;
pub use nominal::is_boxed;
pub use options::{Failures, Library};
pub use ownership::is_copied;

/// The documentation of the function that returns what `main` prints.
const ANSWER: &str = "What `overdub` prints with `--json`.";

/// Functions to be exported together.
pub struct Export<'e> {
    engine: &'e Engine,
    functions: Vec<Wanted>,
    /// What keeps functions that contexts made.
    kept: Vec<Box<dyn std::any::Any>>,
    main: Option<Main>,
    options: Options,
    source: Box<dyn Fn(Symbol, u32) -> Option<String> + 'e>,
    file_name: Box<dyn Fn(Symbol) -> String + 'e>,
    type_path: Box<dyn Fn(Nominal) -> Option<String> + 'e>,
}

/// A function that a device calls for many elements, one thread each: see [`Export::kernel`].
///
/// The kernel is `extern "C" __global__ void overdub_kernel()`. What it works on is in the global variable
/// `overdub_launch`, which the host sets before; where `OVERDUB_ON_HOST` is defined, the text is a program that reads launches
/// from its standard input. `overdub_launch` and its protocol are described in the text.
///
/// - CROSS1 arguments and results are packed: words of 64 bits, in the byte order of the device. A number, `bool` or `char`
///   takes one word, from its lowest bytes on, or two if it has 128 bits. `()` takes none.
/// - CROSS2 a list is its length and its elements. Numbers in lists follow each other without gaps, up to a whole word; text is
///   a list of bytes.
/// - CROSS3 a tuple, a struct or what a closure captured is its parts; an enum is the number of its variant, and the parts of
///   that.
/// - CROSS4 a call that fails leaves a status and no message: the host calls the function for this element to know why.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The text.
    pub text: String,
    /// Whether calls allocate memory, and so need some.
    pub allocates: bool,
}

/// A function as statements, and how it is called.
type Structured = (ast::Function, rust::Signature);

/// A function that is asked for.
struct Wanted {
    symbol: Symbol,
    name: String,
    doc: String,
    derived: Option<Derived>,
    tables: Vec<PublicTable>,
}

/// A program: the arguments of the first function, and how its result is printed.
struct Main {
    args: Vec<(Value<'static>, Ty)>,
    printed: Printed,
}

/// What a `main` prints.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Printed {
    /// The result in Rust's debug form.
    Debug,
    /// What the command prints with `--json`: an object with the value, derivatives in the shape of the arguments, and the
    /// last values of `&mut` parameters. The interface is that of the function as it was written, before contexts and
    /// derivatives.
    ///
    /// The value of a function whose gradient alone is exported is computed by the function itself, which is exported too.
    Json(Interface),
}

impl<'e> Export<'e> {
    /// Exports functions of an engine.
    pub fn new(engine: &'e Engine) -> Export<'e> {
        Export {
            engine,
            functions: Vec::new(),
            kept: Vec::new(),
            main: None,
            options: Options::default(),
            source: Box::new(|_, _| None),
            file_name: Box::new(|file| file.to_string()),
            type_path: Box::new(|_| None),
        }
    }

    /// Adds a public function of this name. `doc` becomes its documentation.
    #[must_use]
    pub fn function(self, symbol: Symbol, name: &str, doc: &str) -> Export<'e> {
        self.wanted(symbol, name, doc, None)
    }

    fn wanted(mut self, symbol: Symbol, name: &str, doc: &str, derived: Option<Derived>) -> Export<'e> {
        let compression = derived.as_ref().and_then(|derived| derived.compression.as_ref());
        let tables = compression.map(|of| tables::structure(name, of)).unwrap_or_default();
        self.functions.push(Wanted { symbol, name: name.to_owned(), doc: doc.to_owned(), derived, tables });
        self
    }

    /// Adds a public function that computes a derivative of a function, with respect to the arguments in `wrt`.
    ///
    /// # Errors
    /// If the function has no such derivative, none of these arguments holds floats, it can only be recorded on a tape, or it
    /// is sparse: then [`Export::sparse`] takes its pattern.
    pub fn derivative(
        mut self,
        symbol: Symbol,
        derivative: Derivative,
        wrt: &[bool],
        name: &str,
        doc: &str,
    ) -> Result<Export<'e>, ExportError> {
        let made = derivative::derive(self.engine, symbol, derivative, wrt)?;
        self.kept.push(made.kept);
        let derived = Derived {
            of: symbol,
            derivative,
            wrt: wrt.to_vec(),
            returned: made.returned,
            gradient: made.gradient,
            compression: None,
        };
        Ok(self.wanted(made.symbol, name, doc, Some(derived)))
    }

    /// Adds a public function that computes the entries of a sparse Jacobian or Hessian of a function, with respect to the
    /// arguments in `wrt`, row by row. The text declares its size, its row starts and the columns of its entries beside it, so
    /// that they are a matrix in compressed rows. Arguments of another shape than those that the pattern was found for are a
    /// failure.
    ///
    /// ```
    /// use overdub_context::value::Value;
    /// use overdub_export::{Compression, Derivative, Export, Products};
    ///
    /// let source = "pub fn squares(x: &[f64]) -> Vec<f64> { x.iter().map(|x| x * x).collect() }";
    /// let loaded = overdub_lower::Loaded::from_source("f.rs", source)?;
    /// let (engine, squares) = (loaded.engine(), loaded.function("squares")?.symbol);
    /// // A diagonal matrix, all columns of which are in one product.
    /// let products = vec![Products::with_columns(1, vec![0; 3], vec![0, 1, 2])];
    /// let example = vec![Value::floats(vec![0.0; 3])];
    /// let diagonal = Compression::new((3, 3), vec![0, 1, 2, 3], vec![0, 1, 2], example, products)?;
    /// let (export, of) = (Export::new(&engine), (squares, Derivative::SparseJacobian));
    /// let text = export.sparse(of, &[true], diagonal, "jacobian", "")?.rust()?;
    /// assert!(text.contains("pub fn jacobian(x: &[f64]) -> Vec<f64> {"));
    /// assert!(text.contains("pub static JACOBIAN_COLUMNS: [usize; 3] = [0, 1, 2];"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Export::derivative`], or if the pattern is not one of this function, or no sparse derivative is asked for.
    pub fn sparse(
        mut self,
        (symbol, derivative): (Symbol, Derivative),
        wrt: &[bool],
        compression: Compression,
        name: &str,
        doc: &str,
    ) -> Result<Export<'e>, ExportError> {
        let made = derivative::derive_sparse(self.engine, symbol, derivative, wrt, &compression)?;
        self.kept.push(made.kept);
        let derived = Derived {
            of: symbol,
            derivative,
            wrt: wrt.to_vec(),
            returned: made.returned,
            gradient: None,
            compression: Some(compression),
        };
        Ok(self.wanted(made.symbol, name, doc, Some(derived)))
    }

    /// The names and types of the parameters of an added function.
    ///
    /// # Errors
    /// If it cannot be loaded, or there is none of this name.
    pub fn params(&self, name: &str) -> Result<Vec<(String, Ty)>, ExportError> {
        let func = self.named(name)?;
        let named = func.params().iter().map(|&param| (func.var_label(param).to_string(), func.ty(param)));
        Ok(named.collect())
    }

    /// For each parameter of the function of which an added one is the derivative, whether that returns its derivative; none
    /// if it is no derivative.
    pub fn differentiated(&self, name: &str) -> Option<&[bool]> {
        let wanted = self.functions.iter().find(|wanted| wanted.name == name)?;
        Some(&wanted.derived.as_ref()?.returned)
    }

    /// The type of the result of an added function.
    ///
    /// # Errors
    /// As for [`Export::params`].
    pub fn ret(&self, name: &str) -> Result<Ty, ExportError> {
        Ok(self.named(name)?.ret)
    }

    /// The engine that knows the functions.
    pub fn engine(&self) -> &'e Engine {
        self.engine
    }

    /// An added function of the IR.
    ///
    /// # Errors
    /// As for [`Export::params`].
    pub fn named(&self, name: &str) -> Result<Arc<Func>, ExportError> {
        let missing = || ExportError::Missing(Symbol::new(name));
        let wanted = self.functions.iter().find(|wanted| wanted.name == name).ok_or_else(missing)?;
        let func = self.engine.module().func(wanted.symbol);
        let func = func.map_err(|cause| ExportError::Load { func: wanted.symbol, cause })?;
        func.ok_or_else(missing)
    }

    /// Adds a `main` that calls the first function with these arguments, and prints its result.
    #[must_use]
    pub fn with_main(mut self, args: Vec<(Value<'static>, Ty)>, printed: Printed) -> Export<'e> {
        self.main = Some(Main { args, printed });
        self
    }

    /// Says what exported functions do where the program fails.
    ///
    /// ```
    /// # use overdub_export::{Export, Failures};
    /// let source = "pub fn f(x: &[f64], n: usize) -> f64 { x[n] }";
    /// let loaded = overdub_lower::Loaded::from_source("f.rs", source)?;
    /// let (engine, f) = (loaded.engine(), loaded.function("f")?.symbol);
    /// let text = Export::new(&engine).function(f, "f", "").with_failures(Failures::Result).rust()?;
    /// assert!(text.contains("pub fn f(x: &[f64], n: usize) -> Result<f64, Failure> {"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_failures(mut self, failures: Failures) -> Export<'e> {
        self.options.failures = failures;
        self
    }

    /// Says which library exported functions in Rust use.
    ///
    /// ```
    /// # use overdub_export::{Export, Library};
    /// let source = "pub fn f(x: &[f64]) -> Vec<f64> { x.iter().map(|x| x.sin()).collect() }";
    /// let loaded = overdub_lower::Loaded::from_source("f.rs", source)?;
    /// let (engine, f) = (loaded.engine(), loaded.function("f")?.symbol);
    /// let text = Export::new(&engine).function(f, "f", "").with_library(Library::NoStd).rust()?;
    /// assert!(text.starts_with("extern crate alloc;\n\nuse alloc::vec::Vec;\n"));
    /// assert!(text.contains("libm::sin("));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_library(mut self, library: Library) -> Export<'e> {
        self.options.library = library;
        self
    }

    /// Shows the lines of the source in comments: `source` gives the text of a line of a file.
    #[must_use]
    pub fn with_source(mut self, source: impl Fn(Symbol, u32) -> Option<String> + 'e) -> Export<'e> {
        self.source = Box::new(source);
        self
    }

    /// Calls the files of the source by other names in the messages of failures.
    ///
    /// ```
    /// # use overdub_export::Export;
    /// let source = "pub fn f(x: &[f64]) -> f64 { x[0] }";
    /// let loaded = overdub_lower::Loaded::from_source("/home/me/model.rs", source)?;
    /// let (engine, f) = (loaded.engine(), loaded.function("f")?.symbol);
    /// let export = Export::new(&engine).function(f, "f", "").with_file_names(|_| "model.rs".to_owned());
    /// assert!(export.rust()?.contains("\"model.rs:1:30\""));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_file_names(mut self, file_name: impl Fn(Symbol) -> String + 'e) -> Export<'e> {
        self.file_name = Box::new(file_name);
        self
    }

    /// Names types by paths instead of declaring copies of them: `path` gives the path, without type arguments, of a
    /// type that exists where the text will be. It must have the fields and variants of its IR type, in plain Rust
    /// (`Vec` for an array, a `Box` only where the type would contain itself), and be `Clone`, or `Copy` if it holds
    /// nothing but scalars.
    ///
    /// ```
    /// # use overdub_export::Export;
    /// let source = "pub struct Point { x: f64, y: f64 } pub fn mirrored(p: Point) -> Point { Point { x: p.y, y: p.x } }";
    /// let loaded = overdub_lower::Loaded::from_source("f.rs", source)?;
    /// let (engine, mirrored) = (loaded.engine(), loaded.function("mirrored")?.symbol);
    /// let export = Export::new(&engine).function(mirrored, "mirrored", "");
    /// let export = export.with_type_paths(|ty| (&*ty.name() == "Point").then(|| "crate::Point".to_owned()));
    /// assert!(export.rust()?.contains("pub fn mirrored(p: crate::Point) -> crate::Point"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_type_paths(mut self, path: impl Fn(Nominal) -> Option<String> + 'e) -> Export<'e> {
        self.type_path = Box::new(path);
        self
    }

    /// The functions as Rust.
    ///
    /// # Errors
    /// If a function cannot be loaded or has no counterpart in Rust.
    pub fn rust(&self) -> Result<String, ExportError> {
        let (all, calls) = self.structured(false)?;
        let surroundings = rust::Surroundings {
            source: &self.source,
            file_name: &self.file_name,
            type_path: &self.type_path,
            tables: &self.tables(),
        };
        let main = self.calling(calls);
        program::with_stack_for(deepest(&all), || rust::print(&all, main, surroundings, self.options))
    }

    /// The functions as C99.
    ///
    /// # Errors
    /// If a function cannot be loaded or has no counterpart in C, failures are to be returned, or another library used.
    pub fn c(&self) -> Result<String, ExportError> {
        self.check_options_of_c()?;
        let (mut all, calls) = self.structured(false)?;
        let main = self.calling(calls);
        program::with_stack_for(deepest(&all), || c::print(&mut all, main, &self.source, &self.tables()))
    }

    /// The first function as a kernel of CUDA C++, which calls it for many elements.
    ///
    /// # Errors
    /// If a function cannot be loaded, has no counterpart in C, calls itself, prints, or makes text of numbers, failures are to
    /// be returned, or another library used.
    pub fn kernel(&self) -> Result<Kernel, ExportError> {
        self.check_options_of_c()?;
        let (mut all, _) = self.structured(true)?;
        let (text, allocates) = program::with_stack_for(deepest(&all), || c::kernel(&mut all, &self.source))?;
        Ok(Kernel { text, allocates })
    }

    /// The tables beside functions, each with the name of its function.
    fn tables(&self) -> Vec<(&str, &PublicTable)> {
        let functions = self.functions.iter();
        functions.flat_map(|wanted| wanted.tables.iter().map(|table| (wanted.name.as_str(), table))).collect()
    }

    /// Refuses options that text in C does not have.
    fn check_options_of_c(&self) -> Result<(), ExportError> {
        match self.options {
            Options { failures: Failures::Result, .. } => Err(ExportError::FailuresInC),
            Options { library: Library::NoStd, .. } => Err(ExportError::LibraryInC),
            Options { failures: Failures::Panic, library: Library::Std } => Ok(()),
        }
    }

    /// The functions and all that they call, as statements; and the function that `main` calls.
    fn structured(&self, is_silent: bool) -> Result<(Vec<Structured>, Option<Symbol>), ExportError> {
        let mut roots: Vec<Symbol> = self.functions.iter().map(|wanted| wanted.symbol).collect();
        if let Some((_, twice)) = (1..).zip(&roots).find(|(from, symbol)| roots[*from..].contains(symbol)) {
            return Err(ExportError::Twice(*twice));
        }
        let module = self.engine.module();
        let answer = self.answer()?;
        if let (Some(_), Some(first)) = (answer.first(), self.functions.first()) {
            let of = first.derived.as_ref().filter(|derived| derived.lacks_value());
            roots.extend(of.map(|derived| derived.of).filter(|of| !roots.contains(of)));
        }
        let functions = program::program(&module, &roots, &answer, is_silent)?;
        let signatures = functions.into_iter().map(|(function, refs)| {
            let wanted = self.functions.iter().find(|wanted| wanted.symbol == function.symbol);
            let doc = match answer.first() {
                Some(answer) if *answer == function.symbol => Some(ANSWER.to_owned()),
                _ => wanted.map(|wanted| wanted.doc.clone()),
            };
            let signature = rust::Signature {
                symbol: function.symbol,
                name: wanted.map(|wanted| wanted.name.clone()),
                doc: doc.filter(|doc| !doc.is_empty()),
                refs,
            };
            (function, signature)
        });
        let all = signatures.collect();
        Ok((all, answer.first().or(roots.first()).copied()))
    }

    /// What `main` does.
    fn calling(&self, calls: Option<Symbol>) -> Option<rust::Main<'_>> {
        let (main, calls) = self.main.as_ref().zip(calls)?;
        let is_text = matches!(main.printed, Printed::Json(_));
        Some(rust::Main { args: &main.args, calls, is_text })
    }

    /// The function that returns what `main` prints, and those that it calls for the parts.
    fn answer(&self) -> Result<Vec<Symbol>, ExportError> {
        let (Some(Main { printed: Printed::Json(interface), .. }), Some(wanted)) =
            (&self.main, self.functions.first())
        else {
            return Ok(Vec::new());
        };
        let called = answer::Called { symbol: wanted.symbol, derived: wanted.derived.as_ref() };
        answer::define(&self.engine.module(), &called, interface)
    }
}

/// How deeply statements nest.
fn deepest(all: &[Structured]) -> usize {
    all.iter().map(|(function, _)| function.depth).max().unwrap_or(0)
}

impl std::fmt::Debug for Export<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = self.functions.iter().map(|wanted| wanted.name.as_str()).collect();
        f.debug_struct("Export").field("functions", &names).finish_non_exhaustive()
    }
}
