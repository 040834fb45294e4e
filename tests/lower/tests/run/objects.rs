//! `dyn Trait` objects.

use std::cell::RefCell;
use std::rc::Rc;

trait Shape {
    fn area(&self) -> f64;
    fn scale(&mut self, k: f64);
    fn doubled(&self) -> f64 {
        self.area() * 2.0
    }
}

struct Circle(f64);
struct Rect {
    w: f64,
    h: f64,
}

impl Shape for Circle {
    fn area(&self) -> f64 {
        3.0 * self.0 * self.0
    }
    fn scale(&mut self, k: f64) {
        self.0 *= k;
    }
}

impl Shape for Rect {
    fn area(&self) -> f64 {
        self.w * self.h
    }
    fn scale(&mut self, k: f64) {
        self.w *= k;
        self.h *= k;
    }
    fn doubled(&self) -> f64 {
        self.area() + 1.0
    }
}

pub fn area_of_shapes(x: f64) -> f64 {
    let shapes: Vec<Box<dyn Shape>> = vec![Box::new(Circle(x)), Box::new(Rect { w: x, h: 2.0 })];
    shapes.iter().map(|s| s.area()).sum()
}

pub fn mutable_objects(x: f64) -> f64 {
    let mut shapes: Vec<Box<dyn Shape>> = vec![Box::new(Circle(x)), Box::new(Rect { w: x, h: 2.0 })];
    for s in shapes.iter_mut() {
        s.scale(2.0);
    }
    shapes[1].scale(0.5);
    shapes.iter().fold(0.0, |acc, s| acc * 2.0 + s.area())
}

trait Named {
    fn rank(&self) -> f64;
}

trait Ranked: Named {
    fn weight(&self) -> f64 {
        self.rank() * 10.0
    }
}

struct Item(f64);

impl Named for Item {
    fn rank(&self) -> f64 {
        self.0 + 1.0
    }
}

impl Ranked for Item {}

pub fn super_methods(x: f64) -> f64 {
    let item: Box<dyn Ranked> = Box::new(Item(x));
    item.weight() + item.rank()
}

pub fn default_methods(x: f64) -> f64 {
    let a: &dyn Shape = &Circle(x);
    let b: &dyn Shape = &Rect { w: 1.0, h: x };
    a.doubled() + b.doubled()
}

fn total<S: Shape + ?Sized>(s: &S) -> f64 {
    s.area() + s.doubled()
}

pub fn generic_over_dyn(x: f64) -> f64 {
    let b: Box<dyn Shape> = Box::new(Circle(x));
    total(&*b) + total(&Circle(1.0))
}

struct Scene {
    shape: Box<dyn Shape>,
    factor: f64,
}

impl Scene {
    fn grow(&mut self) -> f64 {
        self.shape.scale(self.factor);
        self.shape.area()
    }
}

pub fn boxed_dyn_in_struct(x: f64) -> f64 {
    let mut scene = Scene { shape: Box::new(Rect { w: x, h: 1.0 }), factor: 3.0 };
    scene.grow() + scene.grow()
}

fn shrink(s: &mut dyn Shape) {
    s.scale(0.5);
}

pub fn dyn_by_mut_ref(x: f64) -> f64 {
    let mut c = Circle(x);
    shrink(&mut c);
    let mut r = Rect { w: x, h: 4.0 };
    {
        let all: [&mut dyn Shape; 2] = [&mut c, &mut r];
        for s in all {
            s.scale(3.0);
        }
    }
    c.area() + r.area()
}

pub fn shared_objects(x: f64) -> f64 {
    let shared: Rc<RefCell<Box<dyn Shape>>> = Rc::new(RefCell::new(Box::new(Circle(x))));
    let other = Rc::clone(&shared);
    other.borrow_mut().scale(2.0);
    let area = shared.borrow().area();
    area
}

pub fn dyn_fn_table(x: f64) -> f64 {
    let table: Vec<(&str, Box<dyn Fn(f64) -> f64>)> =
        vec![("sin", Box::new(f64::sin)), ("twice", Box::new(|y| 2.0 * y))];
    table.iter().map(|(name, f)| f(x) + name.len() as f64).sum()
}

fn make(kind: u32, x: f64) -> Option<Box<dyn Shape>> {
    match kind {
        0 => Some(Box::new(Circle(x))),
        1 => Some(Box::new(Rect { w: x, h: x })),
        _ => None,
    }
}

pub fn object_returned(x: f64) -> f64 {
    (0..3).filter_map(|k| make(k, x)).map(|s| s.area()).sum()
}

