//! Lists that stay on devices.

use std::sync::Arc;

use overdub::prelude::*;
use overdub_spmd::{Device, DeviceError, Fixed, MapError, Stored, map};

use super::devices::devices;
use super::recorded::Recorded;

#[dub]
fn step(x: f64, v: f64, dt: f64) -> f64 {
    x + dt * (v - 0.5 * x * x)
}

/// The sum of differences from all others.
#[dub]
fn pull(x: f64, all: &[f64]) -> f64 {
    let mut sum = 0.0;
    for other in all {
        sum += (other - x) / (1.0 + (other - x) * (other - x));
    }
    sum
}

#[dub]
fn total(row: &[f64], n: u8) -> f64 {
    row.iter().sum::<f64>() * f64::from(n)
}

#[dub]
fn next(n: u32) -> u32 {
    assert!(n != 13, "{n} is refused");
    if n & 1 == 0 { n / 2 } else { 3 * n + 1 }
}

#[test]
fn a_stored_list_is_an_input_like_the_list() {
    let (xs, vs): (Vec<f64>, Vec<f64>) = ((0..500).map(f64::from).collect(), vec![0.5; 500]);
    for (device, _) in devices() {
        let recorded = Recorded::new(device);
        let device: Arc<dyn Device> = recorded.clone();
        let stored = Stored::new(&device, xs.clone()).expect("it fits");
        assert_eq!((stored.len(), stored.is_empty(), stored.list()), (500, false, Ok(&xs[..])));
        let here = map(step).over((&xs, &vs, Fixed(0.1)));
        let there = map(step).on(device.clone()).over((&stored, &vs, Fixed(0.1)));
        assert_eq!(here.values().expect("it runs"), there.values().expect("it runs"));
        assert_eq!(here.gradients().expect("it runs"), there.gradients().expect("it runs"));
        assert_eq!(recorded.finished(), 1000);
        assert_eq!(here.sum_and_gradient().expect("it runs"), there.sum_and_gradient().expect("it runs"));
        // Elsewhere, the host's copy is read.
        assert_eq!(map(step).over((&stored, &vs, Fixed(0.1))).values(), here.values());
        let here = map(pull).over((&xs, Fixed(&xs[..])));
        let there = map(pull).on(device.clone()).over((&stored, Fixed(&stored)));
        assert_eq!(here.values().expect("it runs"), there.values().expect("it runs"));
        assert_eq!(here.sum_and_gradient().expect("it runs"), there.sum_and_gradient().expect("it runs"));
    }
}

#[test]
fn rows_and_numbers_of_all_widths_are_stored() {
    let rows: Vec<Vec<f64>> = (0..40).map(|n| (0..n % 5).map(f64::from).collect()).collect();
    let counts: Vec<u8> = (0..40).collect();
    for (device, _) in devices() {
        let recorded = Recorded::new(device);
        let device: Arc<dyn Device> = recorded.clone();
        let (stored, bytes) = (
            Stored::new(&device, rows.clone()).expect("it fits"),
            Stored::new(&device, counts.clone()).expect("it fits"),
        );
        let found = map(total).on(device.clone()).over((&stored, &bytes)).values().expect("it runs");
        assert_eq!(found, map(total).over((&rows, &counts)).values().expect("it runs"));
        assert_eq!(recorded.finished(), 40);
    }
}

#[test]
fn results_stay_on_the_device_until_they_are_asked_for() {
    for (device, _) in devices() {
        let recorded = Recorded::new(device);
        let device: Arc<dyn Device> = recorded.clone();
        let mut expected: Vec<f64> = (0..300).map(|i| f64::from(i) * 0.01).collect();
        let mut stored = Stored::new(&device, expected.clone()).expect("it fits");
        let vs = vec![0.25; 300];
        for _ in 0..5 {
            expected = map(step).over((&expected, &vs, Fixed(0.1))).values().expect("it runs");
            stored = map(step)
                .on(device.clone())
                .over((&stored, &vs, Fixed(0.1)))
                .stored_values()
                .expect("it runs");
        }
        assert_eq!(recorded.finished(), 1500);
        // The first of each list tells what calls need.
        assert_eq!(recorded.fetched(), 5);
        let sum = map(step).on(device.clone()).over((&stored, &vs, Fixed(0.1))).sum();
        assert_eq!(sum, map(step).over((&expected, &vs, Fixed(0.1))).sum());
        assert_eq!(recorded.fetched(), 0);
        assert_eq!(stored.list(), Ok(&expected[..]));
        assert_eq!(recorded.fetched(), 300);
        // All elements read all, where they lie.
        let pulled =
            map(pull).on(device.clone()).over((&stored, Fixed(&stored))).stored_values().expect("it runs");
        assert_eq!(
            pulled.list(),
            Ok(&map(pull).over((&expected, Fixed(&expected[..]))).values().expect("it runs")[..])
        );
    }
}

#[test]
fn a_list_of_another_device_is_copied_by_the_host() {
    let all = devices();
    let Some((first, _)) = all.first() else { return };
    for (device, _) in devices() {
        let stored = Stored::new(first, vec![1.0, 2.0, 3.0]).expect("it fits");
        let found = map(step).on(device).over((&stored, &[1.0, 2.0, 3.0], Fixed(0.5))).values();
        assert_eq!(found.expect("it runs"), [1.25, 2.0, 2.25]);
    }
}

#[test]
fn what_fails_or_has_no_device_is_an_error() {
    for (device, _) in devices() {
        let numbers: Vec<u32> = vec![12, 13, 14];
        let stored = Stored::new(&device, numbers.clone()).expect("it fits");
        let on = map(next).on(device.clone());
        let error = on.over((&stored,)).stored_values().expect_err("it fails").to_string();
        assert_eq!(error, map(next).over((&numbers,)).values().expect_err("it fails").to_string());
        let found = on.over((&numbers[2..],)).stored_values().expect("it runs");
        assert_eq!(found.list(), Ok(&[7][..]));
        let empty = Stored::new(&device, Vec::<u32>::new()).expect("it fits");
        assert_eq!(on.over((&empty,)).stored_values().expect("it runs").list(), Ok(&[][..]));
        let error = map(next).over((&stored,)).stored_values().expect_err("there is no device");
        assert!(matches!(error, MapError::Device(DeviceError::Missing(_))), "{error:?}");
    }
}
