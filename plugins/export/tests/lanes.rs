//! Functions in lanes give the results and the failures of one call after the other.

mod compiled;

use overdub_context::Symbol;
use overdub_context::engine::Engine;
use overdub_context::ir::{Ty, TyKind};
use overdub_context::testing::{any_value, cases, programs};
use overdub_context::value::Value;
use overdub_export::{Derivative, Export, ExportError, Failures, LANES, Results};
use overdub_lower::Loaded;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use compiled::outcomes;

/// A value as Rust writes it.
fn literal(value: &Value<'_>) -> String {
    match value {
        Value::F64(x) => format!("f64::from_bits({})", x.to_bits()),
        Value::F32(x) => format!("f32::from_bits({})", x.to_bits()),
        Value::Char(c) => format!("{c:?}"),
        Value::Bool(b) => b.to_string(),
        value => value.as_int().map_or_else(|| "()".to_owned(), |(_, n)| n.to_string()),
    }
}

/// The scalars of a type.
fn scalars(ty: Ty, found: &mut Vec<Ty>) {
    match ty.kind() {
        TyKind::Tuple(parts) => parts.iter().for_each(|ty| scalars(*ty, found)),
        TyKind::Unit => {}
        _ => found.push(ty),
    }
}

/// A pattern that names the scalars of a type.
fn pattern(ty: Ty, next: &mut usize) -> String {
    match ty.kind() {
        TyKind::Tuple(parts) => {
            let parts: Vec<String> = parts.iter().map(|ty| pattern(*ty, next)).collect();
            format!("({},)", parts.join(", "))
        }
        TyKind::Unit => "()".to_owned(),
        _ => {
            *next += 1;
            format!("p{}", *next - 1)
        }
    }
}

/// A program that compares the results of the functions in a text, or their failures: `args` are declared before, and are the
/// arguments for lanes and for an element `e`.
fn program(
    text: &str,
    declared: &str,
    len: usize,
    (lanes, one): (&str, &str),
    ret: Ty,
    is_result: bool,
) -> String {
    let mut parts = Vec::new();
    scalars(ret, &mut parts);
    let zero = |ty: &Ty| match ty.kind() {
        TyKind::Float(_) => "0.0",
        TyKind::Bool => "false",
        TyKind::Char => "'x'",
        _ => "0",
    };
    let numbers = 0..parts.len();
    let makes: String = parts
        .iter()
        .zip(0..)
        .map(|(ty, n)| format!("let mut r{n}: Vec<{ty}> = vec![{}; {len}];\n", zero(ty)))
        .collect();
    let given: String = numbers.clone().map(|n| format!(", &mut r{n}")).collect();
    let compared: String = numbers
        .map(|n| {
            format!("assert_eq!(format!(\"{{:?}}\", r{n}[e]), format!(\"{{p{n}:?}}\"), \"element {{e}}\");\n")
        })
        .collect();
    let unwrapped = if is_result { ".unwrap_or_else(|error| panic!(\"{error}\"))" } else { "" };
    format!(
        "mod exported {{\n#![allow(unused_imports)]\nuse super::super::*;\n{text}\n}}\n\
         fn main() {{\nuse std::panic::{{AssertUnwindSafe, catch_unwind, set_hook, take_hook}};\n{declared}{makes}\
         let hook = take_hook();\nset_hook(Box::new(|_| {{}}));\n\
         let alone = catch_unwind(|| (0..{len}).map(|e| exported::f({one}){unwrapped}).collect::<Vec<_>>());\n\
         let together = catch_unwind(AssertUnwindSafe(|| exported::f_lanes({lanes}{given}){unwrapped}));\n\
         set_hook(hook);\n\
         let said = |error: Box<dyn std::any::Any + Send>| error.downcast_ref::<String>().cloned()\
         .or_else(|| error.downcast_ref::<&str>().map(|text| text.to_string()));\n\
         match (alone, together) {{\n\
         (Ok(alone), Ok(())) => {{\nfor (e, {}) in alone.into_iter().enumerate() {{\n{compared}}}\nprintln!(\"same\");\n}}\n\
         (Err(alone), Err(together)) => {{\nassert_eq!(said(alone), said(together));\nprintln!(\"alike\");\n}}\n\
         (alone, together) => panic!(\"alone {{}}, in lanes {{}}\", alone.is_ok(), together.is_ok()),\n}}\n}}\n",
        pattern(ret, &mut 0)
    )
}

