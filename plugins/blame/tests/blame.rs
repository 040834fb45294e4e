//! Where floats come from: chains, sums, places; and tracking changes no result.

use std::sync::{Arc, Mutex};

use overdub_ad::flatten::floats;
use overdub_blame::{Blame, BlameError, Origins};
use overdub_context::engine::{Engine, Executor, Interpreting, Sink};
use overdub_context::testing::{Program, alike, cases, programs};
use overdub_context::value::{Composite, Value};
use overdub_lower::{Loaded, PRELUDE};
use overdub_native::Native;
use overdub_passes::Optimised;
use proptest::prelude::*;

fn value(source: &str, args: Vec<Value<'static>>) -> Result<Origins, BlameError> {
    let loaded = Loaded::from_source("f.rs", source).expect("it parses");
    let f = loaded.function("f").expect("it has an `f`").symbol;
    Blame::new(&loaded.engine()).with_library(PRELUDE).value(f, args)
}

fn gradient(source: &str, args: Vec<Value<'static>>) -> Result<Origins, BlameError> {
    let loaded = Loaded::from_source("f.rs", source).expect("it parses");
    let f = loaded.function("f").expect("it has an `f`").symbol;
    Blame::new(&loaded.engine()).with_library(PRELUDE).gradient(f, args)
}

/// The line, the operation and its operands where the float at a place originated.
fn began(origins: &Origins, place: &str) -> (u32, &'static str, Vec<f64>) {
    let report = origins.report(place).expect("there is a float");
    let first = report.chain.last().expect("it is not finite");
    (first.span.line, first.op.name, first.operands.iter().map(|operand| operand.value).collect())
}

#[test]
fn a_nan_is_followed_to_the_operation_that_made_it_of_finite_numbers() {
    let source = "pub fn f(x: &[f64]) -> f64 {
        let logs: Vec<f64> =
            x.iter().map(|x| x.ln()).collect();
        let mut sum = 0.0;
        for l in &logs { sum += l * 2.0; }
        sum.max(f64::NEG_INFINITY) + logs[0]
    }";
    let origins = value(source, vec![Value::floats(vec![1.0, -3.0, 2.0])]).unwrap();
    // `max` drops a NaN, so the NaN of the logarithm is not the one in the result.
    assert_eq!(began(&origins, "value").1, "max");
    let source = source.replace(".max(f64::NEG_INFINITY)", "");
    let origins = value(&source, vec![Value::floats(vec![1.0, -3.0, 2.0])]).unwrap();
    assert_eq!(began(&origins, "value"), (3, "ln", vec![-3.0]));
    let tree = origins.report("value").unwrap().tree;
    assert_eq!(tree.last().unwrap().argument.as_deref(), Some("x[1]"));
}

#[test]
fn what_the_library_computes_stands_where_it_is_called() {
    let source = "pub fn f(x: &[f64]) -> f64 {
        let sum: f64 = x.iter().sum();
        let most = x.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        sum / (most - most)
    }";
    let origins = value(source, vec![Value::floats(vec![1e308, 1e308])]).unwrap();
    assert_eq!(began(&origins, "value").0, 2);
    let origins = value(source, vec![Value::floats(vec![1.0, 2.0])]).unwrap();
    assert_eq!(began(&origins, "value"), (4, "div", vec![3.0, 0.0]));
}

#[test]
fn a_gradient_is_followed_to_the_line_of_the_primal() {
    // The value is finite, the derivative of the root is not.
    let source = "pub fn f(x: f64, y: f64) -> f64 {
        let r = x.sqrt();
        r * 2.0 + y
    }";
    let origins = gradient(source, vec![Value::F64(0.0), Value::F64(1.0)]).unwrap();
    assert_eq!(origins.first_not_finite().map(|(place, _)| place).as_deref(), Some("x"));
    assert_eq!(began(&origins, "x"), (2, "div", vec![0.5, 0.0]));
    assert_eq!(origins.float("y").unwrap().value, 1.0);
}

