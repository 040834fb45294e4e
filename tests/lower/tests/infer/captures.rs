//! Closures that capture, return closures, recurse, and live in structures.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

fn curried(a: f64) -> impl Fn(f64) -> Box<dyn Fn(f64) -> f64> {
    move |b| Box::new(move |c| a + b + c) // b: f64 | c: f64
}

fn nested() -> f64 {
    let add = |x: f64| move |y: f64| x + y;
    let five = add(2.0)(3.0); // five: f64
    five + curried(1.0)(2.0)(3.0)
}

fn twice<F>(f: F) -> impl Fn(f64) -> f64
where
    F: Fn(f64) -> f64,
{
    move |x| f(f(x))
}

fn bisect(f: &dyn Fn(f64) -> f64, lo: f64, hi: f64, depth: usize) -> f64 {
    let mid = 0.5 * (lo + hi); // mid: f64
    if depth == 0 {
        return mid;
    }
    if f(mid) > 0.0 { bisect(f, lo, mid, depth - 1) } else { bisect(f, mid, hi, depth - 1) }
}

fn recursive(f: &impl Fn(f64) -> f64, n: u32) -> f64 {
    if n == 0 { f(1.0) } else { recursive(f, n - 1) + f(n as f64) }
}

fn runs() -> f64 {
    let k = 2.0; // k: f64
    let g = twice(|x| x * k); // x: f64
    let h = twice(&g);
    bisect(&|x| x * x - k, 0.0, 2.0, 20) + bisect(&g, -1.0, 1.0, 5) + recursive(&h, 3)
}

struct Pipeline<'a> {
    stages: Vec<(&'a str, Box<dyn Fn(f64) -> f64 + 'a>)>,
    log: RefCell<Vec<String>>,
    count: Cell<u32>,
}

impl<'a> Pipeline<'a> {
    fn new() -> Self {
        Self { stages: Vec::new(), log: RefCell::new(vec![]), count: Cell::new(0) }
    }

    fn stage(mut self, name: &'a str, f: impl Fn(f64) -> f64 + 'a) -> Self {
        self.stages.push((name, Box::new(f)));
        self
    }

    fn run(&self, x: f64) -> f64 {
        self.stages.iter().fold(x, |x, (name, f)| { // x: f64 | name: &&str | f: &Box<dyn Fn(f64) -> f64>
            self.count.set(self.count.get() + 1);
            self.log.borrow_mut().push(name.to_string());
            f(x)
        })
    }
}

fn pipelines(k: f64) -> f64 {
    let p = Pipeline::new().stage("scale", |x| x * k).stage("sin", f64::sin); // p: Pipeline | x: f64
    let y = p.run(1.0); // y: f64
    y + p.count.get() as f64 + p.log.borrow().len() as f64
}

fn shared() -> f64 {
    let total = Rc::new(RefCell::new(0.0)); // total: Rc<RefCell<f64>>
    let other = Rc::clone(&total); // other: Rc<RefCell<f64>>
    let add = move |x: f64| *other.borrow_mut() += x;
    add(1.0);
    add(2.0);
    let value = *total.borrow(); // value: f64
    value
}

fn memo(n: u64, cache: &mut HashMap<u64, u64>) -> u64 {
    if let Some(&known) = cache.get(&n) { // known: u64
        return known;
    }
    let value = if n < 2 { n } else { memo(n - 1, cache) + memo(n - 2, cache) }; // value: u64
    cache.insert(n, value);
    value
}

fn table() -> f64 {
    let mut ops: HashMap<&str, fn(f64, f64) -> f64> = HashMap::new();
    ops.insert("add", |a, b| a + b); // a: f64
    ops.insert("max", f64::max);
    let f = ops["add"]; // f: fn(f64, f64) -> f64
    let g = ops.get("max").unwrap(); // g: &fn(f64, f64) -> f64
    f(1.0, 2.0) + g(3.0, 4.0)
}

fn mutable_state() -> f64 {
    let mut state = 1.0; // state: f64
    let mut step = |dx: f64| {
        state += dx;
        state
    };
    let a = step(1.0); // a: f64
    drive(&mut step);
    let mut boxed: Box<dyn FnMut(f64) -> f64> = Box::new(step);
    a + boxed(2.0)
}

fn drive(f: &mut impl FnMut(f64) -> f64) {
    for i in 0..3 { // i: i32
        f(i as f64);
    }
}

fn consumed(xs: Vec<f64>) -> usize {
    let take = move || xs.into_iter().map(|x| x + 1.0).collect::<Vec<_>>();
    once(take).len()
}

fn once<T>(f: impl FnOnce() -> T) -> T {
    f()
}

fn rk4<F>(f: F, y: f64, h: f64) -> f64
where
    F: Fn(f64, f64) -> f64,
{
    let k1 = f(0.0, y); // k1: f64
    let k2 = f(h / 2.0, y + h / 2.0 * k1);
    y + h * (k1 + 2.0 * k2) / 3.0
}

fn systems<const N: usize>(f: impl Fn(&[f64; N]) -> [f64; N], y: [f64; N], h: f64) -> [f64; N] {
    let k = f(&y); // k: [f64; 2]
    std::array::from_fn(|i| y[i] + h * k[i]) // i: usize
}

fn solved() -> f64 {
    let end = systems(|y| [y[1], -y[0]], [1.0, 0.0], 0.1); // end: [f64; 2]
    end[0] + rk4(|_, y| -y, 1.0, 0.1)
}
