//! Closures' parameter types come from what they are passed to, or from their use.

fn apply<F: Fn(f64) -> f64>(f: F, x: f64) -> f64 {
    f(x)
}

fn apply_where<F>(f: F) -> f64
where
    F: Fn(&[f64], usize) -> f64,
{
    f(&[1.0, 2.0], 1)
}

fn apply_impl(f: impl Fn(f64, f64) -> f64) -> f64 {
    f(1.0, 2.0)
}

fn apply_dyn(f: &dyn Fn(f64) -> f64) -> f64 {
    f(1.0)
}

fn apply_mut(mut f: impl FnMut(f64)) {
    f(1.0);
}

fn apply_pointer(f: fn(f64) -> f64, x: f64) -> f64 {
    f(x)
}

fn square(x: f64) -> f64 {
    x * x
}

fn users() -> f64 {
    let a = apply(|x| x.sin(), 1.0); // a: f64
    let b = apply_where(|xs, i| xs[i]); // b: f64
    let c = apply_impl(|p, q| p.max(q)); // c: f64
    let d = apply_dyn(&|t| t.exp()); // d: f64
    let e = apply_pointer(|t| t + 1.0, 2.0); // e: f64
    let f = apply(f64::cos, 1.0) + apply(square, 2.0); // f: f64
    let mut last = 0.0; // last: f64
    apply_mut(|x| last = x);
    a + b + c + d + e + f + last
}

fn by_use() -> f64 {
    let add = |a, b| a + b;
    let sum = add(1.0, 2.0); // sum: f64
    let scale = 3.0; // scale: f64
    let scaled = |x: f64| x * scale;
    scaled(sum)
}

fn boxed(k: f64) -> Box<dyn Fn(f64) -> f64> {
    let f: Box<dyn Fn(f64) -> f64> = Box::new(move |x| x * k); // x: f64
    let g = f(1.0); // g: f64
    Box::new(move |y| y.powi(2) + f(y) + g) // y: f64
}

fn several() -> f64 {
    let fs: Vec<Box<dyn Fn(f64) -> f64>> = vec![Box::new(|x| x + 1.0), Box::new(|x| x * 2.0)];
    fs.iter().map(|f| f(3.0)).sum()
}

fn make_adder(n: f64) -> impl Fn(f64) -> f64 {
    move |x| x + n // x: f64
}

fn compose<A, B, C>(f: impl Fn(A) -> B, g: impl Fn(B) -> C) -> impl Fn(A) -> C {
    move |x| g(f(x))
}

fn composed() -> f64 {
    let add = make_adder(1.0);
    let both = compose(|x: f64| x + 1.0, |y| y * 2.0); // y: f64
    let r = both(add(3.0)); // r: f64
    r
}

fn folds(xs: &[f64]) -> f64 {
    let m = xs.iter().fold(0.0, |acc, x| if *x > acc { *x } else { acc }); // m: f64 | acc: f64 | x: &f64
    let mut sorted = xs.to_vec(); // sorted: Vec<f64>
    sorted.sort_by(|a, b| a.partial_cmp(b).unwrap()); // a: &f64 | b: &f64
    let at = sorted.iter().position(|&v| v == m); // at: Option<usize> | v: f64
    let picked: Vec<f64> = xs.iter().filter(|x| **x > 0.0).copied().collect(); // x: &&f64
    let scanned = xs.iter().scan(0.0, |s, &v| { // s: &mut f64
        *s += v;
        Some(*s)
    });
    m + at.map_or(0.0, |i| picked[i]) + scanned.last().unwrap_or(0.0)
}

struct Model<F> {
    f: F,
}

impl<F: Fn(f64) -> f64> Model<F> {
    fn new(f: F) -> Self {
        Model { f }
    }

    fn call(&self, x: f64) -> f64 {
        (self.f)(x)
    }
}

fn stored() -> f64 {
    let model = Model::new(|x| x * 3.0); // x: f64
    model.call(2.0)
}

fn pointers(which: bool) -> f64 {
    let f = if which { square } else { cube }; // f: fn(f64) -> f64
    let table: [fn(f64) -> f64; 2] = [square, cube];
    f(2.0) + table[0](1.0)
}

fn cube(x: f64) -> f64 {
    x * x * x
}

fn counted() -> i32 {
    let mut count = 0; // count: i32
    let mut bump = || {
        count += 1;
        count
    };
    bump() + bump()
}
