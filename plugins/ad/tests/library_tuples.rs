//! Functions of `libm` that return tuples: every engine has the derivative of each float in the tuple.

use overdub_ad::dual::jvp;
use overdub_ad::flatten::floats;
use overdub_ad::tape::record;
use overdub_ad::transform::forward::ForwardTransform;
use overdub_ad::transform::reverse::Transformed;
use overdub_context::Symbol;
use overdub_context::engine::Engine;
use overdub_context::value::Value;
use overdub_lower::{Function, Loaded};

/// Bits computed with, as in the library: no derivative passes through.
const HIDDEN: &str = "
    fn hidden(x: f64) -> f64 { f64::from_bits((x.to_bits() as u128 * 3 / 3) as u64) }";

const REMQUO: &str = "
    pub mod remquo { pub fn remquo(x: f64, y: f64) -> (f64, i32) {
        let n = (x / y).round_ties_even();
        (super::hidden((-n).mul_add(y, x)), n as i32)
    } }
    pub mod remquof { pub fn remquof(x: f32, y: f32) -> (f32, i32) {
        let n = (x / y).round_ties_even();
        (super::hidden((-n).mul_add(y, x) as f64) as f32, n as i32)
    } }";

const MODF: &str = "
    pub mod modf { pub fn modf(x: f64) -> (f64, f64) {
        let whole = super::hidden(x.trunc());
        (super::hidden(x - whole), whole)
    } }";

fn in_math(of: &str, body: &str) -> String {
    format!(
        "pub mod libm {{ pub mod math {{ {HIDDEN} {of} }} }}
        use libm::math::*;
        pub fn f(x: f64, y: f64) -> f64 {{ {body} }}"
    )
}

fn program(source: &str) -> (Engine, Function) {
    let loaded = Loaded::from_source("f.rs", source).unwrap_or_else(|error| panic!("{error}"));
    let f = loaded.function("f").unwrap_or_else(|error| panic!("{error}"));
    (loaded.engine(), f)
}

fn pair(x: [f64; 2]) -> Vec<Value<'static>> {
    x.map(Value::F64).to_vec()
}

fn value(engine: &Engine, f: Symbol, at: [f64; 2]) -> f64 {
    floats(&engine.run(f, pair(at)).unwrap_or_else(|failure| panic!("{failure}")))[0]
}

/// Difference quotients in each direction.
fn quotients(of: impl Fn([f64; 2]) -> f64, at: [f64; 2], h: f64) -> [f64; 2] {
    [0, 1].map(|k| {
        let (mut above, mut below) = (at, at);
        above[k] += h;
        below[k] -= h;
        (of(above) - of(below)) / (above[k] - below[k])
    })
}

fn both(values: &[Value<'_>]) -> [f64; 2] {
    [floats(&values[0])[0], floats(&values[1])[0]]
}

/// The gradient by each engine.
fn gradients(engine: &Engine, f: &Function, at: [f64; 2]) -> Vec<(&'static str, [f64; 2])> {
    let fails = |failure| -> ! { panic!("{failure}") };
    let directions = [[1.0, 0.0], [0.0, 1.0]];
    let transformed = Transformed::gradient(engine, f.symbol, &|_| true).expect("it can be transformed");
    let duals = directions.map(|dx| {
        let (_, dy) = jvp(engine, f.symbol, pair(at), pair(dx)).unwrap_or_else(|failure| fails(failure));
        floats(&dy)[0]
    });
    let forward = directions.map(|dx| {
        let args = pair(at).into_iter().chain(pair(dx)).collect();
        let both = engine.overdub(&ForwardTransform::new(), f.symbol, args);
        floats(&both.unwrap_or_else(|failure| fails(failure)))[1]
    });
    let recorded = record(engine, f.symbol, pair(at)).unwrap_or_else(|failure| fails(failure));
    let pulled = recorded.pullback.pull(&[1.0]).unwrap_or_else(|failure| fails(failure));
    let (_, dx) =
        overdub_ad::gradient(engine, f.symbol, pair(at), f.ir_ret).unwrap_or_else(|failure| fails(failure));
    let (_, reverse) = transformed.run(pair(at)).unwrap_or_else(|failure| fails(failure));
    vec![
        ("gradient", both(&dx)),
        ("reverse transformation", both(&reverse)),
        ("forward transformation", forward),
        ("dual numbers", duals),
        ("tape", both(&pulled)),
    ]
}

/// Compares all engines, and second derivatives, with difference quotients.
fn agrees(source: &str, at: [f64; 2], (h, tolerance): (f64, f64)) {
    let (engine, f) = program(source);
    let near = |found: f64, quotient: f64| (found - quotient).abs() <= tolerance * quotient.abs().max(1.0);
    let by_differences = quotients(|x| value(&engine, f.symbol, x), at, h);
    for (name, found) in gradients(&engine, &f, at) {
        for k in [0, 1] {
            assert!(near(found[k], by_differences[k]), "{name}: {found:?}, not {by_differences:?} at {at:?}");
        }
    }
    let first = |x: [f64; 2]| {
        overdub_ad::gradient(&engine, f.symbol, pair(x), f.ir_ret)
            .unwrap_or_else(|failure| panic!("{failure}"))
    };
    let hessian = overdub_ad::hessian(&engine, f.symbol, pair(at), f.ir_ret)
        .unwrap_or_else(|failure| panic!("{failure}"));
    for k in [0, 1] {
        let row = quotients(|x| both(&first(x).1)[k], at, h);
        for j in [0, 1] {
            let found = hessian.rows[k][j];
            assert!(near(found, row[j]), "second derivative {k} {j}: {found}, not {} at {at:?}", row[j]);
        }
    }
}

const FINE: (f64, f64) = (1e-5, 1e-5);

#[test]
fn a_remainder_with_its_quotient_varies_and_the_quotient_does_not() {
    let body = "let (r, q) = remquo::remquo(x * y, y + 0.3); r * r * x + q as f64 * y";
    let source = in_math(REMQUO, body);
    for at in [[10.3, 2.5], [-10.3, 2.5], [10.3, -2.5], [-7.1, -1.9], [0.1, 3.0]] {
        agrees(&source, at, FINE);
    }
}

#[test]
fn in_a_loop_and_as_a_tuple_that_branches_choose() {
    let body = "
        let mut z = x;
        let mut kept = remquo::remquo(y, 1.7);
        for k in 0..4 {
            let found = remquo::remquo(z * y, 3.25);
            if found.1 > kept.1 { kept = found; }
            z += kept.0 * k as f64 - 0.3 * found.1 as f64;
        }
        z * kept.0";
    let source = in_math(REMQUO, body);
    for at in [[2.3, 1.1], [-4.7, 2.2]] {
        agrees(&source, at, (1e-6, 1e-4));
    }
}

#[test]
fn in_single_precision_too() {
    let body = "let (r, q) = remquo::remquo(1.0, 1.0); let (s, n) = remquof::remquof(x as f32, y as f32);
        (s * s * s) as f64 * x + n as f64 * y + r * q as f64";
    let (engine, f) = program(&in_math(REMQUO, body));
    for (at, n) in [([10.3, 2.5], 4.0), ([-10.3, 2.5], -4.0), ([7.1, -1.9], -4.0)] {
        let s = at[0] - n * at[1];
        let formula = [s * s * s + 3.0 * s * s * at[0], -3.0 * s * s * n * at[0] + n];
        for (name, found) in gradients(&engine, &f, at) {
            for k in [0, 1] {
                let error = (found[k] - formula[k]).abs();
                assert!(error <= 1e-5 * formula[k].abs().max(1.0), "{name}: {found:?}, not {formula:?}");
            }
        }
    }
}

#[test]
fn a_fractional_part_varies_and_the_integral_part_does_not() {
    let source = in_math(MODF, "let (part, whole) = modf::modf(x * y); part * part * x + whole * whole * y");
    for at in [[10.3, 2.5], [-10.3, 2.55], [0.1, 3.0]] {
        agrees(&source, at, FINE);
    }
}

#[test]
fn a_sine_and_a_cosine_have_each_its_own_derivative() {
    // The library reduces a large argument by its bits.
    let body = "pub mod sincos { pub fn sincos(x: f64) -> (f64, f64) {
        let x = super::hidden(x);
        (x.sin(), x.cos())
    } }";
    let source = in_math(body, "let (s, c) = sincos::sincos(x * y); s * x + c * c * y");
    for at in [[0.3, 2.5], [-10.3, 2.5], [0.0, 3.0]] {
        agrees(&source, at, FINE);
    }
}

