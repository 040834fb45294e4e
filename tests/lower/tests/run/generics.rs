//! Generics, traits and operators, one instance at a time.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Add, AddAssign, Deref, DerefMut, Index, Mul, Neg, Sub};

fn horner<T: Copy + Add<Output = T> + Mul<Output = T> + Default>(cs: &[T], x: T) -> T {
    cs.iter().rev().fold(T::default(), |acc, &c| acc * x + c)
}

pub fn horner_types(x: f64) -> f64 {
    horner(&[1.0, x, 2.0], x) + horner(&[1i64, 2, 3], 4) as f64 + f64::from(horner(&[0.5f32, 0.25], 2.0))
}

fn dot<T>(a: &[T], b: &[T]) -> T
where
    T: Copy + Mul<Output = T> + std::iter::Sum,
{
    a.iter().zip(b).map(|(&a, &b)| a * b).sum()
}

pub fn dot_generic(x: f64) -> f64 {
    dot(&[x, 2.0], &[3.0, x]) + dot(&[1, 2, 3], &[4, 5, 6]) as f64
}

struct Poly<const N: usize> {
    cs: [f64; N],
}

impl<const N: usize> Poly<N> {
    const DEGREE: usize = N - 1;

    fn at(&self, x: f64) -> f64 {
        let mut y = 0.0;
        for i in (0..N).rev() {
            y = y * x + self.cs[i];
        }
        y
    }

    fn twice(self) -> Poly<N> {
        Poly { cs: self.cs.map(|c| 2.0 * c) }
    }
}

pub fn const_generic(x: f64) -> f64 {
    Poly { cs: [1.0, x, 3.0] }.twice().at(x) + Poly::<5>::DEGREE as f64 + Poly { cs: [x] }.at(9.0)
}

trait Unit {
    const FACTOR: f64;
    const NAME: &'static str = "unit";
    fn convert(x: f64) -> f64 {
        x * Self::FACTOR + Self::NAME.len() as f64
    }
}

struct Metre;
struct Foot;

impl Unit for Metre {
    const FACTOR: f64 = 1.0;
}

impl Unit for Foot {
    const FACTOR: f64 = 0.3048;
    const NAME: &'static str = "foot";
}

fn total<A: Unit, B: Unit>(x: f64) -> f64 {
    A::convert(x) + 2.0 * B::convert(x)
}

pub fn trait_consts(x: f64) -> f64 {
    total::<Metre, Foot>(x) + total::<Foot, Foot>(1.0)
}

trait System {
    type State: Clone;
    fn start(&self) -> Self::State;
    fn step(&self, s: &Self::State, dt: f64) -> Self::State;
    fn energy(&self, s: &Self::State) -> f64;
}

struct Spring(f64);
struct Decay;

impl System for Spring {
    type State = (f64, f64);
    fn start(&self) -> (f64, f64) {
        (1.0, 0.0)
    }
    fn step(&self, &(x, v): &(f64, f64), dt: f64) -> (f64, f64) {
        (x + dt * v, v - dt * self.0 * x)
    }
    fn energy(&self, s: &Self::State) -> f64 {
        s.0 * s.0 * self.0 + s.1 * s.1
    }
}

impl System for Decay {
    type State = Vec<f64>;
    fn start(&self) -> Vec<f64> {
        vec![1.0, 2.0]
    }
    fn step(&self, s: &Vec<f64>, dt: f64) -> Vec<f64> {
        s.iter().map(|x| x - dt * x).collect()
    }
    fn energy(&self, s: &Vec<f64>) -> f64 {
        s.iter().sum()
    }
}

fn simulate<S: System>(system: &S, n: usize) -> f64 {
    let mut state = system.start();
    let before = state.clone();
    for _ in 0..n {
        state = system.step(&state, 0.1);
    }
    system.energy(&state) - system.energy(&before)
}

pub fn assoc_types(x: f64) -> f64 {
    simulate(&Spring(x), 5) + simulate(&Decay, 3)
}

#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Default)]
struct V2 {
    x: f64,
    y: f64,
}

impl Add for V2 {
    type Output = V2;
    fn add(self, o: V2) -> V2 {
        V2 { x: self.x + o.x, y: self.y + o.y }
    }
}

impl<'a> Add<&'a V2> for &V2 {
    type Output = V2;
    fn add(self, o: &V2) -> V2 {
        V2 { x: self.x + o.x + 1.0, y: self.y + o.y }
    }
}

impl Sub for V2 {
    type Output = V2;
    fn sub(self, o: V2) -> V2 {
        self + -o
    }
}

impl Mul<f64> for V2 {
    type Output = V2;
    fn mul(self, k: f64) -> V2 {
        V2 { x: self.x * k, y: self.y * k }
    }
}

impl Mul<V2> for f64 {
    type Output = V2;
    fn mul(self, v: V2) -> V2 {
        v * self
    }
}

