//! Objects of traits that require `Fn`: called, cloned, converted, dropped.

use std::cell::Cell;
use std::rc::Rc;

/// A function of several numbers.
pub trait Func: Fn(&[f64]) -> f64 {}
impl<T: Fn(&[f64]) -> f64> Func for T {}

/// A function with a state.
pub trait Step: FnMut(f64) -> f64 {
    fn twice(&mut self, x: f64) -> f64;
}

impl<T: FnMut(f64) -> f64> Step for T {
    fn twice(&mut self, x: f64) -> f64 {
        let y = self(x);
        self(y)
    }
}

/// A function that can be cloned behind a box.
pub trait Map: Fn(f64) -> f64 {
    fn boxed(&self) -> Box<dyn Map>;
}

impl<T: 'static + Clone + Fn(f64) -> f64> Map for T {
    fn boxed(&self) -> Box<dyn Map> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn Map> {
    fn clone(&self) -> Self {
        (**self).boxed()
    }
}

/// A trait whose supertrait's supertrait is callable.
pub trait Named: Map + Send {
    fn name(&self) -> f64 {
        2.0
    }
}

impl<T: Map + Send> Named for T {}

fn by_reference(f: &dyn Fn(f64) -> f64, x: f64) -> f64 {
    f(x)
}

fn by_type<F: Fn(f64) -> f64>(f: F, x: f64) -> f64 {
    f(x) + 1.0
}

pub fn called(x: f64) -> f64 {
    let fs: Vec<Box<dyn Func>> = vec![Box::new(|v: &[f64]| v[0] * v[1]), Box::new(move |v: &[f64]| v[0] + x)];
    let borrowed: &dyn Func = &|v: &[f64]| v[1];
    fn plain(v: &[f64]) -> f64 {
        v.len() as f64
    }
    let item: &dyn Func = &plain;
    fs.iter().map(|f| f(&[x, 3.0])).sum::<f64>() + borrowed(&[1.0, x]) + item(&[1.0])
}

pub fn with_state(x: f64) -> f64 {
    let mut count = 0.0;
    let mut step: Box<dyn Step> = Box::new(move |y| {
        count += 1.0;
        y * x + count
    });
    step(1.0) * 1000.0 + step.twice(2.0) + step(0.5)
}

pub fn cloned_and_passed_on(x: f64) -> f64 {
    let map: Box<dyn Map> = Box::new(move |y| y - x);
    let copy = map.clone();
    by_reference(&copy, 3.0) + by_type(&copy, 4.0) * 10.0 + by_type(&*map, 5.0) * 100.0
}

pub fn converted(x: f64) -> f64 {
    let map: Box<dyn Map> = Box::new(move |y| y / 3.0 - x);
    let plain: Box<dyn Fn(f64) -> f64> = map;
    let shared: Rc<dyn Func> = Rc::new(move |v: &[f64]| v[0] * x);
    let again = shared.clone();
    let nested: Box<dyn Func> = Box::new(move |v: &[f64]| again(v) + 1.0);
    let boxed_twice: Box<dyn Func> = Box::new(nested);
    plain(7.0) + boxed_twice(&[2.0]) + shared(&[x])
}

pub fn required_from_far(x: f64) -> f64 {
    let named: Box<dyn Named> = Box::new(move |y| y * x);
    named(4.0) * named.name()
}

pub fn dropped(x: f64) -> f64 {
    struct Mark<'a>(&'a Cell<f64>);
    impl Drop for Mark<'_> {
        fn drop(&mut self) {
            self.0.set(self.0.get() * 10.0 + 1.0);
        }
    }
    let log = Cell::new(0.0);
    let result = {
        let mark = Mark(&log);
        let func: Box<dyn Func + '_> = Box::new(|v: &[f64]| v[0] + mark.0.get());
        let moved: Box<dyn Func + '_> = func;
        moved(&[x])
    };
    result + 1000.0 * log.get()
}

/// What a trait requires of an associated type of its supertrait.
pub trait Source {
    type Item;
    fn get(&self) -> Self::Item;
}

pub trait Numbers: Source<Item = f64> {
    fn doubled(&self) -> f64 {
        self.get() * 2.0
    }
}

impl Source for f64 {
    type Item = f64;
    fn get(&self) -> f64 {
        *self
    }
}

impl Numbers for f64 {}

pub fn associated_type_of_a_supertrait(x: f64) -> f64 {
    let numbers: &dyn Numbers = &x;
    let got = numbers.get();
    got * 0.5 + numbers.doubled()
}
