//! Fields, elements and patterns of which some are of a parameter.

use std::collections::BTreeMap;
pub trait Ops: Copy {
    const K: i64;
    fn abs(self) -> Self;
    fn pow(&self, n: u32) -> i64;
    fn max(self, o: Self) -> Self;
    fn twice(self) -> Self {
        self.abs().max(self)
    }
}
impl Ops for i64 {
    const K: i64 = 3;
    fn abs(self) -> i64 {
        self - 1
    }
    fn pow(&self, n: u32) -> i64 {
        *self * n as i64 + 7
    }
    fn max(self, o: i64) -> i64 {
        self * 10 + o
    }
}
#[derive(Clone)]
pub struct G<T> {
    v: Vec<T>,
    n: i64,
    m: BTreeMap<i64, T>,
    p: (i64, T),
    o: Option<(T, i64)>,
}
impl<T: Ops> G<T> {
    fn a(&self) -> i64 {
        self.n.abs()
    }
    fn b(&self) -> i64 {
        self.v.iter().map(|x| x.pow(1)).sum::<i64>()
    }
    fn c(&self) -> i64 {
        self.m.iter().map(|(k, x)| k.abs() + x.pow(2)).sum::<i64>()
    }
    fn d(&self) -> i64 {
        let (k, x) = self.p;
        k.abs() * 100 + x.pow(3)
    }
    fn e(&self) -> i64 {
        match self.o {
            Some((x, k)) => k.abs() * 1000 + x.abs().pow(1),
            None => 0,
        }
    }
    fn f(&self) -> i64 {
        let mut t = 0;
        for (i, x) in self.v.iter().enumerate() {
            t += (i as i64 - 2).abs() + x.pow(1);
        }
        t
    }
    fn g(&mut self) -> i64 {
        self.n = self.n.pow(2);
        self.n.abs()
    }
    fn h(&self, f: impl Fn(&T) -> i64) -> i64 {
        let s: i64 = self.v.iter().map(|x| f(x)).sum();
        s.abs()
    }
    fn i(&self) -> T {
        let mut best = self.v[0];
        for x in &self.v[1..] {
            best = best.max(*x);
        }
        best
    }
    fn j(&self) -> i64 {
        self.v.iter().copied().fold(self.p.1, |a, b| a.max(b)).pow(1)
    }
    fn k(&self) -> i64 {
        let q: Vec<i64> = self.v.iter().map(|x| x.pow(0)).collect();
        q.iter().map(|x| x.abs()).max().unwrap().pow(2)
    }
    fn l(&self) -> Option<i64> {
        let x = self.v.first()?;
        Some(x.pow(2).abs())
    }
    fn m(&self) -> i64 {
        let w = self.v.len() as i64 - 9;
        let z = w;
        z.abs() + T::K.abs()
    }
    fn n(&self) -> i64 {
        let c = |x: T, k: i64| x.pow(1) + k.abs();
        c(self.v[0], self.n)
    }
    fn o(&self) -> i64 {
        let mut it = self.v.iter();
        let mut s = -1;
        while let Some(x) = it.next() {
            s = s * 2 + x.pow(1);
        }
        s.abs()
    }
    fn p(&self) -> i64 {
        let u = self.clone();
        u.n.abs() + u.v[0].pow(2) + u.v[1].abs().pow(0)
    }
}
pub fn im(x: impl Ops, k: i64) -> i64 {
    x.pow(2) + k.abs()
}
pub fn two<A: Ops, B: Into<i64> + Copy>(a: A, b: B) -> i64 {
    let w: i64 = b.into();
    a.pow(1) + w.abs() + b.into().abs()
}
pub fn tw<T: Ops>(t: T) -> i64 {
    t.twice().pow(0)
}
pub fn sl<T: Ops>(t: &[T], k: &[i64]) -> i64 {
    t.iter().zip(k).map(|(t, k)| t.pow(1) * k.abs()).sum()
}
pub fn f(x: i64) -> Vec<i64> {
    let mut g =
        G { v: vec![x, 2, -7], n: x - 3, m: BTreeMap::from([(-4, x), (5, 1)]), p: (-6, x), o: Some((x, -8)) };
    let mut r = vec![
        g.a(),
        g.b(),
        g.c(),
        g.d(),
        g.e(),
        g.f(),
        g.h(|x| x - 5),
        g.i(),
        g.j(),
        g.k(),
        g.l().unwrap(),
        g.m(),
        g.n(),
        g.o(),
        g.p(),
    ];
    r.push(g.g());
    r.extend([im(x, -4), two(x, -3i32), tw(x), sl(&[x, 1], &[-2, 3])]);
    r
}
