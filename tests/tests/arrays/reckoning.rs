//! Arrays: maps, folds, sums and products.

use ndarray::linalg::{general_mat_mul, kron};
use ndarray::prelude::*;
use ndarray::{Zip, azip};

fn wave(n: usize) -> Array1<f64> {
    Array::from_shape_fn(n, |i| (i as f64 * 0.7).sin() * 1e3 + 0.1)
}

fn grid(m: usize, n: usize) -> Array2<f64> {
    Array::from_shape_fn((m, n), |(i, j)| ((i * n + j) as f64 * 0.37).cos() / 3.0 + 1e-3)
}

pub fn maps() -> String {
    let a = grid(2, 3);
    let b = a.map(|x| x * 2.0);
    let c = a.mapv(f64::sqrt);
    let d = a.mapv(|x| x > 0.2);
    let mut e = a.clone();
    e.mapv_inplace(|x| x + 1.0);
    e.map_inplace(|x| *x *= 3.0);
    let f = a.fold(0.0, |s, x| s * 0.5 + x);
    let g = a.clone().mapv_into(|x| -x);
    let h = a.map_axis(Axis(1), |row| row[0] - row[2]);
    let i = a.fold_axis(Axis(0), 1.0, |p, x| p * x);
    let mut k = a.clone();
    k.zip_mut_with(&b, |x, y| *x += y * y);
    k.scaled_add(0.5, &b);
    let m = a.exp() + a.sin().powi(2) + a.abs().sqrt();
    format!("{b:?} {c} {d} {e} {f} {g} {h} {i} {k} {m}")
}

pub fn iterators() -> String {
    let mut a = grid(3, 3);
    let big = a.iter().cloned().fold(f64::NEG_INFINITY, f64::max);
    let n = a.iter().filter(|x| **x > 0.0).count();
    for x in a.iter_mut() {
        *x = x.round();
    }
    for ((i, j), x) in a.indexed_iter_mut() {
        *x += (i + 2 * j) as f64;
    }
    let at: Vec<(usize, usize)> = a.indexed_iter().filter(|(_, x)| **x > 3.0).map(|(at, _)| at).collect();
    let mut total = 0.0;
    for x in &a {
        total += x;
    }
    for x in &mut a {
        *x += 1.0;
    }
    let v: Vec<f64> = a.t().iter().copied().collect();
    let rows: Vec<Vec<f64>> = a.outer_iter().map(|row| row.to_vec()).collect();
    let back: Vec<i32> = array![1, 2, 3].iter().rev().copied().collect();
    let owned: Vec<f64> = a.column(1).to_owned().into_iter().collect();
    let best = a.column(2).iter().enumerate().max_by(|x, y| x.1.partial_cmp(y.1).unwrap()).map(|(i, _)| i);
    format!("{big} {n} {a} {at:?} {total} {v:?} {rows:?} {back:?} {owned:?} {best:?}")
}

pub fn sums() -> String {
    let (v, a) = (wave(37), grid(11, 19));
    let s = v.slice(s![..;2]);
    format!(
        "{} {} {} {} {} {:?} {:?} {} {} {} {} {} {} {} {:?}",
        v.sum(),
        a.sum(),
        a.t().sum(),
        a.column(3).sum(),
        s.sum(),
        v.mean(),
        a.slice(s![2..9, 3..]).mean(),
        a.sum_axis(Axis(0)),
        a.sum_axis(Axis(1)),
        a.t().sum_axis(Axis(0)),
        a.mean_axis(Axis(1)).unwrap(),
        v.product(),
        a.var(1.0),
        a.std_axis(Axis(0), 0.0),
        Array1::<f64>::zeros(0).mean(),
    )
}

pub fn products() -> String {
    let (a, b, v) = (grid(9, 17), grid(17, 5), wave(17));
    let mut c = Array2::ones((9, 5));
    general_mat_mul(0.5, &a, &b, 2.0, &mut c);
    let i = array![[1, 2], [3, 4]];
    format!(
        "{} {} {} {} {} {} {} {} {c}",
        v.dot(&v),
        a.dot(&v),
        v.dot(&b),
        a.dot(&b),
        b.t().dot(&v),
        a.row(0).dot(&b.column(2)),
        i.dot(&i),
        kron(&array![[1.0, 2.0]], &array![[1.0], [0.5]]),
    )
}

