//! A numeric trait with the names of methods of floats and integers, and its iterators.

use std::fmt::Debug;
use std::ops::{Add, Mul, Sub};
trait Num: Copy + PartialOrd + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Debug {
    const ZERO: Self;
    const ONE: Self;
    fn from_i(i: i64) -> Self;
    fn sqrt(self) -> Self;
    fn abs(self) -> Self {
        if self < Self::ZERO { Self::ZERO - self } else { self }
    }
    fn powi(self, n: i32) -> Self {
        (0..n).fold(Self::ONE, |a, _| a * self)
    }
    fn max(self, o: Self) -> Self {
        if self > o { self } else { o }
    }
    fn to_bits(self) -> u64 {
        5
    }
    fn is_nan(self) -> bool {
        true
    }
    fn len(&self) -> usize {
        11
    }
    fn floor(self) -> Self {
        self - Self::ONE
    }
}
impl Num for f64 {
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;
    fn from_i(i: i64) -> f64 {
        i as f64 + 0.5
    }
    fn sqrt(self) -> f64 {
        f64::sqrt(self.abs())
    }
}
impl Num for i64 {
    const ZERO: i64 = 0;
    const ONE: i64 = 1;
    fn from_i(i: i64) -> i64 {
        i
    }
    fn sqrt(self) -> i64 {
        (self as f64).sqrt() as i64
    }
}
fn norm<T: Num>(v: &[T], k: i64) -> (T, T, u64, bool, T, T, i64) {
    let s = v.iter().fold(T::ZERO, |a, &x| a + x.abs() * x);
    let m = v.iter().copied().fold(T::from_i(k), |a, b| a.max(b));
    let z = v[0] - v[1] * T::ONE;
    (
        s.sqrt(),
        m,
        z.to_bits(),
        (z * z).is_nan(),
        z.powi(3).floor(),
        (v[0] + v[1]).abs().floor(),
        k.abs() + v.len() as i64 + v[0].len() as i64,
    )
}
struct Acc<T: Num> {
    s: T,
    n: i64,
}
impl<T: Num> Acc<T> {
    fn push(&mut self, x: T) -> &mut Self {
        self.s = self.s + x.floor();
        self.n = self.n.abs() + 1;
        self
    }
    fn mean(&self) -> (T, i64) {
        let t = self.s;
        let u = {
            let w = t * T::ONE;
            w.floor()
        };
        (u.max(self.s), self.n.pow(2))
    }
}
impl<T: Num> Extend<T> for Acc<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, it: I) {
        it.into_iter().for_each(|x| {
            self.push(x.abs().floor());
        })
    }
}
pub fn nums(x: i64) -> String {
    let mut a = Acc { s: 1.25, n: -4 };
    a.push(x as f64).push(2.75);
    a.extend([1.5, -3.5]);
    let mut b = Acc { s: x, n: -x };
    b.extend(vec![x, 4].into_iter().map(|q| q * 2));
    format!("{:?} {:?} {:?} {:?}", norm(&[x as f64, -2.5], x), norm(&[x, 3], -x), a.mean(), b.mean())
}

// Each of the four is the first instance of a function.
pub fn firsts(x: i64) -> f64 {
    let (mut a, mut b) = (Acc { s: 1.25, n: -4 }, Acc { s: 1.25, n: -4 });
    a.extend([x as f64, 2.5]);
    b.extend(vec![x as f64, 2.5]);
    a.s * 100.0 + b.s
}
