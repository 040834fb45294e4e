//! Programs that are chains of iterators or change nested parts: functions of two vectors of floats.

use overdub_context::value::Value;

pub(crate) const PROGRAM: &str = r#"
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
#[derive(Clone, Copy)]
enum Side { Left, Right }
pub fn sides(a: &[f64], b: &[f64]) -> f64 {
    let mut sum = 0.0;
    for x in a {
        let side = if *x > 0.0 { Side::Right } else { Side::Left };
        sum += side as usize as f64 * b[0];
    }
    sum
}
pub fn cloned_closure(a: &[f64], b: &[f64]) -> f64 {
    let factors = b.to_vec();
    let f = move |x: f64| x * factors[0];
    let g = f.clone();
    f(a[0]) + g(a[1])
}
"#;

pub(crate) const FUNCTIONS: &[&str] = &[
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
    "sides",
    "cloned_closure",
];

pub(crate) fn shown(args: &[Value<'_>]) -> String {
    let args: Vec<String> = args.iter().map(unnumbered).collect();
    args.join(", ")
}

/// A value as text, without the numbers of contexts: each engine numbers those that it has met.
pub(crate) fn unnumbered(value: &Value<'_>) -> String {
    let text = value.to_string();
    let mut parts = text.split('#');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + "#" + part.trim_start_matches(|c: char| c.is_ascii_digit()))
}

pub(crate) fn args() -> Vec<Value<'static>> {
    [[1.0, 2.0, -0.5], [3.0, 4.0, 5.0]].map(|elems| Value::floats(elems.to_vec())).into()
}

/// The first difference between what was seen and what is expected.
pub(crate) fn difference(got: &[String], expected: &[String]) -> Option<String> {
    let at = got.iter().zip(expected).position(|(a, b)| a != b);
    match at {
        Some(at) => Some(format!("call {at}: {}\n instead of: {}", got[at], expected[at])),
        None => (got.len() != expected.len())
            .then(|| format!("{} instead of {} calls", got.len(), expected.len())),
    }
}
