//! Hooks see by machine code what they see by the interpreter: as many calls, with the same values, and the same result.

use overdub_context::Failure;
use overdub_context::engine::{CallSite, Context, Engine, Executor, Hooks, Interpreting, Key, WithMetadata};
use overdub_context::value::Value;
use overdub_lower::Loaded;
use overdub_native::Native;
use overdub_passes::Optimised;

/// Notes what its hooks see, at calls of one name or at all.
#[derive(Clone)]
struct Watch {
    hooks: Hooks,
    calls: Option<&'static str>,
}

impl Context for Watch {
    type Metadata = Vec<String>;
    type Outcome = WithMetadata;

    fn key(&self) -> Key {
        Key::of::<Watch>().with(&self.hooks).with(&self.calls)
    }

    fn hooks(&self, call: &CallSite) -> Hooks {
        if self.calls.is_none_or(|name| call.calls(name)) { self.hooks } else { Hooks::NONE }
    }

    fn prehook(&self, seen: &mut Vec<String>, call: &CallSite, args: &[Value<'_>]) -> Result<(), Failure> {
        seen.push(format!("{} of {}", call.name(), shown(args)));
        Ok(())
    }

    fn posthook(
        &self,
        seen: &mut Vec<String>,
        call: &CallSite,
        result: &Value<'_>,
        args: &[Value<'_>],
    ) -> Result<(), Failure> {
        seen.push(format!("{} of {} gives {result}", call.name(), shown(args)));
        Ok(())
    }
}

fn shown(args: &[Value<'_>]) -> String {
    let args: Vec<String> = args.iter().map(|arg| arg.to_string()).collect();
    args.join(", ")
}

const PROGRAM: &str = r#"
pub fn zipped(a: &[f64], b: &[f64]) -> f64 { a.iter().zip(b).map(|(x, y)| x * y).sum() }
pub fn zipped_in_a_loop(a: &[f64], b: &[f64]) -> f64 { let mut t = 0.0; for (x, y) in a.iter().zip(b) { t += x * y } t }
pub fn chained(a: &[f64], b: &[f64]) -> f64 { a.iter().chain(b).map(|x| x * 2.0).sum() }
pub fn flat(a: &[f64], b: &[f64]) -> f64 { a.iter().flat_map(|x| b.iter().map(move |y| x * y)).sum() }
pub fn flat_vectors(a: &[f64], b: &[f64]) -> f64 { a.iter().flat_map(|x| vec![*x, b[0]]).sum() }
pub fn enumerated(a: &[f64], b: &[f64]) -> f64 { let mut t = 0.0; for (i, x) in a.iter().enumerate() { t += x * b[i] } t }
pub fn windows(a: &[f64], b: &[f64]) -> f64 { a.windows(2).map(|w| w[0] * w[1]).sum::<f64>() + b[0] }
pub fn skipped(a: &[f64], b: &[f64]) -> f64 { a.iter().skip(1).map(|x| x * b[0]).sum() }
pub fn reversed(a: &[f64], b: &[f64]) -> f64 { a.iter().rev().zip(b).map(|(x, y)| x - y).sum() }
pub fn filtered(a: &[f64], b: &[f64]) -> f64 { a.iter().filter(|x| **x > b[0] - 3.5).map(|x| x * 2.0).sum() }
pub fn chunked(a: &[f64], b: &[f64]) -> f64 { a.chunks(2).map(|c| c.iter().sum::<f64>() * b[0]).sum() }
pub fn scanned(a: &[f64], b: &[f64]) -> f64 { a.iter().scan(b[0], |s, x| { *s += x; Some(*s) }).sum() }
pub fn peeked(a: &[f64], b: &[f64]) -> f64 { let mut i = a.iter().peekable(); let p = i.peek().map_or(0.0, |x| **x); i.map(|x| x * b[0]).sum::<f64>() + p }
pub fn stepped(a: &[f64], b: &[f64]) -> f64 { a.iter().take_while(|x| **x < 9.0).cloned().step_by(2).chain(b.iter().copied()).sum() }
pub fn collected(a: &[f64], b: &[f64]) -> f64 { let v: Vec<(f64, f64)> = a.iter().copied().zip(b.iter().copied()).collect(); v.iter().map(|p| p.0 * p.1).sum() }

#[derive(Clone)]
struct Inner { v: Vec<f64>, k: f64 }
#[derive(Clone)]
struct Outer { inner: Inner, name: String, pair: (f64, f64), maybe: Option<Vec<f64>> }
pub fn nested(a: &[f64], b: &[f64]) -> f64 {
    let mut o = Outer { inner: Inner { v: a.to_vec(), k: 0.0 }, name: "n".to_string(), pair: (0.0, 1.0), maybe: None };
    let kept = o.clone();
    o.inner.v.push(b[0]);
    o.inner.k += 1.0;
    o.pair.0 += 2.0;
    o.name.push('m');
    o.maybe = Some(b.to_vec());
    if let Some(v) = &mut o.maybe { v.push(7.0); v[0] = 3.0; }
    o.inner.v[0] = b[1];
    o.inner.v.len() as f64 + o.pair.0 + o.pair.1 + o.inner.v[0] + o.inner.k + o.maybe.map_or(0.0, |v| v.iter().sum())
        + kept.inner.v[0] + kept.maybe.map_or(0.25, |v| v[0]) + o.name.len() as f64
}
pub fn rows(a: &[f64], b: &[f64]) -> f64 {
    let mut rows: Vec<Inner> = a.iter().map(|x| Inner { v: vec![*x], k: *x }).collect();
    rows[0].v.push(b[0]);
    rows[1].v[0] = b[1];
    rows[1].k = 5.0;
    let mut pairs: Vec<(f64, f64)> = vec![(0.0, 0.0); 2];
    pairs[1].0 += 1.0;
    let mut maybe: Vec<Option<f64>> = vec![None, Some(1.0)];
    if let Some(x) = &mut maybe[1] { *x += b[0]; }
    let mut grid = vec![vec![0.0; 2]; 2];
    grid[1][0] += b[0];
    rows.iter().map(|r| r.v.iter().sum::<f64>() + r.k).sum::<f64>() + pairs[1].0 + maybe[1].unwrap() + grid[1][0]
}
pub fn counted_up(a: &[f64], b: &[f64]) -> f64 {
    let mut n = 0.0;
    let mut f = |x: f64| { n += x; n * 2.0 };
    let t: f64 = a.iter().map(|x| f(*x)).sum();
    t + b[0]
}
"#;

const FUNCTIONS: &[&str] = &[
    "zipped",
    "zipped_in_a_loop",
    "chained",
    "flat",
    "flat_vectors",
    "enumerated",
    "windows",
    "skipped",
    "reversed",
    "filtered",
    "chunked",
    "scanned",
    "peeked",
    "stepped",
    "collected",
    "nested",
    "rows",
    "counted_up",
];

/// Operations that take composites apart and put them together, one of which is hooked alone.
const STRUCTURAL: &[&str] = &[
    "take.field",
    "take.payload",
    "take.elem",
    "with_field",
    "with_payload",
    "field",
    "payload",
    "struct",
    "tuple",
    "variant",
    "tag",
    "closure",
    "captured",
    "get",
    "set",
    "push",
    "slice",
];

const HOOKS: [Hooks; 4] = [Hooks::PRE, Hooks::POST, Hooks::RESULT, Hooks::BOTH];

fn args() -> Vec<Value<'static>> {
    [[1.0, 2.0, -0.5], [3.0, 4.0, 5.0]].map(|elems| Value::floats(elems.to_vec())).into()
}

/// Where what was seen differs from what is expected.
fn difference(got: &[String], expected: &[String]) -> Option<String> {
    let at = got.iter().zip(expected).position(|(a, b)| a != b);
    match at {
        Some(at) => Some(format!("call {at}: {}\n instead of: {}", got[at], expected[at])),
        None => (got.len() != expected.len())
            .then(|| format!("{} instead of {} calls", got.len(), expected.len())),
    }
}

fn sees_the_same<E: Executor + 'static>(executor: impl Fn() -> E, watches: &[Watch]) {
    let loaded = Loaded::from_source("hooks.rs", PROGRAM).expect("it parses");
    let (interpreted, other): (Engine, Engine) =
        (loaded.engine(), loaded.engine_builder().executor(executor()).build());
    for name in FUNCTIONS {
        let func = loaded.function(name).expect("it is there").symbol;
        for watch in watches {
            let what = format!("{name}, {:?} at {:?}", watch.hooks, watch.calls);
            let fails = |error| panic!("{what}: {error}");
            let (expected, expected_seen) = interpreted.overdub(watch, func, args()).unwrap_or_else(fails);
            let (got, seen) = other.overdub(watch, func, args()).unwrap_or_else(fails);
            assert!(got.same(&expected), "{what}: {got}, interpreted {expected}");
            if let Some(difference) = difference(&seen, &expected_seen) {
                panic!("{what}: {difference}");
            }
        }
    }
}

fn on_everything() -> Vec<Watch> {
    HOOKS.map(|hooks| Watch { hooks, calls: None }).into()
}

fn on_each_structural_operation(hooks: Hooks) -> Vec<Watch> {
    STRUCTURAL.iter().map(|name| Watch { hooks, calls: Some(name) }).collect()
}

#[test]
fn hooks_on_everything_see_the_same_values() {
    sees_the_same(Native::new, &on_everything());
}

#[test]
fn hooks_on_everything_see_the_same_values_where_nothing_is_optimised() {
    sees_the_same(|| Native::new().without_optimising(), &on_everything());
}

#[test]
fn hooks_on_everything_see_the_same_values_where_what_is_interpreted_is_optimised() {
    sees_the_same(|| Optimised::new(Interpreting::new()), &on_everything());
}

#[test]
fn a_hook_on_one_structural_operation_sees_the_same_values() {
    sees_the_same(Native::new, &on_each_structural_operation(Hooks::BOTH));
}

#[test]
fn a_hook_on_one_structural_operation_sees_the_same_values_where_what_is_interpreted_is_optimised() {
    sees_the_same(|| Optimised::new(Interpreting::new()), &on_each_structural_operation(Hooks::BOTH));
}
