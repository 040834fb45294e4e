//! Random programs with collectives, on ranks: gradients by every executor against finite differences over all ranks.

use overdub_context::engine::{Engine, Interpreting};
use overdub_context::ir::Ty;
use overdub_context::value::Value;
use overdub_lower::Loaded;
use overdub_native::Native;
use overdub_passes::Optimised;
use overdub_spmd::{Communicator, OnAxis, bind, ranks};
use proptest::prelude::*;
use proptest::sample::Index;

/// The number of arguments that vary, and of those that are replicated.
const OWN: usize = 2;
const SHARED: usize = 2;

/// A statement over the variables before it: its kind, and which variables.
type Step = (u8, [Index; 3]);

fn statement(number: usize, (kind, operands): &Step) -> String {
    let [a, b, c] = operands.each_ref().map(|index| format!("v{}", index.index(number)));
    let value = match kind % 16 {
        0 => format!("{a} * {b} + 0.1"),
        1 => format!("({a} - {b}).sin()"),
        2 => format!("psum({a}, \"r\")"),
        3 => format!("pmean({a} * {b}, \"r\")"),
        4 => format!("pmax({a}, \"r\") - pmin({b}, \"r\")"),
        5 => format!("broadcast({a} * {b}, axis_size(\"r\") - 1, \"r\")"),
        6 => format!("ppermute({a}, &ring(axis_size(\"r\")), \"r\") + {b}"),
        7 => format!("all_gather({a} + {b}, \"r\").iter().map(|x| x.cos()).sum::<f64>()"),
        8 => format!("if {a} > 0.3 {{ {b} * {c} }} else {{ {b} + 0.5 }}"),
        9 => format!("{{ let mut s = {a}; for k in 0..3 {{ s = s * 0.5 + {b} * k as f64; }} s }}"),
        10 => format!(
            "{{ let mut s = {a}; for _ in 0..2 {{ s = psum(s * 0.3, \"r\") * {b}.cos(); }} s + {c} }}"
        ),
        11 => format!(
            "{{ let (mut s, mut n) = ({a}, 0); while s < 2.0 && n < 5 {{ s = s * 1.2 + {b}.abs() + 0.2; n += 1; }} s - {c} }}"
        ),
        12 => format!("if psum({a}, \"r\") > 0.2 {{ psum({b} * 0.5, \"r\") * {c} }} else {{ {b} * 2.0 }}"),
        13 => format!(
            "{{ let mut xs = vec![{a}, {b}, {c}]; xs[1] = xs[0] * {b}; let xs = psum(xs, \"r\"); xs[1] - xs[2] }}"
        ),
        14 => format!("weigh({a}, {b}, |x| x * {c})"),
        _ => format!(
            "{{ let (mut s, mut k) = ({a}, 0); loop {{ if k == 3 || s > 1.5 {{ break s; }} s += {b} * {c}; k += 1; }} }}"
        ),
    };
    format!("    let v{number}: f64 = {value};\n")
}

