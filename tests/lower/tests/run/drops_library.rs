//! What the library's collections drop, and when.

use std::collections::{BTreeMap, HashMap, VecDeque};

mod noisy;
use noisy::*;

struct Pair<'a> {
    first: Noisy<'a>,
    n: f64,
    second: Noisy<'a>,
}

fn pair<'a>(log: &'a Log, a: f64, b: f64) -> Pair<'a> {
    Pair { second: Noisy::new(log, b), n: a + b, first: Noisy::new(log, a) }
}

#[derive(Default)]
struct Slot<'a> {
    inner: Option<Noisy<'a>>,
    more: Vec<Noisy<'a>>,
}

pub fn vectors(x: f64) -> f64 {
    logged(|log| {
        let mut v: Vec<Noisy> = (0..5).map(|i| Noisy::new(log, i as f64)).collect();
        note(log, 90.0);
        let p = v.pop();
        drop(v.remove(1));
        note(log, 91.0);
        v[0] = Noisy::new(log, 10.0);
        v.truncate(2);
        note(log, 92.0);
        v.push(Noisy::new(log, 11.0));
        v.insert(0, Noisy::new(log, 12.0));
        v.swap(0, 1);
        let s: f64 = v.iter().map(|n| n.id()).sum();
        v.clear();
        note(log, 93.0);
        v.push(p.unwrap());
        s + x
    })
}

pub fn into_iterators(x: f64) -> f64 {
    logged(|log| {
        let v: Vec<Noisy> = (0..5).map(|i| Noisy::new(log, i as f64)).collect();
        let mut s = 0.0;
        for n in v {
            s += n.id();
            if s > x {
                break;
            }
        }
        note(log, 90.0);
        let w = vec![Noisy::new(log, 11.0), Noisy::new(log, 12.0), Noisy::new(log, 13.0)];
        let kept: Vec<Noisy> = w.into_iter().filter(|n| n.id() != 12.0).collect();
        note(log, 91.0);
        let a = [Noisy::new(log, 14.0), Noisy::new(log, 15.0)];
        for n in a {
            note(log, n.id() + 0.5);
        }
        s + kept.len() as f64
    })
}

pub fn retained_and_drained(x: f64) -> f64 {
    logged(|log| {
        let mut v: Vec<Noisy> = (0..6).map(|i| Noisy::new(log, i as f64)).collect();
        v.retain(|n| n.id() != 2.0 && n.id() != 4.0);
        note(log, 90.0);
        for n in v.drain(1..3) {
            note(log, n.id() + 0.25);
        }
        note(log, 91.0);
        let tail = v.split_off(1);
        note(log, 92.0);
        drop(v);
        let mut w = vec![Noisy::new(log, 20.0)];
        w.extend(tail);
        let mut u = vec![Noisy::new(log, 21.0)];
        w.append(&mut u);
        w.len() as f64 + x
    })
}

pub fn queues(x: f64) -> f64 {
    logged(|log| {
        let mut q: VecDeque<Noisy> = VecDeque::new();
        for i in 0..6 {
            q.push_back(Noisy::new(log, i as f64));
        }
        let a = q.pop_front();
        drop(q.pop_front());
        note(log, 90.0);
        q.push_front(Noisy::new(log, 10.0));
        q.truncate(3);
        note(log, 91.0);
        let b = q.pop_back();
        let n = q.len() as f64;
        let v: Vec<Noisy> = q.into_iter().collect();
        note(log, 92.0);
        n + v.len() as f64 + a.map_or(0.0, |n| n.id()) + b.map_or(0.0, |n| n.id()) + x
    })
}

pub fn maps(x: f64) -> f64 {
    logged(|log| {
        let mut m: BTreeMap<i32, Noisy> = BTreeMap::new();
        for i in 0..5 {
            m.insert((i * 3) % 5, Noisy::new(log, i as f64));
        }
        m.insert(2, Noisy::new(log, 20.0));
        note(log, 90.0);
        let gone = m.remove(&3);
        m.entry(7).or_insert_with(|| Noisy::new(log, 21.0));
        m.entry(7).or_insert_with(|| Noisy::new(log, 22.0));
        m.retain(|k, _| *k != 1);
        note(log, 91.0);
        if let Some(v) = m.get_mut(&2) {
            *v = Noisy::new(log, 23.0);
        }
        let mut s = 0.0;
        for (k, v) in m {
            s += k as f64 * v.id();
        }
        let mut h: HashMap<i32, Noisy> = HashMap::new();
        h.insert(1, Noisy::new(log, 30.0));
        let old = h.insert(1, Noisy::new(log, 31.0));
        note(log, 92.0);
        s + old.map_or(0.0, |v| v.id()) + gone.map_or(0.0, |v| v.id()) + x
    })
}

pub fn sorted_and_chunked(x: f64) -> f64 {
    logged(|log| {
        let mut v: Vec<Noisy> = [3.0, 1.0, 2.0].iter().map(|&i| Noisy::new(log, i)).collect();
        v.sort_by(|a, b| a.id().partial_cmp(&b.id()).unwrap());
        v.reverse();
        v.rotate_left(1);
        v.dedup_by(|a, b| a.id() == b.id());
        let s: f64 = v.chunks(2).map(|c| c[0].id()).sum();
        let mut w: Vec<Noisy> = Vec::with_capacity(3);
        w.extend(v.drain(..1));
        w.resize_with(3, || Noisy::new(log, 7.0));
        let last = w.swap_remove(0);
        s + last.id() + x
    })
}

pub fn arrays_taken_apart(x: f64) -> f64 {
    logged(|log| {
        let [a, _, c] = [Noisy::new(log, 1.0), Noisy::new(log, 2.0), Noisy::new(log, 3.0)];
        note(log, 9.0);
        drop(a);
        let v = [Noisy::new(log, 4.0), Noisy::new(log, 5.0)].map(|n| n.id() * 2.0);
        c.id() + v[1] + x
    })
}

pub fn replaced_and_swapped(x: f64) -> f64 {
    logged(|log| {
        let mut a = Noisy::new(log, 1.0);
        let mut b = Noisy::new(log, 2.0);
        std::mem::swap(&mut a, &mut b);
        let old = std::mem::replace(&mut a, Noisy::new(log, 3.0));
        note(log, old.id() * 10.0);
        std::mem::forget(b);
        let mut p = pair(log, 4.0, 5.0);
        std::mem::swap(&mut p.first, &mut p.second);
        x
    })
}

pub fn maps_of_options(x: f64) -> f64 {
    logged(|log| {
        let o = Some(Noisy::new(log, 1.0));
        let p = o.map(|n| Noisy::new(log, n.id() + 1.0));
        note(log, 9.0);
        let q = p.filter(|n| n.id() > x);
        note(log, 8.0);
        let r = q.or_else(|| Some(Noisy::new(log, 3.0)));
        let s = r.ok_or(1.0);
        s.map_or(0.0, |n| n.id())
    })
}

pub fn taken_from_places(x: f64) -> f64 {
    logged(|log| {
        let mut s = Slot { inner: Some(Noisy::new(log, 1.0)), more: vec![Noisy::new(log, 2.0)] };
        let r = &mut s;
        let old = std::mem::take(&mut r.more);
        r.more.push(Noisy::new(log, 3.0));
        r.inner = None;
        note(log, 9.0);
        r.inner.get_or_insert_with(|| Noisy::new(log, 4.0));
        let whole = std::mem::take(r);
        note(log, 8.0);
        drop(old);
        whole.more.len() as f64 + whole.inner.as_ref().map_or(0.0, |n| n.id()) + x
    })
}
