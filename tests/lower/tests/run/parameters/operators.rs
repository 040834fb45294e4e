//! Operators of which an impl is left, once those are rejected whose where clauses do not hold.

use std::ops::Mul;
#[derive(Clone)]
struct Row<T>(Vec<T>);
struct Part<'a, T: 'a>(&'a mut Row<T>);
impl<T: Copy + Mul<T, Output = T>> Mul<Row<T>> for Row<T> {
    type Output = Row<T>;
    fn mul(self, o: Row<T>) -> Row<T> {
        Row(self.0.iter().zip(&o.0).map(|(a, b)| *a * *b).collect())
    }
}
impl<'b, 'a, T: Copy + Mul<T, Output = T>> Mul<T> for &'b Part<'a, T> {
    type Output = Row<T>;
    fn mul(self, k: T) -> Row<T> {
        Row(self.0.0.iter().map(|v| *v * k).collect())
    }
}
impl<'b, 'a, T: Copy + Mul<T, Output = T>> Mul<Row<T>> for &'b Part<'a, T> {
    type Output = Row<T>;
    fn mul(self, o: Row<T>) -> Row<T> {
        Row(self.0.0.iter().zip(&o.0).map(|(a, b)| *a * *b).collect())
    }
}
impl<T: Copy + From<f32>> Row<T> {
    fn ones(n: usize) -> Row<T> {
        Row(vec![T::from(1.0); n])
    }
}
impl<T> Row<T> {
    fn len(&self) -> usize {
        self.0.len()
    }
}
// A row is no scalar, since it is not `Copy`: one impl is left while the scalar is unknown.
pub fn product(x: f64) -> f64 {
    let mut ones = Row::ones(2);
    let other: Row<f64> = Row(vec![x, 2.0]);
    let n;
    {
        let part = Part(&mut ones);
        let product = &part * other;
        n = product.len();
    }
    let last: Row<f64> = ones;
    last.0[0] * x + n as f64
}
