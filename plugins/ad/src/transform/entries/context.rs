//! The transformation into entries, as a context.

use std::sync::Arc;

use overdub_context::engine::{Body, Context, Key, NeedsHandle, Pass, PassError, ValueOnly};
use overdub_context::ir::Func;
use overdub_passes::{Limits, Scope};

use super::build::Builder;
use super::elimination::Elimination;
use super::sites::Sites;
use crate::custom;
use crate::nd::{KeepArrayOps, expanded};
use crate::refusal::Cause;
use crate::sort::ordered;
use crate::transform::reverse::devirtualize;
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
        EntriesTransform { writing, wrt: None, order: Order::Forwards }
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

impl Context for EntriesTransform {
    type Metadata = ();
    type Outcome = ValueOnly;

    fn metadata(&self) {}

    fn key(&self) -> Key {
        custom::keyed(Key::of::<EntriesTransform>().with(self))
    }

    fn needs_handle(&self) -> NeedsHandle {
        NeedsHandle::No
    }

    fn pass(&self, body: &Body<'_>) -> Result<Pass, PassError> {
        let transform = |names: Names<'_>, func: &Arc<Func>, wrt: &[bool]| {
            let result = entries(names, func, wrt, (self.writing, self.order))
                .map_err(|cause| cause.refuse(func.name, func.span));
            result.map(|generated| (generated.name, vec![Arc::new(generated)]))
        };
        let otherwise = "take products with directions: they follow derivatives anywhere";
        transform::pass(body, self.wrt.as_ref(), &transform, otherwise)
    }
}

fn entries(
    names: Names<'_>,
    func: &Func,
    wrt: &[bool],
    (writing, order): (Writing, Order),
) -> Result<Func, Cause> {
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
