//! Fused loops, which reverse each iteration right after it ran, give what two loops give, to the bit.

use overdub_ad::transform::reverse::{ReverseOutput, ReverseTransform};
use overdub_context::analysis::{Cfg, Dominators, LoopNest};
use overdub_context::value::{Array, Value};
use overdub_lower::Loaded;
use proptest::prelude::*;

const PROGRAM: &str = "
pub fn valley(x: &[f64], _: &[f64], _: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() - 1 {
        let (a, b) = (x[i + 1] - x[i] * x[i], 1.0 - x[i]);
        sum += 100.0 * a * a + b * b;
    }
    sum
}

pub fn mean_of_squares(x: &[f64], y: &[f64], _: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += (x[i] - y[i]) * (x[i] - y[i]);
    }
    sum / x.len() as f64
}

pub fn trace(x: &[f64], y: &[f64], n: usize) -> f64 {
    let mut trace = 0.0;
    for i in 0..n {
        for k in 0..n {
            trace += x[i * n + k] * y[k * n + i];
        }
    }
    trace
}

pub fn by_signs(x: &[f64], y: &[f64], _: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..y.len() {
        if x[i] > 0.0 {
            sum += x[i] * y[i];
        } else {
            sum -= y[i] * y[i];
        }
    }
    sum
}

pub fn three_terms(x: &[f64], _: &[f64], _: usize) -> f64 {
    let mut sum = 0.0;
    for i in 1..x.len() - 1 {
        sum += x[i - 1] * x[i] * x[i + 1];
    }
    sum
}

pub fn often_one(x: &[f64], y: &[f64], n: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i] * y[i % n];
    }
    sum
}

pub fn overlapping_rows(x: &[f64], y: &[f64], n: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..n {
        for k in 0..n + 1 {
            sum += x[i * n + k] * y[k];
        }
    }
    sum
}

pub fn root_of_sum(x: &[f64], _: &[f64], _: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i] * x[i];
    }
    sum.sqrt()
}

pub fn kept(x: &[f64], _: &[f64], _: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += (x[i] * 0.1).sin() * sum;
    }
    sum
}

pub fn rows(x: &[f64], y: &[f64], n: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..n {
        let (a, b, c) = (x[3 * i], x[3 * i + 1], x[3 * i + 2]);
        let (u, v) = if a > 0.0 { ((a * b).sin(), c.exp() / (1.0 + a * a)) } else { (a * c, b) };
        let (p, q) = (u / (2.0 + v * v), u * v);
        sum += (p * b + q).cos() * y[i] + a * p * q;
    }
    sum
}

pub fn overlapping_ranges(x: &[f64], _: &[f64], n: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..n {
        sum += (x[3 * i] * x[3 * i + 1] * x[3 * i + 3]).exp();
    }
    sum
}

pub fn recorded_in_an_inner_loop(x: &[f64], y: &[f64], n: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..n {
        let mut z = y[i];
        for _ in 0..5 {
            z = (z * x[i]).sin();
        }
        sum += z * z;
    }
    sum
}

pub fn beyond(x: &[f64], _: &[f64], n: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..n * n * 2 {
        sum += x[i] * x[i];
    }
    sum
}
";

/// Numbers of many magnitudes, including zeros of both signs.
fn floats(len: usize, step: usize) -> Value<'static> {
    let odd = [-0.0, 0.0, 1e-300, 1e17, -1e17, 3.0e-9];
    let float = |k: usize| match k % 5 {
        2 => odd[k * step % odd.len()],
        _ => ((k * step) % 101) as f64 / 7.0 - 6.0,
    };
    Value::from(Array::from_vec((0..len).map(float).collect()))
}

