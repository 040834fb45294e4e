//! Checkpoints that keep named values: derivatives have the same bits, and what is kept is not computed twice.

use overdub::ad::{
    Reverse, Strategy, checkpoint, checkpoint_name, checkpoint_saving, gradient, hvp, jacobian, jvp,
    value_and_gradient, vjp,
};
use overdub::prelude::*;
use overdub_ad::HvpRoute;
use overdub_ad::codes;
use overdub_ad::flatten::floats;
use overdub_ad::tape::record;
use overdub_ad::transform::reverse::{ReverseOutput, ReverseTransform, Transformed};
use overdub_context::value::Value;
use overdub_lower::Loaded;

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// The programs: each block by a checkpoint with names, by one without, and by none.
macro_rules! three {
    ($($name:ident, $plain:ident, $stored:ident: |$x:ident, $k:ident, $n:ident| $block:ident, $names:tt;)*) => {
        $(
            #[dub]
            fn $name($x: f64, $k: f64, $n: usize) -> f64 {
                let mut y = $x;
                for _ in 0..3 {
                    y = checkpoint_saving(|z: f64| $block(z, $k, $n), y, $names) * 0.5 + $k;
                }
                y
            }

            #[dub]
            fn $plain($x: f64, $k: f64, $n: usize) -> f64 {
                let mut y = $x;
                for _ in 0..3 {
                    y = checkpoint(|z: f64| $block(z, $k, $n), y) * 0.5 + $k;
                }
                y
            }

            #[dub]
            fn $stored($x: f64, $k: f64, $n: usize) -> f64 {
                let mut y = $x;
                for _ in 0..3 {
                    y = $block(y, $k, $n) * 0.5 + $k;
                }
                y
            }
        )*

        #[test]
        fn no_bit_depends_on_what_is_kept() -> Outcome {
            $(
                let name = stringify!($block);
                for args in [(0.3, 0.9, 5), (-1.2, 0.4, 1), (0.7, -1.1, 0)] {
                    let expected = value_and_gradient($stored, args)?;
                    assert_eq!(value_and_gradient($name, args)?, expected, "{name} {args:?}");
                    assert_eq!(value_and_gradient($plain, args)?, expected, "{name} {args:?}");
                    let along = (1.0, -0.5, ());
                    assert_eq!(hvp($name, args, along)?, hvp($plain, args, along)?, "{name} {args:?}");
                    assert_eq!(vjp($name, args, 2.0)?, vjp($plain, args, 2.0)?, "{name} {args:?}");
                    assert_eq!(jvp($name, args, along)?, jvp($stored, args, along)?, "{name} {args:?}");
                    let within = Reverse::with_memory(4000);
                    assert_eq!(within.gradient($name, args)?, within.gradient($plain, args)?, "{name} {args:?}");
                }
                let strategy = overdub::ad::prepare($name).strategy::<(f64, f64, usize)>()?;
                assert_eq!(strategy, Strategy::Transformation, "{name}");
            )*
            Ok(())
        }
    };
}

#[dub]
fn straight(x: f64, k: f64, n: usize) -> f64 {
    let hidden = checkpoint_name((x * k).tanh(), "hidden");
    (hidden * hidden).exp() + hidden * n as f64
}

#[dub]
fn in_a_loop(x: f64, k: f64, n: usize) -> f64 {
    let mut y = x;
    for i in 0..n {
        let a = checkpoint_name((y * k + i as f64).sin(), "angle");
        y = (a * y).exp() * 0.3 + a * a;
    }
    y
}

#[dub]
fn in_some_iterations(x: f64, k: f64, n: usize) -> f64 {
    let mut y = x;
    for i in 0..n {
        let s = (y * k).sin();
        if s > 0.1 || i % 2 == 0 {
            let e = checkpoint_name((s * y).exp(), "some");
            y = e * s + y * 0.1;
        } else {
            y = s * 0.7;
        }
    }
    y
}

#[dub]
fn edited(x: f64, k: f64, n: usize) -> f64 {
    let mut all = vec![x; n + 2];
    for (i, at) in all.iter_mut().enumerate() {
        *at = (x * i as f64 + k).sin();
    }
    let mut all = checkpoint_name(all, "all");
    let mut sum = 0.0;
    for at in &mut all {
        sum += *at * *at;
        *at = *at * k + sum;
    }
    all[1] * all[0] + sum
}

#[dub]
struct State {
    at: f64,
    past: Vec<f64>,
    count: usize,
}