pub fn operators() -> String {
    let (a, b) = (grid(2, 3), array![1.0, 2.0, 3.0]);
    let c = &a + &b;
    let d = &a * 2.0 - &b / &a;
    let e = 1.0 - &a;
    let f = a.clone() + b.clone();
    let g = -&a;
    let mut h = a.clone();
    h += &b;
    h -= 1.0;
    h *= &a;
    h /= 2.0;
    let i = array![7, 8, 9] % 4;
    let col = b.view().insert_axis(Axis(1));
    let outer = &col * &b;
    let norm = (&b - &a.row(0)).mapv(|x| x * x).sum().sqrt();
    let lr = 0.1;
    let mut w = b.clone();
    w = w - lr * &b;
    w -= &(lr * &b);
    let same = a == a.clone() && a != e;
    let x: f32 = (&array![1.0f32, 2.0] * 0.5).sum();
    format!("{c} {d} {e} {f} {g} {h} {i} {outer} {norm} {w} {same} {x} {}", &a.view() + &b.view())
}

pub fn zips() -> String {
    let (mut a, b) = (grid(2, 3), grid(2, 3));
    Zip::from(&mut a).and(&b).for_each(|x, &y| *x = *x * 2.0 + y);
    let c = Zip::from(&a).and(&b).map_collect(|x, y| x - y);
    let s = Zip::from(&a).and(&b).fold(0.0, |acc, x, y| acc + x * y);
    let all = Zip::from(&a).and(&b).all(|x, y| x > y);
    let mut norms = Array1::zeros(2);
    Zip::from(&mut norms).and(a.rows()).for_each(|n, row| *n = row.dot(&row));
    Zip::indexed(&mut a).for_each(|(i, j), x| *x += (i * j) as f64);
    azip!((x in &mut a, &y in &b) *x += y);
    let mut d = Array2::zeros((2, 3));
    azip!((index (i, j), z in &mut d, &x in &a, &y in &b) { *z = x * y + i as f64 - j as f64; });
    Zip::from(d.rows_mut()).and(&array![10.0, 20.0]).for_each(|mut row, &k| row += k);
    format!("{a} {c} {s} {all} {norms} {d}")
}

fn mean_of<S: ndarray::Data<Elem = f64>>(a: &ArrayBase<S, Ix1>) -> f64 {
    a.iter().sum::<f64>() / a.len() as f64
}

fn softmax(x: ArrayView1<f64>) -> Array1<f64> {
    let max = x.fold(f64::NEG_INFINITY, |a, &b| a.max(b));
    let e = x.mapv(|v| (v - max).exp());
    let sum = e.sum();
    e / sum
}

fn normalise(mut x: ArrayViewMut1<f64>) {
    let n = x.dot(&x).sqrt();
    x.mapv_inplace(|v| v / n);
}

struct Layer {
    w: Array2<f64>,
    b: Array1<f64>,
}

impl Layer {
    fn forward(&self, x: &Array1<f64>) -> Array1<f64> {
        (self.w.dot(x) + &self.b).mapv(f64::tanh)
    }
}

pub fn programs() -> String {
    let mut a = grid(3, 4);
    let layer = Layer { w: a.clone(), b: array![0.1, -0.2, 0.3] };
    let y = layer.forward(&wave(4));
    normalise(a.row_mut(1));
    let mut x = Array1::<f64>::ones(3);
    let m = array![[4.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 2.0]];
    for _ in 0..20 {
        let next = m.dot(&x);
        let norm = next.dot(&next).sqrt();
        x = next / norm;
    }
    let p = softmax(a.row(0));
    let total: f64 = a.axis_iter(Axis(0)).map(|row| mean_of(&row)).sum();
    let moved = mean_of(&y) + mean_of(&a.column(1));
    format!("{y} {a} {x} {p} {total} {moved} {}", x.dot(&m.dot(&x)))
}

pub fn shown() -> String {
    let a = array![[1.5, 2.0], [3.0, 4.25]];
    let big = Array2::from_shape_fn((40, 40), |(i, j)| i * j);
    let long = Array1::from_iter(0..600);
    format!("{a:?} {a:.3} {:?} {big} {long} {:?} {:6.2}", a.t(), a.slice(s![.., 1]), a.row(1))
}