#[test]
fn an_entry_of_a_gradient_is_a_sum_of_what_its_uses_add() {
    let source = "pub fn f(p: &[f64]) -> f64 {
        let a = 1.0 - p[0];
        let b = p[1] - p[0] * p[0];
        a * a
            + 100.0 * b * b
    }";
    let origins = gradient(source, vec![Value::floats(vec![1.5, 2.0])]).unwrap();
    let report = origins.report("p[0]").unwrap();
    let lines: Vec<(u32, f64)> = report.lines.iter().map(|line| (line.span.line, line.sum)).collect();
    assert_eq!(lines, [(3, 150.0), (4, 1.0)]);
    assert_eq!(report.value, 151.0);
}

#[test]
fn a_sum_that_uses_one_number_often_takes_no_exponential_time() {
    let source = "pub fn f(x: f64) -> f64 {
        let mut y = x * 0.5;
        for _ in 0..200 { y = y + y; }
        y
    }";
    let origins = value(source, vec![Value::F64(1.0)]).unwrap();
    let report = origins.report("value").unwrap();
    assert_eq!((report.terms.len(), report.terms[0].value), (1, 200.0_f64.exp2() * 0.5));
}

#[test]
fn places_are_fields_and_elements() {
    let source = "pub struct P { pub a: f64, pub n: usize, pub b: [f64; 2] }
    pub fn f(p: P, (k, scale): (usize, f32), x: &mut [f64]) -> f64 {
        x[k] = p.b[1].exp() * scale as f64;
        x[0] * p.a
    }";
    let loaded = Loaded::from_source("f.rs", source).unwrap();
    let function = loaded.function("f").unwrap();
    let parts = [Value::F64(2.0), Value::from(1_usize), Value::floats(vec![0.0, 800.0])];
    let ty = Some(function.params[0].ir_ty);
    let p = Value::Composite(Arc::new(Composite { ty, tag: 0, parts: parts.into_iter().collect() }));
    let args = vec![p, Value::tuple([Value::from(1_usize), Value::F32(2.0)]), Value::floats(vec![3.0, 4.0])];
    let engine = loaded.engine();
    let origins = Blame::new(&engine).value(function.symbol, args.clone()).unwrap();
    let places: Vec<String> = origins.places().collect();
    assert_eq!(places, ["value.0", "value.1[0]", "value.1[1]"]);
    let tree = origins.report("value.1[1]").unwrap().tree;
    assert_eq!(tree.last().unwrap().argument.as_deref(), Some("p.b[1]"));
    // The result of a function with `&mut` parameters is a tuple; the gradient is that of its own result.
    let origins = Blame::new(&engine).gradient(function.symbol, args).unwrap();
    assert_eq!((origins.float("p.a").unwrap().value, origins.float("x[0]").unwrap().value), (3.0, 2.0));
    assert_eq!(origins.float("p.n"), None);
}

#[test]
fn elements_of_arrays_come_from_those_at_their_places() {
    let source = "use ndarray::Array1;
    pub fn f(x: &Array1<f64>, y: &Array1<f64>) -> Array1<f64> { x / y }";
    let args = vec![Value::floats(vec![1.0, 0.0, 3.0]), Value::floats(vec![0.0, 0.0, 1.0])];
    let origins = value(source, args).unwrap();
    assert_eq!(began(&origins, "value[0]"), (2, "div", vec![1.0, 0.0]));
    assert_eq!(began(&origins, "value[1]"), (2, "div", vec![0.0, 0.0]));
}

#[test]
fn floats_are_followed_through_operations_that_call_functions() {
    let sorted = "pub fn f(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.sort_by(|a, b| (a * a).total_cmp(&(b * b)));
    v[0].ln() * v[1]
}";
    let mapped = "use ndarray::Array1;
