//! Annotated functions give what Rust's own call gives, to the bit, and fail where Rust panics.

use overdub::prelude::*;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Newton's square root: a loop until it converges.
#[dub]
fn root(x: f64) -> Option<f64> {
    if x < 0.0 {
        return None;
    }
    let mut guess = x.max(1.0);
    loop {
        let next = 0.5 * (guess + x / guess);
        if next >= guess || next.is_nan() {
            return Some(guess);
        }
        guess = next;
    }
}

#[dub]
fn horner(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c)
}

#[dub]
fn smooth(xs: &mut [f64], rounds: u8) {
    for _ in 0..rounds {
        for i in 1..xs.len().saturating_sub(1) {
            xs[i] = (xs[i - 1] + 2.0 * xs[i] + xs[i + 1]) / 4.0;
        }
    }
}

#[derive(Dub, Clone, Copy, Debug, PartialEq)]
struct Body {
    at: (f64, f64),
    speed: [f64; 2],
    mass: f32,
}

#[dub]
impl Body {
    fn kick(&mut self, force: (f64, f64), dt: f64) -> f64 {
        let mass = f64::from(self.mass);
        self.speed[0] += force.0 / mass * dt;
        self.speed[1] += force.1 / mass * dt;
        self.at = (self.at.0 + self.speed[0] * dt, self.at.1 + self.speed[1] * dt);
        0.5 * mass * self.speed.iter().map(|v| v * v).sum::<f64>()
    }
}

#[derive(Dub, Clone, Debug)]
enum Expr {
    Number(f64),
    X,
    Neg(Box<Expr>),
    Add(Box<Expr>, Box<Expr>),
    Mul { left: Box<Expr>, right: Box<Expr> },
}

#[dub]
fn value(expr: &Expr, x: f64) -> f64 {
    match expr {
        Expr::Number(n) => *n,
        Expr::X => x,
        Expr::Neg(inner) => -value(inner, x),
        Expr::Add(left, right) => value(left, x) + value(right, x),
        Expr::Mul { left, right } => value(left, x) * value(right, x),
    }
}

#[dub]
fn digits(n: i32, base: i32) -> Result<Vec<i32>, String> {
    if base < 2 {
        return Err(format!("no base {base}"));
    }
    let (mut n, mut found) = (n.abs(), vec![]);
    while n > 0 {
        found.push(n % base);
        n /= base;
    }
    found.reverse();
    Ok(found)
}

#[dub]
fn largest<T: PartialOrd + Copy>(xs: &[T]) -> Option<T> {
    let (first, rest) = xs.split_first()?;
    Some(rest.iter().fold(*first, |best, &x| if x > best { x } else { best }))
}

#[dub]
fn histogram(words: &[String]) -> Vec<(String, usize)> {
    let mut counts = BTreeMap::new();
    for word in words {
        *counts.entry(word.to_lowercase()).or_insert(0) += 1;
    }
    counts.into_iter().collect()
}

#[dub]
fn narrow(a: u8, b: u8) -> u8 {
    (a.wrapping_mul(b) ^ (a >> (b % 8))) | b.rotate_left(3)
}

#[dub]
fn checked(a: i16, b: i16) -> i16 {
    a / b + a * b
}

fn exprs() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![any::<f64>().prop_map(Expr::Number), Just(Expr::X)];
    leaf.prop_recursive(4, 24, 2, |inner| {
        let pair = (inner.clone(), inner.clone()).prop_map(|(a, b)| (Box::new(a), Box::new(b)));
        prop_oneof![
            inner.prop_map(|a| Expr::Neg(Box::new(a))),
            pair.clone().prop_map(|(a, b)| Expr::Add(a, b)),
            pair.prop_map(|(left, right)| Expr::Mul { left, right }),
        ]
    })
}

fn bits(xs: &[f64]) -> Vec<u64> {
    // Which NaN it is does not count: Rust leaves it unspecified.
    xs.iter().map(|x| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() }).collect()
}

fn same(a: f64, b: f64) -> bool {
    bits(&[a]) == bits(&[b])
}

