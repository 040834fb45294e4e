//! Items named through a parameter.

pub trait Ext {
    fn abs(&self) -> i64;
    fn new() -> i64
    where
        Self: Sized,
    {
        9
    }
}
impl<T> Ext for T {
    fn abs(&self) -> i64 {
        42
    }
}
fn g<T>(x: T) -> i64 {
    T::abs(&x)
}
fn h<T>(_x: T) -> i64 {
    T::new()
}
fn i<T>(x: T) -> i64 {
    <T>::abs(&x) + Ext::abs(&x)
}
pub fn f(x: i64) -> Vec<i64> {
    vec![g(x), h(String::new()), i(x)]
}
