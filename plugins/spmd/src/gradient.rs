//! The gradient of a function for one element, with respect to some of its arguments.

use std::ops::Range;

use overdub_ad::transform::reverse::{ReverseOutput, ReverseTransform};
use overdub_ad::{GradientRoute, Strategy};
use overdub_context::engine::{self, Engine, OutSlot};
use overdub_context::ir::{Ty, TyKind};
use overdub_context::value::{Arg, Array, Slice, Value};
use overdub_context::{Failure, FailureKind, Symbol};

use crate::block::{Block, Blocks, Collect, InLanes, Returns};
use crate::call::into_list;
use crate::constants::{constants, with_constants_added};
use crate::device::{Collected, Leaves, ValueAndGradient};
use crate::elements::Elements;
use crate::error::MapError;
use crate::in_parts::InParts;
use crate::on_device::{OnDevice, asked, no_directions, on_device};
use crate::prepared::Ready;
use crate::reduce::leaf;
use crate::settings::Settings;
use crate::shapes::zeros;

/// The greatest number of arguments of a prepared call.
const MOST: usize = 16;

/// The gradients of a function, by the engine of derivatives that was chosen once.
pub(crate) struct Gradients {
    engine: Engine,
    route: GradientRoute,
    params: Vec<Ty>,
    /// For each argument, those that a closure captured included.
    wrt: Vec<bool>,
    /// The transformed function, if prepared calls can take its arguments, and by what it was transformed.
    transformed: Option<(engine::Prepared<ReverseTransform>, ReverseTransform)>,
    func: Symbol,
    /// What a device found.
    found: OnDevice<ValueAndGradient>,
    /// The sums that a device found, for each leaf.
    sums: Option<Leaves<Vec<Value<'static>>>>,
    lanes: Option<InLanes>,
    /// Whose derivatives lanes give in parts.
    in_parts: Option<InParts>,
}

/// The derivative with respect to one argument.
pub(crate) enum Slope {
    Number(f64),
    Numbers(Vec<f64>),
    /// Not differentiated.
    Constant(Value<'static>),
}

/// The memory of one thread.
pub(crate) struct Scratch {
    ready: Ready,
    pub(crate) slopes: Vec<Slope>,
}

impl Scratch {
    pub(crate) fn new() -> Scratch {
        Scratch { ready: Ready::new(), slopes: Vec::new() }
    }
}

/// What happens to the arguments that are not differentiated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Constants {
    /// Their derivatives are zeros in their shape.
    AsZeros,
    /// Any value stands for them.
    Dropped,
}

impl Gradients {
    /// The gradients of a function of these parameters, whose own result is of type `ret`.
    pub(crate) fn new(
        engine: &Engine,
        (func, params, ret): (Symbol, &[Ty], Ty),
        wrt: Vec<bool>,
    ) -> Gradients {
        let route = GradientRoute::new(engine, func, ret, &|at| wrt.get(at).copied().unwrap_or(false));
        let takes = params.len() <= MOST && params.iter().zip(&wrt).all(|(ty, wrt)| is_lent(*ty, *wrt));
        let returns = ret == Ty::f64() && has_one_result(engine, func);
        let transformed = (takes && returns && *route.strategy() == Strategy::Transformation).then(|| {
            let active = params.iter().zip(&wrt).map(|(ty, wrt)| *wrt && is_active(*ty));
            let cx = ReverseTransform::new(ReverseOutput::Gradient).with_respect_to(active.collect());
            (engine.prepare(&cx, func), cx)
        });
        Gradients {
            engine: engine.clone(),
            route,
            params: params.to_vec(),
            wrt,
            transformed,
            func,
            found: OnDevice::none(),
            sums: None,
            lanes: None,
            in_parts: None,
        }
    }

    /// These gradients for elements, those that a device computes already made.
    pub(crate) fn of_elements<'a, L: Elements<'a>>(
        mut self,
        settings: &Settings,
        elements: (&L, usize),
    ) -> Result<Gradients, MapError<L::Error>> {
        let of = (&self.engine, self.func, self.params.clone());
        let wrt = &self.wrt;
        self.found = on_device(settings, of, elements, |device, calls| {
            device.values_and_gradients(calls, wrt).map(Some)
        })?;
        if let Some(width) = settings.lanes.filter(|_| !self.found.is_used()) {
            // What lanes do not run, runs as without them (BLOCK6).
            if let Ok((lanes, in_parts)) = self.in_lanes(&elements.0.mapped(), width) {
                (self.lanes, self.in_parts) = (Some(lanes), in_parts);
            }
        }
        Ok(self)
    }

