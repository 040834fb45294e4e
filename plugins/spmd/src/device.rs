//! Devices that run the calls of a mapped function in place of the engine, as many as there are at once.
//!
//! - DEVICE1 a call that a device does not finish is run by the engine: what fails has the error of a call for this element alone,
//!   and what needs more than the device has gets its result.

use std::fmt;

use overdub_context::Symbol;
use overdub_context::engine::Engine;
use overdub_context::ir::Ty;
use overdub_context::value::Value;

/// A value, and the derivatives with respect to all arguments, each in the shape of its argument.
pub type ValueAndGradient = (Value<'static>, Vec<Value<'static>>);

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
pub(crate) type LendsArgs<'c> = dyn Fn(usize, &mut dyn FnMut(&[Value<'_>])) -> bool + Sync + 'c;

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
    pub(crate) args: &'c LendsArgs<'c>,
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
