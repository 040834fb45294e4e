//! The programs once more, generic over the number type, as these peers require.

use super::super::inputs::{Adjustment, Lstm, Mixture};
use super::number::Number;

/// A program with this number of results, each to be differentiated with respect to all inputs.
pub(crate) trait Program<const RESULTS: usize> {
    fn run<N: Number>(&self, x: &[N]) -> [N; RESULTS];
}

pub(crate) struct Rosenbrock;

impl Program<1> for Rosenbrock {
    fn run<N: Number>(&self, x: &[N]) -> [N; 1] {
        let term = |i: usize| {
            let a = x[i + 1] - x[i] * x[i];
            let b = (-x[i]).plus(1.0);
            a.times(100.0) * a + b * b
        };
        [(1..x.len() - 1).fold(term(0), |sum, i| sum + term(i))]
    }
}

pub(crate) struct Sines(pub(crate) usize);

impl Program<1> for Sines {
    fn run<N: Number>(&self, x: &[N]) -> [N; 1] {
        [(0..self.0).fold(x[0], |y, _| y.sin().times(1.1) + y.times(0.5))]
    }
}

pub(crate) struct Total;

impl Program<1> for Total {
    fn run<N: Number>(&self, x: &[N]) -> [N; 1] {
        [x[1..].iter().fold(x[0], |sum, &x| sum + x)]
    }
}

/// The number of rows; both matrices are inputs.
pub(crate) struct Trace(pub(crate) usize);

impl Program<1> for Trace {
    fn run<N: Number>(&self, x: &[N]) -> [N; 1] {
        let n = self.0;
        let (a, b) = x.split_at(n * n);
        let mut trace = a[0] * b[0];
        for i in 0..n {
            for k in usize::from(i == 0)..n {
                trace = trace + a[i * n + k] * b[k * n + i];
            }
        }
        [trace]
    }
}

/// The depth of its recursion.
pub(crate) struct Tree(pub(crate) usize);

impl Program<1> for Tree {
    fn run<N: Number>(&self, x: &[N]) -> [N; 1] {
        let x = x[0];
        let Some(depth) = self.0.checked_sub(1) else { return [x.sin()] };
        [Tree(depth).run(&[x.times(0.9)])[0] * Tree(depth).run(&[x.plus(0.1)])[0] + x]
    }
}

fn log_sum_exp<N: Number>(terms: &[N]) -> N {
    let largest = terms.iter().copied().fold(terms[0], |a, b| if b > a { b } else { a });
    let sum = terms[1..].iter().fold((terms[0] - largest).exp(), |sum, &term| sum + (term - largest).exp());
    sum.ln() + largest
}

fn squares<N: Number>(xs: &[N]) -> N {
    xs[1..].iter().fold(xs[0] * xs[0], |sum, &x| sum + x * x)
}

impl Program<1> for Mixture {
    fn run<N: Number>(&self, x: &[N]) -> [N; 1] {
        let Mixture { d, k, points, gamma, m, .. } = self;
        let (d, k, size) = (*d, *k, d * (d + 1) / 2);
        let (weights, rest) = x.split_at(k);
        let (means, factors) = rest.split_at(k * d);
        let diagonals: Vec<N> = (0..k * d).map(|at| factors[at / d * size + at % d].exp()).collect();
        let log = |j: usize| factors[j * size..][1..d].iter().fold(factors[j * size], |sum, &q| sum + q);
        let logs: Vec<N> = (0..k).map(log).collect();
        let (mut product, mut terms) = (x[..d].to_vec(), weights.to_vec());
        let mut total = log_sum_exp(weights).times(-((points.len() / d) as f64));
        for point in points.chunks_exact(d) {
            for j in 0..k {
                let centred = |a: usize| (-means[j * d + a]).plus(point[a]);
                (0..d).for_each(|a| product[a] = diagonals[j * d + a] * centred(a));
                let mut below = factors[j * size + d..].iter();
                for a in 0..d {
                    let here = centred(a);
                    (a + 1..d)
                        .zip(&mut below)
                        .for_each(|(b, &factor)| product[b] = product[b] + factor * here);
                }
                terms[j] = weights[j] + logs[j] - squares(&product).times(0.5);
            }
            total = total + log_sum_exp(&terms);
        }
        for j in 0..k {
            let mut sum = squares(&diagonals[j * d..(j + 1) * d]);
            if d < size {
                sum = sum + squares(&factors[j * size + d..(j + 1) * size]);
            }
            total = total + sum.times(0.5 * gamma * gamma) - logs[j].times(*m);
        }
        [total]
    }
}