impl Neg for V2 {
    type Output = V2;
    fn neg(self) -> V2 {
        V2 { x: -self.x, y: -self.y }
    }
}

impl AddAssign for V2 {
    fn add_assign(&mut self, o: V2) {
        self.x += o.x;
        self.y += o.y;
    }
}

impl std::iter::Sum for V2 {
    fn sum<I: Iterator<Item = V2>>(iter: I) -> V2 {
        iter.fold(V2::default(), |a, b| a + b)
    }
}

pub fn operator_impls(x: f64) -> f64 {
    let a = V2 { x, y: 1.0 };
    let b = 2.0 * a - V2 { x: 1.0, y: x };
    let c = &a + &b;
    let s: V2 = [a, b, c].into_iter().sum();
    s.x + s.y * 10.0 + if a < b { 0.5 } else { 0.25 } + if a == b { 1.0 } else { 0.0 }
}

struct Fib {
    a: f64,
    b: f64,
}

impl Iterator for Fib {
    type Item = f64;
    fn next(&mut self) -> Option<f64> {
        let out = self.a;
        (self.a, self.b) = (self.b, self.a + self.b);
        Some(out)
    }
}

pub fn iterator_impl(x: f64) -> f64 {
    let mut fib = Fib { a: x, b: 1.0 };
    let first = fib.next().unwrap();
    let by_ref: f64 = fib.by_ref().take(4).sum();
    first
        + by_ref * 100.0
        + fib.skip_while(|y| y.abs() < 20.0).step_by(2).take(2).fold(0.0, |a, b| a * 0.5 + b)
}

struct Quantity<U> {
    value: f64,
    unit: PhantomData<U>,
}

impl<U: Unit> Quantity<U> {
    fn new(value: f64) -> Self {
        Quantity { value, unit: PhantomData }
    }
    fn to<V: Unit>(&self) -> Quantity<V> {
        Quantity::new(self.value * U::FACTOR / V::FACTOR)
    }
}

pub fn phantom_units(x: f64) -> f64 {
    Quantity::<Foot>::new(x).to::<Metre>().value + Quantity::<Metre>::new(1.0).to::<Foot>().value
}

fn largest<T: PartialOrd + Copy>(items: &[T]) -> Option<T> {
    let mut it = items.iter();
    let mut best = *it.next()?;
    for &item in it {
        if item > best {
            best = item;
        }
    }
    Some(best)
}

pub fn default_generic(x: f64) -> f64 {
    largest(&[1.0, x, 2.0]).unwrap_or_default()
        + largest::<i32>(&[]).unwrap_or_default() as f64
        + largest(&['a', 'z', 'c']).map_or(0.0, |c| c as u32 as f64)
}

struct Celsius(f64);
struct Kelvin(f64);

impl From<Celsius> for Kelvin {
    fn from(c: Celsius) -> Kelvin {
        Kelvin(c.0 + 273.15)
    }
}

pub fn from_into(x: f64) -> f64 {
    let k: Kelvin = Celsius(x).into();
    let n: i64 = 3i32.into();
    let t = f64::from(2.5f32) + f64::from(7u8);
    let r: Result<u8, _> = u8::try_from(300i32);
    k.0 + n as f64 + t + if r.is_err() { 0.5 } else { 0.0 }
}

impl fmt::Display for V2 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{:.1}, {:.2}>", self.x, self.y)
    }
}

pub fn display_text(x: f64) -> f64 {
    let v = V2 { x, y: -x };
    let text = format!("{v} {v:?} {:>10}|{:<6}|{:+}|{:e}|{:08.3}", "right", 12, 5, x, x);
    text.bytes().fold(0u64, |h, b| (h * 31 + u64::from(b)) % 1_000_003) as f64
}

trait Describe {
    fn code(&self) -> f64;
}

impl Describe for f64 {
    fn code(&self) -> f64 {
        *self + 0.5
    }
}

impl Describe for i32 {
    fn code(&self) -> f64 {
        f64::from(*self) * 2.0
    }
}

impl<T: Describe> Describe for Vec<T> {
    fn code(&self) -> f64 {
        self.iter().map(|t| t.code()).sum()
    }
}

impl<T: Describe> Describe for Option<T> {
    fn code(&self) -> f64 {
        self.as_ref().map_or(-1.0, Describe::code)
    }
}

impl<A: Describe, B: Describe> Describe for (A, B) {
    fn code(&self) -> f64 {
        self.0.code() * 10.0 + self.1.code()
    }
}

pub fn dispatch_by_trait(x: f64) -> f64 {
    (vec![Some(x), None], (3, vec![1, 2])).code()
}

struct Wrapper(Vec<f64>);

impl Deref for Wrapper {
    type Target = Vec<f64>;
    fn deref(&self) -> &Vec<f64> {
        &self.0
    }
}

