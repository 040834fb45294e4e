//! Gradients within a memory: the same bits as with everything stored, whatever the program.

use overdub::ad::{Reverse, Strategy, gradient, prepare};
use overdub::prelude::*;
use overdub_ad::{GradientRoute, TapeBound, codes};
use overdub_context::value::Value;
use overdub_lower::Loaded;

type Outcome = Result<(), Box<dyn std::error::Error>>;

#[dub]
fn sines(x: f64, k: f64, n: usize) -> f64 {
    let mut y = x;
    for _ in 0..n {
        y = (y * k).sin() + x;
    }
    y
}

#[dub]
fn heat(u0: &[f64], k: f64, n: usize) -> f64 {
    let mut u = u0.to_vec();
    let m = u.len();
    for step in 0..n {
        let flux = k * (step as f64).cos();
        for i in 1..m - 1 {
            u[i] += flux * (u[i - 1] - u[i]) * u[i + 1];
        }
    }
    u.iter().map(|x| x * x).sum::<f64>()
}

#[dub]
fn until(x: f64, k: f64, tolerance: f64) -> f64 {
    let mut y = x;
    let mut rounds = 0;
    loop {
        let next = (k * y).cos();
        rounds += 1;
        if (next - y).abs() < tolerance {
            break;
        }
        if rounds > 10_000 {
            return y * k;
        }
        y = next;
    }
    y * x
}

#[dub]
fn phases(x: f64, k: f64, n: usize) -> f64 {
    let mut y = x;
    for _ in 0..n {
        y = (k * y).sin();
    }
    let z = y * k;
    let mut w = z;
    for i in 0..n {
        if w > 0.2 {
            w = w * y.exp() - 0.5;
        } else {
            w += z * (i as f64).sqrt() / 20.0;
        }
    }
    w + z
}

#[dub]
fn nested(x: f64, k: f64, n: usize) -> f64 {
    let mut y = x;
    for i in 0..n {
        let mut z = y * k;
        for j in 0..n {
            for _ in 0..i.min(j) {
                z = (z * k).sin() + y;
                if z > 1.4 {
                    break;
                }
            }
            y = (y + z).cos();
        }
        y *= z;
    }
    y
}

#[derive(Dub, Clone)]
struct Body {
    at: [f64; 2],
    speed: Vec<f64>,
    hits: u32,
}

#[dub]
fn thrown(speed: &[f64], drag: f64, n: usize) -> f64 {
    let mut body = Body { at: [0.0, 1.0], speed: speed.to_vec(), hits: 0 };
    let mut highest: Option<f64> = None;
    let mut path: Vec<f64> = Vec::new();
    for _ in 0..n {
        body.speed[0] -= drag * body.speed[0] * body.speed[0].abs();
        body.speed[1] -= 0.01 + drag * body.speed[1];
        body.at[0] += 0.1 * body.speed[0];
        body.at[1] += 0.1 * body.speed[1];
        if body.at[1] < 0.0 {
            body.at[1] = -body.at[1];
            body.speed[1] *= -0.8;
            body.hits += 1;
        }
        if highest.is_none_or(|highest| body.at[1] > highest) {
            highest = Some(body.at[1]);
        }
        if path.len() < 20 {
            path.push(body.at[0]);
        }
    }
    let length: f64 = path.iter().map(|x| x * x).sum();
    body.at[0] * highest.unwrap_or(0.0) + length + f64::from(body.hits)
}

/// Asserts that the gradient within each of these memories is that with everything stored, to the bit.
macro_rules! same {
    ($f:ident, $args:expr, $memories:expr) => {
        let stored = gradient($f, $args)?;
        for memory in $memories {
            let within = Reverse::with_memory(memory).gradient($f, $args)?;
            assert_eq!(format!("{within:?}"), format!("{stored:?}"), "{} within {memory}", stringify!($f));
        }
    };
}

#[test]
fn a_loop_within_a_memory_has_the_gradient_of_the_stored_one() -> Outcome {
    same!(sines, (0.3, 0.9, 1000), [64, 200, 1000, 5000, 100_000]);
    same!(sines, (0.3, 0.9, 0), [64]);
    same!(phases, (0.3, 0.9, 300), [200, 1000, 100_000]);
    let u: Vec<f64> = (0..30).map(|i| f64::from(i).sin()).collect();
    same!(heat, (&u[..], 0.1, 200), [3000, 10_000, 1_000_000]);
    Ok(())
}

#[test]
fn a_loop_of_an_unknown_number_of_rounds_keeps_to_its_memory() -> Outcome {
    for tolerance in [1e-9, 1e-3, 1.0, 0.0] {
        same!(until, (0.3, 0.99, tolerance), [100, 300, 1_000_000]);
    }
    Ok(())
}

#[test]
fn nested_loops_are_checkpointed_at_each_level() -> Outcome {
    let stored = overdub(Reverse, nested, (0.3, 0.9, 12))?.1.tape_bytes();
    assert!(stored > 5000, "{stored} bytes");
    same!(nested, (0.3, 0.9, 12), [400, 600, 1000, 10_000]);
    Ok(())
}

#[test]
fn a_state_of_structs_vectors_and_options_is_kept_in_snapshots() -> Outcome {
    same!(thrown, (&[1.0, 0.3][..], 0.05, 200), [2000, 5000, 100_000]);
    Ok(())
}