#[test]
fn a_random_program_gives_and_fails_in_lanes_as_alone() {
    let config = cases(16);
    let wanted = config.cases as usize;
    let mut runner = TestRunner::new(config);
    let (mut drawn, mut texts, mut refused) = (Vec::new(), Vec::new(), 0);
    while drawn.len() < wanted && refused < 200 * wanted {
        let program_of = programs().new_tree(&mut runner).expect("a program").current();
        let choices = proptest::collection::vec(proptest::num::u8::ANY, 1..150);
        let choices = choices.new_tree(&mut runner).expect("choices").current();
        let width = [LANES, 1, 5, 16][drawn.len() % 4];
        let failures = [Failures::Panic, Failures::Result][drawn.len() / 4 % 2];
        let engine = Engine::builder(program_of.module()).build();
        let export = Export::new(&engine).function(Symbol::new("main"), "f", "").with_failures(failures);
        let params: Vec<Ty> =
            export.params("f").expect("it is there").into_iter().map(|(_, ty)| ty).collect();
        let ret = export.ret("f").expect("it is there");
        let is_scalar = |ty: &Ty| {
            matches!(ty.kind(), TyKind::Int(int) if int.bits() <= 64)
                || matches!(ty.kind(), TyKind::Float(_) | TyKind::Bool | TyKind::Char)
        };
        if params.is_empty() || !params.iter().all(is_scalar) {
            refused += 1;
            continue;
        }
        match export.with_lanes(width, &[]).rust() {
            Ok(text) => {
                let lists = params.iter().zip(0..).map(|(ty, number)| {
                    let values =
                        choices.iter().map(|choice| literal(&any_value(*ty, choice.wrapping_add(number))));
                    let values: Vec<String> = values.collect();
                    format!("let a{number}: Vec<{ty}> = vec![{}];\n", values.join(", "))
                });
                let declared: String = lists.collect();
                let all: Vec<String> = (0..params.len()).map(|n| format!("&a{n}")).collect();
                let one: Vec<String> = (0..params.len()).map(|n| format!("a{n}[e]")).collect();
                let args = (all.join(", "), one.join(", "));
                let is_result = failures == Failures::Result;
                texts.push(program(&text, &declared, choices.len(), (&args.0, &args.1), ret, is_result));
                drawn.push(program_of);
            }
            Err(ExportError::Unsupported { .. }) => refused += 1,
            Err(error) => panic!("{error}\n{}", program_of.listing()),
        }
    }
    assert_eq!(drawn.len(), wanted, "too many are refused: {refused}");
    eprintln!("{wanted} programs, {refused} refused");
    let outcomes = outcomes("random lanes", &texts);
    for ((program, text), outcome) in drawn.iter().zip(&texts).zip(&outcomes) {
        assert!(outcome.is_ok(), "{outcome:?}\n{}\n{text}", program.listing());
    }
    assert!(outcomes.iter().any(|outcome| *outcome == Ok("same".to_owned())), "all fail");
}

/// A function `f`, the types of its arguments with those of the first element, and how many elements are tried.
struct Case {
    source: &'static str,
    derivative: Option<Derivative>,
    /// For each parameter, its values for an element `e`, or one for all after an `=`.
    args: &'static [&'static str],
    /// Whether an element fails.
    fails: bool,
}

