//! Programs that lend, hand on and share values, as people write them.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BinaryHeap, HashMap, VecDeque};
use std::fmt::Write;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

fn score(s: &str) -> f64 {
    s.bytes().fold(0.0, |acc, b| (acc * 31.0 + b as f64) % 1e9)
}

// References held and passed on.

fn longest<'a>(a: &'a mut Vec<f64>, b: &'a mut Vec<f64>) -> &'a mut Vec<f64> {
    if a.len() >= b.len() { a } else { b }
}

pub fn chosen_reference(x: f64) -> f64 {
    let mut a = vec![1.0, 2.0];
    let mut b = vec![x];
    longest(&mut a, &mut b).push(9.0);
    b.extend_from_slice(&[4.0, 5.0, 6.0]);
    let l = longest(&mut a, &mut b);
    l[0] += 1.0;
    l.truncate(2);
    a.iter().sum::<f64>() * 10.0 + b.iter().sum::<f64>()
}

struct Cursor<'a> {
    text: &'a mut Vec<f64>,
    at: usize,
}

impl<'a> Cursor<'a> {
    fn current(&mut self) -> Option<&mut f64> {
        self.text.get_mut(self.at)
    }
    fn step(&mut self) -> &mut Self {
        self.at += 1;
        self
    }
    fn into_rest(self) -> &'a mut [f64] {
        &mut self.text[self.at..]
    }
}

pub fn cursors(x: f64) -> f64 {
    let mut v = vec![x, 1.0, 2.0, 3.0];
    let mut c = Cursor { text: &mut v, at: 0 };
    *c.current().unwrap() += 1.0;
    if let Some(w) = c.step().step().current() {
        *w *= 10.0;
    }
    let rest = c.into_rest();
    rest[1] -= 1.0;
    rest.swap(0, 1);
    v.iter().fold(0.0, |a, b| a * 3.0 + b)
}

pub fn optional_references(x: f64) -> f64 {
    let mut a = Some(x);
    let mut slot: Option<&mut f64> = a.as_mut();
    if let Some(v) = slot.as_mut() {
        **v += 1.0;
    }
    if let Some(v) = slot.as_deref_mut() {
        *v *= 2.0;
    }
    let taken = slot.take().map(|v| {
        *v += 0.5;
        *v
    });
    let mut b: Option<Box<Vec<f64>>> = Some(Box::new(vec![1.0]));
    if let Some(v) = b.as_deref_mut() {
        v.push(2.0);
    }
    let n = b.as_deref().map_or(0, |v| v.len());
    a.unwrap() + taken.unwrap_or(0.0) + n as f64 * 100.0
}

pub fn split_and_merge(x: f64) -> f64 {
    let mut v = vec![x, 2.0, 3.0, 4.0, 5.0];
    {
        let (l, r) = v.split_at_mut(2);
        l[0] += r[0];
        r[1] += l[1];
        std::mem::swap(&mut l[1], &mut r[2]);
        let (first, rest) = r.split_first_mut().unwrap();
        *first += rest[0];
    }
    if let [a, .., z] = &mut v[..] {
        std::mem::swap(a, z);
    }
    for pair in v.chunks_mut(2) {
        pair[0] += 0.25;
    }
    v.iter().fold(0.0, |a, b| a * 2.0 + b)
}

struct World {
    bodies: Vec<Body>,
    total: f64,
}

struct Body {
    pos: [f64; 2],
    vel: [f64; 2],
    tags: Vec<String>,
}

fn kick(pos: &mut [f64; 2], vel: &[f64; 2], dt: f64) {
    for (p, v) in pos.iter_mut().zip(vel) {
        *p += v * dt;
    }
}

pub fn disjoint_fields(x: f64) -> f64 {
    let body = |k: f64| Body { pos: [k, 0.0], vel: [1.0, k], tags: vec![] };
    let mut w = World { bodies: vec![body(x), body(2.0)], total: 0.0 };
    let World { bodies, total } = &mut w;
    for b in bodies.iter_mut() {
        let Body { pos, vel, tags } = b;
        kick(pos, vel, 0.5);
        vel[0] = -vel[0];
        tags.push(format!("{:.1}", pos[0]));
        *total += pos[1];
    }
    let t = &mut w.bodies[1].tags;
    t.push("x".to_string());
    let all: usize = w.bodies.iter().map(|b| b.tags.iter().map(|t| t.len()).sum::<usize>()).sum();
    w.total + all as f64 + w.bodies[0].vel[0]
}

