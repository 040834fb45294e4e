//! Hooks see the same in machine code as in the interpreter: the number of calls, their values and results.

mod iterating;

use overdub_context::Failure;
use overdub_context::engine::{CallSite, Context, Engine, Executor, Hooks, Interpreting, Key, WithMetadata};
use overdub_context::value::Value;
use overdub_lower::Loaded;
use overdub_native::Native;
use overdub_passes::Optimised;

use iterating::{FUNCTIONS, PROGRAM, args, difference, shown, unnumbered};

/// Records what its hooks see, at calls of one name or at all calls.
#[derive(Clone, Debug)]
struct Watch {
    hooks: Hooks,
    calls: Option<&'static str>,
}

impl Context for Watch {
    type Metadata = Vec<String>;
    type Outcome = WithMetadata;

    fn metadata(&self) -> Vec<String> {
        Vec::new()
    }

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
        seen.push(format!("{} of {} gives {}", call.name(), shown(args), unnumbered(result)));
        Ok(())
    }
}

/// Operations that split and build composites, one of which is hooked alone.
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

fn sees_the_same<E: Executor + 'static>(executor: impl Fn() -> E, watches: &[Watch]) {
    let loaded = Loaded::from_source("hooks.rs", PROGRAM).expect("it parses");
    let (interpreted, other): (Engine, Engine) =
        (loaded.engine(), loaded.engine_builder().executor(executor()).build());
    let mut seen_by_any = vec![false; watches.len()];
    for name in FUNCTIONS {
        let func = loaded.function(name).expect("it is there").symbol;
        for (watch, seen_by_any) in watches.iter().zip(&mut seen_by_any) {
            let what = format!("{name}, {:?} at {:?}", watch.hooks, watch.calls);
            let fails = |error| panic!("{what}: {error}");
            let (expected, expected_seen) = interpreted.overdub(watch, func, args()).unwrap_or_else(fails);
            *seen_by_any |= !expected_seen.is_empty();
            // The code of a function without such a call is the same as without the hook.
            if watch.calls.is_some() && expected_seen.is_empty() {
                continue;
            }
            let (got, seen) = other.overdub(watch, func, args()).unwrap_or_else(fails);
            assert!(got.same(&expected), "{what}: {got}, interpreted {expected}");
            if let Some(difference) = difference(&seen, &expected_seen) {
                panic!("{what}: {difference}");
            }
        }
    }
    let unseen: Vec<_> = watches.iter().zip(seen_by_any).filter(|(_, seen)| !seen).collect();
    assert!(unseen.is_empty(), "no function makes these calls: {unseen:?}");
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