/// One observation of a bundle adjustment; its inputs are a camera, a point and a weight.
pub(crate) struct Observation<'a>(pub(crate) &'a [f64]);

impl Program<2> for Observation<'_> {
    fn run<N: Number>(&self, input: &[N]) -> [N; 2] {
        let (camera, point, weight) = (&input[..11], &input[11..14], input[14]);
        let r = &camera[..3];
        let [x, y, z] = [0, 1, 2].map(|at| point[at] - camera[3 + at]);
        let squared = squares(r);
        let (u, v, w) = if squared > squared.times(0.0) {
            let angle = squared.sqrt();
            let (sin, cos, inverse) = (angle.sin(), angle.cos(), angle.inverse());
            let [a, b, c] = [0, 1, 2].map(|at| r[at] * inverse);
            let along = (a * x + b * y + c * z) * (-cos).plus(1.0);
            (
                x * cos + (b * z - c * y) * sin + a * along,
                y * cos + (c * x - a * z) * sin + b * along,
                z * cos + (a * y - b * x) * sin + c * along,
            )
        } else {
            (x + r[1] * z - r[2] * y, y + r[2] * x - r[0] * z, z + r[0] * y - r[1] * x)
        };
        let (p, q) = (u / w, v / w);
        let square = p * p + q * q;
        let bent = (camera[9] * square + camera[10] * square * square).plus(1.0) * camera[6];
        let (p, q) = (p * bent + camera[7], q * bent + camera[8]);
        [weight * p.plus(-self.0[0]), weight * q.plus(-self.0[1])]
    }
}

/// A residual of the bundle adjustment, with its inputs.
pub(crate) fn observation(all: &Adjustment, i: usize) -> ([f64; 15], Observation<'_>) {
    let mut input = [0.0; 15];
    input[..11].copy_from_slice(&all.cameras[11 * i..][..11]);
    input[11..14].copy_from_slice(&all.points[3 * i..][..3]);
    input[14] = all.weights[i];
    (input, Observation(&all.features[2 * i..][..2]))
}

fn sigmoid<N: Number>(x: N) -> N {
    (-x).exp().plus(1.0).inverse()
}

impl Program<1> for Lstm {
    fn run<N: Number>(&self, params: &[N]) -> [N; 1] {
        let Lstm { layers, b, state, sequence, .. } = self;
        let (layers, b) = (*layers, *b);
        let (gates, ends) = params.split_at(8 * b * layers);
        let zero = params[0].times(0.0);
        let initial =
            |at: usize| (0..layers * b).map(move |i| zero.plus(state[i / b * 2 * b + at * b + i % b]));
        let (mut hidden, mut cells): (Vec<N>, Vec<N>) = (initial(0).collect(), initial(1).collect());
        let (mut input, mut total) = (vec![zero; b], zero);
        for (row, next) in sequence.chunks_exact(b).zip(sequence.chunks_exact(b).skip(1)) {
            (0..b).for_each(|j| input[j] = ends[j].times(row[j]));
            for i in 0..layers {
                let (weight, bias) = (&gates[8 * b * i..], &gates[8 * b * i + 4 * b..]);
                for j in 0..b {
                    let gate = |x: N, kind: usize| x * weight[kind * b + j] + bias[kind * b + j];
                    let (h, x) = (hidden[i * b + j], input[j]);
                    let (forget, ingate, outgate) =
                        (sigmoid(gate(x, 0)), sigmoid(gate(h, 1)), sigmoid(gate(x, 2)));
                    let cell = cells[i * b + j] * forget + ingate * gate(h, 3).tanh();
                    cells[i * b + j] = cell;
                    hidden[i * b + j] = outgate * cell.tanh();
                    input[j] = hidden[i * b + j];
                }
            }
            (0..b).for_each(|j| input[j] = input[j] * ends[b + j] + ends[2 * b + j]);
            let log = input[1..].iter().fold(input[0].exp(), |sum, x| sum + x.exp()).plus(2.0).ln();
            total = (0..b).fold(total, |total, j| total + (input[j] - log).times(next[j]));
        }
        [total.times(-1.0 / ((sequence.len() / b - 1) * b) as f64)]
    }
}
