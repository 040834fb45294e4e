//! Functions that are mapped over elements, called with values of Rust.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use overdub_context::engine::Engine;
use overdub_context::limits::Cancel;
use overdub_lower::api::{Callable, Target};

use crate::device::Device;
use crate::error::MapError;
use crate::inputs::Inputs;
use crate::over::Over;
use crate::settings::{Progress, Settings};

/// A function that is mapped over elements, and how.
///
/// It runs in the engine of derivatives: the optimising interpreter, or the linked backend such as machine code
/// (`features = ["native"]` of `overdub`), which compiles what runs often.
pub struct Map<F> {
    func: Arc<F>,
    settings: Settings,
    engine: Option<Engine>,
    wrt: Option<Vec<String>>,
}

/// Maps a function of one element over many: [`Map::over`] takes their arguments.
///
/// ```
/// # use overdub::prelude::*;
/// use overdub::spmd::{Fixed, map};
///
/// #[dub]
/// fn drag(speed: f64, area: f64) -> f64 { 0.6 * area * speed * speed }
///
/// let speeds = [10.0, 20.0, 30.0];
/// let cars = map(drag).threads(2);
/// assert_eq!(cars.over((&speeds, Fixed(2.0))).values()?, [120.0, 480.0, 1080.0]);
/// // The gradient of each element, and that of the sum.
/// assert_eq!(cars.over((&speeds, Fixed(2.0))).gradients()?[1], (48.0, 240.0));
/// let (total, (dspeeds, darea)) = cars.over((&speeds, Fixed(2.0))).sum_and_gradient()?;
/// assert_eq!((total, dspeeds, darea), (1680.0, vec![24.0, 48.0, 72.0], 840.0));
/// # Ok::<(), overdub::spmd::MapError>(())
/// ```
pub fn map<F>(func: F) -> Map<F> {
    Map { func: Arc::new(func), settings: Settings::default(), engine: None, wrt: None }
}

