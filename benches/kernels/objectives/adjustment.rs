//! The bundle adjustment of ADBench: how far the observed points are from where the cameras see them.

/// Both coordinates of the residual of observation `i`: a camera of 11 numbers, a point of 3, a weight.
fn residual(cameras: &[f64], points: &[f64], weight: f64, seen: &[f64], i: usize) -> (f64, f64) {
    let (camera, point) = (11 * i, 3 * i);
    let (r0, r1, r2) = (cameras[camera], cameras[camera + 1], cameras[camera + 2]);
    let x = points[point] - cameras[camera + 3];
    let y = points[point + 1] - cameras[camera + 4];
    let z = points[point + 2] - cameras[camera + 5];
    let squared = r0 * r0 + r1 * r1 + r2 * r2;
    let (u, v, w) = if squared > 0.0 {
        let angle = squared.sqrt();
        let (sin, cos) = (angle.sin(), angle.cos());
        let inverse = 1.0 / angle;
        let (a, b, c) = (r0 * inverse, r1 * inverse, r2 * inverse);
        let along = (a * x + b * y + c * z) * (1.0 - cos);
        (
            x * cos + (b * z - c * y) * sin + a * along,
            y * cos + (c * x - a * z) * sin + b * along,
            z * cos + (a * y - b * x) * sin + c * along,
        )
    } else {
        (x + r1 * z - r2 * y, y + r2 * x - r0 * z, z + r0 * y - r1 * x)
    };
    let (p, q) = (u / w, v / w);
    let square = p * p + q * q;
    let bent = 1.0 + cameras[camera + 9] * square + cameras[camera + 10] * square * square;
    let focus = cameras[camera + 6];
    let (p, q) = (p * bent * focus + cameras[camera + 7], q * bent * focus + cameras[camera + 8]);
    (weight * (p - seen[2 * i]), weight * (q - seen[2 * i + 1]))
}

/// The sums of both coordinates over all observations, each of which has its own copy of its camera and its point: so
/// the gradients of both sums hold a row of the Jacobian of every residual.
pub fn residuals(cameras: &[f64], points: &[f64], weights: &[f64], seen: &[f64]) -> (f64, f64) {
    let (mut first, mut second) = (0.0, 0.0);
    for i in 0..weights.len() {
        let (p, q) = residual(cameras, points, weights[i], seen, i);
        first += p;
        second += q;
    }
    (first, second)
}

/// Both residuals of each observation, one after the other.
pub fn all(cameras: &[f64], points: &[f64], weights: &[f64], seen: &[f64]) -> Vec<f64> {
    let mut found = vec![0.0; 2 * weights.len()];
    for i in 0..weights.len() {
        let (p, q) = residual(cameras, points, weights[i], seen, i);
        found[2 * i] = p;
        found[2 * i + 1] = q;
    }
    found
}
