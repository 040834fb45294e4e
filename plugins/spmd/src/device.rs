//! Devices that run the calls of a mapped function in place of the engine, as many as there are at once.
//!
//! - DEVICE1 a call that a device does not finish is run by the engine: what fails has the error of a call for this element alone,
//!   and what needs more than the device has gets its result.

use std::fmt;
use std::sync::Arc;

use overdub_context::Symbol;
use overdub_context::engine::Engine;
use overdub_context::ir::Ty;
use overdub_context::value::{Arg, Value};

use crate::elements::Elements;
use crate::error::MapError;
use crate::loaded::ValueAndGradient;
use crate::settings::Settings;

/// Runs calls of a function elsewhere, such as on a graphics card.
pub trait Device: Send + Sync + fmt::Debug {
    /// What the function returns for each call; none where the call fails or cannot be finished.
    ///
    /// # Errors
    /// If the function cannot be run on the device, or the device fails.
    fn values(&self, calls: &DeviceCalls<'_>) -> Result<Vec<Option<Value<'static>>>, DeviceError>;

    /// What the function returns for each call, and its derivatives with respect to the arguments in `wrt`, each in the shape
    /// of its argument; zeros in the shape of the others.
    ///
    /// # Errors
    /// As [`Device::values`], or if the function has no derivative.
    fn values_and_gradients(
        &self,
        calls: &DeviceCalls<'_>,
        wrt: &[bool],
    ) -> Result<Vec<Option<ValueAndGradient>>, DeviceError>;
}

/// Why a device cannot run calls.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// There is no such device, or no driver for it.
    #[error("there is no {0}")]
    Missing(String),
    /// The function has no counterpart on the device.
    #[error("the device cannot run it: {0}")]
    Unsupported(String),
    /// The device has too little memory for even one call.
    #[error("the device has too little memory: {0}")]
    Memory(String),
    /// The device or its compiler failed.
    #[error("the device failed: {0}")]
    Failed(String),
}

/// Lends the arguments of a call to a reader; whether there are such.
type LendsArgs<'c> = dyn Fn(usize, &mut dyn FnMut(&[Value<'_>])) -> bool + Sync + 'c;

/// Calls of one function.
pub struct DeviceCalls<'c> {
    /// The engine that knows the function.
    pub engine: &'c Engine,
    /// The function.
    pub func: Symbol,
    /// The types of its parameters.
    pub params: Vec<Ty>,
    /// For each parameter, whether each call has an argument of its own; otherwise all share that of call 0.
    pub mapped: Vec<bool>,
    /// The number of calls.
    pub len: usize,
    args: &'c LendsArgs<'c>,
}

impl DeviceCalls<'_> {
    /// Lends the arguments of a call to `read`; whether there are such.
    pub fn args(&self, call: usize, read: &mut dyn FnMut(&[Value<'_>])) -> bool {
        (self.args)(call, read)
    }
}

impl fmt::Debug for DeviceCalls<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DeviceCalls")
            .field("func", &self.func)
            .field("len", &self.len)
            .finish_non_exhaustive()
    }
}

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
