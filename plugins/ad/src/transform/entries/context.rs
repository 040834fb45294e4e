//! The transformation into entries, as a context.

use std::sync::Arc;

use overdub_context::Symbol;
use overdub_context::engine::{Body, Context, Key, NeedsHandle, Pass, PassError, ValueOnly};
use overdub_context::ir::{BuildError, Func, FuncBuilder, Operand, Ty};
use overdub_context::ops;
use overdub_passes::{Limits, Scope};

use super::build::Builder;
use super::elimination::Elimination;
use super::sites::Sites;
use crate::custom::{self, ActiveRules};
use crate::nd::{KeepArrayOps, expanded};
use crate::refusal::{Cause, Refusal};
use crate::sort::ordered;
use crate::transform::reverse::{Recomputation, devirtualize, direct_gradient};
use crate::transform::{self, Names};

/// What a function returns for the entries of its Jacobian.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Writing {
    /// Two arrays of integers that encode their places: [`EntryPlaces`](super::EntryPlaces) reads them.
    Places,
    /// Their values, each stored at its slot.
    Set,
    /// Their values, each added to what is at its slot.
    Add,
}

/// The context under which a function that returns an array of floats returns the entries of its Jacobian
/// instead, in the order in which it writes the elements that they are derivatives of.
///
/// For [`Writing::Set`] and [`Writing::Add`] it takes two more arguments: the slot of each entry, a `u32`,
/// and the number of slots; it returns the values in the slots. A refusal names what the function does that
/// has no such entries.
///
/// ```
/// use overdub_ad::transform::entries::{EntriesTransform, Writing};
/// use overdub_context::value::{Array, Value};
///
/// let source = "pub fn f(x: &[f64]) -> Vec<f64> { x.windows(2).map(|w| w[1] * w[0]).collect() }";
/// let loaded = overdub_lower::Loaded::from_source("f.rs", source)?;
/// let (engine, f) = (loaded.engine(), loaded.function("f")?.symbol);
/// let slots = Array::from_vec(vec![0_u32, 1, 2, 3]);
/// let args = vec![Value::floats(vec![2.0, 3.0, 5.0]), Value::from(slots), Value::from(4_usize)];
/// let entries = engine.overdub(&EntriesTransform::new(Writing::Set), f, args)?;
/// assert_eq!(entries.to_string(), "[2.0, 3.0, 3.0, 5.0]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct EntriesTransform {
    writing: Writing,
    wrt: Option<Vec<bool>>,
    order: Order,
    of: Differentiated,
    rules: ActiveRules,
}

/// What the entries are derivatives of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Differentiated {
    /// The array that the function returns.
    Result,
    /// The gradient of the float that the function returns.
    Gradient,
}

/// How intermediate numbers are eliminated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Order {
    /// Each where it is computed; a zero tangent contributes zero (AD3).
    Forwards,
    /// In the order with the fewest operations, with plain products.
    Cheapest,
}

impl EntriesTransform {
    /// With respect to all arguments that hold floats.
    pub fn new(writing: Writing) -> EntriesTransform {
        let (order, of, rules) = (Order::Forwards, Differentiated::Result, ActiveRules::current());
        EntriesTransform { writing, wrt: None, order, of, rules }
    }

    /// With respect to these arguments only.
    #[must_use]
    pub fn with_respect_to(self, wrt: Vec<bool>) -> EntriesTransform {
        EntriesTransform { wrt: Some(wrt), ..self }
    }

    /// With few operations: derivatives are accumulated from the reads, from what is written, or from both
    /// sides, and zero times an infinity is not zero. The function returns a tuple of the values and a
    /// number, which is zero unless an entry may not be finite: in that case the values of the function
    /// without this option are the right ones.
    #[must_use]
    pub fn in_few_operations(self) -> EntriesTransform {
        EntriesTransform { order: Order::Cheapest, ..self }
    }
}

impl EntriesTransform {
    /// Of the gradient of a function that returns a float, which makes them the entries of its Hessian. One argument is
    /// active, an array of floats.
    ///
    /// ```
    /// use overdub_ad::transform::entries::{EntriesTransform, EntryPlaces, Writing};
    /// use overdub_context::value::Value;
    ///
    /// let source = "pub fn f(x: &[f64]) -> f64 { x.iter().map(|x| x * x * x).sum() }";
    /// let loaded = overdub_lower::Loaded::from_source("f.rs", source)?;
    /// let (engine, f) = (loaded.engine(), loaded.function("f")?.symbol);
    /// let places = EntriesTransform::new(Writing::Places).of_gradient();
    /// let found = engine.overdub(&places, f, vec![Value::floats(vec![2.0, 3.0])])?;
    /// assert_eq!(EntryPlaces::read(&found)?.iter().collect::<Vec<_>>(), [(0, 0), (1, 1)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of_gradient(self) -> EntriesTransform {
        EntriesTransform { of: Differentiated::Gradient, ..self }
    }
}

