//! Much of the language at once: nothing is claimed but that all of it has types.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt;
use std::ops::*;
use std::rc::Rc;

trait Func: Fn(f64) -> f64 {}
impl<F: Fn(f64) -> f64> Func for F {}
fn call_func(f: impl Func) -> f64 {
    f(2.0)
}
fn func_user() -> f64 {
    call_func(|x| x.sqrt()) + call_func(f64::exp)
}

trait Source {
    fn items(&self) -> impl Iterator<Item = f64> + '_;
}
struct Data {
    xs: Vec<f64>,
}
impl Source for Data {
    fn items(&self) -> impl Iterator<Item = f64> + '_ {
        self.xs.iter().map(|x| x * 2.0)
    }
}
fn source_user(d: &Data) -> f64 {
    d.items().filter(|x| *x > 0.0).sum()
}
fn source_generic<S: Source>(s: &S) -> f64 {
    s.items().map(|v| v + 1.0).sum()
}
fn source_both(d: &Data) -> f64 {
    source_generic(d)
}

fn paths(xs: &[f64], words: &[&str]) -> f64 {
    let a: Vec<String> = words.iter().copied().map(String::from).collect();
    let b: Vec<f64> = xs.iter().copied().map(f64::sqrt).collect();
    let c: Vec<Option<f64>> = xs.iter().copied().map(Some).collect();
    let d: Vec<W> = xs.iter().copied().map(W).collect();
    let e: Vec<Shape> = xs.iter().copied().map(Shape::Circle).collect();
    let f: Vec<f64> = c.iter().flatten().copied().collect();
    let g: Vec<f64> = words.iter().map(|w| w.parse::<f64>()).filter_map(Result::ok).collect();
    let h = c.iter().filter(|o| o.is_some()).count();
    let i: f64 = d.iter().map(|W(x)| x).sum();
    let j: Vec<f64> = [1.0f32, 2.0].iter().copied().map(Into::into).collect();
    let k = xs.iter().copied().reduce(f64::max);
    let l = xs.iter().fold(None, |acc: Option<f64>, &x| Some(acc.map_or(x, |a| a.min(x))));
    let m: Vec<f64> = Some(1.0).into_iter().chain(None).chain([2.0]).collect();
    let n = xs.iter().map(|x| x.powi(2)).sum::<f64>().sqrt() / xs.len() as f64;
    let total: f64 = e.iter().map(Shape::area).sum();
    a.len() as f64 + b[0] + f[0] + g[0] + h as f64 + i + j[0] + k.unwrap() + l.unwrap() + m[0] + n + total
}

struct W(f64);
#[derive(Clone, Debug, PartialEq, PartialOrd)]
enum Shape {
    Circle(f64),
    Rect { w: f64, h: f64 },
}
impl Shape {
    const UNIT: Self = Shape::Circle(1.0);
    fn area(&self) -> f64 {
        match *self {
            Self::Circle(r) => std::f64::consts::PI * r * r,
            Self::Rect { w, h } => w * h,
        }
    }
}
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shape::Circle(r) => write!(f, "circle {r:.2}"),
            Shape::Rect { w, h } => write!(f, "{}x{}", w, h),
        }
    }
}
fn shapes() -> String {
    let mut all = vec![Shape::UNIT, Shape::Rect { w: 1.0, h: 2.0 }];
    all.sort_by(|a, b| a.area().partial_cmp(&b.area()).unwrap_or(std::cmp::Ordering::Equal));
    if all[0] < all[1] {
        all.swap(0, 1);
    }
    all.iter().map(|s| s.to_string()).collect::<Vec<_>>().join(", ")
}

