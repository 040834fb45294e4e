//! Who shares what: counts of owners, weak references, values that are alone.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::{Rc, Weak};
use std::sync::Arc;

pub fn counts(x: f64) -> f64 {
    let a = Rc::new(x);
    let mut s = Rc::strong_count(&a) as f64;
    let b = a.clone();
    s = s * 10.0 + Rc::strong_count(&a) as f64;
    {
        let _c = Rc::clone(&b);
        s = s * 10.0 + Rc::strong_count(&a) as f64;
    }
    s = s * 10.0 + Rc::strong_count(&b) as f64;
    drop(a);
    s = s * 10.0 + Rc::strong_count(&b) as f64;
    let v = vec![b.clone(), b.clone(), b];
    s = s * 10.0 + Rc::strong_count(&v[0]) as f64;
    let w = v.clone();
    s * 10.0 + Rc::strong_count(&w[0]) as f64 + *w[1]
}

pub fn unwrapped(x: f64) -> f64 {
    let a = Rc::new(vec![x, 1.0]);
    let b = Rc::clone(&a);
    let first = match Rc::try_unwrap(a) {
        Ok(v) => v.len() as f64,
        Err(a) => a[0] + 100.0,
    };
    let second = Rc::try_unwrap(b).map(|v| v.len() as f64).unwrap_or(-1.0);
    let c = Rc::new(x);
    let d = c.clone();
    let none = Rc::into_inner(c).is_none();
    let some = Rc::into_inner(d).unwrap_or(-5.0);
    first + second * 7.0 + some + if none { 0.5 } else { 0.0 }
}

pub fn mutated_when_alone(x: f64) -> f64 {
    let mut a = Rc::new(vec![x]);
    if let Some(v) = Rc::get_mut(&mut a) {
        v.push(1.0);
    }
    let b = a.clone();
    let refused = Rc::get_mut(&mut a).is_none();
    Rc::make_mut(&mut a).push(2.0);
    Rc::make_mut(&mut a)[0] += 1.0;
    a.iter().sum::<f64>() * 10.0 + b.iter().sum::<f64>() + if refused { 0.5 } else { 0.0 }
}

pub fn same_place(x: f64) -> f64 {
    let a = Rc::new(x);
    let b = Rc::clone(&a);
    let c = Rc::new(x);
    let mut s = 0.0;
    s += if Rc::ptr_eq(&a, &b) { 1.0 } else { 0.0 };
    s += if Rc::ptr_eq(&a, &c) { 2.0 } else { 0.0 };
    s += if a == c { 4.0 } else { 0.0 };
    s
}

pub fn weak_after_the_last(x: f64) -> f64 {
    let mut s = 0.0;
    let w: Weak<f64>;
    {
        let a = Rc::new(x);
        w = Rc::downgrade(&a);
        s += w.upgrade().map_or(-1.0, |v| *v + 1.0);
        s += Rc::weak_count(&a) as f64 * 10.0 + w.strong_count() as f64 * 100.0;
    }
    s += if w.upgrade().is_none() { 0.5 } else { 0.0 };
    let e: Weak<f64> = Weak::new();
    s + if e.upgrade().is_none() { 0.25 } else { 0.0 } + w.strong_count() as f64
}

struct Tree {
    value: f64,
    parent: RefCell<Weak<Tree>>,
    children: RefCell<Vec<Rc<Tree>>>,
}

impl Tree {
    fn leaf(value: f64) -> Rc<Tree> {
        Rc::new(Tree { value, parent: RefCell::new(Weak::new()), children: RefCell::new(vec![]) })
    }
    fn adopt(parent: &Rc<Tree>, child: Rc<Tree>) {
        *child.parent.borrow_mut() = Rc::downgrade(parent);
        parent.children.borrow_mut().push(child);
    }
    fn depth(&self) -> f64 {
        match self.parent.borrow().upgrade() {
            Some(p) => 1.0 + p.depth(),
            None => 0.0,
        }
    }
    fn sum(&self) -> f64 {
        self.value + self.children.borrow().iter().map(|c| c.sum()).sum::<f64>()
    }
}

