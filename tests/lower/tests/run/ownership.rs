//! Programs about who owns what, as people write them.

use std::cell::{Cell, RefCell};
use std::fmt::Write;
use std::ops::{Deref, DerefMut};
use std::rc::{Rc, Weak};

// Graphs.

#[derive(Debug)]
struct GNode {
    id: usize,
    edges: RefCell<Vec<Weak<GNode>>>,
    seen: Cell<bool>,
}

struct Graph {
    nodes: Vec<Rc<GNode>>,
}

impl Graph {
    fn new(n: usize) -> Graph {
        let node = |id| Rc::new(GNode { id, edges: RefCell::new(Vec::new()), seen: Cell::new(false) });
        Graph { nodes: (0..n).map(node).collect() }
    }
    fn link(&self, a: usize, b: usize) {
        self.nodes[a].edges.borrow_mut().push(Rc::downgrade(&self.nodes[b]));
    }
    fn visit(&self, at: &Rc<GNode>, order: &mut Vec<usize>) {
        if at.seen.replace(true) {
            return;
        }
        order.push(at.id);
        for edge in at.edges.borrow().iter() {
            if let Some(next) = edge.upgrade() {
                self.visit(&next, order);
            }
        }
    }
}

pub fn graph_walk(x: f64) -> f64 {
    let mut g = Graph::new(6);
    for (a, b) in [(0, 1), (1, 2), (2, 0), (0, 3), (3, 4), (4, 5), (5, 3)] {
        g.link(a, b);
    }
    let gone = g.nodes.remove(4);
    let mut order = Vec::new();
    let first = g.nodes[0].clone();
    g.visit(&first, &mut order);
    drop(gone);
    let live = g.nodes[3].edges.borrow().iter().filter(|e| e.upgrade().is_some()).count();
    order.iter().fold(x, |acc, &i| acc * 2.0 + i as f64) + live as f64
}

// Observers.

trait Observer {
    fn notify(&self, v: f64);
}

struct Sum(RefCell<f64>);
struct Max(Cell<f64>);

impl Observer for Sum {
    fn notify(&self, v: f64) {
        *self.0.borrow_mut() += v;
    }
}

impl Observer for Max {
    fn notify(&self, v: f64) {
        if v > self.0.get() {
            self.0.set(v);
        }
    }
}

#[derive(Default)]
struct Subject {
    observers: Vec<Weak<dyn Observer>>,
}

impl Subject {
    fn attach(&mut self, o: &Rc<dyn Observer>) {
        self.observers.push(Rc::downgrade(o));
    }
    fn emit(&mut self, v: f64) -> usize {
        self.observers.retain(|o| o.upgrade().is_some());
        for o in &self.observers {
            if let Some(o) = o.upgrade() {
                o.notify(v);
            }
        }
        self.observers.len()
    }
}

pub fn observers(x: f64) -> f64 {
    let sum = Rc::new(Sum(RefCell::new(0.0)));
    let mut subject = Subject::default();
    let as_dyn: Rc<dyn Observer> = sum.clone();
    subject.attach(&as_dyn);
    let mut n = 0;
    {
        let max: Rc<dyn Observer> = Rc::new(Max(Cell::new(0.0)));
        subject.attach(&max);
        n += subject.emit(x);
        n += subject.emit(2.0);
    }
    n += subject.emit(3.0);
    let s = *sum.0.borrow();
    s + n as f64 * 10.0 + Rc::strong_count(&sum) as f64 * 100.0
}

// Guards of one's own.

struct Timer<'a> {
    log: &'a RefCell<String>,
    name: &'static str,
}

impl<'a> Timer<'a> {
    fn start(log: &'a RefCell<String>, name: &'static str) -> Self {
        write!(log.borrow_mut(), "<{name}").unwrap();
        Timer { log, name }
    }
}

impl Drop for Timer<'_> {
    fn drop(&mut self) {
        write!(self.log.borrow_mut(), "{}>", self.name).unwrap();
    }
}

fn score(s: &str) -> f64 {
    s.bytes().fold(0.0, |acc, b| (acc * 31.0 + b as f64) % 1e9)
}

