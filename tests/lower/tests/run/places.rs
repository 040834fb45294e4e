//! Places: reads, writes and borrows of parts of parts.

use std::collections::BTreeMap;
use std::ops::{AddAssign, Index, IndexMut};

#[derive(Clone, Debug, Default)]
struct Inner {
    values: Vec<f64>,
    total: f64,
}

#[derive(Clone, Debug, Default)]
struct Outer {
    inner: Inner,
    pair: (f64, f64),
}

pub fn nested_fields(x: f64) -> f64 {
    let mut outer = Outer::default();
    outer.inner.values.push(x);
    outer.inner.values.push(2.0 * x);
    outer.inner.values[1] += 1.0;
    outer.inner.total = outer.inner.values[0] - outer.inner.values[1];
    outer.pair.1 -= outer.inner.total;
    outer.pair.1 * 3.0 + outer.inner.values.len() as f64
}

pub fn nested_arrays(x: f64) -> f64 {
    let mut m = vec![vec![0.0; 3]; 2];
    let mut fixed = [[1.0; 2]; 2];
    for i in 0..2 {
        for j in 0..3 {
            m[i][j] = x * i as f64 + j as f64;
        }
    }
    let copy = m.clone();
    m[1][2] *= 10.0;
    fixed[1][0] = m[1][2] - copy[1][2];
    let other = fixed;
    fixed[1][0] += 1.0;
    fixed[1][0] * 100.0 + other[1][0]
}

fn swap_pair(a: &mut f64, b: &mut f64) {
    let t = *a;
    *a = *b;
    *b = t;
}

pub fn swapped_fields(x: f64) -> f64 {
    let mut outer = Outer { pair: (x, 5.0), ..Outer::default() };
    swap_pair(&mut outer.pair.0, &mut outer.pair.1);
    swap_pair(&mut outer.pair.0, &mut outer.inner.total);
    outer.pair.0 + outer.pair.1 * 10.0 + outer.inner.total * 100.0
}

pub fn two_phase(x: f64) -> f64 {
    let mut v = vec![x];
    v.push(v.len() as f64);
    v.push(v[0] + v[1]);
    let n = v.len();
    v.insert(n - 1, v[n - 1] * 2.0);
    v.iter().enumerate().map(|(i, y)| y * (i + 1) as f64).sum()
}

fn log(trace: &mut Vec<u32>, n: u32) -> usize {
    trace.push(n);
    (n % 2) as usize
}

pub fn index_then_value(x: f64) -> f64 {
    let mut trace = Vec::new();
    let mut v = [x, x + 1.0];
    v[{
        trace.push(2);
        1
    }] = {
        trace.push(1);
        4.0
    };
    let i = log(&mut trace, 3) + log(&mut trace, 4);
    v[i] += {
        trace.push(5);
        1.0
    };
    let code = trace.iter().fold(0u32, |acc, n| acc * 10 + n);
    v[0] + v[1] + code as f64
}

pub fn compound_order(x: f64) -> f64 {
    let mut order = Vec::new();
    let mut a = [x; 2];
    a[{
        order.push(1);
        0
    }] += {
        order.push(2);
        1.5
    };
    let mut n = 3;
    n += {
        n = 10;
        1
    };
    a[0] + n as f64 + order[0] as f64 * 0.5
}

#[derive(Clone, Copy)]
struct Num(f64);

impl AddAssign<Num> for Num {
    fn add_assign(&mut self, rhs: Num) {
        self.0 = self.0 * 2.0 + rhs.0;
    }
}

pub fn overloaded_order(x: f64) -> f64 {
    let mut order = Vec::new();
    let mut a = [Num(x), Num(1.0)];
    a[{
        order.push(1);
        1
    }] += {
        order.push(2);
        Num(x)
    };
    a[1].0 + order[0] as f64
}

pub fn replaced(x: f64) -> f64 {
    let mut outer = Outer { inner: Inner { values: vec![x], total: 1.0 }, pair: (0.0, 1.0) };
    let old = std::mem::replace(&mut outer.inner.values, vec![1.0, 2.0]);
    old[0] + outer.inner.values[1]
}

pub fn taken(x: f64) -> f64 {
    let mut outer = Outer { inner: Inner { values: vec![x, 3.0], total: 1.0 }, pair: (0.0, 1.0) };
    let old = std::mem::take(&mut outer.inner);
    outer.inner.values.push(old.values[1]);
    old.values[0] + outer.inner.values.len() as f64 + outer.inner.total
}

