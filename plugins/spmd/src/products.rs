//! Products with the Jacobian of a function for one element: tangents of its result, and cotangents of its arguments.

use std::ops::Range;

use overdub_ad::custom::ActiveRules;
use overdub_ad::dual;
use overdub_ad::flatten::floats;
use overdub_ad::transform::reverse::Transformed;
use overdub_context::engine::Engine;
use overdub_context::ir::Ty;
use overdub_context::value::Value;
use overdub_context::{Failure, Symbol};

use crate::device::{ValueAndGradient, ValueAndTangent};
use crate::elements::Elements;
use crate::error::MapError;
use crate::on_device::{OnDevice, asked};
use crate::pulled::{Pulled, Pulling, VjpInLanes};
use crate::pushed::{JvpInLanes, Pushed};
use crate::settings::Settings;
use crate::shapes::{check_shape, fits, zeros};

/// Tangents of a function's result along tangents of its arguments.
pub(crate) struct Jvps<'e> {
    engine: &'e Engine,
    func: Symbol,
    /// The arguments whose tangents are not zero.
    wrt: Vec<bool>,
    /// What a device found.
    found: OnDevice<ValueAndTangent>,
    lanes: Option<JvpInLanes>,
    /// The number of the first argument that is not captured.
    first: usize,
    /// Those in whose scope it was made; elements are mapped on other threads.
    rules: ActiveRules,
}

impl<'e> Jvps<'e> {
    /// The products for elements, those that a device computes already made. `tangents` gives those of an element's arguments,
    /// from the argument `first` on, before which there are captured ones.
    pub(crate) fn new<'a, L: Elements<'a>>(
        settings: &Settings,
        (engine, func, params): (&'e Engine, Symbol, Vec<Ty>),
        (elements, len): (&L, usize),
        (wrt, first): (Vec<bool>, usize),
        tangents: impl Fn(usize) -> Vec<Value<'static>> + Sync,
    ) -> Result<Jvps<'e>, MapError<L::Error>> {
        elements.fetch().map_err(MapError::Device)?;
        let directions = |at: usize, read: &mut dyn FnMut(&[Value<'_>])| {
            let captured = std::iter::repeat_n(Value::Unit, first);
            read(&captured.chain(tangents(at)).collect::<Vec<_>>());
            true
        };
        // Those of another form are errors of their elements.
        let fit = |at: usize| {
            let Ok(args) = elements.values(at) else { return false };
            args[first.min(args.len())..].iter().zip(tangents(at)).all(|(arg, tangent)| fits(arg, &tangent))
        };
        let of = (engine, func, params);
        let found = match settings.device.is_some() && (0..len).all(fit) {
            true => {
                asked(settings, of, (elements, len, &directions), |device, calls| device.jvps(calls, &wrt))
            }
            false => Ok(None),
        };
        let found = OnDevice::new(found.map_err(MapError::Device)?.flatten());
        let width = settings.lanes.filter(|_| !found.is_used());
        // What lanes do not run, runs as without them (BLOCK6).
        let lanes =
            width.and_then(|width| JvpInLanes::new((engine, func), &wrt, &elements.mapped(), width).ok());
        Ok(Jvps { engine, func, wrt, found, lanes, first, rules: ActiveRules::current() })
    }

    /// Runs blocks of elements, if that is possible, along tangents of their arguments.
    pub(crate) fn blocks<'v, 'a, L: Elements<'a>>(
        &'v self,
        elements: &'v L,
        smallest: usize,
        tangents: &'v (dyn Fn(usize) -> Vec<Value<'static>> + Sync),
    ) -> impl Fn(Range<usize>) -> Option<Pushed<'a>> + Sync + use<'v, 'a, 'e, L> {
        let of = (tangents, self.first);
        let blocks = self.lanes.as_ref().map(|lanes| lanes.blocks(elements, smallest, of));
        move |range| blocks.as_ref()?(range)
    }

    /// The value and its tangent.
    pub(crate) fn of(
        &self,
        at: usize,
        args: Vec<Value<'static>>,
        tangents: Vec<Value<'static>>,
    ) -> Result<ValueAndTangent, Failure> {
        let first = self.first;
        if let Some(found) = self.found.of(at) {
            return Ok(found);
        }
        let captured = args[..first.min(args.len())].iter().map(zeros).collect::<Result<Vec<_>, _>>()?;
        let mut all = captured;
        for (number, (arg, tangent)) in args[first.min(args.len())..].iter().zip(tangents).enumerate() {
            check_shape(&format!("the tangent of argument {number}"), arg, &tangent)?;
            all.push(match self.wrt.get(first + number) {
                Some(true) => tangent,
                _ => zeros(arg)?,
            });
        }
        self.rules.during(|| dual::jvp(self.engine, self.func, args, all))
    }
}