pub fn scoped_log(x: f64) -> f64 {
    let log = RefCell::new(String::new());
    let _whole = Timer::start(&log, "whole");
    for i in 0..2 {
        let _round = Timer::start(&log, if i == 0 { "first" } else { "second" });
        if x > 5.0 && i == 1 {
            let _deep = Timer::start(&log, "deep");
            break;
        }
    }
    let result = {
        let _inner = Timer::start(&log, "inner");
        x + 1.0
    };
    let text = log.borrow().clone();
    result + score(&text)
}

struct Stamp<T: Clone> {
    value: T,
    undo: Vec<T>,
}

impl<T: Clone> Deref for Stamp<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: Clone> DerefMut for Stamp<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.undo.push(self.value.clone());
        &mut self.value
    }
}

pub fn deref_with_effects(x: f64) -> f64 {
    let mut s = Stamp { value: vec![x], undo: vec![] };
    s.push(1.0);
    s[0] += 2.0;
    let n = s.len();
    s.extend([3.0, 4.0]);
    s.iter().sum::<f64>() + n as f64 * 10.0 + s.undo.len() as f64 * 100.0
}

struct Transaction<'a> {
    account: &'a mut f64,
    before: f64,
    done: bool,
}

impl<'a> Transaction<'a> {
    fn begin(account: &'a mut f64) -> Transaction<'a> {
        let before = *account;
        Transaction { account, before, done: false }
    }
    fn add(&mut self, v: f64) -> &mut Self {
        *self.account += v;
        self
    }
    fn commit(mut self) {
        self.done = true;
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        if !self.done {
            *self.account = self.before;
        }
    }
}

fn transfer(account: &mut f64, v: f64) -> Result<f64, String> {
    let mut t = Transaction::begin(account);
    t.add(v).add(1.0);
    if v < 0.0 {
        return Err(format!("negative {v}"));
    }
    t.commit();
    Ok(*account)
}

pub fn rolled_back(x: f64) -> f64 {
    let mut account = 10.0;
    let a = transfer(&mut account, x).unwrap_or_else(|e| e.len() as f64);
    let b = transfer(&mut account, -3.0).unwrap_or(-100.0);
    {
        let mut t = Transaction::begin(&mut account);
        t.add(50.0);
    }
    a + b + account * 3.0
}

// Lists.

#[derive(Debug)]
enum List {
    Cons(f64, Rc<List>),
    Nil,
}

use List::{Cons, Nil};

impl List {
    fn sum(&self) -> f64 {
        match self {
            Cons(v, rest) => v + rest.sum(),
            Nil => 0.0,
        }
    }
}

pub fn shared_tails(x: f64) -> f64 {
    let a = Rc::new(Cons(x, Rc::new(Cons(10.0, Rc::new(Nil)))));
    let b = Cons(3.0, Rc::clone(&a));
    let n = Rc::strong_count(&a) as f64;
    {
        let c = Cons(4.0, Rc::clone(&a));
        let m = Rc::strong_count(&a) as f64;
        b.sum() + c.sum() + n * 100.0 + m * 1000.0 + Rc::strong_count(&a) as f64
    }
}

struct Chain {
    head: Option<Box<Item>>,
    len: usize,
}

struct Item {
    value: f64,
    next: Option<Box<Item>>,
}

impl Chain {
    fn push(&mut self, value: f64) {
        self.head = Some(Box::new(Item { value, next: self.head.take() }));
        self.len += 1;
    }
    fn append(&mut self, value: f64) {
        let mut at = &mut self.head;
        while let Some(item) = at {
            at = &mut item.next;
        }
        *at = Some(Box::new(Item { value, next: None }));
        self.len += 1;
    }
    fn remove(&mut self, value: f64) -> bool {
        let mut at = &mut self.head;
        loop {
            match at {
                None => return false,
                Some(item) if item.value == value => {
                    *at = item.next.take();
                    self.len -= 1;
                    return true;
                }
                Some(item) => at = &mut item.next,
            }
        }
    }
    fn reverse(&mut self) {
        let mut done = None;
        let mut rest = self.head.take();
        while let Some(mut item) = rest {
            rest = item.next.take();
            item.next = done;
            done = Some(item);
        }
        self.head = done;
    }
    fn peek_mut(&mut self) -> Option<&mut f64> {
        self.head.as_mut().map(|item| &mut item.value)
    }
    fn insert_sorted(&mut self, value: f64) {
        let mut at = &mut self.head;
        while at.as_ref().is_some_and(|item| item.value < value) {
            at = &mut at.as_mut().unwrap().next;
        }
        let rest = at.take();
        *at = Some(Box::new(Item { value, next: rest }));
        self.len += 1;
    }
    fn iter(&self) -> ChainIter<'_> {
        ChainIter { at: self.head.as_deref() }
    }
}