// Iterators lent and resumed.

pub fn lent_iterators(x: f64) -> f64 {
    let v = vec![x, 2.0, 3.0, 4.0, 5.0, 6.0];
    let mut it = v.iter();
    let head: f64 = it.by_ref().take(2).sum();
    let skipped = it.next().copied().unwrap_or(0.0);
    let mut rest = it.peekable();
    let peeked = rest.peek().map_or(0.0, |v| **v);
    let mut tail = 0.0;
    while let Some(v) = rest.next_if(|v| **v < 6.0) {
        tail += v;
    }
    head + skipped * 10.0 + peeked * 100.0 + tail + rest.count() as f64 * 1000.0
}

fn sum_first(it: &mut dyn Iterator<Item = f64>, n: usize) -> f64 {
    let mut s = 0.0;
    for _ in 0..n {
        s += it.next().unwrap_or(-1.0);
    }
    s
}

pub fn iterators_by_dyn(x: f64) -> f64 {
    let mut it = (0..10).map(|i| i as f64 + x).filter(|v| *v != 3.0);
    let a = sum_first(&mut it, 3);
    let b = sum_first(&mut it, 2);
    let mut boxed: Box<dyn Iterator<Item = f64>> = if x > 0.0 { Box::new(it) } else { Box::new(it.rev()) };
    a + b * 10.0 + boxed.next().unwrap_or(0.5) * 100.0 + boxed.count() as f64
}

// Writers, states, closures.

fn render<W: Write>(mut w: W, x: f64) -> std::fmt::Result {
    write!(w, "{x:.2}|")?;
    writeln!(w, "{:>5}", x as i64)?;
    Ok(())
}

pub fn writers(x: f64) -> f64 {
    let mut s = String::new();
    render(&mut s, x).unwrap();
    render(&mut s, x + 1.0).unwrap();
    s.push('!');
    score(&s)
}

pub fn bytes_written(x: f64) -> f64 {
    use std::io::Write;
    fn put<W: Write>(mut w: W, x: f64) -> std::io::Result<()> {
        writeln!(w, "{x:.1}")?;
        w.write_all(b"ab")
    }
    let mut out: Vec<u8> = Vec::new();
    put(&mut out, x).unwrap();
    put(&mut out, 2.0).unwrap();
    out.iter().map(|b| *b as f64).sum::<f64>() + out.len() as f64 * 1000.0
}

enum State {
    Idle,
    Running { done: Vec<f64>, left: usize },
    Finished(Vec<f64>),
}

impl State {
    fn step(self, x: f64) -> State {
        match self {
            State::Idle => State::Running { done: vec![], left: 3 },
            State::Running { mut done, left: 0 } => {
                done.push(-1.0);
                State::Finished(done)
            }
            State::Running { mut done, left } => {
                done.push(x * left as f64);
                State::Running { done, left: left - 1 }
            }
            done @ State::Finished(_) => done,
        }
    }
}

pub fn state_machine(x: f64) -> f64 {
    let mut s = State::Idle;
    for _ in 0..7 {
        s = s.step(x);
    }
    struct Machine {
        state: State,
    }
    let mut m = Machine { state: State::Idle };
    for _ in 0..3 {
        m.state = std::mem::replace(&mut m.state, State::Idle).step(x + 1.0);
    }
    let n = match &m.state {
        State::Running { done, left } => done.len() as f64 + *left as f64 * 10.0,
        _ => -1.0,
    };
    match s {
        State::Finished(v) => v.iter().fold(n, |a, b| a * 2.0 + b),
        _ => 0.0,
    }
}

struct Bus {
    handlers: HashMap<String, Vec<Box<dyn FnMut(f64) -> f64>>>,
}

impl Bus {
    fn on(&mut self, name: &str, f: impl FnMut(f64) -> f64 + 'static) {
        self.handlers.entry(name.to_string()).or_default().push(Box::new(f));
    }
    fn fire(&mut self, name: &str, v: f64) -> f64 {
        let Some(list) = self.handlers.get_mut(name) else { return -1.0 };
        list.iter_mut().map(|f| f(v)).sum()
    }
}

