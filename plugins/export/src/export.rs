//! Functions to be exported, and how.

use std::sync::Arc;

use overdub_ad::transform::allows_plain_products;
use overdub_context::Symbol;
use overdub_context::engine::Engine;
use overdub_context::ir::{Func, Nominal, Ty};
use overdub_context::value::Value;

use crate::answer::{Derived, Interface};
use crate::compression::Compression;
use crate::derivative::{self, Derivative};
use crate::error::ExportError;
use crate::options::{Arithmetic, Failures, Library, Options, Results};
use crate::tables::{self, PublicTable};

/// Functions to be exported together.
pub struct Export<'e> {
    pub(crate) engine: &'e Engine,
    pub(crate) functions: Vec<Wanted>,
    /// What keeps functions that contexts made.
    pub(crate) kept: Vec<Box<dyn std::any::Any>>,
    pub(crate) main: Option<Main>,
    pub(crate) options: Options,
    pub(crate) source: Box<dyn Fn(Symbol, u32) -> Option<String> + 'e>,
    pub(crate) file_name: Box<dyn Fn(Symbol) -> String + 'e>,
    pub(crate) type_path: Box<dyn Fn(Nominal) -> Option<String> + 'e>,
}

/// A function that is asked for.
pub(crate) struct Wanted {
    pub(crate) symbol: Symbol,
    pub(crate) name: String,
    pub(crate) doc: String,
    pub(crate) derived: Option<Derived>,
    pub(crate) tables: Vec<PublicTable>,
}

/// A program: the arguments of the first function, and how its result is printed.
pub(crate) struct Main {
    pub(crate) args: Vec<(Value<'static>, Ty)>,
    pub(crate) printed: Printed,
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
            allows_plain_products: self.allows_plain_products(symbol),
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
            allows_plain_products: self.allows_plain_products(symbol),
            compression: Some(compression),
        };
        Ok(self.wanted(made.symbol, name, doc, Some(derived)))
    }

    fn allows_plain_products(&self, of: Symbol) -> bool {
        let module = self.engine.module();
        allows_plain_products(&|name| module.func(name).ok().flatten(), of)
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

    /// Says how exported functions compute with floats.
    ///
    /// ```
    /// # use overdub_export::{Arithmetic, Export};
    /// let source = "pub fn f(x: &[f64]) -> f64 { let mut sum = 0.0; for x in x { sum += x * x; } sum }";
    /// let loaded = overdub_lower::Loaded::from_source("f.rs", source)?;
    /// let (engine, f) = (loaded.engine(), loaded.function("f")?.symbol);
    /// let export = Export::new(&engine).function(f, "f", "").with_arithmetic(Arithmetic::Fast);
    /// assert!(export.rust()?.contains("sum_of("));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_arithmetic(mut self, arithmetic: Arithmetic) -> Export<'e> {
        self.options.arithmetic = arithmetic;
        self
    }

    /// Says how functions in Rust hand over vectors.
    ///
    /// ```
    /// use overdub_export::{Derivative, Export, Results};
    ///
    /// let source = "pub fn square(x: &[f64]) -> f64 { x.iter().map(|x| x * x).sum() }";
    /// let loaded = overdub_lower::Loaded::from_source("f.rs", source)?;
    /// let (engine, square) = (loaded.engine(), loaded.function("square")?.symbol);
    /// let export = Export::new(&engine).with_results(Results::IntoSlices);
    /// let text = export.derivative(square, Derivative::ValueAndGradient, &[true], "square_gradient_into", "")?.rust()?;
    /// assert!(text.contains("pub fn square_gradient_into(x: &[f64], dx: &mut [f64]) -> f64 {"));
    /// assert!(!text.contains("vec!"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_results(mut self, results: Results) -> Export<'e> {
        self.options.results = results;
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
}

impl std::fmt::Debug for Export<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = self.functions.iter().map(|wanted| wanted.name.as_str()).collect();
        f.debug_struct("Export").field("functions", &names).finish_non_exhaustive()
    }
}
