//! Derivatives through checkpoints that keep named values, exported and compiled, equal those without checkpoints.

mod compiled;

use overdub_context::value::Value;
use overdub_export::{Derivative, Export, Printed};
use overdub_lower::Loaded;

use compiled::{c, outcomes};

/// A block by a checkpoint that keeps all that it names, and by none.
const SOURCE: &str = r#"use overdub::ad::{checkpoint_name, checkpoint_saving};
fn block(w: &[f64], x: f64, n: usize) -> f64 {
    let mut y = x;
    for i in 0..n {
        let s = checkpoint_name((y * w[i % w.len()]).sin(), "wave");
        if s > 0.0 {
            y = checkpoint_name((s * y).exp(), "growth") * s;
        } else {
            y = s * 0.5 + y * y;
        }
    }
    let mut all = checkpoint_name(vec![y, y * x, y * w[0]], "all");
    all[0] = all[1] * all[2];
    let (a, b) = checkpoint_name((all[0].tanh(), all[1]), "pair");
    a * b + all[2]
}
pub fn kept(w: &[f64], x: f64, n: usize) -> f64 {
    let mut y = x;
    for _ in 0..2 {
        y = checkpoint_saving(|y: f64| block(w, y, n), y, ["wave", "growth", "all", "pair"]) * 0.5;
    }
    y
}
pub fn stored(w: &[f64], x: f64, n: usize) -> f64 {
    let mut y = x;
    for _ in 0..2 {
        y = block(w, y, n) * 0.5;
    }
    y
}"#;

fn programs(write: impl Fn(Export<'_>) -> String) -> Vec<String> {
    let loaded = Loaded::from_source("kept.rs", SOURCE).unwrap_or_else(|error| panic!("{error}"));
    let engine = loaded.engine();
    let w = || Value::floats(vec![0.7, -0.4, 1.1]);
    let gradient = || vec![w(), Value::F64(0.6), Value::from(4_usize)];
    let along = || [gradient(), vec![w(), Value::F64(0.5)]].concat();
    let cases = [
        (Derivative::Gradient, gradient()),
        (Derivative::ValueAndGradient, gradient()),
        (Derivative::Vjp, [gradient(), vec![Value::F64(2.0)]].concat()),
        (Derivative::Hvp, along()),
    ];
    let mut programs = Vec::new();
    for (derivative, args) in cases {
        for name in ["kept", "stored"] {
            let f = loaded.function(name).unwrap_or_else(|error| panic!("{error}")).symbol;
            let export = Export::new(&engine).derivative(f, derivative, &[true, true, true], "exported", "");
            let export = export.unwrap_or_else(|error| panic!("{error}"));
            let params = export.params("exported").unwrap_or_else(|error| panic!("{error}"));
            let args = args.iter().cloned().zip(params.into_iter().map(|(_, ty)| ty)).collect();
            programs.push(write(export.with_main(args, Printed::Debug)));
        }
    }
    programs
}

#[test]
fn kept_values_change_no_bit_of_exported_rust() {
    let programs = programs(|export| export.rust().unwrap_or_else(|error| panic!("{error}")));
    assert!(programs[0].contains("kept.push("), "{}", programs[0]);
    for pair in outcomes("checkpoints", &programs).chunks(2) {
        assert_eq!(pair[0], pair[1]);
        assert!(pair[0].as_ref().is_ok_and(|text| text.contains("0.")), "{pair:?}");
    }
}

#[test]
fn kept_values_change_no_bit_of_exported_c() {
    let programs = programs(|export| export.c().unwrap_or_else(|error| panic!("{error}")));
    for pair in c::outcomes("checkpoints", &programs).into_iter().flatten().collect::<Vec<_>>().chunks(2) {
        assert_eq!(pair[0], pair[1]);
        assert!(pair[0].as_ref().is_ok_and(|text| text.contains("0.")), "{pair:?}");
    }
}