#[test]
fn a_logarithm_of_the_gamma_function_that_knows_some_values_has_its_derivative_there_too() {
    // ln Γ(x) by the recurrence and the asymptotic series; constants at 1 and 2, as in the library.
    let body = "
        pub mod lgamma_r { pub fn lgamma_r(x: f64) -> (f64, i32) {
            if x == 1.0 || x == 2.0 { return (0.0, 1); }
            let (mut z, mut product) = (super::hidden(x), 1.0f64);
            while z < 20.0 { product *= z; z += 1.0; }
            let w = 1.0 / (z * z);
            let series = (1.0 / 12.0 - w * (1.0 / 360.0 - w * (1.0 / 1260.0 - w / 1680.0))) / z;
            let sign = if product < 0.0 { -1 } else { 1 };
            ((z - 0.5) * z.ln() - z + 0.9189385332046727 + series - product.abs().ln(), sign)
        } }";
    let source = in_math(body, "let (l, sign) = lgamma_r::lgamma_r(x); l * l * y + l * x + sign as f64 * y");
    for x in [0.7, 1.0, 2.0, 3.6, 11.5, -0.4, -3.7] {
        agrees(&source, [x, 1.5], FINE);
    }
}

#[test]
fn what_is_laid_out_as_libm_is_held_against_the_formulas() {
    let body = "let (r, q) = remquo::remquo(x * y, y + 0.3); let (part, whole) = modf::modf(x * r);
        r * part * x + q as f64 * y + whole * x";
    let copy = format!(
        "pub mod math {{ {HIDDEN} {REMQUO} {MODF} }} use math::*; pub fn f(x: f64, y: f64) -> f64 {{ {body} }}"
    );
    for at in [[10.3, 2.5], [-10.3, 2.55]] {
        agrees(&copy, at, FINE);
    }
    let other =
        "pub mod math { pub mod remquo { pub fn remquo(x: f64, y: f64) -> (f64, i32) { (x % y, 0) } } }
        pub fn f(x: f64, y: f64) -> f64 { math::remquo::remquo(x, y).0 }";
    let (engine, f) = program(other);
    let failure =
        overdub_ad::gradient(&engine, f.symbol, pair([2.9, 1.0]), f.ir_ret).expect_err("it is another");
    assert!(failure.report().message.contains("its derivative is unknown"), "{failure}");
}

#[test]
fn a_tuple_of_other_types_is_looked_into() {
    let body = "pub mod remquo { pub fn remquo(x: f64, y: f64) -> (f64, f64) { (x * y, x + y) } }";
    agrees(&in_math(body, "let (a, b) = remquo::remquo(x, y); a * a * b"), [1.3, 0.7], FINE);
}
