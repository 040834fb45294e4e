//! Values that are exchanged with fields, elements, payloads and entries of heaps: each takes its derivative along and leaves
//! nothing of it behind.

use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, binary_heap::PeekMut};
use std::mem::{replace, swap};

#[derive(Clone, Copy)]
struct Pair {
    k: u32,
    w: f64,
}
struct Parts {
    a: Pair,
    b: Pair,
    c: (f64, u8),
    o: Option<Pair>,
    v: Vec<Pair>,
    z: [Pair; 2],
}
fn parts(x: f64) -> Parts {
    Parts {
        a: Pair { k: 0, w: x },
        b: Pair { k: 1, w: 2.0 * x },
        c: (x * x, 1),
        o: Some(Pair { k: 1, w: x * 3.0 }),
        v: vec![Pair { k: 1, w: x * 7.0 }; 3],
        z: [Pair { k: 1, w: x * 0.3 }, Pair { k: 1, w: x * 0.9 }],
    }
}
fn sum(t: &Parts) -> f64 {
    t.a.w
        + 10.0 * t.b.w
        + 100.0 * t.c.0
        + t.o.map_or(0.0, |p| p.w * 1000.0)
        + t.v.iter().enumerate().map(|(i, p)| p.w * i as f64).sum::<f64>()
        + t.z[0].w * 0.1
        + t.z[1].w * 0.7
}
pub fn fields_exchanged(x: f64) -> f64 {
    let mut q = parts(x);
    let mut i = Pair { k: 5, w: x * 5.0 };
    swap(&mut i, &mut q.a);
    let (b, c) = (q.b, q.c);
    q.b = Pair { k: 1, w: c.0 };
    i.w + sum(&q) + b.w
}
pub fn fields_exchanged_in_turns(x: f64) -> f64 {
    let mut q = parts(x);
    let mut w = 0.0;
    for k in 0..3 {
        let mut i = Pair { k, w: x * k as f64 };
        swap(&mut i, &mut q.a);
        swap(&mut q.b, &mut i);
        w = w * 2.0 + i.w;
    }
    w + sum(&q)
}
pub fn options_replaced(x: f64) -> f64 {
    let mut q = parts(x);
    let mut w = 0.0;
    for k in 0..3 {
        let i = replace(&mut q.o, Some(Pair { k, w: x * k as f64 }));
        w = w * 2.0 + i.map_or(0.0, |p| p.w);
        if k == 1 {
            let j = q.o.take();
            w += j.unwrap().w * 3.0;
        }
    }
    w + sum(&q)
}
pub fn elements_of_arrays_exchanged(x: f64) -> f64 {
    let mut q = parts(x);
    let mut w = 0.0;
    for k in 0..3u32 {
        let mut i = Pair { k, w: x * k as f64 };
        swap(&mut i, &mut q.z[(k % 2) as usize]);
        w = w * 2.0 + i.w;
        q.z.swap(0, 1);
    }
    w + sum(&q)
}
pub fn vectors_edited(x: f64) -> f64 {
    let mut q = parts(x);
    let mut w = 0.0;
    for k in 0..3u32 {
        let mut i = Pair { k, w: x * k as f64 };
        swap(&mut i, &mut q.v[0]);
        w = w * 2.0 + i.w;
        let r = q.v.remove(1);
        q.v.push(i);
        w += r.w;
        q.v.swap(0, 2);
        let l = q.v.swap_remove(1);
        q.v.insert(0, l);
    }
    w + sum(&q)
}
pub fn payloads_replaced(x: f64) -> f64 {
    let mut q = parts(x);
    let mut w = 0.0;
    for k in 0..4u32 {
        if let Some(p) = &mut q.o {
            let old = replace(p, Pair { k, w: x * k as f64 });
            w += old.w * 2.0;
        }
        let c = replace(&mut q.c, (w * x, 3));
        w += c.0;
    }
    w + sum(&q)
}
pub fn rows_replaced(x: f64) -> f64 {
    let mut m = vec![[Pair { k: 0, w: x }; 2], [Pair { k: 1, w: x * x }; 2]];
    let mut w = 0.0;
    for k in 0..3usize {
        let mut i = Pair { k: 9, w: x * k as f64 };
        swap(&mut i, &mut m[k % 2][1]);
        let r = replace(&mut m[0], [i; 2]);
        w += r[0].w + 3.0 * r[1].w;
        if let Some(l) = m.pop() {
            w += l[0].w * l[1].w;
            m.insert(0, l);
        }
    }
    w + m.iter().flatten().enumerate().map(|(i, p)| p.w * i as f64).sum::<f64>()
}
pub fn options_taken_out_of_vectors(x: f64) -> f64 {
    let mut v: Vec<Option<Pair>> = (0..4).map(|k| Some(Pair { k, w: x * k as f64 })).collect();
    let mut w = 0.0;
    for k in 0..4usize {
        let o = v[k].take();
        w = w * 1.5 + o.map_or(1.0, |p| p.w);
        let j = (k + 1) % 4;
        let n = replace(&mut v[j], o);
        w += n.map_or(0.0, |p| p.w * 0.3);
        let l = v.pop().unwrap();
        v.push(l);
    }
    w + v.iter().flatten().map(|p| p.w).sum::<f64>()
}
pub fn pairs_replaced_while_popped(x: f64) -> f64 {
    let mut v: Vec<(Pair, f64)> = (0..5u32).map(|k| (Pair { k, w: x * k as f64 }, x)).collect();
    let mut w = 0.0;
    while let Some((p, y)) = v.pop() {
        if let Some(f) = v.first_mut() {
            let (o, z) = replace(f, (p, y * 2.0));
            w += o.w * y + z;
        }
        if v.len() > 1 {
            let n = v.len() - 1;
            let mut tmp = (Pair { k: 0, w: w }, x);
            swap(&mut tmp, &mut v[n]);
            w += tmp.1;
            let b = v.pop().unwrap();
            w += b.0.w * 0.01 + b.1;
        }
    }
    w
}

