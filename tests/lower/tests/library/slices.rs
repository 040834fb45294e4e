//! Slices, vectors, arrays, collections.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, VecDeque};

fn show<T: std::fmt::Debug>(x: T) -> String {
    format!("{x:?}")
}

pub fn reading() -> String {
    let v = vec![10, 20, 30, 40];
    let none: Vec<i32> = Vec::new();
    let a = (v.first(), v.last(), v.get(1), v.get(9), v.get(1..3), v.get(3..9), none.first(), v.is_empty());
    let b = (
        v.split_first(),
        v.split_last(),
        v.split_at(1),
        v.contains(&30),
        v.starts_with(&[10]),
        v.ends_with(&[40, 1]),
    );
    let c = (&v[1..], &v[..2], &v[1..=2], &v[..], v.iter().rev().collect::<Vec<_>>());
    let d = (
        v.binary_search(&30),
        v.binary_search(&35),
        v.binary_search_by_key(&80, |x| x * 2),
        v.partition_point(|x| *x < 25),
    );
    let e = (
        v.concat_twice(),
        [[1, 2], [3, 4]].concat(),
        [vec![1], vec![2, 3]].join(&0),
        ["a", "b"].join("-"),
        ["x", "y"].concat(),
    );
    let f = (v.iter().is_sorted(), v.is_sorted_by_key(|x| -x), v.repeat(2), v.to_vec().len());
    show((a, b, c, d, e, f))
}

trait Twice {
    fn concat_twice(&self) -> Vec<i32>;
}

impl Twice for Vec<i32> {
    fn concat_twice(&self) -> Vec<i32> {
        [self.as_slice(), self].concat()
    }
}

pub fn pieces() -> String {
    let v = [1, 2, 3, 4, 5, 6, 7];
    let a: Vec<&[i32]> = v.chunks(3).collect();
    let b: Vec<&[i32]> = v.chunks_exact(3).collect();
    let c = v.chunks_exact(3).remainder();
    let d: Vec<i32> = v.windows(3).map(|w| w.iter().sum()).collect();
    let e: Vec<&[i32]> = v.rchunks(3).collect();
    let f: Vec<&[i32]> = v.split(|x| x % 3 == 0).collect();
    let g: Vec<&[i32]> = v.chunks(3).rev().collect();
    let h: Vec<&[i32]> = [1, 1, 2, 3, 3].chunk_by(|a, b| a == b).collect();
    let k: Vec<&[i32]> = v.splitn(2, |x| x % 2 == 0).collect();
    show((a, b, c, d, e, f, g, h, k))
}

pub fn writing() -> String {
    let mut v = vec![5, 3, 8, 1];
    v.push(7);
    v.insert(1, 9);
    let a = (v.pop(), v.remove(0), v.swap_remove(0), v.clone());
    v.swap(0, 1);
    v.reverse();
    v.extend_from_slice(&[4, 4, 4]);
    v.dedup();
    v.retain(|x| *x != 8);
    v.resize(6, -1);
    v.truncate(5);
    let b = v.clone();
    let c: Vec<i32> = v.drain(1..3).collect();
    let d = (v.split_off(1), v.clone());
    v.append(&mut vec![6, 7, 8]);
    v.rotate_left(1);
    v.fill(2);
    for (i, x) in v.iter_mut().enumerate() {
        *x += i as i32;
    }
    if let Some(x) = v.last_mut() {
        *x *= 10;
    }
    if let Some(x) = v.get_mut(0) {
        *x = -*x;
    }
    let e = v.clone();
    v.copy_within(0..2, 1);
    v[1..3].copy_from_slice(&[100, 200]);
    v.clear();
    show((a, b, c, d, e, v, vec![0.5; 2], vec![vec![1]; 2]))
}

