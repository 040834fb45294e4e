//! A straight-line program with its derivative interleaved, and with its derivative after it.
//!
//! `BLESS=1` writes what is printed into `article/`.

use std::sync::Arc;

use overdub_ad::dual::Duals;
use overdub_ad::transform::reverse::reverse;
use overdub_context::engine::Engine;
use overdub_context::ir::{BuildError, Func, FuncBuilder, Operand, Ty};
use overdub_context::value::Value;
use overdub_context::{Symbol, ops, text};
use overdub_passes::{Optimising, Pipeline, Scope, by_name, optimise};

/// `p = 7x; r = 1/y; q = p·x·5; v = 2pq + 3r`
const PROGRAM: &str = "
fn @v(%x: f64, %y: f64) -> f64 {
  %p: f64 = mul 7.0, %x
  %r: f64 = div 1.0, %y
  %px: f64 = mul %p, %x
  %q: f64 = mul %px, 5.0
  %2p: f64 = mul 2.0, %p
  %2pq: f64 = mul %2p, %q
  %3r: f64 = mul 3.0, %r
  %v: f64 = add %2pq, %3r
  ret %v
}
";

fn engine() -> Engine {
    let module = text::parse(PROGRAM).expect("it is a program").module();
    Engine::builder(module).optimizer(Optimising).build()
}

/// `(x, dx, y, dy) -> (v, dv)`
fn interleaved(engine: &Engine) -> Result<Func, BuildError> {
    let dual = engine.overdubbed(&Duals::ONE.context(), "v").expect("it has a derivative");
    let mut build = FuncBuilder::new("v.forward", Ty::tuple([Ty::f64(), Ty::f64()]));
    let mut args = Vec::new();
    for (name, ty) in ["x", "y"].into_iter().zip(dual.param_tys()) {
        let x = build.param(name, Ty::f64());
        let dx = build.param(&format!("d{name}"), Ty::f64());
        args.push((x, dx, ty));
    }
    let mut duals: Vec<Operand> = Vec::new();
    for (x, dx, ty) in args {
        duals.push(build.op_as(&ops::STRUCT, [x, dx], ty)?.into());
    }
    let v: Operand = build.call(dual.name, duals, dual.ret)?.into();
    let value = build.op(&ops::FIELD, [v.clone(), 0_i64.into()])?;
    let slope = build.op(&ops::FIELD, [v, 1_i64.into()])?;
    let both = build.op(&ops::TUPLE, [value, slope])?;
    build.ret(both)?;
    let module = engine.module();
    let lookup = |name: Symbol| module.func(name).ok().flatten();
    Ok(optimise(&build.finish()?, &Scope::new(&lookup)))
}

/// `(x, y, dv) -> (v, (dx, dy))`, every variable used once.
fn optimised_reverse(engine: &Engine) -> Func {
    let lookup = |name| engine.program().func(name);
    let reversed = reverse(&lookup, "v".into(), &[true, true]).expect("it has a way back");
    let gradient = reversed.funcs.iter().find(|func| func.name == reversed.gradient).expect("it is there");
    let nothing = |_: Symbol| None::<Arc<Func>>;
    Pipeline::once(by_name("dup")).run(gradient, &Scope::new(&nothing))
}

fn assert_shown(file: &str, func: &Func) {
    let path = format!("{}/tests/article/{file}", env!("CARGO_MANIFEST_DIR"));
    let printed = format!("{func}\n");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &printed).expect("it can be written");
    }
    let shown = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(printed, shown, "{file}: BLESS=1 writes it anew");
}

/// `∂v/∂x = 2·(7·5·7·3x²)`, `∂v/∂y = −3/y²`, derived by hand: `v = 490 x³ + 3/y`.
fn by_hand(x: f64, y: f64) -> (f64, f64) {
    (1470.0 * x * x, -3.0 / (y * y))
}

#[test]
fn forward_the_derivative_is_interleaved_with_the_program() -> Result<(), Box<dyn std::error::Error>> {
    let engine = engine();
    let func = interleaved(&engine)?;
    assert_shown("forward.ir", &func);
    engine.program().define(func);
    let v = engine.run("v.forward", [2.0, 1.0, 4.0, 0.0].map(Value::F64).into())?;
    assert_eq!(v.to_string(), format!("(3920.75, {:?})", by_hand(2.0, 4.0).0));
    Ok(())
}

#[test]
fn in_reverse_the_derivative_follows_the_program_and_what_is_used_twice_is_duplicated()
-> Result<(), Box<dyn std::error::Error>> {
    let engine = engine();
    let func = optimised_reverse(&engine);
    assert_shown("reverse.ir", &func);
    let name = func.name;
    engine.program().define(func);
    let v = engine.run(name, [2.0, 4.0, 1.0].map(Value::F64).into())?;
    let (dx, dy) = by_hand(2.0, 4.0);
    assert_eq!(v.to_string(), format!("(3920.75, ({dx:?}, {dy:?}))"));
    Ok(())
}
