//! Parameters without bounds, and a trait of every type.

pub trait Ext {
    fn abs(&self) -> i64;
    fn len(&self) -> i64 {
        7
    }
}
impl<T> Ext for T {
    fn abs(&self) -> i64 {
        42
    }
}
fn g<T>(x: T) -> i64 {
    x.abs()
}
fn h<T>(x: &[T]) -> i64 {
    x.iter().map(|x| x.abs()).sum::<i64>() + x.len() as i64
}
fn i<T: Clone>(x: T) -> i64 {
    x.clone().len()
}
fn j<T: Default>() -> i64 {
    T::default().abs()
}
fn k<T: Iterator>(t: T) -> i64 {
    t.map(|x| x.abs()).sum()
}
fn l<T: Iterator<Item = i64>>(t: T) -> i64 {
    t.map(|x| i64::abs(x) + x.pow(2)).sum()
}
pub fn f(x: i64) -> Vec<i64> {
    vec![g(x), h(&[x, 2]), i(String::new()), j::<i64>(), k(vec![x].into_iter()), l(vec![x].into_iter())]
}
