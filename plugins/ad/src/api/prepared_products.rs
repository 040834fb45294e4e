//! Derivatives of a prepared function besides its gradient: products, Jacobians and Hessians.
//!
//! - PREPAREDPRODUCTS1 what is not differentiated is constant: its tangents count as zero, its part of a product is zero, and it
//!   has no row or column in a matrix.

use ndarray::{Array2, ArrayViewMut2};
use overdub_context::value::{Floats, FromValue, Value};
use overdub_lower::api::{Arguments, Callable, Error, TransferredArgs, Under};

use super::engine::engine;
use super::forward::{pushed_values, tangents_of};
use super::matrices::{captured, hessian_of, hvp_route, jacobian_of, masked, products};
use super::prepared_gradient::hvp_into;
use super::{Buffers, Prepared, Pullback, Reverse};
use crate::route::HvpRoute;
use crate::shape::owned_values;

impl<F> Prepared<F> {
    /// What the function returns, and its tangent for tangents of its arguments.
    ///
    /// # Errors
    /// As [`jvp`](super::jvp).
    pub fn jvp<'a, 't, Args, Tangents>(
        &self,
        args: Args,
        tangents: Tangents,
    ) -> Result<(F::Output, <F::Output as Floats>::Of), Error>
    where
        F: Callable<Args>,
        F::Output: FromValue + Floats,
        Args: Arguments<'a>,
        Tangents: Arguments<'t>,
    {
        let target = self.target()?;
        let TransferredArgs { values, write_backs } = target.transfer(args)?;
        let args = owned_values(target, values);
        let tangents = tangents_of(target, &args, tangents.transfer().values)?;
        let tangents = masked(&tangents, &*self.active(target, &args)?)?;
        let push = || pushed_values(engine(), &(), &(), target, (args, write_backs, tangents));
        self.rules.during(push)
    }

