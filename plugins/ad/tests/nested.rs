//! Derivatives of functions under contexts, by the names of those functions in an engine.

use overdub_context::engine::ctx;
use overdub_context::ir::Ty;
use overdub_context::value::Value;

/// `wave` with `cubed` in place of `inner`, in Rust.
fn plain(x: f64, k: f64) -> f64 {
    k * x * x * x * x
}

fn slope(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    let h = 1e-5;
    (f(x + h) - f(x - h)) / (2.0 * h)
}

#[track_caller]
fn close(a: Option<f64>, b: f64) {
    assert!(a.is_some_and(|a| (a - b).abs() <= 1e-7 * (1.0 + b.abs())), "{a:?} and {b}");
}

#[test]
fn derivatives_of_nested_names_are_found_by_the_machinery() -> Result<(), Box<dyn std::error::Error>> {
    let source = "
        fn inner(x: f64) -> f64 { x.sin() }
        fn cubed(x: f64) -> f64 { x * x * x }
        pub fn wave(x: f64, k: f64) -> f64 { k * inner(x) * x }";
    let loaded = overdub_lower::Loaded::from_source("f.rs", source)?;
    let engine = loaded.engine();
    let name = engine.nested(&ctx().replace("inner", "cubed"), loaded.function("wave")?.symbol);
    let args = || vec![Value::F64(0.5), Value::F64(3.0)];
    let expected = slope(|x| plain(x, 3.0), 0.5);
    let recorded = overdub_ad::tape::record(&engine, name, args())?;
    close(recorded.pullback.pull(&[1.0])?[0].as_f64(), expected);
    let tangents = vec![Value::F64(1.0), Value::F64(0.0)];
    let (_, dy) = overdub_ad::dual::jvp(&engine, name, args(), tangents)?;
    close(dy.as_f64(), expected);
    let rewritten = overdub_ad::transform::reverse::Transformed::gradient(&engine, name, &|_| true)?;
    close(rewritten.run(args())?.1[0].as_f64(), expected);
    let (_, gradient) = overdub_ad::gradient(&engine, name, args(), Ty::f64())?;
    close(gradient[0].as_f64(), expected);
    Ok(())
}
