//! Closures: what they capture, how they are kept and called.

use std::collections::HashMap;

pub fn by_value(x: f64) -> f64 {
    let k = x + 1.0;
    let f = move |y: f64| y * k;
    f(2.0) + k
}

pub fn by_ref(x: f64) -> f64 {
    let v = vec![x, 2.0];
    let sum = || v.iter().sum::<f64>();
    sum() + v.len() as f64 + sum()
}

pub fn by_mut_ref(x: f64) -> f64 {
    let mut total = x;
    let mut calls = 0;
    let mut add = |y: f64| {
        total += y;
        calls += 1;
        total
    };
    let a = add(1.0);
    let b = add(a);
    total * 10.0 + a + b + calls as f64
}

pub fn moved_state(x: f64) -> f64 {
    let mut n = x;
    let mut next = move || {
        n += 1.0;
        n
    };
    let a = next() + next() * 10.0;
    a + n
}

fn counter(start: f64) -> impl FnMut() -> f64 {
    let mut n = start;
    move || {
        n += 2.0;
        n
    }
}

pub fn returned_counter(x: f64) -> f64 {
    let mut a = counter(x);
    let mut b = counter(10.0);
    a() + a() * 3.0 + b()
}

fn scaled(k: f64) -> Box<dyn Fn(f64) -> f64> {
    if k > 0.5 { Box::new(move |y| y * k) } else { Box::new(|y| y + 1.0) }
}

pub fn boxed_closures(x: f64) -> f64 {
    let fs: Vec<Box<dyn Fn(f64) -> f64>> = vec![scaled(x), scaled(0.1), Box::new(f64::sin)];
    fs.iter().map(|f| f(x)).sum()
}

fn compose<A, B, C>(f: impl Fn(A) -> B, g: impl Fn(B) -> C) -> impl Fn(A) -> C {
    move |x| g(f(x))
}

pub fn composed(x: f64) -> f64 {
    let h = compose(|y: f64| y + 1.0, |y: f64| (y, y * 2.0));
    let k = compose(h, |(a, b)| a * b);
    k(x)
}

fn triple(x: f64) -> f64 {
    3.0 * x
}

fn apply<F: Fn(f64) -> f64>(f: F, x: f64) -> f64 {
    f(x)
}

pub fn fn_items(x: f64) -> f64 {
    apply(triple, x)
        + apply(f64::abs, x)
        + [1.0, x].iter().copied().map(triple).sum::<f64>()
        + [x].into_iter().map(Some).map(|o| o.unwrap()).sum::<f64>()
}

pub fn fn_pointers(x: f64) -> f64 {
    let table: [fn(f64) -> f64; 3] = [triple, f64::cos, |y| y - 1.0];
    let chosen: fn(f64) -> f64 = if x > 0.0 { triple } else { f64::sqrt };
    table.iter().fold(x, |acc, f| f(acc)) + chosen(x.abs())
}

fn fix(f: &dyn Fn(&dyn Fn(u32) -> f64, u32) -> f64, n: u32) -> f64 {
    f(&|k| fix(f, k), n)
}

pub fn recursion_through_fn(x: f64) -> f64 {
    fn power(x: f64, n: u32) -> f64 {
        if n == 0 { 1.0 } else { x * power(x, n - 1) }
    }
    fix(&|me, n| if n < 2 { 1.0 } else { me(n - 1) + me(n - 2) }, 8) + power(x, 3)
}

pub fn captures_of_captures(x: f64) -> f64 {
    let mut log = Vec::new();
    let base = x;
    let mut outer = |a: f64| {
        let mut inner = |b: f64| {
            log.push(a + b + base);
            log.len() as f64
        };
        inner(1.0) + inner(2.0)
    };
    let n = outer(10.0) + outer(20.0);
    log.iter().sum::<f64>() + n
}

pub fn mutable_in_loop(x: f64) -> f64 {
    let mut seen = vec![];
    let mut note = |y: f64| seen.push(y);
    for i in 0..4 {
        note(x + i as f64);
    }
    seen.iter().rev().fold(0.0, |acc, y| acc * 2.0 + y)
}

fn call_twice(f: &mut impl FnMut(f64)) {
    f(1.0);
    f(2.0);
}

fn call_dyn(f: &mut dyn FnMut(f64)) {
    f(5.0);
}

pub fn passed_by_mut(x: f64) -> f64 {
    let mut total = x;
    let mut add = |y: f64| total = total * 2.0 + y;
    call_twice(&mut add);
    call_dyn(&mut add);
    add(3.0);
    total
}

