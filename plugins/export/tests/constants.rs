//! Loops and vectors whose sizes are constants: which loops are gone, which vectors are arrays on the stack or scalars; and the
//! programs have the bits of the interpreter, failures included.

mod compiled;

use overdub_context::value::Value;
use overdub_export::{Export, Printed};
use overdub_lower::Loaded;

use compiled::outcomes;

/// What became of the vectors that a function makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Made {
    Scalars,
    StackArrays,
    Vectors,
}

/// Functions of a slice `x` of six numbers, what became of their vectors, and whether a loop remains.
const PROGRAMS: &[(&str, Made, bool)] = &[
    // All indices are constants once short loops are unrolled.
    ("let mut v = [0.0; 3]; for i in 0..3 { v[i] = x[i] * 2.0; } v[0] + v[1] * v[2]", Made::Scalars, false),
    (
        "let mut v = [1.0, x[0]]; for _ in 0..x.len() { v = [v[1], v[0] * 0.5 + v[1]]; } v[0]",
        Made::Scalars,
        true,
    ),
    (
        "let mut s = 0.0; for i in 0..3 { for j in i..3 { s = s * 0.5 + x[i] * x[j]; } } s",
        Made::Scalars,
        false,
    ),
    (
        "let a = [[x[0], x[1]], [x[2], x[3]]]; let mut s = 0.0; for i in 0..2 { for j in 0..2 { s += a[i][j] * a[j][i]; } } s",
        Made::Vectors,
        false,
    ),
    // A triangle, whose inner loops remain.
    (
        "let mut v = [0.5; 6]; for i in 0..6 { for j in i + 1..6 { v[j] += v[i] * x[j]; } } v[5]",
        Made::StackArrays,
        true,
    ),
    // An index that is not known.
    (
        "let mut v = vec![0.25; 8]; for i in 0..x.len() { v[i] += x[i]; v[7 - i] *= v[i]; } v[2] + v[7]",
        Made::StackArrays,
        true,
    ),
    (
        "let mut v = vec![false; 6]; for i in 0..x.len() { v[(i * 5) % 6] = x[i] > 0.0; } if v[x.len() - 2] { 1.0 } else { 2.0 }",
        Made::StackArrays,
        true,
    ),
    // One for each round of a loop.
    (
        "let mut s = 0.0; for i in 0..x.len() { let mut v = [0.0; 5]; v[i % 5] = x[i]; v[4 - i % 5] += 1.0; s += v[2] * v[4]; } s",
        Made::StackArrays,
        true,
    ),
    // Out of bounds.
    ("let mut v = vec![0.0; 5]; for i in 0..x.len() { v[i] = x[i]; } v[0]", Made::StackArrays, true),
    ("let v = vec![x[0]; 3]; let i = x.len() / 2; v[i]", Made::Vectors, false),
    // They grow, are copied, passed on, or too long.
    ("let mut v = vec![0.0; 3]; for i in 0..x.len() { v.push(x[i]); } v[x.len()]", Made::Vectors, true),
    (
        "let mut v = vec![0.0; 6]; let mut w = v.clone(); for i in 0..6 { v[i] = x[5 - i]; w = v.clone(); v[x.len() - 1] = 9.0; } w[x.len() - 1]",
        Made::Vectors,
        true,
    ),
    ("let mut v = vec![0.0; 3]; let k = x.len() % 3; v[k] = x[0]; pass(v)", Made::Vectors, true),
    (
        "let mut v = vec![0.0; 65]; for i in 0..x.len() { v[i * 9] = x[i]; } v[x.len() * 9]",
        Made::Vectors,
        true,
    ),
];

#[test]
fn short_vectors_of_known_length_are_no_vectors_with_the_same_bits() {
    let (mut texts, mut expected) = (Vec::new(), Vec::new());
    for (body, made, has_loop) in PROGRAMS {
        let source = format!(
            "pub fn f(x: &[f64]) -> f64 {{ {body} }}\n\
             fn pass(mut v: Vec<f64>) -> f64 {{ let mut s = 1.0; while let Some(x) = v.pop() {{ s = s * 0.5 + x; }} s }}"
        );
        let loaded = Loaded::from_source("constants.rs", &source).expect("it is a program");
        let (engine, f) = (loaded.engine(), loaded.function("f").expect("it is there"));
        let numbers = [0.5, -1.5, 2.0, 0.25, 4.0, -3.0];
        expected.push(
            engine.run(f.symbol, vec![Value::floats(numbers.to_vec())]).map_err(|error| error.to_string()),
        );
        let text = Export::new(&engine).function(f.symbol, "f", "").rust().expect("it is exported");
        let function = text.split("\n}\n").next().unwrap_or_default();
        let has = |parts: &[&str]| parts.iter().any(|part| function.contains(part));
        let is_array = |line: &str| line.trim_start().starts_with("let mut ") && line.contains("= [");
        let found = match (has(&["vec![", "repeated("]), function.lines().any(is_array)) {
            (true, _) => Made::Vectors,
            (_, true) => Made::StackArrays,
            _ => Made::Scalars,
        };
        assert_eq!((found, has(&["for ", "while ", "loop "])), (*made, *has_loop), "{text}");
        let export = Export::new(&engine).function(f.symbol, "f", "");
        let (_, ty) = export.params("f").expect("it is there").remove(0);
        let export = export.with_main(vec![(Value::floats(numbers.to_vec()), ty)], Printed::Debug);
        texts.push(export.rust().expect("it is exported"));
    }
    for ((outcome, expected), (body, ..)) in outcomes("constants", &texts).iter().zip(&expected).zip(PROGRAMS)
    {
        match (outcome, expected) {
            (Ok(found), Ok(value)) => {
                assert_eq!(*found, format!("{:?}", value.as_f64().expect("it is a float")), "{body}")
            }
            (Err(found), Err(error)) => {
                let message = error.lines().next().unwrap_or_default();
                assert!(
                    message.contains("index out of bounds") && found.contains("index out of bounds"),
                    "{error} {found}"
                );
            }
            _ => panic!("{outcome:?} {expected:?} {body}"),
        }
    }
}
