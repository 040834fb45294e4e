//! What compiled code takes against rustc's own code of the same functions, and what compiling takes.

#[path = "../kernels/scalar.rs"]
mod scalar;

use std::sync::Arc;
use std::time::Instant;

use overdub_benches::{Row, compare, print, write_json};
use overdub_context::Symbol;
use overdub_context::engine::{Executor, Interpreting};
use overdub_context::ir::Module;
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
        let loaded = Loaded::from_source("scalar.rs", include_str!("../kernels/scalar.rs"))?;
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

/// Chains against loops, both by overdub.
fn chain_rows() -> Result<Vec<Row>, Box<dyn std::error::Error>> {
    let loaded = Loaded::from_source("chains.rs", include_str!("../kernels/chains.rs"))?;
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

/// A straight-line function of so many operations.
fn straight(ops: usize) -> String {
    let mut text = String::from("fn @straight(%x: f64) -> f64 {\n  %v0: f64 = add %x, 1.5\n");
    for k in 1..ops {
        let op = ["add", "mul", "sub"][k % 3];
        let other = k.saturating_sub(1 + (k * 7) % 13);
        text.push_str(&format!("  %v{k}: f64 = {op} %v{}, %v{other}\n", k - 1));
    }
    text.push_str(&format!("  ret %v{}\n}}\n", ops - 1));
    text
}

/// The time from IR to a first result, the fastest of some.
fn first_result(module: &Arc<Module>) -> Result<f64, Box<dyn std::error::Error>> {
    let mut fastest = f64::MAX;
    for _ in 0..5 {
        let begin = Instant::now();
        Native::new().run(module, Symbol::new("straight"), vec![Value::F64(0.5)])?;
        fastest = fastest.min(begin.elapsed().as_secs_f64());
    }
    Ok(fastest)
}

fn compile_times() -> Result<(), Box<dyn std::error::Error>> {
    println!("\ncompiling straight-line functions, passes and Cranelift, with the first run");
    for ops in [20, 200, 1_000, 2_000, 10_000] {
        let module = Arc::new(text::parse_unverified(&straight(ops))?.module());
        let time = first_result(&module)?;
        println!("{ops:>8} operations {:>10.3} ms {:>8.2} µs each", time * 1e3, time * 1e6 / ops as f64);
    }
    Ok(())
}

/// From how many rounds of a loop on compiling takes less time than interpreting.
fn break_even() -> Result<(), Box<dyn std::error::Error>> {
    let loaded = Loaded::from_source("scalar.rs", include_str!("../kernels/scalar.rs"))?;
    println!("\ninterpreting against compiling and running, the first run of a function");
    for name in ["sines", "newton", "lcg"] {
        let symbol = loaded.function(name)?.symbol;
        let module = loaded.shared_module();
        let time = |executor: &dyn Executor, n: usize| {
            let begin = Instant::now();
            let done = executor.run(&module, symbol, vec![Value::from(n)]).is_ok();
            assert!(done, "the kernels run");
            begin.elapsed().as_secs_f64()
        };
        let even = (0..24).map(|k| 1_usize << k).find(|&n| {
            let interpreted = (0..3).map(|_| time(&Interpreting::new(), n)).fold(f64::MAX, f64::min);
            let compiled = (0..3).map(|_| time(&Native::new(), n)).fold(f64::MAX, f64::min);
            compiled < interpreted
        });
        println!("{name:>12} {:>10} rounds", even.map_or("never".to_string(), |n| n.to_string()));
    }
    Ok(())
}

/// How many of the rows are scalar loops; the others are calls, and loops that rustc vectorises.
const SCALAR_LOOPS: usize = 9;

fn mean(rows: &[Row]) -> f64 {
    let product: f64 = rows.iter().map(|row| row.ratio().ln()).sum();
    (product / rows.len() as f64).exp()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rows = scalar_rows()?;
    print("native code against rustc's", "round", &rows);
    println!("geometric mean of the scalar loops {:.2}", mean(&rows[..SCALAR_LOOPS]));
    let chains = chain_rows()?;
    print("\niterator chains against loops, both by overdub", "round", &chains);
    println!("geometric mean {:.2}", mean(&chains));
    compile_times()?;
    break_even()?;
    write_json(&[rows, chains].concat())?;
    Ok(())
}
