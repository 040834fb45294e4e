//! Nests of loops that add products of matrices: which are kernels in exported programs, and they have the bits of the interpreter,
//! failures included.

mod compiled;

use overdub_context::value::{self, IntoValue};
use overdub_export::{Derivative, Export, Printed};
use overdub_lower::Loaded;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use compiled::outcomes;

/// Statements that compute `c` from `a`, of `m` rows and `k` columns, and `b`, of `k` rows and `n` columns; and how many kernels are
/// called by the function and by its gradient.
const NESTS: &[(&str, usize, usize)] = &[
    // The six orders of the loops.
    (
        "for i in 0..m { for p in 0..k { for j in 0..n { c[i * n + j] += a[i * k + p] * b[p * n + j]; } } }",
        1,
        3,
    ),
    (
        "for i in 0..m { for j in 0..n { let mut s = 0.0; for p in 0..k { s += a[i * k + p] * b[p * n + j]; } c[i * n + j] = s; } }",
        1,
        3,
    ),
    (
        "for j in 0..n { for i in 0..m { c[i * n + j] = (0..k).map(|p| a[i * k + p] * b[p * n + j]).sum(); } }",
        1,
        3,
    ),
    (
        "for i in 0..m { for j in 0..n { let mut s = 0.0; for p in 0..k { s += b[p * n + j] * a[i * k + p]; } c[i * n + j] += s; } }",
        1,
        3,
    ),
    (
        "for p in 0..k { for i in 0..m { for j in 0..n { c[i * n + j] += a[i * k + p] * b[p * n + j]; } } }",
        1,
        3,
    ),
    (
        "for p in 0..k { for j in 0..n { for i in 0..m { c[i * n + j] += a[i * k + p] * b[p * n + j]; } } }",
        1,
        3,
    ),
    (
        "for j in 0..n { for p in 0..k { for i in 0..m { c[i * n + j] += a[i * k + p] * b[p * n + j]; } } }",
        1,
        3,
    ),
    // Downwards, with transposed matrices, with a place in a larger list, an invariant factor in the indices.
    (
        "for p in 0..k { for i in 0..m { for j in 0..n { c[i * n + j] += a[p * m + i] * b[j * k + p]; } } }",
        1,
        3,
    ),
    (
        "for i in 0..m { for p in 0..k { for j in 0..n { c[i * n + j] += a[(i * 1 + 0) * k + p] * b[n * p + j]; } } }",
        1,
        3,
    ),
    (
        "for i in 0..m - 1 { for p in 0..k { for j in 0..n { c[n + i * n + j] += a[i * k + p] * b[p * n + j]; } } }",
        1,
        3,
    ),
    // Rows overlap, so the kernel must not run.
    (
        "let r = n / 2; for i in 0..m { for p in 0..k { for j in 0..n { c[i * r + j] += a[i * k + p] * b[p * n + j]; } } }",
        1,
        3,
    ),
    // Elements are stored twice, so that adjoints of the second store are zero.
    (
        "let r = n / 2; for i in 0..m { for j in 0..n { let mut s = 0.0; for p in 0..k { s += a[i * k + p] * b[p * n + j]; } c[i * r + j] = s; } }",
        1,
        1,
    ),
    // A triangle; a factor that is changed; a value from before the innermost loop; two stores; a branch; an index that is no sum.
    (
        "for i in 0..m { for p in 0..k { for j in p..n { c[i * n + j] += a[i * k + p] * b[p * n + j]; } } }",
        0,
        0,
    ),
    ("for i in 0..m { for p in 0..k { for j in 0..n { c[i * n + j] += c[i * n] * b[p * n + j]; } } }", 0, 0),
    (
        "for i in 0..m { for j in 0..n { let t = c[i * n + j]; for p in 0..k { c[i * n + j] = t + a[i * k + p] * b[p * n + j]; } } }",
        0,
        0,
    ),
    (
        "for i in 0..m { for p in 0..k { for j in 0..n { c[i * n + j] += a[i * k + p] * b[p * n + j]; c[j] *= 0.5; } } }",
        0,
        0,
    ),
    (
        "for i in 0..m { for p in 0..k { for j in 0..n { if a[p] > 0.0 { c[i * n + j] += a[i * k + p] * b[p * n + j]; } } } }",
        0,
        0,
    ),
    ("for i in 0..m { for p in 0..k { for j in 0..n { c[i * n + j] += a[i * k + p] * b[p * j]; } } }", 0, 0),
    // Elements that several rows share; their adjoints are read alone.
    ("for i in 0..m { for p in 0..k { for j in 0..n { c[i + j] += a[i * k + p] * b[p * n + j]; } } }", 0, 2),
];