impl DerefMut for Wrapper {
    fn deref_mut(&mut self) -> &mut Vec<f64> {
        &mut self.0
    }
}

pub fn newtype_deref(x: f64) -> f64 {
    let mut w = Wrapper(vec![1.0]);
    w.push(x);
    w[0] += 2.0;
    w.iter().sum::<f64>() + w.len() as f64
}

struct Grid {
    cells: Vec<Vec<f64>>,
}

impl Index<usize> for Grid {
    type Output = [f64];
    fn index(&self, i: usize) -> &[f64] {
        &self.cells[i]
    }
}

pub fn index_overload(x: f64) -> f64 {
    let g = Grid { cells: vec![vec![x, 2.0], vec![3.0]] };
    g[0][1] * g[1][0] + g[0].len() as f64 + g[0][0]
}

pub fn neg_and_assign(x: f64) -> f64 {
    let mut a = V2 { x, y: 2.0 };
    a += -a * 0.5;
    let mut all = vec![a, a];
    all[1] += V2 { x: 1.0, y: x };
    all[0].x -= all[1].y;
    all[0].x + all[1].x * 3.0
}

static TABLE: [f64; 4] = [1.0, 0.5, -2.0, 1e-3];
const PAIRS: &[(f64, &str)] = &[(1.5, "a"), (2.5, "bc")];
const SCALE: f64 = 2.0 * std::f64::consts::PI;

pub fn static_tables(x: f64) -> f64 {
    TABLE.iter().fold(0.0, |acc, c| acc * x + c)
        + PAIRS.iter().map(|(k, t)| k * t.len() as f64).sum::<f64>()
        + SCALE
}

const fn factorial(n: u64) -> u64 {
    if n == 0 { 1 } else { n * factorial(n - 1) }
}

const FACTORIALS: [u64; 6] = {
    let mut all = [0; 6];
    let mut i = 0;
    while i < 6 {
        all[i] = factorial(i as u64);
        i += 1;
    }
    all
};

pub fn const_fns(x: f64) -> f64 {
    const N: usize = factorial(3) as usize;
    let v = [x; N];
    v.iter().zip(FACTORIALS).map(|(x, f)| x * f as f64).sum()
}

fn power<T: Copy + Mul<Output = T>>(x: T, n: u32, one: T) -> T {
    if n == 0 {
        one
    } else if n % 2 == 0 {
        let half = power(x, n / 2, one);
        half * half
    } else {
        x * power(x, n - 1, one)
    }
}

pub fn recursion_generic(x: f64) -> f64 {
    power(x, 5, 1.0) + power(3u64, 7, 1) as f64
}

#[derive(Clone, Debug)]
struct Stack<T> {
    items: Vec<T>,
}

impl<T: Clone> Stack<T> {
    fn new() -> Self {
        Stack { items: Vec::new() }
    }
    fn push(&mut self, item: T) -> &mut Self {
        self.items.push(item);
        self
    }
    fn pop(&mut self) -> Option<T> {
        self.items.pop()
    }
    fn peek(&self) -> Option<&T> {
        self.items.last()
    }
}

pub fn vec_of_generic(x: f64) -> f64 {
    let mut s = Stack::new();
    s.push(x).push(x + 1.0).push(3.0);
    let top = s.pop().unwrap_or(0.0);
    top * 10.0 + s.peek().copied().unwrap_or(0.0) + s.items.len() as f64
}

pub fn clone_on_write(x: f64) -> f64 {
    let a = vec![x, 1.0];
    let mut b = a.clone();
    b[0] = 5.0;
    let c = b.clone();
    b.push(2.0);
    a[0] + c[0] * 10.0 + b.len() as f64 + c.len() as f64
}

/// Where elements are kept, by a length that is a type.
trait Keeping<N> {
    type Kept<T>;
}

struct Keeper;

struct Len<const N: usize>;

struct Kept<T, const N: usize>([T; N]);

impl<const N: usize> Keeping<Len<N>> for Keeper {
    type Kept<T> = Kept<T, N>;
}

trait Scaled<T, N> {
    fn scaled(self, by: T) -> Self;
}

impl<T: Copy + std::ops::Mul<Output = T>, const N: usize> Scaled<T, Len<N>> for Kept<T, N>
where
    Keeper: Keeping<Len<N>, Kept<T> = Self>,
{
    fn scaled(self, by: T) -> Self {
        Kept(self.0.map(|x| x * by))
    }
}

struct Wrapped<S>(S);

impl<S: Scaled<f64, Len<2>>> Wrapped<S> {
    fn twice(self) -> S {
        self.0.scaled(2.0)
    }
}

pub fn bound_by_a_generic_associated_type(x: f64) -> f64 {
    let Kept([a, b]) = Wrapped(Kept([x, x + 1.0])).twice();
    a * b
}
