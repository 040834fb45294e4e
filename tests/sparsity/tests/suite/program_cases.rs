//! Patterns of larger programs: algorithms, collections, traits, statics, and texts computed from floats.

use crate::detection_support::{generic, global, hessian, square};

fn of(n: usize, source: &str) -> String {
    global(source, generic(n))
}

/// A function of one slice that returns `body`.
fn of_slice(n: usize, body: &str) -> String {
    of(n, &format!("pub fn f(x: &[f64]) -> Vec<f64> {{ {body} }}"))
}

#[test]
fn elimination_with_pivots_is_dense_in_matrix_and_right_side() {
    let source = "pub fn f(x: &[f64]) -> Vec<f64> {
        let n = 2;
        let mut a: Vec<Vec<f64>> = (0..n).map(|i| x[i * n..(i + 1) * n].to_vec()).collect();
        let mut b = x[n * n..n * n + n].to_vec();
        for k in 0..n {
            let p = (k..n).max_by(|i, j| a[*i][k].abs().partial_cmp(&a[*j][k].abs()).unwrap()).unwrap();
            a.swap(k, p);
            b.swap(k, p);
            for i in k + 1..n {
                let factor = a[i][k] / a[k][k];
                for j in k..n { let pivot = a[k][j]; a[i][j] -= factor * pivot; }
                b[i] -= factor * b[k];
            }
        }
        for k in (0..n).rev() {
            for j in k + 1..n { b[k] = b[k] - a[k][j] * b[j]; }
            b[k] /= a[k][k];
        }
        b.push(x[n * n + n]);
        b
    }";
    assert_eq!(of(7, source), "[1 1 1 1 1 1 0; 1 1 1 1 1 1 0; 0 0 0 0 0 0 1]");
}

#[test]
fn exchanges_at_places_that_depend_on_inputs_keep_the_length() {
    let swapped = "let mut y = x[..3].to_vec(); y.swap(0, x[3] as usize); y.push(x[3]); y";
    assert_eq!(of_slice(4, swapped), "[1 1 1 0; 1 1 0 0; 1 0 1 0; 0 0 0 1]");
}

#[test]
fn a_tridiagonal_solve_is_dense_in_its_right_side() {
    let source = "pub fn f(x: &[f64]) -> Vec<f64> {
        let n = x.len();
        let (mut c, mut d) = (vec![0.0; n], vec![0.0; n]);
        c[0] = -0.25; d[0] = x[0] / 4.0;
        for i in 1..n { let m = 4.0 + c[i - 1]; c[i] = -1.0 / m; d[i] = (x[i] + d[i - 1]) / m; }
        for i in (0..n - 1).rev() { let next = d[i + 1]; d[i] -= c[i] * next; }
        d
    }";
    assert_eq!(of(4, source), square(4, |_, _| true));
}

#[test]
fn iterations_until_they_settle_depend_on_their_parameters() {
    let newton =
        "let mut y = x[0]; while (y * y - x[1]).abs() > 1e-9 { y = 0.5 * (y + x[1] / y); } vec![y, x[2]]";
    assert_eq!(of_slice(3, newton), "[1 1 0; 0 0 1]");
    let bisected = "let (mut a, mut b) = (0.0, 4.0);
        for _ in 0..40 { let m = 0.5 * (a + b); if m * m < x[0] { a = m; } else { b = m; } } vec![a, x[0] * x[1]]";
    let source = format!("pub fn f(x: &[f64]) -> Vec<f64> {{ {bisected} }}");
    // Its derivative by the rules is zero: a bisection depends on its input only through comparisons.
    let found =
        crate::detection_support::Program::new(&source).jacobian(generic(2)).expect("it has a pattern");
    assert_eq!(found.to_string(), "[0 0; 1 1]");
}

#[test]
fn a_step_of_runge_and_kutta_reaches_four_neighbors() {
    let source = "fn slope(u: &[f64]) -> Vec<f64> {
            let n = u.len();
            (0..n).map(|i| if i == 0 { -u[0] } else { u[i - 1] * u[i - 1] - u[i] }).collect()
        }
        fn moved(u: &[f64], k: &[f64], h: f64) -> Vec<f64> { u.iter().zip(k).map(|(u, k)| u + h * k).collect() }
        pub fn f(u: &[f64]) -> Vec<f64> {
            let h = 0.1;
            let k1 = slope(u);
            let k2 = slope(&moved(u, &k1, h / 2.0));
            let k3 = slope(&moved(u, &k2, h / 2.0));
            let k4 = slope(&moved(u, &k3, h));
            (0..u.len()).map(|i| u[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i])).collect()
        }";
    // Differences over this distance are small, but the entries exist.
    let expected = square(7, |row, col| col <= row && row - col <= 4);
    let found =
        crate::detection_support::Program::new(source).jacobian(generic(7)).expect("it has a pattern");
    assert_eq!(found.to_string(), expected);
}

