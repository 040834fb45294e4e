//! What holds for every program: a context that only watches, or wraps and unwraps, changes no result.

use std::sync::{Arc, Mutex};

use overdub_context::engine::{
    CallSite, Context, Domain, Engine, Hooks, Interpreting, Key, Lift, Lifted, WithMetadata,
};
use overdub_context::interp::Limits;
use overdub_context::ir::{Field, Nominal, NominalBody, Ty, TyKind};
use overdub_context::testing::{MAX_STEPS, Program, programs};
use overdub_context::value::{Array, Composite, Value};
use overdub_context::verify::verify_module;
use overdub_context::{Failure, FailureKind, Symbol, text};
use proptest::prelude::*;

fn engine(program: &Program) -> Engine {
    let limits = Limits { steps: Some(4 * MAX_STEPS), memory: Some(1 << 28), ..Limits::default() };
    let silent = Interpreting::new().with_limits(limits).printing(Arc::new(Mutex::new(|_: &str| ())));
    Engine::builder(program.module()).executor(silent).build()
}

/// Watches every call, and counts.
#[derive(Clone)]
struct Watch;

impl Context for Watch {
    type Metadata = u64;
    type Outcome = WithMetadata;

    fn metadata(&self) -> u64 {
        0
    }

    fn hooks(&self, _: &CallSite) -> Hooks {
        Hooks::BOTH
    }

    fn prehook(&self, calls: &mut u64, _: &CallSite, _: &[Value<'_>]) -> Result<(), Failure> {
        *calls += 1;
        Ok(())
    }
}

/// A float in a struct of its own, through which every operation reaches.
struct Boxed;

fn boxed_ty() -> Ty {
    let nominal = Nominal::new(Nominal::universe(Symbol::new("boxed floats")), Symbol::new("Boxed"), []);
    nominal.define(NominalBody::Struct(vec![Field { name: Symbol::new("x"), ty: Ty::f64() }]));
    Ty::new(TyKind::Struct(nominal))
}

impl Domain for Boxed {
    fn name(&self) -> String {
        "Boxed".to_owned()
    }

    fn key(&self) -> Key {
        Key::of::<Boxed>()
    }

    fn map(&self, ty: Ty) -> Option<Ty> {
        (ty == Ty::f64()).then(boxed_ty)
    }

    fn lift(&self, of: Ty) -> Option<Lifted> {
        (of == Ty::f64()).then(|| Lifted::Func(Symbol::new("boxed")))
    }

    fn untag(&self, of: Ty, _: &CallSite) -> Option<Lifted> {
        (of == Ty::f64()).then(|| Lifted::Func(Symbol::new("unboxed")))
    }

