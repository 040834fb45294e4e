use std::cell::Cell;

pub fn out_of_bounds(xs: &[f64]) -> f64 {
    println!("running");
    xs[0] * xs[1] + xs[9]
}

pub fn scaled_out_of_bounds(xs: &[f64]) -> Vec<f64> {
    println!("running");
    vec![xs[0] * xs[9]]
}

pub fn counted(x: f64) -> f64 {
    let runs = Cell::new(0);
    runs.set(runs.get() + 1);
    println!("run {}", runs.get());
    assert!(x > 10.0, "too small");
    x * x
}

fn twice(x: f64) -> f64 {
    x + x
}

fn squared(x: f64) -> f64 {
    x * x
}

pub fn from_a_table(x: f64, n: usize) -> f64 {
    let table: [fn(f64) -> f64; 2] = [twice, squared];
    table[n](x)
}

pub fn from_a_table_out_of_bounds(x: f64) -> f64 {
    println!("running");
    let table: [fn(f64) -> f64; 2] = [twice, squared];
    table[(x as usize) + 2](x)
}