pub fn event_bus(x: f64) -> f64 {
    let total = Rc::new(Cell::new(0.0));
    let mut bus = Bus { handlers: HashMap::new() };
    let t = total.clone();
    bus.on("add", move |v| {
        t.set(t.get() + v);
        t.get()
    });
    let mut calls = 0.0;
    bus.on("add", move |v| {
        calls += 1.0;
        v * calls
    });
    let a = bus.fire("add", x);
    let b = bus.fire("add", 2.0);
    let c = bus.fire("none", 2.0);
    let n = Rc::strong_count(&total) as f64;
    drop(bus);
    a + b * 10.0 + c + total.get() + n * 100.0 + Rc::strong_count(&total) as f64 * 1000.0
}

fn normalise(v: Cow<'_, [f64]>) -> Cow<'_, [f64]> {
    if v.iter().any(|x| *x < 0.0) {
        let mut owned = v.into_owned();
        owned.iter_mut().for_each(|x| *x = x.abs());
        Cow::Owned(owned)
    } else {
        v
    }
}

pub fn copied_on_write(x: f64) -> f64 {
    let data = vec![x, 1.0, 2.0];
    let a = normalise(Cow::Borrowed(&data));
    let owned = matches!(a, Cow::Owned(_));
    let mut b = Cow::Borrowed(&data[1..]);
    b.to_mut().push(5.0);
    a.iter().sum::<f64>() + b.len() as f64 * 10.0 + data.len() as f64 * 100.0 + if owned { 0.5 } else { 0.0 }
}

pub fn entries(x: f64) -> f64 {
    let mut m: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for (i, w) in "a b a c b a".split(' ').enumerate() {
        m.entry(w.to_string()).or_insert_with(Vec::new).push(x + i as f64);
    }
    m.entry("a".into()).and_modify(|v| v.clear()).or_default();
    let total: f64 = m.values().flatten().sum();
    if let Some(v) = m.get_mut("c") {
        let old = std::mem::take(v);
        v.extend(old.iter().map(|x| x * 2.0));
    }
    let (k, v) = m.pop_last().unwrap();
    total + v[0] * 10.0 + k.len() as f64 + m.len() as f64 * 100.0
}

pub fn arena_indices(x: f64) -> f64 {
    struct Node {
        value: f64,
        children: Vec<usize>,
    }
    struct Arena {
        nodes: Vec<Node>,
    }
    impl Arena {
        fn add(&mut self, value: f64) -> usize {
            self.nodes.push(Node { value, children: vec![] });
            self.nodes.len() - 1
        }
        fn sum(&self, at: usize) -> f64 {
            let n = &self.nodes[at];
            n.value + n.children.iter().map(|&c| self.sum(c)).sum::<f64>()
        }
        fn bump(&mut self, at: usize) {
            self.nodes[at].value += 1.0;
            for c in self.nodes[at].children.clone() {
                self.bump(c);
            }
        }
    }
    let mut a = Arena { nodes: vec![] };
    let root = a.add(x);
    let kids: Vec<usize> = (0..3).map(|i| a.add(i as f64)).collect();
    a.nodes[root].children = kids;
    let leaf = a.add(5.0);
    a.nodes[1].children.push(leaf);
    a.bump(root);
    a.sum(root)
}

#[derive(Clone, Debug, PartialEq)]
struct Doc {
    lines: Rc<Vec<String>>,
    version: u32,
}

impl Doc {
    fn edit(&mut self, f: impl FnOnce(&mut Vec<String>)) {
        f(Rc::make_mut(&mut self.lines));
        self.version += 1;
    }
}

pub fn persistent_documents(x: f64) -> f64 {
    let mut doc = Doc { lines: Rc::new(vec!["one".into()]), version: 0 };
    let mut history = vec![doc.clone()];
    for i in 0..3 {
        doc.edit(|l| l.push(format!("{}", x + i as f64)));
        history.push(doc.clone());
    }
    let shared = Rc::ptr_eq(&doc.lines, &history[3].lines);
    let apart = Rc::ptr_eq(&doc.lines, &history[2].lines);
    let n: usize = history.iter().map(|d| d.lines.len()).sum();
    n as f64 + doc.version as f64 * 100.0 + if shared { 0.5 } else { 0.0 } + if apart { 0.25 } else { 0.0 }
}

pub fn priority_of_shared(x: f64) -> f64 {
    #[derive(PartialEq, Eq, PartialOrd, Ord)]
    struct Job(i64, Rc<String>);
    let name = Rc::new("job".to_string());
    let mut heap = BinaryHeap::new();
    for p in [3, 1, x as i64, 2] {
        heap.push(Job(p, name.clone()));
    }
    let n = Rc::strong_count(&name) as f64;
    let top = heap.pop().unwrap();
    let m = Rc::strong_count(&name) as f64;
    let second = heap.peek().map_or(0, |j| j.0);
    drop(heap);
    top.0 as f64 * 100.0 + second as f64 * 10.0 + n + m * 0.5 + Rc::strong_count(&name) as f64 * 0.125
}

struct Pool {
    free: RefCell<Vec<Vec<f64>>>,
    made: Cell<usize>,
}

struct Lease<'p> {
    buffer: Option<Vec<f64>>,
    pool: &'p Pool,
}

