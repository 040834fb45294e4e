//! A function and the inputs of its elements, ready to be run or differentiated.

use std::fmt;
use std::marker::PhantomData;

use overdub_ad::flatten::floats;
use overdub_context::engine::{Layers, Nest};
use overdub_context::ir::TyKind;
use overdub_context::value::{Floats, FromValue, HasTy, IntoValue, Value};
use overdub_lower::api::{Arguments, Callable, Error, Takes, Target, Under, finish};

use crate::call::Calls;
use crate::device::{Collected, DeviceError};
use crate::each::{EachFailure, Failures, FirstFailure};
use crate::elements::Elements;
use crate::error::MapError;
use crate::gradient::{Constants, Gradients, Scratch};
use crate::inputs::{Inputs, SummedInputs};
use crate::map::Map;
use crate::mapping::{Mapping, Results, params, typed};
use crate::on_device::{asked, no_directions};
use crate::prepared::Ready;
use crate::stored::Stored;
use crate::sum;

/// What running a function under a context gives, as for [`overdub`](overdub_lower::api::overdub).
pub type Output<L, Args, R> =
    <<L as Nest>::Enclosing as Layers>::Of<<<L as Nest>::Core as Under<Args, Args, R>>::Of>;

/// A function mapped over inputs: see [`Map::over`].
///
/// Each method runs all elements. If some fail, it returns the error of the first of them, as a loop would; after
/// [`Over::each`] it returns a result for each element.
pub struct Over<F, I, Args, H = FirstFailure> {
    pub(crate) map: Map<F>,
    pub(crate) inputs: I,
    pub(crate) marker: PhantomData<fn() -> (Args, H)>,
}

impl<F, I, Args> Over<F, I, Args> {
    /// Gives each element its own result, whether or not others fail.
    ///
    /// ```
    /// # use overdub::prelude::*;
    /// use overdub::spmd::map;
    ///
    /// #[dub]
    /// fn half(n: u32) -> u32 {
    ///     assert!(n % 2 == 0, "{n} is odd");
    ///     n / 2
    /// }
    ///
    /// let halves = map(half).over((&[2, 3, 4],));
    /// assert_eq!(halves.values().unwrap_err().to_string().split(" at ").next(), Some("element 1: 3 is odd"));
    /// let each = halves.each().values()?;
    /// assert_eq!((each[0].clone(), each[2].clone()), (Ok(1), Ok(2)));
    /// assert_eq!(each[1].as_ref().unwrap_err().message(), "3 is odd");
    /// # Ok::<(), overdub::spmd::MapError>(())
    /// ```
    pub fn each(self) -> Over<F, I, Args, EachFailure> {
        Over { map: self.map, inputs: self.inputs, marker: PhantomData }
    }
}