pub fn tree_with_parents(x: f64) -> f64 {
    let leaf = Tree::leaf(3.0);
    let mut s = leaf.parent.borrow().upgrade().map_or(1.0, |p| p.value);
    {
        let root = Tree::leaf(x);
        let mid = Tree::leaf(5.0);
        Tree::adopt(&root, mid.clone());
        Tree::adopt(&mid, leaf.clone());
        s += leaf.depth() * 10.0 + root.sum();
        s += Rc::strong_count(&leaf) as f64 * 100.0 + Rc::weak_count(&root) as f64 * 1000.0;
        s += Rc::strong_count(&mid) as f64 * 10000.0;
    }
    s + leaf.depth() * 0.5 + Rc::strong_count(&leaf) as f64 * 0.25
}

#[derive(Clone)]
struct Owner {
    name: String,
    tools: RefCell<Vec<Weak<Tool>>>,
}

struct Tool {
    id: f64,
    owner: Rc<Owner>,
}

pub fn owner_and_tools(x: f64) -> f64 {
    let owner = Rc::new(Owner { name: "o".to_string(), tools: RefCell::new(vec![]) });
    let a = Rc::new(Tool { id: x, owner: Rc::clone(&owner) });
    let b = Rc::new(Tool { id: 2.0, owner: owner.clone() });
    owner.tools.borrow_mut().push(Rc::downgrade(&a));
    owner.tools.borrow_mut().push(Rc::downgrade(&b));
    let n = Rc::strong_count(&owner) as f64;
    drop(b);
    let mut s = 0.0;
    for t in owner.tools.borrow().iter() {
        match t.upgrade() {
            Some(tool) => s += tool.id + tool.owner.name.len() as f64,
            None => s += 100.0,
        }
    }
    s + n * 1000.0 + Rc::strong_count(&owner) as f64 * 10000.0
}

type Link = Option<Rc<RefCell<DNode>>>;

struct DNode {
    value: f64,
    next: Link,
    prev: Option<Weak<RefCell<DNode>>>,
}

struct Deque {
    head: Link,
    tail: Link,
}

impl Deque {
    fn push_back(&mut self, value: f64) {
        let node = Rc::new(RefCell::new(DNode { value, next: None, prev: None }));
        match self.tail.take() {
            Some(old) => {
                node.borrow_mut().prev = Some(Rc::downgrade(&old));
                old.borrow_mut().next = Some(node.clone());
                self.tail = Some(node);
            }
            None => {
                self.head = Some(node.clone());
                self.tail = Some(node);
            }
        }
    }
    fn pop_back(&mut self) -> Option<f64> {
        self.tail.take().map(|old| {
            match old.borrow_mut().prev.take().and_then(|p| p.upgrade()) {
                Some(prev) => {
                    prev.borrow_mut().next = None;
                    self.tail = Some(prev);
                }
                None => {
                    self.head.take();
                }
            }
            Rc::try_unwrap(old).ok().expect("nobody else").into_inner().value
        })
    }
    fn pop_front(&mut self) -> Option<f64> {
        self.head.take().map(|old| {
            match old.borrow_mut().next.take() {
                Some(next) => {
                    next.borrow_mut().prev = None;
                    self.head = Some(next);
                }
                None => {
                    self.tail.take();
                }
            }
            Rc::try_unwrap(old).ok().expect("nobody else").into_inner().value
        })
    }
}

pub fn doubly_linked(x: f64) -> f64 {
    let mut d = Deque { head: None, tail: None };
    for i in 0..5 {
        d.push_back(x + i as f64);
    }
    let mut s = d.pop_back().unwrap();
    s = s * 3.0 + d.pop_front().unwrap();
    s = s * 3.0 + d.pop_back().unwrap();
    s = s * 3.0 + d.pop_front().unwrap();
    s = s * 3.0 + d.pop_front().unwrap();
    s + if d.pop_back().is_none() { 0.5 } else { 0.0 }
}

pub fn cyclic(x: f64) -> f64 {
    struct Gadget {
        me: Weak<Gadget>,
        v: f64,
    }
    impl Gadget {
        fn me(&self) -> Rc<Gadget> {
            self.me.upgrade().unwrap()
        }
    }
    let g = Rc::new_cyclic(|me| Gadget { me: me.clone(), v: if me.upgrade().is_none() { x } else { -1.0 } });
    let h = g.me();
    h.v + Rc::strong_count(&g) as f64 * 10.0 + Rc::weak_count(&g) as f64 * 100.0
}

