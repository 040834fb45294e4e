//! Can a function of a crate that knows nothing of overdub be differentiated?
//!
//! Loads the source of `argmin_testfunctions` as cargo has it, unmodified, takes the gradient of four of its functions,
//! and compares each with the derivative that the crate's authors wrote by hand.

use std::error::Error;
use std::path::Path;

use overdub::context::value::Value;
use overdub::lower::Loaded;
use overdub_ad::flatten::floats;

fn main() -> Result<(), Box<dyn Error>> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let loaded = Loaded::open_dependency(package, "argmin_testfunctions")?;
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
