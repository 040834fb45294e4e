//! Sums that a device adds, leaf by leaf.

use overdub::prelude::*;
use overdub_spmd::{Fixed, map};

use super::devices::devices;
use super::recorded::Recorded;

/// Arithmetic alone, so that all devices have the same bits.
#[dub]
fn miss(x: f64, y: f64, w: &[f64], scale: f64) -> f64 {
    let r = (w[0] + x * (w[1] + x * w[2]) - y) * scale;
    r * r / (1.0 + r * r)
}

#[dub]
fn short(x: f32, by: f32) -> f32 {
    x * by + 1.0
}

/// Fails above 90, and takes more memory than a call gets at first above 50.
#[dub]
fn uneven(n: usize, by: f64) -> f64 {
    assert!(n < 90, "{n} is too much");
    let all: Vec<f64> = (0..if n > 50 { n * 100 } else { n }).map(|i| by / (i + 1) as f64).collect();
    all.iter().sum()
}

fn numbers(len: usize, factor: f64) -> Vec<f64> {
    (0..len).map(|i| (i as f64 * factor).fract() * 2.0 - 0.7).collect()
}

#[test]
fn sums_are_those_of_the_engine_to_the_bit() {
    for (device, _) in devices() {
        let device = Recorded::new(device);
        // One leaf, leaves of one, a last leaf that is shorter, and leaves of many.
        for len in [1, 7, 300, 1000, 70_000] {
            let (xs, ys, w) = (numbers(len, 0.37), numbers(len, 0.73), [0.5, -0.25, 0.125]);
            let here = map(miss).over((&xs, &ys, Fixed(&w[..]), Fixed(0.9)));
            let there = map(miss).on(device.clone()).over((&xs, &ys, Fixed(&w[..]), Fixed(0.9)));
            assert_eq!(here.sum().expect("it runs").to_bits(), there.sum().expect("it runs").to_bits());
            assert_ne!(device.finished(), 0, "{len}");
            let (expected, found) = (here.sum_and_gradient(), there.sum_and_gradient());
            assert_eq!(expected.expect("it runs"), found.expect("it runs"), "{len}");
            assert_ne!(device.finished(), 0, "{len}");
            let here = map(miss).with_respect_to(["w", "y"]).over((&xs, &ys, Fixed(&w[..]), Fixed(0.9)));
            let there = map(miss).with_respect_to(["w", "y"]).on(device.clone());
            let there = there.over((&xs, &ys, Fixed(&w[..]), Fixed(0.9)));
            let (expected, found) = (here.sum_and_gradient(), there.sum_and_gradient());
            assert_eq!(expected.expect("it runs"), found.expect("it runs"), "{len}");
            assert_ne!(device.finished(), 0, "{len}");
        }
    }
}

#[test]
fn numbers_of_32_bits_are_added_in_64() {
    let xs: Vec<f32> = (0..1000).map(|i| i as f32 * 0.1).collect();
    for (device, _) in devices() {
        let device = Recorded::new(device);
        let expected = map(short).over((&xs, Fixed(0.3))).sum().expect("it runs");
        let found = map(short).on(device.clone()).over((&xs, Fixed(0.3))).sum().expect("it runs");
        assert_eq!(expected.to_bits(), found.to_bits());
        assert_ne!(device.finished(), 0);
    }
}

#[test]
fn leaves_with_what_does_not_end_there_are_added_by_the_engine() {
    for (device, _) in devices() {
        let device = Recorded::new(device);
        let counts: Vec<usize> = (0..600).map(|i| i * 7 % 90).collect();
        let expected = map(uneven).over((&counts, Fixed(1.5)));
        let found = map(uneven).on(device.clone()).over((&counts, Fixed(1.5)));
        assert_eq!(expected.sum().expect("it runs"), found.sum().expect("it runs"));
        assert_ne!(device.finished(), 0);
        let gradient = (expected.sum_and_gradient(), found.sum_and_gradient());
        assert_eq!(gradient.0.expect("it runs").0, gradient.1.expect("it runs").0);
        let counts: Vec<usize> = (0..600).map(|i| i % 100).collect();
        let expected = map(uneven).over((&counts, Fixed(1.5))).sum().expect_err("it fails");
        let found = map(uneven).on(device.clone()).over((&counts, Fixed(1.5))).sum().expect_err("it fails");
        assert_eq!(expected.to_string(), found.to_string());
        assert!(found.to_string().contains("element 90: 90 is too much"), "{found}");
    }
}
