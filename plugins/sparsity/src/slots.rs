//! Where a function that writes the entries of its Jacobian or Hessian puts each of them.

use overdub_ad::transform::entries::{EntriesTransform, EntryPlaces, Writing, Written};
use overdub_context::Symbol;
use overdub_context::engine::Engine;
use overdub_context::ir::LoadError;
use overdub_context::value::Value;

use crate::SparsityPattern;

/// The matrix whose entries a function writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Matrix {
    /// Its Jacobian.
    Jacobian,
    /// The Hessian of the float that it returns.
    Hessian,
}

/// The index in a pattern of each partial derivative that a function writes under
/// [`EntriesTransform`](overdub_ad::transform::entries::EntriesTransform), in its order.
///
/// They hold for arguments of the same shape with the same integers, whatever the floats.
///
/// ```
/// use overdub_context::value::Value;
/// use overdub_sparsity::{Detector, EntrySlots, Matrix};
///
/// let source = "pub fn f(x: &[f64]) -> Vec<f64> { x.windows(2).map(|w| w[1] * w[0]).collect() }";
/// let loaded = overdub_lower::Loaded::from_source("f.rs", source)?;
/// let (engine, f) = (loaded.engine(), loaded.function("f")?.symbol);
/// let args = vec![Value::floats(vec![2.0, 3.0, 5.0])];
/// let pattern = Detector::new(&engine).jacobian(f, args.clone())?;
/// let slots = EntrySlots::new(&engine, (f, Matrix::Jacobian), &[true], &args, &pattern)?;
/// assert_eq!((slots.indices(), slots.are_sums()), (&[1, 0, 3, 2][..], false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct EntrySlots {
    indices: Vec<u32>,
    are_sums: bool,
}

/// A function does not write the entries of its derivative.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoSlots {
    /// The transformation refuses the function, or the run for the places fails.
    #[error("{0}")]
    Refused(String),
    /// An entry is not in the pattern.
    #[error("entry ({row}, {col}) is not in the pattern")]
    Outside {
        /// The row of the entry.
        row: usize,
        /// Its column.
        col: usize,
    },
    /// The pattern is too large.
    #[error("there are more entries than a `u32` counts")]
    TooMany,
}

impl EntrySlots {
    /// The slots of a function with respect to the arguments in `wrt`, found by a run.
    ///
    /// # Errors
    /// If the function does not write its entries, or others than those of the pattern.
    pub fn new(
        engine: &Engine,
        (func, of): (impl Into<Symbol>, Matrix),
        wrt: &[bool],
        args: &[Value<'static>],
        pattern: &SparsityPattern,
    ) -> Result<EntrySlots, NoSlots> {
        let func = func.into();
        // A run for the places alone costs only its time, and is refused at once if there are none.
        let finder = engine.prepare(&transform(Writing::Places, of, wrt), func);
        finder.func().map_err(|refusal| NoSlots::Refused(reason(&refusal, func)))?;
        let reported = finder.run(args.to_vec()).map_err(|failure| NoSlots::Refused(failure.to_string()))?;
        let places = EntryPlaces::read(&reported).map_err(|error| NoSlots::Refused(error.to_string()))?;
        let mut indices = Vec::with_capacity(places.len());
        let mut is_used = vec![false; pattern.len()];
        let mut are_sums = places.written() == Written::Added;
        for (row, col) in places.iter() {
            let inside = row < pattern.rows() && col < pattern.cols();
            let slot = inside.then(|| pattern.index_of(row, col)).flatten();
            let slot = slot.ok_or(NoSlots::Outside { row, col })?;
            are_sums |= std::mem::replace(&mut is_used[slot], true);
            indices.push(u32::try_from(slot).map_err(|_| NoSlots::TooMany)?);
        }
        Ok(EntrySlots { indices, are_sums })
    }

    /// The index of each partial derivative among the entries of the pattern.
    #[must_use]
    pub fn indices(&self) -> &[u32] {
        &self.indices
    }

    /// Whether an entry may be the sum of several of them.
    #[must_use]
    pub fn are_sums(&self) -> bool {
        self.are_sums
    }
}

/// The transformation into the entries of a matrix.
pub(crate) fn transform(writing: Writing, of: Matrix, wrt: &[bool]) -> EntriesTransform {
    let entries = EntriesTransform::new(writing).with_respect_to(wrt.to_vec());
    match of {
        Matrix::Jacobian => entries,
        Matrix::Hessian => entries.of_gradient(),
    }
}

/// Why the transformation refuses the function: with the source line, and without the name of the context,
/// which the user did not choose.
pub(crate) fn reason(refusal: &LoadError, func: Symbol) -> String {
    let prefix = format!("cannot rewrite `@{func}`: ");
    let reason = refusal.message.split_once(&prefix).map_or(refusal.message.as_str(), |(_, reason)| reason);
    if refusal.span.is_known() { format!("{reason} ({})", refusal.span) } else { reason.to_owned() }
}
