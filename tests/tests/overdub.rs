//! Contexts on functions of Rust: annotated ones, called by their own names, and sources without annotations.

use overdub::lower::Loaded;
use overdub::prelude::*;
use overdub_context::engine::{CallSite, Empty, Hooks, WithMetadata};
use overdub_context::value::Value;
use overdub_context::{Failure, Symbol};

#[dub]
fn wave(x: f64) -> f64 {
    x.sin() * 2.0
}

#[dub]
fn waves(xs: &[f64]) -> f64 {
    xs.iter().map(|x| wave(*x)).sum::<f64>()
}

#[dub]
fn double_all(xs: &mut [f64]) -> usize {
    for x in xs.iter_mut() {
        *x *= 2.0;
    }
    xs.len()
}

type Outcome = Result<(), Box<dyn std::error::Error>>;

#[test]
fn an_annotated_function_runs_under_a_context_by_its_name() -> Outcome {
    let cx = ctx().replace("sin", "cos");
    assert_eq!(overdub(cx.clone(), wave, (0.5,))?, 0.5_f64.cos() * 2.0);
    let xs = [0.1, 0.2, 0.3];
    let expected: f64 = xs.iter().map(|x: &f64| x.cos() * 2.0).sum();
    assert_eq!(overdub(cx, waves, (&xs[..],))?, expected);
    assert_eq!(wave(0.5), 0.5_f64.sin() * 2.0);
    Ok(())
}

#[test]
fn the_context_decides_what_a_run_gives() -> Outcome {
    let count = ctx_with::<usize>().when(|call| call.calls("sin")).before(|count, _, _| *count += 1);
    let (sum, sines): (f64, usize) = overdub(count.clone(), waves, (&[0.1, 0.2, 0.3][..],))?;
    assert_eq!((sum, sines), (waves(&[0.1, 0.2, 0.3]), 3));
    let ((sum, inner), outer) = overdub((count.clone(), count), waves, (&[0.1][..],))?;
    assert_eq!((sum, inner, outer), (wave(0.1), 1, 1));
    Ok(())
}

#[test]
fn a_closure_runs_under_a_context_with_what_it_captured() -> Outcome {
    let (k, shifts) = (2.5_f64, vec![0.25_f64, 0.5]);
    let f = overdub::closures::dub!(|x: f64| wave(x * k) + shifts.iter().map(|s| s.sin()).sum::<f64>());
    let cosines = ctx().replace("sin", "cos");
    let expected = (0.3_f64 * k).cos() * 2.0 + shifts.iter().map(|s| s.cos()).sum::<f64>();
    assert_eq!(overdub(cosines.clone(), f.clone(), (0.3,))?, expected);
    assert_eq!(f(0.3), wave(0.3 * k) + shifts.iter().map(|s| s.sin()).sum::<f64>());

    // In a separate engine, under two contexts; the captures are passed once.
    let engine = overdub::lower::registry::program().engine();
    let names = ctx_with::<Vec<&'static str>>().when(|call| call.calls("cos"));
    let names = names.before(|names, call, _| names.push(call.name()));
    let (value, seen) = overdub::lower::api::overdub_in(&engine, (names, cosines), f, (0.3,))?;
    assert_eq!((value, seen), (expected, vec!["cos"; 3]));
    Ok(())
}

#[test]
fn what_a_run_changes_in_place_comes_back() -> Outcome {
    let mut xs = [1.0, 2.0];
    let (len, products) = overdub(
        ctx_with::<usize>().when(|call| call.calls("mul")).before(|count, _, _| *count += 1),
        double_all,
        (&mut xs[..],),
    )?;
    assert_eq!((len, products, xs), (2, 2, [2.0, 4.0]));
    Ok(())
}

const SOURCE: &str = r"
trait Shape {
    fn area(&self) -> f64;
}

struct Disc {
    r: f64,
}

struct Square {
    a: f64,
}

impl Shape for Disc {
    fn area(&self) -> f64 {
        self.r.sin() * self.r
    }
}

impl Shape for Square {
    fn area(&self) -> f64 {
        self.a * self.a
    }
}

struct Scale {
    k: f64,
}

impl Scale {
    fn call(&self, x: f64) -> f64 {
        self.k * x.sin()
    }
}

fn wave(x: f64) -> f64 {
    x.sin()
}

fn same(x: f64) -> f64 {
    x
}

pub fn through_objects(x: f64) -> f64 {
    let shapes: Vec<Box<dyn Shape>> = vec![Box::new(Disc { r: x }), Box::new(Square { a: 2.0 })];
    shapes.iter().map(|shape| shape.area()).sum()
}

pub fn through_a_callable_value(x: f64) -> f64 {
    Scale { k: 3.0 }.call(x)
}

