//! Host code that machine code calls: methods that make calls themselves, hooks that fail and panic, host
//! values that panic.

mod iterating;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

use overdub_context::engine::{CallSite, Context, Engine, HostCall, Key, Method, WithMetadata, ctx_with};
use overdub_context::ir::Module;
use overdub_context::ops::{Arity, Effects, OpDef, TypeFault};
use overdub_context::text::Parser;
use overdub_context::value::{Opaque, Value};
use overdub_context::{Failure, FailureKind, Symbol};
use overdub_lower::Loaded;
use overdub_native::Native;

use iterating::{FUNCTIONS, PROGRAM, args, difference, shown};

/// Makes every call itself, and records it.
#[derive(Clone)]
struct Makes;

impl Context for Makes {
    type Metadata = Vec<String>;
    type Outcome = WithMetadata;

    fn metadata(&self) -> Vec<String> {
        Vec::new()
    }

    fn key(&self) -> Key {
        Key::of::<Makes>()
    }

    fn method(&self, call: &CallSite) -> Method {
        if call.calls("closure") || call.calls("captured") { Method::Recurse } else { Method::Host }
    }

    fn call<'a>(&self, call: &mut HostCall<'_, '_, 'a, Vec<String>>) -> Result<Value<'a>, Failure> {
        let before = format!("{} of {}", call.site().name(), shown(call.args()));
        call.metadata().push(before);
        let args = call.take_args();
        let result = call.recurse(args)?;
        call.metadata().push(format!("gives {result}"));
        Ok(result)
    }
}

fn engines(loaded: &Loaded) -> [Engine; 3] {
    let natives = [Native::new(), Native::new().without_optimising()];
    let [optimised, plain] = natives.map(|native| loaded.engine_builder().executor(native).build());
    [loaded.engine(), optimised, plain]
}

#[test]
fn a_host_method_at_every_call_gets_and_gives_the_same_values() {
    let loaded = Loaded::from_source("hosts.rs", PROGRAM).expect("it parses");
    let [interpreted, natives @ ..] = engines(&loaded);
    for name in FUNCTIONS {
        let func = loaded.function(name).expect("it is there").symbol;
        let fails = |error| panic!("{name}: {error}");
        let (expected, expected_seen) = interpreted.overdub(&Makes, func, args()).unwrap_or_else(fails);
        for native in &natives {
            let (got, seen) = native.overdub(&Makes, func, args()).unwrap_or_else(fails);
            assert!(got.same(&expected), "{name}: {got}, interpreted {expected}");
            if let Some(difference) = difference(&seen, &expected_seen) {
                panic!("{name}: {difference}");
            }
        }
    }
}

#[test]
fn a_hook_that_fails_ends_the_run_with_the_same_failure_wherever_it_is() {
    let loaded = Loaded::from_source("hosts.rs", PROGRAM).expect("it parses");
    let [interpreted, natives @ ..] = engines(&loaded);
    let func = loaded.function("nested").expect("it is there").symbol;
    for last in [0, 7, 31, 55, 80] {
        let failing = ctx_with::<usize>().before(move |count, call, _| {
            *count += 1;
            let enough = Failure::new(FailureKind::Domain, format!("enough of {}", call.name()));
            if *count > last { Err(enough) } else { Ok(()) }
        });
        let expected = interpreted.overdub(&failing, func, args()).map(|_| ()).unwrap_err().to_string();
        for native in &natives {
            let got = native.overdub(&failing, func, args()).map(|_| ()).unwrap_err().to_string();
            assert_eq!(got.lines().next(), expected.lines().next(), "after {last}");
        }
    }
}

#[test]
fn a_hook_that_panics_unwinds_out_of_the_run_and_the_next_run_is_right() {
    let loaded = Loaded::from_source("hosts.rs", PROGRAM).expect("it parses");
    let [interpreted, natives @ ..] = engines(&loaded);
    let func = loaded.function("zipped").expect("it is there").symbol;
    let panicking = ctx_with::<usize>().before(|count, call, _| {
        *count += 1;
        assert!(!call.calls("with_field") || *count < 60, "it is enough");
    });
    let expected = interpreted.run(func, args()).expect("it runs");
    for native in &natives {
        let payload = catch_unwind(AssertUnwindSafe(|| native.overdub(&panicking, func, args()).map(|_| ())));
        let message =
            payload.expect_err("the hook panics").downcast_ref::<&str>().map(|text| text.to_string());
        assert_eq!(message.as_deref(), Some("it is enough"));
        assert!(native.run(func, args()).expect("it runs").same(&expected));
    }
}

/// A host value that panics when it is cloned or dropped.
#[derive(Debug)]
struct Panics {
    when: When,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum When {
    Cloned,
    Dropped,
}

/// The number of live values.
static ALIVE: AtomicUsize = AtomicUsize::new(0);

impl Panics {
    fn new(when: When) -> Panics {
        ALIVE.fetch_add(1, Ordering::SeqCst);
        Panics { when }
    }
}

impl Clone for Panics {
    fn clone(&self) -> Panics {
        assert!(self.when != When::Cloned, "cloned");
        Panics::new(self.when)
    }
}

impl Drop for Panics {
    fn drop(&mut self) {
        ALIVE.fetch_sub(1, Ordering::SeqCst);
        assert!(self.when != When::Dropped || std::thread::panicking(), "dropped");
    }
}

fn panics_ty() -> overdub_context::ir::Ty {
    overdub_context::ir::Ty::opaque(Symbol::new("Panics"))
}

fn make<'a>(when: When) -> Value<'a> {
    Value::Opaque(Box::new(Opaque { name: Symbol::new("Panics"), value: Box::new(Panics::new(when)) }))
}

macro_rules! allocating_op {
    ($name:ident, $text:literal, $when:expr) => {
        static $name: OpDef = OpDef {
            name: $text,
            arity: Arity::Exactly(0),
            ty: |tys| if tys.args.is_empty() { Ok(panics_ty()) } else { Err(TypeFault::takes("nothing")) },
            effects: Effects::ALLOCATES,
            eval: |_, _| Ok(make($when)),
            doc: "A host value that panics.",
        };
    };
}

allocating_op!(CLONED, "test.cloned", When::Cloned);
allocating_op!(DROPPED, "test.dropped", When::Dropped);

/// A function that creates such a value, copies it into a tuple, and drops everything.
fn module(op: &'static OpDef) -> Module {
    let program = format!(
        "fn @f(%x: f64) -> f64 {{
  %p: opaque Panics = {}
  %pair: (opaque Panics, opaque Panics) = tuple %p, %p
  %q: opaque Panics = field %pair, 1
  %both: (opaque Panics, opaque Panics) = tuple %q, %p
  %y: f64 = add %x, 1.0
  ret %y
}}",
        op.name
    );
    Parser::new().with_ops([op]).parse(&program).expect("it is well formed").module()
}

#[test]
fn a_host_value_that_panics_when_cloned_or_dropped_unwinds_out_of_the_run() {
    for (op, what) in [(&CLONED, "cloned"), (&DROPPED, "dropped")] {
        let engine = Engine::builder(module(op)).executor(Native::new().without_optimising()).build();
        for _ in 0..2 {
            let run = || engine.run("f", vec![Value::F64(1.0)]).map(|_| ());
            let payload = catch_unwind(AssertUnwindSafe(run)).expect_err("the value panics");
            assert_eq!(payload.downcast_ref::<&str>(), Some(&what));
            assert_eq!(ALIVE.load(Ordering::SeqCst), 0, "{what}");
        }
    }
}
