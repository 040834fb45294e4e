//! Functions that write vectors of their results to slices of the caller, and take memory from its workspace, give what those
//! give that return them.

mod compiled;

use overdub_export::{Derivative, Export, ExportError, Failures, Library, Results};
use overdub_lower::Loaded;

use compiled::outcomes;

/// A function `f`, what is exported of it, its arguments, and the parts of the result with those that are slices.
struct Case<'a> {
    source: &'a str,
    derivative: Option<Derivative>,
    args: &'static str,
    /// The results in order; the names of those in slices begin with `s`.
    parts: &'static [&'static str],
    /// Whether all slices are computed in place.
    in_place: bool,
}

const CASES: &[Case<'_>] = &[
    Case {
        source: "pub fn f(x: &[f64], w: &[f64], k: f64) -> f64 {
            let mut sum = 0.0;
            for i in 0..x.len() - 1 { sum += w[i] * (x[i + 1] - x[i]) * k; }
            sum
        }",
        derivative: Some(Derivative::ValueAndGradient),
        args: "&[0.5, -1.5, 2.0, 0.25], &[1.0, 2.0, 3.0], 0.5",
        parts: &["y", "s1", "s2", "dk"],
        in_place: true,
    },
    Case {
        source: "pub fn f(x: &[f64]) -> f64 { x.windows(2).map(|w| w[0] * w[1].sin()).sum() }",
        derivative: Some(Derivative::Gradient),
        args: "&[0.5, -1.5, 2.0, 0.25]",
        parts: &["s1"],
        in_place: true,
    },
    Case {
        source: "pub fn f(x: &[f64], k: f64) -> (f64, f64) {
            let (mut a, mut b) = (0.0, 1.0);
            for x in x { a += x * k; b *= x * x; }
            (a, b)
        }",
        derivative: Some(Derivative::ValueAndGradients),
        args: "&[0.5, -1.5, 2.0, 0.25], 0.5",
        parts: &["y", "s1", "dk", "s2", "dl"],
        in_place: true,
    },
    // Zero meets infinity.
    Case {
        source: "pub fn f(x: &[f64]) -> f64 { x.iter().map(|x| if *x > 0.0 { *x } else { 0.0 * x.sqrt() }).sum() }",
        derivative: Some(Derivative::Gradient),
        args: "&[0.0, 1.0, 0.0]",
        parts: &["s1"],
        in_place: true,
    },
    Case {
        source: "pub fn f(x: &[f64], k: f64) -> Vec<f64> { x.iter().map(|x| (x * k).exp()).collect() }",
        derivative: Some(Derivative::Vjp),
        args: "&[0.5, -1.5], 0.5, &[1.0, 2.0]",
        parts: &["s1", "s2", "dk"],
        in_place: false,
    },
    Case {
        source: "pub fn f(x: &[f64], k: f64) -> Vec<f64> { x.iter().map(|x| (x * k).exp()).collect() }",
        derivative: Some(Derivative::Jvp),
        args: "&[0.5, -1.5], 0.5, &[1.0, 0.0], 2.0",
        parts: &["s1", "s2"],
        in_place: false,
    },
    Case {
        source: "pub fn f(x: &[f64]) -> f64 { x.iter().map(|x| x * x * x).sum() }",
        derivative: Some(Derivative::Hvp),
        args: "&[0.5, -1.5], &[1.0, 2.0]",
        parts: &["s1"],
        in_place: true,
    },
    // Tapes of inner loops, a tape that grows in branches, and vectors that each round makes.
    Case {
        source: "pub fn f(x: &[f64], n: usize) -> f64 {
            let mut y = 1.0;
            for i in 0..n {
                let mut row = vec![0.0; i + 1];
                for j in 0..i + 1 { row[j] = (x[j] * y).sin(); }
                let mut k = 0;
                while k < row.len() && y < 3.0 { y += if row[k] > 0.2 { row[k].exp() * y } else { y.cos() }; k += 1; }
                y *= 0.5;
            }
            y
        }",
        derivative: Some(Derivative::ValueAndGradient),
        args: "&[0.5, -1.5, 2.0, 0.25], 4",
        parts: &["y", "s1"],
        in_place: true,
    },
    // Returned at two places, from branches, in a tuple that a call makes.
    Case {
        source: "pub fn f(n: usize) -> Vec<f64> {
            let mut all = vec![0.0; n];
            if n > 3 { return vec![1.0, 2.0]; }
            for i in 0..n { all[i] = i as f64; }
            all
        }",
        derivative: None,
        args: "3",
        parts: &["s1"],
        in_place: false,
    },
    Case {
        source: "pub fn f(n: usize) -> (Vec<f64>, usize, Vec<f64>) {
            if n > 3 { (vec![1.0; n], n, vec![2.0]) } else { other(n) }
        }
        fn other(n: usize) -> (Vec<f64>, usize, Vec<f64>) {
            let mut all = Vec::new();
            for i in 0..n { if all.len() < 5 { all.push(i as f64); } }
            if n == 2 { other(n - 1) } else { (all.clone(), n + 1, all) }
        }",
        derivative: None,
        args: "2",
        parts: &["s1", "n", "s2"],
        in_place: false,
    },
    // What calls itself is written twice.
    Case {
        source: "pub fn f(x: f64, depth: usize) -> Vec<f64> {
            let mut all = vec![0.0; 2];
            if depth > 0 { let below = f(x + 1.0, depth - 1); all[0] = below[1] + x; all[1] = below[0]; }
            all
        }",
        derivative: None,
        args: "0.5, 4",
        parts: &["s1"],
        in_place: true,
    },
    // A vector that the function changes as a whole is no slice.
    Case {
        source: "pub fn f(x: &[f64]) -> Vec<f64> {
            let mut all = vec![0.0; x.len()];
            for i in 0..x.len() { all[i] = x[i] * 2.0; }
            all.push(1.0);
            all.reverse();
            all
        }",
        derivative: None,
        args: "&[1.0, 2.0, 3.0]",
        parts: &["s1"],
        in_place: false,
    },
];