const CASES: &[Case] = &[
    // Loops of different length, one that is left in the middle, and an early return.
    Case {
        source: "pub fn f(re: f64, im: f64, most: u32) -> (u32, f64) {
            let (mut x, mut y, mut steps) = (0.0, 0.0, 0);
            if re > 0.45 { return (u32::MAX, re); }
            while steps < most {
                if x * x + y * y > 4.0 { break; }
                (x, y) = (x * x - y * y + re, 2.0 * x * y + im);
                steps += 1;
                if steps % 7 == 3 { continue; }
                x *= 0.999;
            }
            (steps, x + y)
        }",
        derivative: None,
        args: &["0.013 * e as f64 - 1.5", "0.01 * e as f64 - 1.0", "(e % 40) as u32"],
        fails: false,
    },
    // Loops in a loop, whose lengths depend on the element, and labels.
    Case {
        source: "pub fn f(n: u64, m: usize) -> u64 {
            let mut sum = 0u64;
            'outer: for i in 0..m {
                let mut k = n + i as u64;
                while k > 1 {
                    sum += k % 5;
                    if sum % 97 == 13 { continue 'outer; }
                    if sum > 500 { break 'outer; }
                    k = if k % 2 == 0 { k / 2 } else { 3 * k + 1 };
                }
                for j in (0..i).rev() { sum = sum.wrapping_mul(3).wrapping_add(j as u64) % 1000; }
            }
            sum
        }",
        derivative: None,
        args: &["(e * 7) as u64", "e % 9"],
        fails: false,
    },
    // Loops over numbers that are left at the beginning of a round, by what is computed from the number.
    Case {
        source: "pub fn f(n: usize, most: usize, x: f64) -> (usize, f64) {
            let (mut last, mut sum) = (0, x);
            for i in 0..n {
                let square = i * i;
                if square > most { break; }
                last = i;
                for j in (i..n).rev() {
                    if j % 5 == 4 { break; }
                    sum += (j + 1) as f64 * 0.5;
                }
            }
            (last, sum)
        }",
        derivative: None,
        args: &["e % 13", "(e * 3) % 50", "0.25 * e as f64"],
        fails: false,
    },
    // An element that all share, read only where a condition of the element holds, and which there may not be.
    Case {
        source: "pub fn f(m: usize, table: &[f64], k: usize) -> f64 {
            let mut y = 1.0;
            if m < table.len() && m >= k && table[k] > 1.5 { y = table[k] * 2.0; }
            while y < 3.0 { y += 0.75; }
            y
        }",
        derivative: None,
        args: &["e % 7", "=&[1.0, 2.0, 4.0, 8.0]", "=6"],
        fails: false,
    },
    // Branches with calls, characters, truth values, and a match on numbers.
    Case {
        source: "pub fn f(x: f64, kind: i32, flag: bool) -> (char, bool, f32, i8) {
            let mut y = x;
            let letter = match kind { 0 | 3 => { y = y.exp(); 'a' } 1 => { if flag { y = y.sin() }; 'b' } _ => 'z' };
            let is_large = y > 1.0 && (flag || y.powi(3) < 40.0);
            (letter, is_large, y as f32, (y * 10.0) as i8)
        }",
        derivative: None,
        args: &["0.05 * e as f64 - 3.0", "(e % 5) as i32 - 1", "e % 3 == 0"],
        fails: false,
    },
    // What elements share: numbers, lists by an index of the element and by a counter.
    Case {
        source: "pub fn f(i: usize, scale: f64, table: &[f64], n: usize) -> f64 {
            let mut sum = scale * (1.0 + scale).ln();
            for k in 0..n { sum += table[(i + k) % table.len()] * table[k]; }
            sum
        }",
        derivative: None,
        args: &["e", "=0.5", "=&[1.0, 2.0, 4.0, 8.0]", "=3"],
        fails: false,
    },
    // Derivatives.
    Case {
        source: "pub fn f(x: f64, r: f64) -> f64 {
            let mut y = x;
            while y < 10.0 { y = r * y * (1.0 + 0.1 * y.sin()); }
            y
        }",
        derivative: Some(Derivative::Jvp),
        args: &["0.1 + 0.02 * e as f64", "=1.7", "1.0 + e as f64", "=0.5"],
        fails: false,
    },
    Case {
        source: "pub fn f(x: f64, y: f64) -> f64 { if x > y { x * y.exp() } else { (x / y).powf(1.5) } }",
        derivative: Some(Derivative::ValueAndGradient),
        args: &["0.02 * e as f64", "0.5 + 0.01 * e as f64"],
        fails: false,
    },
    // Zero meets infinity in a derivative.
    Case {
        source: "pub fn f(x: f64, y: f64) -> f64 { if x > 0.5 { x.sqrt() * y } else { 0.0 * x.sqrt() + (y - 1.0).sqrt() * 0.0 } }",
        derivative: Some(Derivative::ValueAndGradient),
        args: &["(e % 4) as f64 * 0.25", "1.0 + (e % 3) as f64"],
        fails: false,
    },
    // Tapes: of loops of the same length and of different ones, in branches, in loops in a loop, with records of several numbers.
    Case {
        source: "pub fn f(x: f64, r: f64, n: usize) -> f64 {
            let mut y = x;
            for _ in 0..n { y = r * y * (1.0 - y); }
            y
        }",
        derivative: Some(Derivative::ValueAndGradient),
        args: &["0.1 + 0.004 * e as f64", "3.3 + 0.001 * e as f64", "=20"],
        fails: false,
    },
    Case {
        source: "pub fn f(x: f64) -> f64 {
            let mut y = x.max(1.0);
            while (y * y - x).abs() > 1e-12 * x { y = 0.5 * (y + x / y); }
            y
        }",
        derivative: Some(Derivative::Gradient),
        args: &["0.5 + 1.5 * e as f64"],
        fails: false,
    },
    Case {
        source: "pub fn f(x: f64, k: usize, n: usize) -> f64 {
            let (mut a, mut b) = (x, 1.0);
            for i in 0..n {
                if a > 0.3 { b += (a * b).sin(); } else { a = (a + b).cos() * 1.1; }
                let mut j = 0;
                while j < (i + k) % 4 && a < 5.0 { (a, b) = (a + 0.3 * b * a, b - 0.1 * a * a); j += 1; }
                if b > 6.0 { return a * b; }
            }
            a * b * b
        }",
        derivative: Some(Derivative::ValueAndGradient),
        args: &["0.02 * e as f64 - 1.0", "e % 6", "=7"],
        fails: false,
    },
    // Structs and tuples that change in a loop.
    Case {
        source: "#[derive(Clone, Copy)] pub struct Point { x: f64, y: (f64, u8) }
        pub fn f(x: f64, n: u32) -> (f64, f64, u8) {
            let mut p = Point { x, y: (1.0, 0) };
            let mut k = 0;
            while k < n {
                let q = if p.x > 0.5 { Point { x: p.y.0, y: (p.x, p.y.1 / 2 + 1) } } else { p };
                p = Point { x: q.x * 0.9 + q.y.0, y: (q.y.0 - 0.25 * q.x, q.y.1) };
                k += 1;
            }
            (p.x, p.y.0, p.y.1)
        }",
        derivative: None,
        args: &["0.01 * e as f64", "(e % 23) as u32"],
        fails: false,
    },
    // A shared argument that changes, and sums that are the same for all.
    Case {
        source: "pub fn f(x: f64, n: usize, scale: f64) -> f64 {
            let (mut n, mut scale, mut sum, mut odd) = (n, scale, x, 1);
            while n > 1 { scale *= 0.5; odd += 2; n -= 1; sum += scale * odd as f64; }
            if x > 0.5 { n += 3; }
            for k in 0..n { sum += k as f64 * x; }
            sum
        }",
        derivative: None,
        args: &["0.01 * e as f64", "=5", "=0.75"],
        fails: false,
    },
    // Integers of all kinds that nearly overflow.
    Case {
        source: "pub fn f(a: i8, b: i64, c: u16) -> (i8, i64, u16) {
            (a / 3 - a.abs() % 5, (b >> 3) * 7 - b % 11, (c << 2) / (c % 7 + 1))
        }",
        derivative: None,
        args: &["(e % 200) as i8", "(e as i64 - 70) << 40", "e as u16"],
        fails: false,
    },
    // Elements that fail, each in another way.
    Case {
        source: "pub fn f(a: i32, b: i32, list: &[i32]) -> i32 {
            let c = a * 30_000_000 + b;
            let d = 1000 / (b - 20);
            list[(a + 2) as usize] + c / 7 - d
        }",
        derivative: None,
        args: &["(e % 90) as i32", "(e % 30) as i32", "=&[1, 2, 3]"],
        fails: true,
    },
    Case {
        source: "pub fn f(n: u32, x: f64) -> u32 {
            let mut n = n;
            let mut steps = 0;
            while n != 1 {
                assert!(steps < 20, \"{steps} steps from {n}\");
                n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
                steps += 1;
            }
            steps + x.clamp(-1.0, x + 2.0) as u32
        }",
        derivative: None,
        args: &["(e % 70) as u32 + 1", "e as f64"],
        fails: true,
    },
];

