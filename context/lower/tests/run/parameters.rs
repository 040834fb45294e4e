//! Methods of type parameters that have the names of methods of the types that the parameters are bound to.

/// A float that differs if one of the numbers does.
fn digest(all: &[i64]) -> f64 {
    all.iter().fold(0.0, |sum, x| sum * 0.7 + *x as f64)
}

pub mod associated {
    pub trait Num {
        type Int: Ops;
    }
    pub trait Ops: Copy {
        fn checked_add(&self, o: &Self) -> Option<Self>;
        fn abs(self) -> Self;
        fn pow(&self, n: u32) -> i64;
    }
    impl Ops for i64 {
        fn checked_add(&self, o: &i64) -> Option<i64> {
            Some(self * 100 + o)
        }
        fn abs(self) -> i64 {
            self - 1
        }
        fn pow(&self, n: u32) -> i64 {
            *self * n as i64 + 7
        }
    }
    pub struct D;
    impl Num for D {
        type Int = i64;
    }
    fn assoc<N: Num>(a: N::Int, b: N::Int) -> Option<N::Int> {
        a.checked_add(&b)
    }
    fn assoc_abs<N: Num>(a: N::Int) -> N::Int {
        a.abs()
    }
    fn assoc_pow<N: Num>(a: &N::Int) -> i64 {
        a.pow(2)
    }
    fn param<T: Ops>(a: T) -> T {
        a.abs()
    }
    fn param_ref<T: Ops>(a: &[T]) -> i64 {
        a.iter().map(|x| x.pow(2)).sum()
    }
    pub struct W<N: Num> {
        v: Vec<N::Int>,
    }
    impl<N: Num> W<N> {
        fn go(&self) -> i64 {
            self.v.iter().map(|x| x.abs().pow(2)).sum()
        }
        fn first(&self) -> N::Int {
            self.v[0].abs()
        }
    }
    enum V<N: Num> {
        I(N::Int),
        F(f64),
    }
    impl<N: Num> V<N> {
        fn add(&self) -> Option<V<N>> {
            match self {
                V::I(a) => {
                    let b = *a;
                    a.checked_add(&b).map(V::I)
                }
                V::F(x) => Some(V::F(*x)),
            }
        }
        fn get(&self) -> N::Int {
            if let V::I(a) = self { a.abs() } else { panic!() }
        }
    }
    pub fn f(x: i64) -> Vec<i64> {
        vec![
            assoc::<D>(x, 3).unwrap(),
            assoc_abs::<D>(x),
            assoc_pow::<D>(&x),
            param(x),
            param_ref(&[x, 2]),
            W::<D> { v: vec![x] }.go(),
            W::<D> { v: vec![x] }.first(),
            V::<D>::I(x).add().unwrap().get(),
        ]
    }
}

pub fn associated_methods(x: f64) -> f64 {
    digest(&associated::f(x as i64))
}