/// Loops over a slice of zeros, and the helper that zeros what they do not overwrite.
const LOOPS: &[(&str, Option<&str>)] = &[
    ("for i in 0..x.len() { all[i] = x[i] * 2.0; }", None),
    ("for i in 0..x.len() - 2 { all[i] = x[i] * 2.0; }", Some("zero_from")),
    ("let n = x.len() - 2; for i in 0..n { let i = n - 1 - i; all[i] = x[i] * 2.0; }", Some("zero")),
    ("for i in 0..x.len() - 2 { all[i] = x[i]; all[i] *= all[i] + x[i + 1]; }", Some("zero_from")),
    (
        "for i in 0..x.len() / 2 { all[i] = x[i]; } for i in 1..x.len() - 1 { all[i] += all[i - 1]; }",
        Some("zero_from"),
    ),
    ("for i in 1..x.len() { all[i] = x[i] * 2.0; }", Some("zero")),
    ("for i in 0..x.len() { all[i] += x[i] * 2.0; }", None),
    ("for i in 0..x.len() { all[i] = x[i]; all[0] += 1.0; }", Some("zero")),
    ("for i in 0..x.len() { all[i] = x[i] + all[3 - i]; }", Some("zero")),
    ("for i in 0..x.len() { if x[i] > 0.0 { all[i] = x[i]; } }", Some("zero")),
    ("for i in 0..x.len() { if x[i] < 0.0 { break; } all[i] = x[i]; }", Some("zero")),
    ("for i in 0..x.len() { if x[i] < 0.0 { continue; } all[i] = x[i]; }", Some("zero")),
    ("for i in 0..x.len() { all[i] = x[i]; if x[i] < 0.0 { return all; } }", Some("zero")),
    ("for i in 0..x.len() { if x[0] > 0.0 { all[i] = x[i]; } else { all[i] = 3.0; } }", Some("zero")),
    ("if x[0] > 0.0 { for i in 0..x.len() { all[i] = x[i]; } }", Some("zero")),
    ("for i in 0..x.len() { for _ in 0..x.len() { all[i] += x[i]; } }", Some("zero")),
    ("all[2] = 5.0; for i in 0..x.len() - 2 { all[i] = x[i]; }", Some("zero")),
];

/// The text of a case.
fn text(case: &Case<'_>, set: impl Fn(Export<'_>) -> Export<'_>) -> String {
    let loaded = Loaded::from_source("f.rs", case.source).expect("it is a program");
    let (engine, f) = (loaded.engine(), loaded.function("f").expect("it is there"));
    let export = set(Export::new(&engine));
    let wrt = vec![true; f.params.len()];
    let export = match case.derivative {
        Some(derivative) => export.derivative(f.symbol, derivative, &wrt, "f", "").expect("it has one"),
        None => export.function(f.symbol, "f", ""),
    };
    export.rust().unwrap_or_else(|error| panic!("{error}: {}", case.source))
}

