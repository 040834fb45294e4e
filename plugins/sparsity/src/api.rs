//! The typed interface: patterns and sparse derivatives of Rust functions, called with plain Rust values.

use std::fmt;

use overdub_ad::api::engine;
use overdub_context::value::{FromValue, Value};
use overdub_lower::api::{Arguments, Callable, Error, Target};

use crate::{DetectError, Detector, SparseDerivative, SparseError, SparseMatrix, SparsityPattern};

/// The pattern of a function's Jacobian, for every input of the shape of these arguments: a row for each float of its
/// result and of its `&mut` parameters, a column for each float of its arguments.
///
/// ```
/// # use overdub::prelude::*;
/// use overdub_sparsity::api::jacobian_sparsity;
///
/// #[dub]
/// fn differences(x: &[f64]) -> Vec<f64> { x.windows(2).map(|w| w[1] - w[0]).collect() }
///
/// assert_eq!(jacobian_sparsity(differences, (&[1.0, 2.0, 4.0][..],))?.to_string(), "[1 1 0; 0 1 1]");
/// # Ok::<(), overdub::Error>(())
/// ```
///
/// # Errors
/// As [`Detector::jacobian`].
pub fn jacobian_sparsity<'a, F, Args>(func: F, args: Args) -> Result<SparsityPattern, Error>
where
    F: Callable<Args>,
    F::Output: FromValue,
    Args: Arguments<'a>,
{
    let (target, args) = called(&func, args)?;
    detector(&target).jacobian(target.function.symbol, args).map_err(detecting)
}

/// The pattern of the Hessian of a function that returns one float, for every input of the shape of these arguments.
///
/// ```
/// # use overdub::prelude::*;
/// use overdub_sparsity::api::hessian_sparsity;
///
/// #[dub]
/// fn f(x: f64, y: f64, z: f64) -> f64 { x * y + z }
///
/// assert_eq!(hessian_sparsity(f, (1.0, 2.0, 3.0))?.to_string(), "[0 1 0; 1 0 0; 0 0 0]");
/// # Ok::<(), overdub::Error>(())
/// ```
///
/// # Errors
/// As [`Detector::hessian`].
pub fn hessian_sparsity<'a, F, Args>(func: F, args: Args) -> Result<SparsityPattern, Error>
where
    F: Callable<Args>,
    F::Output: FromValue,
    Args: Arguments<'a>,
{
    let (target, args) = called(&func, args)?;
    detector(&target).hessian(target.function.symbol, args, target.function.ir_ret).map_err(detecting)
}

/// A function with its sparse Jacobian or Hessian, prepared at one input and evaluated at many.
///
/// ```
/// # use overdub::prelude::*;
/// use overdub_sparsity::api::Sparse;
///
/// #[dub]
/// fn chain(x: &[f64]) -> Vec<f64> { x.windows(2).map(|w| w[1] * w[0]).collect() }
///
/// let jacobian = Sparse::jacobian(chain, (&[0.0; 5][..],))?;
/// assert_eq!(jacobian.derivative().coloring().len(), 2);
/// let at = jacobian.evaluate((&[1.0, 2.0, 3.0, 4.0, 5.0][..],))?;
/// assert_eq!(at.values(), [2.0, 1.0, 3.0, 2.0, 4.0, 3.0, 5.0, 4.0]);
/// # Ok::<(), overdub::Error>(())
/// ```
pub struct Sparse<F> {
    func: F,
    derivative: SparseDerivative,
}

impl<F> Sparse<F> {
    /// The Jacobian: finds and colors its pattern.
    ///
    /// # Errors
    /// As [`SparseDerivative::jacobian`].
    pub fn jacobian<'a, Args>(func: F, args: Args) -> Result<Sparse<F>, Error>
    where
        F: Callable<Args>,
        F::Output: FromValue,
        Args: Arguments<'a>,
    {
        let (target, args) = called(&func, args)?;
        let derivative = SparseDerivative::jacobian(&detector(&target), target.function.symbol, args);
        Ok(Sparse { func, derivative: derivative.map_err(evaluating)? })
    }

