//! Sets `cfg(has_native)` if the command can run machine code: the feature `native`, and a target with a backend.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(has_native)");
    let arch = env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    if env::var_os("CARGO_FEATURE_NATIVE").is_some() && matches!(&*arch, "x86_64" | "aarch64") {
        println!("cargo::rustc-cfg=has_native");
    }
}