impl<F, I, Args, H> Over<F, I, Args, H>
where
    F: Callable<Args>,
    I: Inputs<Args>,
    H: Failures,
{
    /// What the function returns for each element.
    ///
    /// # Errors
    /// If an element fails, lengths differ, nothing is mapped over, or the function is not known.
    pub fn values<'a>(&self) -> Results<H, F::Output>
    where
        Args: Arguments<'a>,
        F::Output: FromValue + Send,
    {
        let target = self.map.target()?;
        self.mapping(&target)?.values::<H, F::Output>()
    }

    /// Whether what the function returns is computed in lanes ([`Map::lanes`]), or one element after the other.
    ///
    /// # Errors
    /// If it does something that lanes do not, which the error names, with its place in the source; and as [`Over::values`].
    ///
    /// ```
    /// # use overdub::prelude::*;
    /// use overdub::spmd::map;
    ///
    /// #[dub]
    /// fn depth(n: u32) -> u32 { if n < 2 { 0 } else { 1 + depth(n / 2) } }
    ///
    /// let depths = map(depth).lanes(64).over((&[1, 5, 9],));
    /// assert_eq!(depths.values()?, [0, 2, 3]);
    /// let error = depths.check_lanes().unwrap_err();
    /// assert!(error.to_string().contains("a call that is not inlined does not run in lanes"));
    /// # Ok::<(), overdub::spmd::MapError>(())
    /// ```
    pub fn check_lanes<'a>(&self) -> Result<(), MapError>
    where
        Args: Arguments<'a>,
    {
        let target = self.map.target()?;
        self.mapping(&target)?.check_lanes()
    }

    /// As [`Over::check_lanes`], for gradients.
    ///
    /// # Errors
    /// As [`Over::check_lanes`] and [`Over::gradients`].
    pub fn check_lanes_of_gradients<'a>(&self) -> Result<(), MapError>
    where
        Args: Arguments<'a>,
    {
        let target = self.map.target()?;
        let mapping = self.mapping(&target)?;
        let mapped = mapping.elements().mapped();
        let lanes = self.gradient(&target)?.in_lanes(&mapped, mapping.run.settings.width());
        lanes.map(drop).map_err(|failure| MapError::Function(failure.into()))
    }

    /// As [`Over::check_lanes`], for [`Over::vjps`].
    ///
    /// # Errors
    /// As [`Over::check_lanes`], or if the function has no derivative.
    pub fn check_lanes_of_vjps<'a>(&self) -> Result<(), MapError>
    where
        Args: Arguments<'a>,
    {
        let target = self.map.target()?;
        self.mapping(&target)?.check_lanes_of_vjps(self.map.wrt(&target)?)
    }

    /// As [`Over::check_lanes`], for [`Over::jvps`].
    ///
    /// # Errors
    /// As [`Over::check_lanes`], or if the function has no derivative.
    pub fn check_lanes_of_jvps<'a>(&self) -> Result<(), MapError>
    where
        Args: Arguments<'a>,
    {
        let target = self.map.target()?;
        self.mapping(&target)?.check_lanes_of_jvps(&self.map.wrt(&target)?)
    }

    /// The gradient of each element: for each argument a derivative in its shape.
    ///
    /// # Errors
    /// As [`Over::values`], or if the function returns no float or has no derivative.
    pub fn gradients<'a>(&self) -> Results<H, Args::Of>
    where
        Args: Arguments<'a> + Floats,
        Args::Of: Send,
        F::Output: FromValue,
    {
        self.differentiated(|_, gradient| gradient)
    }

    /// What the function returns for each element, and its gradient.
    ///
    /// # Errors
    /// As [`Over::gradients`].
    pub fn values_and_gradients<'a>(&self) -> Results<H, (F::Output, Args::Of)>
    where
        Args: Arguments<'a> + Floats,
        Args::Of: Send,
        F::Output: FromValue + Send,
    {
        self.differentiated(|value, gradient| (value, gradient))
    }

    fn differentiated<'a, T: Send>(&self, read: impl Fn(F::Output, Args::Of) -> T + Sync) -> Results<H, T>
    where
        Args: Arguments<'a> + Floats,
        F::Output: FromValue,
    {
        let target = self.map.target()?;
        let mapping = self.mapping(&target)?;
        let (run, elements) = (&mapping.run, mapping.elements());
        let gradients = self.gradient(&target)?.of_elements(run.settings, (&elements, run.len))?;
        let found = gradients.blocks(&elements, run.settings.smallest_block);
        let block = |range| {
            let (values, mut slopes) = found(range)?;
            let values = F::Output::vec_from_array(values).ok()?;
            let own = slopes.split_off(target.captures.len().min(slopes.len()));
            let both = values.into_iter().zip(Args::floats_of_lists(own).ok()?);
            Some(both.map(|(value, gradient)| read(value, gradient)).collect())
        };
        H::run_blocks(run, Scratch::new, block, |scratch, at| {
            let (value, all) = gradients.of(scratch, Constants::AsZeros, &elements, at)?;
            Ok(read(finish(&target.function, value, Vec::new())?, typed::<Args>(&target, all)?))
        })
    }

    /// What the function returns for each element, as a list that stays on the map's device ([`Map::on`]); without a device, it
    /// is an error.
    ///
    /// # Errors
    /// As [`Over::values`], or if results of this type cannot lie on the device.
    pub fn stored_values<'a>(&self) -> Result<Stored<F::Output>, MapError>
    where
        Args: Arguments<'a>,
        F::Output: FromValue + IntoValue<'static> + Clone + Send,
    {
        let target = self.map.target()?;
        let mapping = self.mapping(&target)?;
        let run = &mapping.run;
        let missing = || MapError::Device(DeviceError::Missing("device to keep the results".to_owned()));
        let device = run.settings.device.clone().ok_or_else(missing)?;
        let elements = mapping.elements();
        let function = &target.function;
        let of = (self.map.engine(), function.symbol, params(&target));
        // What `&mut` parameters are left with follows the result of the others.
        let has_one_result = function.ir_ret == <F::Output>::ty();
        let list = match has_one_result {
            true => asked(run.settings, of, (&elements, run.len, &no_directions), |device, calls| {
                device.stored_values(calls)
            }),
            false => Ok(None),
        };
        if let Some(list) = list.map_err(MapError::Device)?.flatten() {
            return Stored::of_list(&device, list, run.len).map_err(MapError::Device);
        }
        let calls = mapping.calls(&elements)?;
        let values = FirstFailure::run(run, Ready::new, |ready, at| {
            finish(function, calls.value(ready, &elements, at)?, Vec::new())
        })?;
        Stored::new(&device, values).map_err(MapError::Device)
    }

    /// What the function returns for each element, and its tangent along tangents of its arguments: inputs of the same form,
    /// whose entries for arguments without floats are ignored.
    ///
    /// ```
    /// # use overdub::prelude::*;
    /// use overdub::spmd::{Fixed, map};
    ///
    /// #[dub]
    /// fn power(x: f64, n: i32) -> f64 { x.powi(n) }
    ///
    /// let along = map(power).over((&[1.0, 2.0], Fixed(3))).jvps((Fixed(1.0), Fixed(0)))?;
    /// assert_eq!(along, [(1.0, 3.0), (8.0, 12.0)]);
    /// # Ok::<(), overdub::spmd::MapError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Over::values`], or if a tangent does not have the shape of its argument, or the function has no derivative.
    pub fn jvps<'a, J>(&self, tangents: J) -> Results<H, (F::Output, <F::Output as Floats>::Of)>
    where
        Args: Arguments<'a>,
        J: Inputs<Args>,
        F::Output: FromValue + Floats + Send,
        <F::Output as Floats>::Of: Send,
    {
        let target = self.map.target()?;
        let wrt = self.map.wrt(&target)?;
        self.mapping(&target)?.jvps::<H, F::Output, J>(wrt, &tangents)
    }

    /// What the function returns for each element, and the cotangents of its arguments for a cotangent of the result, given
    /// for each element.
    ///
    /// ```
    /// # use overdub::prelude::*;
    /// use overdub::spmd::map;
    ///
    /// #[dub]
    /// fn polar(r: f64, t: f64) -> (f64, f64) { (r * t.cos(), r * t.sin()) }
    ///
    /// let pulled = map(polar).over((&[1.0, 2.0], &[0.0, 0.0])).vjps(&[(1.0, 0.0), (0.0, 1.0)])?;
    /// assert_eq!(pulled, [((1.0, 0.0), (1.0, 0.0)), ((2.0, 0.0), (0.0, 2.0))]);
    /// # Ok::<(), overdub::spmd::MapError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Over::values`], or if a cotangent does not have the shape of its result, or the function has no derivative.
    pub fn vjps<'a>(&self, cotangents: &[<F::Output as Floats>::Of]) -> Results<H, (F::Output, Args::Of)>
    where
        Args: Arguments<'a> + Floats,
        Args::Of: Send,
        F::Output: FromValue + Floats + Send,
        <F::Output as Floats>::Of: Clone + Sync,
    {
        let target = self.map.target()?;
        let wrt = self.map.wrt(&target)?;
        self.mapping(&target)?.vjps::<H, F::Output>(wrt, cotangents)
    }

    /// What running the function under a context gives for each element, with the context's metadata of that element if it
    /// returns them: nested contexts and modes of differentiation are given as for
    /// [`overdub`](overdub_lower::api::overdub).
    ///
    /// ```
    /// # use overdub::prelude::*;
    /// use overdub::spmd::map;
    ///
    /// #[dub]
    /// fn collatz(n: u64) -> u64 { if n % 2 == 0 { half(n) } else { 3 * n + 1 } }
    /// #[dub]
    /// fn half(n: u64) -> u64 { n / 2 }
    ///
    /// // The calls of each element, joined in the order of the elements.
    /// let names = ctx_with::<Vec<String>>()
    ///     .when(|call| call.calls("half"))
    ///     .before(|names, _, args| names.push(format!("half({})", args[0])));
    /// let (next, names): (Vec<u64>, Vec<_>) =
    ///     map(collatz).threads(2).over((&[6, 7, 8],)).under(names)?.into_iter().unzip();
    /// assert_eq!((next, names.concat()), (vec![3, 22, 4], vec!["half(6_u64)".to_owned(), "half(8_u64)".to_owned()]));
    /// # Ok::<(), overdub::spmd::MapError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Over::values`], or if the context refuses the function.
    pub fn under<L>(&self, cx: L) -> Results<H, Output<L, Args, F::Output>>
    where
        L: Nest + Clone + Sync,
        L::Core: Takes<Args, Args> + Under<Args, Args, F::Output>,
        Output<L, Args, F::Output>: Send,
    {
        let target = self.map.target()?;
        let run = self.mapping(&target)?.run;
        self.inputs.fetch().map_err(MapError::Device)?;
        let (engine, inputs) = (self.map.engine(), &self.inputs);
        H::run(
            &run,
            || (),
            |(), at| {
                let (enclosing, core) = cx.clone().split();
                core.run_in(&enclosing, engine, &target, inputs.at(at))
            },
        )
    }

    fn mapping<'m>(&'m self, target: &'m Target) -> Result<Mapping<'m, I, Args>, MapError> {
        Mapping::new(self.map.settings(), self.map.engine(), target, &self.inputs)
    }

    fn gradient(&self, target: &Target) -> Result<Gradients, MapError> {
        let function = &target.function;
        let params = params(target);
        let of = (function.symbol, &params[..], function.ir_ret);
        Ok(Gradients::new(self.map.engine(), of, self.map.wrt(target)?))
    }
}

