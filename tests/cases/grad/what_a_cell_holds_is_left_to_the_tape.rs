// test grad f
// grad: f(3.0, 2) == [27.0, null]
pub fn f(x: f64, n: usize) -> f64 {
    let all: Vec<std::cell::Cell<f64>> = (0..n).map(|_| std::cell::Cell::new(x)).collect();
    all[0].set(x * all[1].get());
    all[0].get() * x
}
// ---
// the context `ReverseTransform#0` cannot rewrite `@f`: derivatives flow through values of type `ref f64`
