//! Functions that run the elements of a block in lanes.

use std::sync::Arc;

use overdub_context::engine::Engine;
use overdub_context::ir::Ty;
use overdub_context::limits::{Budget, ExtraBytes};
use overdub_context::value::{Array, Value};
use overdub_context::{Failure, FailureKind, Symbol};
use overdub_lanes::{Argument, Lanes, inlined};

use super::build::Collect;
use super::mapped_tys;

/// The most bytes of tapes: elements with longer ones run one after the other, each with its tape alone.
const MOST_TAPE: usize = 256 << 20;

/// A function that runs in lanes.
#[derive(Clone)]
pub(crate) struct InLanes {
    lanes: Arc<Lanes>,
    pub(super) mapped: Vec<bool>,
    /// The types of the arguments that are mapped over.
    pub(super) elems: Vec<Ty>,
}

impl InLanes {
    /// Prepares a function for this number of lanes.
    ///
    /// # Errors
    /// If it does something that lanes do not.
    pub(crate) fn new(
        engine: &Engine,
        func: Symbol,
        mapped: &[bool],
        width: usize,
    ) -> Result<InLanes, Failure> {
        let refused = |message: String| {
            let help = "without `lanes` one element runs after the other".to_owned();
            Failure::new(FailureKind::Load, message).with_help(Some(help))
        };
        if engine.limits().is_some() {
            return Err(refused(
                "lanes run in an engine without limits, which are those of each element".into(),
            ));
        }
        let module = engine.module();
        let found = module.func(func)?;
        let found = found.ok_or_else(|| refused(format!("there is no function `{func}`")))?;
        let whole = inlined(&module, &found);
        let whole = engine.replaced(&whole).unwrap_or(whole);
        let lanes = Lanes::new(&whole, mapped)
            .map_err(|error| refused(error.reason.to_string()).at(error.span))?
            .with_width(width);
        let elems = mapped_tys(&whole, mapped);
        Ok(InLanes { lanes: Arc::new(lanes), mapped: mapped.to_vec(), elems })
    }

    /// What is collected over elements with these arguments; none if one fails.
    pub(super) fn run(
        &self,
        args: Vec<Value<'_>>,
        len: usize,
        collect: &[Collect],
    ) -> Option<Vec<Value<'static>>> {
        let budget = Budget::current();
        // The steps of an element are not counted.
        if budget.as_ref().is_some_and(Budget::counts_steps) {
            return None;
        }
        let args = args.into_iter().zip(&self.mapped).map(|(value, mapped)| match (value, mapped) {
            (Value::Array(list), true) => Argument::Each(Arc::unwrap_or_clone(list)),
            (value, _) => Argument::Shared(value),
        });
        let mut tapes = ExtraBytes::nothing();
        let mut is_interrupted = |bytes: usize| {
            let is_short = bytes <= MOST_TAPE && tapes.set(bytes).is_ok();
            !is_short || budget.as_ref().is_some_and(|budget| budget.check().is_err())
        };
        let lists = self.lanes.run(&args.collect::<Vec<_>>(), len, &mut is_interrupted)?;
        if let [Collect::List] = collect {
            return Some(vec![Value::from(self.lanes.list(lists, len)?)]);
        }
        if lists.len() != collect.len() {
            return None;
        }
        let all = lists.into_iter().zip(collect).map(|(list, collect)| match collect {
            Collect::List => Some(Value::from(list)),
            Collect::Add => Some(Value::F64(sum(&list)?)),
            Collect::AddLike(_) => None,
        });
        all.collect()
    }
}

/// The sum in order, as the loop over a block adds.
fn sum(list: &Array<'_>) -> Option<f64> {
    Some(list.as_f64s()?.iter().fold(-0.0, |sum, x| sum + x))
}