/// The number of loops in the gradient; checks that it gives the same as the pullback.
fn loops(loaded: &Loaded, name: &str) -> usize {
    let (engine, func) = (loaded.engine(), loaded.function(name).expect("it is there").symbol);
    let wrt = vec![true, true, false];
    let [gradient, pullback] = [ReverseOutput::Gradient, ReverseOutput::Pullback]
        .map(|gives| ReverseTransform::new(gives).with_respect_to(wrt.clone()));
    for n in [2_usize, 3, 7] {
        let args = || vec![floats(n * n + n, 31), floats(n * n, 17), Value::from(n)];
        match (engine.overdub(&gradient, func, args()), engine.overdub(&pullback, func, args())) {
            (Ok(both), Ok(split)) => {
                let [both, split] =
                    [both, split].map(|value| value.as_composite().expect("a pair").parts.clone());
                let found = engine.call(&split[1], vec![Value::F64(1.0)]).expect("it goes back");
                assert!(both[0].same(&split[0]), "{name} {n}: {} {}", both[0], split[0]);
                assert!(both[1].same(&found), "{name} {n}: {} {found}", both[1]);
            }
            (Err(one), Err(other)) => assert_eq!(one.report().message, other.report().message, "{name}"),
            (one, other) => panic!("{name} {n}: {one:?} {other:?}"),
        }
    }
    let made = engine.overdubbed(&gradient, func).expect("it is made").name;
    let made = engine.module().func(made).expect("it is loaded").expect("it is there");
    let cfg = Cfg::new(&made);
    LoopNest::new(&cfg, &Dominators::new(&cfg)).iter().count()
}

#[test]
fn a_loop_whose_rounds_add_to_elements_of_their_own_is_gone_back_over_round_by_round() {
    let loaded = Loaded::from_source("loops.rs", PROGRAM).expect("it is well formed");
    assert_eq!(loops(&loaded, "valley"), 1);
    assert_eq!(loops(&loaded, "mean_of_squares"), 1);
    assert_eq!(loops(&loaded, "by_signs"), 1);
    assert_eq!(loops(&loaded, "trace"), 2);
    assert_eq!(loops(&loaded, "beyond"), 1);
    assert_eq!(loops(&loaded, "rows"), 1);
}

#[test]
fn a_loop_is_gone_back_over_by_another_one_where_the_order_of_sums_or_what_follows_counts() {
    let loaded = Loaded::from_source("loops.rs", PROGRAM).expect("it is well formed");
    assert_eq!(loops(&loaded, "three_terms"), 2);
    assert_eq!(loops(&loaded, "often_one"), 2);
    // The inner loops are not fused, either: each would add to elements of the row before.
    assert_eq!(loops(&loaded, "overlapping_rows"), 4);
    assert_eq!(loops(&loaded, "root_of_sum"), 2);
    assert_eq!(loops(&loaded, "kept"), 2);
    assert_eq!(loops(&loaded, "overlapping_ranges"), 2);
    assert_eq!(loops(&loaded, "recorded_in_an_inner_loop"), 4);
}

/// Functions that read at all pairs of these indices, in one loop or in two, with and without records, with several endings.
fn all_pairs() -> (String, Vec<String>) {
    let one = ["i", "i + 1", "n - 1 - i", "i % 2", "2 * i", "2 * i + 1", "2 * i + 2", "i / 2", "0"];
    let terms = [
        "sum += x[A] * x[B] - 0.5 * y[B];",
        "sum += (x[A] * x[B] * 1e-3).sin().exp() - 0.5 * y[B];",
        "if x[A] > 0.0 { sum += (x[A] * x[B]).sqrt(); } else { sum -= y[B] * x[A].exp(); }",
    ];
    let two =
        ["i * n + k", "k * n + i", "i * 2 + k", "i + k", "k", "i * n", "n * k + (i + n)", "i * n + k % 2"];
    let ends = ["sum", "sum / n as f64", "sum * 2.0 - 1.0", "sum * sum"];
    let (mut source, mut names) = (String::new(), Vec::new());
    let mut add = |reads: &[&str], inner: &str| {
        let pairs = reads.iter().flat_map(|a| reads.iter().map(move |b| (a, b)));
        for ((a, b), term) in pairs.flat_map(|pair| terms.iter().map(move |term| (pair, term))) {
            let term = term.replace('A', a).replace('B', b);
            let (name, end) = (format!("f{}", names.len()), ends[names.len() % ends.len()]);
            source.push_str(&format!(
                "pub fn {name}(x: &[f64], y: &[f64], n: usize) -> f64 {{
    let mut sum = 0.0;
    for i in 0..n {{ {inner} {{ {term} }} }}
    {end}
}}
"
            ));
            names.push(name);
        }
    };
    add(&one, "");
    add(&two, "for k in 0..n");
    (source, names)
}