struct Tracked {
    count: Rc<Cell<f64>>,
}

impl Drop for Tracked {
    fn drop(&mut self) {
        self.count.set(self.count.get() + 1.0);
    }
}

pub fn dropped_with_the_last(x: f64) -> f64 {
    let count = Rc::new(Cell::new(0.0));
    let a = Rc::new(Tracked { count: count.clone() });
    let b = a.clone();
    let mut s = count.get();
    drop(a);
    s = s * 10.0 + count.get();
    drop(b);
    s = s * 10.0 + count.get();
    let v: Vec<Rc<Tracked>> = (0..3).map(|_| Rc::new(Tracked { count: count.clone() })).collect();
    let w: Vec<Rc<Tracked>> = v.iter().take(2).cloned().collect();
    drop(v);
    s = s * 10.0 + count.get();
    drop(w);
    s * 10.0 + count.get() + Rc::strong_count(&count) as f64 * 0.125 + x
}

trait Shape {
    fn area(&self) -> f64;
    fn grow(&mut self, _k: f64) {}
}

struct Sq(f64);

impl Shape for Sq {
    fn area(&self) -> f64 {
        self.0 * self.0
    }
    fn grow(&mut self, k: f64) {
        self.0 += k;
    }
}

struct Disc(f64, Rc<Cell<f64>>);

impl Shape for Disc {
    fn area(&self) -> f64 {
        self.1.set(self.1.get() + 1.0);
        3.0 * self.0
    }
}

pub fn shared_objects(x: f64) -> f64 {
    let seen = Rc::new(Cell::new(0.0));
    let d: Rc<dyn Shape> = Rc::new(Disc(x, seen.clone()));
    let shapes: Vec<Rc<dyn Shape>> = vec![Rc::new(Sq(x)), d.clone(), d];
    let s: f64 = shapes.iter().map(|s| s.area()).sum();
    let n = Rc::strong_count(&shapes[1]) as f64;
    drop(shapes);
    s + n * 10.0 + seen.get() * 100.0 + Rc::strong_count(&seen) as f64 * 1000.0
}

pub fn objects_in_cells(x: f64) -> f64 {
    let sq = Rc::new(RefCell::new(Sq(x)));
    let shapes: Vec<Rc<RefCell<dyn Shape>>> = vec![sq.clone(), Rc::new(RefCell::new(Disc(x, Rc::new(Cell::new(0.0)))))];
    for s in shapes.iter() {
        s.borrow_mut().grow(1.0);
    }
    sq.borrow_mut().0 += 0.5;
    let total: f64 = shapes.iter().map(|s| s.borrow().area()).sum();
    total + sq.borrow().0 + Rc::strong_count(&sq) as f64 * 100.0
}

pub fn closures_share(x: f64) -> f64 {
    let total = Rc::new(RefCell::new(x));
    let adder = {
        let total = Rc::clone(&total);
        move |v: f64| *total.borrow_mut() += v
    };
    adder(1.0);
    adder(2.0);
    let n = Rc::strong_count(&total) as f64;
    drop(adder);
    let m = Rc::strong_count(&total) as f64;
    let v = *total.borrow();
    v + n * 10.0 + m * 100.0
}

pub fn counted_closures_in_boxes(x: f64) -> f64 {
    let total = Rc::new(Cell::new(x));
    let mut fs: Vec<Box<dyn Fn(f64) -> f64>> = Vec::new();
    for k in 0..3 {
        let total = total.clone();
        fs.push(Box::new(move |v| {
            total.set(total.get() + v * k as f64);
            total.get()
        }));
    }
    let s: f64 = fs.iter().map(|f| f(1.0)).sum();
    let n = Rc::strong_count(&total) as f64;
    fs.pop();
    let m = Rc::strong_count(&total) as f64;
    fs.clear();
    s + n * 10.0 + m * 100.0 + Rc::strong_count(&total) as f64 * 1000.0
}