#[dub]
fn of_parts(x: f64, k: f64, n: usize) -> f64 {
    let mut state = State { at: x, past: vec![k], count: 0 };
    for _ in 0..n {
        let next = (state.at * k).cos();
        let (a, b) = checkpoint_name((next * x, next.exp()), "pair");
        state.past.push(a);
        state = checkpoint_name(State { at: b * 0.5, past: state.past, count: state.count + 1 }, "state");
    }
    let mut sum = state.at * state.count as f64;
    for p in &state.past {
        sum += p * p;
    }
    sum
}

#[dub]
fn twice(x: f64, k: f64, n: usize) -> f64 {
    let a = checkpoint_name((x * k).sin(), "same");
    let mut b = checkpoint_name(vec![a.exp(); n + 1], "same");
    b[0] = checkpoint_name(checkpoint_name(b[0] * a, "same").cos(), "other");
    a * b[0] + b[n]
}

#[dub]
fn used_before(x: f64, k: f64, n: usize) -> f64 {
    let z = (x * k).exp();
    let before = z * z;
    let named = checkpoint_name(z, "z");
    let mut sum = named * before + z;
    for _ in 0..n {
        sum = (named * sum).sin() * z;
    }
    sum
}

#[dub]
fn early(x: f64, k: f64, n: usize) -> f64 {
    if n == 0 {
        return checkpoint_name((x * k).sin(), "early");
    }
    let late = checkpoint_name((x + k).cos(), "late");
    late * late
}

#[dub]
fn helper(x: f64, name: &str) -> f64 {
    checkpoint_name(x.tanh(), name)
}

#[dub]
fn by_a_helper(x: f64, k: f64, n: usize) -> f64 {
    let a = helper(x * k, "first");
    let b = helper(a + k, "second");
    (0..n).map(|i| helper(a * b + i as f64, "third") * b).sum::<f64>() + a * b
}

#[dub]
fn nesting(x: f64, k: f64, n: usize) -> f64 {
    let outer = checkpoint_name((x * k).sin(), "outer");
    let inner = checkpoint_saving(|y: f64| in_a_loop(y, k, n) * outer, outer * x, ["angle"]);
    checkpoint(|y: f64| straight(y, k, n), inner) + outer
}

#[dub]
fn constant(x: f64, k: f64, n: usize) -> f64 {
    let one = checkpoint_name(1.0, "one");
    let integer = checkpoint_name(n * 2 + 1, "integer");
    (x * k * one).sin() * integer as f64
}

three! {
    straight_kept, straight_plain, straight_stored: |x, k, n| straight, ["hidden"];
    loop_kept, loop_plain, loop_stored: |x, k, n| in_a_loop, ["angle"];
    some_kept, some_plain, some_stored: |x, k, n| in_some_iterations, ["some"];
    edited_kept, edited_plain, edited_stored: |x, k, n| edited, ["all"];
    parts_kept, parts_plain, parts_stored: |x, k, n| of_parts, ["state", "pair"];
    pair_kept, pair_plain, pair_stored: |x, k, n| of_parts, ["pair"];
    twice_kept, twice_plain, twice_stored: |x, k, n| twice, ["same"];
    other_kept, other_plain, other_stored: |x, k, n| twice, ["other", "same", "same"];
    before_kept, before_plain, before_stored: |x, k, n| used_before, ["z"];
    early_kept, early_plain, early_stored: |x, k, n| early, ["late", "early"];
    helper_kept, helper_plain, helper_stored: |x, k, n| by_a_helper, ["second", "third"];
    nesting_kept, nesting_plain, nesting_stored: |x, k, n| nesting, ["outer"];
    constant_kept, constant_plain, constant_stored: |x, k, n| constant, ["one", "integer"];
}

/// The operations of a function's gradient, as text.
fn generated(source: &str, path: &str) -> Result<String, Box<dyn std::error::Error>> {
    let loaded = Loaded::from_source("kept.rs", source)?;
    let gradient = ReverseTransform::new(ReverseOutput::Gradient);
    let prepared = loaded.engine().prepare(&gradient, loaded.function(path)?.symbol);
    Ok(prepared.func()?.to_string())
}