impl<F> Map<F> {
    /// Runs elements on this number of threads; 0 is one for each core. The default is 1, the calling thread.
    ///
    /// All results are the same to the bit for every number of threads, and so is the error that is reported. Only what
    /// elements print may be in another order.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Map<F> {
        self.settings.set_threads(threads);
        self
    }

    /// Runs all elements on a device, which is not bound by the engine's limits of steps and memory. What it does not finish
    /// is run as without it, so that failures have the same messages.
    ///
    /// It runs values, derivatives and sums; [`Over::under`] runs as without it.
    #[must_use]
    pub fn on(mut self, device: Arc<dyn Device>) -> Map<F> {
        self.settings.device = Some(device);
        self
    }

    /// Runs elements in lanes, this many side by side, at most 64, by SIMD instructions: see [`overdub_lanes`]. All results are
    /// those of elements one by one, to the bit.
    ///
    /// An executor that compiles functions for many elements ([`Executor::batch`](overdub_context::engine::Executor::batch)) such as
    /// that by rustc (`features = ["rustc"]` of `overdub`) runs its code instead when that is ready.
    ///
    /// It pays where loops of floats wait for the result before. It runs values, gradients and their sums, and products with
    /// Jacobians; [`Over::under`] runs as without it, and so do a few elements.
    ///
    /// ```
    /// # use overdub::prelude::*;
    /// use overdub::spmd::{ByIndex, map};
    ///
    /// /// Newton's iteration, which takes each element another number of steps.
    /// #[dub]
    /// fn root(x: f64) -> f64 {
    ///     let mut y = x.max(1.0);
    ///     while (y * y - x).abs() > 1e-12 * x { y = 0.5 * (y + x / y); }
    ///     y
    /// }
    ///
    /// let numbers = ByIndex(1000, |i| i as f64 + 0.5);
    /// let roots = map(root).lanes(64).over((numbers,)).values()?;
    /// assert_eq!(roots, map(root).over((numbers,)).values()?);
    /// # Ok::<(), overdub::spmd::MapError>(())
    /// ```
    ///
    /// A function that does something else than compute with scalars and arrays, such as print or call itself, runs one element after
    /// the other, and so does each in an engine with limits: [`Over::check_lanes`] tells.
    #[must_use]
    pub fn lanes(mut self, lanes: usize) -> Map<F> {
        self.settings.lanes = Some(lanes);
        self
    }

    /// Reports progress now and then, from whichever thread made it; reports do not overlap, and their numbers grow.
    ///
    /// ```
    /// # use overdub::prelude::*;
    /// use std::sync::{Arc, atomic::{AtomicUsize, Ordering}};
    /// use overdub::spmd::{ByIndex, map};
    ///
    /// #[dub]
    /// fn root(x: f64) -> f64 { x.sqrt() }
    ///
    /// let done = Arc::new(AtomicUsize::new(0));
    /// let seen = done.clone();
    /// let roots = map(root).threads(2).progress(move |at| seen.store(at.done, Ordering::Relaxed));
    /// roots.over((ByIndex(1000, |i| i as f64),)).values()?;
    /// assert_eq!(done.load(Ordering::Relaxed), 1000);
    /// # Ok::<(), overdub::spmd::MapError>(())
    /// ```
    #[must_use]
    pub fn progress(mut self, report: impl FnMut(Progress) + Send + 'static) -> Map<F> {
        self.settings.set_progress(report);
        self
    }

    /// Lets a switch stop all elements: the call returns [`MapError::Cancelled`].
    ///
    /// ```
    /// # use overdub::prelude::*;
    /// use overdub::limits::Cancel;
    /// use overdub::spmd::{ByIndex, MapError, map};
    ///
    /// #[dub]
    /// fn root(x: f64) -> f64 { x.sqrt() }
    ///
    /// let cancel = Cancel::new();
    /// let roots = map(root).cancelled_by(&cancel);
    /// cancel.cancel();
    /// let stopped = roots.over((ByIndex(1000, |i| i as f64),)).values();
    /// assert_eq!(stopped, Err(MapError::Cancelled { done: 0, len: 1000 }));
    /// ```
    #[must_use]
    pub fn cancelled_by(mut self, cancel: &Cancel) -> Map<F> {
        self.settings.cancel = Some(cancel.clone());
        self
    }

    /// Runs elements in this engine of the registered functions, with its executor and its limits, which apply to each
    /// element.
    ///
    /// ```
    /// # use overdub::prelude::*;
    /// use overdub::limits::Limits;
    /// use overdub::lower::registry;
    /// use overdub::spmd::map;
    ///
    /// #[dub]
    /// fn collatz(n: u64) -> u64 {
    ///     let (mut n, mut steps) = (n, 0);
    ///     while n != 1 {
    ///         n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
    ///         steps += 1;
    ///     }
    ///     steps
    /// }
    ///
    /// let engine = registry::program().engine_builder().build().with_limits(Limits::default().with_steps(1000));
    /// let lengths = map(collatz).in_engine(&engine).over((&[6, 0, 7],)).each().values()?;
    /// assert_eq!((lengths[0].clone(), lengths[2].clone()), (Ok(8), Ok(16)));
    /// assert_eq!(lengths[1].as_ref().map_err(|error| error.message()), Err("the limit of 1000 steps is reached"));
    /// # Ok::<(), overdub::spmd::MapError>(())
    /// ```
    #[must_use]
    pub fn in_engine(mut self, engine: &Engine) -> Map<F> {
        self.engine = Some(engine.clone());
        self
    }

    /// Differentiates with respect to these arguments only, by name or number from 0: all others are constant, and their
    /// derivatives 0.
    ///
    /// ```
    /// # use overdub::prelude::*;
    /// use overdub::spmd::{Fixed, map};
    ///
    /// #[dub]
    /// fn miss(point: &[f64], slope: f64) -> f64 { (slope * point[0] - point[1]).powi(2) }
    ///
    /// let points = [[1.0, 2.5], [2.0, 3.5]];
    /// let fit = map(miss).with_respect_to(["slope"]);
    /// let (loss, (dpoints, dslope)) = fit.over((&points, Fixed(2.0))).sum_and_gradient()?;
    /// assert_eq!((loss, dslope), (0.5, 1.0));
    /// assert!(dpoints.is_empty());
    /// # Ok::<(), overdub::spmd::MapError>(())
    /// ```
    #[must_use]
    pub fn with_respect_to<N: Into<String>>(mut self, arguments: impl IntoIterator<Item = N>) -> Map<F> {
        self.wrt.get_or_insert_default().extend(arguments.into_iter().map(N::into));
        self
    }

    /// The inputs of all elements: a tuple with an entry for each argument, a list that is mapped over, or [`Fixed`] for
    /// what all share; see [`PerElement`] for everything that can be given.
    ///
    /// Nothing runs yet: the methods of the result run the function, or its derivative. A panic of an input, of a
    /// [`ByIndex`](crate::ByIndex) for example, reaches the caller.
    ///
    /// [`Fixed`]: crate::Fixed
    /// [`PerElement`]: crate::PerElement
    pub fn over<I, Args>(&self, inputs: I) -> Over<F, I, Args>
    where
        F: Callable<Args>,
        I: Inputs<Args>,
    {
        Over { map: self.clone(), inputs, marker: PhantomData }
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    pub(crate) fn engine(&self) -> &Engine {
        self.engine.as_ref().unwrap_or_else(|| overdub_ad::api::engine())
    }

    /// The function in its engine.
    pub(crate) fn target<Args>(&self) -> Result<Target, MapError>
    where
        F: Callable<Args>,
    {
        let target = self.func.target().map_err(MapError::Function)?;
        Ok(target.in_engine(self.engine()))
    }

    /// Which of all values that the function takes are differentiated; those that it captured are not.
    pub(crate) fn wrt(&self, target: &Target) -> Result<Vec<bool>, MapError> {
        let params: Vec<String> = target.function.params.iter().map(|param| param.name.to_string()).collect();
        let mut wrt = vec![false; target.captures.len()];
        wrt.extend(selected(&params, self.wrt.as_deref())?);
        Ok(wrt)
    }
}

/// Which of the arguments of these names are selected, by name or by number; all if there is no selection.
pub(crate) fn selected<E: std::error::Error>(
    params: &[String],
    selection: Option<&[String]>,
) -> Result<Vec<bool>, MapError<E>> {
    let Some(selection) = selection else { return Ok(vec![true; params.len()]) };
    let mut wrt = vec![false; params.len()];
    for name in selection {
        let named = params.iter().position(|param| param == name);
        let at = named.or_else(|| name.parse().ok().filter(|at| *at < params.len()));
        let Some(at) = at else {
            let known: Vec<String> = params.iter().map(|param| format!("`{param}`")).collect();
            return Err(MapError::UnknownArgument { name: name.clone(), known: known.join(", ") });
        };
        wrt[at] = true;
    }
    Ok(wrt)
}

impl<F> Clone for Map<F> {
    fn clone(&self) -> Map<F> {
        Map {
            func: self.func.clone(),
            settings: self.settings.clone(),
            engine: self.engine.clone(),
            wrt: self.wrt.clone(),
        }
    }
}

impl<F> fmt::Debug for Map<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Map")
            .field("settings", &self.settings)
            .field("wrt", &self.wrt)
            .finish_non_exhaustive()
    }
}
