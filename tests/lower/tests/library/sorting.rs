//! Sorts make the comparisons of rustc's, in the same order, so that one that contradicts itself gives the same.

use std::cell::Cell;
use std::cmp::Ordering::{self, *};
fn data(n: usize, m: u64, seed: u64) -> Vec<u64> {
    let mut x = 88172645463325252u64 ^ seed.wrapping_mul(0x9E3779B97F4A7C15);
    (0..n)
        .map(|_| {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            x % m
        })
        .collect()
}
struct Log {
    h: Cell<u64>,
    n: Cell<u64>,
}
impl Log {
    fn new() -> Log {
        Log { h: Cell::new(7), n: Cell::new(0) }
    }
    fn see(&self, a: u64, b: u64) {
        self.h.set((self.h.get().wrapping_mul(6364136223846793005) ^ a).wrapping_mul(31).wrapping_add(b));
        self.n.set(self.n.get() + 1);
    }
}
fn cmp(how: u64, a: u64, b: u64, k: u64) -> Ordering {
    match how {
        0 => a.cmp(&b),
        1 => b.cmp(&a),
        2 => (a / 3).cmp(&(b / 3)),
        3 => {
            if a % 7 == 0 || b % 7 == 0 {
                Equal
            } else {
                a.cmp(&b)
            }
        }
        4 => {
            if (a * 31 + b * 17) % 3 == 0 {
                Less
            } else {
                Greater
            }
        }
        5 => Less,
        6 => Greater,
        7 => {
            if k % 2 == 0 {
                Less
            } else {
                Greater
            }
        }
        _ => {
            if a % 5 == 0 {
                Less
            } else {
                a.cmp(&b)
            }
        }
    }
}
fn go<T>(
    n: usize,
    m: u64,
    seed: u64,
    how: u64,
    kind: u64,
    make: impl Fn(u64, u64) -> T,
    key: impl Fn(&T) -> (u64, u64),
) -> (u64, u64, u64) {
    let l = Log::new();
    let mut v: Vec<T> =
        shape(data(n, m, seed), seed).into_iter().enumerate().map(|(i, x)| make(x, i as u64)).collect();
    let c = |a: &T, b: &T| {
        let (x, y) = (key(a), key(b));
        l.see(x.1, y.1);
        cmp(how, x.0, y.0, l.n.get())
    };
    match kind {
        0 => v.sort_by(c),
        1 => v.sort_unstable_by(c),
        _ => {
            if n > 0 {
                let k = [0, n - 1, n / 2, n / 3, n - n / 8 - 1][(seed % 5) as usize].min(n - 1);
                v.select_nth_unstable_by(k, c);
            }
        }
    }
    let mut h = 5u64;
    for x in &v {
        let (a, i) = key(x);
        h = h.wrapping_mul(1099511628211) ^ a ^ (i << 20);
    }
    (l.n.get(), l.h.get(), h)
}
fn shape(mut v: Vec<u64>, seed: u64) -> Vec<u64> {
    let n = v.len();
    match seed % 6 {
        0 => {}
        1 => {
            for i in 0..n {
                v[i] = i as u64 + (v[i] % 3);
            }
        }
        2 => {
            for i in 0..n {
                v[i] = (n - i) as u64;
            }
        }
        3 => {
            for i in 0..n {
                if i % 50 != 0 {
                    v[i] = (i % 70) as u64;
                }
            }
        }
        4 => {
            for i in 0..n {
                if i > n / 2 {
                    v[i] = i as u64;
                }
            }
        }
        _ => {
            for i in 0..n {
                v[i] %= 4;
            }
        }
    }
    v
}
#[derive(Clone)]
struct Big([u64; 14]);
#[derive(Clone, Copy)]
struct Mid {
    a: u64,
    b: u64,
    c: u32,
}
enum E {
    A(u32, u32),
    B,
}
struct S(String, u64);
fn u32s(n: usize, m: u64, s: u64, h: u64, k: u64) -> (u64, u64, u64) {
    go(n, m, s, h, k, |x, i| (x as u32) << 16 | i as u32, |x| ((*x >> 16) as u64, (*x & 0xffff) as u64))
}
fn pairs(n: usize, m: u64, s: u64, h: u64, k: u64) -> (u64, u64, u64) {
    go(n, m, s, h, k, |x, i| (x, i), |x| *x)
}
fn big(n: usize, m: u64, s: u64, h: u64, k: u64) -> (u64, u64, u64) {
    go(
        n,
        m,
        s,
        h,
        k,
        |x, i| {
            let mut b = Big([0; 14]);
            b.0[0] = x;
            b.0[1] = i;
            b
        },
        |x| (x.0[0], x.0[1]),
    )
}
fn mid(n: usize, m: u64, s: u64, h: u64, k: u64) -> (u64, u64, u64) {
    go(n, m, s, h, k, |a, b| Mid { a, b, c: 0 }, |x| (x.a, x.b))
}
fn cells(n: usize, m: u64, s: u64, h: u64, k: u64) -> (u64, u64, u64) {
    go(n, m, s, h, k, |a, b| (Cell::new(a), b), |x| (x.0.get(), x.1))
}
fn boxes(n: usize, m: u64, s: u64, h: u64, k: u64) -> (u64, u64, u64) {
    go(n, m, s, h, k, |a, b| Box::new((a, b)), |x| **x)
}
fn enums(n: usize, m: u64, s: u64, h: u64, k: u64) -> (u64, u64, u64) {
    go(
        n,
        m,
        s,
        h,
        k,
        |a, b| if b == 3 { E::B } else { E::A(a as u32, b as u32) },
        |x| match x {
            E::A(a, b) => (*a as u64, *b as u64),
            E::B => (2, 3),
        },
    )
}
fn strs(n: usize, m: u64, s: u64, h: u64, k: u64) -> (u64, u64, u64) {
    go(n, m, s, h, k, |a, b| S(a.to_string(), b), |x| (x.0.len() as u64, x.1))
}
fn units(n: usize, m: u64, s: u64, h: u64, k: u64) -> (u64, u64, u64) {
    go(n, m, s, h, k, |_, _| (), |_| (1, 2))
}

