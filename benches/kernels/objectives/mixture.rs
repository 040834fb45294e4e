//! The Gaussian mixture of ADBench, up to constants: plain loops over slices.

/// The logarithm of the posterior of a mixture of `k` Gaussians in `d` dimensions: `params` holds weights,
/// means and factors of the inverse covariances, and `x` the points, one after the other.
pub fn mixture(params: &[f64], x: &[f64], d: usize, k: usize, gamma: f64, m: f64) -> f64 {
    let n = x.len() / d;
    let (weights, rest) = params.split_at(k);
    let (means, factors) = rest.split_at(k * d);
    let size = d * (d + 1) / 2;
    let mut diagonals = vec![0.0; k * d];
    let mut logs = vec![0.0; k];
    for j in 0..k {
        for a in 0..d {
            let q = factors[j * size + a];
            logs[j] += q;
            diagonals[j * d + a] = q.exp();
        }
    }
    let mut centred = vec![0.0; d];
    let mut product = vec![0.0; d];
    let mut terms = vec![0.0; k];
    let mut total = 0.0;
    for i in 0..n {
        for j in 0..k {
            for a in 0..d {
                centred[a] = x[i * d + a] - means[j * d + a];
                product[a] = diagonals[j * d + a] * centred[a];
            }
            let mut next = j * size + d;
            for a in 0..d {
                for b in a + 1..d {
                    product[b] += factors[next] * centred[a];
                    next += 1;
                }
            }
            let mut length = 0.0;
            for a in 0..d {
                length += product[a] * product[a];
            }
            terms[j] = weights[j] + logs[j] - 0.5 * length;
        }
        total += log_sum_exp(&terms);
    }
    total -= n as f64 * log_sum_exp(weights);
    for j in 0..k {
        let mut squares = 0.0;
        for a in 0..d {
            squares += diagonals[j * d + a] * diagonals[j * d + a];
        }
        for a in d..size {
            squares += factors[j * size + a] * factors[j * size + a];
        }
        total += 0.5 * gamma * gamma * squares - m * logs[j];
    }
    total
}

/// The mixture in ten dimensions: their number is a constant.
pub fn mixture_in_ten(params: &[f64], x: &[f64], k: usize, gamma: f64, m: f64) -> f64 {
    mixture(params, x, 10, k, gamma, m)
}

fn log_sum_exp(terms: &[f64]) -> f64 {
    let mut largest = terms[0];
    for t in terms {
        if *t > largest {
            largest = *t;
        }
    }
    let mut sum = 0.0;
    for t in terms {
        sum += (t - largest).exp();
    }
    sum.ln() + largest
}
