//! A transformed function that is called with seeds; it works in the caller's memory if its types allow it
//! (MANY2).

use std::sync::OnceLock;

use overdub_context::Failure;
use overdub_context::engine::{Layers, OutSlot};
use overdub_context::ir::{Ty, TyKind};
use overdub_context::value::{Arg, Value};
use smallvec::SmallVec;

use crate::cotangent::seed;
use crate::flatten::count_floats;
use crate::transform::plain_first::PlainFirst;

/// The number of result slots of a call that are stored inline; more of them allocate memory at each call.
const OUTS: usize = 48;

/// As many arguments are lent without allocation.
const ARGS: usize = 8;

/// The greatest number of directions of one sweep: more of them need more registers than there are.
const WIDE: usize = 8;

/// The greatest number of words of a result that is returned in parts; a larger one is returned as one value,
/// and read from it. An array has three words.
const WORDS: usize = 24;

/// The number of directions of each sweep, for this many directions in total and tangents of the result of
/// these types. All sweeps have the same number.
pub(super) fn width(directions: usize, results: &[Ty]) -> usize {
    let mut parts = Vec::new();
    let known = results.iter().all(|ty| add_parts(*ty, true, &mut parts));
    let words: usize = parts.iter().map(|part| if *part == ResultPart::Float { 1 } else { 3 }).sum();
    let most = if known && words <= WORDS { (WORDS / words.max(1)).min(WIDE) } else { WIDE };
    let directions = directions.max(1);
    directions.div_ceil(directions.div_ceil(most))
}

/// A transformed function, ready to run.
#[derive(Debug)]
pub(super) struct Transformed<L: Layers> {
    pub(super) ready: PlainFirst<L>,
    /// The type of the cotangent of the result that is passed after the arguments, if one is.
    pub(super) more: Option<Ty>,
    /// The types of the tangents of the active arguments.
    tangents: Vec<Ty>,
    /// The parts that are returned for each direction; `None` if they are more than floats and arrays of
    /// floats.
    results: Option<Vec<ResultPart>>,
    /// The number of floats of each part of the result.
    lens: OnceLock<Vec<usize>>,
}

/// A part of a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ResultPart {
    Ignored,
    Float,
    Floats,
}

/// The seeds of a call: for each active argument, a tangent for each direction of the call.
pub(super) struct Seeds<'s> {
    pub(super) wrt: &'s [bool],
    pub(super) floats: &'s [f64],
    /// The number of floats of a direction.
    pub(super) inputs: usize,
    pub(super) width: usize,
}

impl<L: Layers> Transformed<L> {
    /// A function that was transformed into one that takes tangents of these types and returns, for each direction,
    /// parts of the types `ignored` and `required`.
    pub(super) fn new(
        ready: PlainFirst<L>,
        tangents: Vec<Ty>,
        ignored: &[Ty],
        required: &[Ty],
    ) -> Transformed<L> {
        let mut parts = Vec::new();
        let known = ignored.iter().all(|ty| add_parts(*ty, false, &mut parts))
            && required.iter().all(|ty| add_parts(*ty, true, &mut parts));
        let (results, lens) = (known.then_some(parts), OnceLock::new());
        Transformed { ready, more: None, tangents, results, lens }
    }

    /// The function, with a cotangent of this type passed after the arguments.
    pub(super) fn with_more(self, more: Option<Ty>) -> Transformed<L> {
        Transformed { more, ..self }
    }

    /// The values of all arguments and seeds.
    pub(super) fn with_seeds(
        &self,
        args: &[Value<'static>],
        seeds: &Seeds<'_>,
    ) -> Result<Vec<Value<'static>>, Failure> {
        let mut all = args.to_vec();
        all.extend(self.seeds(args, seeds)?);
        Ok(all)
    }

    /// The values of the seeds.
    pub(super) fn seeds(
        &self,
        args: &[Value<'static>],
        seeds: &Seeds<'_>,
    ) -> Result<Vec<Value<'static>>, Failure> {
        let mut all = Vec::new();
        let mut from = 0;
        let active = args.iter().zip(seeds.wrt).filter(|(_, wrt)| **wrt);
        for ((arg, _), dty) in active.zip(&self.tangents) {
            for k in 0..seeds.width {
                let direction = &seeds.floats[k * seeds.inputs + from..];
                all.push(seed(arg, *dty, &mut direction.iter().copied())?);
            }
            from += count_floats(arg);
        }
        Ok(all)
    }

