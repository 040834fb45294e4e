//! The time of compiled code compared with rustc's own code for the same functions, and the time of
//! compiling.

mod compiling;
#[path = "../../kernels/scalar.rs"]
mod scalar;

use std::sync::Arc;

use overdub_benches::{Row, compare, print, write_json};
use overdub_context::Symbol;
use overdub_context::engine::Executor;
use overdub_context::text;
use overdub_context::value::{Array, Value};
use overdub_lower::Loaded;
use overdub_native::Native;

/// The program of the benchmark, loaded once.
struct Kernels {
    loaded: Loaded,
    native: Native,
}

impl Kernels {
    fn load() -> Result<Kernels, Box<dyn std::error::Error>> {
        let loaded = Loaded::from_source("scalar.rs", include_str!("../../kernels/scalar.rs"))?;
        Ok(Kernels { loaded, native: Native::new() })
    }

    fn row<T>(
        &self,
        name: &str,
        units: f64,
        args: &dyn Fn() -> Vec<Value<'static>>,
        hand: impl FnMut() -> T,
    ) -> Result<Row, Box<dyn std::error::Error>> {
        let symbol = self.loaded.function(name)?.symbol;
        let module = self.loaded.shared_module();
        self.native.run(&module, symbol, args())?;
        Ok(compare(name, units, || self.native.run(&module, symbol, args()).is_ok(), hand))
    }
}

fn vector(x: &[f64]) -> Value<'static> {
    Value::from(Array::from_vec(x.to_vec()))
}

fn scalar_rows() -> Result<Vec<Row>, Box<dyn std::error::Error>> {
    let kernels = Kernels::load()?;
    let n = 20_000;
    let x: Vec<f64> = (0..n).map(|k| ((k * 7919) % 2003) as f64 / 1000.0 - 1.0).collect();
    let y: Vec<f64> = x.iter().rev().copied().collect();
    let (vx, vy) = (vector(&x), vector(&y));
    let count = || vec![Value::from(n)];
    let units = n as f64;
    let one = || vec![vx.clone()];
    let two = || vec![vx.clone(), vy.clone()];
    let axpy = || vec![Value::F64(1.5), vx.clone(), vector(&y)];
    use std::hint::black_box as seen;
    Ok(vec![
        kernels.row("rosenbrock", units, &one, || scalar::rosenbrock(seen(&x)))?,
        kernels.row("sines", units, &count, || scalar::sines(seen(n)))?,
        kernels.row("newton", units, &count, || scalar::newton(seen(n)))?,
        kernels.row("branchy", units, &one, || scalar::branchy(seen(&x)))?,
        kernels.row("matvec", units, &count, || scalar::matvec(seen(n)))?,
        kernels.row("dot_by_index", units, &two, || scalar::dot_by_index(seen(&x), seen(&y)))?,
        kernels.row("dot_by_chain", units, &two, || scalar::dot_by_chain(seen(&x), seen(&y)))?,
        kernels.row("lcg", units, &count, || scalar::lcg(seen(n)))?,
        kernels.row("sieve", units, &count, || scalar::sieve(seen(n)))?,
        kernels.row("fibonacci", 28_656.0, &|| vec![Value::from(21_u64)], || scalar::fibonacci(seen(21)))?,
        kernels.row("axpy", units, &axpy, || scalar::axpy(1.5, seen(&x), y.clone()))?,
    ])
}

/// Chains compared with loops, both by overdub.
fn chain_rows() -> Result<Vec<Row>, Box<dyn std::error::Error>> {
    let loaded = Loaded::from_source("chains.rs", include_str!("../../kernels/chains.rs"))?;
    let (module, native) = (loaded.shared_module(), Native::new());
    let x: Vec<f64> = (0..20_000).map(|k| ((k * 7919) % 2003) as f64 / 1000.0 - 1.0).collect();
    let (vx, vy) = (vector(&x), vector(&x));
    let names = ["squares", "dot", "roots", "weighted", "steps", "largest", "both", "every_third", "doubled"];
    let row = |name: &&str| -> Result<Row, Box<dyn std::error::Error>> {
        let chain = loaded.function(&format!("{name}_chain"))?.symbol;
        let plain = loaded.function(&format!("{name}_loop"))?.symbol;
        let run = |func: Symbol| native.run(&module, func, vec![vx.clone(), vy.clone()]);
        assert!(run(chain)?.same(&run(plain)?), "the loop says what the chain says");
        Ok(compare(&format!("chain: {name}"), x.len() as f64, || run(chain).is_ok(), || run(plain).is_ok()))
    };
    names.iter().map(row).collect()
}

/// Operations on whole arrays, by overdub and by a loop that rustc vectorises.
fn array_rows() -> Result<Vec<Row>, Box<dyn std::error::Error>> {
    let program = "fn @sum(%x: [f64], %y: [f64]) -> [f64] {\n  %z: [f64] = add %x, %y\n  ret %z\n}
fn @sines(%x: [f64], %y: [f64]) -> [f64] {\n  %z: [f64] = sin %x\n  ret %z\n}
fn @exps(%x: [f64], %y: [f64]) -> [f64] {\n  %z: [f64] = exp %x\n  ret %z\n}";
    let module = Arc::new(text::parse_unverified(program)?.module());
    let x: Vec<f64> = (0..20_000).map(|k| ((k * 7919) % 2003) as f64 / 200.0 - 5.0).collect();
    let (vx, vy) = (vector(&x), vector(&x));
    let row = |name: &str, native: &Native, func: &str, hand: &mut dyn FnMut() -> Vec<f64>| {
        let run = || native.run(&module, Symbol::new(func), vec![vx.clone(), vy.clone()]).is_ok();
        assert!(run(), "it does not fail");
        compare(name, x.len() as f64, run, hand)
    };
    let (exact, fast) = (Native::new(), Native::new().with_fast_functions());
    Ok(vec![
        row("array: sum", &exact, "sum", &mut || x.iter().zip(&x).map(|(a, b)| a + b).collect()),
        row("array: sine", &exact, "sines", &mut || x.iter().map(|x| x.sin()).collect()),
        row("array: sine, fast", &fast, "sines", &mut || x.iter().map(|x| x.sin()).collect()),
        row("array: exp, fast", &fast, "exps", &mut || x.iter().map(|x| x.exp()).collect()),
    ])
}

/// The number of rows that are scalar loops; the others are calls, and loops that rustc vectorises.
const SCALAR_LOOPS: usize = 9;

fn mean(rows: &[Row]) -> f64 {
    let product: f64 = rows.iter().map(|row| row.ratio().ln()).sum();
    (product / rows.len() as f64).exp()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if std::env::args().any(|arg| arg == compiling::FIRST_CALL) {
        return compiling::first_call();
    }
    let rows = scalar_rows()?;
    print("native code against rustc's", "round", &rows);
    println!("geometric mean of the scalar loops {:.2}", mean(&rows[..SCALAR_LOOPS]));
    let chains = chain_rows()?;
    print("\niterator chains against loops, both by overdub", "round", &chains);
    println!("geometric mean {:.2}", mean(&chains));
    let arrays = array_rows()?;
    print("\noperations on arrays against rustc's loops", "element", &arrays);
    compiling::print_all()?;
    write_json(&[rows, chains, arrays].concat())?;
    Ok(())
}
