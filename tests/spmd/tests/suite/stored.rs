//! Lists on a device that fails.

use std::ops::Range;
use std::sync::Arc;

use overdub::prelude::*;
use overdub_context::engine::Empty;
use overdub_context::value::{Array, Value};
use overdub_spmd::{
    Device, DeviceCalls, DeviceError, DeviceList, Fixed, MapError, Returned, ValueAndGradient, map,
};

#[dub]
fn product(x: f64, y: f64) -> f64 {
    x * y
}

#[dub]
fn total(x: f64, all: &[f64]) -> f64 {
    all.iter().map(|y| x * y).sum()
}

/// Finishes no call, and loses all elements of a list but the first.
#[derive(Debug)]
struct Losing;

impl Device for Losing {
    fn values(&self, _: &DeviceCalls<'_>) -> Result<Returned<Value<'static>>, DeviceError> {
        Ok(Returned::Each(Vec::new()))
    }

    fn values_and_gradients(
        &self,
        calls: &DeviceCalls<'_>,
        _: &[bool],
    ) -> Result<Returned<ValueAndGradient>, DeviceError> {
        // It cannot read what it has lost.
        assert!(!calls.args(1, &mut |_| unreachable!("there are no arguments")));
        Ok(Returned::Each(Vec::new()))
    }

    fn stored_values(&self, _: &DeviceCalls<'_>) -> Result<Option<DeviceList>, DeviceError> {
        Ok(Some(Arc::new(())))
    }

    fn fetch(&self, _: &DeviceList, range: Range<usize>) -> Result<Option<Array<'static>>, DeviceError> {
        match range.end {
            0 | 1 => Ok(Some(Array::from_vec(vec![1.0; range.len()]))),
            _ => Err(DeviceError::Failed("it is gone".to_owned())),
        }
    }
}

#[test]
fn a_list_that_its_device_loses_is_an_error_and_no_panic() {
    let device: Arc<dyn Device> = Arc::new(Losing);
    let lost = |error: &MapError| matches!(error, MapError::Device(DeviceError::Failed(_)));
    let on = map(product).on(device.clone());
    let stored = on.over((&[1.0, 2.0, 3.0], Fixed(2.0))).stored_values().expect("it is stored");
    assert!(stored.list().is_err());
    // Where the device is asked in vain, and without one.
    for map in [on, map(product)] {
        let over = map.over((&stored, Fixed(2.0)));
        assert!(lost(&over.values().expect_err("it is lost")));
        assert!(lost(&over.gradients().expect_err("it is lost")));
        assert!(lost(&over.sum().expect_err("it is lost")));
        assert!(lost(&over.jvps((Fixed(1.0), Fixed(1.0))).expect_err("it is lost")));
        assert!(lost(&over.vjps(&[1.0, 1.0, 1.0]).expect_err("it is lost")));
        assert!(lost(&over.under(Empty).expect_err("it is lost")));
    }
    for map in [map(total).on(device), map(total)] {
        let over = map.over((&[1.0, 2.0], Fixed(&stored)));
        assert!(lost(&over.values().expect_err("it is lost")));
        assert!(lost(&over.sum_and_gradient().expect_err("it is lost")));
    }
}
