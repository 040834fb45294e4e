//! The devices that tests use, and what they have to give.

use std::sync::Arc;

use overdub_context::testing::alike;
use overdub_context::value::Value;
use overdub_device::{Cuda, Emulator, OpenCl};
use overdub_spmd::Device;

/// The devices of this machine, and whether their library is that of the host.
pub(crate) fn devices() -> Vec<(Arc<dyn Device>, bool)> {
    let mut devices: Vec<(Arc<dyn Device>, bool)> = Vec::new();
    match Emulator::new() {
        Ok(emulator) => devices.push((Arc::new(emulator), true)),
        Err(error) => eprintln!("NOT TESTED on the processor: {error}"),
    }
    match Cuda::new() {
        Ok(card) => devices.push((Arc::new(card), false)),
        Err(error) if std::env::var_os("REQUIRE_GPU").is_some() => panic!("{error}"),
        Err(error) => eprintln!("NOT TESTED on a card: {error}"),
    }
    devices
}

/// The devices of this machine that run functions of scalars alone, and whether their library is that of the host.
pub(crate) fn devices_for_scalars() -> Vec<(Arc<dyn Device>, bool)> {
    let mut devices: Vec<(Arc<dyn Device>, bool)> = Vec::new();
    match Emulator::of_opencl() {
        Ok(emulator) => devices.push((Arc::new(emulator), true)),
        Err(error) => eprintln!("NOT TESTED on the processor: {error}"),
    }
    match OpenCl::new() {
        Ok(device) => devices.push((Arc::new(device), false)),
        Err(error) if std::env::var_os("REQUIRE_OPENCL").is_some() => panic!("{error}"),
        Err(error) => eprintln!("NOT TESTED by OpenCL: {error}"),
    }
    devices
}

/// Whether values are the same, but for the last bits of floats if a device has functions of its own.
pub(crate) fn agree(x: &Value<'_>, y: &Value<'_>, is_exact: bool) -> bool {
    match (x, y) {
        _ if alike(x, y) => true,
        (Value::F64(x), Value::F64(y)) if !is_exact => (x - y).abs() <= 1e-13 * x.abs().max(y.abs()),
        (Value::F32(x), Value::F32(y)) if !is_exact => (x - y).abs() <= 1e-6 * x.abs().max(y.abs()),
        (Value::Composite(x), Value::Composite(y)) => {
            (x.tag, x.parts.len()) == (y.tag, y.parts.len())
                && x.parts.iter().zip(&y.parts).all(|(x, y)| agree(x, y, is_exact))
        }
        (Value::Array(x), Value::Array(y)) => {
            x.len() == y.len() && x.iter().zip(y.iter()).all(|(x, y)| agree(&x, &y, is_exact))
        }
        _ => false,
    }
}
