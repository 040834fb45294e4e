//! This file, loaded as a source, is lowered to the IR of its annotated functions, with the same locations.

use overdub::context::text::Printer;
use overdub::lower::{Loaded, registry};
use overdub::prelude::*;
use std::f64::consts::TAU;

/// Documentation is not compared.
#[derive(Dub, Clone, Copy, PartialEq)]
struct Wave {
    height: f64,
    /// In turns.
    phase: f64,
}

#[derive(Dub, Clone)]
enum Signal<T> {
    Silence,
    Waves(Vec<T>),
}

#[dub]
impl Wave {
    fn at(&self, t: f64) -> f64 {
        // A comment, and a text with two lines.
        assert!(t.is_finite(), "no\ntime");
        self.height * (TAU * (t + self.phase)).sin()
    }
}

#[dub]
const STEPS: usize = 4;

#[dub]
macro_rules! square {
    ($e:expr) => {
        $e * $e
    };
}

#[dub]
fn power(signal: &Signal<Wave>, out: &mut Vec<f64>) -> f64 {
    let mut sum = 0.0;
    for step in 0..STEPS {
        let t = step as f64 / STEPS as f64;
        let value = match signal {
            Signal::Silence => 0.0,
            Signal::Waves(waves) => waves.iter().map(|wave| wave.at(t)).sum(),
        };
        out.push(value);
        sum += square!(value);
    }
    sum
}

#[dub]
mod inner {
    use super::*;

    pub(crate) fn mean<const N: usize>(xs: [f64; N]) -> Option<f64> {
        if N == 0 { None } else { Some(xs.iter().sum::<f64>() / (N * STEPS) as f64) }
    }
}

/// The IR of a function and of all that it calls, with the location of each instruction.
fn printed(loaded: &Loaded, path: &str) -> String {
    let function = loaded.function(path).expect("the function is loaded");
    let funcs = loaded.closure_of(function.instance).expect("the function is lowered");
    let mut text = String::new();
    for func in funcs {
        text.push_str(&Printer::new().with_spans().func(&func));
        text.push('\n');
    }
    text
}

#[test]
fn both_doors_give_the_same_functions_and_places() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/both_doors.rs");
    let text = std::fs::read_to_string(path).expect("the file is there");
    let loaded = Loaded::from_source(file!(), &text).expect("the file is Rust");
    for name in ["power", "Wave::at"] {
        assert_eq!(printed(registry::program(), name), printed(&loaded, name), "{name}");
    }
    let mut out = vec![];
    let signal = Signal::Waves(vec![Wave { height: 1.0, phase: 0.25 }]);
    let mut plain = vec![];
    assert_eq!(run(power, (&signal, &mut out)).unwrap(), power(&signal, &mut plain));
    assert_eq!(out, plain);
    assert_eq!(run(power, (&Signal::Silence, &mut out)).unwrap(), 0.0);
    assert_eq!(run(inner::mean::<2>, ([1.0, 2.0],)).unwrap(), inner::mean([1.0, 2.0]));
}
