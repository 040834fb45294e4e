//! Generic code: bounds on references, const generics, blanket impls, extension traits, impls for closures.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt::{Debug, Display};
use std::marker::PhantomData;
use std::ops::{Add, Deref, Index, Mul, Sub};

fn by_ref<T>(a: &T, b: &T) -> T
where
    for<'a> &'a T: Add<&'a T, Output = T> + Mul<&'a T, Output = T>,
{
    let s = a + b; // s: f64
    let p = &s * a; // p: f64
    p
}

fn use_by_ref() -> f64 {
    by_ref(&1.0, &2.0)
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Vector<const N: usize>([f64; N]);

impl<const N: usize> Vector<N> {
    const ZERO: Self = Vector([0.0; N]);
    const LEN: usize = N;

    fn dot(&self, other: &Self) -> f64 {
        self.0.iter().zip(&other.0).map(|(a, b)| a * b).sum()
    }

    fn head(&self) -> [f64; 2] {
        let pair = [self.0[0], self.0[Self::LEN - 1]]; // pair: [f64; 2]
        pair
    }
}

impl<const N: usize> Add for Vector<N> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let mut out = Self::ZERO; // out: Vector<3>
        for (i, (a, b)) in self.0.iter().zip(other.0).enumerate() { // i: usize | a: &f64 | b: f64
            out.0[i] = a + b;
        }
        out
    }
}

impl<const N: usize> std::iter::Sum for Vector<N> {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::ZERO, |a, b| a + b) // a: Vector<3> | b: Vector<3>
    }
}

fn vectors() -> f64 {
    let v = Vector([1.0, 2.0, 3.0]); // v: Vector<3>
    let w = v + v; // w: Vector<3>
    let total: Vector<3> = [v, w].into_iter().sum();
    let squares = std::array::from_fn::<f64, 4, _>(|i| (i * i) as f64); // squares: [f64; 4] | i: usize
    let mapped = squares.map(|x| x + 1.0); // mapped: [f64; 4]
    v.dot(&w) + total.head()[0] + mapped[0]
}

trait Field: Copy + Add<Output = Self> + Mul<Output = Self> + Sub<Output = Self> + PartialOrd + Default {
    fn one() -> Self;
    fn of(x: f64) -> Self;
}

macro_rules! field {
    ($($T:ty)*) => {$(
        impl Field for $T {
            fn one() -> Self { 1.0 }
            fn of(x: f64) -> Self { x as $T }
        }
    )*};
}

field! { f32 f64 }

fn poly<F: Field>(coefficients: &[F], x: F) -> F {
    let mut power = F::one(); // power: f64
    let mut total = F::default(); // total: f64
    for &c in coefficients { // c: f64
        total = total + c * power;
        power = power * x;
    }
    let half = F::of(0.5); // half: f64
    if total > half { total - half } else { total }
}

fn polys() -> f64 {
    let a = poly(&[1.0, 2.0], 3.0); // a: f64
    let b = poly(&[1.0f32], 2.0); // b: f32
    a + b as f64
}

trait Evaluate {
    fn evaluate(&self, x: f64) -> f64;
}

impl<F: Fn(f64) -> f64> Evaluate for F {
    fn evaluate(&self, x: f64) -> f64 {
        self(x)
    }
}

fn newton<E: Evaluate, D: Evaluate + ?Sized>(f: &E, d: &D, x: f64) -> f64 {
    x - f.evaluate(x) / d.evaluate(x)
}

fn roots(k: f64) -> f64 {
    let f = |x: f64| x * x - k;
    let next = newton(&f, &|x: f64| 2.0 * x, 1.0); // next: f64
    next + f.evaluate(1.0) + f64::sin.evaluate(1.0)
}

trait Stats: Iterator {
    fn mean(self) -> f64
    where
        Self: Sized + Iterator<Item = f64>,
    {
        let (n, total) = self.fold((0, 0.0), |(n, t), x| (n + 1, t + x)); // n: i32 | total: f64 | t: f64 | x: f64
        total / n as f64
    }
}

impl<I: Iterator> Stats for I {}

fn means(xs: &[f64]) -> f64 {
    xs.iter().copied().mean() + xs.iter().map(|x| x.ln()).mean()
}

struct Wrapper<T> {
    inner: Vec<T>,
}

impl<T> Deref for Wrapper<T> {
    type Target = Vec<T>;
    fn deref(&self) -> &Vec<T> {
        &self.inner
    }
}

