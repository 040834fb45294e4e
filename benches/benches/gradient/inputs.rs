//! Inputs: read from the files of ADBench if `ADBENCH_DATA` names their folder, otherwise generated in the
//! same shape.

use std::fs::read_to_string;
use std::path::PathBuf;

/// Pseudo-random numbers between 0 and 1, the same in every run.
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Numbers {
        Numbers(seed.wrapping_mul(2) + 1)
    }

    fn next(&mut self) -> f64 {
        // Steele and Vigna's constants for a multiplicative generator; the upper bits are the good ones.
        self.0 = self.0.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// `count` numbers between `low` and `high`.
    pub(crate) fn between(&mut self, low: f64, high: f64, count: usize) -> Vec<f64> {
        (0..count).map(|_| low + (high - low) * self.next()).collect()
    }
}

/// The numbers of a file of ADBench.
fn numbers(file: &str) -> Option<Vec<f64>> {
    let folder = PathBuf::from(std::env::var_os("ADBENCH_DATA")?);
    let text = read_to_string(folder.join(file)).ok()?;
    text.split_whitespace().map(|word| word.parse().ok()).collect()
}

/// A Gaussian mixture and points.
pub(crate) struct Mixture {
    pub(crate) d: usize,
    pub(crate) k: usize,
    pub(crate) params: Vec<f64>,
    pub(crate) points: Vec<f64>,
    pub(crate) gamma: f64,
    pub(crate) m: f64,
}

impl Mixture {
    /// A mixture of `k` Gaussians in `d` dimensions, and a thousand points.
    pub(crate) fn new(d: usize, k: usize) -> Mixture {
        Mixture::read(d, k).unwrap_or_else(|| {
            let mut numbers = Numbers::new(7);
            let params = numbers.between(-1.0, 1.0, k + k * d + k * d * (d + 1) / 2);
            let points = numbers.between(-2.0, 2.0, 1000 * d);
            Mixture { d, k, params, points, gamma: 1.0, m: 0.0 }
        })
    }

    fn read(d: usize, k: usize) -> Option<Mixture> {
        let numbers = numbers(&format!("gmm/1k/gmm_d{d}_K{k}.txt"))?;
        let (shape, rest) = numbers.split_at_checked(3)?;
        if shape[..2] != [d as f64, k as f64] {
            return None;
        }
        let (params, rest) = rest.split_at_checked(k + k * d + k * d * (d + 1) / 2)?;
        let (points, prior) = rest.split_at_checked(shape[2] as usize * d)?;
        let [gamma, m] = *prior else { return None };
        Some(Mixture { d, k, params: params.to_vec(), points: points.to_vec(), gamma, m })
    }
}

/// Observations of points by cameras.
pub(crate) struct Adjustment {
    pub(crate) cameras: Vec<f64>,
    pub(crate) points: Vec<f64>,
    pub(crate) weights: Vec<f64>,
    pub(crate) features: Vec<f64>,
}

impl Adjustment {
    /// The smallest problem of ADBench, or a generated one with as many observations.
    pub(crate) fn new() -> Adjustment {
        Adjustment::read().unwrap_or_else(|| {
            let mut camera = Numbers::new(11).between(-1.0, 1.0, 11);
            camera[6] = 400.0;
            camera[9] = 0.09;
            camera[10] = 0.003;
            Adjustment::of(31_843, &camera, &[2.0, -1.5, 9.0], 0.4, &[271.0, 834.0])
        })
    }

    /// One observation repeated `count` times, as in the files of ADBench.
    fn of(count: usize, camera: &[f64], point: &[f64], weight: f64, feature: &[f64]) -> Adjustment {
        Adjustment {
            cameras: camera.repeat(count),
            points: point.repeat(count),
            weights: vec![weight; count],
            features: feature.repeat(count),
        }
    }

    fn read() -> Option<Adjustment> {
        let numbers = numbers("ba/ba1_n49_m7776_p31843.txt")?;
        let (shape, rest) = numbers.split_at_checked(3)?;
        let (camera, rest) = rest.split_at_checked(11)?;
        let (point, rest) = rest.split_at_checked(3)?;
        let [weight, x, y] = *rest else { return None };
        Some(Adjustment::of(shape[2] as usize, camera, point, weight, &[x, y]))
    }
}

/// A recurrent network and a sequence.
pub(crate) struct Lstm {
    pub(crate) layers: usize,
    pub(crate) b: usize,
    pub(crate) params: Vec<f64>,
    pub(crate) state: Vec<f64>,
    pub(crate) sequence: Vec<f64>,
}

impl Lstm {
    /// Two layers of 14 cells, and 1024 rows.
    pub(crate) fn new() -> Lstm {
        let shape = [2, 1024, 14];
        let numbers = numbers("lstm/lstm_l2_c1024.txt").filter(|all| {
            let [layers, rows, b] = shape;
            all.starts_with(&shape.map(|n| n as f64)) && all.len() >= 3 + 10 * layers * b + 3 * b + rows * b
        });
        let numbers = numbers.unwrap_or_else(|| {
            let mut numbers = Numbers::new(13);
            let mut all = shape.map(|n| n as f64).to_vec();
            all.extend(numbers.between(0.0, 1.0, 10 * 2 * 14 + 3 * 14));
            all.extend((0..1024 * 14).map(|i| f64::from(u8::from(i * 7919 % 14 == i % 5))));
            all
        });
        let [layers, rows, b] = shape;
        let mut rest = &numbers[3..];
        let mut take = |count: usize| {
            let (head, others) = rest.split_at(count);
            rest = others;
            head.to_vec()
        };
        let params = take(8 * layers * b + 3 * b);
        let state = take(2 * layers * b);
        Lstm { layers, b, params, state, sequence: take(rows * b) }
    }
}
