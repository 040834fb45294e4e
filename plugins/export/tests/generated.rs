//! Files as they are exported, for people to read; clippy checks them with the rest of the project.
//!
//! `BLESS=1 cargo test -p overdub-export --test generated` writes them again.

mod compiled;

// Included, since they are laid out with the default settings of rustfmt and not with those of the project.
#[allow(unreachable_pub)]
mod escape {
    include!("generated/escape.rs");
}
#[allow(unreachable_pub)]
mod interpolation {
    include!("generated/interpolation.rs");
}
#[allow(unreachable_pub)]
mod rosenbrock {
    include!("generated/rosenbrock.rs");
}

use std::path::Path;
use std::{env, fs};

use overdub_context::Symbol;
use overdub_export::{Arithmetic, Derivative, Export, ExportError, Failures, LANES, Results};
use overdub_lower::Loaded;

const ROSENBROCK: &str = "/// Rosenbrock's valley, whose only minimum is at 1 in every coordinate.
pub fn rosenbrock(x: &[f64]) -> f64 {
    let mut total = 0.0;
    for i in 0..x.len() - 1 {
        let a = 1.0 - x[i];
        let b = x[i + 1] - x[i] * x[i];
        total += a * a + 100.0 * b * b;
    }
    total
}
";

const ESCAPE: &str = "/// How fast the iteration z² + c leaves a circle.
pub fn escape(re: f64, im: f64) -> f64 {
    let (mut x, mut y) = (0.0, 0.0);
    let mut steps = 0;
    while steps < 50 {
        (x, y) = (x * x - y * y + re, 2.0 * x * y + im);
        if x * x + y * y > 16.0 {
            break;
        }
        steps += 1;
    }
    (x * x + y * y).ln() / f64::powi(2.0, steps)
}
";