proptest! {
    #![proptest_config(overdub_context::testing::cases(48))]

    #[test]
    fn loops_over_floats_run_alike(x in -1e6..1e6f64) {
        prop_assert_eq!(run(root, (x,)).unwrap().map(f64::to_bits), root(x).map(f64::to_bits));
    }

    #[test]
    fn slices_are_folded_alike(xs in prop::collection::vec(any::<f64>(), 0..9), x in any::<f64>()) {
        prop_assert!(same(run(horner, (&xs[..], x)).unwrap(), horner(&xs, x)));
    }

    #[test]
    fn slices_are_changed_alike(xs in prop::collection::vec(any::<f64>(), 0..9), rounds in 0..4u8) {
        let (mut ours, mut rusts) = (xs.clone(), xs);
        run(smooth, (&mut ours[..], rounds)).unwrap();
        smooth(&mut rusts, rounds);
        prop_assert_eq!(bits(&ours), bits(&rusts));
    }

    #[test]
    fn structs_are_changed_alike(x in -1e3..1e3f64, v in -9.0..9.0f64, mass in 0.1f32..9.0, dt in 0.0..1.0f64) {
        let body = Body { at: (x, -x), speed: [v, 1.0], mass };
        let (mut ours, mut rusts) = (body, body);
        let energy = run(Body::kick, (&mut ours, (v, x), dt)).unwrap();
        prop_assert!(same(energy, rusts.kick((v, x), dt)));
        prop_assert_eq!(ours, rusts);
    }

    #[test]
    fn trees_are_walked_alike(expr in exprs(), x in any::<f64>()) {
        prop_assert!(same(run(value, (&expr, x)).unwrap(), value(&expr, x)));
    }

    #[test]
    fn results_and_texts_come_out_alike(n in -99999..99999i32, base in -1..37i32) {
        prop_assert_eq!(run(digits, (n, base)).unwrap(), digits(n, base));
    }

    #[test]
    fn generic_functions_run_alike_for_each_type(
        xs in prop::collection::vec(any::<i64>(), 0..9),
        ys in prop::collection::vec(-1e9..1e9f32, 0..9),
    ) {
        prop_assert_eq!(run(largest, (&xs[..],)).unwrap(), largest(&xs));
        prop_assert_eq!(run(largest, (&ys[..],)).unwrap(), largest(&ys));
    }

    #[test]
    fn maps_count_alike(words in prop::collection::vec("[a-cA-C]{1,2}", 0..9)) {
        prop_assert_eq!(run(histogram, (&words[..],)).unwrap(), histogram(&words));
    }

    #[test]
    fn narrow_integers_compute_alike(a in any::<u8>(), b in any::<u8>()) {
        prop_assert_eq!(run(narrow, (a, b)).unwrap(), narrow(a, b));
    }

    #[test]
    fn it_fails_where_rust_panics(a in -300..300i16, b in -300..300i16) {
        let fits = a.checked_div(b).zip(a.checked_mul(b)).and_then(|(q, p)| q.checked_add(p));
        prop_assert_eq!(run(checked, (a, b)).ok(), fits);
    }

    #[test]
    fn closures_run_alike(k in any::<f64>(), xs in prop::collection::vec(any::<f64>(), 0..9), x in any::<f64>()) {
        let g = overdub::closures::dub!(|t: f64, up: bool| if up { horner(&xs, t) } else { t * k });
        prop_assert!(same(run(g.clone(), (x, true)).unwrap(), g(x, true)));
        prop_assert!(same(run(g.clone(), (x, false)).unwrap(), g(x, false)));
    }
}

mod not_annotated {
    pub(super) fn helper(x: f64) -> f64 {
        x + 1.0
    }
}
use not_annotated::helper;

#[dub]
fn calls_helper(x: f64) -> f64 {
    helper(x)
}

const ADVICE_TO_ANNOTATE: &str =
    "annotate it with `#[dub]`, or write `overdub::source!(crate);` in the root file of its crate";

#[test]
fn what_is_not_annotated_is_named_with_advice() {
    let error = run(calls_helper, (1.0,)).unwrap_err();
    assert!(error.message().contains("`helper`"), "{error:?}");
    assert_eq!(error.help(), Some(ADVICE_TO_ANNOTATE));
    assert!(error.span().file.ends_with("door_laws.rs") && error.span().is_known(), "{error:?}");
    let error = run(helper, (1.0,)).unwrap_err();
    assert!(error.message().contains("door_laws::not_annotated::helper"), "{error:?}");
    assert_eq!(error.help(), Some(ADVICE_TO_ANNOTATE));
    let plain = run(|x: f64| x, (1.0,)).unwrap_err();
    assert!(plain.help().is_some_and(|help| help.contains("dub!")), "{plain:?}");
}

#[test]
fn a_failure_names_the_line_and_the_callers() {
    let error = run(checked, (1, 0)).unwrap_err();
    assert_eq!(error.message(), "attempt to divide by zero");
    assert_eq!(&*error.stack()[0].func, "checked");
    assert!(error.span().is_known());
    let mut kept = vec![1.0];
    #[dub]
    fn spoil(xs: &mut Vec<f64>) {
        xs.clear();
        xs[3] = 1.0;
    }
    run(spoil, (&mut kept,)).unwrap_err();
    assert_eq!(kept, [1.0]);
}
