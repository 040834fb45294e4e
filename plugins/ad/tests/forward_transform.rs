//! The forward transformation as a context of its own.

use overdub_ad::transform::forward::ForwardTransform;
use overdub_context::value::Value;
use overdub_lower::Loaded;

#[test]
fn a_recursive_function_has_a_transformed_copy_to_call() {
    let source = "
        pub fn f(x: f64, n: u64) -> f64 {
            if n == 0 { x } else { f(x.sin(), n - 1) * x + f(x, n - 1) }
        }";
    let loaded = Loaded::from_source("f.rs", source).unwrap_or_else(|error| panic!("{error}"));
    let f = loaded.function("f").unwrap_or_else(|error| panic!("{error}")).symbol;
    let engine = loaded.engine();
    let at = |x: f64| {
        let value = engine.run(f, vec![Value::F64(x), Value::from(3_u64)]);
        value.unwrap_or_else(|failure| panic!("{failure}")).as_f64().expect("a float")
    };
    let args = vec![Value::F64(0.5), Value::from(3_u64), Value::F64(1.0)];
    let both =
        engine.overdub(&ForwardTransform::new(), f, args).unwrap_or_else(|failure| panic!("{failure}"));
    let parts = both.as_composite().expect("a value and its tangent").parts.clone();
    let [value, tangent] = [&parts[0], &parts[1]].map(|part| part.as_f64().expect("a float"));
    assert_eq!(value, at(0.5));
    let difference = (at(0.5 + 1e-6) - at(0.5 - 1e-6)) / 2e-6;
    assert!((tangent - difference).abs() < 1e-8, "{tangent}, by differences {difference}");
}