pub fn popped_after_an_exchange(x: f64) -> f64 {
    let mut v = vec![(0u32, x), (2, 3.0 * x)];
    let mut item = (3u32, x * 5.0);
    swap(&mut item, &mut v[0]);
    let last = v.pop().unwrap();
    item.1 + 10.0 * last.1 + 100.0 * v[0].1
}

pub fn a_heap_that_is_emptied(x: f64) -> f64 {
    let mut heap = BinaryHeap::new();
    for k in 0..6u32 {
        heap.push(Entry { key: k * 5 % 4, tag: k, w: x * k as f64 });
    }
    let (mut sum, mut c) = (0.0, 1.0);
    while let Some(entry) = heap.pop() {
        sum += entry.w * c;
        c += 1.0;
    }
    sum
}

#[derive(Clone, Debug)]
struct Entry {
    key: u32,
    tag: u32,
    w: f64,
}
impl PartialEq for Entry {
    fn eq(&self, o: &Entry) -> bool {
        self.key == o.key
    }
}
impl Eq for Entry {}
impl PartialOrd for Entry {
    fn partial_cmp(&self, o: &Entry) -> Option<Ordering> {
        Some(self.cmp(o))
    }
}
impl Ord for Entry {
    fn cmp(&self, o: &Entry) -> Ordering {
        o.key.cmp(&self.key)
    }
}
fn hash(h: u64, t: u32) -> u64 {
    (h ^ t as u64).wrapping_mul(0x100000001b3)
}
pub fn heap_operations(x: f64) -> f64 {
    let mut h = BinaryHeap::new();
    let mut r = 12345u64;
    let mut sum = 1469598103934665603u64;
    let mut w = 0.0;
    for k in 0..400u32 {
        r = r.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let a = (r >> 33) as u32;
        match a % 7 {
            0..=3 => h.push(Entry { key: a / 7 % 9, tag: k, w: x * k as f64 }),
            4 => {
                if let Some(s) = h.pop() {
                    sum = hash(sum, s.tag);
                    w += s.w;
                }
            }
            5 => {
                if let Some(mut p) = h.peek_mut() {
                    p.key = a / 7 % 11;
                    w += p.w * 0.5;
                }
            }
            _ => {
                if let Some(p) = h.peek_mut() {
                    if p.key % 2 == 0 {
                        let s = PeekMut::pop(p);
                        sum = hash(sum, s.tag);
                    }
                }
            }
        }
    }
    for s in h.iter() {
        sum = hash(sum, s.tag);
    }
    h.retain(|s| s.tag % 3 != 0);
    for s in &h {
        sum = hash(sum, s.tag);
    }
    let more: Vec<Entry> = (0..37).map(|k| Entry { key: k * 5 % 6, tag: 1000 + k, w: x }).collect();
    let mut g: BinaryHeap<Entry> = more.clone().into();
    h.append(&mut g);
    h.extend(more.into_iter().take(9));
    for s in h.clone().into_vec() {
        sum = hash(sum, s.tag);
    }
    for s in h.clone().into_sorted_vec() {
        sum = hash(sum, s.tag);
        w += s.w;
    }
    while let Some(s) = h.pop() {
        sum = hash(sum, s.tag);
    }
    w + (sum % 1000003) as f64
}
pub fn ties_in_a_heap(x: f64) -> f64 {
    let n = 40;
    let mut dist = vec![u32::MAX; n];
    let mut prev = vec![0usize; n];
    let mut h = BinaryHeap::from([(Reverse(0u32), 0usize)]);
    dist[0] = 0;
    while let Some((Reverse(d), u)) = h.pop() {
        if d > dist[u] {
            continue;
        }
        for k in 1..4 {
            let v = (u * k + 7 * k) % n;
            let nd = d + (u as u32 * 3 + k as u32) % 4;
            if nd < dist[v] {
                dist[v] = nd;
                prev[v] = u;
                h.push((Reverse(nd), v));
            }
        }
    }
    prev.iter().enumerate().map(|(i, p)| (i * p) as f64).sum::<f64>() * x + h.into_sorted_vec().len() as f64
}
pub fn heap_shown(x: f64) -> f64 {
    let h: BinaryHeap<i32> = [5, 1, 8, 3, 9, 2, 8].into_iter().collect();
    let mut v = vec![0u8; 4];
    let e = 'é'.encode_utf8(&mut v).len();
    format!("{h:?} {:?}", h.peek())
        .bytes()
        .map(|b| b as f64)
        .enumerate()
        .map(|(i, b)| i as f64 * b)
        .sum::<f64>()
        * x
        + e as f64
        + v[0] as f64
        + h.as_slice()[3] as f64
}
