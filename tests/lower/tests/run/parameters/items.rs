//! Methods of the items of iterators: what where clauses say of an associated type, and what follows from them, is what
//! its methods are found by.

use std::cell::Cell;

/// Cloned as itself it is another cell, cloned as a reference the same.
#[derive(Clone)]
pub struct P {
    c: Cell<f64>,
}
trait Name {
    fn name(&self) -> f64;
}
impl Name for P {
    fn name(&self) -> f64 {
        self.c.get()
    }
}
impl<'a> Name for &'a P {
    fn name(&self) -> f64 {
        self.c.get() * 100.0
    }
}
fn split(d: P, c: &P) -> f64 {
    d.c.set(9.0);
    c.c.get()
}

fn for_into<'a, I: IntoIterator<Item = &'a P>>(cs: I) -> f64 {
    let mut t = 0.0;
    for c in cs {
        t += split(c.clone(), c) + c.name();
    }
    t
}
fn for_iter<'a, I: Iterator<Item = &'a P>>(cs: I) -> f64 {
    let mut t = 0.0;
    for c in cs {
        t += split(c.clone(), c) + c.name();
    }
    t
}
fn for_impl<'a>(cs: impl Iterator<Item = &'a P>) -> f64 {
    let mut t = 0.0;
    for c in cs {
        t += split(c.clone(), c) + c.name();
    }
    t
}
fn for_where<'a, I>(cs: I) -> f64
where
    I: IntoIterator,
    I: IntoIterator<Item = &'a P>,
    I::IntoIter: ExactSizeIterator,
{
    let cs = cs.into_iter();
    let mut t = cs.len() as f64;
    for c in cs {
        t += split(c.clone(), c) + c.name();
    }
    t
}
fn mapped<'a, I: IntoIterator<Item = &'a P>>(cs: I) -> f64 {
    cs.into_iter().map(|c| (c.clone(), c)).map(|(d, c)| split(d, c) + c.name()).sum()
}
fn mapped_impl<'a>(cs: impl IntoIterator<Item = &'a P>) -> f64 {
    cs.into_iter().enumerate().map(|(i, c)| split(c.clone(), c) + c.name() * i as f64).sum()
}
fn next<'a, I: IntoIterator<Item = &'a P>>(cs: I) -> f64 {
    let c = cs.into_iter().next().unwrap();
    let d = c.clone();
    d.c.set(9.0);
    c.c.get() + c.name() + d.c.get()
}
fn while_let<'a, I: Iterator<Item = &'a P>>(mut cs: I) -> f64 {
    let mut t = 0.0;
    while let Some(c) = cs.next() {
        t += split(c.clone(), c) + c.name();
    }
    t
}
fn adapted<'a, I: Iterator<Item = &'a P>>(cs: I) -> f64 {
    let mut t = 0.0;
    for c in cs.skip(0).filter(|c| c.name() > -1e9) {
        t += split(c.clone(), c) + c.name();
    }
    t
}
fn peeked<'a, I: Iterator<Item = &'a P>>(cs: I) -> f64 {
    let mut cs = cs.peekable();
    let t = cs.peek().map_or(0.0, |c| c.name());
    t + cs.fold(0.0, |t, c| t + c.clone().name() + split(c.clone(), c))
}
fn pairs<'a, I: IntoIterator<Item = (&'a P, &'a P)>>(cs: I) -> f64 {
    let mut t = 0.0;
    for (a, b) in cs {
        t += split(a.clone(), a) + b.name() * 2.0;
    }
    t
}
fn pairs_mapped<'a>(cs: impl Iterator<Item = (usize, &'a P)>) -> f64 {
    cs.map(|(i, p)| split(p.clone(), p) * i as f64 + p.name()).sum()
}
fn pair_fields<'a, I: Iterator<Item = (usize, &'a P)>>(cs: I) -> f64 {
    let mut t = 0.0;
    for p in cs {
        t += split(p.1.clone(), p.1) * p.0 as f64 + p.1.name();
    }
    t
}
fn collected<'a, I: IntoIterator<Item = &'a P>>(cs: I) -> f64 {
    let all: Vec<_> = cs.into_iter().collect();
    all[0].name() + all.iter().map(|c| c.name()).sum::<f64>() + split(all[0].clone(), all[0])
}
fn references<'a, 'b: 'a, I: Iterator<Item = &'a &'b P>>(cs: I) -> f64 {
    let mut t = 0.0;
    for c in cs {
        t += c.name() + split((*c).clone(), c);
    }
    t
}
fn mutable<'a, I: IntoIterator<Item = &'a mut P>>(cs: I) -> f64 {
    let mut t = 0.0;
    for c in cs {
        t += split(c.clone(), c) + c.name();
    }
    t
}
fn options<'a, I: Iterator<Item = Option<&'a P>>>(cs: I) -> f64 {
    let mut t = 0.0;
    for c in cs {
        if let Some(c) = c {
            t += split(c.clone(), c) + c.name();
        }
    }
    t
}

