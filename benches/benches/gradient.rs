//! What a gradient costs beside one written by hand, and beside the program that it is the gradient of.

use std::hint::black_box;
use std::time::{Duration, Instant};

use overdub_ad::reverse::{Gives, Transform};
use overdub_context::engine::{Engine, Prepared};
use overdub_context::value::Value;
use overdub_lower::Loaded;
use overdub_native::Native;
use overdub_passes::Optimising;

const PROGRAMS: &str = "
pub fn rosenbrock(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() - 1 {
        let a = x[i + 1] - x[i] * x[i];
        let b = 1.0 - x[i];
        s += 100.0 * a * a + b * b;
    }
    s
}
pub fn sines(x: f64, n: usize) -> f64 {
    let mut y = x;
    for _ in 0..n { y = y.sin() * 1.1 + 0.5 * y; }
    y
}
pub fn total(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x { s += v; }
    s
}
pub fn trace(a: &[Vec<f64>], b: &[Vec<f64>]) -> f64 {
    let n = a.len();
    let mut t = 0.0;
    for i in 0..n { for k in 0..n { t += a[i][k] * b[k][i]; } }
    t
}
pub fn tree(x: f64, depth: usize) -> f64 {
    if depth == 0 { x.sin() } else { tree(x * 0.9, depth - 1) * tree(x + 0.1, depth - 1) + x }
}
";

/// A measured gradient.
struct Row {
    name: String,
    ours: Duration,
    interpreted: Duration,
    hand_gradient: Duration,
    hand_primal: Duration,
}

fn fastest<T>(mut f: impl FnMut() -> T) -> Duration {
    let begin = Instant::now();
    let mut best = Duration::MAX;
    while begin.elapsed() < Duration::from_millis(300) || best == Duration::MAX {
        let start = Instant::now();
        black_box(f());
        best = best.min(start.elapsed());
    }
    best
}

struct Bench {
    native: Engine,
    interpreter: Engine,
    loaded: Loaded,
}

impl Bench {
    fn gradient(
        &self,
        engine: &Engine,
        func: &str,
    ) -> Result<Prepared<Transform>, Box<dyn std::error::Error>> {
        let symbol = self.loaded.function(func)?.symbol;
        Ok(engine.prepare(&Transform::new(Gives::Gradient), symbol))
    }

    fn row<G, P>(
        &self,
        name: String,
        func: &str,
        args: Vec<Value<'static>>,
        hand_gradient: impl FnMut() -> G,
        hand_primal: impl FnMut() -> P,
    ) -> Result<Row, Box<dyn std::error::Error>> {
        let (gradient, slow) = (self.gradient(&self.native, func)?, self.gradient(&self.interpreter, func)?);
        let mut seeded = args;
        seeded.push(Value::F64(1.0));
        let (ours, theirs) = (gradient.run(seeded.clone())?, slow.run(seeded.clone())?);
        assert!(ours.same(&theirs), "machine code and interpreter agree");
        Ok(Row {
            name,
            ours: fastest(|| gradient.run(seeded.clone())),
            interpreted: fastest(|| slow.run(seeded.clone())),
            hand_gradient: fastest(hand_gradient),
            hand_primal: fastest(hand_primal),
        })
    }
}

fn rosenbrock(x: &[f64]) -> f64 {
    let pairs = x.windows(2);
    pairs.map(|w| 100.0 * (w[1] - w[0] * w[0]).powi(2) + (1.0 - w[0]).powi(2)).sum()
}

fn rosenbrock_gradient(x: &[f64]) -> (f64, Vec<f64>) {
    let (mut s, mut dx) = (0.0, vec![0.0; x.len()]);
    for i in 0..x.len() - 1 {
        let (a, b) = (x[i + 1] - x[i] * x[i], 1.0 - x[i]);
        s += 100.0 * a * a + b * b;
        dx[i + 1] += 200.0 * a;
        dx[i] -= 400.0 * a * x[i] + 2.0 * b;
    }
    (s, dx)
}

fn sines(x: f64, n: usize) -> f64 {
    (0..n).fold(x, |y, _| y.sin() * 1.1 + 0.5 * y)
}

fn sines_gradient(x: f64, n: usize) -> (f64, f64) {
    let (mut y, mut tape) = (x, Vec::with_capacity(n));
    for _ in 0..n {
        tape.push(y);
        y = y.sin() * 1.1 + 0.5 * y;
    }
    (y, tape.iter().rev().fold(1.0, |dy, y| dy * (y.cos() * 1.1 + 0.5)))
}

fn trace(a: &[Vec<f64>], b: &[Vec<f64>]) -> f64 {
    let n = a.len();
    (0..n).map(|i| (0..n).map(|k| a[i][k] * b[k][i]).sum::<f64>()).sum()
}

fn trace_gradient(a: &[Vec<f64>], b: &[Vec<f64>]) -> (f64, Vec<Vec<f64>>, Vec<Vec<f64>>) {
    let transposed = |m: &[Vec<f64>]| (0..m.len()).map(|i| m.iter().map(|row| row[i]).collect()).collect();
    (trace(a, b), transposed(b), transposed(a))
}