pub fn mem_swapped(x: f64) -> f64 {
    let mut a = vec![x, 2.0];
    let mut b = vec![5.0];
    std::mem::swap(&mut a, &mut b);
    a[0] * 10.0 + b[0] + b.len() as f64
}

pub fn split_halves(x: f64) -> f64 {
    let mut v = [1.0, x, 3.0, 4.0];
    {
        let (left, right) = v.split_at_mut(2);
        left[0] += right[1];
        right[0] *= left[1];
    }
    v.iter().fold(0.0, |acc, y| acc * 3.0 + y)
}

pub fn iter_muts(x: f64) -> f64 {
    let mut v = vec![1.0, 2.0, 3.0];
    for y in v.iter_mut() {
        *y *= x;
    }
    for (i, y) in v.iter_mut().enumerate() {
        *y += i as f64;
    }
    v.iter_mut().for_each(|y| *y -= 0.5);
    for y in &mut v {
        *y *= 2.0;
    }
    v.iter().sum()
}

pub fn chunks(x: f64) -> f64 {
    let mut v = [1.0, 2.0, 3.0, 4.0, x];
    for (i, chunk) in v.chunks_mut(2).enumerate() {
        chunk[0] += i as f64;
        if chunk.len() > 1 {
            chunk.swap(0, 1);
        }
    }
    v.iter().fold(0.0, |acc, y| acc * 2.0 + y)
}

struct Matrix {
    data: Vec<f64>,
    cols: usize,
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

impl Matrix {
    fn row_mut(&mut self, i: usize) -> &mut [f64] {
        let cols = self.cols;
        &mut self.data[i * cols..(i + 1) * cols]
    }
}

pub fn matrix_index(x: f64) -> f64 {
    let mut m = Matrix { data: vec![0.0; 6], cols: 3 };
    m[(1, 2)] = x;
    m[(1, 2)] += 1.0;
    m[(0, 0)] = m[(1, 2)] * 2.0;
    m.row_mut(1)[0] = 7.0;
    let row = m.row_mut(0);
    row[1] = row[0] + 1.0;
    m.data.iter().fold(0.0, |acc, y| acc * 1.5 + y)
}

pub fn struct_update(x: f64) -> f64 {
    let base = Outer { inner: Inner { values: vec![x, 1.0], total: 2.0 }, pair: (3.0, 4.0) };
    let mut next = Outer { pair: (x, 1.0), ..base.clone() };
    next.inner.values[0] += 1.0;
    next.inner.values[0] * 10.0 + base.inner.values[0] + next.pair.0
}

pub fn shadowed(x: f64) -> f64 {
    let y = x + 1.0;
    let y = {
        let y = y * 2.0;
        y + 0.25
    };
    let x = y - x;
    x
}

pub fn boxed_field(x: f64) -> f64 {
    let mut boxed = Box::new(Outer::default());
    boxed.pair.0 = x;
    boxed.inner.values.push(x);
    let Outer { pair, inner } = *boxed;
    pair.0 + inner.values[0]
}

pub fn tuple_parts(x: f64) -> f64 {
    let mut t = (x, (1.0, [2.0, 3.0]));
    t.1.1[0] = t.0;
    (t.0, t.1.0) = (t.1.0, t.0);
    let (a, (b, [c, _])) = t;
    a + b * 10.0 + c * 100.0
}

pub fn ref_mut_pattern(x: f64) -> f64 {
    let mut outer = Outer::default();
    let Outer { inner: Inner { total, values }, pair: (a, _) } = &mut outer;
    *total = x;
    values.push(*total);
    *a += 2.0;
    let (ref mut p, q) = outer.pair;
    *p += q + 1.0;
    outer.pair.0 + outer.inner.total + outer.inner.values[0]
}

pub fn option_as_mut(x: f64) -> f64 {
    let mut slot = Some(Inner { values: vec![x], total: 0.0 });
    if let Some(inner) = slot.as_mut() {
        inner.values.push(1.0);
        inner.total = inner.values.len() as f64;
    }
    if let Some(inner) = &mut slot {
        inner.total += 0.5;
    }
    let inner = slot.get_or_insert_with(Inner::default);
    inner.total += 1.0;
    slot.map_or(0.0, |inner| inner.total + inner.values[0])
}

fn bump(x: &mut f64) -> f64 {
    *x += 1.0;
    *x
}

fn bump_twice(x: &mut f64) -> f64 {
    bump(x) + bump(&mut *x)
}

pub fn reborrowed(x: f64) -> f64 {
    let mut y = x;
    let r = &mut y;
    let a = bump_twice(r);
    let s = &mut *r;
    *s *= 2.0;
    *r += 1.0;
    a + y
}

pub fn conditional_ref(x: f64) -> f64 {
    let (mut a, mut b) = (1.0, 2.0);
    {
        let r = if x > 0.5 { &mut a } else { &mut b };
        *r += x;
    }
    a * 10.0 + b
}

pub fn reassigned_ref(x: f64) -> f64 {
    let (mut a, mut b) = (x, 2.0);
    let mut r = &mut a;
    *r += 1.0;
    if *r > 1.0 {
        r = &mut b;
    }
    *r *= 3.0;
    a * 10.0 + b
}

fn inner_most(v: &mut Vec<f64>, k: f64) {
    v.push(k);
}

fn middle(o: &mut Inner, k: f64) {
    inner_most(&mut o.values, k);
    o.total += k;
}

fn outermost(o: &mut Outer, k: f64) -> usize {
    middle(&mut o.inner, k);
    middle(&mut o.inner, k + 1.0);
    o.inner.values.len()
}

pub fn nested_mut_calls(x: f64) -> f64 {
    let mut o = Outer::default();
    let n = outermost(&mut o, x) + outermost(&mut o, 2.0);
    o.inner.total * 2.0 + n as f64
}

fn double_all(v: &mut [f64]) {
    for y in v {
        *y *= 2.0;
    }
}

pub fn slice_of_slice(x: f64) -> f64 {
    let mut v = vec![1.0, x, 3.0, 4.0];
    double_all(&mut v[1..3]);
    let tail = &mut v[2..];
    tail[1] = tail[0] + 0.5;
    double_all(&mut tail[1..]);
    let whole = &v[..];
    whole.iter().fold(0.0, |acc, y| acc * 2.0 + y) + whole[1..=2].len() as f64
}

pub fn swap_elements(x: f64) -> f64 {
    let mut v = vec![x, 2.0, 3.0];
    v.swap(0, 2);
    let t = v[1];
    v[1] = v[0];
    v[0] = t;
    v.iter().fold(0.0, |acc, y| acc * 2.0 + y)
}

pub fn entry_like(x: f64) -> f64 {
    let mut counts: BTreeMap<i64, f64> = BTreeMap::new();
    for k in [1, 2, 1, 3, 2, 1] {
        *counts.entry(k).or_insert(x) += k as f64;
    }
    if let Some(y) = counts.get_mut(&3) {
        *y *= 2.0;
    }
    counts.iter().map(|(k, y)| *k as f64 * y).sum()
}

fn larger<'a>(a: &'a mut f64, b: &'a mut f64) -> &'a mut f64 {
    if *a > *b { a } else { b }
}

pub fn returned_ref(x: f64) -> f64 {
    let (mut a, mut b) = (x, 1.5);
    *larger(&mut a, &mut b) += 10.0;
    let r = larger(&mut a, &mut b);
    *r -= 1.0;
    a * 100.0 + b
}

struct Cursor<'a> {
    data: &'a mut Vec<f64>,
    at: usize,
}

