//! Sparse Jacobians and Hessians: the pattern and its coloring found once, then a few sweeps for each evaluation.
//!
//! - SPARSE1 columns of one color have no row in common, so one tangent along all of them has each of their entries
//!   (Curtis, Powell and Reid, *On the Estimation of Sparse Jacobian Matrices*, 1974).
//! - SPARSE2 a global pattern holds at every input. A local one is found again at each input that is evaluated: an entry
//!   beyond it is an error.

use std::fmt;
use std::sync::Arc;

use overdub_ad::flatten::floats;
use overdub_ad::{HvpRoute, JvpRoute, Strategy};
use overdub_context::engine::Engine;
use overdub_context::ir::{Ty, TyKind};
use overdub_context::value::Value;
use overdub_context::{Failure, Symbol};

use crate::coloring::{Coloring, ColoringError, ColoringKind, Decompression, InvalidColoring, color};
use crate::entries::Entries;
use crate::{DetectError, Detector, SparseMatrix, SparsityPattern};

/// Why a sparse derivative cannot be computed.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SparseError {
    /// Its pattern cannot be found.
    #[error(transparent)]
    Detect(#[from] DetectError),
    /// The pattern cannot be colored.
    #[error(transparent)]
    Coloring(#[from] ColoringError),
    /// A coloring that was given does not fit the pattern.
    #[error(transparent)]
    Invalid(#[from] InvalidColoring),
    /// The program fails, or has no derivative.
    #[error("{0}")]
    Program(Failure),
    /// The arguments or the result have another number of floats than those that the pattern was found for.
    #[error("the {what} hold {got} floats, but the pattern was found for {expected}")]
    Shape {
        /// `arguments`, `results` or `values`.
        what: &'static str,
        /// The number there is.
        got: usize,
        /// The number there was.
        expected: usize,
    },
    /// A pattern that was found at another input does not hold at this one.
    #[error(
        "entry ({row}, {col}) is not in the pattern, which was found at another input of `{func}`; prepare it with a \
         global pattern, or again at this input"
    )]
    Outside {
        /// The row of the entry.
        row: usize,
        /// Its column.
        col: usize,
        /// The function.
        func: Symbol,
    },
}

/// How a sparse derivative is evaluated, and why so.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Evaluation {
    /// The function writes each entry where it belongs, in one run.
    Entries {
        /// The number of partial derivatives that it writes.
        written: usize,
    },
    /// A sweep for each color.
    Compression {
        /// The number of sweeps.
        sweeps: usize,
        /// Why the entries are not written in one run.
        because: String,
    },
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Evaluation::Entries { written } => write!(
                f,
                "{written} entries written in one run, since each number that is returned depends on a few reads"
            ),
            Evaluation::Compression { sweeps, because } => {
                write!(f, "compression to {sweeps} sweeps, since {because}")
            }
        }
    }
}

/// The products from which a matrix is decompressed.
enum Sweeps {
    /// Of columns, by tangents.
    Forward(JvpRoute),
    /// Of rows, by cotangents.
    Reverse,
    /// Of rows and columns of a Hessian.
    Hessian(HvpRoute),
}

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
    ret: Option<Ty>,
    sweeps: Sweeps,
    pattern: Arc<SparsityPattern>,
    coloring: Coloring,
    plan: Decompression,
    /// The numbers of the floats of the arguments that are inputs.
    inputs: Vec<usize>,
    /// The number of floats of the arguments.
    width: usize,
    local: Option<Vec<usize>>,
    is_local: bool,
    entries: Option<Entries>,
    evaluation: Evaluation,
}

