//! What a pass must preserve: the result, or the failure with its location and stack, and the output.

use std::sync::{Arc, Mutex, PoisonError};

use overdub_context::interp::{Interpreter, Limits, Output};
use overdub_context::ir::{Func, Module, Ty};
use overdub_context::testing::expose_proofs;
use overdub_context::text::Listing;
use overdub_context::value::Value;
use overdub_context::verify::verify_module;
use overdub_context::{Failure, FailureKind, Report, StackEntry};
use overdub_matrix::values::same_up_to_nan;
use overdub_passes::{PASSES, Pipeline, Scope, callees};

use super::base::Base;

/// The pass that may give a neighbouring float of what std's functions give.
const INEXACT: &str = "fast_math";
/// The passes that turn a tail call into a jump: one pass, and the pipelines that contain it.
const TAIL_CALLS: [&str; 3] = ["tail_recursion_elim", "optimising", "compiling"];

/// The step limit of the compared runs; an edit may make a loop endless.
const STEPS: u64 = 100_000;
const MEMORY: usize = 1 << 28;
/// The limit of nested calls.
const DEPTH: usize = 1_000;

/// The result and the output of a run.
struct Ran {
    result: Result<Value<'static>, Failure>,
    printed: String,
}

/// Checks that each pass alone, and the pipelines, preserve what the program does.
pub(super) fn check(base: &Base) {
    let module = base.listing.module();
    let before = run(&module, base, STEPS);
    // Other limits are hit after a different number of steps; a type error means that the verifier does not
    // see enough.
    if before.result.as_ref().is_err_and(|failure| is_limit(failure) || failure.kind() == FailureKind::Type) {
        return;
    }
    // PASS1 excepts functions that read a place after its value was moved out of it: such a one returns the hole.
    let returned = module.func(base.func).ok().flatten().map(|func| func.ret);
    if let (Ok(value), Some(ty)) = (&before.result, returned)
        && holds_hole(value, ty)
    {
        return;
    }
    let single_passes =
        PASSES.iter().filter(|pass| pass.name != INEXACT).map(|pass| (pass.name, Pipeline::once([pass])));
    let pipelines = [("optimising", Pipeline::optimising()), ("compiling", Pipeline::compiling())];
    let callee = callees(&module);
    for (what, pipeline) in single_passes.chain(pipelines) {
        let changed = |func: &Arc<Func>| Arc::new(expose_proofs(pipeline.run(func, &Scope::new(&callee))));
        let after = Listing::of(base.listing.funcs.iter().map(changed));
        let module = after.module();
        if let Err(error) = verify_module(&module) {
            panic!("{what} makes something invalid: {error}\n{after}of\n{base}");
        }
        // The overhead of passes, such as block arguments, is less than this factor.
        let got = run(&module, base, 3 * STEPS);
        let frames = if TAIL_CALLS.contains(&what) { Frames::Merged } else { Frames::All };
        if let Some(how) = difference(&before, &got, frames) {
            panic!("{what}: {how}\nfor\n{base}which became\n{after}");
        }
    }
}

/// Whether a value of this type has `()` in the place of something else: what a move leaves behind.
fn holds_hole(value: &Value<'_>, ty: Ty) -> bool {
    match value {
        Value::Unit => ty != Ty::unit(),
        Value::Composite(composite) => {
            let tys = ty.parts(composite.tag).unwrap_or_default();
            composite.parts.iter().zip(tys).any(|(part, ty)| holds_hole(part, ty))
        }
        Value::Array(array) => array.iter().any(|elem| holds_hole(&elem, array.elem_ty())),
        _ => false,
    }
}

fn run(module: &Module, base: &Base, steps: u64) -> Ran {
    let printed = Arc::new(Mutex::new(String::new()));
    let sink = printed.clone();
    let output =
        Output::To(Box::new(move |text| sink.lock().unwrap_or_else(PoisonError::into_inner).push_str(text)));
    let limits = Limits { steps: Some(steps), memory: Some(MEMORY), depth: Some(DEPTH), ..Limits::default() };
    let mut interpreter = Interpreter::new(module).with_limits(limits).with_output(output);
    let result = interpreter.run(base.func.as_str(), base.args.clone()).map(Value::into_owned);
    drop(interpreter);
    let printed = std::mem::take(&mut *printed.lock().unwrap_or_else(PoisonError::into_inner));
    Ran { result, printed }
}

fn is_limit(failure: &Failure) -> bool {
    matches!(failure.kind(), FailureKind::StackLimit | FailureKind::StepLimit | FailureKind::MemoryLimit)
}

/// The entries of a call stack that are compared.
#[derive(Clone, Copy)]
enum Frames {
    All,
    /// Of a function's recursive calls only the innermost: a tail call that became a jump leaves no entry.
    Merged,
}

impl Frames {
    fn of(self, report: &Report) -> Vec<StackEntry> {
        let mut stack = report.stack.clone();
        if let Frames::Merged = self {
            stack.dedup_by_key(|entry| entry.func);
        }
        stack
    }
}

fn difference(before: &Ran, after: &Ran, frames: Frames) -> Option<String> {
    if before.printed != after.printed {
        return Some(format!("printed {:?} instead of {:?}", after.printed, before.printed));
    }
    match (&before.result, &after.result) {
        (Ok(before), Ok(after)) => {
            (!same_up_to_nan(before, after)).then(|| format!("{after} instead of {before}"))
        }
        (Err(before), Err(after)) => {
            let (before, after) = (before.report(), after.report());
            let same = (before.kind, &before.message, before.span, frames.of(before))
                == (after.kind, &after.message, after.span, frames.of(after));
            (!same).then(|| format!("{after:?} instead of {before:?}"))
        }
        (before, after) => Some(format!("{after:?} instead of {before:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::{INEXACT, TAIL_CALLS};

    #[test]
    fn passes_that_are_held_to_less_are_passes() {
        assert!(overdub_passes::by_name(INEXACT).is_some());
        assert!(overdub_passes::by_name(TAIL_CALLS[0]).is_some());
    }
}