impl Pool {
    fn get(&self) -> Lease<'_> {
        let buffer = self.free.borrow_mut().pop().unwrap_or_else(|| {
            self.made.set(self.made.get() + 1);
            Vec::new()
        });
        Lease { buffer: Some(buffer), pool: self }
    }
}

impl Deref for Lease<'_> {
    type Target = Vec<f64>;
    fn deref(&self) -> &Vec<f64> {
        self.buffer.as_ref().unwrap()
    }
}

impl DerefMut for Lease<'_> {
    fn deref_mut(&mut self) -> &mut Vec<f64> {
        self.buffer.as_mut().unwrap()
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        if let Some(mut b) = self.buffer.take() {
            b.clear();
            self.pool.free.borrow_mut().push(b);
        }
    }
}

pub fn object_pool(x: f64) -> f64 {
    let pool = Pool { free: RefCell::new(vec![]), made: Cell::new(0) };
    let mut total = 0.0;
    for i in 0..4 {
        let mut a = pool.get();
        a.push(x);
        a.push(i as f64);
        if i % 2 == 0 {
            let mut b = pool.get();
            b.extend(a.iter().map(|v| v * 2.0));
            total += b.iter().sum::<f64>();
        }
        total += a.len() as f64;
    }
    total + pool.made.get() as f64 * 100.0 + pool.free.borrow().len() as f64 * 1000.0
}

pub fn queue_of_tasks(x: f64) -> f64 {
    type Task = Box<dyn FnOnce(&mut f64) -> Option<Box<dyn FnOnce(&mut f64) -> Option<f64>>>>;
    let mut q: VecDeque<Task> = VecDeque::new();
    let log = Rc::new(RefCell::new(Vec::new()));
    for i in 0..3 {
        let log = Rc::clone(&log);
        q.push_back(Box::new(move |acc| {
            *acc += i as f64;
            log.borrow_mut().push(*acc);
            if i == 1 { None } else { Some(Box::new(move |acc| Some(*acc * i as f64))) }
        }));
    }
    let mut acc = x;
    let mut s = 0.0;
    while let Some(task) = q.pop_front() {
        if let Some(next) = task(&mut acc) {
            s += next(&mut acc).unwrap_or(0.0);
        }
    }
    s + log.borrow().iter().sum::<f64>() + Rc::strong_count(&log) as f64 * 100.0
}

pub fn interned(x: f64) -> f64 {
    struct Interner {
        known: HashMap<Rc<str>, usize>,
        names: Vec<Rc<str>>,
    }
    impl Interner {
        fn intern(&mut self, name: &str) -> usize {
            if let Some(&id) = self.known.get(name) {
                return id;
            }
            let id = self.names.len();
            let name: Rc<str> = Rc::from(name);
            self.known.insert(name.clone(), id);
            self.names.push(name);
            id
        }
    }
    let mut t = Interner { known: HashMap::new(), names: vec![] };
    let ids: Vec<usize> = ["a", "b", "a", "c", "b"].iter().map(|n| t.intern(n)).collect();
    let n = Rc::strong_count(&t.names[0]);
    ids.iter().fold(x, |acc, &i| acc * 3.0 + i as f64) + n as f64 * 0.25
}