#[test]
fn traits_and_generics_are_followed() {
    let source = "
        trait Term { fn value(&self, x: &[f64]) -> f64; fn twice(&self, x: &[f64]) -> f64 { 2.0 * self.value(x) } }
        struct Product(usize, usize);
        struct Constant(f64);
        impl Term for Product { fn value(&self, x: &[f64]) -> f64 { x[self.0] * x[self.1] } }
        impl Term for Constant { fn value(&self, _: &[f64]) -> f64 { self.0 } }
        fn sum<T: Term + ?Sized>(terms: &[Box<T>], x: &[f64]) -> f64 { terms.iter().map(|t| t.twice(x)).sum() }
        pub fn f(x: &[f64]) -> Vec<f64> {
            let terms: Vec<Box<dyn Term>> = vec![Box::new(Product(0, 1)), Box::new(Constant(3.0))];
            let chosen: &dyn Term = if x[0] > 1.5 { &Product(1, 2) } else { &Constant(1.0) };
            vec![sum(&terms, x), chosen.value(x), sum(&[Box::new(Constant(x[3]))], x)]
        }";
    assert_eq!(of(4, source), "[1 1 0 0; 0 1 1 0; 0 0 0 1]");
}

#[test]
fn operators_of_own_types_are_followed() {
    let source = "
        use std::ops::{Add, Mul, AddAssign};
        #[derive(Clone, Copy, Default)]
        struct Complex { re: f64, im: f64 }
        impl Add for Complex { type Output = Complex; fn add(self, o: Complex) -> Complex { Complex { re: self.re + o.re, im: self.im + o.im } } }
        impl Mul for Complex { type Output = Complex; fn mul(self, o: Complex) -> Complex {
            Complex { re: self.re * o.re - self.im * o.im, im: self.re * o.im + self.im * o.re } } }
        impl AddAssign for Complex { fn add_assign(&mut self, o: Complex) { *self = *self + o; } }
        pub fn f(x: &[f64]) -> Vec<f64> {
            let z = Complex { re: x[0], im: x[1] };
            let mut w = Complex { re: x[2], im: 0.0 };
            w += Complex { re: 0.0, im: x[3] };
            let p = z * z;
            vec![p.re, p.im, w.re, w.im]
        }";
    assert_eq!(of(4, source), "[1 1 0 0; 1 1 0 0; 0 0 1 0; 0 0 0 1]");
}