pub fn mutable_pieces() -> String {
    let mut v = vec![1.0, 2.0, 3.0, 4.0, 5.0];
    let (a, b) = v.split_at_mut(2);
    a[0] = b[1] * 10.0;
    b[2] += a[1];
    std::mem::swap(&mut a[1], &mut b[0]);
    for c in v.chunks_mut(2) {
        c[0] = -c[0];
    }
    for c in v.chunks_exact_mut(2) {
        c.swap(0, 1);
    }
    if let Some((first, rest)) = v.split_first_mut() {
        rest[0] += *first;
        *first = 0.5;
    }
    if let [x, .., z] = &mut v[..] {
        std::mem::swap(x, z);
    }
    let mut grid = [[0; 3]; 2];
    for (i, row) in grid.iter_mut().enumerate() {
        for (j, x) in row.iter_mut().enumerate() {
            *x = i * 3 + j;
        }
    }
    grid[1][2] *= 7;
    let mut rows: Vec<Vec<i32>> = vec![vec![1], vec![2]];
    rows[0].push(9);
    for row in &mut rows {
        row.push(row.len() as i32);
    }
    let m = v
        .iter_mut()
        .rev()
        .map(|x| {
            *x += 1.0;
            *x
        })
        .fold(0.0, |a, x| a * 2.0 + x);
    show((v, grid, rows, m))
}

pub fn sorting() -> String {
    let mut a = vec![3, 1, 2, 3, 0];
    a.sort();
    let mut b = vec![2.5, -1.0, 9.0];
    b.sort_by(|x, y| y.partial_cmp(x).unwrap());
    let mut c = vec![(1, 'b'), (0, 'z'), (1, 'a'), (0, 'y')];
    c.sort_by_key(|p| p.0);
    let mut d = vec!["pear", "fig", "apple"];
    d.sort_unstable_by(|x, y| x.len().cmp(&y.len()).then(x.cmp(y)));
    let mut e = vec![1, 5, 3];
    e.sort_by_key(|x| Reverse(*x));
    let mut f = vec![0.0, -0.0, f64::NAN, -1.0];
    f.sort_by(f64::total_cmp);
    let mut g = vec![3, 3, 1, 1, 2];
    g.dedup_by_key(|x| *x / 2);
    let mut calls = 0;
    let mut h = vec![4, 2];
    h.sort_by(|x, y| {
        calls += 1;
        x.cmp(y)
    });
    show((a, b, c, d, e, f, g, h, calls > 0))
}

pub fn arrays() -> String {
    let a = [1, 2, 3].map(|x| x as f64 / 2.0);
    let b: [usize; 4] = std::array::from_fn(|i| i * i);
    let c: Result<[i32; 2], _> = <[i32; 2]>::try_from(&[1, 2][..]);
    let d: Result<[i32; 3], Vec<i32>> = vec![1].try_into();
    let e = (
        [1, 2] == [1, 2],
        [1, 2] < [1, 3],
        vec![1] == [1],
        &[1][..] == vec![1],
        [[0; 2]; 2] == [[0, 0], [0, 0]],
    );
    let [x, y, ..] = b;
    let f: (i32, i32) = [7, 8].into();
    let mut total = 0;
    for v in [1, 2, 3] {
        total += v;
    }
    show((a, b, c, d, e, x, y, f, total, <[f64; 3]>::default(), [1, 2].iter().sum::<i32>()))
}

pub fn maps() -> String {
    let mut m: HashMap<String, i32> = HashMap::new();
    for w in "the cat the dog a cat the".split(' ') {
        *m.entry(w.to_string()).or_insert(0) += 1;
    }
    m.entry("cat".into()).and_modify(|n| *n *= 10).or_insert(5);
    m.entry("cow".into()).or_default();
    let mut pairs: Vec<_> = m.iter().map(|(k, v)| (k.clone(), *v)).collect();
    pairs.sort();
    let a = (
        m.get("the").copied(),
        m.get("no").copied(),
        m.contains_key("dog"),
        m["a"],
        m.len(),
        m.remove("a"),
        m.insert("dog".into(), 8),
    );
    if let Some(v) = m.get_mut("dog") {
        *v += 1;
    }
    for v in m.values_mut() {
        *v *= 2;
    }
    m.retain(|_, v| *v > 0);
    let mut rest: Vec<_> = m.into_iter().collect();
    rest.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let mut groups: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for w in ["a", "bb", "c", "dd", "eee"] {
        groups.entry(w.len()).or_default().push(w);
    }
    let b = (groups.first_key_value(), groups.range(2..).count(), groups.keys().copied().sum::<usize>());
    show((pairs, a, rest, b, &groups, groups.values().map(Vec::len).max()))
}

