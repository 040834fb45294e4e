//! Where were the cameras, and where are the points that they saw? Bundle adjustment: the Jacobian of all residuals is
//! sparse, each depends on one camera and one point, and its entries are written in one run of the function.
//!
//! `cargo run --release --example bundle_adjustment -- FILE` takes a problem in the format of ADBench; without a file it
//! makes a small one.

#[path = "adjustment/conjugate_gradients.rs"]
mod conjugate_gradients;
#[path = "adjustment/problem.rs"]
mod problem;

use overdub::closures::dub;
use overdub::prelude::*;
use overdub::sparsity::Sparse;

use problem::Problem;

/// The distance of each observation from where the camera should see the point. A camera is a rotation (the
/// axis times the angle), a centre, a focal length, a principal point and two coefficients of distortion.
#[dub]
fn residuals(cameras: &[f64], points: &[f64], seen: &[f64], by: &[usize], of: &[usize]) -> Vec<f64> {
    let mut found = vec![0.0; seen.len()];
    for i in 0..by.len() {
        let (c, p) = (11 * by[i], 3 * of[i]);
        let (a, b, g) = (cameras[c], cameras[c + 1], cameras[c + 2]);
        let (x, y, z) =
            (points[p] - cameras[c + 3], points[p + 1] - cameras[c + 4], points[p + 2] - cameras[c + 5]);
        // Rodrigues' formula; the small number keeps its derivative finite for a rotation by zero.
        let angle = (a * a + b * b + g * g + 1e-20).sqrt();
        let (sin, cos) = (angle.sin() / angle, angle.cos());
        let along = (a * x + b * y + g * z) * (1.0 - cos) / (angle * angle);
        let w = z * cos + (a * y - b * x) * sin + g * along;
        let u = (x * cos + (b * z - g * y) * sin + a * along) / w;
        let v = (y * cos + (g * x - a * z) * sin + b * along) / w;
        let square = u * u + v * v;
        let focus = cameras[c + 6] * (1.0 + cameras[c + 9] * square + cameras[c + 10] * square * square);
        found[2 * i] = u * focus + cameras[c + 7] - seen[2 * i];
        found[2 * i + 1] = v * focus + cameras[c + 8] - seen[2 * i + 1];
    }
    found
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let Problem { mut cameras, mut points, seen, by, of } = match std::env::args().nth(1) {
        Some(path) => problem::read(&path)?,
        None => problem::generate()?,
    };
    let residuals_at = |cameras: &[f64], points: &[f64]| residuals(cameras, points, &seen, &by, &of);
    // Observations, and the camera and point of each, are captured, so they are not inputs of the Jacobian.
    let inputs = dub!(|cameras: &[f64], points: &[f64]| residuals(cameras, points, &seen, &by, &of));
    let jacobian = Sparse::jacobian(inputs, (&cameras[..], &points[..]))?;
    let pattern = jacobian.derivative().pattern();
    println!("{} residuals of {} numbers, {} entries", pattern.rows(), pattern.cols(), pattern.len());
    println!("{}", jacobian.derivative().explain());

    let error = |r: &[f64]| (r.iter().map(|r| r * r).sum::<f64>() / r.len() as f64).sqrt();
    let mut r = residuals_at(&cameras, &points);
    let mut lambda = 1e-3;
    for iteration in 0..10 {
        println!("round {iteration}: {:.3} pixels off", error(&r));
        let j = jacobian.evaluate((&cameras[..], &points[..]))?;
        let s = conjugate_gradients::step(&j, &r, lambda);
        let moved = |x: &[f64], s: &[f64]| x.iter().zip(s).map(|(x, s)| x + s).collect::<Vec<_>>();
        let next = (moved(&cameras, &s), moved(&points, &s[cameras.len()..]));
        let found = residuals_at(&next.0, &next.1);
        if error(&found) < error(&r) {
            ((cameras, points), r, lambda) = (next, found, lambda / 10.0);
        } else {
            lambda *= 10.0;
        }
    }
    println!("at last {:.3} pixels off", error(&r));
    Ok(())
}
