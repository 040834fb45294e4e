//! Derivatives near the ends of the floats' range: all operands are powers of two, so each result is exact unless
//! something on the way to it is out of range.

use overdub_ad::dual::jvp;
use overdub_ad::tape::record;
use overdub_ad::{JvpRoute, hessian};
use overdub_context::ir::Ty;
use overdub_context::value::Value;
use overdub_lower::Loaded;

/// Exponents of two from 1e-300 to 1e300.
const EXPONENTS: [i32; 11] = [-996, -830, -700, -530, -200, 0, 200, 530, 700, 830, 996];

fn power(n: i32) -> f64 {
    2.0_f64.powi(n)
}

fn is_in_range(n: i32) -> bool {
    (-1020..=1020).contains(&n)
}

/// The partial derivatives of a program by each engine: by transformation, a tape, dual numbers, and the
/// forward transformation.
fn by_all(loaded: &Loaded, args: &[f64]) -> Vec<(&'static str, Vec<f64>)> {
    let (engine, f) = (loaded.engine(), loaded.function("f").expect("it is there").symbol);
    let values = || args.iter().copied().map(Value::F64).collect::<Vec<_>>();
    let floats = |values: Vec<Value<'_>>| values.iter().filter_map(Value::as_f64).collect::<Vec<_>>();
    let transformed = overdub_ad::gradient(&engine, f, values(), Ty::f64()).expect("it has a gradient");
    let taped = record(&engine, f, values()).and_then(|record| record.pullback.pull(&[1.0]));
    let unit = |k: usize| (0..args.len()).map(move |at| if at == k { 1.0 } else { 0.0 });
    let dual = |k: usize| jvp(&engine, f, values(), unit(k).map(Value::F64).collect()).expect("it runs").1;
    let route = JvpRoute::new(&engine, f);
    let forward = |k: usize| route.along(&values(), &unit(k).collect::<Vec<_>>()).expect("it runs")[0];
    vec![
        ("transformation", floats(transformed.1)),
        ("tape", floats(taped.expect("it is recorded"))),
        ("dual numbers", (0..args.len()).filter_map(|k| dual(k).as_f64()).collect()),
        ("forward transformation", (0..args.len()).map(forward).collect()),
    ]
}

#[test]
fn the_derivative_of_a_quotient_is_exact_where_it_is_in_range() {
    // The factor is the cotangent of the quotient in the reverse sweep, and the tangent of its operands before.
    let after = "pub fn f(a: f64, b: f64, s: f64) -> f64 { a / b * s }";
    let before = "pub fn f(a: f64, b: f64, s: f64) -> f64 { (a * s) / (b * s) * s }";
    let reciprocal = "pub fn f(b: f64, s: f64) -> f64 { b.recip() * s }";
    let [after, before, reciprocal] =
        [after, before, reciprocal].map(|text| Loaded::from_source("f.rs", text).expect("it loads"));
    let mut checked = 0;
    for i in EXPONENTS {
        for j in EXPONENTS {
            for k in [-830, -530, -200, 0, 200, 530, 830] {
                let (quotient, of_a, of_b) = (i - j, k - j, k + i - 2 * j);
                if ![quotient, quotient + k, of_a, of_b].into_iter().all(is_in_range) {
                    continue;
                }
                let at = [power(i), power(j), power(k)];
                let exact = [power(of_a), -power(of_b), power(quotient)];
                for (engine, found) in by_all(&after, &at) {
                    // Forward mode computes the tangents of the quotient first, in whatever order.
                    let first = [-j, i - 2 * j, quotient];
                    let is_forward = !["transformation", "tape"].contains(&engine);
                    for (at_k, (found, exact)) in found.iter().zip(exact).enumerate() {
                        assert!(
                            *found == exact || is_forward && !is_in_range(first[at_k]),
                            "d{at_k} of 2^{i} / 2^{j} * 2^{k} by {engine}: {found:e}, not {exact:e}"
                        );
                        checked += 1;
                    }
                }
                // The tangents of the quotient's operands are s.
                if [i + k, j + k, -j, i - 2 * j].into_iter().all(is_in_range) {
                    let found = by_all(&before, &at);
                    let forward = &found[3].1;
                    assert_eq!(forward[0], power(k - j), "2^{i} 2^{k} / (2^{j} 2^{k}) * 2^{k}: {found:?}");
                    assert_eq!(forward[1], -power(of_b), "2^{i} 2^{k} / (2^{j} 2^{k}) * 2^{k}: {found:?}");
                }
            }
        }
        for k in EXPONENTS {
            if [k - 2 * i, k - i].into_iter().all(is_in_range) {
                let found = by_all(&reciprocal, &[power(i), power(k)]);
                for (engine, found) in &found[..2] {
                    assert_eq!(found[0], -power(k - 2 * i), "2^{k} / 2^{i} by {engine}");
                }
            }
        }
    }
    assert!(checked > 3500, "{checked} of the derivatives are in range");
}

