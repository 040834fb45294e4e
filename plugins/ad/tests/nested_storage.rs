//! Second derivatives of functions that store to elements of nested vectors, arrays and structs.

use overdub_context::ir::Ty;
use overdub_context::value::Value;
use overdub_lower::Loaded;

/// The Hessian of `f(x, n)` at `x`, and the second difference of its value.
fn second_derivatives(source: &str, x: f64) -> (f64, f64) {
    let loaded = Loaded::from_source("f.rs", source).unwrap_or_else(|error| panic!("{error}"));
    let f = loaded.function("f").unwrap_or_else(|error| panic!("{error}")).symbol;
    let engine = loaded.engine();
    let args = |x: f64| vec![Value::F64(x), Value::from(2_usize)];
    let value = |x: f64| {
        let value = engine.run(f, args(x)).unwrap_or_else(|failure| panic!("{failure}"));
        value.as_f64().expect("a float")
    };
    let hessian = overdub_ad::hessian(&engine, f, args(x), Ty::f64());
    let hessian = hessian.unwrap_or_else(|failure| panic!("{failure}\n{source}"));
    let h = 1e-4;
    (hessian.rows[0][0], (value(x + h) - 2.0 * value(x) + value(x - h)) / (h * h))
}

#[test]
fn elements_of_nested_storage_have_second_derivatives() {
    let bodies = [
        "let mut m = vec![vec![0.0; 2]; 2];
         for i in 0..n { m[i][1] = x * x; }
         m[0][1] * m[1][1]",
        "let mut m = [[0.5; 2]; 2];
         for i in 0..n { for j in 0..n { m[i][j] *= x * m[j][i]; } }
         m[0][1] * m[1][1] + m[1][0]",
        "let mut m = vec![vec![vec![1.0; 2]; 2]; 2];
         for i in 0..n { for j in 0..n { m[i][j][1 - i] = x.sin() * x; } }
         m[0][1][1] * m[1][1][0] + m[1][0][0] * x",
        "let mut m = vec![Pair { first: vec![1.0; 2], rest: (2.0, [3.0; 2]) }; 2];
         for i in 0..n { m[i].rest.1[i] = x * x; m[1 - i].first[1] = m[i].rest.1[i] * x; }
         m[0].first[1] * m[1].rest.1[1] + m[0].rest.0 * m[1].first[0]",
        "let mut m = Pair { first: vec![1.0; 2], rest: (2.0, [3.0; 2]) };
         for i in 0..n { if i == 1 { m.first[i] = x * x * x; } else { m.rest.1[i] *= x; } }
         m.first[1] * m.rest.1[0] * m.rest.0",
    ];
    for body in bodies {
        let source = format!(
            "#[derive(Clone)]
             pub struct Pair {{ first: Vec<f64>, rest: (f64, [f64; 2]) }}
             pub fn f(x: f64, n: usize) -> f64 {{ {body} }}"
        );
        for x in [0.7, -1.3] {
            let (found, difference) = second_derivatives(&source, x);
            let near = (found - difference).abs() <= 1e-5 * difference.abs().max(1.0);
            assert!(near, "{found}, by differences {difference}, at {x}, of\n{body}");
        }
    }
}