pub mod written {
    pub trait Ops: Copy {
        fn abs(self) -> Self;
        fn pow(&self, n: u32) -> i64;
    }
    impl Ops for i64 {
        fn abs(self) -> i64 {
            self - 1
        }
        fn pow(&self, n: u32) -> i64 {
            *self * n as i64 + 7
        }
    }
    pub struct P {
        k: i64,
        v: Vec<i64>,
        o: Option<i64>,
        t: (i64, i64),
    }
    fn field<T: Ops>(p: &P, _t: T) -> i64 {
        p.k.abs()
    }
    fn index<T: Ops>(p: &P, _t: T) -> i64 {
        p.v[0].abs()
    }
    fn pat<T: Ops>(p: &P, _t: T) -> i64 {
        if let Some(x) = p.o { x.abs() } else { 0 }
    }
    fn pat2<T: Ops>(p: &P, _t: T) -> i64 {
        let P { k, .. } = p;
        k.abs()
    }
    fn clos<T: Ops>(p: &P, _t: T) -> i64 {
        p.v.iter().map(|x| x.abs()).sum()
    }
    fn tup<T: Ops>(p: &P, _t: T) -> i64 {
        p.t.0.abs()
    }
    fn lp<T: Ops>(p: &P, _t: T) -> i64 {
        let mut s = 0;
        for x in &p.v {
            s += x.abs();
        }
        s
    }
    fn blk<T: Ops>(p: &P, _t: T) -> i64 {
        let y = { p.k };
        y.abs()
    }
    fn iff<T: Ops>(p: &P, _t: T) -> i64 {
        let y = if p.k > 0 { p.k } else { -3 };
        y.abs()
    }
    fn arg<T: Ops>(k: i64, _t: T) -> i64 {
        k.abs()
    }
    fn arith<T: Ops>(p: &P, _t: T) -> i64 {
        (p.k * 2).abs()
    }
    fn mth<T: Ops>(p: &P, _t: T) -> i64 {
        p.v.len() as i64 + p.v.iter().copied().max().unwrap().abs()
    }
    fn un<T: Ops>(p: &P, _t: T) -> i64 {
        p.o.unwrap().pow(2)
    }
    fn gen1<T: Ops>(p: &[T]) -> i64 {
        p.iter().map(|x| x.abs().pow(2)).sum()
    }
    fn gen2<T: Ops>(p: Option<T>) -> i64 {
        match p {
            Some(x) => x.pow(2),
            None => 0,
        }
    }
    fn mtc<T: Ops>(p: &P, _t: T) -> i64 {
        match p.t {
            (a, b) => a.abs() + b.abs(),
        }
    }
    pub fn f(x: i64) -> Vec<i64> {
        let p = P { k: x, v: vec![x, 2], o: Some(x), t: (x, x) };
        vec![
            field(&p, x),
            index(&p, x),
            pat(&p, x),
            pat2(&p, x),
            clos(&p, x),
            tup(&p, x),
            lp(&p, x),
            blk(&p, x),
            iff(&p, x),
            arg(x, x),
            arith(&p, x),
            mth(&p, x),
            un(&p, x),
            gen1(&[x, 3]),
            gen2(Some(x)),
            mtc(&p, x),
        ]
    }
}

pub fn written_methods(x: f64) -> f64 {
    digest(&written::f(x as i64))
}

pub mod mixed {
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
        let mut g = G {
            v: vec![x, 2, -7],
            n: x - 3,
            m: BTreeMap::from([(-4, x), (5, 1)]),
            p: (-6, x),
            o: Some((x, -8)),
        };
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
}

pub fn mixed_methods(x: f64) -> f64 {
    digest(&mixed::f(x as i64))
}

pub mod blanket {
    pub trait Ext {
        fn abs(&self) -> i64;
        fn len(&self) -> i64 {
            7
        }
    }
    impl<T> Ext for T {
        fn abs(&self) -> i64 {
            42
        }
    }
    fn g<T>(x: T) -> i64 {
        x.abs()
    }
    fn h<T>(x: &[T]) -> i64 {
        x.iter().map(|x| x.abs()).sum::<i64>() + x.len() as i64
    }
    fn i<T: Clone>(x: T) -> i64 {
        x.clone().len()
    }
    fn j<T: Default>() -> i64 {
        T::default().abs()
    }
    fn k<T: Iterator>(t: T) -> i64 {
        t.map(|x| x.abs()).sum()
    }
    fn l<T: Iterator<Item = i64>>(t: T) -> i64 {
        t.map(|x| i64::abs(x) + x.pow(2)).sum()
    }
    pub fn f(x: i64) -> Vec<i64> {
        vec![g(x), h(&[x, 2]), i(String::new()), j::<i64>(), k(vec![x].into_iter()), l(vec![x].into_iter())]
    }
}

pub fn blanket_methods(x: f64) -> f64 {
    digest(&blanket::f(x as i64))
}

pub mod paths {
    pub trait Ext {
        fn abs(&self) -> i64;
        fn new() -> i64
        where
            Self: Sized,
        {
            9
        }
    }
    impl<T> Ext for T {
        fn abs(&self) -> i64 {
            42
        }
    }
    fn g<T>(x: T) -> i64 {
        T::abs(&x)
    }
    fn h<T>(_x: T) -> i64 {
        T::new()
    }
    fn i<T>(x: T) -> i64 {
        <T>::abs(&x) + Ext::abs(&x)
    }
    pub fn f(x: i64) -> Vec<i64> {
        vec![g(x), h(String::new()), i(x)]
    }
}

pub fn paths_methods(x: f64) -> f64 {
    digest(&paths::f(x as i64))
}

