//! Iterators, their sources and adaptors.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::iter;

fn show<T: std::fmt::Debug>(x: T) -> String {
    format!("{x:?}")
}

pub fn ranges() -> String {
    let a: Vec<i32> = (0..5).collect();
    let b: Vec<u8> = (250..=255).collect();
    let c: Vec<i32> = (0..10).rev().step_by(3).collect();
    let d: Vec<i64> = (-3..=3).rev().collect();
    let e: Vec<char> = ('a'..='e').chain('x'..'z').collect();
    let mut r = 0..10;
    let f = (r.next(), r.next_back(), r.nth(2), r.nth_back(1), r.len(), r);
    let mut q = 1..=3;
    let g = (q.next(), q.next_back(), q.next(), q.next(), q.is_empty());
    let h: Vec<i32> = (5..1).collect();
    let k: Vec<usize> = (3..).take(3).collect();
    let m = ((0..10).contains(&3), (0.0..1.0).contains(&1.0), (..=4).contains(&4), (2..).contains(&1));
    show((a, b, c, d, e, f, g, h, k, m)) + &show((0..3, 1..=2, 4.., ..5, ..=6, ..))
}

pub fn steps() -> String {
    let a: Vec<i32> = (0..10).step_by(4).collect();
    let b: Vec<i32> = (0..10).step_by(3).rev().collect();
    let c: Vec<&i32> = [1, 2, 3, 4, 5].iter().step_by(2).collect();
    let mut d = (0..11).step_by(5);
    show((a, b, c, d.len(), d.next(), d.next_back(), d.next_back(), d.next_back()))
}

pub fn zips() -> String {
    let xs = [1, 2, 3];
    let ys = ["a", "b"];
    let a: Vec<(i32, &str)> = xs.into_iter().zip(ys).collect();
    let b: Vec<_> = xs.iter().zip(ys.iter()).rev().collect();
    let (c, d): (Vec<i32>, Vec<&str>) = xs.iter().copied().zip(ys).unzip();
    let e = xs.iter().zip(1..).map(|(x, y)| x * y).sum::<i32>();
    let f = iter::zip([1.5, 2.5], [2.0, 4.0]).map(|(a, b)| a * b).fold(0.0, |a, b| a + b);
    show((a, b, c, d, e, f))
}

pub fn adapters() -> String {
    let xs = [3.0, -1.0, 4.0, 1.5, -9.25];
    let a: Vec<f64> = xs.iter().filter(|x| **x > 0.0).map(|x| x * 2.0).collect();
    let b: Vec<(usize, &f64)> = xs.iter().enumerate().skip(1).take(3).collect();
    let c: Vec<(usize, &f64)> = xs.iter().enumerate().rev().collect();
    let d: Vec<i32> = xs.iter().filter_map(|x| if *x > 1.0 { Some(*x as i32) } else { None }).collect();
    let e: Vec<&f64> = xs.iter().take_while(|x| **x != 1.5).collect();
    let f: Vec<&f64> = xs.iter().skip_while(|x| **x != 1.5).collect();
    let g: Vec<f64> = xs.iter().map_while(|x| (*x > -2.0).then_some(x + 1.0)).collect();
    let h: Vec<f64> = xs
        .iter()
        .scan(0.0, |s, x| {
            *s += x;
            Some(*s)
        })
        .collect();
    let k: Vec<i32> = [1, 2].iter().cycle().take(5).copied().collect();
    let m: Vec<i32> = (0..3).chain(7..9).rev().collect();
    let n: Vec<i32> = (0..20).skip(3).step_by(4).take(3).rev().collect();
    show((a, b, c, d, e, f, g, h, k, m, n))
}

pub fn flattening() -> String {
    let rows = vec![vec![1, 2], vec![], vec![3]];
    let a: Vec<i32> = rows.iter().flatten().copied().collect();
    let b: Vec<i32> = rows.iter().flat_map(|r| r.iter().map(|x| x * 10)).collect();
    let c: Vec<i32> = rows.clone().into_iter().flatten().rev().collect();
    let d: Vec<i32> = [Some(1), None, Some(3)].into_iter().flatten().collect();
    let e: Vec<char> = ["ab", "c"].iter().flat_map(|s| s.chars()).collect();
    let f: Vec<(i32, i32)> = (0..3).flat_map(|i| (0..i).map(move |j| (i, j))).collect();
    let mut both = rows.into_iter().flatten();
    show((a, b, c, d, e, f, both.next(), both.next_back(), both.next(), both.next()))
}

