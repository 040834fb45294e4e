//! Sums over elements and their gradients, by a tree that does not depend on the number of threads.
//!
//! - LEAF1 the elements of a leaf are added in order, the leaves by the tree of [`REDUCE1`](crate::reduce). How many elements
//!   a leaf has depends on the number of elements alone. Sums of `f32` are computed in `f64`.

use std::ops::Range;

use overdub_ad::flatten::{floats, with_floats};
use overdub_context::Failure;
use overdub_context::limits::Budget;
use overdub_context::value::{Array, Value};

use crate::call::into_list;
use crate::device::Collected;
use crate::each::LANE_BLOCK;
use crate::elements::Elements;
use crate::error::{ElementError, MapError};
use crate::gradient::{Constants, Gradients, Scratch, Slope};
use crate::inputs::Derivative;
use crate::pulled::Pulled;
use crate::reduce::{Tree, leaf};
use crate::schedule::{Schedule, check};
use crate::settings::Settings;
use crate::shapes::zeros;

/// The sum of what `value` gives for each element, or `block` for a whole leaf.
pub(crate) fn sum<W, E: ElementError>(
    settings: &Settings,
    len: usize,
    begin: impl Fn() -> W + Sync,
    block: impl Fn(Range<usize>) -> Option<f64> + Sync,
    value: impl Fn(&mut W, usize) -> Result<f64, E> + Sync,
) -> Result<f64, MapError<E>> {
    let schedule = Schedule { settings, len, block: leaf(len) };
    let tree = Tree::new(len.div_ceil(schedule.block));
    let budget = Budget::current();
    schedule.run(
        begin,
        |state, leaf: &mut Option<f64>, at| {
            let range = schedule.range(at);
            if at == range.start
                && let Some(sum) = block(range.clone())
            {
                *leaf = Some(sum);
                return Ok(range.len());
            }
            check::<E>(budget.as_ref())?;
            let y = value(state, at)?;
            *leaf = Some(leaf.map_or(y, |sum| sum + y));
            Ok(1)
        },
        |number, leaf| tree.put(number, leaf.unwrap_or(0.0), |left, right| left + right),
    )?;
    Ok(tree.root().unwrap_or(0.0))
}

/// A value and its derivatives, summed over some elements.
#[derive(Default)]
struct Sums {
    value: f64,
    /// The floats of the arguments that are shared, argument by argument.
    added: Vec<f64>,
    /// For each argument that is mapped over, the derivatives by element.
    listed: Vec<Vec<Value<'static>>>,
}

impl Sums {
    fn join(mut self, mut right: Sums) -> Sums {
        self.value += right.value;
        self.added.iter_mut().zip(&right.added).for_each(|(sum, dx)| *sum += dx);
        self.listed.iter_mut().zip(&mut right.listed).for_each(|(all, more)| all.append(more));
        self
    }

    /// What a loop over a block collected: the sum of the values, and for each derivative a sum or a list.
    fn of_block(found: Vec<Value<'_>>, collected: &[Collected]) -> Sums {
        let mut found = found.into_iter();
        let value = found.next().and_then(|value| value.as_f64()).unwrap_or(0.0);
        let mut sums = Sums { value, ..Sums::default() };
        for (how, found) in collected.iter().filter(|how| **how != Collected::Not).zip(found) {
            match how {
                Collected::Added => sums.added.extend(floats(&found)),
                _ => {
                    let list = into_list(found).map_or_else(Vec::new, Array::into_values);
                    sums.listed.push(list.into_iter().map(Value::into_owned).collect());
                }
            }
        }
        sums
    }

    /// The sums of one element.
    fn of_slopes(value: f64, slopes: &[Slope], collected: &[Collected]) -> Sums {
        let mut sums = Sums { value, ..Sums::default() };
        for (slope, how) in slopes.iter().zip(collected) {
            match (how, slope) {
                (Collected::Added, Slope::Number(dx)) => sums.added.push(*dx),
                (Collected::Added, Slope::Numbers(dx)) => sums.added.extend(dx),
                (Collected::Listed, Slope::Number(dx)) => sums.listed.push(vec![Value::F64(*dx)]),
                (Collected::Listed, Slope::Numbers(dx)) => sums.listed.push(vec![Value::floats(dx.clone())]),
                (_, Slope::Constant(_)) | (Collected::Not, _) => {}
            }
        }
        sums
    }

