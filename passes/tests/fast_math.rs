//! The error of fast functions is less than one unit in the last place; for special arguments they return
//! what std returns.
//!
//! The oracle evaluates Taylor series in double-double arithmetic, about 100 bits.

use overdub_passes::fast_math::{functions, powers};

/// A number as the unevaluated sum of two floats (double-double).
#[derive(Clone, Copy)]
struct Pair(f64, f64);

impl Pair {
    fn sum(a: f64, b: f64) -> Pair {
        let s = a + b;
        let t = s - a;
        Pair(s, (a - (s - t)) + (b - t))
    }

    fn product(a: f64, b: f64) -> Pair {
        let p = a * b;
        Pair(p, a.mul_add(b, -p))
    }

    fn add(self, other: Pair) -> Pair {
        let (high, low) = (Pair::sum(self.0, other.0), Pair::sum(self.1, other.1));
        let high = Pair::sum(high.0, high.1 + low.0);
        Pair::sum(high.0, high.1 + low.1)
    }

    fn times(self, other: Pair) -> Pair {
        let p = Pair::product(self.0, other.0);
        Pair::sum(p.0, p.1 + (self.0 * other.1 + self.1 * other.0))
    }

    fn over(self, n: f64) -> Pair {
        let q = self.0 / n;
        let rest = self.add(Pair::product(-q, n));
        Pair::sum(q, (rest.0 + rest.1) / n)
    }
}

/// Every `step`th term of `1 + r + r²/2! + …` from `first` on, with alternating signs if `step` is 2.
fn series(r: Pair, first: u32, step: u32) -> Pair {
    let (mut term, mut sum) = (Pair(1.0, 0.0), Pair(0.0, 0.0));
    for k in 0..40 {
        if k >= first && (k - first).is_multiple_of(step) {
            let sign = if step == 2 && (k - first) / 2 % 2 == 1 { -1.0 } else { 1.0 };
            sum = sum.add(Pair(sign * term.0, sign * term.1));
        }
        term = term.times(r).over(f64::from(k + 1));
    }
    sum
}

/// `e^x` as a double-double and the power of two by which to scale it.
fn exp(x: Pair) -> (Pair, i32) {
    let ln2 = [std::f64::consts::LN_2, 2.3190468138462996e-17, 5.707708438416212e-34];
    let k = (x.0 / ln2[0]).round();
    let r = ln2.iter().fold(x, |r, part| r.add(Pair::product(-k, *part)));
    (series(r, 0, 1), k as i32)
}

fn sine_and_cosine(x: f64) -> (Pair, Pair) {
    let quarter =
        [std::f64::consts::FRAC_PI_2, 6.123233995736766e-17, -1.4973849048591833e-33, 4.320574262296449e-50];
    let n = (x / quarter[0]).round();
    let r = quarter.iter().fold(Pair(x, 0.0), |r, part| r.add(Pair::product(-n, *part)));
    let (s, c) = (series(r, 1, 2), series(r, 0, 2));
    let minus = |p: Pair| Pair(-p.0, -p.1);
    match (n as i64).rem_euclid(4) {
        0 => (s, c),
        1 => (c, minus(s)),
        2 => (minus(s), minus(c)),
        _ => (minus(c), s),
    }
}

/// The hyperbolic sine and cosine of a small number.
fn hyperbolic(x: f64) -> (Pair, Pair) {
    let (mut term, mut sums) = (Pair(1.0, 0.0), [Pair(0.0, 0.0); 2]);
    for k in 0..40 {
        sums[k % 2] = sums[k % 2].add(term);
        term = term.times(Pair(x, 0.0)).over((k + 1) as f64);
    }
    (sums[1], sums[0])
}

/// The error of a float, in units in the last place of the exact result.
fn off(got: f64, exact: Pair) -> f64 {
    let size = exact.0.abs();
    let unit = (size.next_up() - size).max(size - size.next_down());
    ((got - exact.0) - exact.1).abs() / unit
}

