//! Long chains of adaptors, options and results.

use std::cmp::Ordering;
use std::collections::HashMap;

fn adaptors(xs: &[f64], ys: &[f64]) -> f64 {
    let best = xs.iter().enumerate().max_by(|a, b| a.1.partial_cmp(b.1).unwrap()); // best: Option<(usize, &f64)>
    let (at, top) = best.unwrap(); // at: usize | top: &f64
    let (low, high): (Vec<f64>, Vec<f64>) = xs.iter().partition(|x| **x < 0.5); // low: Vec<f64> | high: Vec<f64>
    let (is, vs): (Vec<_>, Vec<_>) = xs.iter().enumerate().map(|(i, v)| (i, v * 2.0)).unzip(); // is: Vec<usize> | vs: Vec<f64>
    let flat: Vec<f64> = (0..3).flat_map(|i| xs.iter().map(move |x| x * i as f64)).collect(); // i: i32 | x: &f64
    let mut peek = xs.iter().peekable();
    while let Some(x) = peek.next() { // x: &f64
        if let Some(&&next) = peek.peek() { // next: f64
            if next > *x {
                break;
            }
        }
    }
    let total = xs.iter().zip(ys).zip(&vs).map(|((a, b), c)| a * b + c).sum::<f64>(); // a: &f64 | b: &f64 | c: &f64
    let evens = (1..10).step_by(2).rev().map(|n| n * n).filter(|n| n % 3 == 1).count(); // evens: usize
    let powers = std::iter::successors(Some(1.0), |x| if *x < 100.0 { Some(x * 2.0) } else { None }); // x: &f64
    let last = powers.last(); // last: Option<f64>
    let chunks: Vec<f64> = xs.chunks(2).map(|c| c.iter().sum::<f64>()).collect(); // c: &[f64]
    let all = xs.iter().all(|&x| x > 0.0) && ys.iter().any(|y| y.is_nan()); // all: bool
    let found = xs.iter().find(|x| **x > 1.0).copied().unwrap_or(f64::NAN); // found: f64
    let product = (1..=5).map(|k| k as f64).product::<f64>(); // product: f64
    let mapped: HashMap<usize, f64> = is.into_iter().zip(vs).collect();
    low.len() as f64 + high[at] + top + flat[0] + total + evens as f64 + chunks[0] + found + product
        + last.unwrap_or(0.0)
        + mapped[&0]
        + if all { 1.0 } else { 0.0 }
}

fn options(x: Option<f64>, y: Option<&f64>) -> Option<f64> {
    let a = x.map(|v| v * 2.0).filter(|v| *v > 0.0).unwrap_or_default(); // a: f64
    let b = y.cloned().or(x).ok_or("none").map_err(|e| e.len()).unwrap_or(0.0); // b: f64 | e: &str
    let c = x.and_then(|v| if v > 1.0 { Some(v.sqrt()) } else { None }); // c: Option<f64>
    let d = x.zip(c).map(|(p, q)| p + q)?; // d: f64
    let e = x.map_or(0, |v| v as i32); // e: i32
    let f = x.is_some_and(|v| v > 0.0); // f: bool
    let g = if let Some(v) = y && *v > 0.0 { *v } else { 0.0 }; // g: f64
    Some(a + b + d + e as f64 + g + if f { 1.0 } else { 0.0 })
}

fn results(texts: &[&str]) -> Result<f64, String> {
    let parsed = texts // parsed: Vec<f64>
        .iter()
        .map(|t| t.trim().parse::<f64>().map_err(|e| format!("{t}: {e}")))
        .collect::<Result<Vec<_>, _>>()?;
    let total = parsed.iter().try_fold(0.0, |acc, &x| { // acc: f64 | x: f64
        if x < 0.0 { Err(format!("negative: {x}")) } else { Ok(acc + x) }
    })?;
    let first = parsed.first().ok_or_else(|| "empty".to_string())?; // first: &f64
    let half = checked(total).unwrap_or_else(|e| e.len() as f64); // half: f64 | e: String
    Ok(total + first + half)
}

