//! What follows from the bounds on type parameters, whatever they are bound to.

use std::borrow::BorrowMut;
use std::ops::{Add, BitAnd, ShlAssign};

trait Known<T> {
    fn val(self) -> T;
}

/// Absent, whatever would be known.
#[derive(Clone, Copy)]
struct Absent;

impl<T> Known<Option<T>> for Absent {
    fn val(self) -> Option<T> {
        None
    }
}

struct Is<T>(T);

impl<T> Known<Option<T>> for Is<T> {
    fn val(self) -> Option<T> {
        Some(self.0)
    }
}

fn padded<'a, P: Known<Option<f64>>, W: Known<Option<(f64, &'a [f64])>>>(pad: P, wrap: W, x: f64) -> f64 {
    let padding = match pad.val() {
        None => x,
        Some(pad) => pad.abs() + x,
    };
    match wrap.val() {
        None => padding,
        Some((each, end)) => padding + each * end.len() as f64,
    }
}

pub fn two_parameters_bound_to_one_type(x: f64) -> f64 {
    padded(Absent, Absent, x) + padded(Is(x), Absent, 1.0) + padded(Absent, Is((x, &[1.0, 2.0][..])), x)
}

trait Bits: From<u8> + Copy + ShlAssign + BitAnd<Output = Self> {}
impl Bits for u32 {}
impl Bits for u64 {}

trait Wide: Bits + Into<Self::Key>
where
    Self::Key: Bits,
{
    type Key;
    const LOW: Self::Key;
}

impl Wide for u32 {
    type Key = u64;
    const LOW: u64 = 63;
}

fn shifted<T: Wide>(x: T, by: i8) -> T::Key {
    let whole: T::Key = x.into();
    let mut low = whole & T::LOW;
    low <<= ((by as u8) << 1).into();
    low
}

pub fn bounds_in_where_clauses_of_the_trait(x: f64) -> f64 {
    shifted(x.abs() as u32, 2) as f64
}

fn moved<T: Bits>(x: T, by: u8) -> T {
    let mut x = x;
    x <<= by.into();
    x
}

pub fn operand_that_the_bound_says(x: f64) -> f64 {
    moved(x.abs() as u32, 3) as f64
}

trait Failure<Item, Range> {
    fn end() -> Self;
    fn at(item: Item) -> Self;
}

#[derive(Debug)]
struct Text(f64);

impl Failure<u8, f64> for Text {
    fn end() -> Self {
        Text(1.0)
    }
    fn at(item: u8) -> Self {
        Text(item as f64)
    }
}

impl Failure<char, f32> for Text {
    fn end() -> Self {
        Text(2.0)
    }
    fn at(item: char) -> Self {
        Text(item as u32 as f64)
    }
}

trait Failures<Item, Range> {
    type One: Failure<Item, Range>;
    fn add(&mut self, one: Self::One);
}

#[derive(Default)]
struct All(f64);

impl Failures<char, f32> for All {
    type One = Text;
    fn add(&mut self, one: Text) {
        self.0 += one.0;
    }
}

impl Failures<u8, f64> for All {
    type One = Text;
    fn add(&mut self, one: Text) {
        self.0 -= one.0;
    }
}

trait Stream {
    type Item;
    type Range;
    type Error: Failures<Self::Item, Self::Range> + Default;
    fn take(&mut self) -> Option<Self::Item>;
}

type FailureOf<S> =
    <<S as Stream>::Error as Failures<<S as Stream>::Item, <S as Stream>::Range>>::One;

struct Chars(Vec<char>);

impl Stream for Chars {
    type Item = char;
    type Range = f32;
    type Error = All;
    fn take(&mut self) -> Option<char> {
        self.0.pop()
    }
}

trait Parser<S: Stream> {
    fn first(&self) -> f64;

    fn parse(&self, stream: &mut S) -> S::Error {
        let mut error = S::Error::default();
        match stream.take() {
            Some(item) => error.add(Failure::at(item)),
            None => error.add(FailureOf::<S>::end()),
        }
        error
    }
}

struct Number(f64);

impl<S: Stream> Parser<S> for Number {
    fn first(&self) -> f64 {
        self.0
    }
}

fn ended<S: Stream>() -> S::Error {
    let mut error = S::Error::default();
    error.add(FailureOf::<S>::end());
    error
}

pub fn items_of_an_alias_with_arguments(x: f64) -> f64 {
    x + ended::<Chars>().0
}

pub fn default_bodies_assume_the_bounds_of_the_trait(x: f64) -> f64 {
    let parser = Number(x);
    let mut stream = Chars(vec!['b']);
    parser.parse(&mut stream).0 + parser.parse(&mut stream).0 * x
}

#[derive(PartialEq, PartialOrd)]
struct Key(f64);

pub fn compared_after_coercion(x: f64) -> f64 {
    let (number, boxed, key): (&f64, _, _) = (&0.5, Box::new(x), Box::new(Key(x)));
    let (boxed, key) = (&boxed, &key);
    (&Key(0.5) > key) as u8 as f64 + 2.0 * (&Key(0.5) <= key) as u8 as f64 + 4.0 * (number < boxed) as u8 as f64
}

fn advanced<T: Copy + Add<Output = T>, S: BorrowMut<T>>(mut state: S, by: T) -> T {
    let state = state.borrow_mut();
    *state = *state + by;
    *state
}

pub fn borrowed_mutably(x: f64) -> f64 {
    let mut y = x;
    advanced::<f64, _>(&mut y, 1.0) + advanced::<f64, _>(Box::new(y), 2.0) + y
}

trait ByReference {
    fn add(&self, other: &f64) -> f64;
    fn sqrt(&self) -> f64;
    fn max(&self, other: &Self) -> f64;
}

impl ByReference for f64 {
    fn add(&self, other: &f64) -> f64 {
        self + 3.0 * other
    }

    fn sqrt(&self) -> f64 {
        2.0 * self
    }

    fn max(&self, other: &f64) -> f64 {
        self - other
    }
}

impl ByReference for i64 {
    fn add(&self, other: &f64) -> f64 {
        *self as f64 - other
    }

    fn sqrt(&self) -> f64 {
        0.5
    }

    fn max(&self, other: &i64) -> f64 {
        (self * other) as f64
    }
}

trait ByValue {
    fn sqrt(self) -> f64;
}

impl ByValue for f64 {
    fn sqrt(self) -> f64 {
        100.0 * self
    }
}

trait Above: ByReference {
    fn above(&self) -> f64 {
        self.add(&1.0) + self.sqrt()
    }
}

impl Above for f64 {}

struct Held<T>(T);

impl<T: ByReference> Held<T> {
    fn added(&self) -> f64 {
        let by = || self.0.add(&0.25);
        by() + self.0.sqrt()
    }
}

fn of_bound<T: ByReference, F: ByValue + Add<Output = f64>>(t: T, f: F) -> f64 {
    t.add(&f.add_to(0.5)) + t.sqrt() + t.max(&t)
}

trait AddTo {
    fn add_to(self, other: f64) -> f64;
}

impl<F: ByValue> AddTo for F {
    fn add_to(self, other: f64) -> f64 {
        self.sqrt() + other
    }
}

fn boxed(t: Box<impl Above>) -> f64 {
    t.add(&1.0) + t.above()
}

pub fn methods_of_bounds_before_those_of_other_traits(x: f64) -> f64 {
    of_bound(x, 2.0 * x) + of_bound(3_i64, x) + Held(x).added() + boxed(Box::new(x)) + x.add(1.0).sqrt()
}