/// Cotangents of a function's arguments for cotangents of its result.
pub(crate) struct Vjps<'e> {
    engine: &'e Engine,
    func: Symbol,
    wrt: Vec<bool>,
    /// The transformed function; without it, calls are recorded on a tape.
    transformed: Option<Transformed>,
    /// What a device found.
    found: OnDevice<ValueAndGradient>,
    lanes: Option<VjpInLanes>,
    rules: ActiveRules,
}

impl<'e> Vjps<'e> {
    /// The products for elements, those that a device computes already made. `cotangent` gives that of an element's result, which
    /// is of type `ret`.
    pub(crate) fn new<'a, L: Elements<'a>>(
        settings: &Settings,
        (engine, func, params): (&'e Engine, Symbol, Vec<Ty>),
        (elements, len): (&L, usize),
        (wrt, ret): (Vec<bool>, Ty),
        cotangent: impl Fn(usize) -> Value<'static> + Sync,
    ) -> Result<Vjps<'e>, MapError<L::Error>> {
        elements.fetch().map_err(MapError::Device)?;
        let directions = |at: usize, read: &mut dyn FnMut(&[Value<'_>])| {
            read(&[cotangent(at)]);
            true
        };
        let of = (engine, func, params);
        // What `&mut` parameters are left with has no cotangents.
        let found = match engine.module().func(func) {
            Ok(Some(primal)) if primal.ret == ret => {
                asked(settings, of, (elements, len, &directions), |device, calls| device.vjps(calls, &wrt))
            }
            _ => Ok(None),
        };
        let found = OnDevice::new(found.map_err(MapError::Device)?.flatten());
        let is_active = |at: usize| wrt.get(at).copied().unwrap_or(false);
        let transformed = Transformed::pullback(engine, func, &is_active, None).ok();
        let width = settings.lanes.filter(|_| transformed.is_some() && !found.is_used());
        // What lanes do not run, runs as without them (BLOCK6).
        let lanes = width
            .and_then(|width| VjpInLanes::new((engine, func), (&wrt, ret), &elements.mapped(), width).ok());
        Ok(Vjps { engine, func, wrt, transformed, found, lanes, rules: ActiveRules::current() })
    }

    /// Runs blocks of elements, if that is possible.
    pub(crate) fn blocks<'v, 'a, L: Elements<'a>>(
        &'v self,
        elements: &'v L,
        smallest: usize,
        pulling: Pulling<'v>,
    ) -> impl Fn(Range<usize>) -> Option<Pulled<'a>> + Sync + use<'v, 'a, 'e, L> {
        let blocks = self.lanes.as_ref().map(|lanes| lanes.blocks(elements, smallest, pulling));
        move |range| blocks.as_ref()?(range)
    }

    /// The value, and the cotangent of each of all arguments. `result` gives the function's own result, without the last values
    /// of `&mut` parameters, which have a cotangent of zero.
    pub(crate) fn of(
        &self,
        at: usize,
        args: Vec<Value<'static>>,
        cotangent: &Value<'static>,
        result: impl FnOnce(Value<'static>) -> Value<'static>,
    ) -> Result<ValueAndGradient, Failure> {
        if let Some((value, found)) = self.found.of(at) {
            check_shape(COTANGENT, &result(value.clone()), cotangent)?;
            return Ok((value, found));
        }
        let seeds = |value: &Value<'static>| {
            check_shape(COTANGENT, &result(value.clone()), cotangent)?;
            let mut seeds = floats(cotangent);
            seeds.resize(floats(value).len().max(seeds.len()), 0.0);
            Ok::<_, Failure>(seeds)
        };
        let (value, mut found) = match &self.transformed {
            Some(transformed) => {
                let (value, pullback) = transformed.split(args)?;
                let found = pullback.pull(&seeds(&value)?)?;
                (value, found)
            }
            None => {
                let record = || overdub_ad::vjp(self.engine, self.func, args);
                let (value, pullback) = self.rules.during(record)?;
                let found = pullback.pull(&seeds(&value)?)?;
                (value, found)
            }
        };
        for (dx, _) in found.iter_mut().zip(&self.wrt).filter(|(_, wrt)| !**wrt) {
            *dx = zeros(dx)?;
        }
        Ok((value, found))
    }
}

/// What a misfit of shapes is about.
const COTANGENT: &str = "the cotangent of the result";
