//! The gradients of all floats of a result in one reverse sweep are those of a sweep for each of them, to the bit.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use overdub_ad::TapeBound;
use overdub_ad::flatten::floats;
use overdub_ad::transform::reverse::{ReverseOutput, ReverseTransform, cotangent_of};
use overdub_context::Symbol;
use overdub_context::engine::{Engine, Interpreting};
use overdub_context::ir::{FuncBuilder, Module, Operand, Ty};
use overdub_context::ops;
use overdub_context::testing::programs;
use overdub_context::value::Value;
use overdub_passes::Optimising;
use proptest::prelude::*;

/// The gradients of each float of the result, by one sweep and by a sweep for each; `None` if there are not several floats, or the
/// function is refused or fails.
fn both_ways(engine: &Engine, func: Symbol, args: &[Value<'static>]) -> Option<[Vec<Vec<f64>>; 2]> {
    let value = engine.run(func, args.to_vec()).ok()?;
    let count = floats(&value).len();
    let together = ReverseTransform::new(ReverseOutput::Gradients);
    if count < 2 || engine.overdubbed(&together, func).is_err() {
        return None;
    }
    let gradients = |cx: &ReverseTransform, args: Vec<Value<'static>>| {
        let both = engine.overdub(cx, func, args).ok()?;
        both.as_composite().map(|both| both.parts[1].clone())
    };
    let rows =
        gradients(&together, args.to_vec()).expect("a sweep does not fail where the function does not");
    let rows = rows.as_composite().expect("a row for each float").parts.iter().map(floats).collect();
    let ret = engine.module().func(func).ok()??.ret;
    let each = (0..count).map(|row| {
        let seed = (0..count).map(|k| if k == row { 1.0 } else { 0.0 });
        let seed = cotangent_of(&value, ret, &mut seed.into_iter()).ok()?;
        let args = args.iter().cloned().chain([seed]).collect();
        gradients(&ReverseTransform::new(ReverseOutput::Vjp), args).map(|found| floats(&found))
    });
    Some([rows, each.collect::<Option<_>>()?])
}

/// Adds a function to a program whose `@main` returns a float: it returns that, its sine, and its product with the sine.
fn with_three_results(module: &Module) -> Option<Symbol> {
    let main = module.func("main".into()).ok()??;
    if main.ret != Ty::f64() {
        return None;
    }
    let mut build = FuncBuilder::new(Symbol::new("wide"), Ty::tuple([Ty::f64(); 3]));
    let args: Vec<Operand> = main.param_tys().map(|ty| build.param("x", ty).into()).collect();
    let y = build.call(main.name, args, main.ret).ok()?;
    let sine = build.op(&ops::SIN, [y]).ok()?;
    let product = build.op(&ops::MUL, [y, sine]).ok()?;
    let all = build.op(&ops::TUPLE, [y, sine, product]).ok()?;
    build.ret(all).ok()?;
    module.define(build.finish().ok()?);
    Some("wide".into())
}

/// The number of random programs that were drawn, and of those that were compared.
static DRAWN: AtomicUsize = AtomicUsize::new(0);
static COMPARED: AtomicUsize = AtomicUsize::new(0);

fn bits(rows: &[Vec<f64>]) -> Vec<Vec<u64>> {
    // The bits of a NaN are not specified; a cotangent that is always zero is +0.0 (ZEROCOT1).
    let bits = |x: &f64| if x.is_nan() { u64::MAX } else { (x + 0.0).to_bits() };
    rows.iter().map(|row| row.iter().map(bits).collect()).collect()
}

const PROGRAMS: &str = "
    pub fn straight(x: f64, y: f64) -> (f64, f64, f64) { (x * y, x.sin() / y, x) }

    pub fn branches(x: f64, y: f64) -> (f64, f64) {
        if x > y { (x * x, y) } else if x == y { (x + y, 0.0) } else { ((x * y).exp(), x - y) }
    }

    pub fn looped(xs: &[f64], n: usize) -> (f64, f64) {
        let (mut a, mut b) = (1.0, 0.0);
        for k in 0..n {
            for x in xs { a = (a * x).sin() + k as f64 * x; }
            b += a * a;
            if b > 2.0 { b = b.sqrt(); }
        }
        (a, b)
    }

    pub struct Fit { pub scale: f64, pub rounds: usize, pub ends: (f64, f64) }

    pub fn a_struct(xs: &[f64], scale: f64) -> Fit {
        let mut sums = vec![0.0; xs.len()];
        for i in 0..xs.len() {
            sums[i] = xs[i] * scale;
            if i > 0 { sums[i] += sums[i - 1] * 0.5; }
        }
        Fit { scale: scale * scale, rounds: xs.len(), ends: (sums[0], sums[xs.len() - 1]) }
    }

    fn power(x: f64, n: usize) -> f64 { if n == 0 { 1.0 } else { x * power(x, n - 1) } }

    fn weighted(xs: &[f64], at: usize, w: f64) -> f64 {
        if at == xs.len() { 0.0 } else { w * xs[at] + weighted(xs, at + 1, w * xs[at]) }
    }

    pub fn recursive(xs: &[f64], w: f64) -> (f64, f64) { (weighted(xs, 0, w) + power(w, 3), weighted(xs, 1, w * w)) }

    pub fn written(xs: &mut [f64], w: f64) -> (f64, f64) {
        for x in xs.iter_mut() { *x *= w; }
        (xs[0] * xs[1], xs.iter().map(|x| x.cos()).sum())
    }
