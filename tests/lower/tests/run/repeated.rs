//! Arrays that repeat a constant, and references to references.

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicUsize, Ordering};

pub fn cells(x: f64) -> f64 {
    let a = [const { Cell::new(1.0) }; 3];
    a[0].set(x);
    a[1].get() + a[2].get() * 10.0 + a[0].get()
}

pub fn cells_of_a_constant(x: f64) -> f64 {
    const TWO: Cell<f64> = Cell::new(2.0);
    let a = [TWO; 3];
    a[0].set(x);
    a[1].get() + a[2].get() * 10.0 + a[0].get()
}

pub fn many_cells(x: f64) -> f64 {
    let a: [RefCell<Vec<f64>>; 40] = [const { RefCell::new(Vec::new()) }; 40];
    a[2].borrow_mut().push(x);
    a[2].borrow_mut().push(x);
    a[30].borrow_mut().push(x);
    a.iter().enumerate().map(|(i, v)| (v.borrow().len() * (i + 1)) as f64).sum::<f64>() * x
}

pub fn atomics(x: f64) -> f64 {
    let a = [const { AtomicUsize::new(5) }; 2];
    a[0].store(7, Ordering::Relaxed);
    let mut b = [const { Some(Cell::new(0.5)) }; 2];
    b[1].as_ref().unwrap().set(x);
    *b[0].as_mut().unwrap().get_mut() += 1.0;
    x * a[1].load(Ordering::Relaxed) as f64 + b[0].as_ref().unwrap().get() + b[1].as_ref().unwrap().get()
}

pub fn cells_in_constants(x: f64) -> f64 {
    struct Pair {
        c: [Cell<f64>; 2],
    }
    const EMPTY: Pair = Pair { c: [const { Cell::new(0.5) }; 2] };
    let s = EMPTY;
    s.c[0].set(x);
    let t = EMPTY;
    s.c[1].get() + t.c[0].get() + s.c[0].get()
}

/// What is `Copy` is repeated as it is: all elements refer to one cell.
pub fn one_cell(x: f64) -> f64 {
    let c = Cell::new(1.0);
    let a = [&c; 3];
    a[0].set(x);
    a[1].get() + a[2].get()
}

trait Reader {
    fn read(&mut self) -> usize;
}

impl Reader for &[u8] {
    fn read(&mut self) -> usize {
        let (first, rest) = self.split_at(1);
        *self = rest;
        first[0] as usize
    }
}

fn read_two<R: Reader + ?Sized>(r: &mut R) -> usize {
    r.read() + r.read()
}

pub fn reference_to_a_slice(x: f64) -> f64 {
    let v = vec![3u8, 5, 6];
    x * read_two(&mut &v[..]) as f64 + read_two(&mut &v[1..]) as f64 + v.len() as f64
}

pub fn kept_reference_to_a_slice(x: f64) -> f64 {
    let v = [3u8, 5, 6];
    let r = &mut &v[..];
    let read = read_two(r);
    x * (read + r.len()) as f64 + v.len() as f64
}

pub fn reference_to_a_mutable_one(x: f64) -> f64 {
    let mut a = 1.0;
    let mut b = x;
    let p = &mut &mut a;
    **p += x;
    *p = &mut b;
    **p *= 3.0;
    a + b
}

pub fn reference_to_a_constant(x: f64) -> f64 {
    let b = x;
    let p = &mut &1.0;
    let before = **p;
    *p = &b;
    **p + before
}

pub fn method_on_a_borrowed_slice(x: f64) -> f64 {
    let v = vec![7u8, 9];
    x * (&v[..]).read() as f64 + v[0] as f64
}