/// Blocks in a loop, so that the second run is not merged with the first.
const REPEATED: &str = r#"use overdub::ad::{checkpoint, checkpoint_name, checkpoint_saving};
fn dot(w: &[f64], x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        assert!(w[i] > -10.0, "too small: {}", w[i]);
        sum += w[i] * x[i];
    }
    sum
}
fn block(w: &[f64], x: f64) -> f64 {
    let powers = [x, x * x, x * x * x, x + 1.0, x - 1.0];
    let sum = checkpoint_name(dot(w, &powers), "sum");
    let wave = checkpoint_name(sum.exp(), "wave");
    wave.tanh()
}
fn sweep(w: &[f64], x: f64) -> f64 {
    let all: Vec<f64> = w.iter().map(|w| checkpoint_name((w * x).tanh(), "each")).collect();
    all.iter().map(|y| y * y).sum::<f64>()
}
pub fn plain(w: &[f64], x: f64, n: usize) -> f64 {
    let mut y = x;
    for _ in 0..n { y = checkpoint(|y: f64| block(w, y), y); }
    y
}
pub fn wave(w: &[f64], x: f64, n: usize) -> f64 {
    let mut y = x;
    for _ in 0..n { y = checkpoint_saving(|y: f64| block(w, y), y, ["wave"]); }
    y
}
pub fn sum(w: &[f64], x: f64, n: usize) -> f64 {
    let mut y = x;
    for _ in 0..n { y = checkpoint_saving(|y: f64| block(w, y), y, ["sum"]); }
    y
}
pub fn plain_sweep(w: &[f64], x: f64, n: usize) -> f64 {
    let mut y = x;
    for _ in 0..n { y = checkpoint(|y: f64| sweep(w, y), y); }
    y
}
pub fn each(w: &[f64], x: f64, n: usize) -> f64 {
    let mut y = x;
    for _ in 0..n { y = checkpoint_saving(|y: f64| sweep(w, y), y, ["each"]); }
    y
}
"#;

#[test]
fn what_is_kept_is_not_computed_twice() -> Outcome {
    let count = |path: &str, op: &str| -> Result<usize, Box<dyn std::error::Error>> {
        Ok(generated(REPEATED, path)?.matches(op).count())
    };
    // The exponential is its own derivative.
    assert_eq!((count("plain", "= exp ")?, count("wave", "= exp ")?, count("sum", "= exp ")?), (2, 1, 2));
    // The loop of the product, which may fail, is not run for the sum: the reverse sweep reads the elements once more, and no text
    // of the assertion is made again.
    let reads = |path: &str| count(path, "= get %w, ");
    assert_eq!((reads("plain")?, reads("wave")?, reads("sum")?), (3, 2, 2));
    assert_eq!((count("plain", "= gt ")?, count("sum", "= gt ")?), (1, 1));
    // Values that are kept element by element are not recorded again either.
    assert_eq!((count("plain_sweep", "= tanh ")?, count("each", "= tanh ")?), (2, 1));
    Ok(())
}

#[test]
fn each_kept_float_takes_its_bytes() -> Outcome {
    let args = (0.3, 0.9, 50);
    let plain = overdub(Reverse, loop_plain, args)?.1.tape_bytes();
    let kept = overdub(Reverse, loop_kept, args)?.1.tape_bytes();
    let stored = overdub(Reverse, loop_stored, args)?.1.tape_bytes();
    // 50 angles in each of 3 checkpoints.
    assert!(kept >= plain + 3 * 50 * 8 && kept < stored, "{plain} {kept} {stored}");
    Ok(())
}

#[dub]
fn wide(x: f64, k: f64) -> (f64, Vec<f64>) {
    checkpoint_saving(
        |y: f64| {
            let a = checkpoint_name((y * k).sin(), "a");
            let b = checkpoint_name(vec![a, a * k, y], "b");
            (a * b[1], b)
        },
        x,
        ["a", "b"],
    )
}

#[dub]
fn wide_stored(x: f64, k: f64) -> (f64, Vec<f64>) {
    let a = (x * k).sin();
    (a * (a * k), vec![a, a * k, x])
}

#[test]
fn whole_jacobians_go_through_checkpoints() -> Outcome {
    assert_eq!(jacobian(wide, (0.3, 0.9))?, jacobian(wide_stored, (0.3, 0.9))?);
    let dy = (2.0, vec![1.0, -1.0, 0.5]);
    assert_eq!(vjp(wide, (0.3, 0.9), dy.clone())?, vjp(wide_stored, (0.3, 0.9), dy)?);
    Ok(())
}

#[test]
fn a_name_alone_changes_nothing() -> Outcome {
    assert_eq!(gradient(straight, (0.3, 0.9, 2))?, gradient(straight_unnamed, (0.3, 0.9, 2))?);
    assert_eq!(
        (straight(0.3, 0.9, 2), run(straight, (0.3, 0.9, 2))?),
        (straight_unnamed(0.3, 0.9, 2), straight(0.3, 0.9, 2))
    );
    Ok(())
}

#[dub]
fn straight_unnamed(x: f64, k: f64, n: usize) -> f64 {
    let hidden = (x * k).tanh();
    (hidden * hidden).exp() + hidden * n as f64
}

