//! What is used seldom: lazy statics, guards, writers, entries, durations, conversions.

use std::cell::*;
use std::collections::*;
use std::fmt::{self, Write as _};
use std::io::Write as _;
use std::rc::Rc;
use std::sync::*;
use std::time::Duration;
fn show<T: fmt::Debug>(x: T) -> String {
    format!("{x:?}")
}
static TABLE: LazyLock<Vec<i32>> = LazyLock::new(|| vec![1, 2, 3]);
const LIMITS: [f64; 3] = [0.5, f64::MAX, -1.0];
static NAMES: &[&str] = &["a", "b"];
pub fn lazies() -> String {
    let c = OnceCell::new();
    let a = (c.get().is_none(), *c.get_or_init(|| 5), c.set(9), c.get().copied());
    let l = RwLock::new(3);
    *l.write().unwrap() += 4;
    let r = *l.read().unwrap();
    let mut m = Mutex::new(vec![1]);
    m.get_mut().unwrap().push(2);
    let n = m.lock().unwrap().len();
    let inner = m.into_inner().unwrap();
    show((a, r, n, inner, TABLE.len(), TABLE[1], LIMITS[2], NAMES.join("")))
}
pub fn vectors() -> String {
    let mut v: Vec<i32> = (0..10).collect();
    let a: Vec<i32> = v.drain(..3).collect();
    let b: Vec<i32> = v.splice(1..3, [100, 200, 300]).collect();
    v.dedup_by(|x, y| *x / 100 == *y / 100);
    v.retain_mut(|x| {
        *x += 1;
        *x % 2 == 1 || *x > 5
    });
    v.resize_with(5, Default::default);
    v.extend_from_within(..2);
    let c = v.pop_if(|x| *x > 0);
    v.insert(0, -5);
    v.sort_unstable_by_key(|x| x.abs());
    let d = v.iter().copied().map(i64::from).max();
    let (lo, mid, hi) = v.select_nth_unstable(2);
    let e = (lo.len(), *mid, hi.len());
    let mut w = vec![vec![1.0; 2]; 2];
    w[1][0] = 5.0;
    let f = w.concat();
    let mut s = [3, 1, 2];
    s.sort();
    s.fill_with(|| 7);
    let g = v.chunks(2).map(<[i32]>::len).collect::<Vec<_>>();
    let h: Box<[i32]> = v.clone().into_boxed_slice();
    show((a, b, &v, c, d, e, f, s))
        + &show((
            g,
            h.len(),
            h.iter().min(),
            v.first_chunk::<2>(),
            v.split_last(),
            v.iter().rposition(|x| *x == 0),
        ))
}
pub fn text_pieces() -> String {
    let s = "one, two,, three";
    let a: Vec<&str> = s.split_inclusive(',').collect();
    let b: Vec<&str> = s.rsplit(',').collect();
    let c: Vec<&str> = s.split(&[',', ' ']).filter(|p| !p.is_empty()).collect();
    let d: Vec<&str> = "a-b_c".split(|c| c == '-' || c == '_').collect();
    let e: Vec<&str> = "x;y;".split_terminator(';').collect();
    let f = (
        s.matches("t").count(),
        s.rsplit_once(','),
        s.trim_end_matches("ee"),
        s.trim_start_matches(char::is_alphabetic),
        "aXbX".replacen('X', "-", 1),
    );
    let g: Vec<String> = "hello world"
        .split(' ')
        .map(|w| {
            let mut c = w.chars();
            match c.next() {
                Some(f) => f.to_uppercase().collect::<String>() + c.as_str(),
                None => String::new(),
            }
        })
        .collect();
    let mut t = String::with_capacity(8);
    write!(t, "{}-{:02}", 1, 2).unwrap();
    writeln!(&mut t, "!").unwrap();
    t.extend(['x', 'y']);
    t.replace_range(0..1, "ZZ");
    let h: String = t.drain(..2).collect();
    let k = "αβγ".char_indices().map(|(i, c)| format!("{i}{c}")).collect::<Vec<_>>().concat();
    let m = (
        "abc".bytes().map(u32::from).sum::<u32>(),
        "abc".as_bytes()[1],
        "a,b".split(',').map(str::to_owned).collect::<Vec<String>>(),
        "Zoë".chars().all(char::is_alphanumeric),
        "tic".chars().rev().eq("cit".chars()),
    );
    show((a, b, c, d, e, f))
        + &show((g, t, h, k, m, "x".parse::<f64>().is_err(), "".split(',').count(), "".lines().count()))
}
pub fn collected_text() -> String {
    let marked: String = [1.5, 2.0].iter().map(|x| format!("<{x}>")).collect();
    let plain = [1.5].iter().map(|x| x.to_string()).collect::<String>();
    marked + &plain + &["a"].iter().map(|s| *s).collect::<String>()
}
pub fn writers() -> String {
    let mut buf: Vec<u8> = Vec::new();
    write!(buf, "{:>4}|", 7).unwrap();
    buf.write_all(b"end").unwrap();
    struct Upper(String);
    impl fmt::Write for Upper {
        fn write_str(&mut self, s: &str) -> fmt::Result {
            self.0 += &s.to_uppercase();
            Ok(())
        }
    }
    let mut u = Upper(String::new());
    write!(u, "a{}b", 1.5).unwrap();
    u.write_char('q').unwrap();
    fn emit(out: &mut dyn fmt::Write, n: i32) -> fmt::Result {
        for i in 0..n {
            write!(out, "{i};")?;
        }
        Ok(())
    }
    let mut e = String::new();
    emit(&mut e, 3).unwrap();
    show((String::from_utf8(buf), u.0, e, String::from_utf8_lossy(b"x")))
}
pub fn durations() -> String {
    let d = Duration::from_millis(1500) + Duration::from_secs(2) * 3 - Duration::from_micros(250);
    show((
        d,
        d.as_secs_f64(),
        d.as_millis(),
        d.subsec_nanos(),
        Duration::from_secs_f64(0.25),
        Duration::from_nanos(1_000),
        d > Duration::ZERO,
        d / 2,
        d.checked_sub(d * 2),
    ))
}
pub fn more_maps() -> String {
    let mut m: HashMap<(i32, i32), Vec<&str>> = HashMap::with_capacity(4);
    m.entry((0, 1)).or_default().extend(["a", "b"]);
    m.entry((0, 0)).or_insert_with(|| vec!["z"]).push("y");
    if let hash_map::Entry::Occupied(mut e) = m.entry((0, 1)) {
        e.get_mut().push("c");
        let n = e.get().len();
        e.insert(vec!["new"; n]);
    }
    match m.entry((5, 5)) {
        hash_map::Entry::Occupied(_) => {}
        hash_map::Entry::Vacant(v) => {
            v.insert(vec![]);
        }
    }
    let mut keys: Vec<_> = m.keys().copied().collect();
    keys.sort_unstable();
    let sum: usize = m.values().map(|v| v.len()).sum();
    let mut all: Vec<_> =
        m.iter().filter(|(_, v)| !v.is_empty()).map(|((a, b), v)| a + b + v.len() as i32).collect();
    all.sort();
    for (k, v) in &mut m {
        v.push(if k.0 > 0 { "big" } else { "small" });
    }
    let removed = m.remove(&(5, 5));
    let mut drained: Vec<_> = m.drain().collect();
    drained.sort();
    let mut t: BTreeMap<String, f64> = BTreeMap::new();
    t.insert("x".to_string(), 1.0);
    *t.entry("x".into()).or_insert(0.0) *= 3.0;
    t.extend([("y".to_string(), 2.0), ("a".to_string(), 0.5)]);
    let best = t.iter().max_by(|a, b| a.1.total_cmp(b.1)).map(|(k, _)| k.clone());
    let rev: Vec<_> = t.iter().rev().map(|(k, v)| format!("{k}{v}")).collect();
    let below: Vec<_> = t.range(..="x".to_string()).map(|(k, _)| k.clone()).collect();
    let s1: HashSet<i32> = (0..5).collect();
    let s2 = HashSet::from([3, 4, 5]);
    let mut i: Vec<_> = s1.intersection(&s2).copied().collect();
    i.sort();
    let mut u: Vec<_> = (&s1 | &s2).into_iter().collect();
    u.sort();
    show((keys, sum, all, removed, drained, &t, best, rev))
        + &show((
            below,
            i,
            u,
            s1.is_superset(&HashSet::from([1])),
            s1 == (0..5).collect(),
            t.remove("x"),
            t.pop_last(),
            t.into_values().sum::<f64>(),
        ))
}
pub fn refs() -> String {
    let shared = Rc::new(RefCell::new(vec![1, 2, 3]));
    let first = Ref::map(shared.borrow(), |v| &v[0]);
    let f = *first;
    drop(first);
    {
        let mut last = RefMut::map(shared.borrow_mut(), |v| v.last_mut().unwrap());
        *last *= 10;
    }
    for x in shared.borrow_mut().iter_mut() {
        *x += 1;
    }
    let total: i32 = shared.borrow().iter().sum();
    let taken = shared.take();
    let old = shared.replace(vec![9]);
    let cell = Cell::new(5);
    let old_cell = cell.replace(6);
    cell.set(cell.get() * 2);
    let other = Cell::new(1);
    cell.swap(&other);
    let mut counter = Rc::new(1);
    *Rc::make_mut(&mut counter) += 4;
    let r: Rc<str> = "text".into();
    let rs: Rc<[i32]> = vec![1, 2].into();
    struct Counter {
        hits: Cell<u32>,
    }
    impl Counter {
        fn hit(&self) -> u32 {
            self.hits.set(self.hits.get() + 1);
            self.hits.get()
        }
    }
    let c = Counter { hits: Cell::default() };
    c.hit();
    show((
        f,
        total,
        taken,
        old,
        old_cell,
        cell.get(),
        other.get(),
        *counter,
        r.len(),
        rs.iter().sum::<i32>(),
        c.hit(),
        Rc::try_unwrap(counter),
    ))
}
pub fn traits() -> String {
    fn sum_all<I>(it: I) -> f64
    where
        I: IntoIterator,
        I::Item: Into<f64>,
    {
        it.into_iter().map(Into::into).sum()
    }
    fn mean<'a>(xs: impl IntoIterator<Item = &'a f64> + Clone) -> f64 {
        let n = xs.clone().into_iter().count();
        xs.into_iter().sum::<f64>() / n as f64
    }
    fn print_all(items: &[&dyn fmt::Display]) -> String {
        items.iter().map(|i| format!("<{i}>")).collect()
    }
    fn apply<T, R>(x: T, fs: &[fn(T) -> R]) -> Vec<R>
    where
        T: Copy,
    {
        fs.iter().map(|f| f(x)).collect()
    }
    fn as_str(s: impl AsRef<str>) -> usize {
        s.as_ref().len()
    }
    #[derive(Clone, Copy, PartialEq, PartialOrd, Debug, Default)]
    struct V2 {
        x: f64,
        y: f64,
    }
    impl std::ops::Add for V2 {
        type Output = V2;
        fn add(self, o: V2) -> V2 {
            V2 { x: self.x + o.x, y: self.y + o.y }
        }
    }
    impl std::ops::AddAssign for V2 {
        fn add_assign(&mut self, o: V2) {
            *self = *self + o;
        }
    }
    impl std::ops::Mul<f64> for V2 {
        type Output = V2;
        fn mul(self, k: f64) -> V2 {
            V2 { x: self.x * k, y: self.y * k }
        }
    }
    impl std::ops::Mul<V2> for f64 {
        type Output = V2;
        fn mul(self, v: V2) -> V2 {
            v * self
        }
    }
    impl std::ops::Neg for V2 {
        type Output = V2;
        fn neg(self) -> V2 {
            -1.0 * self
        }
    }
    impl std::iter::Sum for V2 {
        fn sum<I: Iterator<Item = V2>>(it: I) -> V2 {
            it.fold(V2::default(), |a, b| a + b)
        }
    }
    impl<'a> std::iter::Sum<&'a V2> for V2 {
        fn sum<I: Iterator<Item = &'a V2>>(it: I) -> V2 {
            it.copied().sum()
        }
    }
    impl From<(f64, f64)> for V2 {
        fn from((x, y): (f64, f64)) -> V2 {
            V2 { x, y }
        }
    }
    impl From<V2> for [f64; 2] {
        fn from(v: V2) -> Self {
            [v.x, v.y]
        }
    }
    let vs: Vec<V2> = vec![(1.0, 2.0).into(), V2::from((3.0, -1.0))];
    let mut acc = V2::default();
    for v in &vs {
        acc += *v * 2.0;
    }
    let arr: [f64; 2] = acc.into();
    show((
        sum_all(vec![1i32, 2]),
        sum_all([1.5f32, 2.0]),
        mean(&[1.0, 2.0]),
        print_all(&[&1, &"x", &2.5]),
        apply(2.0, &[f64::sqrt, |x| x + 1.0]),
        as_str("abc") + as_str(String::from("de")),
    )) + &show((vs.iter().sum::<V2>(), -acc, arr, vs[0] < vs[1], vs[0].partial_cmp(&vs[1])))
}