fn points(from: f64, to: f64) -> impl Iterator<Item = f64> {
    let mut state = 88172645463325252_u64;
    (0..20_000).map(move |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        from + (to - from) * (state >> 11) as f64 / (1_u64 << 53) as f64
    })
}

#[track_caller]
fn holds(worst: f64) {
    assert!(worst < 1.0, "{worst} units in the last place");
}

#[test]
fn exp_is_within_a_unit_in_the_last_place() {
    let of = |x: f64| {
        let (exact, k) = exp(Pair(x, 0.0));
        let scale = 2.0_f64.powi(k);
        off(functions::exp(x), Pair(exact.0 * scale, exact.1 * scale))
    };
    holds(
        points(-700.0, 709.0).chain(points(-1.0, 1.0)).chain(points(-1e-3, 1e-3)).map(of).fold(0.0, f64::max),
    );
}

#[test]
fn ln_is_within_a_unit_in_the_last_place() {
    let of = |x: f64| {
        // One Newton step from std's result: `x e^-y` is almost 1.
        let y = x.ln();
        let (power, k) = exp(Pair(-y, 0.0));
        let ratio = power.times(Pair(x * 2.0_f64.powi(k), 0.0)).add(Pair(-1.0, 0.0));
        let step = ratio.0 - ratio.0 * ratio.0 / 2.0;
        off(functions::ln(x), Pair::sum(y, step + ratio.1))
    };
    let all = points(0.0, 4.0).chain(points(0.9, 1.1)).chain(points(0.0, 1e300)).chain(points(0.0, 1e-300));
    holds(all.filter(|x| *x != 1.0).map(of).fold(0.0, f64::max));
}

#[test]
fn tanh_is_within_a_unit_in_the_last_place() {
    let one = Pair(1.0, 0.0);
    let of = |x: f64| {
        let (above, below) = if x.abs() < 0.5 {
            hyperbolic(x)
        } else {
            let (power, k) = exp(Pair(2.0 * x, 0.0));
            let scale = 2.0_f64.powi(k);
            let power = Pair(power.0 * scale, power.1 * scale);
            (power.add(Pair(-1.0, 0.0)), power.add(one))
        };
        let y = above.0 / below.0;
        let left = above.add(below.times(Pair(-y, 0.0)));
        off(functions::tanh(x), Pair::sum(y, (left.0 + left.1) / below.0))
    };
    // Where the reduced argument is largest.
    let widest = points(0.172, 0.1735).chain(points(-0.1735, -0.172)).chain(points(0.5, 0.52));
    let all = points(-1.0, 1.0).chain(points(-25.0, 25.0)).chain(points(-1e-3, 1e-3));
    holds(all.chain(widest).map(of).fold(0.0, f64::max));
}

/// `x` to the power of `y`, from the series of the exponential and one Newton step for the logarithm.
fn power(x: f64, y: f64) -> (Pair, i32) {
    let ln = x.ln();
    let (inverse, k) = exp(Pair(-ln, 0.0));
    let ratio = inverse.times(Pair(x * 2.0_f64.powi(k), 0.0)).add(Pair(-1.0, 0.0));
    let cube = Pair(ratio.0 * ratio.0 * ratio.0 / 3.0, 0.0);
    let square = ratio.times(ratio).times(Pair(-0.5, 0.0));
    exp(Pair(ln, 0.0).add(ratio).add(square).add(cube).times(Pair(y, 0.0)))
}

#[test]
fn powf_is_within_a_unit_in_the_last_place() {
    let of = |(x, y): (f64, f64)| {
        let (exact, k) = power(x, y);
        let scale = 2.0_f64.powi(k);
        off(powers::powf(x, y), Pair(exact.0 * scale, exact.1 * scale))
    };
    let results = |from, to| points(from, to).skip(7).step_by(3);
    // Near 1 most digits of the logarithm count; a result between powers of two takes the largest reduced argument.
    let near_one = points(0.99, 1.01).zip(results(-700.0, 700.0)).map(|(x, ln)| (x, ln / x.ln()));
    let beside_one = points(1.005, 1.006).zip(results(-700.0, 700.0)).map(|(x, ln)| (x, ln / x.ln()));
    let between = points(0.7, 1.42).zip(points(-999.0, 999.0)).map(|(x, k)| {
        let ln = (k.round() + 0.5) * std::f64::consts::LN_2;
        (x, ln / x.ln())
    });
    let all = points(0.01, 10.0).zip(results(-5.0, 5.0)).chain(points(0.0, 1e300).zip(results(-0.9, 0.9)));
    let all = all.chain(near_one).chain(beside_one).chain(between);
    holds(all.filter(|(x, _)| *x != 1.0).map(of).fold(0.0, f64::max));
}

