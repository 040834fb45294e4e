//! Sparse Jacobians and Hessians: the pattern and its coloring are found once, then each evaluation takes a
//! few sweeps.
//!
//! - SPARSE1 columns of one color have no row in common, so one tangent along all of them contains each of
//!   their entries (Curtis, Powell and Reid, *On the Estimation of Sparse Jacobian Matrices*, 1974).
//! - SPARSE2 a global pattern holds at every input. A local one is recomputed at each input that is
//!   evaluated: an entry outside of the given pattern is an error.

use std::sync::{Arc, OnceLock};

use overdub_ad::Strategy;
use overdub_ad::custom::ActiveRules;
use overdub_ad::flatten::count_floats;
use overdub_context::engine::Engine;
use overdub_context::ir::Ty;
use overdub_context::value::Value;
use overdub_context::{Failure, Span, Symbol};

use crate::coloring::{Coloring, ColoringKind, Decompression, color};
use crate::entries::Entries;
use crate::evaluation::Evaluation;
use crate::products::{Of, Products};
use crate::sparse_error::{SparseError, expect};
use crate::{Detector, SparseMatrix, SparsityPattern};

/// A sparse Jacobian or Hessian, ready to be evaluated at many inputs.
///
/// ```
/// use overdub_context::value::Value;
/// use overdub_sparsity::{Detector, SparseDerivative};
///
/// let source = "pub fn f(x: &[f64]) -> Vec<f64> { x.windows(2).map(|w| w[1] * w[0]).collect() }";
/// let loaded = overdub_lower::Loaded::from_source("f.rs", source)?;
/// let engine = loaded.engine();
/// let args = |x: [f64; 4]| vec![Value::floats(x.to_vec())];
/// let j = SparseDerivative::jacobian(&Detector::new(&engine), loaded.function("f")?.symbol, args([1.0; 4]))?;
/// assert_eq!(j.coloring().len(), 2);
/// let at = j.evaluate(&args([1.0, 2.0, 3.0, 4.0]))?;
/// assert_eq!(at.to_dense(), [[2.0, 1.0, 0.0, 0.0], [0.0, 3.0, 2.0, 0.0], [0.0, 0.0, 4.0, 3.0]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SparseDerivative {
    engine: Engine,
    func: Symbol,
    of: Of,
    /// Made when first needed, since entries may make them unnecessary.
    products: OnceLock<Products>,
    pattern: Arc<SparsityPattern>,
    coloring: Coloring,
    plan: Decompression,
    /// Which arguments are inputs.
    wrt: Vec<bool>,
    /// The number of floats of the arguments.
    width: usize,
    /// The number of weights of a Lagrangian.
    weights: usize,
    local: Option<Vec<usize>>,
    is_local: bool,
    entries: Option<Entries>,
    evaluation: Evaluation,
    rules: ActiveRules,
}

impl SparseDerivative {
    /// The Jacobian of a function: a row for each float that its IR returns, including `&mut` parameters. The
    /// pattern is found at these arguments, by the detector's settings.
    ///
    /// If the function computes each number that it returns from a few reads of its inputs, as stencils and
    /// sums of local terms do, the entries are written in one run of it. Otherwise whichever takes fewer
    /// sweeps is chosen: colors of columns, each a tangent, or of rows, each a cotangent, which costs about
    /// twice as much. [`SparseDerivative::explain`] tells which, and why.
    ///
    /// # Errors
    /// If the pattern cannot be found.
    pub fn jacobian(
        detector: &Detector<'_>,
        func: impl Into<Symbol>,
        args: Vec<Value<'static>>,
    ) -> Result<SparseDerivative, SparseError> {
        let func = func.into();
        let pattern = detector.jacobian(func, args.clone())?;
        let columns = color(&pattern, ColoringKind::Column)?;
        let rows = color(&pattern, ColoringKind::Row)?;
        let coloring = if columns.len() <= 2 * rows.len() { columns } else { rows };
        let mut derivative = SparseDerivative::with_coloring(detector, func, &args, None, pattern, coloring)?;
        derivative.write_entries(&args);
        Ok(derivative)
    }

