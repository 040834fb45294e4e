//! Methods of traits: by bound, by impl, by default; associated types, constants and functions.

trait Shape {
    const SIDES: u32;
    type Unit;

    fn area(&self) -> f64;

    fn unit(&self) -> Self::Unit;

    fn describe(&self) -> f64 {
        let a = self.area(); // a: f64
        a * Self::SIDES as f64
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Square(f64);

struct Circle {
    r: f64,
}

impl Shape for Square {
    const SIDES: u32 = 4;
    type Unit = f64;

    fn area(&self) -> f64 {
        self.0 * self.0
    }

    fn unit(&self) -> f64 {
        1.0
    }
}

impl Shape for Circle {
    const SIDES: u32 = 1;
    type Unit = (f64, f64);

    fn area(&self) -> f64 {
        3.0 * self.r * self.r
    }

    fn unit(&self) -> (f64, f64) {
        (1.0, 0.0)
    }

    fn describe(&self) -> f64 {
        self.area() - 1.0
    }
}

fn generic<S: Shape>(s: &S) -> u32 {
    let a = s.area(); // a: f64
    let n = S::SIDES; // n: u32
    if a > 1.0 { n } else { 0 }
}

fn concrete() -> f64 {
    let s = Square(2.0); // s: Square
    let u = s.unit(); // u: f64
    let v = Circle { r: 1.0 }.unit(); // v: (f64, f64)
    let n = generic(&s) + generic(&Circle { r: 1.0 }); // n: u32
    s.describe() + u + v.0 + n as f64
}

trait Zero {
    const ZERO: Self;
    fn zero() -> Self;
}

impl Zero for f64 {
    const ZERO: f64 = 0.0;
    fn zero() -> f64 {
        0.0
    }
}

impl Zero for i32 {
    const ZERO: i32 = 0;
    fn zero() -> i32 {
        0
    }
}

fn sum_all<T: Zero + Copy + std::ops::Add<Output = T>>(xs: &[T]) -> T {
    let mut acc = T::zero(); // acc: f64
    for &x in xs { // x: f64
        acc = acc + x;
    }
    acc + T::ZERO
}

fn sums() -> i32 {
    let a = sum_all(&[1.0, 2.0]); // a: f64
    let b = sum_all(&[1, 2]); // b: i32
    let z: f64 = Zero::zero(); // z: f64
    b + (a + z) as i32
}

fn convert<T: Into<f64>>(x: T) -> f64 {
    let y = x.into(); // y: f64
    y * 2.0
}

fn conversions() -> f64 {
    let a: f64 = 3i32.into(); // a: f64
    let b = f64::from(2u8); // b: f64
    let c: f64 = From::from(1.0f32); // c: f64
    let d = convert(1i32) + convert(2.0f32) + convert(1.0); // d: f64
    let s: String = "a".into(); // s: String
    let t = u32::try_from(5i64).unwrap(); // t: u32
    a + b + c + d + s.len() as f64 + t as f64
}

#[derive(Default, Clone, Debug)]
struct Options {
    tolerance: f64,
    steps: usize,
    name: String,
}

fn defaults() -> Options {
    let x: f64 = Default::default(); // x: f64
    let v = Vec::<f64>::default(); // v: Vec<f64>
    let o = Options { steps: 3, ..Default::default() }; // o: Options
    Options { tolerance: x + v.len() as f64, ..o }
}

trait Named {
    fn name(&self) -> &str;
}

impl<T: Shape> Named for T {
    fn name(&self) -> &str {
        "shape"
    }
}

fn blanket(c: &Circle) -> usize {
    let n = c.name(); // n: &str
    n.len()
}

trait Visitor {
    type Out;
    fn visit(&mut self, x: f64) -> Self::Out;
}

struct Sum {
    total: f64,
}

impl Visitor for Sum {
    type Out = f64;
    fn visit(&mut self, x: f64) -> f64 {
        self.total += x;
        self.total
    }
}

fn drive<V: Visitor<Out = f64>>(v: &mut V, xs: &[f64]) -> f64 {
    let mut last = 0.0; // last: f64
    for x in xs {
        last = v.visit(*x);
    }
    last
}

fn driven() -> f64 {
    drive(&mut Sum { total: 0.0 }, &[1.0])
}

trait Ambiguous {
    fn abs(&self) -> i32;
}

impl Ambiguous for f64 {
    fn abs(&self) -> i32 {
        1
    }
}

fn by_bound<T: Ambiguous>(x: T) -> i32 {
    let bound = x.abs(); // bound: i32
    bound
}

fn by_inherent(x: f64) -> f64 {
    let inherent = x.abs(); // inherent: f64
    let qualified = <f64 as Ambiguous>::abs(&x); // qualified: i32
    inherent + qualified as f64 + by_bound(x) as f64
}

struct Countdown(u32);

impl Iterator for Countdown {
    type Item = u32;
    fn next(&mut self) -> Option<u32> {
        if self.0 == 0 {
            None
        } else {
            self.0 -= 1;
            Some(self.0)
        }
    }
}

fn iterates() -> u32 {
    let mut total = 0; // total: u32
    for n in Countdown(3) { // n: u32
        total += n;
    }
    let doubled: Vec<u32> = Countdown(4).map(|n| n * 2).filter(|n| n % 3 == 0).collect();
    total + doubled.iter().sum::<u32>()
}

mod numbers {
    pub trait Cast: Copy {
        fn from<T: Copy + Into<f64>>(x: T) -> Option<Self>;
        fn shift(self) -> Option<f64>;
    }

    impl Cast for f64 {
        fn from<T: Copy + Into<f64>>(x: T) -> Option<f64> {
            Some(x.into())
        }

        fn shift(self) -> Option<f64> {
            Some(self + 1.0)
        }
    }

    pub trait Real: Cast {}

    impl Real for f64 {}
}

use numbers::Real;

fn casts<T: Real>(x: T) -> T {
    let through_type = f64::from(1.0f32); // through_type: f64
    let through_bound = T::from(through_type); // through_bound: Option<f64>
    let by_method = x.shift(); // by_method: Option<f64>
    by_method.and_then(|y| T::from(y)).or(through_bound).unwrap() // y: f64
}

trait Checked: Copy + std::ops::Mul<Output = Self> {
    fn checked_mul(&self, other: &Self) -> Option<Self>;
}

impl Checked for u64 {
    fn checked_mul(&self, other: &u64) -> Option<u64> {
        u64::checked_mul(*self, *other)
    }
}

struct Pair<T>(T, T);

impl<T: Checked> Pair<T> {
    fn product(&self) -> Option<T> {
        self.0.checked_mul(&self.1)
    }
}

fn power<T: Checked>(base: T, times: u64) -> Option<T> {
    let mut acc = base; // acc: u64
    let steps = times.checked_mul(1)?; // steps: u64
    for _ in 0..steps {
        acc = acc.checked_mul(&base)?;
    }
    acc.checked_mul(&Pair(acc, base).product()?)
}

fn powers() -> Option<u64> {
    power(3u64, 2)
}