    fn lifted(&self, call: &CallSite) -> Option<Lifted> {
        let whole = call.args.iter().all(|ty| *ty == Ty::f64()) && call.ret == Ty::f64();
        whole.then_some(Lifted::Untagged)
    }
}

const BOXING: &str = "
fn @boxed(%x: f64) -> Boxed {
  %b: Boxed = struct %x
  ret %b
}
fn @unboxed(%b: Boxed) -> f64 {
  %x: f64 = field %b, 0
  ret %x
}
";

/// A value with each float in its box; nothing where structs or enums would have to be others.
fn boxed(value: &Value<'static>) -> Option<Value<'static>> {
    Some(match value {
        Value::F64(x) => {
            let parts = [Value::F64(*x)].into_iter().collect();
            Value::Composite(Arc::new(Composite { ty: Some(boxed_ty()), tag: 0, parts }))
        }
        Value::Composite(tuple) if tuple.ty.is_none() => {
            Value::tuple(tuple.parts.iter().map(boxed).collect::<Option<Vec<_>>>()?)
        }
        Value::Array(array) if array.elem_ty() == Ty::f64() && array.rank() == 1 => {
            let elems = array.iter().map(|elem| boxed(&elem)).collect::<Option<Vec<_>>>()?;
            Value::from(Array::from_values(boxed_ty(), elems)?)
        }
        Value::Array(array) if array.as_values().is_none() && array.elem_ty() != Ty::f64() => value.clone(),
        Value::Bool(_) | Value::Int(_) | Value::F32(_) | Value::Char(_) | Value::Str(_) | Value::Unit => {
            value.clone()
        }
        _ => return None,
    })
}

/// Whether `b` is `a` with each float in its box.
fn is_boxed(a: &Value<'_>, b: &Value<'_>) -> bool {
    match (a, b) {
        (Value::F64(x), Value::Composite(boxed)) => {
            matches!(&*boxed.parts, [Value::F64(y)] if x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan())
        }
        (Value::Composite(a), Value::Composite(b)) => {
            a.tag == b.tag
                && a.parts.len() == b.parts.len()
                && a.parts.iter().zip(&b.parts).all(|(a, b)| is_boxed(a, b))
        }
        (Value::Array(a), Value::Array(b)) => {
            a.shape() == b.shape() && a.iter().zip(b.iter()).all(|(a, b)| is_boxed(&a, &b))
        }
        (Value::Stack(a), Value::Stack(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| is_boxed(a, b))
        }
        (Value::Closure(_), Value::Closure(_)) | (Value::Ref(_), Value::Ref(_)) => true,
        _ => format!("{a:?}") == format!("{b:?}"),
    }
}

/// A failure by its kind and message: its stack names functions that contexts made.
fn shown(result: Result<Value<'static>, Failure>) -> Result<Value<'static>, (FailureKind, String)> {
    result.map_err(|failure| (failure.kind(), failure.report().message.clone()))
}

proptest! {
    #![proptest_config(overdub_context::testing::cases(96))]

    #[test]
    fn watching_every_call_changes_no_result(program in programs()) {
        let engine = engine(&program);
        let plain = shown(engine.run("main", program.args()));
        let watched = shown(engine.overdub(&Watch, "main", program.args()).map(|(value, _)| value));
        let twice =
            shown(engine.overdub(&(Watch, Watch), "main", program.args()).map(|((value, _), _)| value));
        for other in [&watched, &twice] {
            match (&plain, other) {
                (Ok(a), Ok(b)) if !format!("{a:?}").contains('@') => {
                    prop_assert_eq!(format!("{a:?}"), format!("{b:?}"));
                }
                (Ok(_), Ok(_)) => {}
                (a, b) => prop_assert_eq!(format!("{a:?}"), format!("{b:?}")),
            }
        }
    }

    #[test]
    fn what_is_made_for_contexts_fits_together(program in programs()) {
        let engine = engine(&program);
        drop(engine.overdub(&(Watch, Watch), "main", program.args()).map(drop));
        if let Err(error) = verify_module(&engine.module()) {
            prop_assert!(false, "{error}");
        }
    }

    #[test]
    fn floats_in_boxes_compute_as_floats(program in programs()) {
        let engine = engine(&program);
        let boxing = text::Parser::new().with_types([boxed_ty()]).parse(BOXING).expect("it is a program");
        for func in boxing.funcs {
            engine.program().define(func);
        }
        let args: Option<Vec<_>> = program.args().iter().map(boxed).collect();
        let Some(args) = args else { return Ok(()) };
        let plain = shown(engine.run("main", program.args()));
        let computed = shown(engine.overdub(&Lift::new(Boxed), "main", args));
        match (&plain, &computed) {
            (Ok(a), Ok(b)) => prop_assert!(is_boxed(a, b), "{a:?} and {b:?}"),
            (_, Err((FailureKind::Load, message))) => {
                prop_assert!(message.contains("has no meaning"), "{message}");
            }
            (a, b) => prop_assert_eq!(format!("{a:?}"), format!("{b:?}")),
        }
        if let Err(error) = verify_module(&engine.module()) {
            prop_assert!(false, "{error}");
        }
    }
}
