//! The cost of a gradient within a memory: the time compared with everything stored, beside the recomputation by Revolve.

use overdub_ad::transform::reverse::Transformed;
use overdub_ad::{GradientRoute, TapeBound};
use overdub_context::value::Value;

use super::measure::{Fallible, Program, fastest, ratio, seen};

/// Steps over a state of numbers, each of which depends on its neighbour.
const RELAX: &str = "
pub fn relax(u0: &[f64], k: f64, n: usize) -> f64 {
    let mut u = u0.to_vec();
    let m = u.len();
    for _ in 0..n {
        let mut last = u[m - 1];
        for i in 0..m {
            let here = u[i];
            u[i] = here + k * (last - here) * here;
            last = here;
        }
    }
    u.iter().sum::<f64>()
}";

/// The numbers of the state.
const STATE: usize = 1000;

/// The least number of runs of each step that Revolve takes besides the one that is reversed, on average: Griewank and
/// Walther's formula, for chunks and snapshots as they fit in halves of the memory.
fn recomputation(steps: usize, record: usize, memory: usize) -> f64 {
    let snapshot = 8 * STATE + 8;
    let left = memory.saturating_sub(snapshot);
    let chunk = if steps <= left / record { steps } else { (left / 2 / record).max(1) };
    let snapshots = ((memory - chunk * record) / snapshot).max(1);
    let chunks = steps.div_ceil(chunk);
    let reversed =
        |r: usize, s: usize| (1..=r).fold(1.0_f64, |product, i| product * (s + i) as f64 / i as f64);
    let r = (0..).find(|r| reversed(*r, snapshots) >= chunks as f64).expect("it grows");
    if r == 0 {
        return 0.0;
    }
    r as f64 - reversed(r - 1, snapshots + 1) / chunks as f64
}

/// Prints the time of a gradient within several memories, compared with that of the gradient with everything stored.
pub(crate) fn within() -> Fallible<()> {
    let program = Program::new("relax.rs", RELAX)?;
    let f = program.loaded.function("relax")?;
    let steps = 10_000;
    let u: Vec<f64> = (0..STATE).map(|i| 0.5 + 0.4 * (i as f64).sin()).collect();
    let args = || vec![Value::floats(u.clone()), Value::F64(0.05), Value::from(steps)];
    let made = |bound| Transformed::gradient_within(&program.engine, f.symbol, &|_| true, bound);
    let report = |bound| {
        GradientRoute::within(&program.engine, f.symbol, f.ir_ret, &|_| true, bound).tape_report(args())
    };
    let stored = made(TapeBound::Unbounded)?;
    let record = report(TapeBound::Unbounded)?.bytes / steps;
    println!(
        "\n{:<28}{:>12}{:>12}{:>16}{:>12}",
        format!("{steps} steps, state {STATE}"),
        "bytes",
        "ms",
        "of all stored",
        "revolve"
    );
    for memory in [64_000_000, 16_000_000, 4_000_000, 1_000_000, 250_000, 64_000] {
        let within = made(TapeBound::Memory(memory))?;
        let [all, time] =
            fastest([&mut || seen(stored.run(args()).is_ok()), &mut || seen(within.run(args()).is_ok())]);
        println!(
            "{:<28}{:>12}{:>12.1}{:>16.2}{:>12.2}",
            "within a memory",
            memory,
            time.as_secs_f64() * 1e3,
            ratio(time, all),
            recomputation(steps, record, memory),
        );
    }
    Ok(())
}