pub fn sources() -> String {
    let a: Vec<i32> = iter::successors(Some(1), |x| (*x < 100).then(|| x * 3)).collect();
    let mut n = 0;
    let b: Vec<i32> = iter::from_fn(|| {
        n += 1;
        (n < 4).then_some(n)
    })
    .collect();
    let c: Vec<i32> = iter::once(5).chain(iter::repeat(2).take(2)).chain(iter::empty()).collect();
    let mut x = 1.0;
    let d: Vec<f64> = iter::repeat_with(|| {
        x *= 2.0;
        x
    })
    .take(3)
    .collect();
    let e: Vec<&str> = iter::repeat_n("z", 2).collect();
    show((a, b, c, d, e, n))
}

pub fn folds() -> String {
    let xs = [1.5f64, -2.0, 3.25];
    let none: [f64; 0] = [];
    let a = (
        xs.iter().sum::<f64>(),
        none.iter().sum::<f64>(),
        none.iter().product::<f64>(),
        xs.iter().product::<f64>(),
    );
    let b = xs.iter().fold(String::new(), |s, x| s + &x.to_string());
    let c = xs.iter().rfold(0.0, |s, x| s * 2.0 + x);
    let d = xs.iter().copied().reduce(f64::max);
    let e = (1..=5).product::<u64>();
    let f: Option<i32> = [Some(1), Some(2)].into_iter().sum();
    let g: Option<i32> = [Some(1), None].into_iter().sum();
    let h: Result<i32, String> =
        ["1", "2", "x"].iter().map(|s| s.parse::<i32>().map_err(|e| e.to_string())).sum();
    let k: Result<i32, std::num::ParseIntError> = ["4", "2"].iter().map(|s| s.parse::<i32>()).product();
    let m = (1..10).try_fold(0i8, |a, x| a.checked_add(x * 10));
    let n = (1..4).try_fold(0i8, |a, x| a.checked_add(x * 10));
    let p = [1, 2, 3].iter().try_for_each(|x| if *x < 3 { Ok(()) } else { Err(*x) });
    show((a, b, c, d, e, f, g, h, k, m, n, p))
}

pub fn searches() -> String {
    let xs = [3, 1, 4, 1, 5, 9, 2, 6];
    let a = (xs.iter().position(|x| *x == 1), xs.iter().rposition(|x| *x == 1), xs.iter().find(|x| **x > 4));
    let b = (
        xs.iter().any(|x| *x == 9),
        xs.iter().all(|x| *x > 1),
        xs.iter().find_map(|x| (x % 2 == 0).then(|| x * 10)),
    );
    let c = (
        xs.iter().max(),
        xs.iter().min(),
        xs.iter().max_by_key(|x| **x % 4),
        xs.iter().min_by_key(|x| **x % 4),
    );
    let d = (
        xs.iter().last(),
        xs.iter().nth(2),
        xs.iter().count(),
        xs.iter().rev().nth(1),
        xs.iter().rfind(|x| **x < 3),
    );
    let pairs = [(1, 'a'), (1, 'b'), (0, 'c'), (0, 'd')];
    let e = (pairs.iter().max_by_key(|p| p.0), pairs.iter().min_by_key(|p| p.0));
    let fs = [1.0, f64::NAN, -0.0, 0.0];
    let f = (fs.iter().copied().fold(f64::NEG_INFINITY, f64::max), fs.iter().min_by(|a, b| a.total_cmp(b)));
    show((a, b, c, d, e, f))
}

pub fn collects() -> String {
    let a: HashMap<&str, i32> = [("a", 1), ("b", 2), ("a", 3)].into_iter().collect();
    let b: BTreeMap<i32, &str> = vec![(2, "two"), (1, "one")].into_iter().collect();
    let c: Option<Vec<i32>> = vec![Some(1), None].into_iter().collect();
    let d: Result<Vec<i32>, String> =
        vec![Ok(1), Err("bad".to_string()), Err("worse".to_string())].into_iter().collect();
    let e: String = vec!['x', 'y'].into_iter().collect();
    let f: String = ["ab", "cd"].into_iter().collect();
    let g: VecDeque<i32> = (0..3).collect();
    let h: Box<[i32]> = (0..2).collect();
    let (k, m): (Vec<i32>, Vec<i32>) = (0..6).partition(|x| x % 3 == 0);
    let mut n = vec![1];
    n.extend([2, 3].iter());
    n.extend(vec![4]);
    let mut sorted: Vec<_> = a.into_iter().collect();
    sorted.sort();
    show((sorted, b, c, d, e, f, g, h, k, m, n))
}