const INTERPOLATION: &str = "/// The value between two samples.
pub fn interpolation(samples: &[f64], at: f64) -> f64 {
    assert!(at >= 0.0, \"there is no sample at {at}\");
    let before = at as usize;
    let part = at - before as f64;
    samples[before] * (1.0 - part) + samples[before + 1] * part
}
";

/// A derivative of a function of a source with respect to its first `active` parameters, as a file.
fn exported(
    name: &str,
    source: &str,
    derivative: Derivative,
    active: usize,
    language: fn(&Export<'_>) -> Result<String, ExportError>,
) -> String {
    exported_with(name, source, (derivative, active), language, |export| export)
}

/// As [`exported`], by an export with more options.
fn exported_with(
    name: &str,
    source: &str,
    (derivative, active): (Derivative, usize),
    language: fn(&Export<'_>) -> Result<String, ExportError>,
    options: fn(Export<'_>) -> Export<'_>,
) -> String {
    let file = format!("{name}.rs");
    let loaded = Loaded::from_source(&file, source).unwrap_or_else(|error| panic!("{error}"));
    let function = loaded.function(name).unwrap_or_else(|error| panic!("{error}"));
    let engine = loaded.engine();
    let line = |_: Symbol, line: u32| source.lines().nth(line as usize - 1).map(str::to_owned);
    let wrt: Vec<bool> = (0..function.params.len()).map(|at| at < active).collect();
    let (ending, what) = match derivative {
        Derivative::ValueAndGradient => ("value_and_gradient_into", "The value and the gradient"),
        Derivative::ValueAndGradients => ("value_and_gradients_into", "The values and the gradients"),
        Derivative::Hvp => ("hvp_into", "The product of the Hessian with a direction"),
        _ => ("gradient", "The gradient"),
    };
    options(Export::new(&engine))
        .with_source(line)
        .derivative(
            function.symbol,
            derivative,
            &wrt,
            &format!("{name}_{ending}"),
            &format!("{what} of `{name}`."),
        )
        .and_then(|export| language(&export))
        .unwrap_or_else(|error| panic!("{error}"))
}

/// Compares a file with what it should be, or writes it.
fn check(path: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if env::var_os("BLESS").is_some() {
        fs::write(&path, text).expect("the file can be written");
    }
    assert_eq!(fs::read_to_string(&path).expect("the file is there"), text, "{}", path.display());
}

#[test]
fn the_files_are_as_exported() {
    for (name, source) in [("rosenbrock", ROSENBROCK), ("escape", ESCAPE)] {
        let text = exported(name, source, Derivative::Gradient, 2, |export| export.rust());
        check(&format!("tests/generated/{name}.rs"), &text);
    }
}

#[test]
fn the_file_that_returns_failures_is_as_exported() {
    let rust = |export: &Export<'_>| export.rust();
    let text = exported_with("interpolation", INTERPOLATION, (Derivative::Gradient, 2), rust, |export| {
        export.with_failures(Failures::Result)
    });
    check("tests/generated/interpolation.rs", &text);
}

#[test]
fn failures_are_values() {
    use interpolation::interpolation_gradient;
    let samples = [1.0, 3.0, 2.0];
    assert_eq!(interpolation_gradient(&samples, 0.25), Ok((vec![0.75, 0.25, 0.0], 2.0)));
    let failure = interpolation_gradient(&samples, -1.0).expect_err("it is before the first sample");
    assert_eq!(failure.message(), "there is no sample at -1");
    assert!(failure.at().starts_with("interpolation.rs:3:"), "{}", failure.at());
    let error: Box<dyn std::error::Error> = interpolation_gradient(&samples, 2.5).unwrap_err().into();
    let expected = "index out of bounds: the len is 3 but the index is 3, interpolation.rs:6:";
    assert!(error.to_string().starts_with(expected), "{error}");
}

#[test]
fn the_file_in_c_is_as_exported_and_accepted_by_a_compiler() {
    let text = exported("rosenbrock", ROSENBROCK, Derivative::Gradient, 2, |export| export.c());
    check("tests/generated/rosenbrock.c", &text);
    compiled::c::is_accepted("generated", &text);
}

/// The programs that the benchmarks measure: file, function, the number of active parameters, and the derivative.
const MEASURED: &[(&str, &str, usize, Derivative)] = &[
    ("small", "rosenbrock", 1, Derivative::ValueAndGradient),
    ("small", "rosenbrock", 1, Derivative::Gradient),
    ("small", "rosenbrock", 1, Derivative::Hvp),
    ("small", "windows", 1, Derivative::ValueAndGradient),
    ("small", "windows", 1, Derivative::Gradient),
    ("small", "path", 1, Derivative::ValueAndGradient),
    ("small", "sines", 1, Derivative::ValueAndGradient),
    ("small", "total", 1, Derivative::ValueAndGradient),
    ("small", "trace", 2, Derivative::ValueAndGradient),
    ("small", "tree", 1, Derivative::ValueAndGradient),
    ("mixture", "mixture", 1, Derivative::ValueAndGradient),
    ("mixture", "mixture_in_ten", 1, Derivative::ValueAndGradient),
    ("adjustment", "residuals", 3, Derivative::ValueAndGradients),
    ("lstm", "lstm", 1, Derivative::ValueAndGradient),
    ("perceptron", "perceptron", 4, Derivative::ValueAndGradient),
];

fn into_slices(export: Export<'_>) -> Export<'_> {
    export.with_results(Results::IntoSlices)
}

/// As one by hand that uses its tape again.
fn with_memory_of_the_caller(export: Export<'_>) -> Export<'_> {
    into_slices(export).with_workspace()
}

#[test]
fn the_measured_files_are_as_exported() {
    for (file, name, active, derivative) in MEASURED {
        let source =
            Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../benches/kernels/objectives/{file}.rs"));
        let source = fs::read_to_string(source).expect("the program is there");
        let rust = |export: &Export<'_>| export.rust();
        let options = if *name == "sines" { with_memory_of_the_caller } else { into_slices };
        let text = exported_with(name, &source, (*derivative, *active), rust, options);
        let suffix = match derivative {
            Derivative::Hvp => "_hvp",
            Derivative::Gradient => "_gradient",
            _ => "",
        };
        check(&format!("../../benches/kernels/exported/{name}{suffix}.rs"), &text);
    }
}

/// A function that the benchmark of lanes measures.
struct InLanes {
    file: &'static str,
    name: &'static str,
    /// The parameters that elements share.
    fixed: &'static [&'static str],
    has_gradient: bool,
    is_fast: bool,
}

const IN_LANES: &[InLanes] = &[
    in_lanes("elements/mod", "escape", &[], false, false),
    in_lanes("lanes", "root", &[], false, false),
    in_lanes("lanes", "logistic", &["r"], false, false),
    in_lanes("lanes", "logistic", &["r"], true, false),
    in_lanes("elements/mod", "call", &["strike", "rate", "volatility", "years"], false, false),
    in_lanes("elements/mod", "call", &["strike", "rate", "volatility", "years"], false, true),
    in_lanes("elements/mod", "orbit", &["k"], false, false),
    in_lanes("elements/mod", "orbit", &["k"], false, true),
    in_lanes("elements/mod", "orbit", &["k"], true, false),
    in_lanes("elements/mod", "orbit", &["k"], true, true),
];

const fn in_lanes(
    file: &'static str,
    name: &'static str,
    fixed: &'static [&'static str],
    has_gradient: bool,
    is_fast: bool,
) -> InLanes {
    InLanes { file, name, fixed, has_gradient, is_fast }
}

#[test]
fn the_measured_functions_in_lanes_are_as_exported() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/benches");
    for InLanes { file, name, fixed, has_gradient, is_fast } in IN_LANES {
        let source = fs::read_to_string(folder.join(format!("{file}.rs"))).expect("the program is there");
        // Only the functions themselves: what they stand among is the benchmark's.
        let functions: Vec<&str> = source.split("\n\n").filter(|item| item.contains("#[dub]\n")).collect();
        let source = functions.join("\n\n").replace("#[dub]\n", "").replace("pub(crate) fn", "pub fn");
        let loaded = Loaded::from_source(&format!("{name}.rs"), &source).expect("it is a program");
        let (engine, function) = (loaded.engine(), loaded.function(name).expect("it is there"));
        let arithmetic = if *is_fast { Arithmetic::Fast } else { Arithmetic::Exact };
        let export = Export::new(&engine).with_arithmetic(arithmetic).with_lanes(LANES, fixed);
        let doc = format!("`{name}` of one element.");
        let export = match has_gradient {
            true => {
                let wrt = vec![true; function.params.len()];
                export.derivative(function.symbol, Derivative::ValueAndGradient, &wrt, name, &doc)
            }
            false => Ok(export.function(function.symbol, name, &doc)),
        };
        let text = export.and_then(|export| export.rust()).unwrap_or_else(|error| panic!("{error}"));
        let gradient = if *has_gradient { "_gradient" } else { "" };
        let fast = if *is_fast { "_fast" } else { "" };
        check(&format!("../../benches/kernels/exported/lanes/{name}{gradient}{fast}.rs"), &text);
    }
}

#[test]
fn their_gradients_are_right() {
    assert_eq!(rosenbrock::rosenbrock_gradient(&[1.0, 1.0, 1.0]), [0.0, 0.0, 0.0]);
    assert_eq!(rosenbrock::rosenbrock_gradient(&[0.0, 1.0]), [-2.0, 200.0]);
    let escape = |re: f64, im: f64| {
        let (mut x, mut y, mut steps) = (0.0_f64, 0.0_f64, 0);
        while x * x + y * y <= 16.0 {
            (x, y) = (x * x - y * y + re, 2.0 * x * y + im);
            steps += 1;
        }
        (x * x + y * y).ln() / f64::powi(2.0, steps - 1)
    };
    let (dre, dim) = escape::escape_gradient(0.4, 0.45);
    let difference = (escape(0.4 + 1e-7, 0.45) - escape(0.4 - 1e-7, 0.45)) / 2e-7;
    assert!((dre - difference).abs() < 1e-6 * difference.abs(), "{dre}, by differences {difference}");
    let difference = (escape(0.4, 0.45 + 1e-7) - escape(0.4, 0.45 - 1e-7)) / 2e-7;
    assert!((dim - difference).abs() < 1e-6 * difference.abs(), "{dim}, by differences {difference}");
}
