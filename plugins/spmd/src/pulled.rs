//! Vector-Jacobian products in lanes: the cotangent of the result is one more argument, of which each element has its own.
//!
//! - PULLED1 these are the products one by one, to the bit: both are of the same transformation, by plain products where these
//!   have the same bits (BLOCK5).

use std::ops::Range;

use overdub_ad::flatten::{count_floats, floats};
use overdub_ad::transform::reverse::{ReverseOutput, ReverseTransform, active, all_shaped};
use overdub_context::engine::Engine;
use overdub_context::ir::{FloatTy, LoadError, Ty, TyKind};
use overdub_context::value::{Array, Value};
use overdub_context::{Failure, Symbol};
use overdub_lanes::list_of_parts;

use crate::block::{Block, Blocks, Collect, InLanes};
use crate::call::into_list;
use crate::directed::Directed;
use crate::elements::Elements;
use crate::result_lists::{not_in_lanes, part_count};
use crate::shapes::{fits, zeros};

/// A function in lanes that returns its result, and the cotangents of its arguments for that of the result.
pub(crate) struct VjpInLanes {
    lanes: InLanes,
    mapped: Vec<bool>,
    /// The arguments that have cotangents.
    active: Vec<bool>,
    params: Vec<Ty>,
    ret: Ty,
    /// The type of the cotangent of the result.
    seed: Ty,
    /// The types of the cotangents of the active arguments.
    slopes: Vec<Ty>,
    /// The number of lists of a run.
    count: usize,
}

/// What some elements return, and the derivatives with respect to each argument that is wanted.
pub(crate) struct Pulled<'a> {
    pub(crate) values: Array<'a>,
    pub(crate) slopes: Vec<Option<Array<'a>>>,
}

/// The cotangents of the results of elements, and the arguments whose derivatives are wanted.
#[derive(Clone, Copy)]
pub(crate) struct Pulling<'p> {
    pub(crate) cotangent: &'p (dyn Fn(usize) -> Value<'static> + Sync),
    pub(crate) wanted: &'p [bool],
}

impl VjpInLanes {
    /// Prepares the products of a function that returns a `ret`, and nothing that its parameters are left with.
    ///
    /// # Errors
    /// If it does something that lanes do not.
    pub(crate) fn new(
        (engine, func): (&Engine, Symbol),
        (wrt, ret): (&[bool], Ty),
        mapped: &[bool],
        width: usize,
    ) -> Result<VjpInLanes, Failure> {
        let primal = engine.module().func(func)?.ok_or_else(|| LoadError::missing(func))?;
        let refused = |why: &str| not_in_lanes(why, primal.span);
        if primal.ret != ret {
            return Err(refused("parameters of the function are changed"));
        }
        let active = active(&primal, &|at| wrt.get(at).copied().unwrap_or(false));
        let cx = ReverseTransform::new(ReverseOutput::Vjp).with_respect_to(active.clone());
        let prepared = engine.prepare(&cx, func).func()?;
        let (Some(seed), Some([_, slopes])) = (prepared.param_tys().last(), pair(prepared.ret)) else {
            return Err(refused("the function has no derivatives"));
        };
        let slopes = slopes.parts(0).unwrap_or_default();
        let counts = std::iter::once(&ret).chain(&slopes).map(|ty| part_count(*ty));
        let count = counts.sum::<Option<usize>>();
        let count = count.ok_or_else(|| refused("a result or a derivative does not fit into lanes"))?;
        if seed == Ty::unit() || slopes.len() != active.iter().filter(|is_active| **is_active).count() {
            return Err(refused("the function returns no float"));
        }
        let with_seed: Vec<bool> = mapped.iter().copied().chain([true]).collect();
        let lanes = InLanes::of_derivative((engine, func), &cx, &with_seed, width)?;
        let params = primal.param_tys().collect();
        let mapped = mapped.to_vec();
        Ok(VjpInLanes { lanes, mapped, active, params, ret, seed, slopes, count })
    }

