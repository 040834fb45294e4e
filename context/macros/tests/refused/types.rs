use overdub::prelude::*;

#[dub]
fn scaled(xs: &[f64], k: f64) -> f64 {
    xs.iter().sum::<f64>() * k
}

fn main() {
    let xs = vec![1.0, 2.0];
    let _ = run(scaled, (&xs[..], "two"));
    let _ = run(scaled, (&xs[..],));
    let _: String = run(scaled, (&xs[..], 2.0)).unwrap();
}