    /// The Hessian of a function that returns one float.
    ///
    /// # Errors
    /// As [`SparseDerivative::hessian`].
    pub fn hessian<'a, Args>(func: F, args: Args) -> Result<Sparse<F>, Error>
    where
        F: Callable<Args>,
        F::Output: FromValue,
        Args: Arguments<'a>,
    {
        let (target, args) = called(&func, args)?;
        let (symbol, ret) = (target.function.symbol, target.function.ir_ret);
        let derivative = SparseDerivative::hessian(&detector(&target), symbol, args, ret);
        Ok(Sparse { func, derivative: derivative.map_err(evaluating)? })
    }

    /// The Hessian of the weighted sum of all floats that a function returns, including the last values of
    /// `&mut` parameters, as that of a Lagrangian. The weights are passed to [`Sparse::evaluate_weighted`].
    ///
    /// ```
    /// # use overdub::prelude::*;
    /// use overdub_sparsity::api::Sparse;
    ///
    /// #[dub]
    /// fn objective_and_constraint(x: &[f64]) -> (f64, f64) { (x[0] * x[1], x[1] * x[1] + x[2]) }
    ///
    /// let hessian = Sparse::lagrangian_hessian(objective_and_constraint, (&[0.0; 3][..],))?;
    /// assert_eq!(hessian.derivative().pattern().to_string(), "[0 1 0; 1 1 0; 0 0 0]");
    /// assert_eq!(hessian.evaluate_weighted((&[1.0, 2.0, 3.0][..],), &[1.0, 0.5])?.values(), [1.0, 1.0, 1.0]);
    /// # Ok::<(), overdub::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`SparseDerivative::lagrangian_hessian`].
    pub fn lagrangian_hessian<'a, Args>(func: F, args: Args) -> Result<Sparse<F>, Error>
    where
        F: Callable<Args>,
        F::Output: FromValue,
        Args: Arguments<'a>,
    {
        let (target, args) = called(&func, args)?;
        let derivative =
            SparseDerivative::lagrangian_hessian(&detector(&target), target.function.symbol, args);
        Ok(Sparse { func, derivative: derivative.map_err(evaluating)? })
    }

    /// The Hessian of a Lagrangian at an input of the same shape, with a weight for each float that the function returns.
    ///
    /// # Errors
    /// As [`SparseDerivative::evaluate_weighted`].
    pub fn evaluate_weighted<'a, Args>(&self, args: Args, weights: &[f64]) -> Result<SparseMatrix, Error>
    where
        F: Callable<Args>,
        F::Output: FromValue,
        Args: Arguments<'a>,
    {
        let (_, args) = called(&self.func, args)?;
        self.derivative.evaluate_weighted(&args, weights).map_err(evaluating)
    }

    /// The untyped derivative: its pattern, coloring and engine.
    pub fn derivative(&self) -> &SparseDerivative {
        &self.derivative
    }

    /// The matrix at an input of the same shape.
    ///
    /// # Errors
    /// As [`SparseDerivative::evaluate`].
    pub fn evaluate<'a, Args>(&self, args: Args) -> Result<SparseMatrix, Error>
    where
        F: Callable<Args>,
        F::Output: FromValue,
        Args: Arguments<'a>,
    {
        let (_, args) = called(&self.func, args)?;
        self.derivative.evaluate(&args).map_err(evaluating)
    }
}

impl<F> fmt::Debug for Sparse<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Sparse").field(&self.derivative).finish()
    }
}

/// A function and all values that it takes, captures first.
fn called<'a, F, Args>(func: &F, args: Args) -> Result<(Target, Vec<Value<'static>>), Error>
where
    F: Callable<Args>,
    Args: Arguments<'a>,
{
    let target = func.target()?.in_engine(engine());
    let values = target.transfer(args)?.values;
    let args = target.values(values).into_iter().map(Value::into_owned).collect();
    Ok((target, args))
}

/// A detector for which the captures of a closure are constants.
fn detector(target: &Target) -> Detector<'static> {
    let captures = target.captures.len();
    let arguments: Vec<usize> = (captures..captures + target.function.params.len()).collect();
    Detector::new(engine()).with_respect_to(arguments)
}

fn detecting(error: DetectError) -> Error {
    match error {
        DetectError::Program(failure) => failure.into(),
        other => Error::new(other.to_string()),
    }
}

fn evaluating(error: SparseError) -> Error {
    match error {
        SparseError::Detect(error) => detecting(error),
        SparseError::Program(failure) => failure.into(),
        other => Error::new(other.to_string()),
    }
}