impl<T> FromIterator<T> for Wrapper<T> {
    fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> Self {
        Wrapper { inner: iter.into_iter().collect() }
    }
}

impl<'a, T> IntoIterator for &'a Wrapper<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.inner.iter()
    }
}

fn wrapped() -> f64 {
    let w: Wrapper<f64> = (0..3).map(|i| i as f64).collect(); // i: i32
    let n = w.len(); // n: usize
    let first = w.first().copied().unwrap_or_default(); // first: f64
    let mut total = w[0] + first; // total: f64
    for x in &w { // x: &f64
        total += x;
    }
    total + n as f64
}

fn total_of<I>(items: I) -> f64
where
    I: IntoIterator,
    I::Item: Into<f64>,
{
    let mut total = 0.0; // total: f64
    for item in items {
        total += item.into();
    }
    total
}

fn totals() -> f64 {
    total_of(vec![1.0f32, 2.0]) + total_of([1i32, 2]) + total_of(std::iter::once(2.0))
}

struct Typed<T, U = f64> {
    value: U,
    marker: PhantomData<T>,
}

impl<T: Default + Into<f64>> Typed<T> {
    fn new(value: f64) -> Self {
        Typed { value, marker: PhantomData }
    }

    fn shifted(&self) -> f64 {
        self.value + T::default().into()
    }
}

fn typed() -> f64 {
    let t = Typed::<i32>::new(2.0); // t: Typed<i32, f64>
    t.shifted()
}

trait Monoid {
    type Elem: Copy;
    const UNIT: Self::Elem;
    fn join(a: Self::Elem, b: Self::Elem) -> Self::Elem;
}

struct Product;
struct Longest;

impl Monoid for Product {
    type Elem = f64;
    const UNIT: f64 = 1.0;
    fn join(a: f64, b: f64) -> f64 {
        a * b
    }
}

impl Monoid for Longest {
    type Elem = (usize, bool);
    const UNIT: (usize, bool) = (0, false);
    fn join(a: (usize, bool), b: (usize, bool)) -> (usize, bool) {
        if a.0 > b.0 { a } else { b }
    }
}

fn reduce<M: Monoid>(items: &[M::Elem]) -> M::Elem {
    items.iter().fold(M::UNIT, |a, &b| M::join(a, b))
}

fn reduced() -> f64 {
    let p = reduce::<Product>(&[1.0, 2.0]); // p: f64
    let (n, ok) = reduce::<Longest>(&[(1, true)]); // n: usize | ok: bool
    if ok { p } else { n as f64 }
}

fn show_all<T: Display + Debug>(items: &[T]) -> String {
    let mut out = String::new(); // out: String
    for (i, item) in items.iter().enumerate() { // i: usize | item: &f64
        out.push_str(&format!("{i}: {item} {item:?}, "));
    }
    out
}

fn shown() -> usize {
    show_all(&[1.0, 2.0]).len() + show_all(&["a"]).len()
}

fn collections(words: &[&str]) -> usize {
    let mut counts = HashMap::new(); // counts: HashMap<&str, i32, RandomState>
    for word in words { // word: &&str
        *counts.entry(*word).or_insert(0) += 1;
    }
    let mut sorted: BTreeMap<_, Vec<_>> = BTreeMap::new(); // sorted: BTreeMap<i32, Vec<&str>>
    for (word, n) in &counts { // word: &&str | n: &i32
        sorted.entry(*n).or_default().push(*word);
    }
    let mut queue = VecDeque::from([1, 2]); // queue: VecDeque<usize>
    while let Some(x) = queue.pop_front() { // x: usize
        if x < sorted.len() {
            queue.push_back(x + 1);
        }
    }
    sorted.values().map(|list| list.len()).sum() // list: &Vec<&str>
}

fn matrix<M: Index<(usize, usize), Output = f64>>(m: &M) -> f64 {
    let x = m[(0, 1)]; // x: f64
    x
}

struct Grid {
    cells: Vec<Vec<f64>>,
}

impl Index<(usize, usize)> for Grid {
    type Output = f64;
    fn index(&self, at: (usize, usize)) -> &f64 {
        &self.cells[at.0][at.1]
    }
}

fn grids() -> f64 {
    let mut cells = vec![vec![0.0; 2]; 2]; // cells: Vec<Vec<f64>>
    cells[0][1] = 1.0;
    let transposed: Vec<Vec<f64>> = (0..2).map(|j| cells.iter().map(|row| row[j]).collect()).collect(); // j: usize | row: &Vec<f64>
    matrix(&Grid { cells: transposed })
}
