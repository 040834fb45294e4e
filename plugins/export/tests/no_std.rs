//! Text for crates without the standard library: what `core` lacks comes from `libm` or from helpers.

mod compiled;

use overdub_context::value::Value;
use overdub_export::{Derivative, Export, ExportError, Library, Printed};
use overdub_lower::Loaded;

use compiled::{libm, outcomes};

/// Methods of floats; `x` and `y` are the floats and `n` an integer.
const METHODS: &[&str] = &[
    "x.sqrt() + x.cbrt() + x.abs() + x.signum() + x.copysign(y) + x.recip()",
    "x.sin() + x.cos() + x.tan() + x.sin_cos().0 * x.sin_cos().1",
    "(x / 9.0).asin() + (x / 9.0).acos() + x.atan() + x.atan2(y)",
    "x.sinh() + x.cosh() + x.tanh() + x.asinh() + (1.5 + x.abs()).acosh() + (x / 9.0).atanh()",
    "x.exp() + x.exp2() + x.exp_m1() + y.abs().ln() + y.abs().ln_1p() + y.abs().log2() + y.abs().log10()",
    "y.abs().log(2.5) + x.hypot(y) + y.abs().powf(x) + x.mul_add(y, 0.1) + x.powi(n) + y.powi(-n)",
    "x.floor() + x.ceil() + x.round() + x.round_ties_even() + x.trunc() + x.fract()",
    "x.div_euclid(y) + x.rem_euclid(y) + x % y + x.to_degrees() + y.to_radians()",
    "x.min(y).max(0.25).clamp(0.0, 2.0) + if x.is_nan() || y.is_infinite() { 1.0 } else { 0.0 }",
];

/// Functions with text, vectors, types and function values.
const PROGRAMS: &[&str] = &[
    "pub fn f(x: &[f64]) -> String { format!(\"{:>8.3} of {}\", x[0].sin(), x.len()).to_uppercase() }",
    "pub fn f(x: &[f64]) -> Vec<f64> { x.iter().map(|x| x.exp() * std::f64::consts::PI).collect() }",
    "#[derive(Clone, Debug)] pub enum Tree { Leaf(f64), Node(Box<Tree>, Box<Tree>) }
     pub fn f(x: &[f64]) -> Tree { Tree::Node(Box::new(Tree::Leaf(x[0])), Box::new(Tree::Leaf(x[1]))) }",
    "pub fn f(x: &[f64]) -> f64 {
         let functions: Vec<Box<dyn Fn(f64) -> f64>> = vec![Box::new(|x| x.ln()), Box::new(|x| x * 2.0)];
         functions.iter().zip(x).map(|(f, x)| f(*x)).sum()
     }",
    "#[derive(Clone, Copy, Debug)] pub enum Shape { Box(f64), Rc, Vec { len: f64 } }
     pub fn f(x: &[f64]) -> Shape { if x[0] > 1.0 { Shape::Box(x[0]) } else if x[0] > 0.0 { Shape::Rc } else { Shape::Vec { len: x[1] } } }",
    "pub fn f(x: &[f64]) -> Vec<f64> { let mut v = x.to_vec(); v.sort_by(|a, b| b.total_cmp(a)); v }",
    "pub fn f(x: &[f64]) -> f64 { // \"std::vec::Vec\" and a ' in a comment
         let quote = '\\''; if x[0] > 1.0 && quote == '\"' { x[0] } else { x[1] } }",
];

/// A function without the standard library, with a `main` that calls it.
fn exported(source: &str, args: Vec<Value<'static>>) -> String {
    let loaded = Loaded::from_source("case.rs", source).unwrap_or_else(|error| panic!("{error}\n{source}"));
    let f = loaded.function("f").unwrap_or_else(|error| panic!("{error}\n{source}")).symbol;
    let engine = loaded.engine();
    let export = Export::new(&engine).function(f, "f", "").with_library(Library::NoStd);
    let export = match args.is_empty() {
        true => export,
        false => {
            let types = export.params("f").unwrap_or_else(|error| panic!("{error}"));
            let args = args.into_iter().zip(types.into_iter().map(|(_, ty)| ty)).collect();
            export.with_main(args, Printed::Debug)
        }
    };
    export.rust().unwrap_or_else(|error| panic!("{error}\n{source}"))
}

