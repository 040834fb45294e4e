//! Jacobians of more columns than one run computes.

use overdub_context::value::Value;
use overdub_lower::Loaded;

#[test]
fn wide_jacobians_have_the_tangents_as_columns() {
    // As many rows as columns; few rows, of which the type does not tell how many; an enum, which is left to dual numbers; one row.
    let bodies = [
        "Vec<f64> { (0..x.len()).map(|i| k * x[i] * x[(i + 1) % x.len()].sin()).collect() }",
        "Vec<f64> { vec![k * x.iter().sum::<f64>(), x[0] * x[19]] }",
        "Option<Vec<f64>> { Some(x.iter().map(|x| x * x * k).collect()) }",
        "(i64, f64) { (7, x.iter().map(|x| x * x * k).sum()) }",
    ];
    for (body, height) in bodies.into_iter().zip([20, 2, 20, 1]) {
        let source = format!("pub fn f(x: &[f64], k: f64) -> {body}");
        let loaded = Loaded::from_source("f.rs", &source).expect("it loads");
        let f = loaded.function("f").expect("it is there");
        let args =
            vec![Value::floats((1..=20).map(|x| f64::from(x) / 8.0).collect::<Vec<_>>()), Value::F64(0.75)];
        let found = overdub_ad::jacobian(&loaded.engine(), f.symbol, args.clone()).expect("it has one");
        assert_eq!(found.rows.len(), height, "{body}");
        let route = overdub_ad::JvpRoute::new(&loaded.engine(), f.symbol);
        for column in 0..21 {
            let direction: Vec<f64> = (0..21).map(|at| f64::from(u8::from(at == column))).collect();
            let tangents = route.along(&args, &direction).expect("it has one");
            assert_eq!(tangents.len(), height, "{body}");
            for (row, tangent) in found.rows.iter().zip(tangents) {
                assert!((row[column] - tangent).abs() <= 1e-12, "{body}: {} and {tangent}", row[column]);
            }
        }
    }
}
