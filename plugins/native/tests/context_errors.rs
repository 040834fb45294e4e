//! The errors of contexts that cannot do what was requested, and what contexts leave alone; by the
//! interpreter and as machine code.

use std::sync::{Arc, Mutex};

use overdub::lower::api::{Error, overdub_in};
use overdub::lower::{Loaded, registry};
use overdub::prelude::*;
use overdub_context::FailureKind;
use overdub_context::engine::{
    Body, CallSite, Domain, Engine, Interpreting, Key, Lift, Lifted, NeedsHandle, Pass, PassError, Sink,
    ValueOnly,
};
use overdub_context::ir::Ty;
use overdub_context::value::Value;
use overdub_native::Native;

#[dub]
fn price(x: f64) -> f64 {
    10.0 * x
}

#[dub]
fn taxed(x: f64) -> f64 {
    1.25 * price(x)
}

#[dub]
fn bill(x: f64) -> f64 {
    price(x) + 1.0
}

#[dub]
fn runs_another(x: f64) -> f64 {
    run(price, (x,)).unwrap() + 1.0
}

#[dub]
fn overdubs_another(x: f64) -> f64 {
    overdub(ctx().replace("price", "taxed"), price, (x,)).unwrap()
}

/// New engines for the annotated functions of this file.
fn engines() -> [Engine; 2] {
    let builder = || registry::program().engine_builder();
    [builder().build(), builder().executor(Native::new()).build()]
}

#[test]
fn a_replacement_that_calls_what_it_replaces_is_told_of_wrap() -> Result<(), Error> {
    for engine in engines() {
        let error = overdub_in(&engine, ctx().replace("price", "taxed"), bill, (2.0,)).unwrap_err();
        assert!(error.message().contains("stack overflow"), "{error}");
        assert!(error.help().is_some_and(|help| help.contains("`wrap(\"price\", \"taxed\")`")), "{error}");
        assert_eq!(overdub_in(&engine, ctx().wrap("price", "taxed"), bill, (2.0,))?, 26.0);
    }
    Ok(())
}

#[test]
fn run_inside_a_program_is_the_call() -> Result<(), Error> {
    for engine in engines() {
        assert_eq!(overdub_in(&engine, ctx().wrap("price", "taxed"), runs_another, (2.0,))?, 26.0);
    }
    assert_eq!(run(runs_another, (2.0,))?, runs_another(2.0));
    Ok(())
}

#[test]
fn overdub_inside_a_program_is_an_error_that_says_what_to_do() {
    let error = run(overdubs_another, (2.0,)).unwrap_err().to_string();
    assert!(error.contains("cannot find value `overdub`"), "{error}");
    assert!(error.contains("sets a context up") && error.contains("call the function itself"), "{error}");
    assert!(error.contains("context_errors.rs:"), "{error}");
    assert_eq!(overdubs_another(2.0), 20.0);
}

/// Numbers that carry a text.
struct Named;

impl Domain for Named {
    fn name(&self) -> String {
        "Named".to_owned()
    }
    fn key(&self) -> Key {
        Key::of::<Named>()
    }
    fn map(&self, ty: Ty) -> Option<Ty> {
        (ty == Ty::f64()).then(|| Ty::tuple([Ty::f64(), Ty::str()]))
    }
    fn lift(&self, _: Ty) -> Option<Lifted> {
        None
    }
    fn untag(&self, _: Ty, _: &CallSite) -> Option<Lifted> {
        None
    }
    fn lifted(&self, _: &CallSite) -> Option<Lifted> {
        None
    }
}

#[dub]
fn same(x: f64) -> f64 {
    x
}

#[dub]
fn whole(n: i64) -> i64 {
    n + 1
}

#[test]
fn a_domain_by_the_front_door_is_refused_before_plain_values_run_into_it() -> Result<(), Error> {
    for engine in engines() {
        let error = overdub_in(&engine, Lift::new(Named), same, (2.0,)).unwrap_err();
        assert!(error.message().contains("values of the domain `Named`"), "{error}");
        assert!(error.help().is_some_and(|help| help.contains("engine.overdub")), "{error}");
        // A function without values of the domain runs.
        assert_eq!(overdub_in(&engine, Lift::new(Named), whole, (2,))?, 3);
    }
    Ok(())
}

/// A pass that visits every function and changes nothing.
#[derive(Clone)]
struct Looks;

impl Context for Looks {
    type Metadata = ();
    type Outcome = ValueOnly;

    fn metadata(&self) {}

    fn needs_handle(&self) -> NeedsHandle {
        NeedsHandle::No
    }

    fn pass(&self, body: &Body<'_>) -> Result<Pass, PassError> {
        body.optimised()?;
        Ok(Pass::Keep)
    }
}

#[test]
fn a_pass_that_keeps_a_body_after_looking_gives_the_same_function() -> Result<(), Box<dyn std::error::Error>>
{
    let loaded = Loaded::from_source(
        "f.rs",
        "fn g(x: f64) -> f64 { x.sin() }\npub fn f(x: f64) -> f64 { g(x) + 1.0 }",
    )?;
    let f = loaded.function("f")?.symbol;
    let engine = loaded.engine();
    let plain = engine.program().func(f)?.ok_or("there is one")?;
    assert!(Arc::ptr_eq(&plain, &engine.overdubbed(&Looks, f)?));
    Ok(())
}

#[test]
fn what_a_program_writes_to_its_standard_error_goes_where_the_host_wants_it()
-> Result<(), Box<dyn std::error::Error>> {
    let source = "pub fn f(x: f64) -> f64 { eprintln!(\"at {x}\"); println!(\"out\"); x }";
    let loaded = Loaded::from_source("f.rs", source)?;
    let f = loaded.function("f")?.symbol;
    let text = Arc::new(Mutex::new([String::new(), String::new()]));
    let sink = |number: usize| -> Sink {
        let text = text.clone();
        Arc::new(Mutex::new(move |new: &str| text.lock().expect("nobody panicked")[number].push_str(new)))
    };
    let interpreted = Interpreting::new().printing(sink(0)).printing_errors(sink(1));
    let compiled = Native::new().printing(sink(0)).printing_errors(sink(1));
    let builder = || loaded.engine_builder();
    for engine in [builder().executor(interpreted).build(), builder().executor(compiled).build()] {
        engine.run(f, vec![Value::F64(2.0)])?;
        let written = std::mem::take(&mut *text.lock().expect("nobody panicked"));
        assert_eq!(written, ["out\n", "at 2\n"]);
    }
    Ok(())
}

#[test]
fn a_stack_overflow_of_the_program_itself_has_no_advice_about_contexts()
-> Result<(), Box<dyn std::error::Error>> {
    let loaded = Loaded::from_source("f.rs", "pub fn f(x: f64) -> f64 { f(x + 1.0) + 1.0 }")?;
    let f = loaded.function("f")?.symbol;
    let failure =
        loaded.engine().overdub(&ctx().replace("add", "mul"), f, vec![Value::F64(2.0)]).unwrap_err();
    assert_eq!(failure.kind(), FailureKind::StackLimit);
    assert!(failure.report().help.as_ref().is_none_or(|help| !help.contains("wrap")), "{failure:?}");
    Ok(())
}
