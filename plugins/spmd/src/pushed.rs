//! Jacobian-vector products in lanes: the function over dual numbers, with the tangents as arguments, of which each element has its
//! own.
//!
//! - PUSHED1 these are the products one by one, to the bit: both are of the same function over dual numbers.

use std::ops::Range;

use overdub_ad::dual::Duals;
use overdub_ad::flatten::{count_floats, floats, with_floats};
use overdub_context::engine::Engine;
use overdub_context::ir::{FloatTy, LoadError, Ty, TyKind};
use overdub_context::value::{Array, Value};
use overdub_context::{Failure, Symbol};
use overdub_lanes::list_of_parts;

use crate::along::{Along, floats_of};
use crate::block::{Block, Blocks, Collect, InLanes};
use crate::call::into_list;
use crate::directed::Directed;
use crate::elements::Elements;
use crate::result_lists::{not_in_lanes, part_count};

/// A function in lanes that returns its result, and its tangent along tangents of the arguments.
pub(crate) struct JvpInLanes {
    lanes: InLanes,
    along: Along,
    /// The types of the tangents of the arguments.
    tangents: Vec<Ty>,
    /// The number of floats of the result.
    floats: usize,
    /// The number of lists of a run.
    count: usize,
}

/// What some elements return, and its tangents in the same shape.
pub(crate) struct Pushed<'a> {
    pub(crate) values: Array<'a>,
    pub(crate) tangents: Array<'a>,
}

impl JvpInLanes {
    /// Prepares the products of a function.
    ///
    /// # Errors
    /// If it does something that lanes do not.
    pub(crate) fn new(
        (engine, func): (&Engine, Symbol),
        wrt: &[bool],
        mapped: &[bool],
        width: usize,
    ) -> Result<JvpInLanes, Failure> {
        let primal = engine.module().func(func)?.ok_or_else(|| LoadError::missing(func))?;
        let refused = |ty: Ty| {
            let why = format!("tangents of `{}` do not fit into lanes", ty.in_rust());
            not_in_lanes(&why, primal.span)
        };
        let params: Vec<Ty> = primal.param_tys().collect();
        if let Some(ty) = params.iter().find(|ty| floats_of(**ty).is_none()) {
            return Err(refused(*ty));
        }
        let active = (0..params.len()).map(|at| wrt.get(at).copied().unwrap_or(false)).collect();
        let along = Along { params, active, ret: primal.ret };
        let (Some(tangents), Some(of_ret)) = (along.tangents(), floats_of(along.ret)) else {
            return Err(refused(along.ret));
        };
        let count = part_count(along.ret).filter(|_| !of_ret.is_empty());
        let count = count.ok_or_else(|| refused(along.ret))? + of_ret.len();
        let over_duals = engine.prepare(&Duals::ONE.context(), func);
        let flat = engine.prepare(&along, over_duals.func()?.name);
        let with_tangents: Vec<bool> = mapped.iter().copied().chain(tangents.iter().map(|_| true)).collect();
        let lanes = InLanes::new(engine, flat.func()?.name, &with_tangents, width)?;
        Ok(JvpInLanes { lanes, along, tangents, floats: of_ret.len(), count })
    }

    /// Runs blocks of elements, if that is possible, along tangents of their arguments, those from `first` on.
    pub(crate) fn blocks<'v, 'a, L: Elements<'a>>(
        &'v self,
        elements: &'v L,
        smallest: usize,
        (tangents, first): (&'v (dyn Fn(usize) -> Vec<Value<'static>> + Sync), usize),
    ) -> impl Fn(Range<usize>) -> Option<Pushed<'a>> + Sync + use<'v, 'a, L> {
        let collect = vec![Collect::List; self.count];
        let loops = Blocks::new(smallest, move || Some(Block::in_lanes(&self.lanes, collect.clone())));
        move |range| {
            let directions = |at: usize| self.directions(&tangents(at), first);
            let directed = Directed { elements, tys: &self.tangents, directions: &directions };
            let lists = loops.run(&directed, range.clone())?.into_iter().map(into_list);
            let lists = lists.collect::<Option<Vec<_>>>()?;
            let (of_value, of_tangent) = lists.split_at_checked(self.count - self.floats)?;
            let values = list_of_parts(self.along.ret, of_value, range.len())?;
            let tangents = match (of_tangent, self.along.ret.kind()) {
                ([one], TyKind::Float(_)) => one.clone(),
                _ => shaped(&values, of_tangent)?,
            };
            Some(Pushed { values, tangents })
        }
    }

    /// The tangents of an element as arguments; none if they do not have the shapes of its arguments.
    fn directions(&self, tangents: &[Value<'static>], first: usize) -> Option<Vec<Value<'static>>> {
        let Along { params, active, .. } = &self.along;
        let mut all = Vec::with_capacity(self.tangents.len());
        for ((ty, is_active), tangent) in params.iter().zip(active).skip(first).zip(tangents) {
            let before = all.len();
            push(*ty, tangent, &mut all)?;
            if !is_active {
                all.truncate(before);
            }
        }
        (all.len() == self.tangents.len()).then_some(all)
    }
}

/// Tangents in the shapes of values, from a list for each of their floats.
fn shaped<'a>(values: &Array<'a>, floats_of: &[Array<'a>]) -> Option<Array<'a>> {
    let shaped = values.iter().enumerate().map(|(at, value)| {
        let of = floats_of.iter().filter_map(|list| floats(&list.get(at)?).first().copied());
        with_floats(&value.into_owned(), &mut of.collect::<Vec<_>>().into_iter()).ok()
    });
    Array::from_values(values.elem_ty(), shaped.collect::<Option<Vec<_>>>()?)
}

/// Adds the floats of the tangent of a value of this type, each of the type of its float; none if it does not have the shape of
/// such a value.
fn push(ty: Ty, tangent: &Value<'static>, all: &mut Vec<Value<'static>>) -> Option<()> {
    match (ty.kind(), tangent) {
        (TyKind::Float(float), Value::F64(_) | Value::F32(_)) => {
            let dx = *floats(tangent).first()?;
            all.push(if *float == FloatTy::F64 { Value::F64(dx) } else { Value::F32(dx as f32) });
            Some(())
        }
        (TyKind::Tuple(_) | TyKind::Struct(_), Value::Composite(composite)) => {
            let tys = ty.parts(0)?;
            if tys.len() != composite.parts.len() || composite.tag != 0 {
                return None;
            }
            tys.into_iter().zip(&composite.parts).try_for_each(|(ty, part)| push(ty, part, all))
        }
        (TyKind::Float(_) | TyKind::Tuple(_) | TyKind::Struct(_), _) => None,
        (TyKind::Array(_), _) => None,
        (_, none) => (count_floats(none) == 0).then_some(()),
    }
}