#[derive(Clone)]
struct Matrix {
    r: usize,
    c: usize,
    d: Vec<f64>,
}
impl Mul<&Matrix> for &Matrix {
    type Output = Matrix;
    fn mul(self, o: &Matrix) -> Matrix {
        let mut d = vec![0.0; self.r * o.c];
        for i in 0..self.r {
            for j in 0..o.c {
                for k in 0..self.c {
                    d[i * o.c + j] += self.d[i * self.c + k] * o.d[k * o.c + j];
                }
            }
        }
        Matrix { r: self.r, c: o.c, d }
    }
}
impl Mul for Matrix {
    type Output = Matrix;
    fn mul(self, o: Matrix) -> Matrix {
        &self * &o
    }
}
impl Mul<f64> for Matrix {
    type Output = Matrix;
    fn mul(mut self, k: f64) -> Matrix {
        for x in &mut self.d {
            *x *= k;
        }
        self
    }
}
fn mats(a: Matrix, b: Matrix) -> f64 {
    let p = &a * &b;
    let q = p.clone() * a * 2.0;
    q.d.iter().zip(&p.d).map(|(x, y)| x - y).fold(0.0, f64::max)
}

fn two_d(n: usize, m: usize) -> Vec<Vec<f64>> {
    let mut g = (0..n).map(|i| (0..m).map(|j| (i * j) as f64).collect::<Vec<_>>()).collect::<Vec<_>>();
    for row in g.iter_mut() {
        for x in row.iter_mut() {
            *x += 1.0;
        }
    }
    for (i, row) in g.iter_mut().enumerate() {
        row[i % m] = 0.0;
    }
    let col: Vec<f64> = g.iter().map(|r| r[0]).collect();
    for (a, b) in g[0].iter_mut().zip(&col) {
        *a -= b;
    }
    let (top, rest) = g.split_first_mut().unwrap();
    top[0] = rest[0][0];
    g
}

fn bests(xs: &[(i32, f64)]) -> (i32, f64) {
    let mut table: HashMap<(i32, i32), Vec<f64>> = HashMap::new();
    for &(k, v) in xs {
        table.entry((k, k + 1)).or_insert_with(Vec::new).push(v);
    }
    let best = table.iter().map(|(k, v)| (k.0, v.iter().sum::<f64>())).max_by(|a, b| a.1.total_cmp(&b.1));
    let set: HashSet<i32> = xs.iter().map(|p| p.0).collect();
    let sorted: BTreeSet<_> = set.iter().cloned().collect();
    let first = sorted.iter().next().copied().unwrap_or(-1);
    let by: BTreeMap<i32, f64> = xs.iter().cloned().collect();
    if let Some((k, v)) = by.iter().next_back() {
        return (*k, *v + first as f64);
    }
    match best {
        Some((k, s)) if s > 0.0 => (k, s),
        Some(p) => p,
        None => (0, 0.0),
    }
}

fn opt_pairs(x: Option<f64>, y: Option<f64>) -> Result<f64, String> {
    if let (Some(a), Some(b)) = (x, y) {
        return Ok(a * b);
    }
    let r = Ok::<_, String>(1.0)?;
    let mut memo = vec![None; 3];
    memo[1] = Some(r);
    let s = memo.iter().flatten().sum::<f64>();
    let t = [x, y].into_iter().collect::<Option<Vec<f64>>>().map(|v| v.len()).ok_or(format!("none {}", s))?;
    Ok(t as f64)
}

fn mutate(v: &mut [f64], f: &mut dyn FnMut(&mut f64)) {
    for x in v {
        f(x);
    }
}
fn mutate_user() -> f64 {
    let mut v = [1.0, 2.0, 3.0];
    let mut count = 0usize;
    mutate(&mut v, &mut |x| {
        *x *= 2.0;
        count += 1;
    });
    if let Some(last) = v.last_mut() {
        *last = 0.0;
    }
    let mut it = v.chunks_exact_mut(2);
    if let Some([a, b]) = it.next() {
        std::mem::swap(a, b);
    }
    v.iter().sum::<f64>() + count as f64
}

fn cow(xs: &[f64]) -> Cow<'_, [f64]> {
    if xs.len() > 2 { Cow::Borrowed(xs) } else { Cow::Owned(xs.to_vec()) }
}
fn cow_user(xs: &[f64]) -> f64 {
    let c = cow(xs);
    c.iter().sum::<f64>() + c[0] + c.into_owned()[0]
}