    /// Uses entries instead of products, if the function can write them.
    fn write_entries(&mut self, args: &[Value<'static>]) {
        let holds = |(arg, wrt): (&Value<'static>, &bool)| *wrt && count_floats(arg) > 0;
        let wrt = args.iter().zip(&self.wrt).map(holds).collect();
        let make = || Entries::new(&self.engine, (self.func, self.of), wrt, args, &self.pattern);
        match self.rules.during(make) {
            Ok(entries) => {
                self.evaluation = Evaluation::Entries { written: entries.written() };
                self.entries = Some(entries);
            }
            Err(reason) => self.evaluation = self.compression(&reason),
        }
    }

    fn compression(&self, because: &str) -> Evaluation {
        Evaluation::Compression { colors: self.coloring.len(), because: because.to_owned() }
    }

    /// The Hessian of a function that returns one float; `ret` is its declared type. If the function is a sum of terms
    /// that read few inputs each, and these are in one array, its entries are written in one run of the gradient.
    ///
    /// # Errors
    /// If the pattern cannot be found, or the function does not return one float.
    pub fn hessian(
        detector: &Detector<'_>,
        func: impl Into<Symbol>,
        args: Vec<Value<'static>>,
        ret: Ty,
    ) -> Result<SparseDerivative, SparseError> {
        let func = func.into();
        let pattern = detector.hessian(func, args.clone(), ret)?;
        let coloring = color(&pattern, ColoringKind::Star)?;
        let of = (func, Of::Hessian(ret));
        let mut derivative = SparseDerivative::prepared(detector, of, &args, pattern, coloring)?;
        derivative.write_entries(&args);
        if derivative.entries.is_none() {
            derivative.products().map_err(SparseError::Program)?;
        }
        Ok(derivative)
    }

    /// The Hessian of the weighted sum of all floats that the function's IR returns, as that of a Lagrangian;
    /// the weights are passed to each evaluation, [`SparseDerivative::evaluate_weighted`].
    ///
    /// ```
    /// use overdub_context::value::Value;
    /// use overdub_sparsity::{Detector, SparseDerivative};
    ///
    /// // An objective and a constraint.
    /// let source = "pub fn f(x: f64, y: f64) -> (f64, f64) { (x * x * y, y * y) }";
    /// let loaded = overdub_lower::Loaded::from_source("f.rs", source)?;
    /// let (engine, f) = (loaded.engine(), loaded.function("f")?.symbol);
    /// let at = [3.0, 5.0].map(Value::F64);
    /// let hessian = SparseDerivative::lagrangian_hessian(&Detector::new(&engine), f, at.to_vec())?;
    /// assert_eq!(hessian.evaluate_weighted(&at, &[1.0, -2.0])?.to_dense(), [[10.0, 6.0], [6.0, -4.0]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the pattern cannot be found.
    pub fn lagrangian_hessian(
        detector: &Detector<'_>,
        func: impl Into<Symbol>,
        args: Vec<Value<'static>>,
    ) -> Result<SparseDerivative, SparseError> {
        let func = func.into();
        let (pattern, weights) = detector.lagrangian(func, args.clone())?;
        let coloring = color(&pattern, ColoringKind::Star)?;
        let of = (func, Of::Lagrangian);
        let derivative = SparseDerivative::prepared(detector, of, &args, pattern, coloring)?;
        derivative.products().map_err(SparseError::Program)?;
        Ok(SparseDerivative { weights, ..derivative })
    }

    /// Uses the caller's pattern and coloring: of columns or rows for a Jacobian, symmetric for the Hessian
    /// of a function that returns `ret`. The pattern is not checked: it is assumed to hold wherever the
    /// derivative is evaluated.
    ///
    /// # Errors
    /// If the coloring does not fit the pattern, or the pattern does not fit the arguments.
    pub fn with_coloring(
        detector: &Detector<'_>,
        func: impl Into<Symbol>,
        args: &[Value<'static>],
        ret: Option<Ty>,
        pattern: SparsityPattern,
        coloring: Coloring,
    ) -> Result<SparseDerivative, SparseError> {
        let of = ret.map_or(Of::Jacobian, Of::Hessian);
        let derivative = SparseDerivative::prepared(detector, (func.into(), of), args, pattern, coloring)?;
        if ret.is_some() {
            derivative.products().map_err(SparseError::Program)?;
        }
        Ok(derivative)
    }

    fn prepared(
        detector: &Detector<'_>,
        (func, of): (Symbol, Of),
        args: &[Value<'static>],
        pattern: SparsityPattern,
        coloring: Coloring,
    ) -> Result<SparseDerivative, SparseError> {
        if coloring.kind().colors_columns() && coloring.kind().colors_rows() && of == Of::Jacobian {
            return Err(SparseError::BothSides);
        }
        let plan = Decompression::prepare(&pattern, &coloring)?;
        let wrt: Vec<bool> = (0..args.len()).map(|at| detector.is_input(at)).collect();
        let counts = || args.iter().map(count_floats);
        expect(
            "arguments",
            counts().zip(&wrt).filter(|(_, wrt)| **wrt).map(|(n, _)| n).sum(),
            pattern.cols(),
        )?;
        let mut derivative = SparseDerivative {
            engine: detector.engine().clone(),
            func,
            of,
            products: OnceLock::new(),
            pattern: pattern.into(),
            coloring,
            plan,
            wrt,
            width: counts().sum(),
            weights: 0,
            local: detector.inputs().map(<[usize]>::to_vec),
            is_local: detector.is_local(),
            entries: None,
            evaluation: Evaluation::Entries { written: 0 },
            rules: detector.rules().clone(),
        };
        derivative.evaluation = derivative.compression(match of {
            Of::Jacobian | Of::Hessian(_) => "a coloring was given",
            Of::Lagrangian => "the weights of a Lagrangian change",
        });
        Ok(derivative)
    }

    fn products(&self) -> Result<&Products, Failure> {
        if let Some(products) = self.products.get() {
            return Ok(products);
        }
        let wrt = |at: usize| self.wrt.get(at).copied().unwrap_or(false);
        let size = (self.pattern.rows(), self.pattern.cols());
        let make = || Products::new(&self.engine, (self.func, self.of), &wrt, &self.coloring, size);
        let new_products = self.rules.during(make)?;
        Ok(self.products.get_or_init(|| new_products))
    }

    /// The positions of the entries.
    pub fn pattern(&self) -> &SparsityPattern {
        &self.pattern
    }

    /// How the derivative is evaluated, and why.
    ///
    /// ```
    /// use overdub_context::value::Value;
    /// use overdub_sparsity::{Detector, SparseDerivative};
    ///
    /// let source = "
    ///     pub fn local(x: &[f64]) -> Vec<f64> { x.iter().map(|x| x * x).collect() }
    ///     pub fn sums(x: &[f64]) -> Vec<f64> {
    ///         let mut sum = 0.0;
    ///         x.iter().map(|x| { sum += x; sum }).collect()
    ///     }";
    /// let loaded = overdub_lower::Loaded::from_source("f.rs", source)?;
    /// let engine = loaded.engine();
    /// let explained = |func: &str| -> Result<String, Box<dyn std::error::Error>> {
    ///     let (func, args) = (loaded.function(func)?.symbol, vec![Value::floats(vec![1.0; 3])]);
    ///     Ok(SparseDerivative::jacobian(&Detector::new(&engine), func, args)?.explain().to_string())
    /// };
    /// assert!(explained("local")?.starts_with("3 entries written in one run"));
    /// assert!(explained("sums")?.contains("a loop carries what it read from one round to the next"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explain(&self) -> &Evaluation {
        &self.evaluation
    }

    /// The coloring: a product for each color, several of them in each sweep.
    pub fn coloring(&self) -> &Coloring {
        &self.coloring
    }

    /// The engine that computes the products, if they are tangents or Hessian-vector products.
    pub fn strategy(&self) -> Option<&Strategy> {
        self.products().ok()?.strategy()
    }

    /// The matrix at an input.
    ///
    /// # Errors
    /// If the program fails, the arguments have another shape than those that the pattern was found for, or
    /// it was found at another input and does not hold at this one.
    pub fn evaluate(&self, args: &[Value<'static>]) -> Result<SparseMatrix, SparseError> {
        let mut values = vec![0.0; self.pattern.len()];
        self.evaluate_into(args, &mut values)?;
        Ok(SparseMatrix::new(self.pattern.clone(), values))
    }

    /// The values of the pattern's entries at an input, row by row.
    ///
    /// In machine code, if arguments and results are numbers and arrays of numbers, nothing is allocated from
    /// the second call on, except by the function's own body, and by rows by its reverse sweep. A local
    /// pattern is recomputed each time.
    ///
    /// # Errors
    /// As [`SparseDerivative::evaluate`], or if there are not as many values as entries.
    pub fn evaluate_into(&self, args: &[Value<'static>], values: &mut [f64]) -> Result<(), SparseError> {
        self.check(args, values)?;
        if let Some(entries) = self.entries.as_ref().filter(|entries| entries.fits(args)) {
            return entries.evaluate_into(args, values).map_err(SparseError::Program);
        }
        match self.of {
            Of::Lagrangian => Err(SparseError::Weights { got: 0, expected: self.weights }),
            Of::Jacobian | Of::Hessian(_) => self.decompressed(args, None, values),
        }
    }

    /// The Hessian of the Lagrangian at an input, with these weights.
    ///
    /// # Errors
    /// As [`SparseDerivative::evaluate`], or if there is not a weight for each float that the function
    /// returns.
    pub fn evaluate_weighted(
        &self,
        args: &[Value<'static>],
        weights: &[f64],
    ) -> Result<SparseMatrix, SparseError> {
        let mut values = vec![0.0; self.pattern.len()];
        self.evaluate_weighted_into(args, weights, &mut values)?;
        Ok(SparseMatrix::new(self.pattern.clone(), values))
    }

    /// The values of the entries of the Hessian of the Lagrangian, row by row.
    ///
    /// # Errors
    /// As [`SparseDerivative::evaluate_weighted`], or if there are not as many values as entries.
    pub fn evaluate_weighted_into(
        &self,
        args: &[Value<'static>],
        weights: &[f64],
        values: &mut [f64],
    ) -> Result<(), SparseError> {
        if weights.len() != self.weights {
            return Err(SparseError::Weights { got: weights.len(), expected: self.weights });
        }
        self.check(args, values)?;
        self.decompressed(args, Some(weights), values)
    }

    fn check(&self, args: &[Value<'static>], values: &[f64]) -> Result<(), SparseError> {
        expect("arguments", args.iter().map(count_floats).sum(), self.width)?;
        expect("values", values.len(), self.pattern.len())?;
        self.check_pattern(args)
    }

    /// As [`SparseDerivative::evaluate_into`], with the sweeps of its colors on the threads of the current
    /// `rayon` pool: the values are the same to the bit. This pays if there are several sweeps, which means
    /// more than eight colors of columns or two of rows, and each takes longer than handing it to a thread, some ten
    /// microseconds. Entries that are written in one run are not divided.
    ///
    /// # Errors
    /// As [`SparseDerivative::evaluate_into`].
    #[cfg(feature = "rayon")]
    pub fn evaluate_in_parallel(
        &self,
        args: &[Value<'static>],
        values: &mut [f64],
    ) -> Result<(), SparseError> {
        if self.of == Of::Lagrangian || self.entries.as_ref().is_some_and(|entries| entries.fits(args)) {
            return self.evaluate_into(args, values);
        }
        self.check(args, values)?;
        let read = |compressed: &[f64]| self.decompress(compressed, values);
        let products = self.products().map_err(SparseError::Program)?;
        products.evaluate_in_parallel(args, None, read).map_err(SparseError::Program)
    }

    fn decompress(&self, compressed: &[f64], values: &mut [f64]) {
        let fits = "the products have the lengths that the plan was made for";
        self.plan.decompress(compressed, values).expect(fits);
    }

    fn decompressed(
        &self,
        args: &[Value<'static>],
        weights: Option<&[f64]>,
        values: &mut [f64],
    ) -> Result<(), SparseError> {
        let products = self.products().map_err(SparseError::Program)?;
        let read = |compressed: &[f64]| self.decompress(compressed, values);
        products.evaluate(args, weights, read).map_err(SparseError::Program)
    }

    /// Checks that a local pattern still holds at these arguments (SPARSE2).
    fn check_pattern(&self, args: &[Value<'static>]) -> Result<(), SparseError> {
        if !self.is_local {
            return Ok(());
        }
        let mut detector = Detector::new(&self.engine).local();
        if let Some(inputs) = &self.local {
            detector = detector.with_respect_to(inputs.clone());
        }
        let current = match self.of {
            Of::Hessian(ret) => detector.hessian(self.func, args.to_vec(), ret)?,
            Of::Jacobian => detector.jacobian(self.func, args.to_vec())?,
            Of::Lagrangian => detector.lagrangian_hessian(self.func, args.to_vec())?,
        };
        expect("results", current.rows(), self.pattern.rows())?;
        match current.first_missing(&self.pattern) {
            Some((row, col)) => {
                let args = args.to_vec();
                let origin = match self.of {
                    Of::Jacobian => detector.origin_of_row(self.func, args, row)?,
                    Of::Hessian(_) | Of::Lagrangian => {
                        detector.origin_of_pair(self.func, args, (row, col))?
                    }
                };
                let func = self.engine.program().func(self.func).ok().flatten();
                let func_span = func.map_or(Span::unknown(), |func| func.span);
                let span = if origin.is_known() { origin } else { func_span };
                Err(SparseError::Outside { row, col, func: self.func, span })
            }
            None => Ok(()),
        }
    }
}

impl std::fmt::Debug for SparseDerivative {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SparseDerivative")
            .field("func", &self.func)
            .field("pattern", &self.pattern)
            .field("colors", &self.coloring.len())
            .finish_non_exhaustive()
    }
}
