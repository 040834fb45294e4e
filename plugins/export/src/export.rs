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
use crate::options::{Lanes, Options};
use crate::tables::{self, PublicTable};

/// Functions to be exported together.
pub struct Export<'e> {
    pub(crate) engine: &'e Engine,
    pub(crate) functions: Vec<Wanted>,
    /// What keeps functions that contexts made.
    pub(crate) kept: Vec<Box<dyn std::any::Any>>,
    pub(crate) main: Option<Main>,
    pub(crate) options: Options,
    pub(crate) lanes: Option<Lanes>,
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
            lanes: None,
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
}

impl std::fmt::Debug for Export<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = self.functions.iter().map(|wanted| wanted.name.as_str()).collect();
        f.debug_struct("Export").field("functions", &names).finish_non_exhaustive()
    }
}
