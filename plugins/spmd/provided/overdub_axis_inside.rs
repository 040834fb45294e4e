//! The collectives of an axis, as programs see them; bodies that panic are generated.

pub trait Numbers {}
impl<T: ?Sized> Numbers for T {}

pub trait Mean { fn divided(self, by: f64) -> Self; }
impl Mean for f64 { fn divided(self, by: f64) -> f64 { self / by } }
impl Mean for f32 { fn divided(self, by: f64) -> f32 { self / by as f32 } }
impl<T: Mean> Mean for Vec<T> {
    fn divided(self, by: f64) -> Vec<T> { self.into_iter().map(|x| x.divided(by)).collect() }
}
impl<T: Mean + Copy, const N: usize> Mean for [T; N] {
    fn divided(self, by: f64) -> [T; N] { self.map(|x| x.divided(by)) }
}

pub fn axis_index(axis: &str) -> usize { panic!() }
pub fn axis_size(axis: &str) -> usize { panic!() }
pub fn psum<T>(x: T, axis: &str) -> T { panic!() }
pub fn pmean<T: Mean>(x: T, axis: &str) -> T { psum(x, axis).divided(axis_size(axis) as f64) }
fn argmax<T>(x: T, axis: &str) -> usize { panic!() }
fn argmin<T>(x: T, axis: &str) -> usize { panic!() }
pub fn pmax<T: Copy>(x: T, axis: &str) -> T { broadcast(x, argmax(x, axis), axis) }
pub fn pmin<T: Copy>(x: T, axis: &str) -> T { broadcast(x, argmin(x, axis), axis) }
pub fn all_gather<T>(x: T, axis: &str) -> Vec<T> { panic!() }
pub fn broadcast<T>(x: T, root: usize, axis: &str) -> T { panic!() }
pub fn ppermute<T>(x: T, moves: &[(usize, usize)], axis: &str) -> T { panic!() }
pub fn all_to_all<T>(xs: Vec<T>, axis: &str) -> Vec<T> { panic!() }