fn source(steps: &[Step], result: Index) -> String {
    let mut text = String::from(
        "use overdub::spmd::*;
fn ring(n: usize) -> Vec<(usize, usize)> { (0..n).map(|at| (at, (at + 1) % n)).collect() }
fn weigh(a: f64, b: f64, f: impl Fn(f64) -> f64) -> f64 { psum(f(a) + b, \"r\") * f(b) }
pub fn f(v0: f64, v1: f64, v2: f64, v3: f64) -> f64 {\n",
    );
    steps.iter().enumerate().for_each(|(at, step)| text += &statement(OWN + SHARED + at, step));
    text + &format!("    v{}\n}}\n", result.index(OWN + SHARED + steps.len()))
}

/// The arguments of each rank.
type Args = Vec<[f64; OWN + SHARED]>;

fn on_axis() -> OnAxis {
    OnAxis::new("r").replicated(["v2", "v3"])
}

/// What each rank computes.
fn on_ranks<R: Send>(
    args: &Args,
    run: impl Fn(Vec<Value<'static>>) -> Result<R, overdub_context::Failure> + Sync,
) -> Vec<R> {
    let all = ranks(args.len(), |rank| {
        let own = args[rank.index()].map(Value::F64).to_vec();
        bind("r", &rank, || run(own))
    });
    all.unwrap_or_else(|error| panic!("{error}"))
}

fn engines(loaded: &Loaded) -> [(&'static str, Engine); 2] {
    [
        ("optimised", loaded.engine_builder().executor(Optimised::new(Interpreting::new())).build()),
        ("native", loaded.engine_builder().executor(Native::new()).build()),
    ]
}

/// The derivative of a function of one number; none where differences do not settle.
fn slope(f: impl Fn(f64) -> f64) -> Option<f64> {
    let difference = |h: f64| (f(h) - f(-h)) / (2.0 * h);
    let (wide, narrow) = (difference(1e-4), difference(1e-5));
    let one_sided = (f(1e-5) - f(0.0)) / 1e-5;
    let scale = 1e-3 * (1.0 + narrow.abs());
    ((wide - narrow).abs() < scale && (one_sided - narrow).abs() < scale).then_some(narrow)
}

proptest! {
    #![proptest_config(overdub_context::testing::cases(48))]

    #[test]
    fn gradients_are_those_of_differences(
        steps in prop::collection::vec((any::<u8>(), any::<[Index; 3]>()), 1..7),
        result in any::<Index>(),
        own in prop::collection::vec([-1.0..1.0_f64, -1.0..1.0_f64], 1..4),
        shared in [-1.0..1.0_f64, -1.0..1.0_f64],
    ) {
        let text = source(&steps, result);
        let loaded = Loaded::from_source("f.rs", &text).expect("it is Rust");
        let f = loaded.function("f").unwrap_or_else(|error| panic!("{error}\n{text}")).symbol;
        let args: Args = own.iter().map(|[a, b]| [*a, *b, shared[0], shared[1]]).collect();
        let mut expected: Option<Vec<f64>> = None;
        for (name, engine) in engines(&loaded) {
            let is_same = engine.overdubbed(&on_axis().result_is_replicated(), f).is_ok();
            let total = |args: &Args| -> f64 {
                let values = on_ranks(args, |own| engine.overdub(&on_axis(), f, own));
                let values: Vec<f64> = values.iter().map(|value| value.as_f64().expect("it is a float")).collect();
                if is_same {
                    assert!(values.iter().all(|y| y.to_bits() == values[0].to_bits()), "{values:?}\n{text}");
                    values[0]
                } else {
                    values.iter().sum()
                }
            };
            let nested = engine.nested(&on_axis(), f);
            let found = on_ranks(&args, |own| overdub_ad::gradient(&engine, nested, own, Ty::f64()));
            let found: Vec<Vec<f64>> =
                found.iter().map(|(_, all)| all.iter().map(|dx| dx.as_f64().expect("a float")).collect()).collect();
            for (rank, gradient) in found.iter().enumerate() {
                for at in 0..OWN + SHARED {
                    let moved = |h: f64| {
                        let mut args = args.clone();
                        args.iter_mut().enumerate().filter(|(other, _)| at >= OWN || *other == rank).for_each(|(_, own)| own[at] += h);
                        total(&args)
                    };
                    let Some(slope) = slope(moved) else { continue };
                    let error = (slope - gradient[at]).abs();
                    prop_assert!(
                        error < 1e-4 * (1.0 + slope.abs()),
                        "{}: argument {at} of rank {rank}: {} by differences, {} by the gradient\n{args:?}\n{text}",
                        name, slope, gradient[at]
                    );
                }
                // Cotangents of what is replicated are replicated.
                prop_assert_eq!(&gradient[OWN..], &found[0][OWN..], "{}", text);
            }
            let flat = found.concat();
            if let Some(expected) = &expected {
                prop_assert_eq!(expected, &flat, "{} and the interpreter\n{}", name, text);
            }
            expected = Some(flat);
        }
    }
}
