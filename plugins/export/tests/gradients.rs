//! The gradients of each float of a result, exported and compiled.

mod compiled;

use overdub_context::ir::Ty;
use overdub_context::value::Value;
use overdub_export::{Derivative, Export, Printed};
use overdub_lower::Loaded;

use compiled::outcomes;

type Args = Vec<Value<'static>>;

/// The types of the parameters of what is exported.
fn types(export: &Export<'_>) -> Vec<Ty> {
    let params = export.params("exported").unwrap_or_else(|error| panic!("{error}"));
    params.into_iter().map(|(_, ty)| ty).collect()
}

#[test]
fn the_gradients_of_several_floats_stand_side_by_side() {
    let source =
        "pub fn f(x: &[f64], k: f64) -> (f64, usize, f64) { (x[0] * x[1] * k, x.len(), k * k + x[1]) }
        pub fn one(x: f64, k: f64) -> (f64, usize) { (x * k, 3) }
        pub fn list(x: f64, n: usize) -> Vec<f64> { vec![x; n] }
        pub fn written(x: &mut [f64]) -> (f64, f64) { x[0] *= 2.0; (x[0], x[1]) }";
    let loaded = Loaded::from_source("case.rs", source).unwrap_or_else(|error| panic!("{error}"));
    let engine = loaded.engine();
    let of = |name: &str, derivative, wrt: &[bool]| {
        let f = loaded.function(name).unwrap_or_else(|error| panic!("{error}")).symbol;
        Export::new(&engine).derivative(f, derivative, wrt, "exported", "")
    };
    let args = || vec![Value::floats(vec![3.0, 5.0]), Value::F64(2.0)];
    let cases: [(&str, Derivative, &[bool], Args, &str); 5] = [
        ("f", Derivative::Gradients, &[true, true], args(), "([10.0, 6.0], 15.0, [0.0, 1.0], 4.0)"),
        ("f", Derivative::Gradients, &[false, true], args(), "(15.0, 4.0)"),
        (
            "f",
            Derivative::ValueAndGradients,
            &[true, false],
            args(),
            "((30.0, 2, 9.0), [10.0, 6.0], [0.0, 1.0])",
        ),
        ("one", Derivative::Gradients, &[true, true], vec![Value::F64(3.0), Value::F64(5.0)], "(5.0, 3.0)"),
        ("f", Derivative::Jacobian, &[true, true], args(), "[[10.0, 6.0, 15.0], [0.0, 1.0, 4.0]]"),
    ];
    let mut texts = Vec::new();
    for (name, derivative, wrt, args, _) in &cases {
        let export = of(name, *derivative, wrt).unwrap_or_else(|error| panic!("{error}"));
        let types = types(&export);
        let export = export.with_main(args.iter().cloned().zip(types).collect(), Printed::Debug);
        texts.push(export.rust().unwrap_or_else(|error| panic!("{error}")));
    }
    for ((name, derivative, .., expected), outcome) in cases.iter().zip(outcomes("gradients", &texts)) {
        assert_eq!(outcome.as_deref(), Ok(*expected), "{name} {derivative:?}");
    }
    for name in ["list", "written"] {
        let refused =
            of(name, Derivative::Gradients, &[true, false]).map(|_| ()).expect_err("its type does not tell");
        assert!(refused.to_string().contains("one to 16 floats"), "{refused}");
    }
}