pub fn f(x: &Array1<f64>) -> f64 {
    let y = x.map(|x| x - 1.0);
    y.mapv(|y| y.ln()).sum()
}";
    for (source, line, made_of) in [(sorted, 4, -1.0), (mapped, 4, -2.0)] {
        let origins = value(source, vec![Value::floats(vec![3.0, -1.0, 2.0])]).expect("it does not fail");
        assert_eq!(began(&origins, "value"), (line, "ln", vec![made_of]), "{source}");
        let origins = gradient(source, vec![Value::floats(vec![3.0, 4.0, 2.0])]).expect("it does not fail");
        let report = origins.report("x[2]").expect("there is one");
        assert!(report.render(&|_, _| None).contains("f.rs"), "{source}");
    }
}

#[test]
fn a_gradient_that_is_not_transformed_is_refused_at_the_line_of_the_user() {
    let source = "use ndarray::Array1;
pub fn f(x: &Array1<f64>) -> f64 {
    let mut y = x.clone();
    y.mapv_inplace(|v| v.ln());
    y.sum()
}";
    let args = || vec![Value::floats(vec![1.0, 2.0])];
    let error = gradient(source, args()).expect_err("it is made by another engine");
    let BlameError::NotTransformed(error) = error else { panic!("{error}") };
    assert_eq!((&*error.span.file, error.span.line), ("f.rs", 4));
    assert!(error.help.is_some_and(|help| help.contains("the entry `value`")));
    assert!(value(source, args()).is_ok());
}

#[test]
fn errors_say_what_and_where() {
    let error = gradient("pub fn f(n: u32) -> u32 { n + 1 }", vec![Value::from(1_u32)]).unwrap_err();
    assert_eq!(error.to_string(), "`f` returns `u32`, which is no float: it has no gradient");
    let error = value("pub fn f(x: f64) -> f64 { x }", vec![]).unwrap_err();
    assert_eq!(error.to_string(), "`f` takes 1 arguments, got 0");
    let error = value("pub fn f(x: &[f64]) -> f64 { x[3] }", vec![Value::floats(vec![1.0])]).unwrap_err();
    assert!(matches!(&error, BlameError::Program(failure) if failure.report().span.line == 1), "{error}");
    let source =
        "pub fn f(x: f64) -> f64 { let mut y = x; loop { y = y * 1.0 + 1.0; if y < 0.0 { return y; } } }";
    let loaded = Loaded::from_source("f.rs", source).unwrap();
    let engine = loaded.engine();
    let limited = Blame::new(&engine).with_limit(1 << 20);
    let error = limited.value(loaded.function("f").unwrap().symbol, vec![Value::F64(1.0)]).unwrap_err();
    assert!(error.to_string().contains("would take more than 1048576 bytes"), "{error}");
}

fn runs_alike(program: &Program, executor: impl Executor + 'static) {
    let engine = Engine::builder(program.module()).executor(executor).build();
    let plain = engine.run("main", program.args());
    match (Blame::new(&engine).value("main", program.args()), plain) {
        (Ok(origins), Ok(value)) => {
            let floats = floats(&value);
            let found: Vec<f64> = origins
                .places()
                .map(|place| origins.float(&place).expect("a place of the result").value)
                .collect();
            assert_eq!(floats.len(), found.len());
            for (a, b) in floats.iter().zip(&found) {
                assert!(alike(&Value::F64(*a), &Value::F64(*b)), "plain {a}, followed {b}");
            }
        }
        (Err(BlameError::Program(a)), Err(b)) => assert_eq!(a.report().message, b.report().message),
        (a, b) => panic!("followed {a:?}, plain {b:?}"),
    }
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn following_changes_no_result(program in programs()) {
        let nowhere = || -> Sink { Arc::new(Mutex::new(|_: &str| {})) };
        runs_alike(&program, Interpreting::new().printing(nowhere()));
        let optimised = Optimised::new(Interpreting::new().printing(nowhere()));
        runs_alike(&program, optimised);
        runs_alike(&program, Native::new().printing(nowhere()));
    }
}