#[test]
fn collections_are_followed() {
    let deque = "use std::collections::VecDeque;
        pub fn f(x: &[f64]) -> Vec<f64> {
            let mut q: VecDeque<f64> = x.iter().copied().collect();
            let first = q.pop_front().unwrap();
            q.push_back(first * 2.0);
            q.into_iter().collect()
        }";
    assert_eq!(of(3, deque), "[0 1 0; 0 0 1; 1 0 0]");
    let maps = "use std::collections::{BTreeMap, HashMap};
        pub fn f(x: &[f64]) -> Vec<f64> {
            let mut sums: BTreeMap<usize, f64> = BTreeMap::new();
            for (i, v) in x.iter().enumerate() { *sums.entry(i % 2).or_insert(0.0) += v; }
            let named: HashMap<&str, f64> = [(\"a\", x[0]), (\"b\", x[1])].into_iter().collect();
            let mut out: Vec<f64> = sums.values().copied().collect();
            out.push(named[\"b\"]);
            out
        }";
    assert_eq!(of(4, maps), "[1 0 1 0; 0 1 0 1; 0 1 0 0]");
}

#[test]
fn parts_that_are_borrowed_or_taken_are_the_parts() {
    let swapped = "let (mut a, mut b) = (x[0], x[1]); std::mem::swap(&mut a, &mut b); let c = std::mem::replace(&mut a, x[2]); vec![a, b, c]";
    assert_eq!(of_slice(3, swapped), "[0 0 1; 1 0 0; 0 1 0]");
    let split = "let mut y = x.to_vec(); { let (l, r) = y.split_at_mut(2); l[0] += r[0]; r[1] = l[1]; } for c in y.chunks_mut(2) { c[1] *= 2.0; } y";
    assert_eq!(of_slice(4, split), "[1 0 1 0; 0 1 0 0; 0 0 1 0; 0 1 0 0]");
    let chosen = "let mut y = vec![0.0; 3]; { let place = if x[0] > 1.4 { &mut y[0] } else { &mut y[1] }; *place = x[2]; } y";
    assert_eq!(of_slice(3, chosen), "[0 0 1; 0 0 1; 0 0 0]");
    let taken = "let mut o = Some(x[0]); let t = o.take().unwrap_or(x[1]); o = Some(x[2]); vec![t, o.map_or(0.0, |v| v * 2.0)]";
    assert_eq!(of_slice(3, taken), "[1 0 0; 0 0 1]");
}

#[test]
fn functions_of_two_floats_depend_on_both() {
    for body in ["x[0].atan2(x[1])", "x[0].hypot(x[1])", "x[0].powf(x[1])", "x[0].log(x[1])"] {
        assert_eq!(of_slice(3, &format!("vec![{body}]")), "[1 1 0]", "{body}");
    }
    // The quotient is rounded, but the divisor matters.
    for body in ["x[0] % (x[1] * 0.3)", "x[0].rem_euclid(x[1] * 0.3)"] {
        assert_eq!(of_slice(3, &format!("vec![{body}]")), "[1 1 0]", "{body}");
    }
    assert_eq!(of_slice(2, "vec![x[0].copysign(x[1]), x[0].div_euclid(x[1])]"), "[1 0; 0 0]");
}

#[test]
fn statics_and_constants_are_no_inputs() {
    let source = "const SCALE: [f64; 2] = [2.0, 3.0];
        static OFFSET: f64 = 1.0;
        thread_local! { static LAST: std::cell::Cell<f64> = const { std::cell::Cell::new(0.0) }; }
        pub fn f(x: &[f64]) -> Vec<f64> {
            LAST.with(|last| last.set(x[1]));
            vec![SCALE[0] * x[0] + OFFSET, SCALE[1], LAST.with(|last| last.get())]
        }";
    assert_eq!(of(2, source), "[1 0; 0 0; 0 1]");
}

#[test]
fn bits_that_are_moved_and_put_back_are_a_dependence() {
    let moved = "vec![f64::from_bits(x[0].to_bits()), x[1]]";
    assert_eq!(of_slice(2, moved), "[1 0; 0 1]");
}

#[test]
fn texts_between_floats_keep_or_refuse_the_dependence() {
    let source = "pub fn f(x: &[f64]) -> Vec<f64> { vec![x[0].to_string().parse::<f64>().unwrap(), x[1]] }";
    match crate::detection_support::Program::new(source).jacobian(generic(2)) {
        Ok(pattern) => assert!(pattern.contains(0, 0) && pattern.contains(1, 1), "{pattern}"),
        Err(error) => {
            assert!(matches!(error, overdub_sparsity::DetectError::Unsupported { .. }), "{error}");
        }
    }
}

#[test]
fn matrices_of_vectors_are_followed() {
    let source = "fn times(a: &[Vec<f64>], b: &[Vec<f64>]) -> Vec<Vec<f64>> {
            let n = a.len();
            let mut c = vec![vec![0.0; n]; n];
            for i in 0..n { for j in 0..n { for k in 0..n { c[i][j] += a[i][k] * b[k][j]; } } }
            c
        }
        pub fn f(x: &[f64]) -> Vec<f64> {
            let a = vec![vec![x[0], 0.0], vec![x[1], x[2]]];
            times(&a, &a).concat()
        }";
    // A product with a literal zero does not depend on the other factor.
    assert_eq!(of(3, source), "[1 0 0; 0 0 0; 1 1 1; 0 0 1]");
}

#[test]
fn objectives_of_many_bodies_are_dense_in_pairs() {
    let source = "struct Body { place: [f64; 2], mass: f64 }
        pub fn f(x: &[f64]) -> f64 {
            let bodies: Vec<Body> = x.chunks(2).map(|c| Body { place: [c[0], c[1]], mass: 1.0 }).collect();
            let mut energy = 0.0;
            for (i, a) in bodies.iter().enumerate() {
                for b in &bodies[i + 1..] {
                    let r: f64 = a.place.iter().zip(&b.place).map(|(p, q)| (p - q).powi(2)).sum();
                    if r < 100.0 { energy -= a.mass * b.mass / (r + 0.1).sqrt(); }
                }
            }
            energy
        }";
    assert_eq!(hessian(source, generic(6)), square(6, |_, _| true));
}