    /// As [`Gradients::of_elements`], for the sums of elements that are collected in this way: a device adds those of each leaf.
    pub(crate) fn summed<'a, L: Elements<'a>>(
        mut self,
        settings: &Settings,
        (elements, len): (&L, usize),
        collected: &[Collected],
    ) -> Result<Gradients, MapError<L::Error>> {
        let of = (&self.engine, self.func, self.params.clone());
        let sums = asked(settings, of, (elements, len, &no_directions), |device, calls| {
            device.sums_and_gradients(calls, collected, leaf(len))
        });
        self.sums = sums.map_err(MapError::Device)?.flatten();
        match &self.sums {
            None => return self.of_elements(settings, (elements, len)),
            Some(sums) if sums.iter().any(Option::is_none) => elements.fetch().map_err(MapError::Device)?,
            Some(_) => {}
        }
        Ok(self)
    }

    /// Prepares the transformed function for lanes.
    ///
    /// # Errors
    /// If it does something that lanes do not.
    pub(crate) fn in_lanes(
        &self,
        mapped: &[bool],
        width: usize,
    ) -> Result<(InLanes, Option<InParts>), Failure> {
        let (cx, in_parts) = match &self.transformed {
            Some((_, cx)) => (cx.clone(), None),
            None => {
                let of = (&self.engine, self.func);
                let (in_parts, cx) = InParts::new(of, &self.route, &self.params, &self.wrt)?;
                (cx, Some(in_parts))
            }
        };
        let lanes = InLanes::of_derivative((&self.engine, self.func), &cx, mapped, width)?;
        Ok((lanes, in_parts))
    }

    /// The value for an element, and the derivative with respect to each of all arguments, in its shape; any value for constants that
    /// are dropped.
    pub(crate) fn of<'a, L: Elements<'a>>(
        &self,
        scratch: &mut Scratch,
        constants: Constants,
        elements: &L,
        at: usize,
    ) -> Result<(Value<'a>, Vec<Value<'static>>), L::Error> {
        if let Some(found) = self.found.of(at) {
            return Ok(found);
        }
        if let Some(y) = self.prepared(scratch, constants, elements, at) {
            let y = y?;
            return Ok((Value::F64(y), scratch.slopes.drain(..).map(Slope::value).collect()));
        }
        self.by_route(constants, elements.values(at)?).map_err(L::Error::from)
    }

