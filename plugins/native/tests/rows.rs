//! Arrays of structs, tuples, enums and arrays give the same results and failures as in the interpreter.

use overdub_context::engine::{Executor, Interpreting};
use overdub_context::value::Value;
use overdub_lower::Loaded;
use overdub_native::Native;

const PROGRAMS: &str = r#"
use std::cell::RefCell;
use std::rc::Rc;

#[derive(Clone, Debug, PartialEq)]
pub struct Point { x: f64, y: f64, on: bool }

#[derive(Clone, Debug)]
pub struct Factor { diagonal: Vec<f64>, name: String, points: Vec<Point>, log: f64 }

#[derive(Clone, Debug)]
pub enum Shape { Dot, Circle(f64), Path(Vec<(f64, f64)>), Group(Vec<Shape>) }

pub fn points(n: usize) -> f64 {
    let mut ps: Vec<Point> = Vec::new();
    for i in 0..n {
        ps.push(Point { x: i as f64, y: 1.0, on: i % 3 == 0 });
    }
    for i in 1..n {
        ps[i].x += ps[i - 1].y;
        ps[i].y *= 1.0001;
    }
    let kept = ps.clone();
    for p in ps.iter_mut() {
        if p.on { p.x = -p.x; }
    }
    ps.iter().zip(&kept).map(|(p, q)| p.x * q.y + q.x).sum()
}

pub fn edits(n: usize) -> Vec<(f64, usize)> {
    let mut v: Vec<(f64, usize)> = (0..n).map(|i| (i as f64 * 0.5, i)).collect();
    v.swap(0, n - 1);
    v.insert(2, (7.0, 7));
    let gone = v.remove(1);
    let last = v.pop().unwrap();
    v.truncate(n - 2);
    v.extend_from_slice(&[gone, last]);
    v.reverse();
    v.sort_by(|a, b| b.0.partial_cmp(&a.0).unwrap());
    v.rotate_left(2);
    let w = v.split_off(n / 2);
    v.extend(w.into_iter().filter(|p| p.1 % 2 == 0));
    v.retain(|p| p.1 != 4);
    v.dedup();
    v
}

pub fn slices(n: usize) -> f64 {
    fn total(ps: &[(f64, f64)]) -> f64 {
        match ps {
            [] => 0.0,
            [one] => one.0 * one.1,
            _ => {
                let (a, b) = ps.split_at(ps.len() / 2);
                total(a) - total(b)
            }
        }
    }
    let ps: Vec<(f64, f64)> = (0..n).map(|i| (i as f64, 1.5 - i as f64)).collect();
    let part = ps[1..n - 1].to_vec();
    let windows: f64 = ps.windows(2).map(|w| w[0].0 * w[1].1).sum();
    let chunks: f64 = ps.chunks(3).map(|c| c.len() as f64 * c[0].1).sum();
    total(&ps) + total(&part) + windows + chunks
}

pub fn nested(n: usize) -> Vec<Vec<f64>> {
    let mut a = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..n {
            a[i][j] = (i * j) as f64;
        }
    }
    let b = a.clone();
    let row = a[1].clone();
    for i in 0..n {
        for j in 0..n {
            a[i][j] += b[j][i] + row[j];
        }
        a[i].push(i as f64);
    }
    let first = a.remove(0);
    a.push(first);
    a[0][1] = 1e9;
    a.extend(b);
    a
}

pub fn deep(n: usize) -> f64 {
    let mut a = vec![vec![vec![(1.0, 2.0); 2]; 3]; n];
    let before = a[n - 1].clone();
    for i in 0..n {
        a[i][i % 3][1].0 = i as f64;
        a[i][0].push((3.0, i as f64));
    }
    let inner = &a[n - 1][(n - 1) % 3];
    let mut s = 0.0;
    for plane in &a {
        for row in plane {
            for (x, y) in row {
                s = s * 0.5 + x - y;
            }
        }
    }
    s + inner[1].0 + before[(n - 1) % 3][1].0
}

pub fn factors(n: usize) -> f64 {
    let mut fs: Vec<Factor> = (0..n)
        .map(|i| Factor {
            diagonal: (0..3).map(|k| (k + i) as f64).collect(),
            name: format!("f{i}"),
            points: vec![Point { x: 1.0, y: i as f64, on: true }; 2],
            log: 0.5,
        })
        .collect();
    let old = fs[0].clone();
    for (i, f) in fs.iter_mut().enumerate() {
        f.diagonal[i % 3] += 10.0;
        f.points[1].x = f.log;
        f.log = f.diagonal.iter().sum();
        f.name.push('!');
    }
    let kept = fs[1].diagonal.clone();
    fs[1].diagonal[0] = -1.0;
    let names: usize = fs.iter().map(|f| f.name.len()).sum();
    let longest = fs.iter().max_by(|a, b| a.log.partial_cmp(&b.log).unwrap()).unwrap();
    longest.log + names as f64 + kept[0] + fs[1].diagonal[0] + old.diagonal[0] + old.points[1].x + fs[0].points[1].x
}

pub fn shapes(n: usize) -> f64 {
    fn area(shapes: &[Shape]) -> f64 {
        let mut total = 0.0;
        for shape in shapes {
            total += match shape {
                Shape::Dot => 0.0,
                Shape::Circle(r) => r * r,
                Shape::Path(points) => points.iter().map(|p| p.0 * p.1).sum(),
                Shape::Group(inner) => 0.5 * area(inner),
            };
        }
        total
    }
    let mut all = vec![Shape::Dot, Shape::Circle(2.0), Shape::Path(vec![(1.0, 2.0), (3.0, 4.0)])];
    for i in 0..n {
        all = vec![Shape::Group(all.clone()), Shape::Circle(i as f64), Shape::Group(all)];
        if let Shape::Circle(r) = &mut all[1] {
            *r += 1.0;
        }
        if let Shape::Group(inner) = &mut all[0] {
            inner.push(Shape::Dot);
            inner[0] = Shape::Path(vec![(i as f64, 1.0)]);
        }
    }
    area(&all)
}

