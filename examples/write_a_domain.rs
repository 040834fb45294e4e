//! How do I attach information to every number of a program? Here: an upper bound of its error.
//!
//! A domain replaces a type everywhere, and defines its arithmetic: by functions of ordinary Rust.

use overdub::Callable;
use overdub::context::engine::{CallSite, Domain, Key, Lift, Lifted};
use overdub::context::ir::Ty;
use overdub::context::value::{FromValue, HasTy, IntoValue};
use overdub::lower::api::engine;
use overdub::prelude::*;

/// A number, and the greatest error of its measurement.
#[derive(Clone, Copy, Debug, PartialEq, Dub)]
struct Rough {
    x: f64,
    error: f64,
}

#[dub]
impl Rough {
    fn exact(x: f64) -> Rough {
        Rough { x, error: 0.0 }
    }
    fn number(self) -> f64 {
        self.x
    }
    fn add(self, other: Rough) -> Rough {
        Rough { x: self.x + other.x, error: self.error + other.error }
    }
    fn sub(self, other: Rough) -> Rough {
        Rough { x: self.x - other.x, error: self.error + other.error }
    }
    fn mul(self, other: Rough) -> Rough {
        let error = self.x.abs() * other.error + other.x.abs() * self.error + self.error * other.error;
        Rough { x: self.x * other.x, error }
    }
}

/// The domain of rough numbers.
struct Roughly;

impl Domain for Roughly {
    fn name(&self) -> String {
        "Rough".to_owned()
    }
    fn key(&self) -> Key {
        Key::of::<Roughly>()
    }
    fn map(&self, ty: Ty) -> Option<Ty> {
        (ty == Ty::f64()).then(Rough::ty)
    }
    fn lift(&self, of: Ty) -> Option<Lifted> {
        (of == Ty::f64()).then(|| of_rust::<(f64,)>(Rough::exact)).flatten()
    }
    // For comparisons, which only see the numbers.
    fn untag(&self, of: Ty, _: &CallSite) -> Option<Lifted> {
        (of == Ty::f64()).then(|| of_rust::<(Rough,)>(Rough::number)).flatten()
    }
    fn lifted(&self, call: &CallSite) -> Option<Lifted> {
        match call.name() {
            "add" => of_rust::<(Rough, Rough)>(Rough::add),
            "sub" => of_rust::<(Rough, Rough)>(Rough::sub),
            "mul" => of_rust::<(Rough, Rough)>(Rough::mul),
            // Operations that only move numbers need no rule; others are refused, by name.
            _ => None,
        }
    }
}

fn of_rust<Args>(func: impl Callable<Args>) -> Option<Lifted> {
    func.target().ok().map(|target| Lifted::Func(target.function.symbol))
}

#[dub]
fn shoelace(xs: &[f64], ys: &[f64]) -> f64 {
    let mut twice = 0.0;
    for i in 0..xs.len() {
        let next = (i + 1) % xs.len();
        twice += xs[i] * ys[next] - xs[next] * ys[i];
    }
    0.5 * twice
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let measured = |xs: [f64; 3], error| xs.map(|x| Rough { x, error }).to_vec();
    let (xs, ys) = ([0.0, 4.0, 1.0], [0.0, 1.0, 3.0]);
    let symbol = shoelace.target()?.function.symbol;
    for error in [0.0, 0.01, 0.1] {
        let args = vec![measured(xs, error).into_value(), measured(ys, error).into_value()];
        let area = Rough::from_value(engine().overdub(&Lift::new(Roughly), symbol, args)?)?;
        println!("corners known to {error}: the area is {:.2} ± {:.4}", area.x, area.error);
    }
    println!("Rust itself says {}", shoelace(&xs, &ys));
    Ok(())
}
