//! The value of a function for one element.

use std::ops::Range;
use std::sync::Arc;

use overdub_context::engine::{Engine, OutSlot};
use overdub_context::ir::{FloatTy, IntTy, Ty, TyKind};
use overdub_context::value::{Array, Value};
use overdub_context::{FailureKind, Symbol};

use crate::block::{Block, Blocks, Collect, InLanes, Returns};
use crate::device::Leaves;
use crate::elements::Elements;
use crate::error::MapError;
use crate::on_device::{OnDevice, asked, no_directions, on_device};
use crate::prepared::Ready;
use crate::reduce::leaf;
use crate::settings::Settings;

/// Calls of a function by its name.
pub(crate) struct Calls<'e> {
    pub(crate) engine: &'e Engine,
    pub(crate) func: Symbol,
    /// The result, if a prepared call can return it.
    pub(crate) result: Option<Scalar>,
    /// What a device found.
    pub(crate) found: OnDevice<Value<'static>>,
    /// The sums that a device found, for each leaf.
    sums: Option<Leaves<f64>>,
    lanes: Option<InLanes>,
}

/// A result for which prepared calls have a slot.
#[derive(Clone, Copy)]
pub(crate) enum Scalar {
    F64,
    Bool,
    Int(IntTy),
}

impl Scalar {
    /// The kind of results of this type.
    pub(crate) fn of(ty: Ty) -> Option<Scalar> {
        match ty.kind() {
            TyKind::Float(FloatTy::F64) => Some(Scalar::F64),
            TyKind::Bool => Some(Scalar::Bool),
            TyKind::Int(IntTy::I128 | IntTy::U128) => None,
            TyKind::Int(int) => Some(Scalar::Int(*int)),
            _ => None,
        }
    }
}

/// The list that a loop over a block collected.
pub(crate) fn into_list(value: Value<'_>) -> Option<Array<'_>> {
    match value {
        Value::Array(list) => Some(Arc::unwrap_or_clone(list)),
        _ => None,
    }
}

impl<'e> Calls<'e> {
    /// The calls for elements, those that a device runs already made.
    pub(crate) fn new<'a, L: Elements<'a>>(
        settings: &Settings,
        (engine, func, params, result): (&'e Engine, Symbol, Vec<Ty>, Ty),
        elements: (&L, usize),
    ) -> Result<Calls<'e>, MapError<L::Error>> {
        let of = (engine, func, params);
        let found = on_device(settings, of, elements, |device, calls| device.values(calls).map(Some))?;
        let lanes = settings.lanes.filter(|_| !found.is_used());
        // What lanes do not run, runs as without them (BLOCK6).
        let lanes = lanes.and_then(|width| InLanes::new(engine, func, &elements.0.mapped(), width).ok());
        Ok(Calls { engine, func, result: Scalar::of(result), found, sums: None, lanes })
    }

    /// As [`Calls::new`], for the sum of the elements: a device adds those of each leaf.
    pub(crate) fn summed<'a, L: Elements<'a>>(
        settings: &Settings,
        (engine, func, params, result): (&'e Engine, Symbol, Vec<Ty>, Ty),
        elements: (&L, usize),
    ) -> Result<Calls<'e>, MapError<L::Error>> {
        let of = (engine, func, params.clone());
        let sums = asked(settings, of, (elements.0, elements.1, &no_directions), |device, calls| {
            device.sums(calls, leaf(elements.1))
        });
        let Some(sums) = sums.map_err(MapError::Device)?.flatten() else {
            return Calls::new(settings, (engine, func, params, result), elements);
        };
        if sums.iter().any(Option::is_none) {
            elements.0.fetch().map_err(MapError::Device)?;
        }
        let (found, result) = (OnDevice::none(), Scalar::of(result));
        Ok(Calls { engine, func, result, found, sums: Some(sums), lanes: None })
    }

    /// The loops over blocks of these elements that collect what the function returns.
    fn loops<'a>(&self, elements: &'e impl Elements<'a>, smallest: usize, collect: Collect) -> Blocks<'e> {
        let (engine, func) = (self.engine, self.func);
        let is_on_device = self.found.is_used() || self.sums.is_some();
        let smallest = if is_on_device { usize::MAX } else { smallest };
        let lanes = self.lanes.clone();
        Blocks::new(smallest, move || {
            if let Some(lanes) = &lanes {
                return Some(Block::in_lanes(lanes, vec![collect]));
            }
            Block::new(engine, func, &elements.mapped(), (Returns::Number, vec![collect]))
        })
    }

    /// Runs blocks of elements, if that is possible, to a list with the value of each.
    pub(crate) fn blocks<'c, 'a, L: Elements<'a>>(
        &'c self,
        elements: &'e L,
        smallest: usize,
    ) -> impl Fn(Range<usize>) -> Option<Array<'a>> + Sync + use<'c, 'a, 'e, L> {
        let loops = self.loops(elements, smallest, Collect::List);
        move |range| match self.found.floats(range.clone()) {
            Some(mut lists) => lists.pop(),
            None => into_list(loops.run(elements, range)?.pop()?),
        }
    }

    /// Runs blocks of elements, if that is possible, to the sum of each.
    pub(crate) fn block_sums<'c, 'a, L: Elements<'a>>(
        &'c self,
        (elements, len): (&'e L, usize),
        smallest: usize,
    ) -> impl Fn(Range<usize>) -> Option<f64> + Sync + use<'c, 'a, 'e, L> {
        let loops = self.loops(elements, smallest, Collect::Add);
        move |range| match &self.sums {
            Some(sums) => *sums.get(range.start / leaf(len))?,
            None => loops.run(elements, range)?.first()?.as_f64(),
        }
    }

    /// The value for an element; `ready` is that of the thread.
    pub(crate) fn value<'a, L: Elements<'a>>(
        &self,
        ready: &mut Ready,
        elements: &L,
        at: usize,
    ) -> Result<Value<'a>, L::Error> {
        if let Some(found) = self.found.of(at) {
            return Ok(found);
        }
        if let Some(result) = self.result
            && let Some(found) = self.prepared(ready, result, elements, at)
        {
            return found;
        }
        Ok(self.engine.run(self.func, elements.values(at)?)?)
    }

    fn prepared<'a, L: Elements<'a>>(
        &self,
        ready: &mut Ready,
        result: Scalar,
        elements: &L,
        at: usize,
    ) -> Option<Result<Value<'a>, L::Error>> {
        let call = ready.call(|| self.engine.prepared_call(self.func))?;
        let (mut x, mut int, mut is) = (0.0, 0, false);
        let mut slot = [match result {
            Scalar::F64 => OutSlot::F64(&mut x),
            Scalar::Int(_) => OutSlot::Int(&mut int),
            Scalar::Bool => OutSlot::Bool(&mut is),
        }];
        let mut outcome = None;
        elements.lend(at, &mut |args| outcome = Some(call.call(args, &mut slot)));
        match outcome {
            Some(Ok(())) => Some(Ok(match result {
                Scalar::F64 => Value::F64(x),
                Scalar::Bool => Value::Bool(is),
                Scalar::Int(ty) if ty.is_signed() => Value::int(ty, i128::from(int)),
                Scalar::Int(ty) => Value::int(ty, i128::from(int.cast_unsigned())),
            })),
            // Nothing ran: the arguments are not of a form that it takes.
            None => {
                ready.give_up();
                None
            }
            Some(Err(failure)) if failure.kind() == FailureKind::Type => {
                ready.give_up();
                None
            }
            Some(Err(failure)) => Some(Err(failure.into())),
        }
    }
}