pub fn cells(n: usize) -> f64 {
    let shared = Rc::new(RefCell::new(vec![(0.0, 1.0); 3]));
    let other = shared.clone();
    for i in 0..n {
        other.borrow_mut().push((i as f64, 2.0));
        shared.borrow_mut()[i].0 += 1.0;
        let copy = shared.borrow().clone();
        other.borrow_mut()[0].1 += copy[i].0 + copy.len() as f64;
    }
    let last = shared.borrow();
    last.iter().map(|p| p.0 * p.1).sum()
}

pub fn stacks(n: usize) -> (f64, Vec<f64>, Vec<u8>, Vec<(f64, Vec<f64>)>) {
    let (mut xs, mut bytes, mut rows) = (Vec::new(), vec![7_u8; 3], Vec::new());
    let mut kept = Vec::new();
    let mut total = 0.0;
    for i in 0..n * n {
        xs.push(i as f64);
        bytes.push(i as u8);
        rows.push((i as f64, vec![0.5; i % 4]));
        if i % 5 == 0 {
            kept = xs.clone();
            total += xs.pop().unwrap() + rows.pop().map_or(0.0, |row| row.0 + row.1.len() as f64);
        }
        if i % 7 == 0 {
            xs.truncate(i / 2);
            rows.truncate(i / 3);
            bytes.truncate(40);
            xs.push(-1.0);
            kept.push(total);
        }
        if let Some(last) = xs.last_mut() {
            *last += 0.25;
        }
    }
    let part = &xs[1..];
    let mut tail = part.to_vec();
    tail.push(kept.len() as f64);
    total += part.len() as f64 + tail.iter().sum::<f64>() + kept.iter().sum::<f64>();
    while let Some(x) = tail.pop() {
        total = total * 0.5 + x;
    }
    (total, xs, bytes, rows)
}

pub fn beyond(n: usize) -> f64 {
    let v: Vec<(f64, f64)> = vec![(1.0, 2.0); n];
    let mut s = 0.0;
    for i in 0..=n {
        s += v[i].0;
    }
    s
}

pub fn beyond_inside(n: usize) -> f64 {
    let mut v = vec![vec![1.0; 2]; n];
    for i in 0..=n {
        v[n - 1][i] = 2.0;
    }
    v[0][0]
}

pub fn texts(n: usize) -> String {
    let mut words: Vec<String> = Vec::new();
    for i in 0..n {
        words.push(format!("w{i}"));
    }
    words[0].push_str("?");
    words.sort();
    words.join(",")
}

pub fn found(n: usize) -> Option<(f64, Vec<f64>)> {
    let v: Vec<(f64, Vec<f64>)> = (0..n).map(|i| (i as f64, vec![i as f64; 2])).collect();
    let some = v.get(n / 2).cloned();
    let none = v.get(n);
    let first = v.first().map(|p| p.1.len());
    match (none, first) {
        (None, Some(2)) => some,
        _ => None,
    }
}

pub fn given(points: &[(f64, f64)], mut rows: Vec<Vec<f64>>) -> (f64, Vec<Vec<f64>>) {
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] += points[i].0;
        row.push(points[i].1);
    }
    (points.iter().map(|p| p.0 - p.1).sum(), rows)
}
"#;

fn loaded() -> Loaded {
    Loaded::from_source("rows", PROGRAMS).expect("it loads")
}

fn both(loaded: &Loaded, function: &str, args: Vec<Value<'static>>) {
    let name = loaded.function(function).expect("it lowers").symbol;
    let module = loaded.shared_module();
    let expected = Interpreting::new().run(&module, name, args.clone());
    for native in [Native::new(), Native::new().without_optimising()] {
        for round in 0..2 {
            let got = native.run(&module, name, args.clone());
            match (&expected, &got) {
                (Ok(a), Ok(b)) => assert!(a.same(b), "{function}, round {round}: {a} became {b}"),
                (a, b) => assert_eq!(format!("{a:?}"), format!("{b:?}"), "{function}"),
            }
        }
    }
}

#[test]
fn elements_are_read_written_and_moved_as_the_interpreter_does() {
    let loaded = loaded();
    for function in [
        "points", "edits", "slices", "nested", "deep", "factors", "shapes", "cells", "stacks", "texts",
        "found",
    ] {
        both(&loaded, function, vec![Value::from(8_usize)]);
    }
}

#[test]
fn what_is_out_of_bounds_fails_alike() {
    let loaded = loaded();
    both(&loaded, "beyond", vec![Value::from(4_usize)]);
    both(&loaded, "beyond_inside", vec![Value::from(4_usize)]);
}

#[test]
fn a_caller_keeps_the_arrays_that_it_gave() {
    use overdub_context::ir::Ty;
    use overdub_context::value::Array;
    let pair = Ty::tuple([Ty::f64(), Ty::f64()]);
    let pairs = (0..3).map(|k| Value::tuple([Value::F64(f64::from(k)), Value::F64(0.5)]));
    let points = Value::from(Array::from_values(pair, pairs).expect("they are pairs"));
    let rows = (0..3).map(|k| Value::floats(vec![f64::from(k); 2]));
    let rows = Value::from(Array::from_values(Ty::array(Ty::f64(), 1), rows).expect("they are rows"));
    let before = format!("{points} {rows}");
    both(&loaded(), "given", vec![points.clone(), rows.clone()]);
    assert_eq!(before, format!("{points} {rows}"));
}
