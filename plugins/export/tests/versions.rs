//! Versions of exported loops over slices: which loops have one, and where it runs.

use overdub_export::{Derivative, Export};
use overdub_lower::Loaded;

/// The text of a gradient, and that of the function itself.
fn texts(source: &str) -> [String; 2] {
    let loaded = Loaded::from_source("versions.rs", source).expect("it is a program");
    let (engine, f) = (loaded.engine(), loaded.function("f").expect("it is there"));
    let gradient = Export::new(&engine)
        .derivative(f.symbol, Derivative::Gradient, &[true, true], "gradient", "")
        .expect("it has a gradient");
    let primal = Export::new(&engine).function(f.symbol, "f", "");
    [gradient, primal].map(|export| export.rust().expect("it has a text"))
}

/// The conditions of versions.
fn versions(text: &str) -> Vec<&str> {
    let conditions = text.split("if ").skip(1).filter_map(|rest| Some(rest.split_once('{')?.0));
    conditions.filter(|condition| condition.contains("_part.len() ==")).collect()
}

#[test]
fn the_repetition_with_strong_zeros_has_loops_with_checks_alone() {
    let [gradient, primal] = texts(
        "pub fn f(x: &[f64], w: &[f64]) -> f64 {
            let mut y = vec![0.0; x.len()];
            for i in 0..x.len() { y[i] = x[i] * w[i] * x[i]; }
            y[3]
        }",
    );
    assert!(gradient.contains("gradient_by::<true>"), "{gradient}");
    let conditions = versions(&gradient);
    assert!(!conditions.is_empty(), "{gradient}");
    assert!(conditions.iter().all(|condition| condition.starts_with("!STRONG")), "{gradient}");
    let conditions = versions(&primal);
    assert!(!conditions.is_empty() && !primal.contains("STRONG"), "{primal}");
}

/// Bodies of a loop over `i` that changes `total` or `y`, and in how many of the sweeps of their gradient it has a version.
const BODIES: &[(&str, usize)] = &[
    ("y[i] = x[i] * w[i] * x[i];", 2),
    ("y[i] = (x[i] * w[i]).sqrt() * x[i];", 2),
    // Functions of the library are called for one element after the other, in the first sweep and in the second.
    ("y[i] = x[i].sin() * w[i] * x[i];", 0),
    ("y[i] = if x[i] > 1.0 { x[i].ln() * w[i] } else { x[i] * x[i] };", 0),
    // The second does not call it again.
    ("y[i] = w[i] * x[i].exp();", 1),
    // Each round of the second adds to the derivative of `w[0]`.
    ("y[i] = x[i] * w[0] * x[i];", 1),
];

#[test]
fn loops_that_are_not_vectorised_have_checks_alone() {
    for (body, count) in BODIES {
        let [gradient, _] = texts(&format!(
            "pub fn f(x: &[f64], w: &[f64]) -> f64 {{
                let mut y = vec![0.0; x.len()];
                for i in 0..x.len() {{ {body} }}
                y[3] * y[4]
            }}"
        ));
        assert_eq!(versions(&gradient).len(), *count, "{body}\n{gradient}");
    }
}
