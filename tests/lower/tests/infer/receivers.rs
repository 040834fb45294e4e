//! Receivers are dereferenced and borrowed until a method fits.

use std::collections::HashMap;
use std::cell::RefCell;
use std::rc::Rc;

struct Point {
    x: f64,
    y: f64,
}

impl Point {
    fn norm(&self) -> f64 {
        (self.x * self.x + self.y * self.y).sqrt()
    }

    fn scale(&mut self, k: f64) {
        self.x *= k;
        self.y *= k;
    }

    fn into_pair(self) -> (f64, f64) {
        (self.x, self.y)
    }
}

fn references(p: &Point, q: &mut Point, pp: &&Point) -> f64 {
    let a = p.norm(); // a: f64
    q.scale(2.0);
    let b = q.norm() + pp.norm(); // b: f64
    let x = pp.x; // x: f64
    a + b + x
}

fn boxes(p: Box<Point>, shared: Rc<Point>, cell: &RefCell<Vec<f64>>) -> f64 {
    let n = p.norm() + shared.norm(); // n: f64
    let pair = p.into_pair(); // pair: (f64, f64)
    cell.borrow_mut().push(pair.0);
    let len = cell.borrow().len(); // len: usize
    n + len as f64
}

fn slices(v: Vec<f64>, a: [f64; 3], s: &[f64]) -> f64 {
    let first = v.first(); // first: Option<&f64>
    let it = a.iter(); // it: Iter<f64>
    let both = v.iter().chain(s); // both: Chain<Iter<f64>, Iter<f64>>
    let windows: Vec<f64> = s.windows(2).map(|w| w[1] - w[0]).collect(); // w: &[f64]
    let copied = s.to_vec(); // copied: Vec<f64>
    first.unwrap() + it.sum::<f64>() + both.sum::<f64>() + windows[0] + copied[0]
}

fn parts(v: &mut Vec<f64>) -> f64 {
    let mid = v.len() / 2; // mid: usize
    let (left, right) = v.split_at_mut(mid); // left: &mut [f64] | right: &mut [f64]
    left[0] = right[0];
    v.swap(0, 1);
    for x in v.iter_mut() { // x: &mut f64
        *x += 1.0;
    }
    for x in &*v { // x: &f64
        if *x > 1.0 {
            break;
        }
    }
    v[0]
}

fn maps(m: &mut HashMap<String, f64>) -> f64 {
    let entry = m.entry("a".to_string()).or_insert(0.0); // entry: &mut f64
    *entry += 1.0;
    let got = m.get("a"); // got: Option<&f64>
    let mut total = 0.0; // total: f64
    for (k, v) in m.iter() { // k: &String | v: &f64
        total += v * k.len() as f64;
    }
    total + got.copied().unwrap_or_default()
}

fn clones(p: &Vec<f64>, q: &[f64], r: &f64) -> f64 {
    let a = p.clone(); // a: Vec<f64>
    let b = q.to_owned(); // b: Vec<f64>
    let c = r.clone(); // c: f64
    let d = (*r).max(c); // d: f64
    a[0] + b[0] + d
}

fn chained(x: f64) -> f64 {
    let y = x.abs().sqrt().max(1.0).powi(3); // y: f64
    let z = 2.0_f64.powf(y); // z: f64
    let s = x.to_string(); // s: String
    let t = s.trim(); // t: &str
    let parsed = t.parse::<f64>().unwrap_or(0.0); // parsed: f64
    let n: i32 = t.parse().unwrap(); // n: i32
    z + parsed + n as f64
}