/// The derivatives of a loaded function by a tape, and by the transformation.
fn both(source: &str, path: &str, args: &[f64]) -> Result<[Vec<f64>; 2], Box<dyn std::error::Error>> {
    let loaded = Loaded::from_source("kept.rs", source)?;
    let (engine, func) = (loaded.engine(), loaded.function(path)?.symbol);
    let args: Vec<_> = args.iter().map(|x| Value::F64(*x)).collect();
    let flat = |values: Vec<_>| values.iter().flat_map(floats).collect();
    let recorded = record(&engine, func, args.clone())?.pullback.pull(&[1.0])?;
    let made = Transformed::gradient(&engine, func, &|_| true)?;
    Ok([flat(recorded), flat(made.run(args)?.1)])
}

#[test]
fn a_tape_runs_all_of_it_again() -> Outcome {
    let source = r#"
        const KEPT: &str = "a";
        pub fn f(x: f64, k: f64) -> f64 {
            let kept = [KEPT, "b"];
            overdub::ad::checkpoint_saving(|y: f64| {
                let a = overdub::ad::checkpoint_name((y * k).sin(), "a");
                overdub::ad::checkpoint_name(a * a, "b") * y
            }, x * x, kept)
        }"#;
    let [recorded, made] = both(source, "f", &[0.5, 2.0])?;
    let (y, a, da) = (0.25_f64, 0.5_f64.sin(), 0.5_f64.cos());
    let expected = [(a * a + 2.0 * a * da * 2.0 * y) * 2.0 * 0.5, 2.0 * a * da * y * y];
    for (found, expected) in recorded.iter().chain(&made).zip(expected.iter().cycle()) {
        assert!((found - expected).abs() < 1e-15, "{recorded:?} {made:?} {expected:?}");
    }
    Ok(())
}

#[test]
fn second_derivatives_are_transformed() -> Outcome {
    let loaded = Loaded::from_source("kept.rs", REPEATED)?;
    for path in ["wave", "sum", "each"] {
        let f = loaded.function(path)?;
        let route = HvpRoute::new(&loaded.engine(), f.symbol, f.ir_ret, &|_| true)?;
        assert_eq!(*route.strategy(), Strategy::ForwardOverReverse, "{path}");
    }
    Ok(())
}

/// The error of a gradient.
fn refused(body: &str, names: &str) -> Result<String, Box<dyn std::error::Error>> {
    let source = format!(
        "use overdub::ad::{{checkpoint_name, checkpoint_saving}};
        fn again(x: f64, n: usize) -> f64 {{ if n == 0 {{ checkpoint_name(x.sin(), \"deep\") }} else {{ again(x, n - 1) * x }} }}
        pub fn f(x: f64, name: &'static str) -> f64 {{
            checkpoint_saving(|x: f64| {{ {body} }}, x,
            {names})
        }}"
    );
    let loaded = Loaded::from_source("kept.rs", &source)?;
    let f = loaded.function("f")?;
    let route = overdub_ad::GradientRoute::new(&loaded.engine(), f.symbol, f.ir_ret, &|_| true);
    let error = route.run(vec![Value::F64(0.5), Value::str("a")]).unwrap_err();
    let hvp = HvpRoute::new(&loaded.engine(), f.symbol, f.ir_ret, &|_| true).unwrap_err();
    assert_eq!(error.code(), codes::CHECKPOINT_NAMES, "{error}");
    assert_eq!(hvp.code(), codes::CHECKPOINT_NAMES, "{hvp}");
    Ok(format!("{error:?}"))
}

#[test]
fn names_that_nothing_has_are_errors() -> Outcome {
    let cases = [
        (
            "checkpoint_name(x.sin(), \"hidden\") + checkpoint_name(x, \"b\")",
            "[\"hiden\"]",
            "nothing in the checkpoint has the name `hiden`: there are `b`, `hidden`",
        ),
        ("x.sin()", "[\"hidden\"]", "`checkpoint_name` names none there"),
        (
            "again(x, 3)",
            "[\"deep\"]",
            "functions that call themselves, and checkpoints within it, are not searched",
        ),
        ("checkpoint_name(x.sin(), \"a\")", "[name]", "list literals in `checkpoint_saving`"),
        (
            "let mut v = [x]; let place = checkpoint_name(&mut v, \"a\"); place[0] *= x; v[0]",
            "[\"a\"]",
            "refers to what may change",
        ),
        ("checkpoint_name(x.sin(), name)", "[\"a\"]", "name them by literals"),
    ];
    for (body, names, expected) in cases {
        let error = refused(body, names)?;
        assert!(error.contains(expected), "{error}");
        assert!(error.contains("kept.rs:4"), "{error}");
    }
    Ok(())
}
