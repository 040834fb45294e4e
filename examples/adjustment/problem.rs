//! Problems of bundle adjustment, read from a file or generated.

use overdub::run;

use super::residuals;

/// Cameras and points, observations, and the camera and point of each observation.
pub(crate) struct Problem {
    pub(crate) cameras: Vec<f64>,
    pub(crate) points: Vec<f64>,
    pub(crate) seen: Vec<f64>,
    pub(crate) by: Vec<usize>,
    pub(crate) of: Vec<usize>,
}

/// Reads the format of ADBench: one camera, point, weight and observation, repeated for all of them.
pub(crate) fn read(path: &str) -> Result<Problem, Box<dyn std::error::Error>> {
    let text = std::fs::read_to_string(path)?;
    let numbers = text.split_whitespace().map(str::parse).collect::<Result<Vec<f64>, _>>()?;
    let sizes = numbers.first_chunk::<3>().ok_or("the three sizes are missing")?;
    let [n, m, k] = sizes.map(|size| size as usize);
    let rest = numbers
        .get(3..20)
        .filter(|rest| rest.len() == 17)
        .ok_or("camera, point and observation are missing")?;
    let (by, of) = ((0..k).map(|i| i % n).collect(), (0..k).map(|i| i % m).collect());
    let (cameras, points) = (rest[..11].repeat(n), rest[11..14].repeat(m));
    Ok(Problem { cameras, points, seen: rest[15..].repeat(k), by, of })
}

/// Four cameras in front of points in a box, all displaced a little since the observations were made.
pub(crate) fn generate() -> Result<Problem, overdub::Error> {
    let (n, m) = (4, 20);
    let wave = |i: usize, k: f64| (i as f64 * k).sin();
    let camera = |i: usize| {
        let turn = [0.1 * wave(i, 1.3), 0.1 * wave(i, 2.1), 0.05, i as f64 - 1.5, wave(i, 0.7), -6.0];
        turn.into_iter().chain([400.0, 1.0, -2.0, 0.01, 0.001])
    };
    let cameras: Vec<f64> = (0..n).flat_map(camera).collect();
    let points: Vec<f64> = (0..3 * m).map(|i| 1.5 * wave(i, 1.7)).collect();
    let (by, of): (Vec<_>, Vec<_>) = (0..n * m).map(|i| (i / m, i % m)).unzip();
    let seen = run(residuals, (&cameras[..], &points[..], &vec![0.0; 2 * n * m][..], &by[..], &of[..]))?;
    let off = |all: Vec<f64>, by: f64| all.iter().enumerate().map(|(i, x)| x + by * wave(i, 5.3)).collect();
    Ok(Problem { cameras: off(cameras, 0.01), points: off(points, 0.05), seen, by, of })
}
