//! Operators: built in, overloaded, by reference, mixed.

use std::ops::{Add, AddAssign, Index, IndexMut, Mul, Neg, Sub};

#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
struct V2 {
    x: f64,
    y: f64,
}

impl Add for V2 {
    type Output = V2;
    fn add(self, o: V2) -> V2 {
        V2 { x: self.x + o.x, y: self.y + o.y }
    }
}

impl<'a> Sub<&'a V2> for &'a V2 {
    type Output = V2;
    fn sub(self, o: &V2) -> V2 {
        V2 { x: self.x - o.x, y: self.y - o.y }
    }
}

impl Mul<f64> for V2 {
    type Output = V2;
    fn mul(self, k: f64) -> V2 {
        V2 { x: self.x * k, y: self.y * k }
    }
}

impl Mul<V2> for f64 {
    type Output = V2;
    fn mul(self, v: V2) -> V2 {
        v * self
    }
}

impl Mul for V2 {
    type Output = f64;
    fn mul(self, o: V2) -> f64 {
        self.x * o.x + self.y * o.y
    }
}

impl Neg for V2 {
    type Output = V2;
    fn neg(self) -> V2 {
        V2 { x: -self.x, y: -self.y }
    }
}

impl AddAssign for V2 {
    fn add_assign(&mut self, o: V2) {
        self.x += o.x;
        self.y += o.y;
    }
}

fn overloaded(a: V2, b: V2) -> f64 {
    let s = a + b; // s: V2
    let d = &a - &b; // d: V2
    let k = a * 2.0; // k: V2
    let l = 2.0 * a; // l: V2
    let p = a * b; // p: f64
    let n = -a; // n: V2
    let mut acc = s; // acc: V2
    acc += d;
    let less = k < l; // less: bool
    if less || n == acc { p } else { 0.0 }
}

struct Matrix {
    data: Vec<f64>,
    cols: usize,
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.data[i * self.cols + j]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.data[i * self.cols + j]
    }
}

fn indexed(m: &mut Matrix) -> f64 {
    m[(0, 1)] = 2.0;
    m[(0, 0)] += 1.0;
    let x = m[(0, 1)]; // x: f64
    x
}

fn references(xs: &[f64], a: &f64) -> f64 {
    let b = a * 2.0; // b: f64
    let c = 2.0 * a; // c: f64
    let d = xs[0] * a - *a; // d: f64
    let e = -a; // e: f64
    let mut f = 0.0; // f: f64
    for x in xs {
        f += x;
        f = f * x;
    }
    let g: f64 = xs.iter().map(|x| x - b).map(|x| x * x).sum::<f64>() / xs.len() as f64;
    b + c + d + e + f + g
}

fn compares(a: &str, b: String, xs: &[f64], ys: &Vec<f64>) -> bool {
    let p = a == b; // p: bool
    let q = b == "x"; // q: bool
    let r = xs == [1.0, 2.0]; // r: bool
    let s = (1, 2.0) < (2, 1.0); // s: bool
    let t = Some(1) == None; // t: bool
    let u = ys[0] > xs[0] && xs.len() != 0; // u: bool
    p || q || r || s || t || u
}

fn scaled<T>(x: T, k: f64) -> T
where
    T: Mul<f64, Output = T> + Add<Output = T> + Copy,
{
    let y = x * k; // y: f64
    y + x
}

fn scale_all() -> f64 {
    let v = scaled(V2 { x: 1.0, y: 2.0 }, 2.0); // v: V2
    v.x + scaled(1.0, 2.0)
}