pub mod iterated {
    use std::fmt::Debug;
    use std::ops::{Add, Mul, Sub};
    trait Num: Copy + PartialOrd + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Debug {
        const ZERO: Self;
        const ONE: Self;
        fn from_i(i: i64) -> Self;
        fn sqrt(self) -> Self;
        fn abs(self) -> Self {
            if self < Self::ZERO { Self::ZERO - self } else { self }
        }
        fn powi(self, n: i32) -> Self {
            (0..n).fold(Self::ONE, |a, _| a * self)
        }
        fn max(self, o: Self) -> Self {
            if self > o { self } else { o }
        }
        fn to_bits(self) -> u64 {
            5
        }
        fn is_nan(self) -> bool {
            true
        }
        fn len(&self) -> usize {
            11
        }
        fn floor(self) -> Self {
            self - Self::ONE
        }
    }
    impl Num for f64 {
        const ZERO: f64 = 0.0;
        const ONE: f64 = 1.0;
        fn from_i(i: i64) -> f64 {
            i as f64 + 0.5
        }
        fn sqrt(self) -> f64 {
            f64::sqrt(self.abs())
        }
    }
    impl Num for i64 {
        const ZERO: i64 = 0;
        const ONE: i64 = 1;
        fn from_i(i: i64) -> i64 {
            i
        }
        fn sqrt(self) -> i64 {
            (self as f64).sqrt() as i64
        }
    }
    fn norm<T: Num>(v: &[T], k: i64) -> (T, T, u64, bool, T, T, i64) {
        let s = v.iter().fold(T::ZERO, |a, &x| a + x.abs() * x);
        let m = v.iter().copied().fold(T::from_i(k), |a, b| a.max(b));
        let z = v[0] - v[1] * T::ONE;
        (
            s.sqrt(),
            m,
            z.to_bits(),
            (z * z).is_nan(),
            z.powi(3).floor(),
            (v[0] + v[1]).abs().floor(),
            k.abs() + v.len() as i64 + v[0].len() as i64,
        )
    }
    struct Acc<T: Num> {
        s: T,
        n: i64,
    }
    impl<T: Num> Acc<T> {
        fn push(&mut self, x: T) -> &mut Self {
            self.s = self.s + x.floor();
            self.n = self.n.abs() + 1;
            self
        }
        fn mean(&self) -> (T, i64) {
            let t = self.s;
            let u = {
                let w = t * T::ONE;
                w.floor()
            };
            (u.max(self.s), self.n.pow(2))
        }
    }
    impl<T: Num> Extend<T> for Acc<T> {
        fn extend<I: IntoIterator<Item = T>>(&mut self, it: I) {
            it.into_iter().for_each(|x| {
                self.push(x.abs().floor());
            })
        }
    }
    pub fn nums(x: i64) -> String {
        let mut a = Acc { s: 1.25, n: -4 };
        a.push(x as f64).push(2.75);
        a.extend([1.5, -3.5]);
        let mut b = Acc { s: x, n: -x };
        b.extend(vec![x, 4].into_iter().map(|q| q * 2));
        format!("{:?} {:?} {:?} {:?}", norm(&[x as f64, -2.5], x), norm(&[x, 3], -x), a.mean(), b.mean())
    }

    // Each of the four is the first instance of a function.
    pub fn firsts(x: i64) -> f64 {
        let (mut a, mut b) = (Acc { s: 1.25, n: -4 }, Acc { s: 1.25, n: -4 });
        a.extend([x as f64, 2.5]);
        b.extend(vec![x as f64, 2.5]);
        a.s * 100.0 + b.s
    }
}

pub fn iterated_methods(x: f64) -> f64 {
    iterated::nums(x as i64).bytes().fold(0.0, |sum, byte| sum * 0.7 + byte as f64)
        + iterated::firsts(x as i64)
}

pub mod calls {
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
}

pub fn called_methods(x: f64) -> f64 {
    let texts = calls::f(x as i64).concat();
    texts.bytes().fold(0.0, |sum, byte| sum * 0.7 + byte as f64) + calls::by_ref(x)
}

pub mod references {
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
            format!(
                "{:?} {:?} {:?} {:?} {:?}",
                g1(vec![x]),
                g1((x, "q")),
                g1(Box::new(x)),
                g1(b),
                g1(Some("z"))
            ),
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
}

pub fn referred_methods(x: f64) -> f64 {
    references::f(x as i64).concat().bytes().fold(0.0, |sum, byte| sum * 0.7 + byte as f64)
}
