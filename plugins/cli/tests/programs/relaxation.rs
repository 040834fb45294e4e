//! A long loop over a state of many numbers: its tape is large.

pub fn relax(rate: f64, rounds: usize) -> f64 {
    let mut u: Vec<f64> = (0..1000).map(|i| i as f64 * 0.001).collect();
    for _ in 0..rounds {
        let old = u.clone();
        for i in 1..999 {
            u[i] = old[i] + rate * (old[i - 1] - 2.0 * old[i] + old[i + 1]);
        }
    }
    u[500] * u[3]
}