#[test]
fn wherever_elements_are_read_one_loop_gives_what_two_give() {
    let (source, names) = all_pairs();
    let loaded = Loaded::from_source("pairs.rs", &source).expect("it is well formed");
    let counts: Vec<usize> = names.iter().map(|name| loops(&loaded, name)).collect();
    // One or two loops for a single loop, two or four for a loop in a loop.
    [1, 2, 4].into_iter().for_each(|count| assert!(counts.contains(&count), "{counts:?}"));
}

/// A statement of an iteration; the numbers choose among the variables that there are.
#[derive(Clone, Debug)]
enum Statement {
    Operation(char, usize, usize),
    Function(&'static str, usize),
    Choice([usize; 5]),
    Sum(usize),
    SumIf(usize, usize, usize),
    Continue(usize, usize),
}

fn statement() -> impl Strategy<Value = Statement> {
    use Statement::*;
    let at = || 0..20_usize;
    prop_oneof![
        4 => (prop::sample::select(vec!['+', '-', '*', '/']), at(), at()).prop_map(|(op, a, b)| Operation(op, a, b)),
        3 => (prop::sample::select(vec!["sin", "exp", "sqrt", "abs", "tanh"]), at()).prop_map(|(f, a)| Function(f, a)),
        2 => [at(), at(), at(), at(), at()].prop_map(Choice),
        1 => at().prop_map(Sum),
        1 => (at(), at(), at()).prop_map(|(a, b, c)| SumIf(a, b, c)),
        1 => (at(), at()).prop_map(|(a, b)| Continue(a, b)),
    ]
}

/// A function of ranges of three elements, each of an iteration of its own.
fn of_ranges(statements: &[Statement]) -> String {
    use std::fmt::Write as _;
    let mut vars: Vec<String> = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
    let mut body = String::new();
    for (k, statement) in statements.iter().enumerate() {
        let var = |at: &usize| vars[at % vars.len()].clone();
        let line = match statement {
            Statement::Operation(op, a, b) => format!("let v{k} = {} {op} {};", var(a), var(b)),
            Statement::Function(function, a) => format!("let v{k} = {}.{function}();", var(a)),
            Statement::Choice([a, b, c, d, e]) => {
                let [a, b, c, d, e] = [a, b, c, d, e].map(var);
                format!("let v{k} = if {a} > {b} {{ ({c} * {d}).cos() }} else {{ {d} / {e} }};")
            }
            Statement::Sum(a) => format!("sum += {};", var(a)),
            Statement::SumIf(a, b, c) => format!("if {} > {} {{ sum -= {}; }}", var(a), var(b), var(c)),
            Statement::Continue(a, b) => format!("if {} > 2.0 * {} {{ continue; }}", var(a), var(b)),
        };
        writeln!(body, "        {line}").expect("a string takes all");
        if line.starts_with("let") {
            vars.push(format!("v{k}"));
        }
    }
    let last = vars.last().cloned().unwrap_or_default();
    format!(
        "pub fn f(x: &[f64], y: &[f64], n: usize) -> f64 {{
    let mut sum = 0.0;
    for i in 0..n {{
        let (a, b, c, d) = (x[3 * i], x[3 * i + 1], x[3 * i + 2], y[i]);
{body}        sum += {last};
    }}
    sum
}}"
    )
}

proptest! {
    #![proptest_config(overdub_context::testing::cases(40))]

    #[test]
    fn whatever_an_iteration_records_one_loop_gives_what_two_give(
        statements in prop::collection::vec(statement(), 1..14)
    ) {
        let source = of_ranges(&statements);
        let loaded = Loaded::from_source("ranges.rs", &source).expect("it is well formed");
        prop_assert_eq!(loops(&loaded, "f"), 1, "{}", source);
    }
}
