//! The gradient of the Gaussian mixture.

/// Working memory of the gradient.
pub(crate) struct Work {
    diagonals: Vec<f64>,
    logs: Vec<f64>,
    centred: Vec<f64>,
    products: Vec<f64>,
    terms: Vec<f64>,
    shares: Vec<f64>,
    dcentred: Vec<f64>,
}

impl Work {
    pub(crate) fn new(d: usize, k: usize) -> Work {
        let zeros = |n: usize| vec![0.0; n];
        Work {
            diagonals: zeros(k * d),
            logs: zeros(k),
            centred: zeros(k * d),
            products: zeros(k * d),
            terms: zeros(k),
            shares: zeros(k),
            dcentred: zeros(d),
        }
    }
}

/// The value; the gradient is written to `grad`.
pub(crate) fn mixture(
    params: &[f64],
    x: &[f64],
    (d, k): (usize, usize),
    (gamma, m): (f64, f64),
    work: &mut Work,
    grad: &mut [f64],
) -> f64 {
    let (n, size) = (x.len() / d, d * (d + 1) / 2);
    let (weights, rest) = params.split_at(k);
    let (means, factors) = rest.split_at(k * d);
    grad.fill(0.0);
    let (dweights, drest) = grad.split_at_mut(k);
    let (dmeans, dfactors) = drest.split_at_mut(k * d);
    for j in 0..k {
        work.logs[j] = factors[j * size..j * size + d].iter().sum();
        for a in 0..d {
            work.diagonals[j * d + a] = factors[j * size + a].exp();
        }
    }
    let mut total = 0.0;
    for point in x.chunks_exact(d) {
        total += forward(point, (weights, means, factors), (d, k), work);
        reverse(point.len(), factors, k, work, (&mut *dweights, &mut *dmeans, &mut *dfactors));
    }
    total -= n as f64 * log_sum_exp(weights, &mut work.shares);
    for j in 0..k {
        dweights[j] -= n as f64 * work.shares[j];
        let mut squares = 0.0;
        for a in 0..d {
            let q = work.diagonals[j * d + a];
            squares += q * q;
            let slope = &mut dfactors[j * size + a];
            // So far it is the derivative with respect to the diagonal; the sum of logarithms contributes
            // once for each point.
            *slope = *slope * q + gamma * gamma * q * q - m;
        }
        for a in d..size {
            let q = factors[j * size + a];
            squares += q * q;
            dfactors[j * size + a] += gamma * gamma * q;
        }
        total += 0.5 * gamma * gamma * squares - m * work.logs[j];
    }
    for j in 0..k {
        let count = dweights[j] + n as f64 * work.shares[j];
        for a in 0..d {
            dfactors[j * size + a] += count;
        }
    }
    total
}

/// The term of a point.
fn forward(
    point: &[f64],
    (weights, means, factors): (&[f64], &[f64], &[f64]),
    (d, k): (usize, usize),
    work: &mut Work,
) -> f64 {
    let size = d * (d + 1) / 2;
    for j in 0..k {
        let centred = &mut work.centred[j * d..(j + 1) * d];
        let product = &mut work.products[j * d..(j + 1) * d];
        for a in 0..d {
            centred[a] = point[a] - means[j * d + a];
            product[a] = work.diagonals[j * d + a] * centred[a];
        }
        let mut next = j * size + d;
        for a in 0..d {
            let below = &factors[next..next + d - a - 1];
            for (p, q) in product[a + 1..].iter_mut().zip(below) {
                *p += q * centred[a];
            }
            next += d - a - 1;
        }
        let length: f64 = product.iter().map(|p| p * p).sum();
        work.terms[j] = weights[j] + work.logs[j] - 0.5 * length;
    }
    log_sum_exp(&work.terms, &mut work.shares)
}

/// Adds the contribution of a point to the gradient.
fn reverse(
    d: usize,
    factors: &[f64],
    k: usize,
    work: &mut Work,
    (dweights, dmeans, dfactors): (&mut [f64], &mut [f64], &mut [f64]),
) {
    let size = d * (d + 1) / 2;
    for j in 0..k {
        let share = work.shares[j];
        dweights[j] += share;
        let centred = &work.centred[j * d..(j + 1) * d];
        let product = &work.products[j * d..(j + 1) * d];
        for a in 0..d {
            let dproduct = -share * product[a];
            work.dcentred[a] = dproduct * work.diagonals[j * d + a];
            dfactors[j * size + a] += dproduct * centred[a];
        }
        let mut next = j * size + d;
        for a in 0..d {
            let mut sum = 0.0;
            for b in a + 1..d {
                let dproduct = -share * product[b];
                sum += factors[next] * dproduct;
                dfactors[next] += dproduct * centred[a];
                next += 1;
            }
            work.dcentred[a] += sum;
        }
        for a in 0..d {
            dmeans[j * d + a] -= work.dcentred[a];
        }
    }
}

/// The value, and the share of each term in it.
fn log_sum_exp(terms: &[f64], shares: &mut [f64]) -> f64 {
    let largest = terms.iter().copied().fold(terms[0], f64::max);
    let mut sum = 0.0;
    for (share, t) in shares.iter_mut().zip(terms) {
        *share = (t - largest).exp();
        sum += *share;
    }
    shares.iter_mut().for_each(|share| *share /= sum);
    sum.ln() + largest
}
