//! Programs that put the library to work: matrices, trees, closures, traits.

use std::fmt::Display;
use std::ops::{Add, Index, IndexMut, Mul};
fn show<T: std::fmt::Debug>(x: T) -> String {
    format!("{x:?}")
}

pub fn generic_display() -> String {
    fn join<T: Display>(xs: &[T]) -> String {
        xs.iter().map(|x| x.to_string()).collect::<Vec<_>>().join("+")
    }
    fn largest<T: PartialOrd + Copy>(xs: &[T]) -> T {
        let mut m = xs[0];
        for &x in xs {
            if x > m {
                m = x;
            }
        }
        m
    }
    join(&[1, 2]) + &join(&["a", "b"]) + &show((largest(&[1.5, 0.5]), largest(&['a', 'z'])))
}
#[derive(Clone, Debug, PartialEq)]
struct Matrix {
    rows: usize,
    cols: usize,
    data: Vec<f64>,
}
impl Matrix {
    fn new(rows: usize, cols: usize) -> Self {
        Matrix { rows, cols, data: vec![0.0; rows * cols] }
    }
    fn identity(n: usize) -> Self {
        let mut m = Self::new(n, n);
        for i in 0..n {
            m[(i, i)] = 1.0;
        }
        m
    }
    fn transpose(&self) -> Self {
        let mut t = Self::new(self.cols, self.rows);
        for i in 0..self.rows {
            for j in 0..self.cols {
                t[(j, i)] = self[(i, j)];
            }
        }
        t
    }
    fn row(&self, i: usize) -> &[f64] {
        &self.data[i * self.cols..(i + 1) * self.cols]
    }
    fn row_mut(&mut self, i: usize) -> &mut [f64] {
        &mut self.data[i * self.cols..(i + 1) * self.cols]
    }
    fn iter(&self) -> impl Iterator<Item = &f64> + '_ {
        self.data.iter()
    }
}
impl Index<(usize, usize)> for Matrix {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.data[i * self.cols + j]
    }
}
impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.data[i * self.cols + j]
    }
}
impl Mul<&Matrix> for &Matrix {
    type Output = Matrix;
    fn mul(self, o: &Matrix) -> Matrix {
        let mut m = Matrix::new(self.rows, o.cols);
        for i in 0..self.rows {
            for j in 0..o.cols {
                m[(i, j)] = (0..self.cols).map(|k| self[(i, k)] * o[(k, j)]).sum();
            }
        }
        m
    }
}
impl Add for Matrix {
    type Output = Matrix;
    fn add(mut self, o: Matrix) -> Matrix {
        self.data.iter_mut().zip(&o.data).for_each(|(a, b)| *a += b);
        self
    }
}
pub fn matrices() -> String {
    let mut m = Matrix::identity(2);
    m[(0, 1)] = 2.5;
    m.row_mut(1).swap(0, 1);
    m.row_mut(0)[0] += 1.0;
    let p = &m * &m.transpose();
    let s = p.clone() + m.clone();
    show((m.row(0), &p, s.iter().sum::<f64>(), p == m))
}
pub fn trees() -> String {
    #[derive(Debug, Default)]
    struct Node {
        key: i32,
        left: Option<Box<Node>>,
        right: Option<Box<Node>>,
    }
    impl Node {
        fn insert(&mut self, key: i32) {
            let side = if key < self.key { &mut self.left } else { &mut self.right };
            match side {
                Some(n) => n.insert(key),
                None => *side = Some(Box::new(Node { key, ..Default::default() })),
            }
        }
        fn walk(&self, out: &mut Vec<i32>) {
            if let Some(l) = &self.left {
                l.walk(out);
            }
            out.push(self.key);
            if let Some(r) = self.right.as_ref() {
                r.walk(out);
            }
        }
        fn depth(&self) -> usize {
            1 + self.left.as_ref().map_or(0, |n| n.depth()).max(self.right.as_ref().map_or(0, |n| n.depth()))
        }
    }
    let mut t = Node { key: 5, ..Node::default() };
    for k in [2, 8, 1, 9, 3] {
        t.insert(k);
    }
    let mut out = vec![];
    t.walk(&mut out);
    show((out, t.depth(), t.left.as_deref().map(|n| n.key)))
}
pub fn lists() -> String {
    struct Stack<T> {
        head: Option<Box<Link<T>>>,
        len: usize,
    }
    struct Link<T> {
        value: T,
        next: Option<Box<Link<T>>>,
    }
    impl<T> Stack<T> {
        fn new() -> Self {
            Stack { head: None, len: 0 }
        }
        fn push(&mut self, value: T) {
            let next = self.head.take();
            self.head = Some(Box::new(Link { value, next }));
            self.len += 1;
        }
        fn pop(&mut self) -> Option<T> {
            self.head.take().map(|l| {
                self.head = l.next;
                self.len -= 1;
                l.value
            })
        }
        fn peek_mut(&mut self) -> Option<&mut T> {
            self.head.as_mut().map(|l| &mut l.value)
        }
        fn reverse(&mut self) {
            let mut prev = None;
            let mut at = self.head.take();
            while let Some(mut l) = at {
                at = l.next.take();
                l.next = prev;
                prev = Some(l);
            }
            self.head = prev;
        }
    }
    let mut s = Stack::new();
    for i in 0..4 {
        s.push(i * i);
    }
    if let Some(x) = s.peek_mut() {
        *x += 100;
    }
    s.reverse();
    let a = s.pop();
    let mut sum = 0;
    let mut at = &s.head;
    while let Some(l) = at {
        sum += l.value;
        at = &l.next;
    }
    show((a, sum, s.len, s.pop(), s.pop(), s.pop(), s.pop()))
}
pub fn mutable_iteration() -> String {
    let mut xs = vec![3, 1, 2];
    xs.iter_mut().for_each(|x| *x *= 2);
    for (i, x) in xs.iter_mut().enumerate().filter(|(i, _)| i % 2 == 0) {
        *x += i as i32;
    }
    for (x, y) in xs.iter_mut().zip([10, 20, 30]) {
        *x += y;
    }
    let m = xs.iter_mut().max().unwrap();
    *m = 0;
    if let Some(x) = xs.iter_mut().find(|x| **x > 20) {
        *x = -1;
    }
    let (a, b) = xs.split_at_mut(1);
    a.iter_mut().chain(b.iter_mut()).for_each(|x| *x -= 1);
    let total = xs
        .iter_mut()
        .map(|x| {
            *x += 1;
            *x
        })
        .sum::<i32>();
    let mut pairs = vec![(1, 'a'), (2, 'b')];
    for (n, c) in &mut pairs {
        *n += 1;
        *c = 'z';
    }
    for p in pairs.iter_mut().skip(1) {
        p.0 *= 10;
    }
    let mut grid = vec![vec![0; 3]; 2];
    for (i, row) in grid.iter_mut().enumerate() {
        for (j, c) in row.iter_mut().enumerate() {
            *c = i + j;
        }
    }
    grid.iter_mut().flatten().for_each(|c| *c += 1);
    let col: Vec<usize> = grid.iter().map(|r| r[1]).collect();
    let mut arr = [1, 2, 3, 4];
    let [first, .., last] = &mut arr;
    std::mem::swap(first, last);
    arr[1..3].reverse();
    let mut o = Some(3);
    if let Some(x) = o.as_mut() {
        *x += 1;
    }
    while let Some(x) = o {
        if x > 6 {
            o = None;
        } else {
            o = Some(x + 1);
        }
    }
    show((xs, total, pairs, grid, col, arr, o))
}
pub fn closures() -> String {
    let mut log = Vec::new();
    let mut add = |x: i32| {
        log.push(x);
        log.len()
    };
    let n = add(1) + add(5);
    fn twice<F: FnMut(i32) -> i32>(mut f: F) -> i32 {
        f(1) + f(2)
    }
    let mut count = 0;
    let t = twice(|x| {
        count += 1;
        x * 10 + count
    });
    fn compose<A, B, C>(f: impl Fn(A) -> B, g: impl Fn(B) -> C) -> impl Fn(A) -> C {
        move |x| g(f(x))
    }
    let h = compose(|x: f64| x + 1.0, |y: f64| y.sqrt());
    let fs: Vec<Box<dyn Fn(f64) -> f64>> =
        (1..4).map(|k| Box::new(move |x| x * k as f64) as Box<dyn Fn(f64) -> f64>).collect();
    fn make(n: i32) -> Box<dyn FnMut() -> i32> {
        let mut s = n;
        Box::new(move || {
            s += n;
            s
        })
    }
    let mut c = make(3);
    let mut memo: std::collections::HashMap<u64, u64> = Default::default();
    fn fib(n: u64, memo: &mut std::collections::HashMap<u64, u64>) -> u64 {
        if n < 2 {
            return n;
        }
        if let Some(v) = memo.get(&n) {
            return *v;
        }
        let v = fib(n - 1, memo) + fib(n - 2, memo);
        memo.insert(n, v);
        v
    }
    let table: [(&str, fn(f64) -> f64); 2] = [("sin", f64::sin), ("sq", |x| x * x)];
    show((
        n,
        log,
        t,
        count,
        h(3.0),
        fs.iter().map(|f| f(2.0)).sum::<f64>(),
        c() + c(),
        fib(50, &mut memo),
        table.iter().map(|(n, f)| f(0.5) + n.len() as f64).collect::<Vec<_>>(),
    ))
}
pub fn generics() -> String {
    trait Shape {
        const SIDES: usize;
        type Unit: Default + std::fmt::Debug;
        fn area(&self) -> f64;
        fn describe(&self) -> String
        where
            Self: Sized,
        {
            format!("{} sides, {:.1}, {:?}", Self::SIDES, self.area(), Self::Unit::default())
        }
    }
    struct Sq(f64);
    struct Tri {
        b: f64,
        h: f64,
    }
    impl Shape for Sq {
        const SIDES: usize = 4;
        type Unit = i32;
        fn area(&self) -> f64 {
            self.0.powi(2)
        }
    }
    impl Shape for Tri {
        const SIDES: usize = 3;
        type Unit = Option<u8>;
        fn area(&self) -> f64 {
            0.5 * self.b * self.h
        }
        fn describe(&self) -> String {
            "tri".into()
        }
    }
    fn total<S: Shape>(xs: &[S]) -> f64
    where
        S::Unit: Clone,
    {
        xs.iter().map(Shape::area).sum()
    }
    struct Poly<const N: usize>([f64; N]);
    impl<const N: usize> Poly<N> {
        fn eval(&self, x: f64) -> f64 {
            self.0.iter().rev().fold(0.0, |a, c| a * x + c)
        }
        const DEGREE: usize = N - 1;
    }
    impl<T: Shape> Shape for Vec<T> {
        const SIDES: usize = T::SIDES * 2;
        type Unit = String;
        fn area(&self) -> f64 {
            self.iter().map(|s| s.area()).sum()
        }
    }
    show((
        Sq(2.0).describe(),
        Tri { b: 1.0, h: 2.0 }.describe(),
        total(&[Sq(1.0), Sq(2.0)]),
        Poly([1.0, 2.0, 3.0]).eval(2.0),
        Poly::<3>::DEGREE,
        vec![Sq(3.0)].describe(),
    ))
}
