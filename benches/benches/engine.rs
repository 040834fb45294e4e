//! What running a hot function under a context costs beyond the call itself, and what a hook costs.
//!
//! By hand is here the same engine's plain run of the function.

use overdub_benches::{Row, compare, print, write_json};
use overdub_context::Symbol;
use overdub_context::engine::{CallSite, Carries, Context, Empty, Engine, Hooks, ValueOnly};
use overdub_context::text;
use overdub_context::value::Value;

const PROGRAM: &str = "
fn @f(%x: f64) -> f64 {
  %a: f64 = mul %x, 3.7
  %b: f64 = add %a, 1.0
  ret %b
}
";

/// Wants nothing, but has to be asked.
#[derive(Clone)]
struct Indifferent;

impl Context for Indifferent {
    type Metadata = ();
    type Outcome = ValueOnly;

    fn carries(&self) -> Carries {
        Carries::Nothing
    }
}

/// Hands its handle on and watches nothing.
#[derive(Clone)]
struct Carrying;

impl Context for Carrying {
    type Metadata = ();
    type Outcome = ValueOnly;
}

/// Watches both operations, before and after.
#[derive(Clone)]
struct Watching;

impl Context for Watching {
    type Metadata = ();
    type Outcome = ValueOnly;

    fn hooks(&self, _: &CallSite) -> Hooks {
        Hooks::BOTH
    }
}

const RUNS: usize = 1000;

fn row<C: Context>(engine: &Engine, name: &str, cx: &C) -> Row {
    let f = Symbol::new("f");
    let args = || vec![Value::F64(0.5)];
    compare(
        name,
        RUNS as f64,
        || (0..RUNS).for_each(|_| drop(engine.overdub(cx, f, args()).map(drop))),
        || (0..RUNS).for_each(|_| drop(engine.run(f, args()))),
    )
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::new(text::parse(PROGRAM)?.module());
    let prepared = engine.prepare(&Indifferent, "f");
    let f = Symbol::new("f");
    let rows = [
        row(&engine, "under the empty context", &Empty),
        row(&engine, "under a context that wants nothing", &Indifferent),
        compare(
            "the same, prepared",
            RUNS as f64,
            || (0..RUNS).for_each(|_| drop(prepared.run(vec![Value::F64(0.5)]))),
            || (0..RUNS).for_each(|_| drop(engine.run(f, vec![Value::F64(0.5)]))),
        ),
        row(&engine, "under a context with a handle", &Carrying),
        row(&engine, "under four hooks", &Watching),
    ];
    print("a hot function under a context (by hand: without)", "run", &rows);
    write_json(&rows)?;
    Ok(())
}
