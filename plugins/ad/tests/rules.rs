//! The table of rules is complete, and right at ordinary points and at the edges of domains.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use overdub_ad::rules::{Rule, rule};
use overdub_context::interp::Interpreter;
use overdub_context::ir::{FuncBuilder, Module, Operand, Ty};
use overdub_context::ops::{self, Arity, OpDef};

#[test]
fn every_operation_has_a_row() {
    let missing: Vec<&str> =
        ops::ALL.iter().copied().flatten().filter(|op| rule(op).is_none()).map(|op| op.name).collect();
    assert!(missing.is_empty(), "operations without a rule: {missing:?}");
}

/// The sources of this crate, each with its path.
fn sources(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in std::fs::read_dir(folder).expect("the sources can be read") {
        let path = entry.expect("the sources can be read").path();
        if path.is_dir() {
            sources(&path, found);
        } else {
            let text = std::fs::read_to_string(&path).expect("the sources can be read");
            found.push((path, text));
        }
    }
}

#[test]
fn no_operation_is_known_by_its_name() {
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    let names: HashSet<&str> = ops::ALL.iter().copied().flatten().map(|op| op.name).collect();
    let mut found = Vec::new();
    for (path, text) in files {
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//")) {
            // Whether a literal is a name in a pattern or a comparison, by the text around it.
            let is_pattern = |(at, name): (usize, &str)| {
                let (before, after) = (
                    line[..at - 1].trim_end(),
                    line.get(at + name.len() + 1..).unwrap_or_default().trim_start(),
                );
                let is_compared = before.ends_with("==") || after.starts_with("==");
                let is_matched =
                    before.ends_with('|') || ["=>", "|", "if "].iter().any(|it| after.starts_with(it));
                names.contains(name) && (is_compared || is_matched)
            };
            let mut from = 0;
            let mut literals = line.split('"').enumerate().filter_map(|(k, text)| {
                let at = from;
                from += text.len() + 1;
                (k % 2 == 1).then_some((at, text))
            });
            let parts = ["match op.name", "op.name.starts_with", "op.name.ends_with", "op.name =="];
            if literals.any(is_pattern) || parts.iter().any(|part| line.contains(part)) {
                found.push(format!("{}:{}: {}", path.display(), at + 1, line.trim()));
            }
        }
    }
    assert!(found.is_empty(), "compare `&'static OpDef`s, or ask the row:\n{}", found.join("\n"));
}

fn apply(op: &'static OpDef, args: &[f64]) -> f64 {
    let mut build = FuncBuilder::new("f", Ty::f64());
    let args = args.iter().copied().map(Operand::from);
    let y = build.op(op, args).expect("it takes floats");
    build.ret(y).expect("it is open");
    let module = Module::new();
    module.define(build.finish().expect("it is valid"));
    Interpreter::new(&module).run("f", Vec::new()).expect("it runs").as_f64().expect("a float")
}

/// The derivative by extrapolated central differences.
fn difference(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    let central = |h: f64| (f(x + h) - f(x - h)) / (2.0 * h);
    let h = 1e-3 * x.abs().max(1.0);
    let (a, b, c) = (central(h), central(h / 2.0), central(h / 4.0));
    let (ab, bc) = ((4.0 * b - a) / 3.0, (4.0 * c - b) / 3.0);
    (16.0 * bc - ab) / 15.0
}

#[test]
fn each_partial_derivative_is_what_differences_of_the_operation_say() {
    // Ordinary points, inside the domain of every function with that many operands.
    let points: [&[f64]; 2] = [&[0.37, 0.81, 1.3], &[0.62, 1.7, 2.9]];
    for op in ops::ALL.iter().copied().flatten().copied() {
        let Some(Rule::Partials(partials)) = rule(op) else { continue };
        let Arity::Exactly(count) = op.arity else { panic!("`{}` has partials but no arity", op.name) };
        if *op == ops::POWI {
            continue; // takes an integer; tested with the edges
        }
        for point in points {
            let mut point: Vec<f64> = point[..count].to_vec();
            if *op == ops::ACOSH {
                point[0] += 1.0;
            }
            let result = apply(op, &point);
            for (k, partial) in partials.of(count).iter().enumerate() {
                let ours = partial.eval(&point, result).expect("the formula holds");
                let moved = |x: f64| {
                    let mut at = point.clone();
                    at[k] = x;
                    apply(op, &at)
                };
                let theirs = difference(moved, point[k]);
                let error = (ours - theirs).abs();
                let is_step = *op == ops::NEXT_UP || *op == ops::NEXT_DOWN;
                assert!(
                    error <= if is_step { 1e-6 } else { 1e-9 * (1.0 + theirs.abs()) },
                    "`{}` at {point:?}, operand {k}: {ours} but {theirs} by differences",
                    op.name
                );
            }
        }
    }
}

fn powf_partials(x: f64, y: f64) -> (f64, f64) {
    let Some(Rule::Partials(partials)) = rule(&ops::POWF) else { panic!("powf has partials") };
    let eval = |k: usize| partials.of(2)[k].eval(&[x, y], x.powf(y)).expect("the formula holds");
    (eval(0), eval(1))
}

#[test]
fn powers_have_the_derivatives_of_the_table_at_their_edges() {
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    let table = [
        ((1.0, 2.0), (2.0, 0.0)),
        ((2.0, 2.0), (4.0, 2.772588722239781)),
        ((0.0, 2.0), (0.0, 0.0)),
        ((0.0, 1.0), (1.0, 0.0)),
        ((-0.0, 1.0), (1.0, 0.0)),
        ((0.0, 0.0), (0.0, nan)),
        ((-0.0, 0.0), (0.0, nan)),
        ((0.0, -1.0), (-inf, nan)),
        ((-0.0, -2.0), (inf, nan)),
        ((0.0, -1.5), (-inf, nan)),
        ((0.0, 0.5), (inf, 0.0)),
    ];
    for ((x, y), expected) in table {
        let ours = powf_partials(x, y);
        let same = |a: f64, b: f64| a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() < 1e-14;
        assert!(
            same(ours.0, expected.0) && same(ours.1, expected.1),
            "at {x}^{y}: {ours:?}, not {expected:?}"
        );
    }
}