pub fn peeking() -> String {
    let mut it = [1, 2, 3, 10, 11].iter().peekable();
    let mut groups = Vec::new();
    while let Some(x) = it.next() {
        let mut group = vec![*x];
        while let Some(y) = it.next_if(|y| **y == group[group.len() - 1] + 1) {
            group.push(*y);
        }
        groups.push(group);
    }
    let mut p = "ab".chars().peekable();
    if let Some(c) = p.peek_mut() {
        *c = 'z';
    }
    let q = (p.peek().copied(), p.next(), p.next_if_eq(&'q'), p.next(), p.peek());
    show((groups, q))
}

pub fn lends_and_boxes() -> String {
    let mut it = (1..10).into_iter();
    let a: Vec<i32> = it.by_ref().take(3).collect();
    let b: i32 = it.by_ref().take_while(|x| *x < 6).sum();
    let rest: Vec<i32> = it.collect();
    let boxed: Box<dyn Iterator<Item = i32>> =
        if rest.len() > 1 { Box::new((0..3).map(|x| x * x)) } else { Box::new(iter::empty()) };
    let c: Vec<i32> = boxed.collect();
    fn evens(n: i32) -> impl Iterator<Item = i32> {
        (0..n).filter(|x| x % 2 == 0)
    }
    let d: Vec<i32> = evens(7).collect();
    show((a, b, rest, c, d))
}

pub fn compares() -> String {
    let a = [1, 2, 3].iter().cmp([1, 2].iter());
    let b = [1.0, f64::NAN].iter().partial_cmp([1.0, 2.0].iter());
    let c = (0..3).eq([0, 1, 2]);
    let d = [1, 2, 2].iter().is_sorted();
    let e = (0..3).lt(0..4);
    show((a, b, c, d, e))
}

pub fn hints() -> String {
    let xs = [1, 2, 3, 4, 5];
    let a =
        (xs.iter().size_hint(), xs.iter().map(|x| x + 1).len(), xs.iter().filter(|x| **x > 1).size_hint());
    let b = (xs.chunks(2).len(), xs.windows(2).len(), xs.iter().skip(2).len(), xs.iter().take(9).len());
    let c = ((0..9).step_by(2).size_hint(), xs.iter().chain(&[7]).size_hint(), xs.iter().zip(0..3).len());
    show((a, b, c))
}

struct Countdown(u32);

impl Iterator for Countdown {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        if self.0 == 0 {
            return None;
        }
        self.0 -= 1;
        Some(self.0 + 1)
    }
}

struct Grid {
    cells: Vec<f64>,
}

impl<'a> IntoIterator for &'a Grid {
    type Item = &'a f64;
    type IntoIter = std::slice::Iter<'a, f64>;

    fn into_iter(self) -> Self::IntoIter {
        self.cells.iter()
    }
}

impl FromIterator<f64> for Grid {
    fn from_iter<I: IntoIterator<Item = f64>>(iter: I) -> Self {
        Grid { cells: iter.into_iter().collect() }
    }
}

impl std::iter::Sum for Grid {
    fn sum<I: Iterator<Item = Grid>>(iter: I) -> Grid {
        iter.fold(Grid { cells: vec![] }, |mut all, g| {
            all.cells.extend(g.cells);
            all
        })
    }
}

pub fn own_iterators() -> String {
    let a: Vec<u32> = Countdown(3).collect();
    let b: u32 = Countdown(4).zip(Countdown(9).skip(1)).map(|(x, y)| x * y).sum();
    let g: Grid = (1..4).map(f64::from).collect();
    let mut total = 0.0;
    for x in &g {
        total += x;
    }
    let sum: Grid = vec![g, Grid { cells: vec![9.0] }].into_iter().sum();
    show((a, b, total, sum.cells))
}
