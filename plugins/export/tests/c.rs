//! What is particular to exported C: its interface, failures that a host catches, and its memory.

mod compiled;

use overdub_context::value::{IntoValue, Value};
use overdub_export::{Export, ExportError, Printed};
use overdub_lower::Loaded;

use compiled::c::outcomes;

/// A function `f` of a source in C, without a `main`.
fn exported(source: &str) -> Result<String, ExportError> {
    let loaded = Loaded::from_source("case.rs", source).unwrap_or_else(|error| panic!("{error}\n{source}"));
    let f = loaded.function("f").unwrap_or_else(|error| panic!("{error}")).symbol;
    Export::new(&loaded.engine()).function(f, "f", "").c()
}

fn c(source: &str) -> String {
    exported(source).unwrap_or_else(|error| panic!("{error}\n{source}"))
}

#[test]
fn a_slice_is_a_pointer_and_a_length_and_a_struct_is_a_struct() {
    let text = c("pub struct Line { pub slope: f64, pub offset: f32 }
        pub fn f(line: &Line, x: &[f64], n: u8, name: &str, rows: &[Vec<f64>]) -> (Vec<f64>, bool) {
            (x.iter().map(|x| line.slope * x).collect(), n as usize + name.len() + rows[0].len() > x.len())
        }");
    let declared = "TupleVecF64Bool f(Line line, const double *x, size_t x_len, uint8_t n, const char *name, \
                    size_t name_len, const VecF64 *rows, size_t rows_len) {";
    assert!(text.contains(declared), "{text}");
    assert!(text.contains("struct Line {\n    double slope;\n    float offset;\n};"), "{text}");
}

#[test]
fn a_host_catches_a_failure_and_calls_again() {
    let text = c("pub fn f(x: &[f64], n: usize) -> f64 { x[n] }");
    let before = "#include <setjmp.h>\n#include <string.h>\nstatic jmp_buf caught;\nstatic char kept[200];\n\
                  #undef OVERDUB_FAIL\n\
                  #define OVERDUB_FAIL(text, at) ((void)(at), strncpy(kept, text, 199), longjmp(caught, 1))\n";
    let main = "\nint main(void) {\n    double x[] = {1.5, 2.5};\n    if (setjmp(caught) == 0) {\n        \
                f(x, 2, 7);\n    }\n    puts(kept);\n    printf(\"%g\\n\", f(x, 2, 1));\n    return 0;\n}\n";
    let Some(outcomes) = outcomes("host", &[format!("{before}{text}{main}")]) else { return };
    let expected = "index out of bounds: the len is 2 but the index is 7\n2.5";
    assert_eq!(outcomes[0].as_deref(), Ok(expected), "{text}");
}

/// Functions of `x` and `n`, which are run under a sanitizer: each path frees what it holds once.
const HOLDING: &[&str] = &[
    // Moved on one path, and dropped on the other.
        "let v = vec![x, x]; let kept = if n > 2 { v } else { Vec::new() }; kept.len() as f64",
    // Assigned again in a loop that is left in its middle.
        "let mut v = vec![x];
        for i in 0..n { if v.len() > 4 { break; } let mut w = v.clone(); w.extend_from_slice(&v); if i == 7 { continue; } v = w; }
        v.iter().sum()",
    // Vectors of vectors and of texts; removal, truncation, swaps.
        "let mut m: Vec<Vec<f64>> = (0..n).map(|i| vec![x; i]).collect();
        m.swap(0, 2); let gone = m.remove(1); m.truncate(2); m.push(gone); m[0] = vec![x, 5.0];
        let names: Vec<String> = m.iter().map(|row| format!(\"{}!\", row.len())).collect();
        let all = names.concat();
        m.iter().flatten().sum::<f64>() + all.len() as f64",
    // Parts of a tuple, of which one is moved.
        "fn pair(x: f64) -> (Vec<f64>, Vec<f64>) { (vec![x], vec![x, x]) }
        let (a, b) = pair(x); let mut c = if n > 100 { a } else { b }; c.push(1.0); c.len() as f64",
    // A boxed enum that is rebuilt.
        "enum List { Nil, Cons(f64, Box<List>) }
        fn sum(list: &List) -> f64 { match list { List::Nil => 0.0, List::Cons(x, rest) => x + sum(rest) } }
        let mut list = List::Nil;
        for i in 0..n { list = List::Cons(x + i as f64, Box::new(list)); }
        if let List::Cons(_, rest) = list { sum(&rest) } else { 0.0 }",
    // Function values that captured a vector.
        "let v = vec![x, 2.0];
        let w = v.clone();
        let functions: Vec<Box<dyn Fn(f64) -> f64>> = vec![Box::new(move |y| v[0] * y), Box::new(move |y| w[1] + y)];
        functions.iter().map(|f| f(n as f64)).sum()",
    // Functions as constants.
    "let table: [(&str, fn(f64) -> f64); 3] = [(\"sin\", f64::sin), (\"exp\", f64::exp), (\"twice\", |y| 2.0 * y)];
    static OTHERS: [fn(f64) -> f64; 2] = [f64::sqrt, |y| y + 1.0];
    let mut total = OTHERS[n % 2](x);
    for i in 0..n { let (name, f) = table[i % 3]; total += f(x + i as f64) + name.len() as f64; }
    total",
    // Options of vectors.
        "let mut stack = vec![vec![x], vec![x, x]];
        let mut total = 0.0;
        while let Some(top) = stack.pop() { total += top.len() as f64; if top.len() == 2 { stack.push(vec![x; 3]); } }
        total + stack.first().cloned().unwrap_or(vec![n as f64]).len() as f64",
    // Texts that are escaped, changed, searched, split at bytes and parsed.
    "let text = format!(\"{:?}{:>5}|{:.3e}{:+}\", \"a\\\"b\\n\", n, x * 1234.5, x);
    let found = text.to_uppercase().find(\"|1\").unwrap_or(0);
    let number: i64 = \"-12\".parse().unwrap_or(0);
    let bad = \"99999999999999999999\".parse::<u64>().is_err() as i64;
    let real: f64 = \" 2.5e1\".trim().parse().unwrap_or(0.0);
    let names = text.replace('a', \"xyz\").chars().rev().collect::<String>();
    found as f64 + (number + bad) as f64 * real + names.len() as f64 * 100.0 + text.len() as f64",
    // A sort by a comparison, of texts.
        "let mut names = vec![\"pear\".to_string(), \"fig\".to_string(), \"apple\".to_string()];
        names.sort(); names.dedup();
        names[0].len() as f64 + names[2].len() as f64 * 10.0 + x * 0.0 + n as f64 * 0.0",
    // An enum that contains itself in a vector, which is copied and dropped.
        "#[derive(Clone)] enum Shape { Circle(f64), Many(Vec<Shape>), Nothing }
        let shape = if n > 2 { Shape::Many(vec![Shape::Circle(x), Shape::Nothing]) } else { Shape::Nothing };
        let all = [shape.clone(), Shape::Many(vec![shape])];
        all.iter().map(|one| match one { Shape::Circle(r) => *r, Shape::Many(all) => all.len() as f64, Shape::Nothing => 7.0 }).sum()",

];

#[test]
fn what_is_held_is_freed_once_on_every_path() {
    check("holding", HOLDING);
}

/// Compares functions with these bodies, called with 1 and 5, with the interpreter.
fn check(name: &str, bodies: &[&str]) {
    let (mut programs, mut expected) = (Vec::new(), Vec::new());
    for body in bodies {
        let source = format!("pub fn f(x: f64, n: usize) -> f64 {{ {body} }}");
        let loaded =
            Loaded::from_source("case.rs", &source).unwrap_or_else(|error| panic!("{error}\n{source}"));
        let f = loaded.function("f").unwrap_or_else(|error| panic!("{error}")).symbol;
        let engine = loaded.engine();
        let export = Export::new(&engine).function(f, "f", "");
        let params = export.params("f").unwrap_or_else(|error| panic!("{error}"));
        let args = || vec![Value::F64(1.0), 5_usize.into_value()];
        let value = engine.run(f.as_str(), args()).unwrap_or_else(|failure| panic!("{failure:?}\n{source}"));
        let Value::F64(value) = value else { panic!("{value}") };
        expected.push(format!("{value:?}"));
        let typed = args().into_iter().zip(params).map(|(arg, (_, ty))| (arg, ty)).collect();
        programs.push(
            export.with_main(typed, Printed::Debug).c().unwrap_or_else(|error| panic!("{error}\n{source}")),
        );
    }
    let Some(outcomes) = outcomes(name, &programs) else { return };
    for ((body, expected), (outcome, text)) in
        bodies.iter().zip(expected).zip(outcomes.into_iter().zip(&programs))
    {
        assert_eq!(outcome, Ok(expected), "{body}\n{text}");
    }
}

/// Arithmetic of integers and floats at its limits, whose values are those of the interpreter.
const LIMITS: &[&str] = &[
    "(x * 1e30) as i32 as f64 + (x * -1e30) as i8 as f64 + f64::NAN as u16 as f64",
    "(n as u8).wrapping_sub(7) as f64 + ((n as i64) << 60).wrapping_mul(5) as f64",
    "(i32::MIN + n as i32).wrapping_neg() as f64 + (-7i32).rem_euclid(n as i32) as f64 + (-7i32 >> 1) as f64",
    "(x * 1e-310).is_normal() as u8 as f64 + (x * 1e-310).is_subnormal() as u8 as f64 * 2.0 + (x as f32).is_normal() as u8 as f64 * 4.0",
    "f64::NAN.min(x) + f64::max(x, f64::NAN) + (-7.5f64 * x).rem_euclid(2.0) + (-2.5 * x).round()",
    "(n as u16 * 13000).count_ones() as f64 + (x as f32 * 0.1) as f64",
    "(i64::MAX - n as i64).checked_add(6).is_none() as u8 as f64 + u64::MAX.saturating_add(n as u64) as f64",
    "(n as i128 * i64::MAX as i128 * -3) as f64 + (u128::MAX >> n) as f64 + (x * 1e40) as u128 as f64",
    "(n as u8 * 50).rotate_left(3) as f64 + (n as u16).swap_bytes() as f64 + (n as i8).reverse_bits() as f64",
];

#[test]
fn arithmetic_at_its_limits_is_that_of_rust() {
    check("limits", LIMITS);
}

#[test]
fn what_has_no_counterpart_in_c_is_named() {
    let error = exported("pub fn f(x: &[f64]) -> f64 {\n let mut v = x.to_vec();\n v.select_nth_unstable_by(1, f64::total_cmp);\n v[1] }")
        .expect_err("it is refused");
    let ExportError::Unsupported { construct, span, .. } = &error else { panic!("{error}") };
    assert!(construct.contains("partial sort") && span.is_known(), "{error}");
}
