//! On random programs the two implementations of each mode agree: the transformations with dual numbers and
//! the tape, which share only the rules.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use overdub_ad::dual::jvp;
use overdub_ad::flatten::{floats, with_floats};
use overdub_ad::tape::record;
use overdub_ad::transform::forward::ForwardTransform;
use overdub_ad::transform::reverse::{ReverseOutput, ReverseTransform, reverse};
use overdub_context::engine::{Engine, Interpreting};
use overdub_context::interp::{Interpreter, Limits, Output};
use overdub_context::ir::{Module, Ty, TyKind};
use overdub_context::testing::{MAX_STEPS, Program, alike, programs};
use overdub_context::value::{Array, Composite, Value};
use overdub_context::verify::verify_module;
use overdub_context::{Failure, Symbol};
use overdub_passes::Optimising;
use proptest::prelude::*;

/// A cotangent of ones for a result; `None` if the type of the cotangents does not fit the value.
fn ones(value: &Value<'static>, dty: Ty) -> Option<Value<'static>> {
    match (value, dty.kind()) {
        (_, TyKind::Unit) => Some(Value::Unit),
        (Value::F64(_), TyKind::Float(_)) => Some(Value::F64(1.0)),
        (Value::F32(_), TyKind::Float(_)) => Some(Value::F32(1.0)),
        (Value::Array(array), TyKind::Array(of)) if array.rank() == 1 => {
            let elems =
                array.iter().map(|elem| ones(&elem.into_owned(), of.elem)).collect::<Option<Vec<_>>>()?;
            Some(Value::from(Array::from_values(of.elem, elems)?))
        }
        (Value::Composite(composite), TyKind::Tuple(tys)) => {
            let parts = composite.parts.iter().zip(tys).map(|(part, ty)| ones(part, *ty));
            Some(Value::tuple(parts.collect::<Option<Vec<_>>>()?))
        }
        (Value::Composite(composite), TyKind::Enum(nominal)) => {
            let tag = composite.tag + 1;
            let fields = &nominal.variants()?.get(tag as usize)?.fields;
            let parts = composite.parts.iter().zip(fields).map(|(part, field)| ones(part, field.ty));
            let parts = parts.collect::<Option<_>>()?;
            Some(Value::Composite(Arc::new(Composite { ty: Some(dty), tag, parts })))
        }
        (Value::Stack(elems), TyKind::Stack(of)) => {
            let elems =
                elems.iter().map(|elem| ones(&elem.clone().into_owned(), *of)).collect::<Option<Vec<_>>>()?;
            Some(Value::Stack(Arc::new(elems)))
        }
        _ => None,
    }
}

/// All floats of a cotangent, in the order of the floats of its value.
fn flat(value: &Value<'static>, cotangent: &Value<'static>, out: &mut Vec<f64>) {
    match (value, cotangent) {
        (Value::F64(_) | Value::F32(_), dx @ (Value::F64(_) | Value::F32(_))) => out.extend(floats(dx)),
        (Value::Array(array), Value::Array(of)) => {
            assert_eq!(array.shape(), of.shape(), "a cotangent is as long as its array");
            array.iter().zip(of.iter()).for_each(|(value, dx)| flat(&value, &dx, out));
        }
        (Value::Composite(composite), Value::Composite(of)) if composite.parts.len() == of.parts.len() => {
            composite.parts.iter().zip(&of.parts).for_each(|(value, dx)| flat(value, dx, out));
        }
        (Value::Stack(elems), Value::Stack(of)) => {
            elems.iter().zip(of.iter()).for_each(|(value, dx)| flat(value, dx, out));
        }
        _ => out.extend(floats(value).iter().map(|_| 0.0)),
    }
}

fn run(module: &Module, func: Symbol, args: Vec<Value<'static>>) -> Result<Value<'static>, Failure> {
    let limits = Limits { steps: Some(20 * MAX_STEPS), ..Limits::default() };
    let quiet = Output::To(Box::new(|_| {}));
    Interpreter::new(module).with_limits(limits).with_output(quiet).run(func, args).map(Value::into_owned)
}

/// The value and the flat gradient by the transformation; `None` if it refuses.
type Found = Option<Result<(Value<'static>, Vec<f64>), Failure>>;

fn transformed(program: &Program) -> Result<Found, TestCaseError> {
    let (module, args) = (program.module(), program.args());
    let wrt: Vec<bool> = args.iter().map(|arg| !floats(arg).is_empty()).collect();
    let Ok(reversed) = reverse(&|name| module.func(name), "main".into(), &wrt) else { return Ok(None) };
    reversed.define(&module);
    prop_assert!(verify_module(&module).is_ok(), "{:?}", verify_module(&module));
    let value = match run(&module, "main".into(), args.clone()) {
        Ok(value) => value,
        Err(failure) => return Ok(Some(Err(failure))),
    };
    let Some(seed) = ones(&value, reversed.seed) else { return Ok(None) };
    let mut all = args.clone();
    all.push(seed);
    let both = match run(&module, reversed.gradient, all) {
        Ok(both) => both,
        Err(failure) => return Err(TestCaseError::fail(format!("{:?}", failure.report()))),
    };
    let parts = &both.as_composite().expect("the value and the cotangents").parts;
    let none = Value::Unit;
    let mut cotangents = parts[1].as_composite().map_or(&[] as &[_], |all| &all.parts).iter();
    let mut gradient = Vec::new();
    for (arg, wrt) in args.iter().zip(wrt) {
        let cotangent = if wrt { cotangents.next() } else { None };
        flat(arg, cotangent.unwrap_or(&none), &mut gradient);
    }
    prop_assert!(alike(&parts[0], &value), "{} is not {value}", parts[0]);
    Ok(Some(Ok((value, gradient))))
}

fn recorded(program: &Program) -> Result<Vec<f64>, Failure> {
    let recorded = record(&quiet(program), "main", program.args())?;
    let pulled = recorded.pullback.pull(&vec![1.0; recorded.pullback.outputs()])?;
    Ok(pulled.iter().flat_map(floats).collect())
}

fn quiet(program: &Program) -> Engine {
    let quiet = Interpreting::new().printing(Arc::new(Mutex::new(|_: &str| {})));
    Engine::builder(program.module()).optimizer(Optimising).executor(quiet).build()
}

/// The tangent of the result along all arguments, by the transformation; `None` if it refuses or fails.
fn pushed(program: &Program) -> Option<(Value<'static>, Vec<f64>)> {
    let (engine, args) = (quiet(program), program.args());
    let wanted: Vec<bool> = args.iter().map(|arg| !floats(arg).is_empty()).collect();
    let cx = ForwardTransform::new().with_respect_to(wanted.clone());
    let overdubbed = engine.overdubbed(&cx, "main").ok()?;
    let mut tys = overdubbed.param_tys().skip(args.len());
    let mut all = args.clone();
    for (arg, _) in args.iter().zip(wanted).filter(|(_, wanted)| *wanted) {
        all.push(ones(arg, tys.next()?)?);
    }
    let both = engine.overdub(&cx, "main", all).ok()?;
    let parts = both.as_composite().expect("the value and its tangent").parts.clone();
    let mut slopes = Vec::new();
    flat(&parts[0], &parts[1], &mut slopes);
    Some((parts[0].clone(), slopes))
}

/// As [`pushed`], by dual numbers.
fn carried(program: &Program) -> Result<(Value<'static>, Vec<f64>), Failure> {
    let args = program.args();
    let ones = args.iter().map(|arg| with_floats(arg, &mut std::iter::repeat(1.0)));
    let (y, dy) = jvp(&quiet(program), "main", args.clone(), ones.collect::<Result<_, _>>()?)?;
    Ok((y, floats(&dy)))
}

/// The number of programs that were drawn, and of those that both modes differentiated.
static DRAWN: AtomicUsize = AtomicUsize::new(0);
static COMPARED: AtomicUsize = AtomicUsize::new(0);
/// As [`DRAWN`], for the forward modes.
static PUSHED: [AtomicUsize; 2] = [AtomicUsize::new(0), AtomicUsize::new(0)];

/// Checks that derivatives are those of the other implementation.
fn check(program: &Program, ours: &[f64], theirs: &[f64]) -> Result<(), TestCaseError> {
    prop_assert_eq!(ours.len(), theirs.len());
    // One of the implementations accumulates single precision in single precision.
    let near = if format!("{program:?}").contains("f32") { 1e-3 } else { 1e-9 };
    for (ours, theirs) in ours.iter().zip(theirs) {
        let both_strange = !ours.is_finite() || !theirs.is_finite();
        let far = (ours - theirs).abs() > near * theirs.abs().max(1.0);
        prop_assert!(both_strange || !far, "{} is not {}", ours, theirs);
    }
    Ok(())
}

fn count(counter: &AtomicUsize) -> usize {
    counter.fetch_add(1, Ordering::Relaxed) + 1
}

proptest! {
    #![proptest_config(overdub_context::testing::cases(96))]

    #[test]
    fn both_reverse_modes_agree(program in programs()) {
        DRAWN.fetch_add(1, Ordering::Relaxed);
        if let Some(Ok((_, ours))) = transformed(&program)?
            && let Ok(theirs) = recorded(&program)
        {
            COMPARED.fetch_add(1, Ordering::Relaxed);
            check(&program, &ours, &theirs)?;
        }
        let (drawn, compared) = (DRAWN.load(Ordering::Relaxed), COMPARED.load(Ordering::Relaxed));
        prop_assert!(drawn < 90 || compared * 4 > drawn, "only {} of {} were compared", compared, drawn);
    }

    #[test]
    fn both_forward_modes_agree(program in programs()) {
        let drawn = count(&PUSHED[0]);
        if let Some((y, ours)) = pushed(&program)
            && let Ok((value, theirs)) = carried(&program)
        {
            prop_assert!(alike(&y, &value), "{} is not {}", y, value);
            check(&program, &ours, &theirs)?;
            count(&PUSHED[1]);
        }
        let compared = PUSHED[1].load(Ordering::Relaxed);
        prop_assert!(drawn < 90 || compared * 4 > drawn, "only {} of {} were compared", compared, drawn);
    }
}

#[test]
fn a_pullback_may_be_called_again() {
    let source = "pub fn f(x: &[f64], n: usize) -> f64 {
        let mut s = 1.0;
        for k in 0..n { for v in x { s = (s * v).sin() + k as f64 * v; } }
        s
    }";
    let loaded = overdub_lower::Loaded::from_source("case.rs", source).expect("it is Rust");
    let (engine, f) = (loaded.engine(), loaded.function("f").expect("it is there").symbol);
    let args = vec![Value::floats(vec![0.3, 0.9]), Value::from(3_usize)];
    let both = engine.overdub(&ReverseTransform::new(ReverseOutput::Pullback), f, args).expect("it runs");
    let pullback = both.as_composite().expect("the result and the pullback").parts[1].clone();
    let pull = |dy: f64| floats(&engine.call(&pullback, vec![Value::F64(dy)]).expect("it runs"));
    let (once, twice) = (pull(1.0), pull(2.0));
    assert_eq!(pull(1.0), once);
    assert_eq!(twice, once.iter().map(|dx| 2.0 * dx).collect::<Vec<_>>());
}
