//! The capacity that vectors were created with is the same in machine code and in the interpreter.

use overdub_context::engine::{Executor, Interpreting};
use overdub_context::value::Value;
use overdub_lower::Loaded;
use overdub_native::Native;

const PROGRAMS: &str = "
struct Window { buf: Vec<f64> }

pub fn ring(n: usize) -> f64 {
    let mut w = Window { buf: Vec::with_capacity(3) };
    let mut sum = 0.0;
    for i in 0..n {
        if w.buf.len() == w.buf.capacity() { w.buf.remove(0); }
        w.buf.push(i as f64 * 0.5);
        sum += w.buf.iter().sum::<f64>();
    }
    sum
}

pub fn rows(n: usize) -> usize {
    let mut v: Vec<Vec<f64>> = Vec::with_capacity(4);
    for i in 0..n {
        if v.len() == v.capacity() { v.swap_remove(1); }
        v.push(vec![i as f64; 2]);
    }
    v.len() * 100 + v.capacity()
}

pub fn used_again(n: usize) -> usize {
    let mut seen = 0;
    for i in 0..n {
        let v: Vec<f64> = if i % 2 == 0 { Vec::with_capacity(50) } else { vec![0.0; 8] };
        let mut w = v.clone();
        w.push(1.0);
        let z = vec![i as f64; 8];
        seen = seen * 3 % 1000 + v.capacity() + z.capacity() + w.len();
    }
    seen
}

pub fn too_much(n: usize) -> usize {
    Vec::<f64>::with_capacity(usize::MAX / n).len()
}
";

#[test]
fn vectors_have_the_same_capacity_by_machine_code() {
    let loaded = Loaded::from_source("capacity.rs", PROGRAMS).expect("it is Rust");
    let module = loaded.shared_module();
    for name in ["ring", "rows", "used_again", "too_much"] {
        let f = loaded.function(name).unwrap_or_else(|error| panic!("{error}")).symbol;
        for n in [1_usize, 7, 20] {
            let args = || vec![Value::from(n)];
            let expected = Interpreting::new().run(&module, f, args());
            for native in [Native::new(), Native::new().without_optimising()] {
                match (&expected, &native.run(&module, f, args())) {
                    (Ok(a), Ok(b)) => assert!(a.same(b), "{name}({n}): {a} became {b}"),
                    (a, b) => assert_eq!(format!("{a:?}"), format!("{b:?}"), "{name}({n})"),
                }
            }
        }
    }
}