#[test]
fn functions_of_floats_are_those_of_the_interpreter() {
    let (mut texts, mut libraries, mut expected) = (Vec::new(), Vec::new(), Vec::new());
    for (ty, body) in ["f64", "f32"].into_iter().flat_map(|ty| METHODS.iter().map(move |body| (ty, body))) {
        let source = format!("pub fn f(x: {ty}, y: {ty}, n: i32) -> {ty} {{ {body} }}");
        let loaded = Loaded::from_source("case.rs", &source).unwrap_or_else(|error| panic!("{error}"));
        let f = loaded.function("f").unwrap_or_else(|error| panic!("{error}")).symbol;
        libraries.push(exported(&source, Vec::new()));
        for (x, y, n) in [(0.75, -2.5, 3), (-1.5, 0.5, -2), (2.5, 7.0, 0), (0.0, -0.0, 1)] {
            let float = |x: f64| if ty == "f64" { Value::F64(x) } else { Value::F32(x as f32) };
            let args = vec![float(x), float(y), Value::from(n)];
            texts.push(exported(&source, args.clone()));
            let value = loaded.engine().run(f, args).unwrap_or_else(|error| panic!("{error}\n{source}"));
            let value = match value {
                Value::F32(value) => f64::from(value),
                value => value.as_f64().expect("a float"),
            };
            expected.push((source.clone(), format!("{value:?}")));
        }
    }
    for ((outcome, (source, expected)), text) in
        outcomes("no_std floats", &texts).into_iter().zip(expected).zip(&texts)
    {
        let printed = outcome.unwrap_or_else(|error| panic!("{error}\n{text}"));
        let widened = match source.contains("f32") {
            true => printed.parse::<f32>().map(|x| format!("{:?}", f64::from(x))),
            false => printed.parse::<f64>().map(|x| format!("{x:?}")),
        };
        assert_eq!(widened.as_deref(), Ok(expected.as_str()), "{text}");
    }
    libm::compile_without_std("no_std floats", &libraries);
}

#[test]
fn texts_vectors_and_types_come_from_alloc() {
    let texts: Vec<String> = PROGRAMS.iter().map(|source| exported(source, Vec::new())).collect();
    for text in &texts {
        assert!(
            !text.lines().any(|line| !line.trim_start().starts_with("//") && line.contains("std::")),
            "{text}"
        );
    }
    libm::compile_without_std("no_std programs", &texts);
}

#[test]
fn what_needs_the_standard_library_is_an_error() {
    let loaded =
        Loaded::from_source("case.rs", "pub fn f(x: f64) -> f64 {\n    println!(\"{x}\");\n    x\n}");
    let loaded = loaded.unwrap_or_else(|error| panic!("{error}"));
    let (engine, f) =
        (loaded.engine(), loaded.function("f").unwrap_or_else(|error| panic!("{error}")).symbol);
    let export = Export::new(&engine).function(f, "f", "").with_library(Library::NoStd);
    let error = export.rust().expect_err("it prints");
    assert_eq!(error.to_string(), "`f` cannot be exported: what it prints needs the standard library");
    assert_eq!(error.span().line, 2);
    assert_eq!(export.c(), Err(ExportError::LibraryInC));
}

#[test]
fn a_gradient_by_libm_is_that_of_the_standard_library() {
    let source = "pub fn f(x: f64) -> f64 { x.sin() * x.exp() }";
    let loaded = Loaded::from_source("case.rs", source).unwrap_or_else(|error| panic!("{error}"));
    let (engine, f) =
        (loaded.engine(), loaded.function("f").unwrap_or_else(|error| panic!("{error}")).symbol);
    let export = Export::new(&engine).with_library(Library::NoStd);
    let export = export.derivative(f, Derivative::Gradient, &[true], "exported", "");
    let text = export.and_then(|export| export.rust()).unwrap_or_else(|error| panic!("{error}"));
    for called in ["libm::sin(x)", "libm::cos(x)", "libm::exp(x)"] {
        assert!(text.contains(called), "{text}");
    }
    // It has no vectors and no texts, so it does not allocate.
    assert!(!text.contains("alloc"), "{text}");
}
