//! The driver that libFuzzer calls with each input: `.ci/fuzz` builds and runs it.
//!
//! One binary for all targets, since linking takes long; `FUZZ_TARGET` selects the target.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use overdub_fuzz::{TARGETS, Target, target};

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = std::env::var("FUZZ_TARGET").unwrap_or_default();
    target(&name).unwrap_or_else(|| {
        let names = TARGETS.map(|target| target.name).join(", ");
        eprintln!("FUZZ_TARGET is `{name}`; it has to be one of {names}");
        std::process::exit(2);
    })
});

fuzz_target!(|bytes: &[u8]| (TARGET.check)(bytes));