    /// The loops over blocks of elements that collect the values and all derivatives in these ways; none if there are none.
    fn loops<'g, 'a>(
        &'g self,
        elements: &'g impl Elements<'a>,
        smallest: usize,
        collect: Option<Vec<Collect>>,
    ) -> Blocks<'g> {
        let is_on_device = self.found.is_used() || self.sums.is_some();
        let smallest = if is_on_device { usize::MAX } else { smallest };
        Blocks::new(smallest, move || {
            let collect = collect.clone()?;
            if let Some(lanes) = &self.lanes {
                return Some(Block::in_lanes(lanes, collect));
            }
            if !self.has_loops() {
                return None;
            }
            let func = self.transformed.as_ref()?.0.func().ok()?.name;
            let of = (Returns::NumberAndDerivatives, collect);
            Block::new(&self.engine, func, &elements.mapped(), of)
        })
    }

    /// Runs blocks of elements, if that is possible, to a list with the value of each, and one for each argument with its
    /// derivatives.
    pub(crate) fn blocks<'g, 'a, L: Elements<'a>>(
        &'g self,
        elements: &'g L,
        smallest: usize,
    ) -> impl Fn(Range<usize>) -> Option<(Array<'a>, Vec<Array<'a>>)> + Sync + use<'g, 'a, L> {
        let active = self.active();
        let count = active.iter().filter(|is_active| **is_active).count();
        let collect = self.in_parts.as_ref().map(InParts::collect);
        let has_zero = |(wrt, ty): (&bool, &Ty)| *wrt || *ty == Ty::f64();
        let all_have = self.wrt.iter().zip(&self.params).all(has_zero);
        // With no derivative, what lanes return would be taken for a value of several parts.
        let is_collected = count > 0 && (self.lanes.is_some() || all_have);
        let collect = collect.or_else(|| is_collected.then(|| vec![Collect::List; count + 1]));
        let loops = self.loops(elements, smallest, collect);
        move |range| {
            if let Some(in_parts) = &self.in_parts {
                return in_parts.lists(elements, range.clone(), loops.run(elements, range)?);
            }
            if let Some(lists) = self.found.floats(range.clone()) {
                let mut lists = lists.into_iter();
                return Some((lists.next()?, lists.collect()));
            }
            if !loops.are_worth(&range) {
                return None;
            }
            let constants = constants((&active, &self.params), elements, range.clone())?;
            let mut lists = loops.run(elements, range)?.into_iter().map(into_list);
            let values = lists.next()??;
            let slopes = constants.into_iter().map(|zeros| match zeros {
                Some(zeros) => Some(zeros),
                None => lists.next()?,
            });
            Some((values, slopes.collect::<Option<_>>()?))
        }
    }

    /// Whether a loop may run blocks without lanes: beside integers, calls for each element are compiled sooner than a loop over them.
    fn has_loops(&self) -> bool {
        self.wrt.iter().zip(self.active()).all(|(wrt, is_active)| !wrt || is_active)
    }

    /// For each argument, whether a block computes a derivative with respect to it.
    fn active(&self) -> Vec<bool> {
        self.params.iter().zip(&self.wrt).map(|(ty, wrt)| *wrt && is_active(*ty)).collect()
    }

    /// The derivatives that sums collect: those with respect to an integer of each element are integers again (CONSTANT1).
    pub(crate) fn collects(&self, collected: &[Collected]) -> Vec<Collected> {
        let of = |(how, is_active): (&Collected, bool)| match how {
            Collected::Listed if self.transformed.is_some() && !is_active => Collected::Not,
            how => *how,
        };
        collected.iter().zip(self.active()).map(of).collect()
    }

    /// Runs blocks of elements, if that is possible, to the sum of the values of each, and the derivatives as collected.
    pub(crate) fn sums_of_block<'g, 'a, L: Elements<'a>>(
        &'g self,
        (elements, len): (&'g L, usize),
        smallest: usize,
        collected: &[Collected],
    ) -> impl Fn(Range<usize>) -> Option<Vec<Value<'a>>> + Sync + use<'g, 'a, L> {
        let active = self.active();
        let slopes = collected.iter().zip(&self.params).enumerate();
        let slopes = slopes.filter(|(at, (how, _))| **how != Collected::Not && active[*at]);
        let slopes = slopes.map(|(at, (how, ty))| match how {
            Collected::Added if is_vector(*ty) => Collect::AddLike(at),
            Collected::Added => Collect::Add,
            _ => Collect::List,
        });
        let collect = match &self.in_parts {
            Some(in_parts) => in_parts.collect(),
            None => std::iter::once(Collect::Add).chain(slopes).collect(),
        };
        let loops = self.loops(elements, smallest, Some(collect));
        let collected = collected.to_vec();
        move |range| match (&self.sums, &self.in_parts) {
            (Some(sums), _) => sums.get(range.start / leaf(len))?.clone(),
            (None, Some(in_parts)) => {
                let found = loops.run(elements, range.clone())?;
                in_parts.sums(elements, (range, &self.params), found, &collected)
            }
            (None, None) => Some(with_constants_added((&active, &collected), loops.run(elements, range)?)),
        }
    }

    fn by_route<'a>(
        &self,
        constants: Constants,
        values: Vec<Value<'a>>,
    ) -> Result<(Value<'a>, Vec<Value<'static>>), Failure> {
        if constants == Constants::Dropped {
            return self.route.run_for(values, &|at| self.wrt.get(at).copied().unwrap_or(false));
        }
        let (value, mut found) = self.route.run(values)?;
        // A tape differentiates with respect to all arguments.
        for (dx, _) in found.iter_mut().zip(&self.wrt).filter(|(_, wrt)| !**wrt) {
            *dx = zeros(dx)?;
        }
        Ok((value, found))
    }

    /// The value for an element; the derivatives are left in the slopes. None if there is no prepared call.
    pub(crate) fn prepared<'a, L: Elements<'a>>(
        &self,
        scratch: &mut Scratch,
        constants: Constants,
        elements: &L,
        at: usize,
    ) -> Option<Result<f64, L::Error>> {
        if self.found.is_used() {
            return None;
        }
        let (transformed, _) = self.transformed.as_ref()?;
        let Scratch { ready, slopes } = scratch;
        let call = ready.call(|| transformed.prepared_call())?;
        let mut fits = true;
        let are_lent = elements.lend(at, &mut |args| fits = self.shape(slopes, constants, args));
        let mut outcome = None;
        if are_lent && fits {
            let mut y = 0.0;
            let mut outs: [OutSlot<'_>; MOST + 1] = std::array::from_fn(|_| OutSlot::Unwanted);
            let mut count = 1;
            for slope in slopes.iter_mut() {
                outs[count] = match slope {
                    Slope::Number(dx) => OutSlot::F64(dx),
                    Slope::Numbers(dx) => OutSlot::F64s(dx),
                    Slope::Constant(_) => continue,
                };
                count += 1;
            }
            outs[0] = OutSlot::F64(&mut y);
            elements.lend(at, &mut |args| outcome = Some(call.call(args, &mut outs[..count])));
            if let Some(Ok(())) = outcome {
                return Some(Ok(y));
            }
        }
        match outcome {
            Some(Err(failure)) if !is_of_slots(&failure) => Some(Err(failure.into())),
            // The arguments, or the derivatives, are not of a form that it takes.
            _ => {
                ready.give_up();
                None
            }
        }
    }

    /// Gives the slopes the shapes of the arguments; whether there is one for each.
    fn shape(&self, slopes: &mut Vec<Slope>, constants: Constants, args: &[Arg<'_>]) -> bool {
        let mut count = 0;
        for (arg, wrt) in args.iter().zip(&self.wrt) {
            let mut last = slopes.get_mut(count);
            let slope = match (arg, *wrt) {
                (Arg::F64(_), true) => Slope::Number(0.0),
                (Arg::Slice(Slice::F64(floats)), true) => {
                    if let Some(Slope::Numbers(dx)) = &mut last {
                        dx.resize(floats.len(), 0.0);
                        count += 1;
                        continue;
                    }
                    Slope::Numbers(vec![0.0; floats.len()])
                }
                _ if constants == Constants::Dropped => Slope::Constant(Value::Unit),
                (other, _) => match zeros(&other.to_value()) {
                    Ok(zero) => Slope::Constant(zero),
                    Err(_) => return false,
                },
            };
            match last {
                Some(last) => *last = slope,
                None => slopes.push(slope),
            }
            count += 1;
        }
        slopes.truncate(count);
        count == self.wrt.len()
    }
}

impl Slope {
    fn value(self) -> Value<'static> {
        match self {
            Slope::Number(dx) => Value::F64(dx),
            Slope::Numbers(dx) => Value::floats(dx),
            Slope::Constant(zero) => zero,
        }
    }
}

