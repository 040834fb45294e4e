//! A device that counts what another one finishes, since what it does not finish is run elsewhere.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use overdub_context::value::{Array, Value};
use overdub_spmd::{
    Collected, Device, DeviceCalls, DeviceError, DeviceList, Leaves, Returned, ValueAndGradient,
    ValueAndTangent,
};

/// A device, and how many results of calls, and of leaves of sums, it had.
#[derive(Debug)]
pub(crate) struct Recorded {
    device: Arc<dyn Device>,
    finished: AtomicUsize,
    fetched: AtomicUsize,
}

impl Recorded {
    pub(crate) fn new(device: Arc<dyn Device>) -> Arc<Recorded> {
        Arc::new(Recorded { device, finished: AtomicUsize::new(0), fetched: AtomicUsize::new(0) })
    }

    /// The number of results since the last question.
    pub(crate) fn finished(&self) -> usize {
        self.finished.swap(0, Ordering::Relaxed)
    }

    /// The number of elements of lists that were copied to the host since the last question.
    pub(crate) fn fetched(&self) -> usize {
        self.fetched.swap(0, Ordering::Relaxed)
    }

    fn count(&self, results: usize) {
        self.finished.fetch_add(results, Ordering::Relaxed);
    }

    fn returned<T>(&self, found: Returned<T>) -> Returned<T> {
        self.count(match &found {
            Returned::Each(all) => all.iter().flatten().count(),
            Returned::Floats(parts) => parts[0].len(),
            _ => 0,
        });
        found
    }

    fn leaves<T>(&self, found: Option<Leaves<T>>) -> Option<Leaves<T>> {
        self.count(found.iter().flatten().flatten().count());
        found
    }
}

impl Device for Recorded {
    fn values(&self, calls: &DeviceCalls<'_>) -> Result<Returned<Value<'static>>, DeviceError> {
        Ok(self.returned(self.device.values(calls)?))
    }

    fn values_and_gradients(
        &self,
        calls: &DeviceCalls<'_>,
        wrt: &[bool],
    ) -> Result<Returned<ValueAndGradient>, DeviceError> {
        Ok(self.returned(self.device.values_and_gradients(calls, wrt)?))
    }

    fn jvps(
        &self,
        calls: &DeviceCalls<'_>,
        wrt: &[bool],
    ) -> Result<Option<Returned<ValueAndTangent>>, DeviceError> {
        Ok(self.device.jvps(calls, wrt)?.map(|found| self.returned(found)))
    }

    fn vjps(
        &self,
        calls: &DeviceCalls<'_>,
        wrt: &[bool],
    ) -> Result<Option<Returned<ValueAndGradient>>, DeviceError> {
        Ok(self.device.vjps(calls, wrt)?.map(|found| self.returned(found)))
    }

    fn sums(&self, calls: &DeviceCalls<'_>, leaf: usize) -> Result<Option<Leaves<f64>>, DeviceError> {
        Ok(self.leaves(self.device.sums(calls, leaf)?))
    }

    fn sums_and_gradients(
        &self,
        calls: &DeviceCalls<'_>,
        collected: &[Collected],
        leaf: usize,
    ) -> Result<Option<Leaves<Vec<Value<'static>>>>, DeviceError> {
        Ok(self.leaves(self.device.sums_and_gradients(calls, collected, leaf)?))
    }

    fn store(&self, list: &Array<'_>) -> Result<DeviceList, DeviceError> {
        self.device.store(list)
    }

    fn stored_values(&self, calls: &DeviceCalls<'_>) -> Result<Option<DeviceList>, DeviceError> {
        let found = self.device.stored_values(calls)?;
        self.count(if found.is_some() { calls.len } else { 0 });
        Ok(found)
    }

    fn fetch(&self, list: &DeviceList, range: Range<usize>) -> Result<Option<Array<'static>>, DeviceError> {
        self.fetched.fetch_add(range.len(), Ordering::Relaxed);
        self.device.fetch(list, range)
    }
}