    /// Calls the function in place, if the lengths of the parts of its result are known from an earlier call,
    /// or only one of them is an array.
    pub(super) fn call_with_known_lens(
        &self,
        args: &[Value<'static>],
        seeds: &Seeds<'_>,
        outs: &mut [f64],
    ) -> Option<Result<(), Failure>> {
        let parts = self.results.as_ref()?;
        let required = || parts.iter().filter(|part| **part != ResultPart::Ignored);
        if required().filter(|part| **part == ResultPart::Floats).count() > 1 {
            let lens = self.lens.get()?;
            return self.call(args, &|| None, seeds, &mut lens.iter().copied(), outs);
        }
        let all = outs.len() / seeds.width.max(1);
        let rest = all.checked_sub(required().filter(|part| **part == ResultPart::Float).count())?;
        let mut lens = required().map(|part| if *part == ResultPart::Float { 1 } else { rest });
        self.call(args, &|| None, seeds, &mut lens, outs)
    }

    /// Remembers the lengths of the parts of a result.
    pub(super) fn record_lens(&self, found: &[Value<'static>]) {
        fn lens(value: &Value<'static>, all: &mut Vec<usize>) {
            match value {
                Value::Composite(parts) => parts.parts.iter().for_each(|part| lens(part, all)),
                Value::F64(_) => all.push(1),
                Value::Array(array) => all.push(array.len()),
                _ => {}
            }
        }
        if let Some(first) = found.first() {
            let mut all = Vec::new();
            lens(first, &mut all);
            // If another thread was first, its result had the same lengths, or this call fails.
            _ = self.lens.set(all);
        }
    }

    /// Calls the function in place, with this cotangent if it takes one; the parts of its result have the
    /// shapes of the active arguments.
    pub(super) fn call_shaped(
        &self,
        args: &[Value<'static>],
        more: &[f64],
        seeds: &Seeds<'_>,
        outs: &mut [f64],
    ) -> Option<Result<(), Failure>> {
        let weights = || match self.more {
            Some(dty) if is_floats(dty) => Some(Arg::slice(more)),
            Some(_) => more.first().map(|more| Arg::scalar(*more)),
            None => None,
        };
        if self.more.is_some_and(|dty| !is_floats(dty) && (dty != Ty::f64() || more.is_empty())) {
            return None;
        }
        let mut lens = args.iter().zip(seeds.wrt).filter(|(_, wrt)| **wrt).map(|(arg, _)| count_floats(arg));
        self.call(args, &weights, seeds, &mut lens, outs)
    }

    /// `lens` are the lengths of the parts that are wanted.
    fn call<'m>(
        &self,
        args: &'m [Value<'static>],
        more: &dyn Fn() -> Option<Arg<'m>>,
        seeds: &'m Seeds<'_>,
        lens: &mut dyn Iterator<Item = usize>,
        outs: &mut [f64],
    ) -> Option<Result<(), Failure>> {
        let parts = self.results.as_ref()?;
        let lent: Option<SmallVec<[Arg<'_>; ARGS]>> = args.iter().map(Arg::lent).collect();
        let mut lent = lent?;
        lent.extend(more().into_iter().chain(seeds.lent(args)));
        let lens: SmallVec<[usize; OUTS]> = lens.collect();
        let width = seeds.width.max(1);
        let each = outs.len() / width;
        let mut slots: SmallVec<[OutSlot<'_>; OUTS]> = SmallVec::new();
        for mut place in outs.chunks_exact_mut(each.max(1)).take(width) {
            let mut lens = lens.iter();
            for part in parts {
                if *part == ResultPart::Ignored {
                    slots.push(OutSlot::Unwanted);
                    continue;
                }
                let (out_floats, rest) = std::mem::take(&mut place).split_at_mut_checked(*lens.next()?)?;
                place = rest;
                slots.push(match part {
                    ResultPart::Float => OutSlot::F64(out_floats.first_mut()?),
                    _ => OutSlot::F64s(out_floats),
                });
            }
            if !place.is_empty() {
                return None;
            }
        }
        self.ready.call(&lent, &mut slots, 0)
    }
}

impl<'s> Seeds<'s> {
    fn lent<'a>(&'a self, args: &'a [Value<'static>]) -> impl Iterator<Item = Arg<'a>> {
        let mut from = 0;
        args.iter().zip(self.wrt).filter(|(_, wrt)| **wrt).flat_map(move |(arg, _)| {
            let (start, len) = (from, count_floats(arg));
            from += len;
            (0..self.width).map(move |k| {
                let floats = &self.floats[k * self.inputs + start..][..len];
                match arg {
                    Value::Array(_) => Arg::slice(floats),
                    _ => Arg::scalar(floats[0]),
                }
            })
        })
    }
}

/// Adds the parts of a value of this type. Returns whether a call in place can return each of them.
fn add_parts(ty: Ty, is_required: bool, parts: &mut Vec<ResultPart>) -> bool {
    let part = match ty.kind() {
        TyKind::Unit => return true,
        TyKind::Tuple(tys) => return tys.iter().all(|ty| add_parts(*ty, is_required, parts)),
        _ if ty == Ty::f64() => ResultPart::Float,
        _ if is_floats(ty) => ResultPart::Floats,
        TyKind::Bool | TyKind::Int(_) if !is_required => ResultPart::Ignored,
        _ => return false,
    };
    parts.push(if is_required { part } else { ResultPart::Ignored });
    true
}

fn is_floats(ty: Ty) -> bool {
    ty.as_array().is_some_and(|array| array.rank == 1 && array.elem == Ty::f64())
}