    /// Runs blocks of elements, if that is possible.
    pub(crate) fn blocks<'v, 'a, L: Elements<'a>>(
        &'v self,
        elements: &'v L,
        smallest: usize,
        pulling: Pulling<'v>,
    ) -> impl Fn(Range<usize>) -> Option<Pulled<'a>> + Sync + use<'v, 'a, L> {
        let collect = vec![Collect::List; self.count];
        let loops = Blocks::new(smallest, move || Some(Block::in_lanes(&self.lanes, collect.clone())));
        move |range| {
            let directions = |at: usize| Some(vec![seed(self.seed, &(pulling.cotangent)(at))?]);
            let directed = Directed { elements, tys: &[self.seed], directions: &directions };
            let found = loops.run(&directed, range.clone())?;
            let lists = found.into_iter().map(into_list).collect::<Option<Vec<_>>>()?;
            self.pulled((elements, range), &lists, pulling)
        }
    }

    /// The results and derivatives from the lists that lanes gave.
    fn pulled<'a, L: Elements<'a>>(
        &self,
        (elements, range): (&L, Range<usize>),
        mut lists: &[Array<'a>],
        pulling: Pulling<'_>,
    ) -> Option<Pulled<'a>> {
        let mut next = |ty: Ty| list_of_parts(ty, lists.split_off(..part_count(ty)?)?, range.len());
        let values = next(self.ret)?;
        // The length of an array is not in its type.
        if self.ret.contains(|part| matches!(part.kind(), TyKind::Array(_))) {
            let mut all = range.clone().zip(values.iter());
            if !all.all(|(at, value)| fits(&value, &(pulling.cotangent)(at))) {
                return None;
            }
        }
        let mut slopes = Vec::with_capacity(self.params.len());
        let mut tys = self.slopes.iter();
        for (number, (param, is_active)) in self.params.iter().zip(&self.active).enumerate() {
            let of = (elements, range.clone(), number);
            slopes.push(match (is_active, pulling.wanted.get(number)) {
                (true, _) => {
                    let ty = *tys.next()?;
                    let list = next(ty)?;
                    Some(if ty == *param { list } else { shaped(of, *param, &list)? })
                }
                (false, Some(true)) => Some(self.constants(of)?),
                (false, _) => None,
            });
        }
        Some(Pulled { values, slopes })
    }

    /// The derivatives with respect to an argument that is not differentiated.
    fn constants<'a, L: Elements<'a>>(
        &self,
        (elements, range, number): (&L, Range<usize>, usize),
    ) -> Option<Array<'a>> {
        let zero = |at: usize| zeros(elements.values(at).ok()?.get(number)?).ok();
        let first = zero(range.start)?;
        let all = match self.mapped.get(number)? {
            true => range.map(zero).collect::<Option<Vec<_>>>()?,
            false => vec![first.clone(); range.len()],
        };
        Array::from_values(first.ty(), all)
    }
}

/// Derivatives in the shape of the argument of this number, which is of type `ty`.
fn shaped<'a, L: Elements<'a>>(
    (elements, range, number): (&L, Range<usize>, usize),
    ty: Ty,
    slopes: &Array<'a>,
) -> Option<Array<'a>> {
    let shaped = range.zip(slopes.iter()).map(|(at, slope)| {
        let arg = elements.values(at).ok()?.into_iter().nth(number)?;
        all_shaped(&[arg], &[true], Value::tuple([slope.into_owned()])).ok()?.pop()
    });
    Array::from_values(ty, shaped.collect::<Option<Vec<_>>>()?)
}

impl Pulled<'_> {
    /// The result of the element of this number of those that ran, and the derivatives with respect to its arguments; unit for
    /// those that are not wanted.
    pub(crate) fn of(&self, number: usize) -> Option<(Value<'static>, Vec<Value<'static>>)> {
        let slope = |list: &Option<Array<'_>>| match list {
            Some(list) => list.get(number).map(Value::into_owned),
            None => Some(Value::Unit),
        };
        let slopes = self.slopes.iter().map(slope).collect::<Option<_>>()?;
        Some((self.values.get(number)?.into_owned(), slopes))
    }
}

/// The cotangent of this type with the floats of one in the shape of the result; none if it does not have that shape.
fn seed(ty: Ty, cotangent: &Value<'static>) -> Option<Value<'static>> {
    match (ty.kind(), cotangent) {
        (TyKind::Float(float), Value::F64(_) | Value::F32(_)) => {
            let dy = *floats(cotangent).first()?;
            Some(if *float == FloatTy::F64 { Value::F64(dy) } else { Value::F32(dy as f32) })
        }
        (TyKind::Unit, none) => (count_floats(none) == 0).then_some(Value::Unit),
        (TyKind::Tuple(tys), Value::Composite(parts)) if tys.len() == parts.parts.len() => {
            let parts = tys.iter().zip(&parts.parts).map(|(ty, part)| seed(*ty, part));
            Some(Value::tuple(parts.collect::<Option<Vec<_>>>()?))
        }
        (TyKind::Array(_), Value::Array(list)) if cotangent.ty() == ty && list.as_f64s().is_some() => {
            Some(cotangent.clone())
        }
        _ => None,
    }
}

/// The two parts of a pair.
fn pair(ty: Ty) -> Option<[Ty; 2]> {
    ty.parts(0)?.try_into().ok()
}
