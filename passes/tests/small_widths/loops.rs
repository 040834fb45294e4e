//! `bounds_check_elim`, `overflow_check_elim` and the code generated after them remove no check that can fail: loops over
//! short arrays keep results and failures for all starts, limits and steps of the counter and all indices derived from it.

use overdub_context::interp::{Interpreter, Limits, Output};
use overdub_context::ir::{Func, Module, Ty};
use overdub_context::testing::expose_proofs;
use overdub_context::text::Parser;
use overdub_context::value::{Array, Value};
use overdub_context::{Failure, FailureKind};
use overdub_passes::{Pipeline, Scope, by_name};

/// The limit of steps; a run that exceeds it does not terminate.
const STEPS: u64 = 400;

/// The counter of a loop, and the index that the loop reads. A second loop reads from the final counter back to the start.
struct Loop {
    first: &'static str,
    /// The next value of the counter `%i`.
    next: &'static str,
    /// The condition on the counter and `%to` under which the loop continues.
    stays: &'static str,
    to: &'static str,
    index: &'static str,
}

impl Loop {
    fn text(&self) -> String {
        let Loop { first, next, stays, to, index } = self;
        format!(
            "fn @f(%xs: [i64], %m: usize) -> i64 {{
  %len: usize = len %xs
  {to}
  br ^head({first}, 0)
^head(%i: usize, %s: i64):
  %more: bool = {stays}
  br_if %more, ^body, ^done
^body:
  {index}
  %x: i64 = get %xs, %at
  %t: i64 = add %s, %x
  {next}
  br ^head(%j, %t)
^done:
  br ^back(%i, %s)
^back(%k: usize, %u: i64):
  %none: bool = eq %k, 0_usize
  br_if %none, ^end, ^less
^less:
  %w: usize = sub.wrapping %k, 1_usize
  %y: i64 = get %xs, %w
  %v: i64 = mul.wrapping %u, %y
  br ^back(%w, %v)
^end:
  ret %u
}}
"
        )
    }
}

const FIRSTS: [&str; 4] = ["0_usize", "1_usize", "%to", "%m"];
const NEXTS: [&str; 4] = [
    "%j: usize = add %i, 1_usize",
    "%j: usize = add.wrapping %i, 2_usize",
    "%j: usize = sub %i, 1_usize",
    "%j: usize = sub.wrapping %i, 1_usize",
];
const STAYS: [&str; 6] =
    ["lt %i, %to", "le %i, %to", "ne %i, %to", "gt %i, 0_usize", "ne %i, 0_usize", "ge %to, %i"];
const TOS: [&str; 4] = [
    "%to: usize = add %len, 0_usize",
    "%to: usize = sub %len, 1_usize",
    "%to: usize = sub.wrapping %len, 1_usize",
    "%to: usize = min %m, %len",
];
const INDICES: [&str; 5] = [
    "%at: usize = add %i, 0_usize",
    "%at: usize = add %i, 1_usize",
    "%at: usize = sub %i, 1_usize",
    "%at: usize = sub.wrapping %i, 1_usize",
    "%d: usize = sub.wrapping %len, %i\n  %at: usize = sub %d, 1_usize",
];

fn loops() -> Vec<Loop> {
    let mut all = Vec::new();
    for first in FIRSTS {
        for next in NEXTS {
            for stays in STAYS {
                for to in TOS {
                    all.extend(INDICES.map(|index| Loop { first, next, stays, to, index }));
                }
            }
        }
    }
    all
}

/// The result or the failure of a function for each input; none if it does not terminate.
fn outcomes(func: Func, inputs: &[(i64, u64)], steps: u64) -> Vec<Option<Result<Value<'static>, Failure>>> {
    let module = Module::new();
    module.define(expose_proofs(func));
    let limits = Limits { steps: Some(steps), ..Limits::default() };
    let mut interpreter = Interpreter::new(&module).with_limits(limits).with_output(Output::Discard);
    let mut run = |len: i64, m: u64| {
        let xs = Array::from_values(Ty::i64(), (1..=len).map(|k| Value::from(1_i64 << k)));
        let xs = xs.expect("they are of one type");
        let ran = interpreter.run("f", vec![xs.into(), Value::from(m as usize)]);
        match ran {
            Err(failure) if failure.kind() == FailureKind::StepLimit => None,
            ran => Some(ran),
        }
    };
    inputs.iter().map(|&(len, m)| run(len, m)).collect()
}

fn same(before: &Result<Value<'static>, Failure>, after: &Result<Value<'static>, Failure>) -> bool {
    match (before, after) {
        (Ok(before), Ok(after)) => before.same(after),
        (Err(before), Err(after)) => {
            before.report().message == after.report().message && before.report().span == after.report().span
        }
        _ => false,
    }
}

#[test]
fn loops_over_short_arrays_keep_what_they_give() {
    let inputs: Vec<(i64, u64)> =
        (0..4).flat_map(|len| [0, 1, 2, 3, 4, u64::MAX].map(|m| (len, m))).collect();
    let passes = ["bounds_check_elim", "overflow_check_elim"].map(|name| Pipeline::once(by_name(name)));
    let pipelines = passes.into_iter().chain([Pipeline::compiling()]).collect::<Vec<_>>();
    let mut freed = 0;
    for text in loops().iter().map(Loop::text) {
        let listing = Parser::new().file("loop").parse(&text).unwrap_or_else(|errors| panic!("{errors}"));
        let func = &listing.funcs[0];
        let before = outcomes((**func).clone(), &inputs, STEPS);
        for pipeline in &pipelines {
            let after = pipeline.run(func, &Scope::none());
            let shown = overdub_context::text::Printer::new().func(&after).to_string();
            if after == **func {
                continue;
            }
            freed += usize::from(shown.contains("get.unchecked"));
            for ((before, after), input) in
                before.iter().zip(outcomes(after, &inputs, 2 * STEPS)).zip(&inputs)
            {
                if let (Some(before), Some(after)) = (before, &after) {
                    assert!(
                        same(before, after),
                        "{text}became\n{shown}which for {input:?} gives {after:?}, not {before:?}"
                    );
                }
                // Fewer steps are needed afterwards, apart from those for block parameters: runs that
                // terminated still do.
                assert!(
                    before.is_none() || after.is_some(),
                    "{text}became\n{shown}which does not end for {input:?}"
                );
            }
        }
    }
    assert!(freed > 100, "{freed}");
}
