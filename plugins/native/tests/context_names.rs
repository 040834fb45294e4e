//! Names in contexts: functions that have not run yet, generic functions, methods, unknown names; by the
//! interpreter and as machine code.

use overdub::lower::api::{Callable, Error, overdub_in};
use overdub::lower::{Loaded, registry};
use overdub::prelude::*;
use overdub_context::engine::{Ctx, Engine, Outcome, ValueOnly};
use overdub_context::value::Value;
use overdub_native::Native;

/// New engines for the annotated functions of this file.
fn engines() -> [Engine; 2] {
    let builder = || registry::program().engine_builder();
    [builder().build(), builder().executor(Native::new()).build()]
}

/// The result of a function of one float under a context; checks that both executors agree.
fn under<F: Callable<(f64,), Output = f64> + Copy>(
    cx: &Ctx<(), ValueOnly>,
    f: F,
    x: f64,
) -> Result<f64, Error> {
    let [interpreted, compiled] = engines().map(|engine| overdub_in(&engine, cx.clone(), f, (x,)));
    match (&interpreted, &compiled) {
        (Ok(interpreted), Ok(compiled)) => assert_eq!(interpreted.to_bits(), compiled.to_bits()),
        (Err(interpreted), Err(compiled)) => assert_eq!(interpreted.to_string(), compiled.to_string()),
        _ => panic!("{interpreted:?} by the interpreter, {compiled:?} as machine code"),
    }
    interpreted
}

mod replaced {
    use overdub::prelude::*;

    #[dub]
    pub(crate) fn inner(x: f64) -> f64 {
        x.sin()
    }
    #[dub]
    pub(crate) fn other(x: f64) -> f64 {
        x * 100.0
    }
    #[dub]
    #[allow(dead_code, reason = "a context alone names it")]
    pub(crate) fn generic<T: Into<f64>>(x: T) -> f64 {
        x.into() * 1000.0
    }
    #[dub]
    pub(crate) fn wrapper(x: f64) -> f64 {
        inner(x) + 0.5
    }
    #[dub]
    pub(crate) fn outer(x: f64) -> f64 {
        inner(x) + 1.0
    }
    #[dub]
    pub(crate) fn sine(x: f64) -> f64 {
        x.sin()
    }
    #[dub]
    pub(crate) fn own_sine(x: f64) -> f64 {
        x - 3.0
    }

    #[derive(Clone, Copy, Dub)]
    pub(crate) struct S {
        pub(crate) k: f64,
    }
    #[dub]
    impl S {
        pub(crate) fn half(x: f64) -> f64 {
            x / 2.0
        }
        pub(crate) fn whole(&self) -> f64 {
            self.k
        }
        pub(crate) fn tenth(&self) -> f64 {
            self.k / 10.0
        }
    }
    #[dub]
    pub(crate) fn of_s(x: f64) -> f64 {
        S { k: x }.whole()
    }

    pub(crate) mod elsewhere {
        use overdub::prelude::*;

        #[dub]
        pub(crate) fn far(x: f64) -> f64 {
            x + 7.0
        }
        #[dub]
        pub(crate) fn twin(x: f64) -> f64 {
            x
        }
    }
    pub(crate) mod nowhere {
        use overdub::prelude::*;

        #[dub]
        pub(crate) fn twin(x: f64) -> f64 {
            x
        }
    }
}

#[test]
fn a_replacement_is_found_before_it_ever_ran() -> Result<(), Error> {
    use replaced::{of_s, outer, sine};
    // Next to the replaced function, by its whole path, as a method, in another module, by a path's end.
    for (other, expected) in [
        ("other", 200.0),
        ("replaced::other", 200.0),
        ("S::half", 1.0),
        ("replaced::S::half", 1.0),
        ("replaced::elsewhere::far", 9.0),
        ("elsewhere::far", 9.0),
        ("far", 9.0),
        ("generic", 2000.0),
        ("generic<f64>", 2000.0),
        ("exp", 2.0_f64.exp()),
    ] {
        assert_eq!(under(&ctx().replace("inner", other), outer, 2.0)?, expected + 1.0, "{other}");
    }
    assert_eq!(under(&ctx().replace("sin", "own_sine"), sine, 2.0)?, -1.0, "in the place of an operation");
    assert_eq!(under(&ctx().replace("whole", "tenth"), of_s, 2.0)?, 0.2, "a method in the place of a method");
    assert_eq!(under(&ctx().replace("S::whole", "S::tenth"), of_s, 2.0)?, 0.2);
    Ok(())
}

#[test]
fn a_replacement_of_a_loaded_source_is_found_before_it_ever_ran() -> Result<(), Box<dyn std::error::Error>> {
    let source = "
        pub(crate) mod m { pub fn other(x: f64) -> f64 { x * 100.0 } }
        pub(crate) struct S;
        impl S { pub fn half(x: f64) -> f64 { x / 2.0 } }
        fn inner(x: f64) -> f64 { x.sin() }
        fn scaled<T: Copy + std::ops::Mul<Output = T>>(x: T) -> T { x * x }
        pub(crate) fn outer(x: f64) -> f64 { inner(x) + 1.0 }";
    for (other, expected) in [("m::other", 301.0), ("other", 301.0), ("S::half", 2.5), ("scaled", 10.0)] {
        let loaded = Loaded::from_source("f.rs", source)?;
        let cx = ctx().replace("inner", other);
        for engine in [loaded.engine(), loaded.engine_builder().executor(Native::new()).build()] {
            let y = engine.overdub(&cx, loaded.function("outer")?.symbol, vec![Value::F64(3.0)])?;
            assert_eq!(y.as_f64(), Some(expected), "{other}");
        }
    }
    Ok(())
}