struct ChainIter<'a> {
    at: Option<&'a Item>,
}

impl<'a> Iterator for ChainIter<'a> {
    type Item = &'a f64;
    fn next(&mut self) -> Option<&'a f64> {
        self.at.map(|item| {
            self.at = item.next.as_deref();
            &item.value
        })
    }
}

pub fn chain_of_boxes(x: f64) -> f64 {
    let mut c = Chain { head: None, len: 0 };
    for i in 0..4 {
        c.push(i as f64);
    }
    c.append(x);
    c.append(7.0);
    let removed = c.remove(2.0);
    c.reverse();
    if let Some(v) = c.peek_mut() {
        *v += 0.5;
    }
    let s = c.iter().fold(0.0, |acc, v| acc * 3.0 + v);
    s + c.len as f64 + if removed { 1000.0 } else { 0.0 }
}

pub fn sorted_chain(x: f64) -> f64 {
    let mut c = Chain { head: None, len: 0 };
    for v in [5.0, 1.0, x, 3.0, 4.0] {
        c.insert_sorted(v);
    }
    c.iter().enumerate().map(|(i, v)| v * (i + 1) as f64).sum()
}

// Trees.

#[derive(Default)]
struct Bst {
    root: Option<Box<Branch>>,
}

struct Branch {
    key: f64,
    left: Option<Box<Branch>>,
    right: Option<Box<Branch>>,
}

impl Bst {
    fn insert(&mut self, key: f64) -> bool {
        let mut at = &mut self.root;
        while let Some(b) = at {
            if b.key == key {
                return false;
            }
            at = if key < b.key { &mut b.left } else { &mut b.right };
        }
        *at = Some(Box::new(Branch { key, left: None, right: None }));
        true
    }
    fn pop_min(&mut self) -> Option<f64> {
        fn go(at: &mut Option<Box<Branch>>) -> Option<f64> {
            if at.as_ref()?.left.is_some() {
                go(&mut at.as_mut().unwrap().left)
            } else {
                let b = at.take()?;
                *at = b.right;
                Some(b.key)
            }
        }
        go(&mut self.root)
    }
    fn depth(b: &Option<Box<Branch>>) -> usize {
        b.as_ref().map_or(0, |b| 1 + Bst::depth(&b.left).max(Bst::depth(&b.right)))
    }
}

pub fn search_tree(x: f64) -> f64 {
    let mut t = Bst::default();
    for v in [5.0, 2.0, 8.0, x, 1.0, 9.0, 3.0] {
        t.insert(v);
    }
    let again = t.insert(8.0);
    let mut s = Bst::depth(&t.root) as f64 * 1000.0;
    while let Some(v) = t.pop_min() {
        s = s * 1.5 + v;
        if s > 1e5 {
            break;
        }
    }
    s + if again { 1.0 } else { 0.0 }
}

pub fn nested_results(x: f64) -> f64 {
    fn load(x: f64) -> Result<Rc<Vec<f64>>, Box<dyn std::error::Error>> {
        let n: i32 = format!("{}", x as i32).parse()?;
        if n < 0 {
            return Err("negative".into());
        }
        Ok(Rc::new(vec![n as f64; 2]))
    }
    fn twice(x: f64) -> Result<f64, Box<dyn std::error::Error>> {
        let a = load(x)?;
        let b = Rc::clone(&a);
        let c = load(x - 5.0)?;
        Ok(a.iter().chain(b.iter()).chain(c.iter()).sum::<f64>() + Rc::strong_count(&a) as f64)
    }
    match twice(x) {
        Ok(v) => v,
        Err(e) => e.to_string().len() as f64,
    }
}