";

#[test]
fn one_sweep_gives_the_gradient_of_each_float_of_a_result() {
    let loaded = overdub_lower::Loaded::from_source("case.rs", PROGRAMS).expect("it is Rust");
    let engine = loaded.engine();
    let xs = || Value::floats(vec![0.3, -0.9, 1.7]);
    let scalars = || vec![Value::F64(0.7), Value::F64(1.3)];
    let cases = [
        ("straight", scalars(), 3),
        ("branches", scalars(), 2),
        ("branches", vec![Value::F64(2.0), Value::F64(2.0)], 2),
        ("branches", vec![Value::F64(3.0), Value::F64(0.5)], 2),
        ("looped", vec![xs(), Value::from(4_usize)], 2),
        ("looped", vec![xs(), Value::from(0_usize)], 2),
        ("a_struct", vec![xs(), Value::F64(0.4)], 3),
        ("recursive", vec![xs(), Value::F64(0.4)], 2),
    ];
    for (name, args, count) in cases {
        let func = loaded.function(name).expect("it is there").symbol;
        let [together, each] = both_ways(&engine, func, &args).unwrap_or_else(|| panic!("{name} has them"));
        assert_eq!(together.len(), count, "{name}");
        assert_eq!(bits(&together), bits(&each), "{name}");
    }
    // Those of the last values of `&mut` parameters, too: their number is not known.
    let written = loaded.function("written").expect("it is there").symbol;
    let refused = engine.overdubbed(&ReverseTransform::new(ReverseOutput::Gradients), written);
    assert!(refused.is_err());
}

/// Loops that are checkpointed run again for each direction.
#[test]
fn one_sweep_within_a_memory_gives_the_same() {
    let source = "pub fn f(xs: &[f64], n: usize) -> (f64, f64) {
        let mut state = xs.to_vec();
        let mut sum = 0.0;
        for k in 0..n {
            for i in 0..state.len() { state[i] = (state[i] * 1.1).sin() + k as f64 * 1e-3; }
            sum += state[0] * state[k % state.len()];
        }
        (sum, state[1])
    }";
    let loaded = overdub_lower::Loaded::from_source("case.rs", source).expect("it is Rust");
    let (engine, f) = (loaded.engine(), loaded.function("f").expect("it is there").symbol);
    let args = || vec![Value::floats(vec![0.3, -0.9, 1.7, 0.4]), Value::from(400_usize)];
    let found = |cx: &ReverseTransform| {
        let both = engine.overdub(cx, f, args()).expect("it runs");
        floats(&both)
    };
    let all = ReverseTransform::new(ReverseOutput::Gradients);
    let within = all.clone().within(TapeBound::Memory(4000));
    assert_eq!(bits(&[found(&within)]), bits(&[found(&all)]));
}

proptest! {
    #![proptest_config(overdub_context::testing::cases(96))]

    #[test]
    fn one_sweep_gives_the_gradients_of_random_programs(program in programs()) {
        let quiet = Interpreting::new().printing(Arc::new(Mutex::new(|_: &str| {})));
        let module = program.module();
        let wide = with_three_results(&module);
        let engine = Engine::builder(module).optimizer(Optimising).executor(quiet).build();
        let drawn = DRAWN.fetch_add(1, Ordering::Relaxed) + 1;
        if let Some(wide) = wide
            && let Some([together, each]) = both_ways(&engine, wide, &program.args())
        {
            COMPARED.fetch_add(1, Ordering::Relaxed);
            prop_assert_eq!(bits(&together), bits(&each));
        }
        let compared = COMPARED.load(Ordering::Relaxed);
        prop_assert!(drawn < 90 || compared * 4 > drawn, "only {} of {} were compared", compared, drawn);
    }
}