/// A program that compares both ways to the bit, and gives a slice that is too long.
fn program(
    case: &Case<'_>,
    set: impl Fn(Export<'_>) -> Export<'_>,
    after: &str,
    has_workspace: bool,
) -> String {
    let [returned, written] = [Results::Returned, Results::IntoSlices].map(|results| {
        text(case, |export| {
            let export = set(export.with_results(results));
            let takes_it = has_workspace && results == Results::IntoSlices;
            if takes_it { export.with_workspace() } else { export }
        })
    });
    assert_eq!(!written.contains("copy("), case.in_place, "{written}");
    let is_slice = |part: &&&str| part.starts_with('s');
    let slices: Vec<&str> = case.parts.iter().filter(is_slice).copied().collect();
    let others: Vec<&str> = case.parts.iter().filter(|part| !is_slice(part)).copied().collect();
    let pattern = |parts: &[&str]| match parts {
        [one] => (*one).to_owned(),
        parts => format!("({})", parts.join(", ")),
    };
    let call = |longer: &str| {
        let places = slices.iter().map(|slice| format!(", &mut to_{slice}{longer}"));
        let workspace = if has_workspace { ", &mut workspace" } else { "" };
        format!("written::f({}{}{workspace}){after}", case.args, places.collect::<String>())
    };
    let mut main = format!("let {} = returned::f({}){after};\n", pattern(case.parts), case.args);
    if has_workspace {
        main.push_str("let mut workspace = written::Workspace::default();\n");
    }
    for slice in &slices {
        main.push_str(&format!("let mut to_{slice} = vec![9.0; {slice}.len()];\n"));
    }
    // Twice, since slices hold numbers of earlier calls.
    for _ in 0..2 {
        main.push_str(&match &others[..] {
            [] => format!("{};\n", call("")),
            others => {
                let names: Vec<String> = others.iter().map(|other| format!("to_{other}")).collect();
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                format!("let {} = {};\n", pattern(&names), call(""))
            }
        });
        for part in case.parts {
            main.push_str(&format!(
                "assert_eq!(format!(\"{{:?}}\", {part}), format!(\"{{:?}}\", to_{part}));\n"
            ));
        }
    }
    main.push_str("println!(\"same\");\n");
    for slice in &slices {
        main.push_str(&format!("to_{slice}.push(0.0);\n"));
    }
    main.push_str(&format!("_ = {};\n", call("")));
    format!(
        "mod returned {{\n#![allow(unused_imports)]\nuse super::super::*;\n{returned}\n}}\n\
         mod written {{\n#![allow(unused_imports)]\nuse super::super::*;\n{written}\n}}\n\
         #[allow(clippy::unit_arg)]\nfn main() {{\n{main}}}\n"
    )
}

fn check(name: &str, set: impl Fn(Export<'_>) -> Export<'_>, after: &str, has_workspace: bool) {
    let programs: Vec<String> = CASES.iter().map(|case| program(case, &set, after, has_workspace)).collect();
    for (program, outcome) in programs.iter().zip(outcomes(name, &programs)) {
        let error = outcome.expect_err("a slice has another length");
        // All comparisons come before.
        assert!(error.contains("was given for"), "{error}\n{program}");
    }
}

#[test]
fn what_is_written_to_slices_is_what_is_returned() {
    check("destinations", |export| export, "", false);
    check("destinations workspace", |export| export, "", true);
}

#[test]
fn zeros_that_a_loop_overwrites_are_left_out() {
    let programs: Vec<String> = LOOPS
        .iter()
        .map(|(statements, helper)| {
            let source = format!(
                "pub fn f(x: &[f64]) -> Vec<f64> {{ let mut all = vec![0.0; x.len()]; {statements} all }}"
            );
            let (derivative, args) = (None, "&[0.5, -1.5, 2.0, 0.25]");
            let case = Case { source: &source, derivative, args, parts: &["s1"], in_place: true };
            let written = text(&case, |export| export.with_results(Results::IntoSlices));
            let found =
                ["zero", "zero_from"].into_iter().find(|name| written.contains(&format!(" {name}(all")));
            assert_eq!(found, *helper, "{statements}\n{written}");
            program(&case, |export| export, "", false)
        })
        .collect();
    for (program, outcome) in programs.iter().zip(outcomes("overwritten zeros", &programs)) {
        let error = outcome.expect_err("a slice has another length");
        assert!(error.contains("was given for"), "{error}\n{program}");
    }
}

#[test]
fn so_it_is_where_failures_are_returned() {
    check("destinations failures", |export| export.with_failures(Failures::Result), ".unwrap()", false);
    check("workspace failures", |export| export.with_failures(Failures::Result), ".unwrap()", true);
}

#[test]
fn with_a_workspace_a_gradient_makes_no_vectors() {
    for case in CASES.iter().filter(|case| case.in_place && case.derivative.is_some()) {
        for failures in [Failures::Panic, Failures::Result] {
            let text = text(case, |export| {
                export.with_results(Results::IntoSlices).with_workspace().with_failures(failures)
            });
            let makes = ["vec!", "Vec::new()", "repeated(", ".to_vec()", ".clone()"];
            assert!(!makes.iter().any(|made| text.contains(made)), "{text}");
        }
    }
}

#[test]
fn without_vectors_nothing_is_allocated_without_the_standard_library() {
    let case = &CASES[0];
    let text = text(case, |export| export.with_results(Results::IntoSlices).with_library(Library::NoStd));
    assert!(!text.contains("extern crate alloc"), "{text}");
    compiled::libm::compile_without_std("destinations no_std", &[text]);
}

#[test]
fn c_and_programs_return_vectors() {
    let loaded = Loaded::from_source("f.rs", CASES[1].source).expect("it is a program");
    let (engine, f) = (loaded.engine(), loaded.function("f").expect("it is there"));
    let export = || Export::new(&engine).with_results(Results::IntoSlices).function(f.symbol, "f", "");
    assert!(matches!(export().c(), Err(ExportError::MemoryOfCaller("C"))));
    let main = export().with_main(Vec::new(), overdub_export::Printed::Debug);
    assert!(matches!(main.rust(), Err(ExportError::MemoryOfCaller("programs"))));
}
