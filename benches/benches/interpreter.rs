//! The cost of an instruction in the interpreter, and a check that a loop of updates stays linear.

use overdub_benches::{compare, print, write_json};
use overdub_context::interp::Interpreter;
use overdub_context::text;
use overdub_context::value::Value;

/// Ten scalar instructions and a branch in each iteration.
const SCALARS: &str = "
fn @scalars(%n: i64) -> f64 {
  br ^loop(0, 0.5)
^loop(%i: i64, %x: f64):
  %go: bool = lt %i, %n
  br_if %go, ^body, ^done
^body:
  %a: f64 = mul %x, 3.7
  %b: f64 = sub 1.0, %x
  %c: f64 = mul %a, %b
  %d: f64 = add %c, 0.001
  %e: f64 = mul %d, 0.999
  %f: f64 = sub %e, 0.0005
  %g: f64 = add %f, 0.0001
  %h: f64 = mul %g, 0.9999
  %j: i64 = add %i, 1
  br ^loop(%j, %h)
^done:
  ret %x
}
";

/// The number of instructions of one iteration, not counting its two branches.
const PER_ITERATION: f64 = 10.0;

const UPDATES: &str = "
fn @updates(%n: usize) -> [f64] {
  %a: [f64] = repeat 0.0, %n
  br ^loop(0_usize, %a)
^loop(%i: usize, %v: [f64]):
  %go: bool = lt %i, %n
  br_if %go, ^body, ^done
^body:
  %x: f64 = cast %i
  %w: [f64] = set %v, %i, %x
  %j: usize = add %i, 1_usize
  br ^loop(%j, %w)
^done:
  ret %v
}
";

fn scalars_by_hand(n: i64) -> f64 {
    let mut x = 0.5;
    let mut i = 0;
    while std::hint::black_box(i) < n {
        x = ((x * 3.7 * (1.0 - x) + 0.001) * 0.999 - 0.0005 + 0.0001) * 0.9999;
        i += 1;
    }
    x
}

fn updates_by_hand(n: usize) -> Vec<f64> {
    let mut v = vec![0.0; n];
    for (i, x) in v.iter_mut().enumerate() {
        *x = std::hint::black_box(i) as f64;
    }
    v
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scalars = text::parse_unverified(SCALARS)?.module();
    let updates = text::parse_unverified(UPDATES)?.module();
    let iterations = 1_000_000;
    let mut rows = vec![compare(
        "scalar instructions, 10^6 rounds",
        PER_ITERATION * iterations as f64,
        || Interpreter::new(&scalars).run("scalars", vec![Value::from(iterations)]),
        || scalars_by_hand(iterations),
    )];
    for n in [10_000_usize, 100_000, 1_000_000] {
        rows.push(compare(
            &format!("set in a loop over {n} elements"),
            n as f64,
            || Interpreter::new(&updates).run("updates", vec![Value::from(n)]),
            || updates_by_hand(n),
        ));
    }
    print("interpreter", "step", &rows);
    let growth = rows[3].ours.as_secs_f64() / rows[2].ours.as_secs_f64();
    println!("ten times the elements take {growth:.1} times the time");
    write_json(&rows)?;
    Ok(())
}