    /// Adds one element (LEAF1), without allocating for what is added.
    fn add_slopes(&mut self, value: f64, slopes: &[Slope], collected: &[Collected]) {
        self.value += value;
        let (mut added, mut listed) = (self.added.iter_mut(), self.listed.iter_mut());
        for (slope, how) in slopes.iter().zip(collected) {
            match (how, slope) {
                (Collected::Added, Slope::Number(dx)) => added.next().into_iter().for_each(|sum| *sum += dx),
                (Collected::Added, Slope::Numbers(dx)) => {
                    // In this order, since the iterator that ends first is asked first.
                    dx.iter().zip(added.by_ref()).for_each(|(dx, sum)| *sum += dx);
                }
                (Collected::Listed, Slope::Number(dx)) => {
                    listed.next().into_iter().for_each(|all| all.push(Value::F64(*dx)));
                }
                (Collected::Listed, Slope::Numbers(dx)) => {
                    listed.next().into_iter().for_each(|all| all.push(Value::floats(dx.clone())));
                }
                (_, Slope::Constant(_)) | (Collected::Not, _) => {}
            }
        }
    }

    /// The sums of the elements of a block in this range, added in order.
    fn of_pulled(pulled: &Pulled<'_>, range: Range<usize>, collected: &[Collected]) -> Sums {
        let mut sums = Sums::default();
        for (list, how) in pulled.slopes.iter().zip(collected) {
            let Some(list) = list else { continue };
            let mut values = range.clone().filter_map(|at| list.get(at));
            match (how, list.as_f64s().and_then(|floats| floats.get(range.clone()))) {
                (Collected::Added, Some(floats)) => {
                    sums.added.extend(floats.iter().copied().reduce(|sum, dx| sum + dx));
                }
                (Collected::Added, None) => {
                    let mut own = values.next().map_or_else(Vec::new, |dx| floats(&dx));
                    values.for_each(|dx| own.iter_mut().zip(floats(&dx)).for_each(|(sum, dx)| *sum += dx));
                    sums.added.append(&mut own);
                }
                (Collected::Listed, _) => sums.listed.push(values.map(Value::into_owned).collect()),
                (Collected::Not, _) => {}
            }
        }
        sums
    }

    fn of_values(value: f64, found: Vec<Value<'static>>, collected: &[Collected]) -> Sums {
        let mut sums = Sums { value, ..Sums::default() };
        for (dx, how) in found.into_iter().zip(collected) {
            match how {
                Collected::Added => sums.added.extend(floats(&dx)),
                Collected::Listed => sums.listed.push(vec![dx]),
                Collected::Not => {}
            }
        }
        sums
    }
}