pub fn sorted_by_capture(x: f64) -> f64 {
    let mut v = vec![3.0, 1.0, x, 2.0];
    let center = 1.5;
    v.sort_by(|a, b| (a - center).abs().partial_cmp(&(b - center).abs()).unwrap());
    v.retain(|y| *y < 100.0);
    v.iter().fold(0.0, |acc, y| acc * 2.0 + y)
}

fn consume<F: FnOnce() -> Vec<f64>>(f: F) -> f64 {
    f().iter().sum()
}

pub fn once(x: f64) -> f64 {
    let v = vec![x, 1.0];
    consume(move || {
        let mut v = v;
        v.push(2.0);
        v
    })
}

struct Model {
    weights: Vec<f64>,
    bias: f64,
    evaluations: usize,
}

impl Model {
    fn run(&mut self, xs: &[f64]) -> f64 {
        self.evaluations += 1;
        xs.iter().zip(&self.weights).map(|(x, w)| x * w + self.bias).sum()
    }

    fn adjust(&mut self, k: f64) {
        self.weights.iter_mut().for_each(|w| *w += k * self.bias);
    }
}

pub fn capture_self_field(x: f64) -> f64 {
    let mut model = Model { weights: vec![1.0, 2.0], bias: x, evaluations: 0 };
    let a = model.run(&[x, 1.0]);
    model.adjust(0.5);
    a + model.run(&[1.0, 1.0]) + model.evaluations as f64
}

struct Stage<F> {
    f: F,
    gain: f64,
}

impl<F: Fn(f64) -> f64> Stage<F> {
    fn run(&self, x: f64) -> f64 {
        (self.f)(x) * self.gain
    }
}

pub fn stored_in_struct(x: f64) -> f64 {
    let k = x + 1.0;
    let stage = Stage { f: |y| y * k, gain: 2.0 };
    let other = Stage { f: |y| stage.run(y) + 1.0, gain: 0.5 };
    other.run(x)
}

pub fn early_return_inside(x: f64) -> f64 {
    let f = |y: f64| {
        if y < 0.0 {
            return -1.0;
        }
        for i in 0..10 {
            if y < i as f64 {
                return i as f64;
            }
        }
        99.0
    };
    f(x) + f(-1.0) + f(3.5)
}

pub fn array_of_closures(x: f64) -> f64 {
    let k = 2.0;
    let fs: [&dyn Fn(f64) -> f64; 2] = [&|y| y + k, &|y| y * k];
    fs[0](x) + fs[1](x)
}

pub fn memo(x: f64) -> f64 {
    fn go(n: u64, seen: &mut HashMap<u64, f64>) -> f64 {
        if n < 2 {
            return n as f64;
        }
        if let Some(&known) = seen.get(&n) {
            return known;
        }
        let value = go(n - 1, seen) + go(n - 2, seen);
        seen.insert(n, value);
        value
    }
    go(30, &mut HashMap::new()) + x
}

pub fn boxed_in_arrays(x: f64) -> f64 {
    let k = x * 0.5;
    let fs: Vec<Box<dyn Fn(f64) -> f64>> = vec![Box::new(|t| t.sin()), Box::new(move |t| t.mul_add(k, 1.0))];
    let gs: [Box<dyn Fn(f64) -> f64>; 2] = [Box::new(|t| t.abs()), Box::new(f64::cos)];
    fs.iter().chain(&gs).map(|f| f(x)).sum()
}

pub fn copies_have_their_own_state(x: f64) -> f64 {
    let mut k = x;
    let mut f = move || {
        k += 1.0;
        k
    };
    let mut g = f;
    fn called_twice(mut f: impl FnMut() -> f64) -> f64 {
        f() + f() * 2.0
    }
    let sum = f() + f() * 10.0 + g() * 100.0;
    let sum = sum + called_twice(f) + called_twice(f) + called_twice(&mut f) + f();
    let mut both = [f, g];
    let pair = (f, 1);
    let (mut h, _) = pair;
    let mut kept = move || h() + h();
    let mut kept_too = kept;
    sum + both[0]() + both[1]() * 3.0 + both[0]() + kept() + kept_too() * 5.0 + { pair }.0() + k
}

pub fn copies_in_iterators(x: f64) -> f64 {
    let mut k = x;
    let scaled = (0..4).map(move |i| {
        k = k * 0.5 + f64::from(i);
        k
    });
    let first: f64 = scaled.clone().sum();
    let mut rest = scaled.clone();
    rest.next();
    let again = rest.clone().last().unwrap_or(0.0);
    first + again * 10.0 + rest.sum::<f64>() * 100.0 + scaled.cycle().take(6).sum::<f64>()
}