pub fn once_in_a_box(x: f64) -> f64 {
    let a = Rc::new(x);
    let b = a.clone();
    let f: Box<dyn FnOnce() -> f64> = Box::new(move || *b + 1.0);
    let c = a.clone();
    let g: Box<dyn FnOnce() -> Rc<f64>> = Box::new(move || c);
    let mut s = Rc::strong_count(&a) as f64;
    s = s * 10.0 + f();
    s = s * 10.0 + Rc::strong_count(&a) as f64;
    let d = g();
    s = s * 10.0 + Rc::strong_count(&a) as f64;
    drop(d);
    let e = a.clone();
    let never: Box<dyn FnOnce() -> Rc<f64>> = Box::new(move || e);
    s = s * 10.0 + Rc::strong_count(&a) as f64;
    drop(never);
    s * 10.0 + Rc::strong_count(&a) as f64
}

pub fn atomically_counted(x: f64) -> f64 {
    let a = Arc::new(vec![x, 1.0]);
    let copies: Vec<Arc<Vec<f64>>> = (0..4).map(|_| Arc::clone(&a)).collect();
    let n = Arc::strong_count(&a) as f64;
    drop(copies);
    let v = Arc::try_unwrap(a).unwrap();
    n + v[0]
}

pub fn in_maps(x: f64) -> f64 {
    let a = Rc::new(x);
    let mut m: HashMap<String, Rc<f64>> = HashMap::new();
    m.insert("a".to_string(), a.clone());
    m.insert("b".to_string(), a.clone());
    let mut s = Rc::strong_count(&a) as f64;
    m.insert("a".to_string(), Rc::new(7.0));
    s = s * 10.0 + Rc::strong_count(&a) as f64;
    if let Some(v) = m.remove("b") {
        s = s * 10.0 + Rc::strong_count(&v) as f64;
    }
    s = s * 10.0 + Rc::strong_count(&a) as f64;
    m.entry("c".to_string()).or_insert_with(|| a.clone());
    m.clear();
    s * 10.0 + Rc::strong_count(&a) as f64
}

pub fn in_options(x: f64) -> f64 {
    let a = Rc::new(x);
    let mut o = Some(a.clone());
    let mut s = Rc::strong_count(&a) as f64;
    let b = o.as_ref().map(Rc::clone);
    s = s * 10.0 + Rc::strong_count(&a) as f64;
    let c = o.take();
    o = c.clone();
    s = s * 10.0 + Rc::strong_count(&a) as f64;
    drop((b, c));
    let r: Result<Rc<f64>, ()> = o.ok_or(());
    s = s * 10.0 + Rc::strong_count(&a) as f64;
    let v = r.map(|v| *v + 1.0).unwrap_or(0.0);
    s * 10.0 + Rc::strong_count(&a) as f64 + v
}

pub fn shared_slices(x: f64) -> f64 {
    let a: Rc<[f64]> = Rc::from(vec![x, 2.0, 3.0]);
    let t: Rc<str> = Rc::from("text");
    let u = t.clone();
    let b = a.clone();
    let same = Rc::ptr_eq(&a, &b) && Rc::ptr_eq(&t, &u);
    a.iter().sum::<f64>() + b.len() as f64 + t.len() as f64 + if same { 0.5 } else { 0.0 }
}

pub fn iterated(x: f64) -> f64 {
    let a = Rc::new(x);
    let v = vec![a.clone(); 5];
    let mut s = Rc::strong_count(&a) as f64;
    let half: Vec<Rc<f64>> = v.iter().skip(1).step_by(2).cloned().collect();
    s = s * 10.0 + Rc::strong_count(&a) as f64;
    let n = v.into_iter().filter(|r| **r > 0.0).count() as f64;
    s = s * 10.0 + Rc::strong_count(&a) as f64 + n;
    let pairs: Vec<(usize, Rc<f64>)> = half.into_iter().enumerate().collect();
    s = s * 10.0 + Rc::strong_count(&a) as f64;
    let (l, r): (Vec<_>, Vec<_>) = pairs.into_iter().partition(|(i, _)| *i == 0);
    s = s * 10.0 + Rc::strong_count(&a) as f64 + l.len() as f64;
    drop(l);
    let mut z = r.into_iter().map(|(_, r)| r).chain(std::iter::once(a.clone())).rev();
    z.next();
    s * 10.0 + Rc::strong_count(&a) as f64
}