impl Cursor<'_> {
    fn write(&mut self, x: f64) {
        self.data[self.at] = x;
        self.at += 1;
    }
}

pub fn struct_with_ref(x: f64) -> f64 {
    let mut data = vec![0.0; 3];
    let mut cursor = Cursor { data: &mut data, at: 0 };
    cursor.write(x);
    cursor.write(2.0);
    let at = cursor.at;
    data[2] = data[0] + data[1];
    data[2] + at as f64
}

pub fn first_or_insert(x: f64) -> f64 {
    let mut v: Vec<f64> = Vec::new();
    for k in 0..3 {
        match v.last_mut() {
            Some(last) => *last += k as f64,
            None => v.push(x),
        }
    }
    if let Some(first) = v.first_mut() {
        *first *= 2.0;
    }
    v[0]
}

#[derive(PartialEq, PartialOrd)]
struct Level {
    height: f64,
}

impl Level {
    fn rise(&mut self) -> bool {
        let rises = self != &Level { height: 0.0 };
        self.height += if rises { 1.0 } else { 0.5 };
        rises
    }
}

pub fn compared_references(x: f64) -> f64 {
    let (mut level, mut other) = (Level { height: x }, Level { height: 1.0 });
    let rises = level.rise() as u8 as f64;
    let mut pair = (&mut level, &mut other);
    let both = (pair.0 == pair.1) as u8 + (&mut pair.0 < &mut &mut Level { height: 2.5 }) as u8;
    let (texts, mut text) = (["a".to_owned(), "b".to_owned()], "b".to_owned());
    let found = texts.iter().position(|one| *one == *&mut text).unwrap_or(7);
    level.height * 10.0 + rises + both as f64 + found as f64
}