impl Context for EntriesTransform {
    type Metadata = ();
    type Outcome = ValueOnly;

    fn metadata(&self) {}

    fn key(&self) -> Key {
        custom::keyed(Key::of::<EntriesTransform>().with(self), &self.rules)
    }

    fn needs_handle(&self) -> NeedsHandle {
        NeedsHandle::No
    }

    fn pass(&self, body: &Body<'_>) -> Result<Pass, PassError> {
        let transform = |names: Names<'_>, func: &Arc<Func>, wrt: &[bool]| {
            let refused = |cause: Cause| cause.refuse(func.name, func.span);
            let generated = match self.of {
                Differentiated::Result => self.entries(names, func, wrt).map_err(refused)?,
                Differentiated::Gradient => {
                    let (gradient, funcs) = gradient_array(names, func, wrt)?;
                    let generated = |name: Symbol| funcs.iter().find(|func| func.name == name).cloned();
                    let lookup = |name: Symbol| generated(name).or_else(|| (names.lookup)(name));
                    self.entries(Names { lookup: &lookup, ..names }, &gradient, wrt).map_err(refused)?
                }
            };
            Ok((generated.name, vec![Arc::new(generated)]))
        };
        let otherwise = "take products with directions: they follow derivatives anywhere";
        self.rules.during(|| transform::pass(body, self.wrt.as_ref(), &transform, otherwise))
    }
}

/// A function that returns the gradient of `func` with respect to its only active argument, an array, and the functions
/// that it calls.
fn gradient_array(
    names: Names<'_>,
    func: &Arc<Func>,
    wrt: &[bool],
) -> Result<(Func, Vec<Arc<Func>>), Refusal> {
    let refused = |cause: Cause| cause.refuse(func.name, func.span);
    if wrt.iter().filter(|wrt| **wrt).count() != 1 {
        return Err(refused(Cause::Entries("its Hessian is one in several arguments")));
    }
    let (name, funcs) = direct_gradient(names, func, wrt, Recomputation::Most)?;
    let found = funcs.iter().find(|func| func.name == name).ok_or_else(|| refused(Cause::Missing(name)))?;
    let build = || -> Result<Func, BuildError> {
        let mut build = FuncBuilder::new((names.name)(func.name, "GradientArray"), Ty::unit());
        build.set_func_span(func.span);
        build.set_span(func.span);
        let params = func.params().iter().zip(func.param_tys());
        let params: Vec<Operand> =
            params.map(|(param, ty)| build.param(&func.var_label(*param).to_string(), ty).into()).collect();
        let both = build.call(name, params, found.ret)?;
        let cotangents = build.op(&ops::FIELD, [Operand::from(both), 1_i64.into()])?;
        let gradient = build.op(&ops::FIELD, [Operand::from(cotangents), 0_i64.into()])?;
        build.set_ret(build.ty(&gradient.into())?);
        build.ret(gradient)?;
        build.finish()
    };
    Ok((build().map_err(|error| refused(Cause::Build(error)))?, funcs))
}

impl EntriesTransform {
    fn entries(&self, names: Names<'_>, func: &Func, wrt: &[bool]) -> Result<Func, Cause> {
        let (writing, order) = (self.writing, self.order);
        // A call is opaque here, so more is inlined than for other derivatives.
        let scope = Scope::new(names.lookup).with_limits(Limits { callee: 600, total: 20_000 });
        let optimised = overdub_passes::optimise(func, &scope);
        let expanded = expanded(&optimised, KeepArrayOps::Forward, &scope);
        let expanded = expanded.map_err(|error| Cause::Expands(error.message))?;
        let direct = devirtualize(&ordered(&expanded.unwrap_or(optimised))).func;
        let sites = Sites::of(&direct, wrt)?;
        let name = (names.name)(func.name, &format!("Entries{writing:?}{order:?}"));
        let elimination = match order {
            Order::Forwards => Elimination::forwards(&direct, &sites),
            Order::Cheapest => Elimination::cheapest(&direct, &sites),
        };
        let built = Builder::all(&direct, wrt, (&sites, &elimination), (writing, order), name)?;
        Ok(overdub_passes::optimise(&built, &Scope::new(names.lookup)))
    }
}