#[test]
fn powf_is_the_same_with_and_without_branches() {
    let values = points(-3.0, 3.0).map(f64::exp).zip(points(-1.0, 1.0).skip(5).map(|y| y * 800.0));
    for (x, y) in values {
        let (near, all) = (powers::powf_near(x, y), powers::powf_branchless(x, y));
        assert!(near.is_nan() || near.to_bits() == all.to_bits(), "{x} to the power of {y}: {near}, {all}");
        assert_eq!(powers::powf(x, y).to_bits(), all.to_bits());
    }
}

#[test]
fn powf_of_edges_is_as_in_the_library() {
    let positive =
        [0.0, 1.0, 0.5, 2.0, 3.0, 2.5, 1e-310, 5e-324, 1e300, 1023.0, 1074.0, f64::MAX, f64::MIN_POSITIVE];
    let around_one = [1.0_f64.next_up(), 1.0_f64.next_down(), f64::INFINITY, f64::NAN];
    // The last odd integers, a half beside them, and the first floats that all are even.
    let integers =
        [4_503_599_627_370_495.5, 4_503_599_627_370_497.0, 9_007_199_254_740_991.0, 9_007_199_254_740_992.0];
    let values: Vec<f64> =
        [&positive[..], &around_one, &integers].concat().into_iter().flat_map(|x| [x, -x]).collect();
    for x in &values {
        for y in &values {
            let (fast, slow) = (powers::powf(*x, *y), x.powf(*y));
            let same = fast.to_bits() == slow.to_bits() || (fast.is_nan() && slow.is_nan());
            let is_near = fast.is_sign_negative() == slow.is_sign_negative()
                && fast.to_bits().abs_diff(slow.to_bits()) <= 1
                && slow.is_finite();
            assert!(same || is_near, "{x} to the power of {y}: {fast}, by std {slow}");
        }
    }
}

#[test]
fn sines_and_cosines_are_within_a_unit_in_the_last_place() {
    let near_quarters = (1..40_000).map(|n| f64::from(n) * std::f64::consts::FRAC_PI_2);
    let all = points(-10.0, 10.0).chain(points(-functions::FAR, functions::FAR)).chain(points(-1e-4, 1e-4));
    let of = |x: f64| {
        let (s, c) = sine_and_cosine(x);
        off(functions::sin(x), s).max(off(functions::cos(x), c))
    };
    holds(all.chain(near_quarters).map(of).fold(0.0, f64::max));
}

#[test]
fn edges_are_as_in_the_library() {
    let edges = [0.0, -0.0, 1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, -1.0, 1e300, -1e300, 5e-324];
    type Function = fn(f64) -> f64;
    let functions: [(Function, Function); 5] = [
        (functions::exp, f64::exp),
        (functions::ln, f64::ln),
        (functions::tanh, f64::tanh),
        (functions::sin, f64::sin),
        (functions::cos, f64::cos),
    ];
    for (fast, slow) in functions {
        for x in edges {
            let (fast, slow) = (fast(x), slow(x));
            let same = fast.to_bits() == slow.to_bits() || (fast.is_nan() && slow.is_nan());
            assert!(same || (fast - slow).abs() <= slow.abs() * f64::EPSILON, "{x}: {fast}, by std {slow}");
        }
    }
    assert_eq!(functions::exp(710.0), f64::INFINITY);
    assert_eq!(functions::exp(-746.0), 0.0);
    assert!((functions::exp(-740.0) - f64::exp(-740.0)).abs() <= 5e-324);
}
