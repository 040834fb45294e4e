//! Values that go through closures, options, maps, cells and iterators.

use std::cell::{Cell, RefCell};
use std::collections::*;
use std::fmt::Debug;
use std::iter::Sum;
use std::ops::*;
use std::rc::Rc;
pub trait Num:
    Copy + Debug + PartialOrd + Add<Output = Self> + AddAssign + Sum<Self> + Default + Mul<Output = Self>
{
    fn floor(self) -> Self;
    fn abs(self) -> Self;
    fn min(self, o: Self) -> Self;
    fn recip(&self) -> Self;
    fn to_bits(self) -> u64 {
        3
    }
    fn signum(self) -> Self {
        self.floor()
    }
}
impl Num for f64 {
    fn floor(self) -> f64 {
        self - 1.0
    }
    fn abs(self) -> f64 {
        self + 10.0
    }
    fn min(self, o: f64) -> f64 {
        self * 2.0 + o
    }
    fn recip(&self) -> f64 {
        *self + 0.25
    }
}
fn a1<T: Num>(v: &[T]) -> T {
    v.iter().map(|x| x.floor()).fold(T::default(), |a, b| a + b.abs())
}
fn a2<T: Num>(v: &[T]) -> T {
    v.windows(2).map(|w| w[0].min(w[1])).sum::<T>().floor()
}
fn a3<T: Num>(v: &[T]) -> Vec<T> {
    let mut w: Vec<T> = v.iter().copied().filter(|x| *x > T::default()).collect();
    w.sort_by(|a, b| a.recip().partial_cmp(&b.floor()).unwrap());
    w.iter_mut().for_each(|x| *x = x.abs());
    w
}
fn a4<T: Num>(o: Option<T>) -> Option<T> {
    o.map(|x| x.floor())
        .filter(|x| x.abs() > *x)
        .and_then(|x| if x.recip() > x { Some(x.min(x)) } else { None })
}
fn a5<T: Num>(r: Result<T, String>) -> T {
    match r {
        Ok(x) => x.floor(),
        Err(e) => {
            let _ = e.len();
            T::default().abs()
        }
    }
}
fn a6<T: Num>(m: &HashMap<u8, T>) -> T {
    let mut s = T::default();
    let mut k: Vec<_> = m.keys().copied().collect();
    k.sort();
    for i in k {
        s += m[&i].floor();
        if let Some(x) = m.get(&i) {
            s += x.abs();
        }
    }
    s
}
fn a7<T: Num>(x: T) -> T {
    let c = Rc::new(RefCell::new(x));
    {
        let mut b = c.borrow_mut();
        *b = b.floor();
    }
    let d = Cell::new(c.borrow().abs());
    d.set(d.get().floor());
    d.get()
}
fn a8<T: Num>(x: T, f: &dyn Fn(T) -> T) -> T {
    let b: Box<dyn Fn(T) -> T> = Box::new(move |y| f(y).floor());
    b(x).abs()
}
fn a9<T: Num>(x: [T; 3]) -> (T, T) {
    let [a, b, c] = x;
    let t = (a.floor(), (b, c.abs()));
    let (p, (q, r)) = t;
    (p.min(q), r.floor())
}
fn b1<T: Num>(it: impl Iterator<Item = T>) -> T {
    it.map(|x| x.floor())
        .scan(T::default(), |s, x| {
            *s += x.abs();
            Some(s.floor())
        })
        .last()
        .unwrap()
        .abs()
}
fn b2<T: Num>(it: &mut dyn Iterator<Item = T>) -> T {
    let mut s = T::default();
    while let Some(x) = it.next() {
        s += x.floor();
    }
    s.abs()
}
fn b3<T: Num>(v: Vec<T>) -> T {
    v.into_iter()
        .zip(1..)
        .map(|(x, i)| if i % 2 == 0 { x.floor() } else { x.abs() })
        .reduce(|a, b| a.min(b))
        .unwrap_or_default()
        .floor()
}
fn b4<T: Num>(v: &[Vec<T>]) -> T {
    v.iter().flatten().chain(v[0].iter()).map(|x| x.floor()).sum::<T>().abs()
        + v.iter().flat_map(|r| r.iter().map(|x| x.recip())).sum()
}
struct N<T> {
    v: T,
    next: Option<Box<N<T>>>,
}
impl<T: Num> N<T> {
    fn sum(&self) -> T {
        self.v.floor() + self.next.as_ref().map_or(T::default(), |n| n.sum().abs())
    }
    fn it(&self) -> It<'_, T> {
        It(Some(self))
    }
}
struct It<'a, T>(Option<&'a N<T>>);
impl<'a, T> Iterator for It<'a, T> {
    type Item = &'a T;
    fn next(&mut self) -> Option<&'a T> {
        let n = self.0?;
        self.0 = n.next.as_deref();
        Some(&n.v)
    }
}
fn b5<T: Num>(x: T) -> T {
    let n = N { v: x, next: Some(Box::new(N { v: x.floor(), next: None })) };
    n.sum()
        + n.it().map(|v| v.floor()).sum()
        + n.it().copied().map(T::abs).sum::<T>()
        + n.it().fold(T::default(), |a, b| a + b.recip())
}
fn b6<T: Num, F: Fn(&T) -> T>(x: T, f: F) -> T {
    let g = |y: T| f(&y).floor();
    let h = |y| g(y).abs();
    h(x).recip()
}
fn b7<T: Num>(x: T) -> (u64, T) {
    let y = if x > T::default() { x.floor() } else { x };
    let z = loop {
        break y.abs();
    };
    let w = match z {
        q if q > y => q.floor(),
        q => q,
    };
    (
        (w * z).to_bits(),
        {
            let k = w;
            k
        }
        .signum(),
    )
}
fn b8<K: Ord + Copy, T: Num>(m: &mut BTreeMap<K, T>, k: K) -> T {
    let e = m.entry(k).or_insert_with(|| T::default().abs());
    *e = e.floor();
    let r = *e;
    m.values().map(|v| v.abs()).sum::<T>() + r.floor() + m.iter().next().map(|(_, v)| v.floor()).unwrap()
}
trait Model<T: Num> {
    type Out: Num;
    fn at(&self, x: T) -> Self::Out;
    fn twice(&self, x: T) -> Self::Out {
        self.at(x.floor()).abs() + self.at(x).floor()
    }
}
struct Lin(f64);
impl Model<f64> for Lin {
    type Out = f64;
    fn at(&self, x: f64) -> f64 {
        (self.0 * x).floor() + f64::abs(-1.5)
    }
}
fn b9<T: Num, M: Model<T>>(m: &M, x: T) -> (M::Out, bool) {
    let y = m.twice(x).floor();
    (y, y.abs() > m.at(x.abs()).recip())
}
fn c1<T>(x: T) -> T
where
    T: Num,
    Vec<T>: Clone,
{
    let v = vec![x; 2].clone();
    v[1].floor()
        + v.last().unwrap().abs()
        + v.iter().rev().take(1).map(|y| y.recip()).sum()
        + *v.iter().max_by(|a, b| a.floor().partial_cmp(&b.abs()).unwrap()).unwrap()
}
fn c2<T: Num>(x: T) -> f64
where
    f64: From<T>,
{
    let y: f64 = x.floor().into();
    y + f64::from(x).sqrt().max(0.5).powi(2)
}
pub fn f(x: i64) -> Vec<String> {
    let y = x as f64 + 0.5;
    let v = [y, 2.5, -1.5];
    vec![
        format!("{:?} {:?} {:?} {:?} {:?}", a1(&v), a2(&v), a3(&v), a4(Some(y)), a5(Ok(y))),
        format!(
            "{:?} {:?} {:?} {:?} {:?}",
            a5::<f64>(Err("q".into())),
            a6(&HashMap::from([(1, y), (2, 3.5)])),
            a7(y),
            a8(y, &|z| z.floor()),
            a9(v)
        ),
        format!(
            "{:?} {:?} {:?} {:?} {:?}",
            b1(v.into_iter()),
            b2(&mut v.into_iter()),
            b3(v.to_vec()),
            b4(&[v.to_vec(), vec![1.25]]),
            b5(y)
        ),
        format!(
            "{:?} {:?} {:?} {:?} {:?} {:?}",
            b6(y, |z| z.floor()),
            b7(y),
            b8(&mut BTreeMap::from([('a', y)]), 'b'),
            b9(&Lin(2.0), y),
            c1(y),
            c2(y)
        ),
    ]
}

// The iterator goes on where it was, and is not copied.
fn sampled<I: IntoIterator>(source: I, amount: usize) -> Vec<I::Item> {
    let mut iter = source.into_iter();
    let mut sample: Vec<I::Item> = iter.by_ref().take(amount).collect();
    for (i, elem) in iter.enumerate() {
        if let Some(place) = sample.get_mut(i * 2) {
            *place = elem;
        }
    }
    sample
}
pub fn by_ref(x: f64) -> f64 {
    sampled([x, 2.0, 3.0, 4.0, 5.0], 3).into_iter().fold(0.0, |sum, x| sum * 0.7 + x)
}