// A binding that a supertrait has.
trait Rows<'a>: Iterator<Item = &'a P> {}
impl<'a, I: Iterator<Item = &'a P>> Rows<'a> for I {}
fn for_rows<'a, R: Rows<'a>>(cs: R) -> f64 {
    let mut t = 0.0;
    for c in cs {
        t += split(c.clone(), c) + c.name();
    }
    t
}
fn map_rows<'a>(mut cs: impl Rows<'a>) -> f64 {
    let first = cs.next().unwrap();
    split(first.clone(), first) + cs.map(|c| split(c.clone(), c) + c.name()).sum::<f64>()
}
trait IntoRows<'a>: IntoIterator<Item = &'a P> {
    fn total(self) -> f64
    where
        Self: Sized,
    {
        let mut t = 0.0;
        for c in self {
            t += split(c.clone(), c) + c.name();
        }
        t
    }
}
impl<'a, I: IntoIterator<Item = &'a P>> IntoRows<'a> for I {}
fn totals<'a, I: IntoRows<'a> + Clone>(cs: I) -> f64 {
    cs.clone().total() + cs.into_iter().map(|c| c.name()).sum::<f64>()
}

// Associated types of traits that are no iterators.
trait Source {
    type Out;
    type All: IntoIterator<Item = Self::Out>;
    fn out(&self) -> Self::Out;
    fn all(&self) -> Self::All;
}
impl<'a> Source for &'a [P] {
    type Out = &'a P;
    type All = std::slice::Iter<'a, P>;
    fn out(&self) -> &'a P {
        &self[0]
    }
    fn all(&self) -> std::slice::Iter<'a, P> {
        self.iter()
    }
}
fn out<'a, S: Source<Out = &'a P>>(s: S) -> f64 {
    let c = s.out();
    split(c.clone(), c) + c.name()
}
fn all<'a, S: Source<Out = &'a P>>(s: S) -> f64 {
    let mut t = 0.0;
    for c in s.all() {
        t += split(c.clone(), c) + c.name();
    }
    t
}
fn all_mapped<'a, S>(s: &S) -> f64
where
    S: Source<Out = &'a P>,
{
    s.all().into_iter().map(|c| split(c.clone(), c) + c.name()).sum()
}

struct Holder<I> {
    cs: I,
}
impl<'a, I: Iterator<Item = &'a P> + Clone> Holder<I> {
    fn total(&self) -> f64 {
        let mut t = 0.0;
        for c in self.cs.clone() {
            t += split(c.clone(), c) + c.name();
        }
        t
    }
}
impl<'a, I: Iterator<Item = &'a P>> Iterator for Holder<I> {
    type Item = P;
    fn next(&mut self) -> Option<P> {
        let c = self.cs.next()?;
        let d = c.clone();
        d.c.set(c.name() + 1.0);
        Some(d)
    }
}

// What nothing says is not known: the item's bounds have the methods.
fn unknown<I: IntoIterator>(cs: I) -> f64
where
    I::Item: Name + Clone,
{
    let mut t = 0.0;
    for c in cs {
        t += c.clone().name() + c.name();
    }
    t
}
fn unknown_ref<'a, I, T: 'a>(cs: I) -> f64
where
    I: IntoIterator<Item = &'a T>,
    T: Name + Clone,
{
    let mut t = 0.0;
    for c in cs {
        t += c.clone().name() + c.name();
    }
    t
}

pub fn f(x: f64) -> Vec<f64> {
    let p = |k: f64| P { c: Cell::new(x * k) };
    let mut v = vec![p(1.0), p(2.5), p(0.5)];
    let refs: Vec<&P> = v.iter().collect();
    let mut all = vec![
        for_into(&v),
        for_into(refs.clone()),
        for_iter(v.iter()),
        for_impl(v.iter().rev()),
        for_where(&v),
        mapped(&v),
        mapped_impl(&v),
        next(&v),
        while_let(v.iter()),
        adapted(v.iter()),
        peeked(v.iter()),
        pairs(v.iter().zip(v.iter().skip(1))),
        pairs_mapped(v.iter().enumerate()),
        pair_fields(v.iter().enumerate()),
        collected(&v),
        references(refs.iter()),
        options(v.iter().map(Some)),
        for_rows(v.iter()),
        map_rows(v.iter()),
        totals(&v),
        out(&v[..]),
        self::all(&v[..]),
        all_mapped(&&v[..]),
        Holder { cs: v.iter() }.total(),
        Holder { cs: v.iter() }.map(|p| p.name()).sum(),
        unknown(&v),
        unknown(v.iter()),
        unknown_ref(&v),
        unknown_ref(&refs),
    ];
    all.push(mutable(&mut v));
    all
}
