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