    /// What the function returns, and the cotangents of its arguments for a cotangent of the result.
    ///
    /// # Errors
    /// As [`vjp`](super::vjp).
    pub fn vjp<'a, Args>(
        &self,
        args: Args,
        dy: <F::Output as Floats>::Of,
    ) -> Result<(F::Output, Args::Of), Error>
    where
        F: Callable<Args>,
        F::Output: FromValue + Floats,
        Args: Arguments<'a> + Floats,
    {
        let target = self.target()?;
        let (y, pullback): (F::Output, Pullback<_, Args::Of>) =
            self.rules.during(|| Reverse.run(engine(), target, args))?;
        let cotangents = pullback.cotangents(dy)?;
        // A cotangent has the parts of its argument.
        let all: Vec<Value<'static>> = target.captures.iter().chain(&cotangents).cloned().collect();
        let active = self.active(target, &all)?;
        let captured = captured(target);
        let cotangents = masked(&cotangents, &|number| active(captured + number))?;
        Ok((y, pullback.typed(cotangents)?))
    }

    /// A Hessian-vector product: the tangent of the gradient for tangents of the arguments.
    ///
    /// ```
    /// # use overdub::prelude::*;
    /// use overdub::ad::prepare;
    ///
    /// #[dub]
    /// fn f(x: f64, y: f64) -> f64 { x * x * y }
    ///
    /// let f = prepare(f);
    /// assert_eq!(f.hvp((3.0, 5.0), (1.0, 0.0))?, (10.0, 6.0));
    /// assert_eq!(f.hessian((3.0, 5.0))?, ndarray::arr2(&[[10.0, 6.0], [6.0, 0.0]]));
    /// # Ok::<(), overdub::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`hvp`](super::hvp).
    pub fn hvp<'a, 't, Args, Tangents>(&self, args: Args, tangents: Tangents) -> Result<Args::Of, Error>
    where
        F: Callable<Args>,
        F::Output: FromValue,
        Args: Arguments<'a> + Floats,
        Tangents: Arguments<'t>,
    {
        let products = self.products(args, tangents)?;
        Args::floats_of(Value::tuple(products)).map_err(|error| Error::new(error.to_string()))
    }

    /// [`Prepared::hvp`] into the caller's buffers, one for each argument.
    ///
    /// In machine code, of a function of numbers and slices of numbers it allocates nothing from its second call on, except
    /// what the function's own body allocates.
    ///
    /// # Errors
    /// As [`Prepared::hvp`], or if a buffer does not have the shape of its argument.
    pub fn hvp_into<'a, 't, Args, Tangents>(
        &self,
        args: Args,
        tangents: Tangents,
        mut buffers: impl Buffers,
    ) -> Result<(), Error>
    where
        F: Callable<Args>,
        F::Output: FromValue,
        Args: Arguments<'a>,
        Tangents: Arguments<'t>,
    {
        if self.wrt.is_empty()
            && self.target()?.captures.is_empty()
            && let Some(hvp) = self.hvp_route()?.transformed()
            && let Some(done) = hvp_into(hvp, &args, &tangents, &mut buffers)
        {
            return done;
        }
        buffers.fill(&Value::tuple(self.products(args, tangents)?))
    }

    fn hvp_route<Args>(&self) -> Result<&HvpRoute, Error>
    where
        F: Callable<Args>,
    {
        if let Some(route) = self.hvp.get() {
            return Ok(route);
        }
        let target = self.target()?;
        let route = self.rules.during(|| hvp_route(target))?;
        Ok(self.hvp.get_or_init(|| route))
    }

    fn products<'a, 't, Args: Arguments<'a>>(
        &self,
        args: Args,
        tangents: impl Arguments<'t>,
    ) -> Result<Vec<Value<'static>>, Error>
    where
        F: Callable<Args>,
    {
        let target = self.target()?;
        products(self.hvp_route()?, target, args, tangents, &|all| self.active(target, all))
    }

    /// The derivative of each float of the result (a row) with respect to each float of the arguments (a
    /// column), of those alone that [`Prepared::with_respect_to`] selects.
    ///
    /// # Errors
    /// As [`jacobian`](super::jacobian).
    pub fn jacobian<'a, Args>(&self, args: Args) -> Result<Array2<f64>, Error>
    where
        F: Callable<Args>,
        F::Output: FromValue,
        Args: Arguments<'a>,
    {
        let target = self.target()?;
        let all = owned_values(target, target.transfer(args)?.values);
        let active = self.active(target, &all)?;
        self.rules.during(|| jacobian_of(target, all, &*active))
    }

    /// [`Prepared::jacobian`] into a matrix that the caller owns.
    ///
    /// # Errors
    /// As [`Prepared::jacobian`], or if the matrix has another size.
    pub fn jacobian_into<'a, Args>(&self, args: Args, into: ArrayViewMut2<'_, f64>) -> Result<(), Error>
    where
        F: Callable<Args>,
        F::Output: FromValue,
        Args: Arguments<'a>,
    {
        put(&self.jacobian(args)?, into)
    }

    /// The second derivatives with respect to each pair of floats of the arguments, of those alone that
    /// [`Prepared::with_respect_to`] selects.
    ///
    /// ```
    /// # use overdub::prelude::*;
    /// use overdub::ad::prepare;
    ///
    /// #[dub]
    /// fn misfit(slope: f64, xs: &[f64], ys: &[f64]) -> f64 {
    ///     xs.iter().zip(ys).map(|(x, y)| (slope * x - y).powi(2)).sum()
    /// }
    ///
    /// let curvature = prepare(misfit).with_respect_to(["slope"]).hessian((0.5, &[1.0, 2.0][..], &[1.0, 1.0][..]))?;
    /// assert_eq!(curvature, ndarray::arr2(&[[10.0]]));
    /// # Ok::<(), overdub::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`hessian`](super::hessian).
    pub fn hessian<'a, Args>(&self, args: Args) -> Result<Array2<f64>, Error>
    where
        F: Callable<Args>,
        F::Output: FromValue,
        Args: Arguments<'a>,
    {
        let target = self.target()?;
        let all = owned_values(target, target.transfer(args)?.values);
        let active = self.active(target, &all)?;
        self.rules.during(|| hessian_of(target, all, &*active))
    }

    /// [`Prepared::hessian`] into a matrix that the caller owns.
    ///
    /// # Errors
    /// As [`Prepared::hessian`], or if the matrix has another size.
    pub fn hessian_into<'a, Args>(&self, args: Args, into: ArrayViewMut2<'_, f64>) -> Result<(), Error>
    where
        F: Callable<Args>,
        F::Output: FromValue,
        Args: Arguments<'a>,
    {
        put(&self.hessian(args)?, into)
    }
}

fn put(matrix: &Array2<f64>, mut into: ArrayViewMut2<'_, f64>) -> Result<(), Error> {
    if matrix.dim() != into.dim() {
        let message = format!("a matrix of {:?} does not fit into one of {:?}", matrix.dim(), into.dim());
        return Err(Error::new(message).with_help(
            "a row for each float of the result, a column for each of the arguments that is differentiated",
        ));
    }
    into.assign(matrix);
    Ok(())
}