trait Layer {
    fn forward(&self, x: &[f64]) -> Vec<f64>;
    fn name(&self) -> String {
        "layer".into()
    }
}
struct Dense {
    w: Vec<Vec<f64>>,
    b: Vec<f64>,
    act: fn(f64) -> f64,
}
impl Layer for Dense {
    fn forward(&self, x: &[f64]) -> Vec<f64> {
        self.w
            .iter()
            .zip(self.b.iter())
            .map(|(row, b)| (self.act)(row.iter().zip(x).map(|(w, x)| w * x).sum::<f64>() + b))
            .collect()
    }
}
struct Net {
    layers: Vec<Rc<dyn Layer>>,
}
impl Net {
    fn run(&self, x: &[f64]) -> Vec<f64> {
        self.layers.iter().fold(x.to_vec(), |x, l| l.forward(&x))
    }
    fn names(&self) -> Vec<String> {
        self.layers.iter().map(|l| l.name()).collect()
    }
}
fn net() -> f64 {
    let n = Net {
        layers: vec![
            Rc::new(Dense { w: vec![vec![1.0]], b: vec![0.0], act: |x| x.max(0.0) }),
            Rc::new(Dense { w: vec![vec![2.0]], b: vec![1.0], act: f64::tanh }),
        ],
    };
    n.run(&[1.0])[0] + n.names().len() as f64
}

