//! Tapes of exported gradients: which are vectors of a known length, which get all records of a loop at once, and which grow; and
//! gradients by all of them have the bits of the engine's.

mod compiled;

use overdub_ad::GradientRoute;
use overdub_ad::flatten::floats;
use overdub_context::value::Value;
use overdub_export::{Derivative, Export, Printed};
use overdub_lower::Loaded;

use compiled::outcomes;

/// How a tape is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Tape {
    /// A vector of the length of its loop.
    Vector,
    /// All records of an inner loop at once.
    Records,
    /// One record after the other.
    Grows,
}

/// Functions `f(x: f64, n: usize) -> f64` of `n` rounds, with their tape.
const PROGRAMS: &[(&str, Tape)] = &[
    ("let mut y = x; for _ in 0..n { y = y.sin() * 1.1 + 0.5 * y; } y", Tape::Vector),
    ("let mut y = x; for i in 2..n { y = (y * i as f64).sin() + 0.5; } y", Tape::Vector),
    // Each of two loops has a tape.
    (
        "let mut y = x; for _ in 0..n { y = y.sin() + 1.0; } for _ in 0..n { y = y.cos() * y; } y",
        Tape::Vector,
    ),
    // Two floats for each round.
    ("let (mut y, mut z) = (x, 1.0); for _ in 0..n { (y, z) = (y.sin() * z, y * y); } y * z", Tape::Vector),
    (
        "let mut y = x; for i in 0..n { for j in 0..i { y = (y * j as f64).sin() + 0.5; } y = y.cos(); } y",
        Tape::Records,
    ),
    // The loop is left early, or its end is not known, or a side of a branch records.
    (
        "let mut y = x; for i in 0..n { y = if y > 0.7 { y.sin() } else { y.exp() * y + i as f64 }; } y",
        Tape::Grows,
    ),
    ("let mut y = x; for _ in 0..n { y = y.sin() * 1.1 + 0.5; if y > 0.9 { break; } } y", Tape::Grows),
    ("let mut y = x; while y > 0.01 { y = y.sin() * 0.7; } y", Tape::Grows),
];

#[test]
fn tapes_of_counted_loops_have_their_length_and_gradients_their_bits() {
    let (mut texts, mut expected) = (Vec::new(), Vec::new());
    for (body, tape) in PROGRAMS {
        let source = format!("pub fn f(x: f64, n: usize) -> f64 {{ {body} }}");
        let loaded = Loaded::from_source("tapes.rs", &source).expect("it is a program");
        let (engine, f) = (loaded.engine(), loaded.function("f").expect("it is there"));
        let route = GradientRoute::new(&engine, f.symbol, f.ir_ret, &|at| at == 0);
        for rounds in [0_usize, 1, 2, 3, 40] {
            let args = vec![Value::F64(0.8), Value::from(rounds)];
            let (value, gradient) = route.run(args.clone()).expect("it runs");
            let mut all = floats(&value);
            all.extend(gradient.iter().flat_map(floats));
            let export = Export::new(&engine);
            let export =
                export.derivative(f.symbol, Derivative::ValueAndGradient, &[true, false], "exported", "");
            let export = export.expect("it has a gradient");
            let types = export.params("exported").expect("it is there").into_iter().map(|(_, ty)| ty);
            let export = export.with_main(args.into_iter().zip(types).collect(), Printed::Debug);
            let text = export.rust().expect("it is exported");
            let found = match () {
                () if text.contains(".push(") => Tape::Grows,
                () if text.contains("new_records(") => Tape::Records,
                () => Tape::Vector,
            };
            assert_eq!(found, *tape, "{text}");
            texts.push(text);
            expected.push(format!("({:?}, {:?})", all[0], all[1]));
        }
    }
    for ((expected, text), outcome) in expected.iter().zip(&texts).zip(outcomes("tapes", &texts)) {
        let printed = outcome.unwrap_or_else(|message| panic!("{message}\n{text}"));
        assert_eq!(printed.trim(), expected, "{text}");
    }
}