fn checked(x: f64) -> Result<f64, String> {
    match x.partial_cmp(&0.0) {
        Some(Ordering::Less) => Err("less".into()),
        Some(_) => Ok(x / 2.0),
        None => Err(String::from("nan")),
    }
}

fn sorting(mut pairs: Vec<(String, f64)>) -> Vec<f64> {
    pairs.sort_by(|a, b| b.1.partial_cmp(&a.1).unwrap().then_with(|| a.0.cmp(&b.0))); // a: &(String, f64)
    let mut keys: Vec<usize> = pairs.iter().map(|(name, _)| name.len()).collect(); // name: &String
    keys.sort_unstable();
    keys.dedup();
    keys.sort_by_key(|k| std::cmp::Reverse(*k)); // k: &usize
    let at = keys.binary_search(&3).unwrap_or_else(|i| i); // at: usize
    let mut xs: Vec<f64> = pairs.into_iter().map(|(_, x)| x).collect();
    xs.sort_by(f64::total_cmp);
    xs.retain(|x| x.is_finite()); // x: &f64
    xs.truncate(at + 1);
    let sorted = xs.windows(2).all(|w| w[0] <= w[1]); // sorted: bool | w: &[f64]
    if sorted { xs } else { vec![] }
}

struct Node {
    value: f64,
    next: Option<Box<Node>>,
}

fn linked(list: &Option<Box<Node>>, mut owned: Option<Box<Node>>) -> f64 {
    let mut total = 0.0; // total: f64
    let mut at = list; // at: &Option<Box<Node>>
    while let Some(node) = at { // node: &Box<Node>
        total += node.value;
        at = &node.next;
    }
    let mut cursor = owned.as_mut(); // cursor: Option<&mut Box<Node>>
    while let Some(node) = cursor { // node: &mut Box<Node>
        node.value += 1.0;
        cursor = node.next.as_mut();
    }
    let mut reversed = None; // reversed: Option<Box<Node>>
    while let Some(mut node) = owned { // node: Box<Node>
        owned = node.next.take();
        node.next = reversed;
        reversed = Some(node);
    }
    let top = reversed.as_ref().map(|n| n.value); // top: Option<f64> | n: &Box<Node>
    let second = list.as_deref().and_then(|n| n.next.as_deref()).map_or(0.0, |n| n.value); // second: f64 | n: &Node
    total + top.unwrap_or(0.0) + second
}

fn swaps() -> f64 {
    let (mut a, mut b) = (vec![1.0], vec![2.0, 3.0]); // a: Vec<f64> | b: Vec<f64>
    std::mem::swap(&mut a, &mut b);
    let old = std::mem::replace(&mut a, Vec::new()); // old: Vec<f64>
    let taken = std::mem::take(&mut b); // taken: Vec<f64>
    let boxed: Box<[f64]> = old.into_boxed_slice(); // boxed: Box<[f64]>
    let from: Vec<f64> = Vec::from([1.0, 2.0]); // from: Vec<f64>
    let into: Vec<f64> = [3.0].into(); // into: Vec<f64>
    boxed.len() as f64 + taken[0] + from[0] + into.iter().rev().copied().next().unwrap()
}

fn integers(v: &[f64], k: u32) -> i64 {
    let n = v.len() as i32 - 1; // n: i32
    let mut total = 0i64; // total: i64
    for i in (0..=n).rev() { // i: i32
        total += i as i64 * 2;
    }
    let bits = 1u64 << k; // bits: u64
    let p = 2_i64.pow(k); // p: i64
    let q = i64::pow(3, 2).abs().rem_euclid(4); // q: i64
    let r = u8::MAX.wrapping_add(1).leading_zeros(); // r: u32
    let d = (v.len() as i64 - 5).abs().max(1).min(10); // d: i64
    let c = 'a' as u8 + 1; // c: u8
    let ch = (c as char).to_ascii_uppercase(); // ch: char
    let o = 5i32.checked_sub(6).map(|x| x.signum()); // o: Option<i32>
    total + bits as i64 + p + q + r as i64 + d + ch as i64 + o.unwrap_or(0) as i64
}