fn fixed<const R: usize, const C: usize>(a: &[[f64; C]; R]) -> [[f64; R]; C] {
    let mut t = [[0.0; R]; C];
    for (i, row) in a.iter().enumerate() {
        for (j, &x) in row.iter().enumerate() {
            t[j][i] = x;
        }
    }
    t
}
fn fixed_user() -> f64 {
    let t = fixed(&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    t[2][1]
}

mod deep {
    pub mod er {
        #[derive(Debug, Clone, Copy, Default, PartialEq)]
        pub struct P {
            pub x: f64,
            pub y: f64,
        }
        impl P {
            pub const ORIGIN: P = P { x: 0.0, y: 0.0 };
            pub fn new(x: f64, y: f64) -> Self {
                Self { x, y }
            }
        }
    }
    pub use er::P;
    pub(crate) fn dist(a: &P, b: &P) -> f64 {
        ((a.x - b.x).powi(2) + (a.y - b.y).powi(2)).sqrt()
    }
}
use deep::{P, dist};
static TABLE: [f64; 3] = [1.0, 2.0, 3.0];
const COEFFS: &[(f64, i32)] = &[(1.0, 2), (0.5, 3)];
const N: usize = TABLE_LEN + 1;
const TABLE_LEN: usize = 2;
fn consts(x: f64) -> f64 {
    let buf = [0u8; N * 2];
    let p = P { x, ..P::ORIGIN };
    COEFFS.iter().map(|&(c, n)| c * x.powi(n)).sum::<f64>()
        + TABLE[buf.len() % 3]
        + dist(&p, &P::new(1.0, 2.0))
        + TABLE.iter().rev().skip_while(|t| **t > 2.0).next().unwrap_or(&0.0)
}

impl From<P> for (f64, f64) {
    fn from(p: P) -> Self {
        (p.x, p.y)
    }
}
impl PartialEq<f64> for W {
    fn eq(&self, o: &f64) -> bool {
        self.0 == *o
    }
}
impl Neg for &W {
    type Output = W;
    fn neg(self) -> W {
        W(-self.0)
    }
}
impl SubAssign<f64> for W {
    fn sub_assign(&mut self, k: f64) {
        self.0 -= k;
    }
}
impl Not for W {
    type Output = bool;
    fn not(self) -> bool {
        self.0 == 0.0
    }
}
fn conv(p: P) -> f64 {
    let (a, b): (f64, f64) = p.into();
    let mut w = W(a);
    w -= b;
    let n = -&w;
    if w == 1.0 || !n { 1.0 } else { b }
}

fn early(xs: &[f64]) -> Option<usize> {
    let idx = xs.iter().position(|x| x.is_nan()).or_else(|| xs.iter().rposition(|&x| x == 0.0))?;
    let y = 'search: loop {
        for (i, w) in xs.windows(2).enumerate() {
            if w[0] > w[1] {
                break 'search i;
            }
        }
        break xs.len();
    };
    Some(idx.max(y))
}
fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
fn ints(n: i32) -> i64 {
    let m = (n as f64).floor() as i64;
    let k = -(m.pow(2) % 7);
    let s: i64 = (1..=n as i64).filter(|i| i & 1 == 0).sum();
    k + s + gcd(12, n.unsigned_abs() as u64) as i64 + i64::from(n > 3) + (!0u32 >> 3) as i64
}
fn generic_closure_ret<T: Copy + Add<Output = T>>(k: T) -> impl Fn(T) -> T {
    move |x| x + k
}
fn gcr() -> f64 {
    let f = generic_closure_ret(2.0);
    let g = generic_closure_ret(1i32);
    f(1.0) + g(2) as f64
}
fn strs(s: &str) -> usize {
    let mut n = 0;
    for (i, c) in s.chars().enumerate() {
        n += match c {
            '0'..='9' => c.to_digit(10).unwrap() as usize,
            'a' | 'b' => i,
            _ if c.is_alphabetic() => 1,
            _ => 0,
        };
    }
    let parts: Vec<&str> = s.split(',').map(str::trim).filter(|p| !p.is_empty()).collect();
    n + parts.len() + s.bytes().map(|b| b as usize).max().unwrap_or(0)
}
struct Fib {
    a: u64,
    b: u64,
}
impl Iterator for Fib {
    type Item = u64;
    fn next(&mut self) -> Option<Self::Item> {
        let r = self.a;
        (self.a, self.b) = (self.b, self.a + self.b);
        Some(r)
    }
}
fn fibs() -> u64 {
    Fib { a: 0, b: 1 }.take_while(|&x| x < 100).filter(|x| x % 2 == 0).sum::<u64>()
        + Fib { a: 1, b: 1 }.skip(3).step_by(2).take(2).fold(0, |a, b| a + b)
        + Fib { a: 0, b: 1 }.by_ref().nth(5).unwrap()
}
struct Tree<K, V> {
    root: Option<Box<TNode<K, V>>>,
    len: usize,
}
struct TNode<K, V> {
    k: K,
    v: V,
    l: Option<Box<TNode<K, V>>>,
    r: Option<Box<TNode<K, V>>>,
}
impl<K: Ord, V> Tree<K, V> {
    fn new() -> Self {
        Tree { root: None, len: 0 }
    }
    fn insert(&mut self, k: K, v: V) {
        let mut cur = &mut self.root;
        while let Some(n) = cur {
            cur = if k < n.k { &mut n.l } else { &mut n.r };
        }
        *cur = Some(Box::new(TNode { k, v, l: None, r: None }));
        self.len += 1;
    }
    fn get(&self, k: &K) -> Option<&V> {
        let mut cur = self.root.as_ref();
        while let Some(n) = cur {
            match k.cmp(&n.k) {
                std::cmp::Ordering::Equal => return Some(&n.v),
                std::cmp::Ordering::Less => cur = n.l.as_ref(),
                std::cmp::Ordering::Greater => cur = n.r.as_ref(),
            }
        }
        None
    }
    fn fold<A>(&self, init: A, f: &mut impl FnMut(A, &K, &V) -> A) -> A {
        fn go<K, V, A>(n: &Option<Box<TNode<K, V>>>, a: A, f: &mut impl FnMut(A, &K, &V) -> A) -> A {
            match n {
                None => a,
                Some(n) => {
                    let a = go(&n.l, a, f);
                    let a = f(a, &n.k, &n.v);
                    go(&n.r, a, f)
                }
            }
        }
        go(&self.root, init, f)
    }
}
fn trees() -> f64 {
    let mut t = Tree::new();
    for (i, x) in [3, 1, 2].iter().enumerate() {
        t.insert(*x, i as f64);
    }
    t.get(&2).copied().unwrap_or(0.0) + t.fold(0.0, &mut |a, k, v| a + *k as f64 * v) + t.len as f64
}
