//! Parameters that are references, boxes, objects, arrays, tuples and maps.

use std::borrow::*;
use std::collections::*;
use std::fmt::{Debug, Display};
use std::ops::*;
use std::rc::Rc;
pub trait Tr {
    fn len(&self) -> i64;
    fn iter(&self) -> i64 {
        self.len() * 2
    }
    fn get(&self, i: i64) -> i64 {
        i + self.len()
    }
    fn push(&mut self, x: i64) -> i64 {
        x
    }
    fn to_string(&self) -> String {
        "tr".into()
    }
    fn deref(&self) -> i64 {
        -5
    }
    fn as_ref(&self) -> i64 {
        -6
    }
    fn into_iter(self) -> i64
    where
        Self: Sized,
    {
        self.iter() + 1
    }
    fn is_empty(&self) -> bool {
        true
    }
    fn clone(&self) -> i64 {
        77
    }
}
impl Tr for &str {
    fn len(&self) -> i64 {
        100
    }
}
impl Tr for str {
    fn len(&self) -> i64 {
        200
    }
}
impl Tr for i64 {
    fn len(&self) -> i64 {
        *self
    }
}
impl<T: Tr, const N: usize> Tr for [T; N] {
    fn len(&self) -> i64 {
        400 + self.as_slice().iter().map(|x| x.len()).sum::<i64>()
    }
}
impl<T: Tr> Tr for Vec<T> {
    fn len(&self) -> i64 {
        500 + self[0].len()
    }
    fn push(&mut self, x: i64) -> i64 {
        x * 2
    }
}
impl<A: Tr, B: Tr> Tr for (A, B) {
    fn len(&self) -> i64 {
        self.0.len() * 1000 + self.1.len()
    }
}
impl<T: Tr + ?Sized> Tr for Box<T> {
    fn len(&self) -> i64 {
        (**self).len() + 1
    }
}
impl<T: Tr> Tr for Option<T> {
    fn len(&self) -> i64 {
        self.as_ref().map_or(-1, |x| x.len())
    }
    fn get(&self, i: i64) -> i64 {
        i * 3
    }
}
impl Tr for String {
    fn len(&self) -> i64 {
        600
    }
}
impl<F: Fn(i64) -> i64> Tr for W<F> {
    fn len(&self) -> i64 {
        (self.0)(7)
    }
}
pub struct W<F>(F);
impl<T: Tr> Tr for Rc<T> {
    fn len(&self) -> i64 {
        (**self).len() + 7
    }
}
impl<T: Tr> Tr for HashMap<u8, T> {
    fn len(&self) -> i64 {
        self.values().map(|v| v.len()).sum()
    }
}
fn g1<T: Tr>(mut x: T) -> Vec<i64> {
    let r = &x;
    let rr = &r;
    let mut v = vec![
        x.len(),
        r.len(),
        rr.len(),
        x.iter(),
        r.get(4),
        x.deref(),
        x.as_ref(),
        x.is_empty() as i64,
        x.clone(),
        r.clone(),
    ];
    v.push(x.push(3));
    {
        let m = &mut x;
        v.push(m.push(4));
        v.push(m.len());
    }
    v.push(x.to_string().len() as i64);
    v.push(x.into_iter());
    v
}
fn g2<T: Tr>(x: &[T]) -> Vec<i64> {
    vec![
        x.len() as i64,
        x[0].len(),
        x.first().unwrap().len(),
        x.iter().map(|y| y.len()).sum(),
        x.iter().rev().next().unwrap().iter(),
        x.get(0).is_some() as i64,
        x.is_empty() as i64,
    ]
}
fn g3<T: Tr>(x: Option<T>) -> Vec<i64> {
    vec![
        x.is_some() as i64,
        x.as_ref().unwrap().len(),
        x.as_ref().map(|y| y.as_ref()).unwrap(),
        x.iter().map(|y| y.iter()).sum(),
        IntoIterator::into_iter(x).map(|y| y.into_iter()).sum(),
    ]
}
fn g4<T: Tr>(x: Box<T>) -> Vec<i64> {
    vec![x.len(), (*x).len(), AsRef::as_ref(&x).len(), Deref::deref(&x).len(), (&*x).iter()]
}
fn g5<T: Tr + ?Sized>(x: &T) -> Vec<i64> {
    vec![x.len(), x.iter(), (&x).len(), x.get(1)]
}
fn g6<T: Tr, C: Deref<Target = T>>(c: C) -> Vec<i64> {
    vec![c.len(), (*c).len(), c.deref().iter(), c.get(2)]
}
fn g7<K: Borrow<str> + Tr>(k: K) -> Vec<i64> {
    let s: &str = k.borrow();
    vec![k.len(), s.len() as i64, Borrow::<str>::borrow(&k).len() as i64]
}
fn g8<T: AsRef<[i64]> + Tr2>(t: &mut T) -> Vec<i64> {
    let n = t.as_ref().len() as i64;
    t.push(4);
    t.push(5);
    vec![n, t.as_ref().iter().sum(), t.len2(), t.as_ref().to_vec().pop().unwrap()]
}
trait Tr2 {
    fn push(&mut self, x: i64);
    fn len2(&self) -> i64;
}
impl Tr2 for Vec<i64> {
    fn push(&mut self, x: i64) {
        Vec::push(self, x * 10)
    }
    fn len2(&self) -> i64 {
        self.len() as i64 * 3
    }
}
fn g9<I>(it: I) -> Vec<i64>
where
    I: IntoIterator,
    I::Item: Tr,
    I::IntoIter: ExactSizeIterator + Clone,
{
    let i = it.into_iter();
    let j = i.clone();
    let n = i.len() as i64;
    let mut v: Vec<i64> = i.map(|x| x.len()).collect();
    v.push(n);
    v.push(j.map(|x| x.iter()).sum());
    v
}
fn h1<T: Into<f64> + Copy, U: From<T> + Display>(t: T) -> String {
    let f: f64 = t.into();
    let u = U::from(t);
    let w = U::from(t);
    format!("{f} {u} {w} {}", {
        let z: f64 = t.into();
        z.floor()
    })
}
fn h3<'a, T: ?Sized + ToOwned<Owned = O>, O: Borrow<T> + Debug + 'a>(x: &'a T) -> String
where
    T: Debug,
{
    let c: Cow<'a, T> = Cow::Borrowed(x);
    let o = c.clone().into_owned();
    format!("{c:?} {o:?} {:?}", x.to_owned())
}
fn h4<T: Ord + Copy>(a: T, b: T) -> (T, T, bool) {
    (a.max(b), a.min(b), a.cmp(&b).is_lt())
}
fn h5<A, B, F>(xs: &[A], f: F) -> Vec<B>
where
    F: Fn(&A) -> Option<B>,
{
    xs.iter().filter_map(f).collect()
}
fn h6<E: std::error::Error + 'static>(e: E) -> String {
    let b: Box<dyn std::error::Error> = Box::new(e);
    format!("{} {}", b, b.to_string().len())
}
pub fn f(x: i64) -> Vec<String> {
    let b: Box<dyn Tr> = Box::new(x);
    vec![
        format!("{:?} {:?} {:?}", g1("ab"), g1(x), g1([x, 2])),
        format!("{:?} {:?} {:?} {:?} {:?}", g1(vec![x]), g1((x, "q")), g1(Box::new(x)), g1(b), g1(Some("z"))),
        format!(
            "{:?} {:?} {:?} {:?}",
            g1(String::from("héy")),
            g1(W(|y| y * x)),
            g1(Rc::new(x)),
            g1(HashMap::from([(1, x)]))
        ),
        format!("{:?} {:?} {:?}", g2(&["a", "b"]), g2(&[x, 5]), g2(&[Some(x), None])),
        format!("{:?} {:?} {:?}", g3(Some("a")), g3(Some(vec![x])), g3(Some(Box::new(x)))),
        format!(
            "{:?} {:?} {:?} {:?} {:?}",
            g4(Box::new("s")),
            g4(Box::new(x)),
            g5("str"),
            g5(&x),
            g5::<dyn Tr>(&x)
        ),
        format!(
            "{:?} {:?} {:?} {:?} {:?}",
            g6(&x),
            g6(Box::new("t")),
            g6(Rc::new(vec![x])),
            g7("kk"),
            g7(String::from("kkk"))
        ),
        format!("{:?} {:?} {:?}", g8(&mut vec![x]), g9(vec!["a", "b"]), g9([x, 3])),
        h1::<i32, i64>(x as i32),
        h1::<f32, f64>(1.5),
        h3::<str, _>("own"),
        h3::<[i64], _>(&[x, 1]),
        format!(
            "{:?} {:?} {:?} {:?}",
            h4(x, 3),
            h4("a", "b"),
            h5(&[1, 2, x], |v| if *v > 1 { Some(v * 2) } else { None }),
            h6("q".parse::<i64>().unwrap_err())
        ),
    ]
}