fn all(kind: u64) -> String {
    let mut seen = vec![];
    for (k, n) in [5, 20, 21, 33, 66, 100].into_iter().enumerate() {
        for how in [0, 3, 5] {
            let seed = k as u64 + how;
            seen.push(u32s(n, 50, seed, how, kind));
            seen.push(pairs(n, 1000, seed + 1, how, kind));
            seen.push(cells(n, 9, seed + 2, how, kind));
            seen.push(mid(n, 100, seed + 3, how, kind));
        }
        seen.push(big(n, 100, k as u64, 0, kind));
        seen.push(boxes(n, 100, k as u64, 1, kind));
        seen.push(enums(n, 100, k as u64, 0, kind));
        seen.push(strs(n, 100000, k as u64, 2, kind));
    }
    seen.push(units(30, 2, 1, 0, kind));
    format!("{seen:?}")
}
pub fn stable_sorts_compare_what_rustcs_compare() -> String {
    all(0)
}
pub fn unstable_sorts_compare_what_rustcs_compare() -> String {
    all(1)
}
pub fn selections_compare_what_rustcs_compare() -> String {
    all(2)
}
fn floats(n: usize, m: u64) -> Vec<f64> {
    let of = |(i, x): (usize, u64)| match x % m {
        0 => f64::NAN,
        1 => 0.0,
        2 => -0.0,
        _ => ((x * 37 + i as u64) % 100) as f64,
    };
    data(n, 1 << 20, 0).into_iter().enumerate().map(of).collect()
}
pub fn zeros_and_nans_end_where_rustcs_do() -> String {
    let mut seen = vec![];
    for n in [12, 20, 40, 80] {
        let (mut a, mut b, mut c) = (floats(n, 7), floats(n, 7), floats(n, 7));
        a.retain(|x| !x.is_nan());
        a.sort_by(|a, b| a.partial_cmp(b).unwrap());
        b.sort_unstable_by(|a, b| a.partial_cmp(b).unwrap_or(Less));
        c.retain(|x| !x.is_nan());
        c.select_nth_unstable_by(n / 3, |a, b| a.partial_cmp(b).unwrap());
        seen.push((a, b, c));
    }
    format!("{seen:?}")
}
thread_local! { static ASKED: Cell<(u64, u64)> = const { Cell::new((0, 0)) }; }
pub fn sorts_by_keys_ask_whether_less() -> String {
    #[derive(PartialEq, Eq, Clone, Copy)]
    struct Key(u64);
    impl PartialOrd for Key {
        fn partial_cmp(&self, other: &Key) -> Option<Ordering> {
            ASKED.set((ASKED.get().0 + 1, ASKED.get().1));
            self.0.partial_cmp(&other.0)
        }
    }
    impl Ord for Key {
        fn cmp(&self, other: &Key) -> Ordering {
            ASKED.set((ASKED.get().0, ASKED.get().1 + 1));
            self.0.cmp(&other.0)
        }
    }
    ASKED.set((0, 0));
    let mut v: Vec<Key> = data(30, 50, 1).into_iter().map(Key).collect();
    v.sort();
    let a = ASKED.get();
    v.reverse();
    v.sort_by_key(|x| Key(x.0 % 10));
    let b = ASKED.get();
    v.sort_unstable();
    v.sort_unstable_by_key(|x| Key(x.0 % 10));
    v.select_nth_unstable(7);
    format!("{a:?} {b:?} {:?} {:?}", ASKED.get(), v.iter().map(|x| x.0).collect::<Vec<_>>())
}
pub fn panics_where_it_contradicts_itself() -> String {
    let mut v = data(30, 100, 0);
    v.sort_by(|a, b| if a % 4 == 0 || b % 4 == 0 { Equal } else { a.cmp(b) });
    v.sort_unstable_by(|a, b| if (a * 31 + b * 17) % 3 == 0 { Less } else { Greater });
    format!("{v:?}")
}