#[test]
fn a_function_gives_and_fails_in_lanes_as_alone() {
    let (mut texts, mut expected) = (Vec::new(), Vec::new());
    for (number, case) in CASES.iter().enumerate() {
        for (len, width) in
            [(0, LANES), (1, LANES), (64, LANES), (65, LANES), (203, LANES), (150, 3), (10, 1)]
        {
            let loaded = Loaded::from_source("f.rs", case.source).expect("it is a program");
            let (engine, f) = (loaded.engine(), loaded.function("f").expect("it is there"));
            let failures = [Failures::Panic, Failures::Result][(number + len) % 2];
            let export = Export::new(&engine).with_failures(failures);
            let wrt = vec![true; f.params.len()];
            let export = match case.derivative {
                Some(derivative) => {
                    export.derivative(f.symbol, derivative, &wrt, "f", "").expect("it has one")
                }
                None => export.function(f.symbol, "f", ""),
            };
            let params = export.params("f").expect("it is there");
            let ret = export.ret("f").expect("it is there");
            let (mut declared, mut all, mut one, mut fixed) =
                (String::new(), Vec::new(), Vec::new(), Vec::new());
            for (at, ((name, ty), arg)) in params.iter().zip(case.args).enumerate() {
                match arg.strip_prefix('=') {
                    Some(arg) => {
                        all.push(arg.to_owned());
                        one.push(arg.to_owned());
                        fixed.extend((!arg.starts_with('&')).then_some(name.as_str()));
                    }
                    None => {
                        declared.push_str(&format!(
                            "let a{at}: Vec<{ty}> = (0..{len}_usize).map(|e| {arg}).collect();\n"
                        ));
                        all.push(format!("&a{at}"));
                        one.push(format!("a{at}[e]"));
                    }
                }
            }
            let text = export.with_lanes(width, &fixed).rust();
            let text = text.unwrap_or_else(|error| panic!("{error}: {}", case.source));
            let args = (all.join(", "), one.join(", "));
            let is_result = failures == Failures::Result;
            texts.push(program(&text, &declared, len, (&args.0, &args.1), ret, is_result));
            expected.push((case.fails && len > 100).then_some("alike"));
        }
    }
    for ((text, expected), outcome) in texts.iter().zip(expected).zip(outcomes("lanes", &texts)) {
        let said = outcome.unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert!(expected.is_none_or(|expected| said == expected), "{said}\n{text}");
    }
}

