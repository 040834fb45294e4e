//! Files as they are exported, for people to read; clippy checks them with the rest of the project.
//!
//! `BLESS=1 cargo test -p overdub-export --test generated` writes them again.

// Included, since they are laid out with the default settings of rustfmt and not with those of the project.
#[allow(unreachable_pub)]
mod escape {
    include!("generated/escape.rs");
}
#[allow(unreachable_pub)]
mod rosenbrock {
    include!("generated/rosenbrock.rs");
}

use std::path::Path;
use std::{env, fs};

use overdub_context::Symbol;
use overdub_export::{Derivative, Export};
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

/// The gradient of the only function of a source, as a file.
fn exported(name: &str, source: &str) -> String {
    let file = format!("{name}.rs");
    let loaded = Loaded::from_source(&file, source).unwrap_or_else(|error| panic!("{error}"));
    let function = loaded.function(name).unwrap_or_else(|error| panic!("{error}"));
    let engine = loaded.engine();
    let line = |_: Symbol, line: u32| source.lines().nth(line as usize - 1).map(str::to_owned);
    let wrt = vec![true; function.params.len()];
    let doc = format!("The gradient of `{name}`.");
    Export::new(&engine)
        .with_source(line)
        .derivative(function.symbol, Derivative::Gradient, &wrt, &format!("{name}_gradient"), &doc)
        .and_then(|export| export.rust())
        .unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn the_files_are_as_exported() {
    for (name, source) in [("rosenbrock", ROSENBROCK), ("escape", ESCAPE)] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/generated/{name}.rs"));
        let text = exported(name, source);
        if env::var_os("BLESS").is_some() {
            fs::write(&path, &text).expect("the file can be written");
        }
        assert_eq!(fs::read_to_string(&path).expect("the file is there"), text, "{name}");
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
