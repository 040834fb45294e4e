//! State shared between threads is safe to share: used by sixteen at once, from the first use on.

use std::sync::Barrier;

use overdub::ad::{gradient, hessian, prepare};
use overdub::lower::Loaded;
use overdub::prelude::*;
use overdub_context::Failure;
use overdub_context::engine::{Engine, Interpreting, Lift, Prepared};
use overdub_context::ir::{Func, Module, Ty};
use overdub_context::value::Value;

const THREADS: usize = 16;

#[dub]
fn norm(xs: &[f64], p: f64) -> f64 {
    xs.iter().map(|x| x.powf(p)).sum::<f64>().powf(1.0 / p)
}

/// Runs this on all threads at once.
fn at_once(work: impl Fn(usize) + Sync) {
    let barrier = Barrier::new(THREADS);
    std::thread::scope(|scope| {
        for number in 0..THREADS {
            let (barrier, work) = (&barrier, &work);
            scope.spawn(move || {
                barrier.wait();
                work(number);
            });
        }
    });
}

#[test]
fn a_function_is_first_differentiated_by_sixteen_threads_at_once() {
    at_once(|number| {
        let x = 1.0 + number as f64;
        let (dxs, _) = gradient(norm, (&[3.0 * x, 4.0 * x][..], 2.0)).expect("it has a gradient");
        assert!((dxs[0] - 0.6).abs() < 1e-12 && (dxs[1] - 0.8).abs() < 1e-12);
        let by_parts = ctx().replace("powf", "add");
        let sum = overdub(by_parts, norm, (&[x, x][..], 2.0)).expect("it runs");
        assert_eq!(sum, 2.0 * (x + 2.0) + 0.5);
    });
}

#[test]
fn a_program_is_loaded_once_and_lowered_by_sixteen_threads_at_once() {
    let source: String = (0..40)
        .map(|n| {
            format!(
                "pub fn f{n}(x: f64) -> f64 {{ (0..{n}).map(|i| x * i as f64).sum::<f64>() + x.sin() }}\n"
            )
        })
        .collect();
    let loaded = Loaded::from_source("many.rs", &source).expect("it is Rust");
    let engine = loaded.engine();
    let values = |number: usize| -> Vec<u64> {
        let order = (0..40).map(|n| (n + number * 7) % 40);
        let mut values: Vec<(usize, u64)> = order
            .map(|n| {
                let function = loaded.function(&format!("f{n}")).expect("it is there");
                let args = vec![Value::F64(0.5)];
                let (y, dx) = overdub_ad::gradient(&engine, function.symbol, args, function.ir_ret)
                    .expect("it has a gradient");
                let (y, dx) = (y.as_f64().expect("a float"), dx[0].as_f64().expect("a float"));
                (n, y.to_bits() ^ dx.to_bits().rotate_left(1))
            })
            .collect();
        values.sort_unstable();
        values.into_iter().map(|(_, bits)| bits).collect()
    };
    let expected = values(0);
    at_once(|number| assert_eq!(values(number), expected));
}

/// Types that contain themselves and each other, types of one name with other fields, closures with captures.
const TANGLED: &str = "
enum Tree { Leaf(f64), Node(Box<Branch>), Many(Vec<Tree>) }
struct Branch { left: Tree, right: Tree, weigh: fn(f64) -> f64 }
struct Held<T: Holds> { what: T, first: T::First }
trait Holds { type First; fn first(&self) -> Self::First; }
impl Holds for Vec<f64> { type First = f64; fn first(&self) -> f64 { self[0] } }
impl Holds for [f64; 2] { type First = (f64, f64); fn first(&self) -> (f64, f64) { (self[0], self[1]) } }

fn twice(x: f64) -> f64 { 2.0 * x }
fn sum(tree: &Tree, scale: f64) -> f64 {
    match tree {
        Tree::Leaf(x) => scale * x,
        Tree::Node(branch) => (branch.weigh)(sum(&branch.left, scale)) + sum(&branch.right, scale),
        Tree::Many(trees) => trees.iter().map(|tree| sum(tree, scale).sin()).sum(),
    }
}
pub fn f0(x: f64) -> f64 {
    let many = Tree::Many(vec![Tree::Leaf(x), Tree::Leaf(x * x)]);
    sum(&Tree::Node(Box::new(Branch { left: many, right: Tree::Leaf(3.0), weigh: twice })), x)
}
pub fn f1(x: f64) -> f64 {
    let whats = vec![x, 1.0];
    let held = Held { first: whats.first(), what: whats };
    [1.0, 2.0].iter().map(|y| y * held.first + held.what[1] * x).sum()
}
pub fn f2(x: f64) -> f64 {
    let whats = [x, x * x];
    let held = Held { first: whats.first(), what: whats };
    (0..3).fold(0.0, |sum, i| sum + held.first.1 * held.what[0] * i as f64)
}
pub fn f3(x: f64) -> f64 {
    let branch = Branch { left: Tree::Leaf(x), right: Tree::Many(vec![]), weigh: |x| x.exp() };
    let scaled = |k: f64| move |y: f64| k * y * (branch.weigh)(x);
    scaled(x)(2.0) + sum(&branch.left, x) + sum(&branch.right, x)
}
";

#[test]
fn what_sixteen_threads_lower_at_once_is_what_one_lowers() {
    let values = |loaded: &Loaded, engine: &Engine, number: usize| -> [u64; 4] {
        let mut values = [0; 4];
        for n in (0..4).map(|n| (n + number) % 4) {
            let function = loaded.function(&format!("f{n}")).expect("it is there");
            let args = vec![Value::F64(0.5)];
            let (y, dx) = overdub_ad::gradient(engine, function.symbol, args, function.ir_ret)
                .expect("it has a gradient");
            let (y, dx) = (y.as_f64().expect("a float"), dx[0].as_f64().expect("a float"));
            values[n] = y.to_bits() ^ dx.to_bits().rotate_left(1);
        }
        values
    };
    let load = || Loaded::from_source("tangled.rs", TANGLED).expect("it is Rust");
    let alone = load();
    let expected = values(&alone, &alone.engine(), 0);
    for _ in 0..10 {
        let loaded = load();
        let engine = loaded.engine();
        at_once(|number| assert_eq!(values(&loaded, &engine, number), expected));
    }
}

#[test]
fn what_is_prepared_is_shared() {
    let prepared = prepare(norm).with_respect_to(["xs"]);
    at_once(|number| {
        let x = 1.0 + number as f64;
        let mut dxs = [0.0_f64; 2];
        let y = prepared.gradient_into((&[3.0 * x, 4.0 * x][..], 2.0), (&mut dxs[..], &mut 0.0));
        assert!((y.expect("it has a gradient") - 5.0 * x).abs() < 1e-12 * x);
        assert!((dxs[0] - 0.6).abs() < 1e-12);
        assert!(hessian(norm, (&[x, x][..], 2.0)).is_ok());
    });
}

#[test]
fn public_types_are_send_and_sync() {
    fn shared<T: Send + Sync>() {}
    shared::<Loaded>();
    shared::<Engine>();
    shared::<Module>();
    shared::<Func>();
    shared::<Ty>();
    shared::<Value<'static>>();
    shared::<Failure>();
    shared::<Interpreting>();
    shared::<Lift>();
    shared::<Prepared<Lift>>();
    shared::<overdub::Error>();
    shared::<overdub::ad::Pullback<f64, (f64,)>>();
    shared::<overdub::ad::Prepared<fn(f64) -> f64>>();
    shared::<overdub::ad::Linear<f64>>();
    shared::<overdub::ad::RuleError>();
}
