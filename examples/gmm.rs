//! How likely is a Gaussian mixture, given points? Plain Rust: nothing here knows that it will be differentiated.
//!
//! The objective of ADBench (Srajer, Kukelova, Fitzgibbon 2018): the log likelihood of the points under a mixture of K
//! Gaussians, and a Wishart prior on their inverse covariances, negated so that the best mixture has the least.

/// The prior on the inverse covariances.
#[derive(Clone, Copy, Debug)]
pub struct Wishart {
    /// Its scale.
    pub gamma: f64,
    /// Its degrees of freedom beyond the least.
    pub m: i32,
}

/// The negative logarithm of the posterior of a mixture of `k` Gaussians in `d` dimensions: weights, means,
/// and factors of inverse covariances, all in one slice. The points are stored one after the other.
pub fn negative_log_posterior(mixture: &[f64], points: &[f64], d: usize, k: usize, prior: Wishart) -> f64 {
    let (weights, rest) = mixture.split_at(k);
    let (means, factors) = rest.split_at(k * d);
    let factors: Vec<Factor> =
        factors.chunks(d + d * (d - 1) / 2).map(|factor| Factor::new(factor, d)).collect();

    let mut likelihood = 0.0;
    let mut terms = vec![0.0; k];
    let mut centred = vec![0.0; d];
    for point in points.chunks(d) {
        for (j, factor) in factors.iter().enumerate() {
            for (c, (x, mean)) in centred.iter_mut().zip(point.iter().zip(&means[j * d..])) {
                *c = x - mean;
            }
            terms[j] = weights[j] + factor.log_determinant - 0.5 * factor.squared_length(&centred);
        }
        likelihood += log_sum_exp(&terms);
    }
    let n = points.len() as f64 / d as f64;
    let constant = -n * d as f64 * 0.5 * (2.0 * std::f64::consts::PI).ln();
    let prior: f64 = factors.iter().map(|factor| factor.log_prior(prior)).sum();
    -(constant + likelihood - n * log_sum_exp(weights) + prior)
}

/// A lower triangular matrix Q whose product with its transpose is an inverse covariance.
struct Factor {
    diagonal: Vec<f64>,
    below: Vec<f64>,
    log_determinant: f64,
}

impl Factor {
    /// From the logarithms of the diagonal and the elements below it, column by column.
    fn new(numbers: &[f64], d: usize) -> Factor {
        let (logarithms, below) = numbers.split_at(d);
        Factor {
            diagonal: logarithms.iter().map(|q| q.exp()).collect(),
            below: below.to_vec(),
            log_determinant: logarithms.iter().sum(),
        }
    }

    /// `|Q x|²`
    fn squared_length(&self, x: &[f64]) -> f64 {
        let d = x.len();
        let mut total = 0.0;
        for row in 0..d {
            let mut sum = self.diagonal[row] * x[row];
            for (column, x) in x[..row].iter().enumerate() {
                // Columns before this one have d - 1, d - 2, … elements.
                let start = column * (2 * d - column - 1) / 2;
                sum += self.below[start + row - column - 1] * x;
            }
            total += sum * sum;
        }
        total
    }

    fn log_prior(&self, prior: Wishart) -> f64 {
        let p = self.diagonal.len() as f64;
        let n = p + prior.m as f64 + 1.0;
        let squares = sum_of_squares(&self.diagonal) + sum_of_squares(&self.below);
        let normal = n * p * (prior.gamma.ln() - 0.5 * 2.0_f64.ln()) - log_gamma_distribution(0.5 * n, p);
        normal - (0.5 * prior.gamma * prior.gamma * squares - prior.m as f64 * self.log_determinant)
    }
}

fn sum_of_squares(xs: &[f64]) -> f64 {
    xs.iter().map(|x| x * x).sum()
}

fn log_sum_exp(xs: &[f64]) -> f64 {
    let largest = xs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    largest + xs.iter().map(|x| (x - largest).exp()).sum::<f64>().ln()
}

/// The logarithm of the multivariate gamma function.
fn log_gamma_distribution(a: f64, p: f64) -> f64 {
    let terms: f64 = (1..=p as i32).map(|j| ln_gamma(a + 0.5 * (1 - j) as f64)).sum();
    0.25 * p * (p - 1.0) * std::f64::consts::PI.ln() + terms
}

/// Stirling's series for ln Γ(x), after shifting x up to where the series is accurate.
fn ln_gamma(mut x: f64) -> f64 {
    let mut shift = 0.0;
    while x < 12.0 {
        shift -= x.ln();
        x += 1.0;
    }
    let y = 1.0 / (x * x);
    let series = (1.0 / 12.0 - y * (1.0 / 360.0 - y * (1.0 / 1260.0 - y / 1680.0))) / x;
    shift + (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series
}

fn main() {
    let prior = Wishart { gamma: 1.0, m: 0 };
    let (mixture, points) = ([0.0, 0.5, -1.0, 1.0, 0.1, -0.2], [-1.2, -0.7, 0.4, 1.1]);
    println!("{:.6}", negative_log_posterior(&mixture, &points, 1, 2, prior));
}