impl<F, I, Args> Over<F, I, Args>
where
    F: Callable<Args>,
    I: Inputs<Args>,
{
    /// The sum of what the function returns, a float, over all elements.
    ///
    /// The order of the additions depends on the number of elements alone, so that the sum is the same to the bit for every
    /// number of threads.
    ///
    /// # Errors
    /// As [`Over::values`], or if the function returns no float.
    pub fn sum<'a>(&self) -> Result<f64, MapError>
    where
        Args: Arguments<'a>,
    {
        let target = self.map.target()?;
        let mapping = self.mapping(&target)?;
        is_float(&target)?;
        let (run, elements) = (&mapping.run, mapping.elements());
        let function = &target.function;
        let of = (self.map.engine(), function.symbol, params(&target), function.ir_ret);
        let calls = Calls::summed(run.settings, of, (&elements, run.len))?;
        sum::sum(
            run.settings,
            run.len,
            Ready::new,
            calls.block_sums((&elements, run.len), run.settings.smallest_block),
            |ready, at| {
                let (y, _) = target.function.split(calls.value(ready, &elements, at)?.into_owned());
                Ok::<_, Error>(floats(&y).first().copied().unwrap_or(0.0))
            },
        )
    }

    /// The sum of what the function returns over all elements, and its derivative with respect to each argument: a list with
    /// an entry for each element if the argument is mapped over (empty if it is not differentiated), else one that is summed
    /// over all elements.
    ///
    /// As for [`Over::sum`], all of it is the same to the bit for every number of threads.
    ///
    /// # Errors
    /// As [`Over::sum`], or if the function has no derivative.
    pub fn sum_and_gradient<'a>(&self) -> Result<(f64, <I as SummedInputs<'a, Args>>::Gradient), MapError>
    where
        Args: Arguments<'a>,
        I: SummedInputs<'a, Args>,
    {
        let target = self.map.target()?;
        let mapping = self.mapping(&target)?;
        is_float(&target)?;
        let (run, elements) = (&mapping.run, mapping.elements());
        let captured = target.captures.len();
        let (collected, shared) = collected(&self.inputs, &self.map.wrt(&target)?, captured);
        let of = (&elements, run.len);
        let gradients = self.gradient(&target)?.summed(run.settings, of, &collected)?;
        let (sum, mut parts) = sum::sum_and_gradient(run.settings, of, &gradients, &collected, &shared)?;
        let gradient = I::gradient(parts.split_off(captured));
        Ok((sum, gradient.map_err(|error| MapError::Function(Error::new(error.to_string())))?))
    }
}