/// Whether a prepared call could not take its arguments, or not write its result: such a failure is at no place of the
/// program.
fn is_of_slots(failure: &Failure) -> bool {
    let is_misfit = failure.kind() == FailureKind::Bounds && !failure.report().span.is_known();
    is_misfit || failure.kind() == FailureKind::Type
}

/// Whether a type of arguments of prepared calls has derivatives.
fn is_active(ty: Ty) -> bool {
    ty == Ty::f64() || is_vector(ty)
}

fn is_vector(ty: Ty) -> bool {
    ty == Ty::array(Ty::f64(), 1)
}

/// Whether an argument of this type can be lent, and its derivative written to a slot.
fn is_lent(ty: Ty, wrt: bool) -> bool {
    let is_scalar = |ty: Ty| matches!(ty.kind(), TyKind::Bool | TyKind::Int(_) | TyKind::Float(_));
    let is_f32 = |ty: Ty| ty == Ty::f32();
    match ty.kind() {
        TyKind::Array(array) if array.rank == 1 => is_scalar(array.elem) && !(wrt && is_f32(array.elem)),
        _ => is_scalar(ty) && !(wrt && is_f32(ty)),
    }
}

/// Whether a function returns its own result only, and no last values of `&mut` parameters.
fn has_one_result(engine: &Engine, func: Symbol) -> bool {
    matches!(engine.module().func(func), Ok(Some(func)) if func.ret == Ty::f64())
}