/// Rows, columns, the length of sums, and the lengths that `a`, `b` and `c` lack.
const SIZES: &[([usize; 3], [usize; 3])] = &[
    ([33, 18, 9], [0; 3]),
    ([5, 21, 300], [0; 3]),
    ([70, 1, 65], [0; 3]),
    ([4, 4, 4], [0; 3]),
    ([0, 9, 9], [0; 3]),
    ([19, 20, 21], [1, 0, 0]),
    ([19, 20, 21], [0, 1, 0]),
    ([19, 20, 21], [0, 0, 1]),
];

fn source(nest: &str) -> String {
    let list = |name: &str, from: &str, len: &str, lacks: usize| {
        format!(
            "let mut {name} = vec![0.0; {len} - lacks[{lacks}]];\n for i in 0..{name}.len() {{ {name}[i] = {from}[(i * i) % {from}.len()] * (1.0 + (i % 5) as f64); }}\n"
        )
    };
    let (a, b) = (list("a", "x", "m * k", 0), list("b", "y", "k * n", 1));
    format!(
        "pub fn f(x: &[f64], y: &[f64], sizes: &[usize], lacks: &[usize]) -> Vec<f64> {{
            let (m, n, k) = (sizes[0], sizes[1], sizes[2]);
            {a} {b} let mut c = vec![0.25; m * n - lacks[2]];
            {nest}
            c
        }}
        pub fn g(x: &[f64], y: &[f64], sizes: &[usize], lacks: &[usize]) -> f64 {{
            let mut sum = 0.0;
            let mut i = 0;
            for c in f(x, y, sizes, lacks) {{ i += 1; sum += c * (1.0 + (i % 3) as f64); }}
            sum
        }}"
    )
}

/// A nest with loops in some order, and indices that are mostly those of matrices.
fn nests() -> impl Strategy<Value = String> {
    let orders = ["i p j", "p i j", "i j p", "p j i", "j i p", "j p i"];
    // Elements of rows and columns of these counters and numbers; some overlap, or do not exist.
    let index = |row: &'static str, rows: &'static str, column: &'static str, columns: &'static str| {
        prop_oneof![
            6 => Just(format!("{row} * {columns} + {column}")),
            3 => Just(format!("{column} * {rows} + {row}")),
            1 => Just(format!("{row} * ({columns} / 2) + {column}")),
            1 => Just(format!("{row} + {column}")),
            1 => Just(format!("2 * {column} + {row}")),
            1 => Just(format!("{row} * {columns} + {column} + 1")),
        ]
    };
    let updates = [
        "c[CC] += a[AA] * b[BB];",
        "c[CC] = b[BB] * a[AA] + c[CC];",
        "a[AA] += c[CC] * b[BB]; b[BB] += c[CC] * 0.5;",
        "a[AA] += c[CC] * 0.5; b[BB] += c[CC] * 0.25;",
        "a[AA] += b[BB] * c[CC]; d[CC] += b[BB] * c[CC];",
    ];
    let sums = [
        "c[CC] = s;",
        "c[CC] += s;",
        "d[CC] = s; c[CC] = 0.0;",
        "let t = c[CC]; c[CC] = 0.0; d[CC] = t + s;",
    ];
    let indices = (index("i", "m", "p", "k"), index("p", "k", "j", "n"), index("i", "m", "j", "n"));
    let order = proptest::sample::select(orders.to_vec());
    let shape = (order, 0..updates.len(), 0..sums.len(), proptest::bool::ANY, indices);
    shape.prop_map(move |(order, update, sum, is_sum, (a, b, c))| {
        let counters: Vec<&str> = order.split(' ').collect();
        let head = |at: usize| {
            let to = [("i", "m"), ("p", "k"), ("j", "n")].into_iter().find(|(name, _)| *name == counters[at]);
            format!("for {} in 0..{}", counters[at], to.expect("it is one of them").1)
        };
        let inner = match is_sum && counters[2] == "p" {
            true => format!("let mut s = 0.0; {} {{ s += a[AA] * b[BB]; }} {}", head(2), sums[sum]),
            false => format!("{} {{ {} }}", head(2), updates[update]),
        };
        let nest = format!("let mut d = vec![0.5; c.len()]; {} {{ {} {{ {inner} }} }}", head(0), head(1));
        let nest = nest.replace("AA", &a).replace("BB", &b).replace("CC", &c);
        format!("{nest} c[0] += a[0] + b[1] + d[2];")
    })
}