/// How the derivatives with respect to all arguments are collected, and the values of those that all elements share; the
/// `captured` ones come first.
pub(crate) fn collected<'a, Args, I: SummedInputs<'a, Args>>(
    inputs: &I,
    wrt: &[bool],
    captured: usize,
) -> (Vec<Collected>, Vec<Option<Value<'static>>>) {
    let lengths = inputs.lengths();
    let own = wrt.iter().skip(captured).zip(&lengths).map(|(wrt, len)| match (wrt, len) {
        (false, _) => Collected::Not,
        (true, None) => Collected::Added,
        (true, Some(_)) => Collected::Listed,
    });
    let collected = std::iter::repeat_n(Collected::Not, captured).chain(own).collect();
    let own = inputs.shared().into_iter().map(|value| value.map(Value::into_owned));
    (collected, std::iter::repeat_n(None, captured).chain(own).collect())
}

fn is_float(target: &Target) -> Result<(), MapError> {
    let ty = target.function.ir_ret;
    match ty.kind() {
        TyKind::Float(_) => Ok(()),
        _ => Err(MapError::NotAFloat { ty }),
    }
}

impl<F, I, Args, H> fmt::Debug for Over<F, I, Args, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Over").field("map", &self.map).finish_non_exhaustive()
    }
}