impl SparseDerivative {
    /// The Jacobian of a function: a row for each float that its IR returns, `&mut` parameters included. The pattern is
    /// found at these arguments, as the detector is set.
    ///
    /// Where the function computes each number that it returns from a few reads of its inputs, as stencils and sums of
    /// local terms do, the entries are written in one run of it. Otherwise whichever takes fewer sweeps is chosen: colors
    /// of columns, each a tangent, or of rows, each a cotangent, which costs about twice as much.
    /// [`SparseDerivative::explain`] says which, and why.
    ///
    /// # Errors
    /// Where the pattern cannot be found.
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
        let mut made = SparseDerivative::with_coloring(detector, func, &args, None, pattern, coloring)?;
        made.write_entries(detector, &args);
        Ok(made)
    }

    /// Takes entries for products, if the function writes them.
    fn write_entries(&mut self, detector: &Detector<'_>, args: &[Value<'static>]) {
        let holds = |(at, arg): (usize, &Value<'static>)| detector.is_input(at) && !floats(arg).is_empty();
        let wrt = args.iter().enumerate().map(holds).collect();
        match Entries::new(&self.engine, self.func, wrt, args, &self.pattern) {
            Ok(entries) => {
                self.evaluation = Evaluation::Entries { written: entries.written() };
                self.entries = Some(entries);
            }
            Err(reason) => {
                self.evaluation = Evaluation::Compression { sweeps: self.coloring.len(), because: reason };
            }
        }
    }

    /// The Hessian of a function that returns one float, `ret` its declared type.
    ///
    /// # Errors
    /// Where the pattern cannot be found, or the function does not return one float.
    pub fn hessian(
        detector: &Detector<'_>,
        func: impl Into<Symbol>,
        args: Vec<Value<'static>>,
        ret: Ty,
    ) -> Result<SparseDerivative, SparseError> {
        let func = func.into();
        let pattern = detector.hessian(func, args.clone(), ret)?;
        let coloring = color(&pattern, ColoringKind::Star)?;
        SparseDerivative::with_coloring(detector, func, &args, Some(ret), pattern, coloring)
    }

    /// With a pattern and a coloring of the caller's own: of columns or rows for a Jacobian, symmetric for the Hessian
    /// of a function that returns `ret`. Nothing is found again: the pattern is taken to hold wherever it is evaluated.
    ///
    /// # Errors
    /// Where the coloring does not fit the pattern, or the pattern not the arguments.
    pub fn with_coloring(
        detector: &Detector<'_>,
        func: impl Into<Symbol>,
        args: &[Value<'static>],
        ret: Option<Ty>,
        pattern: SparsityPattern,
        coloring: Coloring,
    ) -> Result<SparseDerivative, SparseError> {
        let (engine, func) = (detector.engine(), func.into());
        let plan = Decompression::prepare(&pattern, &coloring)?;
        let mut inputs = Vec::new();
        let mut width = 0;
        for (at, arg) in args.iter().enumerate() {
            let count = floats(arg).len();
            if detector.is_input(at) {
                inputs.extend(width..width + count);
            }
            width += count;
        }
        expect("arguments", inputs.len(), pattern.cols())?;
        let sweeps = match ret {
            Some(ret) => {
                Sweeps::Hessian(HvpRoute::new(engine, func, ret, &|_| true).map_err(SparseError::Program)?)
            }
            None if coloring.kind().colors_columns() => Sweeps::Forward(JvpRoute::new(engine, func)),
            None => Sweeps::Reverse,
        };
        let local = detector.inputs().map(<[usize]>::to_vec);
        let because = match ret {
            Some(_) => "second derivatives are not written entry by entry",
            None => "a coloring was given",
        };
        let evaluation = Evaluation::Compression { sweeps: coloring.len(), because: because.to_owned() };
        Ok(SparseDerivative {
            engine: engine.clone(),
            func,
            ret,
            sweeps,
            pattern: pattern.into(),
            coloring,
            plan,
            inputs,
            width,
            local,
            is_local: detector.is_local(),
            entries: None,
            evaluation,
        })
    }

    /// Where entries can be.
    pub fn pattern(&self) -> &SparsityPattern {
        &self.pattern
    }

    /// How it is evaluated, and why so.
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

    /// The coloring: a sweep for each color.
    pub fn coloring(&self) -> &Coloring {
        &self.coloring
    }

    /// The engine that makes the products, where they are tangents or products with a Hessian.
    pub fn strategy(&self) -> Option<&Strategy> {
        match &self.sweeps {
            Sweeps::Forward(route) => Some(route.strategy()),
            Sweeps::Hessian(route) => Some(route.strategy()),
            Sweeps::Reverse => None,
        }
    }

    /// The matrix at an input.
    ///
    /// # Errors
    /// Where the program fails, the arguments have another shape than those that the pattern was found for, or it was
    /// found at another input and does not hold at this one.
    pub fn evaluate(&self, args: &[Value<'static>]) -> Result<SparseMatrix, SparseError> {
        let mut values = vec![0.0; self.pattern.len()];
        self.evaluate_into(args, &mut values)?;
        Ok(SparseMatrix::new(self.pattern.clone(), values))
    }

    /// The values of the pattern's entries at an input, row by row.
    ///
    /// # Errors
    /// As [`SparseDerivative::evaluate`], and where there are not as many values as entries.
    pub fn evaluate_into(&self, args: &[Value<'static>], values: &mut [f64]) -> Result<(), SparseError> {
        let width: usize = args.iter().map(count_floats).sum();
        expect("arguments", width, self.width)?;
        expect("values", values.len(), self.pattern.len())?;
        self.check_pattern(args)?;
        if let Some(entries) = self.entries.as_ref().filter(|entries| entries.fits(args)) {
            return entries.evaluate_into(args, values).map_err(SparseError::Program);
        }
        let mut compressed = Vec::with_capacity(self.plan.compressed_len());
        match &self.sweeps {
            Sweeps::Forward(route) => {
                for group in self.coloring.column_groups().iter() {
                    let change = route.along(args, &self.direction(group)).map_err(SparseError::Program)?;
                    expect("results", change.len(), self.pattern.rows())?;
                    compressed.extend(change);
                }
            }
            Sweeps::Hessian(route) => {
                for group in self.coloring.column_groups().iter() {
                    let change = route.along(args, &self.direction(group)).map_err(SparseError::Program)?;
                    compressed.extend(self.inputs.iter().map(|at| change[*at]));
                }
            }
            Sweeps::Reverse => self.pull_rows(args, &mut compressed)?,
        }
        let fits = "the products have the lengths that the plan was made for";
        self.plan.decompress(&compressed, values).expect(fits);
        Ok(())
    }

    /// A cotangent for each color of rows.
    fn pull_rows(&self, args: &[Value<'static>], compressed: &mut Vec<f64>) -> Result<(), SparseError> {
        let (value, pullback) =
            overdub_ad::vjp(&self.engine, self.func, args.to_vec()).map_err(SparseError::Program)?;
        expect("results", floats(&value).len(), self.pattern.rows())?;
        for group in self.coloring.row_groups().iter() {
            let mut weights = vec![0.0; self.pattern.rows()];
            group.iter().for_each(|row| weights[*row as usize] = 1.0);
            let pulled = pullback.pull(&weights).map_err(SparseError::Program)?;
            let pulled: Vec<f64> = pulled.iter().flat_map(floats).collect();
            compressed.extend(self.inputs.iter().map(|at| pulled[*at]));
        }
        Ok(())
    }

    /// The direction along all inputs of a color.
    fn direction(&self, group: &[u32]) -> Vec<f64> {
        let mut direction = vec![0.0; self.width];
        group.iter().for_each(|input| direction[self.inputs[*input as usize]] = 1.0);
        direction
    }

    /// SPARSE2
    fn check_pattern(&self, args: &[Value<'static>]) -> Result<(), SparseError> {
        if !self.is_local {
            return Ok(());
        }
        let mut detector = Detector::new(&self.engine).local();
        if let Some(inputs) = &self.local {
            detector = detector.with_respect_to(inputs.clone());
        }
        let here = match self.ret {
            Some(ret) => detector.hessian(self.func, args.to_vec(), ret)?,
            None => detector.jacobian(self.func, args.to_vec())?,
        };
        expect("results", here.rows(), self.pattern.rows())?;
        match here.first_missing(&self.pattern) {
            Some((row, col)) => Err(SparseError::Outside { row, col, func: self.func }),
            None => Ok(()),
        }
    }
}

/// The number of floats in a value; those of arrays are not copied.
fn count_floats(value: &Value<'_>) -> usize {
    match value {
        Value::Unit | Value::Bool(_) | Value::Int(_) => 0,
        Value::F64(_) | Value::F32(_) => 1,
        Value::Array(array) => match array.elem_ty().kind() {
            TyKind::Float(_) => array.len(),
            TyKind::Bool | TyKind::Int(_) => 0,
            _ => floats(value).len(),
        },
        _ => floats(value).len(),
    }
}

fn expect(what: &'static str, got: usize, expected: usize) -> Result<(), SparseError> {
    if got == expected { Ok(()) } else { Err(SparseError::Shape { what, got, expected }) }
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