#[test]
fn second_derivatives_of_a_quotient_are_exact_where_they_are_in_range() {
    let loaded = Loaded::from_source("f.rs", "pub fn f(a: f64, b: f64) -> f64 { a / b }").expect("it loads");
    let (engine, f) = (loaded.engine(), loaded.function("f").expect("it is there").symbol);
    for i in [-900, -600, -330, -100, 0, 100, 330, 600, 900] {
        for j in [-330, -200, -100, 0, 100, 330, 500] {
            let all = [i - j, -j, i - 2 * j, -2 * j, i - 3 * j + 1];
            if !all.into_iter().all(is_in_range) {
                continue;
            }
            let args = vec![Value::F64(power(i)), Value::F64(power(j))];
            let found = hessian(&engine, f, args, Ty::f64()).expect("it has a Hessian");
            let of = |row: usize, column: usize| found.rows[row][column];
            let exact = [0.0, -power(-2 * j), -power(-2 * j), power(i - 3 * j + 1)];
            assert_eq!([of(0, 0), of(0, 1), of(1, 0), of(1, 1)], exact, "2^{i} / 2^{j}");
        }
    }
}

#[test]
fn a_remainder_counts_the_multiples_that_were_subtracted() {
    // 0.1 is a little more than a tenth, so there are 9 in 1, though 1 / 0.1 is rounded to 10.
    for op in ["x % y", "x.rem_euclid(y)"] {
        let source = format!("pub fn f(x: f64, y: f64) -> f64 {{ {op} }}");
        let loaded = Loaded::from_source("f.rs", &source).expect("it loads");
        let [positive, negative] = [1.0, -1.0].map(|x| by_all(&loaded, &[x, 0.1]));
        for (engine, found) in positive {
            assert_eq!(found, [1.0, -9.0], "1.0 % 0.1 by {engine}");
        }
        let of_y = if op == "x % y" { 9.0 } else { 10.0 };
        for (engine, found) in negative {
            assert_eq!(found, [1.0, of_y], "{op} at -1 by {engine}");
        }
    }
}

#[test]
fn logarithms_and_angles_have_derivatives_near_the_greatest_floats() {
    let log10 =
        Loaded::from_source("f.rs", "pub fn f(x: f64) -> f64 { x.log10() * 1e200 }").expect("it loads");
    let log =
        Loaded::from_source("f.rs", "pub fn f(x: f64) -> f64 { x.log(1e10) * 1e200 }").expect("it loads");
    let atan2 =
        Loaded::from_source("f.rs", "pub fn f(y: f64, x: f64) -> f64 { y.atan2(x) }").expect("it loads");
    let close =
        |found: f64, exact: f64| assert!((found / exact - 1.0).abs() < 1e-14, "{found:e}, not {exact:e}");
    for (engine, found) in by_all(&log10, &[1e308]) {
        if ["transformation", "tape"].contains(&engine) {
            // 1e-308 alone has fewer digits.
            assert!(
                (found[0] / (1e-108 / std::f64::consts::LN_10) - 1.0).abs() < 1e-14,
                "{engine}: {found:?}"
            );
        }
    }
    for (engine, found) in by_all(&log, &[1e300]) {
        assert!((found[0] / (1e-100 / 1e10_f64.ln()) - 1.0).abs() < 1e-14, "{engine}: {found:?}");
    }
    for scale in [1e-300, 1e-200, 1e-160, 1.0, 1e160, 1e200, 1e300] {
        for (_, found) in by_all(&atan2, &[3.0 * scale, 4.0 * scale]) {
            close(found[0], 0.16 / scale);
            close(found[1], -0.12 / scale);
        }
    }
}