#[test]
fn a_replacement_that_may_be_two_functions_is_an_error_that_names_both() {
    let error = under(&ctx().replace("inner", "twin"), replaced::outer, 2.0).unwrap_err().to_string();
    assert!(error.contains("`replaced::elsewhere::twin` or `replaced::nowhere::twin`"), "{error}");
    assert!(error.contains("write the whole path"), "{error}");
}

#[test]
fn a_replacement_is_under_the_inner_context_too() -> Result<(), Error> {
    let count = || ctx_with::<usize>().when(|call| call.calls("mul")).before(|count, _, _| *count += 1);
    for engine in engines() {
        let cx = (ctx().replace("inner", "other"), count());
        assert_eq!(overdub_in(&engine, cx, replaced::outer, (2.0,))?, (201.0, 1));
        let cx = (count(), ctx().replace("inner", "other"));
        assert_eq!(overdub_in(&engine, cx, replaced::outer, (2.0,))?, (201.0, 1));
    }
    Ok(())
}

#[test]
fn wrap_leaves_the_calls_of_the_wrapper_alone() -> Result<(), Error> {
    let y = under(&ctx().wrap("inner", "wrapper"), replaced::outer, 2.0)?;
    assert_eq!(y, 2.0_f64.sin() + 0.5 + 1.0);
    Ok(())
}

mod shapes {
    use overdub::prelude::*;

    #[dub]
    pub(crate) fn twice<T: Into<f64>>(x: T) -> f64 {
        x.into() * 2.0
    }
    #[dub]
    pub(crate) fn summed(x: f64) -> f64 {
        twice(x) + [x, x].iter().sum::<f64>()
    }
    #[derive(Clone, Copy, Dub)]
    pub(crate) struct S {
        pub(crate) k: f64,
    }
    #[dub]
    pub(crate) trait Area {
        fn area(&self) -> f64;
    }
    #[dub]
    impl Area for S {
        fn area(&self) -> f64 {
            self.k
        }
    }
    #[dub]
    pub(crate) fn area_of(x: f64) -> f64 {
        S { k: x }.area()
    }
}

#[test]
fn a_generic_function_and_a_method_are_named_without_types() -> Result<(), Error> {
    for (name, expected) in [
        ("twice", 2.0),
        ("twice<f64>", 2.0),
        ("shapes::twice", 2.0),
        ("sum", 2.0),
        ("Iterator::sum", 2.0),
        ("std::iter::Iterator::sum", 2.0),
    ] {
        assert_eq!(under(&ctx().constant(name, 0.0), shapes::summed, 1.0)?, expected, "{name}");
    }
    for name in ["area", "S::area", "Area::area", "shapes::S::area", "<S as Area>::area"] {
        assert_eq!(under(&ctx().constant(name, 0.0), shapes::area_of, 1.0)?, 0.0, "{name}");
    }
    Ok(())
}

fn refused<M, O>(cx: Ctx<M, O>) -> String
where
    M: Default + Send + 'static,
    O: Outcome<M> + 'static,
    O::Of<f64>: std::fmt::Debug,
{
    let errors = engines().map(|engine| overdub_in(&engine, cx.clone(), shapes::summed, (1.0,)).unwrap_err());
    let [interpreted, compiled] = errors.map(|error| error.to_string());
    assert_eq!(interpreted, compiled);
    interpreted
}

#[test]
fn a_name_that_nothing_has_is_an_error_with_suggestions() -> Result<(), Error> {
    let error = refused(ctx().constant("twise", 0.0));
    assert!(error.contains("`twise`") && error.contains("did you mean `shapes::twice`"), "{error}");
    let error = refused(ctx().replace("twice", "exb"));
    assert!(error.contains("`exb`") && error.contains("`exp`"), "{error}");
    let error = refused(ctx_with::<usize>().within("sumed").before(|n, _, _| *n += 1));
    assert!(error.contains("`sumed`") && error.contains("`shapes::summed`"), "{error}");
    let error = refused(ctx().constant("bin::twice", 0.0));
    assert!(error.contains("`shapes::twice`"), "{error}");
    let error = refused(ctx().constant("Iteratr::sum", 0.0));
    assert!(error.contains("`Iteratr::sum`"), "{error}");
    // These names are known, though they are not called.
    for name in ["area_of", "S::area", "sin", "product", "Vec::push", "to_string", "f64::sin", "floor"] {
        assert_eq!(under(&ctx().constant(name, 0.0), shapes::summed, 1.0)?, 4.0, "{name}");
    }
    Ok(())
}

#[test]
fn within_takes_the_names_that_calls_takes() -> Result<(), Error> {
    for name in ["twice", "shapes::twice", "twice<f64>"] {
        let cx = ctx().within(name).constant("mul", 10.0);
        assert_eq!(under(&cx, shapes::summed, 1.0)?, 12.0, "{name}");
    }
    Ok(())
}

#[test]
fn a_replacement_that_does_not_fit_is_an_error_that_speaks_of_it() {
    let error = refused(ctx().replace("twice", "area_of").replace("sum", "sin"));
    assert!(error.contains("cannot put `sin` in the place of"), "{error}");
    assert_eq!(error.matches("`sin` takes").count(), 1, "{error}");
    assert!(!error.contains("`sin` `sin`"), "{error}");
    let error = refused(ctx().constant("twice", 1_i64));
    assert!(error.contains("a constant of type `i64`") && error.contains("returns `f64`"), "{error}");
    for error in [refused(ctx().replace("mul", "sin")), refused(ctx().replace("twice", "replaced::S::tenth"))]
    {
        assert!(!error.contains("pass") && !error.contains('%'), "{error}");
        assert!(error.contains("in the place of"), "{error}");
    }
}
