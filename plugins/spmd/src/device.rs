//! Devices that run the calls of a mapped function in place of the engine, as many as there are at once.
//!
//! - DEVICE1 a call that a device does not finish is run by the engine: what fails has the error of a call for this element alone,
//!   and what needs more than the device has gets its result.

use std::any::Any;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use overdub_context::Symbol;
use overdub_context::engine::Engine;
use overdub_context::ir::Ty;
use overdub_context::value::{Array, Value};

/// A value, and the derivatives with respect to all arguments, each in the shape of its argument.
pub type ValueAndGradient = (Value<'static>, Vec<Value<'static>>);

/// A value, and its tangent.
pub type ValueAndTangent = (Value<'static>, Value<'static>);

/// A list that lies in a device's memory, in a form that the device knows.
pub type DeviceList = Arc<dyn Any + Send + Sync>;

/// How the derivatives with respect to one argument are collected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Collected {
    /// Added, since all elements share the argument.
    Added,
    /// Listed, since it is mapped over.
    Listed,
    /// Neither: it is not differentiated.
    Not,
}

/// What a device has for the calls of a mapped function.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Returned<T> {
    /// The result of each call; none where the call fails or cannot be finished.
    Each(Vec<Option<T>>),
    /// All calls are finished, and all parts of their results are `f64`: a list with an entry for each call, for each part.
    Floats(Vec<Vec<f64>>),
}

/// What a device has for leaves of a sum: none for a leaf with a call that it did not finish.
pub type Leaves<T> = Vec<Option<T>>;

/// Runs calls of a function elsewhere, such as on a graphics card.
///
/// Only values and gradients must be there: what a device does not do is done without it.
pub trait Device: Send + Sync + fmt::Debug {
    /// What the function returns for each call.
    ///
    /// # Errors
    /// If the function cannot be run on the device, or the device fails.
    fn values(&self, calls: &DeviceCalls<'_>) -> Result<Returned<Value<'static>>, DeviceError>;

    /// What the function returns for each call, and its derivatives with respect to the arguments in `wrt`, each in the shape
    /// of its argument; zeros in the shape of the others.
    ///
    /// # Errors
    /// As [`Device::values`], or if the function has no derivative.
    fn values_and_gradients(
        &self,
        calls: &DeviceCalls<'_>,
        wrt: &[bool],
    ) -> Result<Returned<ValueAndGradient>, DeviceError>;

    /// What the function returns for each call, and its tangent along [`DeviceCalls::directions`] of the arguments in `wrt`, in the
    /// shape of the result; none if the device has no such products.
    ///
    /// # Errors
    /// As [`Device::values_and_gradients`].
    fn jvps(
        &self,
        _calls: &DeviceCalls<'_>,
        _wrt: &[bool],
    ) -> Result<Option<Returned<ValueAndTangent>>, DeviceError> {
        Ok(None)
    }

    /// What the function returns for each call, and the cotangents of its arguments for that of the result, the first of
    /// [`DeviceCalls::directions`]; none if the device has no such products.
    ///
    /// # Errors
    /// As [`Device::values_and_gradients`].
    fn vjps(
        &self,
        _calls: &DeviceCalls<'_>,
        _wrt: &[bool],
    ) -> Result<Option<Returned<ValueAndGradient>>, DeviceError> {
        Ok(None)
    }

    /// The sums of what the function returns, a float, over each `leaf` calls, added in order; none if the device adds nothing.
    ///
    /// # Errors
    /// As [`Device::values`].
    fn sums(&self, _calls: &DeviceCalls<'_>, _leaf: usize) -> Result<Option<Leaves<f64>>, DeviceError> {
        Ok(None)
    }

    /// The sums of what the function returns over each `leaf` calls, and for each argument that is collected, its derivatives in
    /// its shape, added or in a list, as `collected` says; none if the device adds nothing, or not derivatives of such arguments.
    ///
    /// # Errors
    /// As [`Device::values_and_gradients`].
    fn sums_and_gradients(
        &self,
        _calls: &DeviceCalls<'_>,
        _collected: &[Collected],
        _leaf: usize,
    ) -> Result<Option<Leaves<Vec<Value<'static>>>>, DeviceError> {
        Ok(None)
    }

    /// Copies a list to the device, where it stays as long as the result lives.
    ///
    /// # Errors
    /// If values of this type cannot lie there, or the device fails.
    fn store(&self, _list: &Array<'_>) -> Result<DeviceList, DeviceError> {
        Err(DeviceError::Unsupported("it keeps no lists".to_owned()))
    }

    /// What the function returns for each call, as a list that stays on the device; none if a call is not finished.
    ///
    /// # Errors
    /// As [`Device::values`].
    fn stored_values(&self, _calls: &DeviceCalls<'_>) -> Result<Option<DeviceList>, DeviceError> {
        Ok(None)
    }

    /// Copies elements of a list on the device to the host; none if it is not of this device.
    ///
    /// # Errors
    /// If the device fails.
    fn fetch(&self, _list: &DeviceList, _range: Range<usize>) -> Result<Option<Array<'static>>, DeviceError> {
        Ok(None)
    }
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

/// Lends values that belong to a call to a reader; whether there are such.
pub(crate) type LendsValues<'c> = dyn Fn(usize, &mut dyn FnMut(&[Value<'_>])) -> bool + Sync + 'c;

/// Lends the mapped arguments of consecutive calls to a reader, in a list for each argument; whether there are such.
pub(crate) type LendsLists<'c> =
    dyn Fn(Range<usize>, &[bool], &mut dyn FnMut(&[Array<'_>])) -> bool + Sync + 'c;

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
    /// For each parameter, the list on a device that has its arguments in order, if there is one. It may be of another device.
    pub stored: Vec<Option<DeviceList>>,
    /// The number of calls.
    pub len: usize,
    pub(crate) args: &'c LendsValues<'c>,
    pub(crate) unstored_args: &'c LendsValues<'c>,
    pub(crate) unstored_lists: &'c LendsLists<'c>,
    pub(crate) directions: &'c LendsValues<'c>,
}

impl DeviceCalls<'_> {
    /// Lends the arguments of a call to `read`; whether there are such.
    pub fn args(&self, call: usize, read: &mut dyn FnMut(&[Value<'_>])) -> bool {
        (self.args)(call, read)
    }

    /// As [`DeviceCalls::args`], with others in place of those that [`DeviceCalls::stored`] has.
    pub fn unstored_args(&self, call: usize, read: &mut dyn FnMut(&[Value<'_>])) -> bool {
        (self.unstored_args)(call, read)
    }

    /// Lends the arguments of consecutive calls that are `wanted`, each a scalar, in a list for each, with others in place of those
    /// that [`DeviceCalls::stored`] has; whether there are such.
    pub fn unstored_lists(
        &self,
        calls: Range<usize>,
        wanted: &[bool],
        read: &mut dyn FnMut(&[Array<'_>]),
    ) -> bool {
        (self.unstored_lists)(calls, wanted, read)
    }

    /// Lends the tangents of a call's arguments, or the cotangent of its result, to `read`; whether there are such.
    pub fn directions(&self, call: usize, read: &mut dyn FnMut(&[Value<'_>])) -> bool {
        (self.directions)(call, read)
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