fn tree(x: f64, depth: usize) -> f64 {
    if depth == 0 { x.sin() } else { tree(x * 0.9, depth - 1) * tree(x + 0.1, depth - 1) + x }
}

fn tree_gradient(x: f64, depth: usize) -> (f64, f64) {
    if depth == 0 {
        return (x.sin(), x.cos());
    }
    let ((l, dl), (r, dr)) = (tree_gradient(x * 0.9, depth - 1), tree_gradient(x + 0.1, depth - 1));
    (l * r + x, 0.9 * dl * r + l * dr + 1.0)
}

fn rows(bench: &Bench) -> Result<Vec<Row>, Box<dyn std::error::Error>> {
    let mut rows = Vec::new();
    for n in [10_usize, 1_000, 1_000_000] {
        let x: Vec<f64> = (0..n).map(|i| 0.5 + (i % 7) as f64 * 0.1).collect();
        let args = vec![Value::floats(x.clone())];
        let (by_hand, primal) = (|| rosenbrock_gradient(black_box(&x)), || rosenbrock(black_box(&x)));
        rows.push(bench.row(format!("rosenbrock {n}"), "rosenbrock", args, by_hand, primal)?);
    }
    let (x, n) = (0.3, 1_000_000_usize);
    let args = vec![Value::F64(x), Value::from(n)];
    let (by_hand, primal) = (|| sines_gradient(black_box(x), n), || sines(black_box(x), n));
    rows.push(bench.row(format!("sine recurrence {n}"), "sines", args, by_hand, primal)?);
    let xs: Vec<f64> = (0..1000).map(f64::from).collect();
    let args = vec![Value::floats(xs.clone())];
    let by_hand = || (black_box(&xs).iter().sum::<f64>(), vec![1.0; xs.len()]);
    rows.push(
        bench.row("sum 1000".to_owned(), "total", args, by_hand, || black_box(&xs).iter().sum::<f64>())?,
    );
    let a: Vec<Vec<f64>> = (0..30).map(|i| (0..30).map(|k| f64::from(i * 30 + k).sin()).collect()).collect();
    let elem = overdub_context::ir::Ty::array(overdub_context::ir::Ty::f64(), 1);
    let values = a.iter().map(|row| Value::floats(row.clone()));
    let matrix =
        Value::from(overdub_context::value::Array::from_values(elem, values).ok_or("rows are vectors")?);
    let args = vec![matrix.clone(), matrix];
    let (by_hand, primal) = (|| trace_gradient(black_box(&a), &a), || trace(black_box(&a), &a));
    rows.push(bench.row("trace of a product 30".to_owned(), "trace", args, by_hand, primal)?);
    let (x, depth) = (0.3, 12_usize);
    let args = vec![Value::F64(x), Value::from(depth)];
    let (by_hand, primal) = (|| tree_gradient(black_box(x), depth), || tree(black_box(x), depth));
    rows.push(bench.row(format!("recursion {depth}"), "tree", args, by_hand, primal)?);
    Ok(rows)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let begin = Instant::now();
    let loaded = Loaded::from_source("programs.rs", PROGRAMS)?;
    let native =
        Engine::builder(loaded.shared_module()).executor(Native::new()).optimizer(Optimising).build();
    let bench = Bench { native, interpreter: loaded.engine(), loaded };
    bench
        .gradient(&bench.interpreter, "rosenbrock")?
        .run(vec![Value::floats(vec![0.5, 0.7]), Value::F64(1.0)])?;
    println!("first gradient after {:.1} ms", begin.elapsed().as_secs_f64() * 1e3);
    let rows = rows(&bench)?;
    println!(
        "{:<28}{:>16}{:>18}{:>18}{:>18}",
        "", "ours ns", "interpreted ns", "of hand gradient", "of hand primal"
    );
    for row in &rows {
        let ratio = |to: Duration| row.ours.as_secs_f64() / to.as_secs_f64().max(1e-9);
        println!(
            "{:<28}{:>16.0}{:>18.0}{:>18.2}{:>18.2}",
            row.name,
            row.ours.as_secs_f64() * 1e9,
            row.interpreted.as_secs_f64() * 1e9,
            ratio(row.hand_gradient),
            ratio(row.hand_primal)
        );
    }
    let json: Vec<_> = rows
        .iter()
        .map(|row| {
            serde_json::json!({
                "name": row.name,
                "ours_ns": row.ours.as_secs_f64() * 1e9,
                "interpreted_ns": row.interpreted.as_secs_f64() * 1e9,
                "hand_gradient_ns": row.hand_gradient.as_secs_f64() * 1e9,
                "hand_primal_ns": row.hand_primal.as_secs_f64() * 1e9,
            })
        })
        .collect();
    if let Some(path) = std::env::args().skip_while(|arg| arg != "--json").nth(1) {
        std::fs::write(path, serde_json::json!({ "rows": json }).to_string())?;
    }
    Ok(())
}
