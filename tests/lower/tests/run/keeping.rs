//! References that are put into something and written through later.

use std::collections::HashMap;

pub fn pushed(x: f64) -> f64 {
    let (mut a, mut b) = (x, 2.0);
    {
        let mut all: Vec<&mut f64> = Vec::new();
        all.push(&mut a);
        all.push(&mut b);
        if let Some(last) = all.pop() {
            *last *= 3.0;
        }
        for kept in all {
            *kept += 10.0;
        }
    }
    a * 100.0 + b
}

pub fn pushed_parts(x: f64) -> f64 {
    let mut xs = [x, 2.0, 3.0, 4.0];
    let mut parts = Vec::new();
    for part in xs.chunks_mut(2) {
        parts.push(part);
    }
    parts[1][0] = 7.0;
    parts[0][1] += 1.0;
    xs.iter().fold(0.0, |sum, x| sum * 10.0 + x)
}

fn put<T>(place: &mut Option<T>, x: T) {
    *place = Some(x);
}

pub fn put_by_a_generic_function(x: f64) -> f64 {
    let mut a = x;
    {
        let mut place = None;
        put(&mut place, &mut a);
        if let Some(kept) = place {
            *kept += 5.0;
        }
    }
    a
}

struct Holder<'a> {
    kept: Option<&'a mut f64>,
    times: usize,
}

impl<'a> Holder<'a> {
    fn keep(&mut self, x: &'a mut f64) -> usize {
        self.kept = Some(x);
        self.times += 1;
        self.times
    }

    fn add(&mut self, by: f64) {
        if let Some(kept) = &mut self.kept {
            **kept += by;
        }
    }
}

pub fn kept_by_a_method(x: f64) -> f64 {
    let (mut a, mut b) = (x, 1.0);
    let mut holder = Holder { kept: None, times: 0 };
    let first = holder.keep(&mut a);
    holder.add(2.0);
    let second = holder.keep(&mut b);
    holder.add(3.0);
    a * 10.0 + b + (first + second) as f64
}

pub fn kept_in_a_map(x: f64) -> f64 {
    let (mut a, mut b) = (x, 1.0);
    {
        let mut named = HashMap::new();
        named.insert("a", &mut a);
        named.insert("b", &mut b);
        **named.get_mut("a").unwrap() += 5.0;
        for (_, kept) in named.iter_mut() {
            **kept *= 2.0;
        }
    }
    a * 10.0 + b
}

fn add_all(sums: &mut [&mut f64], by: &mut f64) {
    for sum in sums.iter_mut() {
        **sum += *by;
        *by += 1.0;
    }
}

pub fn changed_side_by_side(x: f64) -> f64 {
    let (mut a, mut b, mut by) = (x, 1.0, 0.5);
    add_all(&mut [&mut a, &mut b], &mut by);
    a * 100.0 + b * 10.0 + by
}
