//! The results that a device has for the elements of a mapped call.

use std::sync::Arc;

use overdub_context::Symbol;
use overdub_context::engine::Engine;
use overdub_context::ir::Ty;
use overdub_context::value::{Arg, Value};

use crate::device::{Device, DeviceCalls, DeviceError};
use crate::elements::Elements;
use crate::error::MapError;
use crate::settings::Settings;

/// The results of a device: those of calls that it finished.
pub(crate) struct OnDevice<T>(Option<Vec<Option<T>>>);

impl<T: Clone> OnDevice<T> {
    /// No results, of no device.
    pub(crate) fn none() -> OnDevice<T> {
        OnDevice(None)
    }

    /// The result of an element, if there is a device and it finished the call.
    pub(crate) fn of(&self, at: usize) -> Option<T> {
        self.0.as_ref()?.get(at)?.clone()
    }

    /// Whether there is a device.
    pub(crate) fn is_used(&self) -> bool {
        self.0.is_some()
    }
}

/// Runs the calls for all elements on the device of the settings, if there is one.
pub(crate) fn on_device<'a, T, L: Elements<'a>>(
    settings: &Settings,
    (engine, func, params): (&Engine, Symbol, Vec<Ty>),
    (elements, len): (&L, usize),
    run: impl FnOnce(&dyn Device, &DeviceCalls<'_>) -> Result<Vec<Option<T>>, DeviceError>,
) -> Result<OnDevice<T>, MapError<L::Error>> {
    let Some(device) = &settings.device else { return Ok(OnDevice(None)) };
    let args = |at: usize, read: &mut dyn FnMut(&[Value<'_>])| {
        let mut values: Vec<Value<'_>> = Vec::new();
        let is_lent = elements.lend(at, &mut |args| {
            read(&args.map(value_of).collect::<Vec<_>>());
        });
        if !is_lent {
            let Ok(all) = elements.values(at) else { return false };
            values.extend(all);
            read(&values);
        }
        true
    };
    let calls = DeviceCalls { engine, func, params, mapped: elements.mapped(), len, args: &args };
    let mut found = match len {
        0 => Vec::new(),
        _ => run(device.as_ref(), &calls).map_err(MapError::Device)?,
    };
    found.resize_with(len, || None);
    Ok(OnDevice(Some(found)))
}

fn value_of(arg: Arg<'_>) -> Value<'_> {
    match arg {
        Arg::Scalar(value) => value,
        Arg::Slice(array) => Value::Array(Arc::new(array)),
    }
}
