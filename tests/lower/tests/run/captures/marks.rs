//! Values that tell when they are dropped.

use std::cell::RefCell;
use std::rc::Rc;
pub type Log = Rc<RefCell<Vec<u8>>>;
/// Writes its digit behind the others when it is dropped.
pub struct Mark(pub Log, pub u8);
impl Drop for Mark {
    fn drop(&mut self) {
        self.0.borrow_mut().push(self.1);
    }
}
pub fn mark(l: &Log, k: u8) -> Mark {
    Mark(l.clone(), k)
}
pub fn log() -> Log {
    Rc::new(RefCell::new(vec![]))
}
pub fn read(l: &Log, x: f64) -> f64 {
    l.borrow().iter().fold(x, |a, b| a * 10.0 + *b as f64)
}
pub struct Pair {
    pub a: Mark,
    pub b: Mark,
    pub c: f64,
}
pub fn pair(l: &Log) -> Pair {
    Pair { a: mark(l, 1), b: mark(l, 2), c: 3.0 }
}
