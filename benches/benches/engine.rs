//! The cost of running a hot function under a context beyond the call itself, and the cost of a hook.
//!
//! The reference ("by hand") is the same engine's plain run of the function; for typed calls, `run`.

use std::hint::black_box;

use overdub::prelude::dub;
use overdub::{overdub, run};
use overdub_benches::{Row, compare, print, write_json};
use overdub_context::Symbol;
use overdub_context::engine::{CallSite, Context, Empty, Engine, Hooks, NeedsHandle, ValueOnly, ctx};
use overdub_context::text;
use overdub_context::value::Value;

const PROGRAM: &str = "
fn @f(%x: f64) -> f64 {
  %a: f64 = mul %x, 3.7
  %b: f64 = add %a, 1.0
  ret %b
}
";

/// Does nothing, but has to be consulted.
#[derive(Clone)]
struct Indifferent;

impl Context for Indifferent {
    type Metadata = ();
    type Outcome = ValueOnly;

    fn metadata(&self) {}

    fn needs_handle(&self) -> NeedsHandle {
        NeedsHandle::No
    }
}

/// Passes its handle on and watches nothing.
#[derive(Clone)]
struct Carrying;

impl Context for Carrying {
    type Metadata = ();
    type Outcome = ValueOnly;

    fn metadata(&self) {}
}

/// Watches both operations, before and after.
#[derive(Clone)]
struct Watching;

impl Context for Watching {
    type Metadata = ();
    type Outcome = ValueOnly;

    fn metadata(&self) {}

    fn hooks(&self, _: &CallSite) -> Hooks {
        Hooks::BOTH
    }
}

/// The same function, in Rust.
#[dub]
fn f(x: f64) -> f64 {
    x * 3.7 + 1.0
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

/// The call as users write it. The reference is `run`, the same call without a context.
fn typed<C: Context<Outcome = ValueOnly>>(name: &str, cx: impl Fn() -> C) -> Result<Row, overdub::Error> {
    overdub(cx(), f, (0.5,))?;
    Ok(compare(
        name,
        RUNS as f64,
        || (0..RUNS).for_each(|_| _ = black_box(overdub(cx(), f, (0.5,)))),
        || (0..RUNS).for_each(|_| _ = black_box(run(f, (0.5,)))),
    ))
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
        typed("the typed call, under the empty context", || Empty)?,
        typed("the typed call, under a context without rules", ctx)?,
        typed("the typed call, under one that wants nothing", || Indifferent)?,
        typed("the typed call, under one made for each call", || ctx().replace("sin", "cos"))?,
    ];
    print("a hot function under a context (by hand: without)", "run", &rows);
    write_json(&rows)?;
    Ok(())
}