fn refused(source: &str, change: impl Fn(Export<'_>) -> Export<'_>) -> ExportError {
    let loaded = Loaded::from_source("f.rs", source).expect("it is a program");
    let (engine, f) = (loaded.engine(), loaded.function("f").expect("it is there"));
    let export = Export::new(&engine).function(f.symbol, "f", "").with_lanes(LANES, &[]);
    change(export).rust().expect_err("it is refused")
}

#[test]
fn what_has_no_lanes_is_an_error_that_names_it() {
    let same: fn(Export<'_>) -> Export<'_> = |export| export;
    let text = |source: &str| {
        let error = refused(source, same);
        (error.to_string(), error.span().line)
    };
    let list = "pub fn f(n: usize) -> f64 {\n let mut v = vec![1.0; n];\n v[0] = 2.0;\n v.iter().sum()\n}";
    assert_eq!(text(list), ("`f` cannot be exported: in lanes, it has values of type `[f64]`".to_owned(), 2));
    let (error, _) = text("pub fn f(x: f64) -> Vec<f64> { vec![x] }");
    assert!(error.contains("it returns `[f64]`, which is no number"), "{error}");
    let (error, line) = text("pub fn f(n: u64) -> u64 {\n if n < 2 { n } else { f(n - 1) + f(n - 2) }\n}");
    assert!(
        error.ends_with("in lanes, it calls a function that is not inlined") && line == 2,
        "{error} {line}"
    );
    let (error, line) = text("pub fn f(x: f64) -> f64 {\n println!(\"{x}\");\n x\n}");
    assert!(error.contains("in lanes") && line == 2, "{error} {line}");
}

#[test]
fn other_forms_of_text_have_no_lanes() {
    let source = "pub fn f(x: f64) -> f64 { x }";
    let error = refused(source, |export| export.with_results(Results::IntoSlices));
    assert_eq!(error, ExportError::LanesIn("memory of their callers"));
    let error = refused(source, |export| export.with_lanes(0, &[]));
    assert_eq!(error, ExportError::LaneCount { found: 0 });
    let branches: String =
        (0..100).map(|n| format!("if x > {n}.0 {{ y += (x * {n}.0).sin(); }}\n")).collect();
    let many = format!("pub fn f(x: f64) -> f64 {{ let mut y = x; {branches} y }}");
    let error = refused(&many, |export| export.with_lanes(1024, &[]));
    assert!(error.to_string().ends_with("more than a megabyte of stack"), "{error}");
    let error = refused(source, |export| export.with_lanes(LANES, &["y"]));
    assert_eq!(error, ExportError::NoParameter("y".to_owned()));
    let loaded = Loaded::from_source("f.rs", source).expect("it is a program");
    let (engine, f) = (loaded.engine(), loaded.function("f").expect("it is there"));
    let export = Export::new(&engine).function(f.symbol, "f", "").with_lanes(LANES, &[]);
    assert_eq!(export.c().expect_err("C has none"), ExportError::LanesIn("C"));
}

#[test]
fn a_library_in_lanes_takes_and_returns_lists_and_asks_for_the_memory_of_its_tapes() {
    let source =
        "pub fn f(x: f64, k: f64) -> f64 { let mut y = x; while y < k { y *= 1.0 + y.sin() * y; } y }";
    let loaded = Loaded::from_source("f.rs", source).expect("it is a program");
    let (engine, f) = (loaded.engine(), loaded.function("f").expect("it is there"));
    let export = Export::new(&engine);
    let export = export.derivative(f.symbol, Derivative::ValueAndGradient, &[true, true], "f", "");
    // A parameter by its number.
    let export = export.expect("it has one").with_lanes(8, &["1"]);
    let text = export.dynamic_library().expect("it has lanes");
    for part in [
        "pub fn f_lanes(x: &[f64], k: f64, y: &mut [f64], dx: &mut [f64], dk: &mut [f64]) {",
        "f_lanes(x0, x1, &mut y0, &mut y1, &mut y2);",
        "<Vec<f64> as OverdubPacked>::write::<true>(&y2, &mut to);",
        "overdub_grow_rows(&mut ",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(!export.rust().expect("it has lanes").contains("overdub_grow_rows"));
}