const PROGRAM: &str = "
pub fn relax(u0: &[f64], k: f64, n: usize) -> f64 {
    let mut u = u0.to_vec();
    let m = u.len();
    for _ in 0..n {
        let mut last = u[m - 1];
        for i in 0..m {
            let here = u[i];
            u[i] = (k * here + last).sin();
            last = here;
        }
    }
    u.iter().sum::<f64>()
}
pub fn shown(x: f64, n: usize) -> f64 {
    let mut y = x;
    for i in 0..n {
        y = y.sin();
        if i == 3 { println!(\"{y}\"); }
    }
    y
}
pub fn factors(x: f64, n: u32) -> f64 {
    if n == 0 { 1.0 } else { x.sin() * factors(x * 0.9, n - 1) }
}
pub fn called(x: f64, n: u32) -> f64 {
    let mut y = x;
    for i in 0..n { y = (y * factors(y, 1 + i % 3)).cos(); }
    y
}
";

/// The gradient of a function of the program, with a bound.
fn route(loaded: &Loaded, f: &str, bound: TapeBound) -> GradientRoute {
    let f = loaded.function(f).expect("it has the function");
    let route = GradientRoute::within(&loaded.engine(), f.symbol, f.ir_ret, &|_| true, bound);
    assert_eq!(*route.strategy(), Strategy::Transformation);
    route
}

#[test]
fn a_long_loop_over_a_thousand_numbers_keeps_to_a_small_memory() -> Outcome {
    let loaded = Loaded::from_source("relax.rs", PROGRAM)?;
    let u: Vec<f64> = (0..1000).map(|i| f64::from(i).cos()).collect();
    let args = vec![Value::floats(u), Value::F64(0.4), Value::from(100_usize)];
    let stored = route(&loaded, "relax", TapeBound::Unbounded);
    let expected = format!("{:?}", stored.run(args.clone())?);
    let all = stored.tape_report(args.clone())?;
    assert!(all.bytes > 800_000 && all.peak == all.bytes, "{all:?}");
    for memory in [60_000, 150_000, 2_000_000] {
        let within = route(&loaded, "relax", TapeBound::Memory(memory));
        assert_eq!(format!("{:?}", within.run(args.clone())?), expected, "within {memory} bytes");
        let report = within.tape_report(args.clone())?;
        assert!(report.peak <= memory && report.peak > memory / 3.min(memory), "{report:?} within {memory}");
    }
    Ok(())
}

#[test]
fn what_prints_or_calls_what_records_is_stored_and_counted() -> Outcome {
    let loaded = Loaded::from_source("shown.rs", PROGRAM)?;
    for f in ["shown", "called"] {
        let args =
            vec![Value::F64(0.5), if f == "shown" { Value::from(50_usize) } else { Value::from(50_u32) }];
        let expected = format!("{:?}", route(&loaded, f, TapeBound::Unbounded).run(args.clone())?);
        let enough = route(&loaded, f, TapeBound::Memory(100_000));
        assert_eq!(format!("{:?}", enough.run(args.clone())?), expected);
        let failure = route(&loaded, f, TapeBound::Memory(100)).run(args).expect_err("it is stored");
        assert_eq!(failure.code(), codes::TOO_LITTLE_MEMORY, "{failure}");
    }
    Ok(())
}

#[test]
fn the_memory_that_a_failure_asks_for_is_enough() -> Outcome {
    let stored = gradient(nested, (0.3, 0.9, 12))?;
    let mut memory = 1;
    for _ in 0..20 {
        let error = match Reverse::with_memory(memory).gradient(nested, (0.3, 0.9, 12)) {
            Ok(found) => {
                assert_eq!(format!("{found:?}"), format!("{stored:?}"));
                return Ok(());
            }
            Err(error) => error,
        };
        assert_eq!(error.code(), codes::TOO_LITTLE_MEMORY);
        let message = error.to_string();
        let (_, needed) = message.split_once("at least ").expect("it says how much it needs");
        let needed: usize = needed.split(' ').next().unwrap_or_default().parse()?;
        assert!(needed > memory, "{message}");
        memory = needed;
    }
    Err("no memory is enough".into())
}

#[test]
fn prepared_functions_pullbacks_and_contexts_keep_to_a_memory() -> Outcome {
    let args = (0.3, 0.9, 500);
    let stored = gradient(sines, args)?;
    assert_eq!(prepare(sines).with_memory(300).gradient(args)?, stored);
    let (mut dx, mut dk) = (0.0, 0.0);
    let y = prepare(sines).with_memory(300).gradient_into(args, (&mut dx, &mut dk, ()))?;
    assert_eq!((y, dx, dk), (sines(0.3, 0.9, 500), stored.0, stored.1));
    let (_, pullback) = overdub(Reverse::with_memory(300), sines, args)?;
    assert_eq!((pullback.call(1.0)?, pullback.call(1.0)?), (stored, stored));
    assert!(pullback.tape_bytes() < 300);

    let counting = || ctx_with::<usize>().when(|call| call.calls("sin")).before(|count, _, _| *count += 1);
    let ((y, pullback), count) = overdub((counting(), Reverse::with_memory(300)), sines, args)?;
    assert_eq!((y, count), (sines(0.3, 0.9, 500), 500));
    assert_eq!(pullback.call(1.0)?, stored);
    // Below the derivative the context has effects, so that the loop is stored.
    let ((y, count), pullback) = overdub((Reverse::with_memory(100_000), counting()), sines, args)?;
    assert_eq!((y, count), (sines(0.3, 0.9, 500), 500));
    assert_eq!(pullback.call(1.0)?, stored);
    let error = overdub((Reverse::with_memory(300), counting()), sines, args).unwrap_err();
    assert_eq!(error.code(), codes::TOO_LITTLE_MEMORY);
    Ok(())
}
