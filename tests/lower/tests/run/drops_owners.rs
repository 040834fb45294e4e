//! What objects, closures and lists drop, and when.

use std::cell::Cell;

mod noisy;
use noisy::*;

trait Speak {
    fn speak(&self) -> f64;
    fn turn(&mut self);
}

struct Dog<'a>(Noisy<'a>, f64);
struct Cat(f64);

impl Speak for Dog<'_> {
    fn speak(&self) -> f64 {
        self.0.id() + self.1
    }
    fn turn(&mut self) {
        self.1 += 1.0;
    }
}

impl Speak for Cat {
    fn speak(&self) -> f64 {
        self.0
    }
    fn turn(&mut self) {
        self.0 *= 2.0;
    }
}

pub fn objects(x: f64) -> f64 {
    logged(|log| {
        let mut v: Vec<Box<dyn Speak + '_>> =
            vec![Box::new(Dog(Noisy::new(log, 1.0), x)), Box::new(Cat(x)), Box::new(Dog(Noisy::new(log, 2.0), x))];
        for s in v.iter_mut() {
            s.turn();
        }
        let s: f64 = v.iter().map(|s| s.speak()).sum();
        drop(v.remove(0));
        note(log, 9.0);
        s
    })
}

struct Guard<'a> {
    depth: &'a Cell<f64>,
}

impl<'a> Guard<'a> {
    fn enter(depth: &'a Cell<f64>) -> Guard<'a> {
        depth.set(depth.get() + 1.0);
        Guard { depth }
    }
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        self.depth.set(self.depth.get() - 1.0);
    }
}

fn descend(depth: &Cell<f64>, n: u32) -> f64 {
    let _guard = Guard::enter(depth);
    if n == 0 {
        return depth.get();
    }
    descend(depth, n - 1) + depth.get()
}

pub fn raii_depth(x: f64) -> f64 {
    let depth = Cell::new(x);
    let seen = descend(&depth, 3);
    seen * 100.0 + depth.get()
}

struct Stack<'a> {
    head: Option<Box<Node<'a>>>,
}

struct Node<'a> {
    value: Noisy<'a>,
    next: Option<Box<Node<'a>>>,
}

impl<'a> Stack<'a> {
    fn push(&mut self, value: Noisy<'a>) {
        let next = self.head.take();
        self.head = Some(Box::new(Node { value, next }));
    }
    fn pop(&mut self) -> Option<Noisy<'a>> {
        self.head.take().map(|node| {
            self.head = node.next;
            node.value
        })
    }
}

impl Drop for Stack<'_> {
    fn drop(&mut self) {
        let mut next = self.head.take();
        while let Some(mut node) = next {
            next = node.next.take();
        }
    }
}

pub fn linked_list(x: f64) -> f64 {
    logged(|log| {
        let mut s = Stack { head: None };
        for i in 1..5 {
            s.push(Noisy::new(log, i as f64));
        }
        let top = s.pop().map_or(0.0, |n| n.id());
        note(log, 9.0);
        top + x
    })
}

pub fn closures_own(x: f64) -> f64 {
    logged(|log| {
        let a = Noisy::new(log, 1.0);
        let b = Noisy::new(log, 2.0);
        let c = Noisy::new(log, 3.0);
        let by_ref = || a.id() + 1.0;
        let by_move = move || b.id() + 2.0;
        let once = move || c.consume();
        note(log, by_ref() + by_move());
        note(log, once());
        note(log, 9.0);
        drop(by_move);
        note(log, 8.0);
        let never = {
            let d = Noisy::new(log, 4.0);
            move || d.consume()
        };
        note(log, 7.0);
        let _unused = &never;
        x
    })
}

fn generic<T>(make: impl Fn(f64) -> T, keep: bool) -> Option<T> {
    let a = make(1.0);
    let b = make(2.0);
    let pair = (a, b);
    if keep { Some(pair.1) } else { None }
}

pub fn generic_values(x: f64) -> f64 {
    logged(|log| {
        let a = generic(|id| Noisy::new(log, id), x > 0.0);
        let n = generic(|id| id, true);
        note(log, 9.0);
        a.map_or(0.0, |a| a.id()) + n.unwrap_or(0.0)
    })
}