pub fn tree_maps() -> String {
    let mut m = BTreeMap::from([(3, 'c'), (1, 'a'), (2, 'b'), (7, 'g')]);
    let a: Vec<(i32, char)> = m.range(2..=3).map(|(k, v)| (*k, *v)).collect();
    let b = (m.pop_first(), m.last_key_value().is_some(), m.len(), m.get(&2).copied(), m.contains_key(&1));
    for (k, v) in m.iter_mut() {
        *v = (*v as u8 + *k as u8) as char;
    }
    let tail = m.split_off(&3);
    let keyed: BTreeMap<(i32, bool), f64> = [((1, true), 0.5), ((1, false), 2.0)].into_iter().collect();
    show((a, b, m, tail, keyed))
}

pub fn sets() -> String {
    let a: BTreeSet<i32> = [3, 1, 2, 3].into_iter().collect();
    let b = BTreeSet::from([2, 3, 4]);
    let c: Vec<_> = a.intersection(&b).copied().collect();
    let d: Vec<_> = a.union(&b).copied().collect();
    let e: Vec<_> = a.difference(&b).collect();
    let f: BTreeSet<i32> = &a ^ &b;
    let mut h: HashSet<&str> = HashSet::new();
    let g = (h.insert("x"), h.insert("x"), h.contains("x"), h.len(), h.remove("y"), h.take("x"));
    show((&a, c, d, e, f, g, a.first(), a.is_subset(&b), a.range(2..).next()))
}

pub fn queues() -> String {
    let mut q: VecDeque<i32> = VecDeque::new();
    q.push_back(1);
    q.push_back(2);
    q.push_front(0);
    q.push_front(-1);
    let a = (
        q.pop_front(),
        q.front().copied(),
        q.back().copied(),
        q.len(),
        q[1],
        q.iter().sum::<i32>(),
        q.contains(&2),
    );
    q.extend([5, 6]);
    q[0] = 9;
    if let Some(x) = q.back_mut() {
        *x = 60;
    }
    q.rotate_left(2);
    let b = (q.clone(), q.pop_back(), Vec::from(q));
    let mut heap = BinaryHeap::from([2, 9, 4]);
    heap.push(7);
    let c = (heap.peek().copied(), heap.pop(), heap.len(), heap.into_sorted_vec());
    let mut least: BinaryHeap<Reverse<(u32, &str)>> = BinaryHeap::new();
    least.push(Reverse((5, "far")));
    least.push(Reverse((1, "near")));
    show((a, b, c, least.pop(), least.pop().map(|Reverse((d, _))| d), least.pop()))
}

