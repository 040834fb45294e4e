//! How much collections have room for, where Rust promises it, or makes vectors of the exact room asked for.

use std::collections::*;
struct Ring {
    buf: Vec<f64>,
    at: usize,
}
struct S {
    a: Vec<f64>,
    b: Option<Vec<u8>>,
}

pub fn a_vector_has_the_room_it_was_made_with() -> String {
    fn all() -> Vec<usize> {
        let mut v: Vec<f64> = Vec::with_capacity(10);
        let mut o = vec![v.capacity()];
        v.push(1.0);
        o.push(v.capacity());
        v.extend([1.0; 5]);
        o.push(v.capacity());
        v.clear();
        o.push(v.capacity());
        v.shrink_to_fit();
        o.push(v.capacity());
        v.reserve_exact(7);
        o.push(v.capacity());
        v.push(2.0);
        v.shrink_to(3);
        o.push(v.capacity());
        v.shrink_to(1);
        o.push(v.capacity());
        let w = vec![1, 2, 3];
        o.push(w.capacity());
        let z: Vec<i32> = Vec::new();
        o.push(z.capacity());
        let b = Vec::<u8>::with_capacity(5);
        o.push(b.capacity());
        o
    }
    format!("{:?}", all())
}

pub fn vectors_of_vectors_and_texts_have_room() -> String {
    fn all(n: usize) -> Vec<usize> {
        let mut v: Vec<Vec<f64>> = Vec::with_capacity(n);
        let mut o = vec![];
        for i in 0..n + 2 {
            if v.len() == v.capacity() {
                v.remove(0);
            }
            v.push(vec![i as f64; 2]);
            o.push(v.len());
        }
        o.push(v.capacity());
        let mut s: Vec<String> = Vec::with_capacity(n);
        s.push("a".into());
        s.push("b".into());
        s.pop();
        o.push(s.capacity());
        o
    }
    format!("{:?}", all(4))
}

pub fn a_ring_in_a_vector_is_as_long_as_its_room() -> String {
    fn all(xs: Vec<f64>) -> Vec<f64> {
        let mut r = Ring { buf: Vec::with_capacity(4), at: 0 };
        let mut o = vec![];
        for x in xs {
            if r.buf.len() < r.buf.capacity() {
                r.buf.push(x);
            } else {
                let i = r.at % r.buf.capacity();
                r.buf[i] = x;
                r.at += 1;
            }
            o.push(r.buf.iter().sum());
        }
        o
    }
    format!("{:?}", all(vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]))
}

pub fn a_ring_in_a_queue_is_as_long_as_its_room() -> String {
    fn all(xs: Vec<f64>) -> Vec<f64> {
        let mut q = VecDeque::with_capacity(3);
        let mut o = vec![];
        for x in xs {
            if q.len() == q.capacity() {
                q.pop_front();
            }
            q.push_back(x);
            o.push(q.iter().sum());
        }
        o.push(q.capacity() as f64);
        o
    }
    format!("{:?}", all(vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]))
}

pub fn reserved_room_is_there() -> String {
    fn all() -> Vec<bool> {
        let mut v = Vec::with_capacity(2);
        let mut o = vec![];
        for i in 0..40 {
            v.push(i);
            o.push(v.capacity() >= v.len());
        }
        v.reserve(100);
        o.push(v.capacity() >= 140);
        let mut s = String::with_capacity(5);
        o.push(s.capacity() >= 5);
        s.reserve(100);
        o.push(s.capacity() >= 100);
        o.push(v.try_reserve(5).is_ok());
        o.push(Vec::<u64>::new().try_reserve(usize::MAX).is_err());
        o
    }
    format!("{:?}", all())
}

pub fn room_stays_when_elements_go() -> String {
    fn all() -> Vec<usize> {
        let mut v: Vec<i32> = Vec::with_capacity(20);
        v.extend(0..10);
        let mut o = vec![];
        v.retain(|x| x % 2 == 0);
        o.push(v.capacity());
        v.dedup();
        o.push(v.capacity());
        v.drain(1..3);
        o.push(v.capacity());
        v.truncate(1);
        o.push(v.capacity());
        v.insert(0, 4);
        v.sort();
        v.reverse();
        o.push(v.capacity());
        let w = std::mem::take(&mut v);
        o.push(w.capacity());
        o.push(v.capacity());
        let u = w;
        o.push(u.capacity());
        let mut t = u;
        let mut e = vec![1, 2];
        t.append(&mut e);
        o.push(t.capacity());
        o.push(e.capacity());
        t.resize(7, 0);
        t.swap(0, 1);
        t[0] = 3;
        o.push(t.capacity());
        t.pop();
        t.remove(0);
        t.swap_remove(0);
        o.push(t.capacity());
        t.extend_from_slice(&[1]);
        t.fill(3);
        o.push(t.capacity());
        t.splice(0..1, [4, 5]);
        o.push(t.capacity());
        o
    }
    format!("{:?}", all())
}

pub fn more_room_than_there_can_be_is_refused() -> String {
    fn all(k: usize) -> usize {
        Vec::<u64>::with_capacity(usize::MAX / k).len()
    }
    format!("{:?}", all(1))
}

pub fn more_room_than_there_can_be_is_not_reserved() -> String {
    fn all(k: usize) -> usize {
        let mut v = vec![1.0, 2.0];
        v.reserve(usize::MAX / k);
        v.len()
    }
    format!("{:?}", all(1))
}

pub fn no_queue_has_more_room_than_there_can_be() -> String {
    fn all(k: usize) -> usize {
        VecDeque::<u32>::with_capacity(usize::MAX / k).len() + String::with_capacity(usize::MAX / k).len()
    }
    format!("{:?}", all(1))
}

pub fn what_takes_no_room_has_room_for_all() -> String {
    fn all() -> usize {
        let v: Vec<()> = vec![(); 3];
        v.capacity()
    }
    format!("{:?}", all())
}

pub fn maps_have_the_room_they_were_made_with() -> String {
    fn all() -> Vec<bool> {
        let mut m: HashMap<i32, f64> = HashMap::with_capacity(16);
        m.insert(1, 2.0);
        let mut s: HashSet<i32> = HashSet::with_capacity(7);
        s.reserve(50);
        let h: BinaryHeap<i32> = BinaryHeap::with_capacity(9);
        vec![m.capacity() >= 16, s.capacity() >= 50, h.capacity() >= 9]
    }
    format!("{:?}", all())
}

pub fn memory_used_again_brings_no_room_along() -> String {
    fn all(n: usize) -> Vec<usize> {
        let mut o = vec![];
        for i in 0..6 {
            let mut v: Vec<f64> = if i % 2 == 0 { Vec::with_capacity(50) } else { vec![0.0; n] };
            for k in 0..n {
                v.push(k as f64);
            }
            o.push(v.capacity().max(2 * n));
            let w = v.clone();
            o.push(w.len());
            let z = vec![1.0; n];
            o.push(z.capacity());
        }
        o
    }
    format!("{:?}", all(3))
}

pub fn room_goes_where_the_vector_goes() -> String {
    fn all() -> Vec<usize> {
        let mut s = S { a: Vec::with_capacity(5), b: Some(Vec::with_capacity(6)) };
        s.a.push(1.0);
        fn f(v: &mut Vec<f64>) -> usize {
            v.push(2.0);
            v.capacity()
        }
        let k = f(&mut s.a);
        let b = s.b.take().unwrap();
        let all = vec![Vec::<f64>::with_capacity(3), vec![1.0]];
        vec![k, s.a.capacity(), b.capacity(), all[0].capacity(), all[1].capacity()]
    }

    format!("{:?}", all())
}