/// The sum over all elements, and its derivative with respect to each argument; those that are captured come first, and
/// are not collected. `shared` gives the values of an element's arguments, for the shapes of sums over no elements.
pub(crate) fn sum_and_gradient<'a, L: Elements<'a>>(
    settings: &Settings,
    (elements, len): (&L, usize),
    gradients: &Gradients,
    collected: &[Collected],
    shared: &[Option<Value<'static>>],
) -> Result<(f64, Vec<Derivative>), MapError<L::Error>> {
    let schedule = Schedule { settings, len, block: leaf(len) };
    let tree = Tree::new(len.div_ceil(schedule.block));
    let budget = Budget::current();
    let asked = collected;
    let collected = &gradients.collects(asked)[..];
    let block = gradients.sums_of_block((elements, len), settings.smallest_block, collected);
    schedule.run(
        Scratch::new,
        |scratch, sums: &mut Option<Sums>, at| {
            let range = schedule.range(at);
            if at == range.start
                && let Some(found) = block(range.clone())
            {
                *sums = Some(Sums::of_block(found, collected));
                return Ok(range.len());
            }
            check::<L::Error>(budget.as_ref())?;
            if let Some(y) = gradients.prepared(scratch, Constants::Dropped, elements, at) {
                let y = y?;
                match sums {
                    Some(sums) => sums.add_slopes(y, &scratch.slopes, collected),
                    None => *sums = Some(Sums::of_slopes(y, &scratch.slopes, collected)),
                }
                return Ok(1);
            }
            let (y, found) = gradients.of(scratch, Constants::Dropped, elements, at)?;
            let y = floats(&y).first().copied().unwrap_or(0.0);
            let one = Sums::of_values(y, found, collected);
            *sums = Some(match sums.take() {
                Some(sums) => sums.join(one),
                None => one,
            });
            Ok(1)
        },
        |number, sums| tree.put(number, sums.unwrap_or_default(), Sums::join),
    )?;
    let sums = tree.root().unwrap_or_default();
    let value = sums.value;
    let parts = parts(sums, len, collected, shared);
    let mut parts = parts.map_err(|failure| MapError::Function(failure.into()))?;
    for (arg, part) in parts.iter_mut().enumerate().filter(|(arg, _)| collected[*arg] != asked[*arg]) {
        let own = (0..len).map(|at| {
            let own = elements.values(at)?.swap_remove(arg);
            zeros(&own.into_owned()).map_err(L::Error::from)
        });
        *part = Derivative::OfEach(own.collect::<Result<_, L::Error>>().map_err(MapError::Function)?);
    }
    Ok((value, parts))
}

/// What is summed or listed of the derivatives of each element with respect to all arguments, as in [`sum_and_gradient`]: `each`
/// gives those of an element, or `block` those of a whole block.
pub(crate) fn pullback<'a, E: ElementError>(
    (settings, len): (&Settings, usize),
    block: impl Fn(Range<usize>) -> Option<Pulled<'a>> + Sync,
    each: impl Fn(usize) -> Result<Vec<Value<'static>>, E> + Sync,
    (collected, shared): (&[Collected], &[Option<Value<'static>>]),
) -> Result<Vec<Derivative>, MapError<E>> {
    let leaf = leaf(len);
    let leaves = (LANE_BLOCK / leaf).max(1);
    let schedule = Schedule { settings, len, block: leaf * leaves };
    let tree = Tree::new(len.div_ceil(leaf));
    let budget = Budget::current();
    schedule.run(
        || (),
        |(), all: &mut Vec<Sums>, at| {
            let range = schedule.range(at);
            if at == range.start
                && let Some(found) = block(range.clone())
            {
                let leaves = (0..range.len()).step_by(leaf);
                let of_leaf = |from: usize| from..range.len().min(from + leaf);
                *all = leaves.map(|from| Sums::of_pulled(&found, of_leaf(from), collected)).collect();
                return Ok(range.len());
            }
            check::<E>(budget.as_ref())?;
            let one = Sums::of_values(0.0, each(at)?, collected);
            let sums = match all.pop_if(|_| !at.is_multiple_of(leaf)) {
                Some(sums) => sums.join(one),
                None => one,
            };
            all.push(sums);
            Ok(1)
        },
        |number, all| {
            let numbered = (number * leaves..).zip(all);
            numbered.for_each(|(number, sums)| tree.put(number, sums, Sums::join));
        },
    )?;
    let parts = parts(tree.root().unwrap_or_default(), len, collected, shared);
    parts.map_err(|failure| MapError::Function(failure.into()))
}

/// The derivatives in the shapes of the arguments.
fn parts(
    sums: Sums,
    len: usize,
    collected: &[Collected],
    shared: &[Option<Value<'static>>],
) -> Result<Vec<Derivative>, Failure> {
    let (mut added, mut listed) = (sums.added.into_iter(), sums.listed.into_iter());
    let parts = collected.iter().zip(shared).map(|(how, shared)| {
        Ok(match (how, shared) {
            (Collected::Added, Some(value)) if len > 0 => {
                Derivative::OfShared(with_floats(value, &mut added)?)
            }
            (_, Some(value)) => Derivative::OfShared(zeros(value)?),
            (Collected::Listed, None) => Derivative::OfEach(listed.next().unwrap_or_default()),
            (_, None) => Derivative::OfEach(Vec::new()),
        })
    });
    parts.collect()
}