pub fn orders() -> String {
    let a = (1.cmp(&2), 2.0.partial_cmp(&1.0), f64::NAN.partial_cmp(&1.0), "b".cmp("a"), (1, 2).cmp(&(1, 1)));
    let b = (
        Ordering::Less.reverse(),
        Ordering::Equal.then(Ordering::Greater),
        Ordering::Less.is_le(),
        Ordering::Greater as i32,
    );
    let c = (
        std::cmp::max(1, 2),
        std::cmp::min("a", "b"),
        7.clamp(1, 5),
        (-2.5f64).clamp(-1.0, 1.0),
        3.max(4).min(9),
    );
    let d = (
        Some(1) < None,
        Some(1) > Some(0),
        Ok::<i32, i32>(3) < Err(0),
        [1, 2, 3][..] < [1, 3][..],
        "abc" < "abd",
        (1, 'a') < (1, 'b'),
    );
    let e = (1.0f64.max(f64::NAN), f64::NAN.min(2.0), 1.0f64.total_cmp(&-1.0));
    show((a, b, c, d, e))
}
pub fn taken_off() -> String {
    let mut v = vec![1u8, 2, 3, 4, 5, 6, 7];
    let mut rest: &mut [u8] = &mut v;
    *rest.split_off_first_mut().unwrap() = 9;
    *rest.split_off_last_mut().unwrap() = 8;
    let front = rest.split_off_mut(..2).unwrap();
    front[0] += 10;
    let back = rest.split_off_mut(1..).unwrap();
    back[0] += 20;
    let (front, back, middle) = (front.to_vec(), back.to_vec(), rest.to_vec());
    let mut s: &[u8] = &[10, 20, 30, 40];
    let ends = (s.split_off_first(), s.split_off_last());
    let parts = (s.split_off(..=0), s.split_off(5..), s.split_off(1..), s.split_off(..9), s);
    let mut none: &[u8] = &[];
    let nothing = (none.split_off_first(), none.split_off_last(), none.split_off(..0));
    format!("{v:?} {front:?} {back:?} {middle:?} {ends:?} {parts:?} {nothing:?}")
}
pub fn cloned_into() -> String {
    let mut a: Vec<u64> = Vec::with_capacity(12);
    a.clone_from(&vec![1, 2, 3]);
    let kept = (a.capacity() >= 12, a.clone());
    a.clone_from(&(0..20).collect());
    let mut b = vec!["x".to_owned(), "y".to_owned()];
    b.clone_from(&vec!["z".to_owned()]);
    format!("{kept:?} {a:?} {b:?} {:?}", Vec::<u8>::from(String::from("de")))
}
pub fn of_nothing() -> String {
    let x = 1.5;
    let all: [f64; 5] = [
        {
            let mut v = vec![(), (), ()];
            v.remove(1);
            v.insert(0, ());
            let p = v.pop();
            v.swap_remove(0);
            let d: Vec<()> = v.drain(..1).collect();
            x * (v.len() + 10 * d.len()) as f64 + p.is_some() as u8 as f64
        },
        {
            let mut m = BTreeMap::new();
            for i in 0..6 {
                m.insert(i, ());
            }
            let r = m.remove(&3);
            let q = m.remove(&9);
            let f = m.pop_first();
            let l = m.pop_last();
            x * m.len() as f64
                + r.is_some() as u8 as f64
                + q.is_some() as u8 as f64 * 10.0
                + f.unwrap().0 as f64
                + l.unwrap().0 as f64
        },
        {
            let mut m: HashMap<&str, ()> = HashMap::new();
            m.insert("a", ());
            m.insert("b", ());
            m.entry("c").or_insert(());
            m.retain(|k, _| *k != "b");
            let r = m.remove_entry("a");
            x * m.len() as f64 + r.unwrap().0.len() as f64 + m.get("c").is_some() as u8 as f64
        },
        {
            let mut d: VecDeque<()> = VecDeque::new();
            d.push_back(());
            d.push_front(());
            d.remove(0);
            d.rotate_left(0);
            let a = d.pop_front();
            x * d.len() as f64 + a.is_some() as u8 as f64
        },
        {
            let mut v = vec![(); 4];
            v.truncate(3);
            v.extend_from_slice(&[(), ()]);
            v.sort();
            v.dedup();
            v.reverse();
            let s = v.split_off(0);
            let c = std::mem::take(&mut v);
            x * s.len() as f64 + c.len() as f64 + std::mem::replace(&mut [(), ()][0], ()).eq(&()) as u8 as f64
        },
    ];
    format!("{all:?}")
}
pub fn here_and_there() -> String {
    use std::ops::Bound;
    use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
    let mut n = AtomicUsize::new(3);
    *n.get_mut() += 1;
    let mut p = AtomicPtr::new(std::ptr::null_mut::<u8>());
    let is_null = p.get_mut().is_null();
    let map: std::collections::BTreeMap<i32, char> = (0..6).zip('a'..).collect();
    let bounds: (Bound<&i32>, Bound<&i32>) = (Bound::Excluded(&1), Bound::Included(&4));
    let part: String = map.range::<i32, _>(bounds).map(|(_, c)| *c).collect();
    let tail: String = map.range::<i32, _>(&4..).map(|(_, c)| *c).collect();
    let mut boxed: Box<[i32]> = vec![1, 2, 3].into_boxed_slice();
    for x in &mut boxed {
        *x *= 2;
    }
    let mut sum = 0;
    for x in &boxed {
        sum += x;
    }
    let text = (str::from_utf8(b"ab"), str::from_utf8(&vec![0xff; 2]).is_err());
    format!("{n:?} {is_null} {part} {tail} {sum} {text:?} {:?}", n.load(Ordering::Relaxed))
}
