//! The results that a device has for the elements of a mapped call.

use std::ops::Range;

use overdub_context::Symbol;
use overdub_context::engine::Engine;
use overdub_context::ir::Ty;
use overdub_context::value::{Array, Value};

use crate::device::{Device, DeviceCalls, DeviceError, LendsValues, Returned};
use crate::elements::Elements;
use crate::error::MapError;
use crate::settings::Settings;

/// The results of a device: those of calls that it finished.
pub(crate) struct OnDevice<T>(Option<Returned<T>>);

/// A result of a call, of which each part is a float.
pub(crate) trait OfFloats: Sized {
    /// The result whose parts are these.
    fn of_floats(parts: &mut dyn Iterator<Item = f64>) -> Option<Self>;
}

impl OfFloats for Value<'static> {
    fn of_floats(parts: &mut dyn Iterator<Item = f64>) -> Option<Value<'static>> {
        parts.next().map(Value::F64)
    }
}

impl OfFloats for (Value<'static>, Value<'static>) {
    fn of_floats(parts: &mut dyn Iterator<Item = f64>) -> Option<(Value<'static>, Value<'static>)> {
        Some((Value::F64(parts.next()?), Value::F64(parts.next()?)))
    }
}

impl OfFloats for (Value<'static>, Vec<Value<'static>>) {
    fn of_floats(parts: &mut dyn Iterator<Item = f64>) -> Option<(Value<'static>, Vec<Value<'static>>)> {
        Some((Value::F64(parts.next()?), parts.map(Value::F64).collect()))
    }
}

impl<T> OnDevice<T> {
    /// The results of a device, if there is one that has them.
    pub(crate) fn new(found: Option<Returned<T>>) -> OnDevice<T> {
        OnDevice(found)
    }

    /// No results, of no device.
    pub(crate) fn none() -> OnDevice<T> {
        OnDevice(None)
    }

    /// The result of an element, if there is a device and it finished the call.
    pub(crate) fn of(&self, at: usize) -> Option<T>
    where
        T: Clone + OfFloats,
    {
        match self.0.as_ref()? {
            Returned::Each(all) => all.get(at)?.clone(),
            Returned::Floats(parts) => {
                T::of_floats(&mut parts.iter().filter_map(|part| part.get(at).copied()))
            }
        }
    }

    /// The results of these elements, a list for each part, if all parts are floats.
    pub(crate) fn floats(&self, range: Range<usize>) -> Option<Vec<Array<'static>>> {
        let Returned::Floats(parts) = self.0.as_ref()? else { return None };
        parts.iter().map(|part| Some(Array::from_vec(part.get(range.clone())?.to_vec()))).collect()
    }

    /// Whether there is a device.
    pub(crate) fn is_used(&self) -> bool {
        self.0.is_some()
    }

    /// Whether a call is not finished.
    fn has_gaps(&self, len: usize) -> bool {
        match &self.0 {
            Some(Returned::Each(all)) => all.len() < len || all.iter().any(Option::is_none),
            Some(Returned::Floats(_)) => false,
            None => true,
        }
    }
}

/// The results of the device of the settings for all elements, if there is one that has them.
pub(crate) fn on_device<'a, T, L: Elements<'a>>(
    settings: &Settings,
    of: (&Engine, Symbol, Vec<Ty>),
    (elements, len): (&L, usize),
    run: impl FnOnce(&dyn Device, &DeviceCalls<'_>) -> Result<Option<Returned<T>>, DeviceError>,
) -> Result<OnDevice<T>, MapError<L::Error>> {
    let found = asked(settings, of, (elements, len, &no_directions), run).map_err(MapError::Device)?;
    let found = OnDevice(found.flatten());
    if found.has_gaps(len) {
        // The others are run here.
        elements.fetch().map_err(MapError::Device)?;
    }
    Ok(found)
}

/// Asks the device of the settings, if there is one, for something about the calls for all elements, of which there are some.
pub(crate) fn asked<'a, R, L: Elements<'a>>(
    settings: &Settings,
    (engine, func, params): (&Engine, Symbol, Vec<Ty>),
    (elements, len, directions): (&L, usize, &LendsValues<'_>),
    ask: impl FnOnce(&dyn Device, &DeviceCalls<'_>) -> Result<R, DeviceError>,
) -> Result<Option<R>, DeviceError> {
    let Some(device) = settings.device.as_ref().filter(|_| len > 0) else { return Ok(None) };
    // Stored lists are fetched before an argument of them is read, so that a device that fails is no panic.
    let args =
        |at: usize, read: &mut dyn FnMut(&[Value<'_>])| elements.fetch().is_ok() && lend(elements, at, read);
    let stand_ins = elements.with_stand_ins();
    let unstored = stand_ins.as_ref().unwrap_or(elements);
    let unstored_args = |at: usize, read: &mut dyn FnMut(&[Value<'_>])| lend(unstored, at, read);
    let unstored_lists = |range: Range<usize>, wanted: &[bool], read: &mut dyn FnMut(&[Array<'_>])| {
        let Some(lists) = unstored.lists(range, wanted) else { return false };
        read(&lists);
        true
    };
    let calls = DeviceCalls {
        engine,
        func,
        params,
        mapped: elements.mapped(),
        stored: elements.stored(),
        len,
        args: &args,
        unstored_args: &unstored_args,
        unstored_lists: &unstored_lists,
        directions,
    };
    ask(device.as_ref(), &calls).map(Some)
}

/// The directions of calls that have none.
pub(crate) fn no_directions(_: usize, _: &mut dyn FnMut(&[Value<'_>])) -> bool {
    false
}

fn lend<'a>(elements: &impl Elements<'a>, at: usize, read: &mut dyn FnMut(&[Value<'_>])) -> bool {
    let is_lent = elements.lend(at, &mut |args| {
        read(&args.iter().map(|arg| arg.to_value()).collect::<Vec<_>>());
    });
    if !is_lent {
        let Ok(values) = elements.values(at) else { return false };
        read(&values);
    }
    true
}