pub fn methods_that_take_the_box(x: f64) -> f64 {
    use std::cell::RefCell;
    use std::rc::Rc;
    type Log = Rc<RefCell<Vec<f64>>>;
    trait Job {
        fn peek(&self) -> f64;
        fn run(self: Box<Self>) -> f64;
        fn run_with(self: Box<Self>, by: Option<f64>) -> f64;
    }
    struct Noisy(Log, f64);
    impl Drop for Noisy {
        fn drop(&mut self) {
            self.0.borrow_mut().push(self.1);
        }
    }
    impl Job for Noisy {
        fn peek(&self) -> f64 {
            self.1
        }
        fn run(self: Box<Self>) -> f64 {
            self.0.borrow_mut().push(10.0);
            self.peek() * 2.0
        }
        fn run_with(self: Box<Self>, by: Option<f64>) -> f64 {
            self.1 * by.unwrap_or(0.5)
        }
    }
    struct Wraps<T>(T);
    impl<T: Job> Job for Wraps<T> {
        fn peek(&self) -> f64 {
            self.0.peek() + 1.0
        }
        fn run(self: Box<Self>) -> f64 {
            Box::new(self.0).run() + 0.5
        }
        fn run_with(self: Box<Self>, by: Option<f64>) -> f64 {
            by.map_or(0.0, |by| by * self.0.peek())
        }
    }
    fn left(log: &Log, x: f64) -> Option<f64> {
        let job: Box<dyn Job> = Box::new(Noisy(log.clone(), 7.0));
        Some(job.run_with(Some(if x > 1.0 { Some(x)? } else { None? })))
    }
    let log = Log::default();
    let mut sum = 0.0;
    {
        let jobs: Vec<Box<dyn Job>> = vec![
            Box::new(Noisy(log.clone(), x)),
            Box::new(Wraps(Noisy(log.clone(), 3.0))),
            Box::new(Wraps(Wraps(Noisy(log.clone(), 4.0)))),
        ];
        for (at, job) in jobs.into_iter().enumerate() {
            log.borrow_mut().push(100.0);
            sum += match at {
                0 => job.run(),
                1 if x > 0.0 => job.run_with(Some(x)),
                _ => job.peek(),
            };
        }
        let kept: Box<dyn Job> = Box::new(Noisy(log.clone(), 5.0));
        if x > 0.5 {
            sum += kept.run();
        }
        sum += left(&log, x).unwrap_or(0.25);
    }
    let order = log.borrow().iter().fold(0.0, |all, v| all * 1.5 + v);
    sum + order + Rc::strong_count(&log) as f64
}

/// An object of a trait that requires `Any` is one of `Any`, too.
pub fn required_any(x: f64) -> f64 {
    use std::any::Any;
    trait Part: Any {
        fn size(&self) -> f64;
    }
    struct Ball(f64);
    impl Part for Ball {
        fn size(&self) -> f64 {
            self.0 * 2.0
        }
    }
    let mut ball = Ball(x);
    let part: &mut dyn Part = &mut ball;
    let any: &mut dyn Any = part;
    any.downcast_mut::<Ball>().unwrap().0 += 3.0;
    let boxed: Box<dyn Part> = Box::new(Ball(x * x));
    let is_number = (boxed.as_ref() as &dyn Any).is::<f64>();
    let seen = (&*boxed as &dyn Any).downcast_ref::<Ball>().map_or(0.0, |ball| ball.0);
    let size = boxed.size();
    let any: Box<dyn Any> = boxed;
    let owned = any.downcast::<Ball>().map_or(0.0, |ball| ball.0);
    ball.0 + seen * 3.0 + size + owned + f64::from(u8::from(is_number))
}

trait Steps {
    fn step(&mut self) -> Option<f64>;
    fn left(&self) -> usize;
}

struct Up {
    at: f64,
    left: usize,
}

impl Steps for Up {
    fn step(&mut self) -> Option<f64> {
        self.left = self.left.checked_sub(1)?;
        self.at += 1.0;
        Some(self.at)
    }

    fn left(&self) -> usize {
        self.left
    }
}

struct Held<T: ?Sized>(std::mem::ManuallyDrop<T>);

impl<T: ?Sized> std::ops::Deref for Held<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: ?Sized> std::ops::DerefMut for Held<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

struct Labelled<A, T: ?Sized> {
    label: A,
    value: T,
}

/// Structs whose last field becomes an object.
pub fn objects_in_last_fields(x: f64) -> f64 {
    trait Area {
        fn area(&self) -> f64;
    }
    impl Area for f64 {
        fn area(&self) -> f64 {
            self * self
        }
    }
    let mut steps: Box<Held<dyn Steps>> = Box::new(Held(std::mem::ManuallyDrop::new(Up { at: x, left: 3 })));
    let mut sum = 0.0;
    while let Some(step) = steps.step() {
        sum += step * (1 + steps.left()) as f64;
    }
    let lone = Labelled { label: 3_u8, value: x };
    let lent: &Labelled<u8, dyn Area> = &lone;
    let owned: Box<Labelled<f64, dyn Area>> = Box::new(Labelled { label: x, value: 2.0 * x });
    let shared: Rc<Labelled<f64, dyn Area>> = Rc::new(Labelled { label: 1.0, value: x });
    sum + lent.value.area() * f64::from(lent.label) + owned.value.area() * owned.label + shared.clone().value.area() * shared.label
}