pub fn through_a_boxed_closure(x: f64) -> f64 {
    let k = 2.0;
    let f: Box<dyn Fn(f64) -> f64> = Box::new(move |x| k * x.sin());
    f(x)
}

pub fn through_a_table(x: f64) -> f64 {
    let table: [fn(f64) -> f64; 2] = [wave, same];
    table[0](x) + table[1](x)
}

pub fn through_a_mutable_capture(x: f64) -> f64 {
    let mut total = 0.0;
    let mut add = |y: f64| total += y.sin();
    add(x);
    add(x + 1.0);
    total
}

pub fn through_a_sort(x: f64) -> f64 {
    let mut xs = vec![3.0, x, 1.0];
    xs.sort_by(|a, b| b.sin().total_cmp(&a.sin()));
    xs[0]
}
";

fn at(loaded: &Loaded, path: &str) -> Symbol {
    loaded.function(path).unwrap_or_else(|error| panic!("{path}: {error}")).symbol
}

#[test]
fn a_replaced_function_is_replaced_wherever_rust_can_call_it() -> Outcome {
    let loaded = Loaded::from_source("shapes.rs", SOURCE)?;
    let engine = loaded.engine();
    let cx = ctx().replace("sin", "cos");
    let run = |path: &str| engine.overdub(&cx, at(&loaded, path), vec![Value::F64(0.5)]);
    let cos = 0.5_f64.cos();
    for (path, expected) in [
        ("through_objects", cos * 0.5 + 4.0),
        ("through_a_callable_value", 3.0 * cos),
        ("through_a_boxed_closure", 2.0 * cos),
        ("through_a_table", cos + 0.5),
        ("through_a_mutable_capture", cos + 1.5_f64.cos()),
        ("through_a_sort", 0.5),
    ] {
        assert_eq!(run(path)?.as_f64(), Some(expected), "{path}");
    }
    assert_eq!(engine.run(at(&loaded, "wave"), vec![Value::F64(0.5)])?.as_f64(), Some(0.5_f64.sin()));
    Ok(())
}

/// Sees every call and changes none.
#[derive(Clone)]
struct Watch;

impl Context for Watch {
    type Metadata = usize;
    type Outcome = WithMetadata;

    fn metadata(&self) -> usize {
        0
    }

    fn hooks(&self, _: &CallSite) -> Hooks {
        Hooks::BOTH
    }

    fn prehook(&self, calls: &mut usize, _: &CallSite, _: &[Value<'_>]) -> Result<(), Failure> {
        *calls += 1;
        Ok(())
    }
}

#[test]
fn watching_every_call_changes_no_result() -> Outcome {
    let loaded = Loaded::from_source("shapes.rs", SOURCE)?;
    let engine = loaded.engine();
    for path in [
        "through_objects",
        "through_a_callable_value",
        "through_a_boxed_closure",
        "through_a_table",
        "through_a_mutable_capture",
        "through_a_sort",
    ] {
        let symbol = at(&loaded, path);
        let plain = engine.run(symbol, vec![Value::F64(0.5)])?;
        let (value, calls) = engine.overdub(&Watch, symbol, vec![Value::F64(0.5)])?;
        assert_eq!(value.as_f64(), plain.as_f64(), "{path}");
        assert!(calls > 0, "{path}");
        let ((value, inner), outer) = engine.overdub(&(Watch, Watch), symbol, vec![Value::F64(0.5)])?;
        assert_eq!((value.as_f64(), inner), (plain.as_f64(), calls), "{path}");
        assert_eq!(outer, 3 * inner, "{path}: each call, with the hooks before and after it");
    }
    assert_eq!(overdub(Empty, wave, (0.5,))?, wave(0.5));
    Ok(())
}

#[test]
fn a_module_is_watched_alone() -> Outcome {
    let source = r"
mod mine {
    pub fn twice(x: f64) -> f64 {
        x + x
    }
    pub fn all(xs: &[f64]) -> f64 {
        crate::other::apply(xs, |x| twice(x))
    }
}
mod other {
    pub fn apply(xs: &[f64], f: impl Fn(f64) -> f64) -> f64 {
        let mut product = 1.0;
        for x in xs {
            product *= f(*x);
        }
        product
    }
}
pub fn main(xs: &[f64]) -> f64 {
    mine::all(xs)
}
";
    let loaded = Loaded::from_source("mine.rs", source)?;
    let names = ctx_with::<Vec<&'static str>>()
        .within("mine")
        .when(|call| ["add", "mul", "mine::twice"].contains(&call.name()))
        .before(|names, call, _| names.push(call.name()));
    let args = vec![Value::floats(vec![2.0, 3.0])];
    let (value, seen) = loaded.engine().overdub(&names, at(&loaded, "main"), args)?;
    assert_eq!(value.as_f64(), Some(24.0));
    assert_eq!(seen, ["mine::twice", "add", "mine::twice", "add"]);
    Ok(())
}
