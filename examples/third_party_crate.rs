//! Can a function of a crate that knows nothing of overdub be differentiated?
//!
//! Loads the source of `argmin_testfunctions` as cargo has it, unmodified, takes the gradient of one of its functions,
//! and compares it with the derivative that the crate's authors wrote by hand.

use std::error::Error;
use std::path::PathBuf;
use std::process::Command;

use overdub::context::value::Value;
use overdub::lower::Loaded;
use overdub_ad::whole::floats;

fn main() -> Result<(), Box<dyn Error>> {
    let loaded = Loaded::open(&source_of("argmin_testfunctions")?)?;
    let engine = loaded.engine();
    let x = [1.2, -0.7, 0.4];
    for name in ["rosenbrock", "ackley", "rastrigin", "styblinski_tang"] {
        let function = loaded.function(name)?;
        let args = vec![Value::floats(x.to_vec())];
        let (y, ours) = overdub_ad::gradient(&engine, function.symbol, args.clone(), function.ir_ret)?;
        let theirs = engine.run(loaded.function(&format!("{name}_derivative"))?.symbol, args)?;
        let y = y.as_f64().ok_or("a test function returns a float")?;
        println!("{name}{x:?} = {y:.9}");
        for (ours, theirs) in floats(&ours[0]).into_iter().zip(floats(&theirs)) {
            println!("  {ours:.9}, by the authors {theirs:.9}");
            assert!((ours - theirs).abs() < 1e-9 * (1.0 + theirs.abs()));
        }
    }
    Ok(())
}

/// The folder of a crate that this package depends on.
fn source_of(name: &str) -> Result<PathBuf, Box<dyn Error>> {
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let asked = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--offline"])
        .args(["--manifest-path", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")])
        .output()?;
    let told: serde_json::Value = serde_json::from_slice(&asked.stdout)?;
    let packages = told["packages"].as_array().ok_or("cargo lists packages")?;
    let manifest = packages.iter().find(|package| package["name"] == name);
    let manifest = manifest.and_then(|package| package["manifest_path"].as_str()).ok_or("it is there")?;
    Ok(PathBuf::from(manifest).with_file_name(""))
}