#[test]
fn random_nests_have_the_same_bits() {
    let mut runner = TestRunner::deterministic();
    let (mut texts, mut expected, mut of, mut kernels) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for number in 0..48 {
        let nest = nests().new_tree(&mut runner).expect("there are nests").current();
        let loaded = Loaded::from_source("products.rs", &source(&nest)).expect("it is a program");
        let engine = loaded.engine();
        let sizes = ([[17, 20, 14], [9, 33, 15], [24, 13, 16]][number % 3], [0; 3]);
        let args = args(&sizes, false);
        let export = Export::new(&engine);
        let (is_gradient, wrt) = (number % 2 == 0, &[true, true, false, false]);
        let func = loaded.function(if is_gradient { "g" } else { "f" }).expect("it is there").symbol;
        let export = match is_gradient {
            true => export.derivative(func, Derivative::ValueAndGradient, wrt, "exported", ""),
            false => Ok(export.function(func, "exported", "")),
        };
        let export = export.expect("it has a derivative");
        let run = engine.run(export.named("exported").expect("it is there").name, args.clone());
        let types = export.params("exported").expect("it is there").into_iter().map(|(_, ty)| ty);
        let text = export.with_main(args.into_iter().zip(types).collect(), Printed::Debug).rust();
        let text = text.expect("it is exported");
        kernels += text.matches(" = is_matrix_product(").count();
        expected.push(run.map(|value| shown(&value)));
        texts.push(text);
        of.push(format!("{nest} of {sizes:?}"));
    }
    let found = outcomes("random_matrix_products", &texts);
    for ((found, expected), of) in found.iter().zip(&expected).zip(&of) {
        match (found, expected) {
            (Ok(found), Ok(expected)) => assert_eq!(found, expected, "{of}"),
            (Err(_), Err(_)) => {}
            _ => panic!("{of}: {found:?} instead of {expected:?}"),
        }
    }
    let failures = expected.iter().filter(|expected| expected.is_err()).count();
    assert!(kernels >= 20 && (4..36).contains(&failures), "{kernels} kernels, {failures} failures");
}

/// The arguments; infinities meet zeros in derivatives if `is_strong`.
fn args((sizes, lacks): &([usize; 3], [usize; 3]), is_strong: bool) -> Vec<value::Value<'static>> {
    let numbers = |of: [usize; 3]| of.to_vec().into_value();
    let odd = if is_strong { [0.0, f64::INFINITY] } else { [-0.0, 1e-310] };
    let x = vec![1.5, -2.25, odd[0], 0.1, 1e10, 3.0, -0.7];
    let y = vec![0.3, odd[1], -1.0, 0.9, 2e-8];
    vec![value::Value::floats(x), value::Value::floats(y), numbers(*sizes), numbers(*lacks)]
}

#[test]
fn products_of_matrices_are_kernels_with_the_same_bits() {
    let (mut texts, mut expected, mut of) = (Vec::new(), Vec::new(), Vec::new());
    for (number, (nest, kernels, of_gradient)) in NESTS.iter().enumerate() {
        let loaded = Loaded::from_source("products.rs", &source(nest)).expect("it is a program");
        let engine = loaded.engine();
        for (at, sizes) in SIZES.iter().enumerate() {
            for derivative in [None, Some(Derivative::ValueAndGradient)] {
                // Each nest with two sizes, each size with some nests.
                if at != 0 && (number + at) % 7 != 0 {
                    continue;
                }
                let is_strong = derivative.is_some() && (number + at) % 2 == 0;
                let args = args(sizes, is_strong);
                let name = if derivative.is_some() { "g" } else { "f" };
                let func = loaded.function(name).expect("it is there").symbol;
                let export = Export::new(&engine);
                let export = match derivative {
                    None => export.function(func, "exported", ""),
                    Some(derivative) => export
                        .derivative(func, derivative, &[true, true, false, false], "exported", "")
                        .expect("it has a derivative"),
                };
                let run = engine.run(export.named("exported").expect("it is there").name, args.clone());
                let types = export.params("exported").expect("it is there").into_iter().map(|(_, ty)| ty);
                let text = export.with_main(args.into_iter().zip(types).collect(), Printed::Debug).rust();
                let text = text.expect("it is exported");
                let calls = text.matches(" = is_matrix_product(").count();
                let wanted = if derivative.is_some() { *of_gradient } else { *kernels };
                assert_eq!(calls, wanted, "{nest} {derivative:?}\n{text}");
                expected.push(run.map(|value| shown(&value)));
                texts.push(text);
                of.push(format!("{nest} of {sizes:?}, {derivative:?}"));
            }
        }
    }
    let found = outcomes("matrix_products", &texts);
    let (mut equal, mut failures) = (0, 0);
    for ((found, expected), of) in found.iter().zip(&expected).zip(&of) {
        match (found, expected) {
            (Ok(found), Ok(expected)) => {
                assert_eq!(found, expected, "{of}");
                equal += 1;
            }
            (Err(found), Err(expected)) => {
                let expected = expected.to_string().replace(" at products.rs", ", products.rs");
                assert!(found.contains(&expected), "{of}: {found} {expected}");
                failures += 1;
            }
            _ => panic!("{of}: {found:?} instead of {expected:?}"),
        }
    }
    assert!(equal > 40 && failures > 10, "{equal} equal, {failures} failures");
}

/// A value as Rust prints it.
fn shown(value: &value::Value<'_>) -> String {
    let text = value.to_string();
    let mut parts = text.split("nan:0x");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + "NaN" + part.trim_start_matches(|c: char| c.is_ascii_hexdigit()))
}
