//! Copies that are their own, keys that decide themselves, types at run time.

use std::any::{Any, TypeId};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::{Mutex, RwLock};

pub fn cloned_counter(x: f64) -> f64 {
    let mut n = x;
    let mut a = move || {
        n += 1.0;
        n
    };
    a();
    let mut b = a.clone();
    let p = a() + a();
    let q = b();
    p * 10.0 + q
}

pub fn cloned_generator(x: f64) -> f64 {
    fn counter(mut v: Vec<f64>) -> impl FnMut() -> Option<f64> + Clone {
        move || v.pop()
    }
    let mut a = counter(vec![x, 2.0, 3.0]);
    a();
    let mut b = a.clone();
    let s = a().unwrap() + a().unwrap();
    s * 10.0 + b().unwrap() + if a().is_none() { 0.5 } else { 0.0 }
}

pub fn cloned_tuples(x: f64) -> f64 {
    let a = (Cell::new(x), RefCell::new(vec![1.0]), Rc::new(Cell::new(2.0)));
    let b = a.clone();
    a.0.set(5.0);
    a.1.borrow_mut().push(7.0);
    a.2.set(3.0);
    let n = b.1.borrow().len() as f64;
    b.0.get() * 100.0 + n * 10.0 + b.2.get()
}

struct Caseless(String);

impl PartialEq for Caseless {
    fn eq(&self, other: &Caseless) -> bool {
        self.0.to_lowercase() == other.0.to_lowercase()
    }
}

impl Eq for Caseless {}

impl Hash for Caseless {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_lowercase().hash(state)
    }
}

pub fn own_equality(x: f64) -> f64 {
    let mut m: HashMap<Caseless, f64> = HashMap::new();
    m.insert(Caseless("One".to_string()), 1.0);
    m.insert(Caseless("TWO".to_string()), 2.0);
    let old = m.insert(Caseless("ONE".to_string()), x);
    let found = m.get(&Caseless("two".to_string())).copied().unwrap_or(-1.0);
    *m.entry(Caseless("one".to_string())).or_insert(50.0) += 0.5;
    let mut s: HashSet<Caseless> = HashSet::new();
    for w in ["a", "A", "b", "B", "c"] {
        s.insert(Caseless(w.to_string()));
    }
    let sum: f64 = m.values().sum();
    m.len() as f64 * 100.0 + s.len() as f64 * 10.0 + found + old.unwrap_or(0.0) + sum
}

#[derive(Clone, Copy)]
struct Mod7(i64);

impl PartialEq for Mod7 {
    fn eq(&self, other: &Mod7) -> bool {
        self.0.rem_euclid(7) == other.0.rem_euclid(7)
    }
}

impl Eq for Mod7 {}

impl Hash for Mod7 {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.rem_euclid(7).hash(state)
    }
}

#[derive(PartialEq, Eq, Hash, Clone)]
struct Wrapped {
    key: Mod7,
    name: &'static str,
}

pub fn equality_inside_derived(x: f64) -> f64 {
    let mut m: HashMap<Wrapped, i64> = HashMap::new();
    for i in 0..30 {
        *m.entry(Wrapped { key: Mod7(i), name: if i % 2 == 0 { "a" } else { "b" } }).or_insert(0) += i;
    }
    let n = m.len() as f64;
    let v = m[&Wrapped { key: Mod7(70), name: "a" }] as f64;
    let gone = m.remove(&Wrapped { key: Mod7(8), name: "b" }).unwrap_or(-1) as f64;
    let t: HashSet<(Mod7, bool)> = (0..20).map(|i| (Mod7(i), i > 9)).collect();
    n * 1000.0 + v * 10.0 + gone + m.len() as f64 + t.len() as f64 + x
}

struct Backwards(f64);

impl PartialEq for Backwards {
    fn eq(&self, other: &Backwards) -> bool {
        self.0 == other.0
    }
}
impl Eq for Backwards {}
impl PartialOrd for Backwards {
    fn partial_cmp(&self, other: &Backwards) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Backwards {
    fn cmp(&self, other: &Backwards) -> std::cmp::Ordering {
        other.0.partial_cmp(&self.0).unwrap()
    }
}

pub fn own_order(x: f64) -> f64 {
    let mut m = BTreeMap::new();
    for i in 0..5 {
        m.insert(Backwards(i as f64), i as f64 * 2.0);
    }
    m.insert(Backwards(x), 100.0);
    m.iter().fold(0.0, |acc, (k, v)| acc * 3.0 + k.0 + v)
}

#[derive(Debug, PartialEq)]
struct Named(f64);

fn describe(v: &dyn Any) -> f64 {
    if let Some(n) = v.downcast_ref::<f64>() {
        *n
    } else if let Some(n) = v.downcast_ref::<Named>() {
        n.0 * 10.0
    } else if v.is::<String>() {
        v.downcast_ref::<String>().unwrap().len() as f64
    } else {
        -1.0
    }
}

pub fn downcast_ref(x: f64) -> f64 {
    let vs: Vec<Box<dyn Any>> =
        vec![Box::new(x), Box::new(Named(2.0)), Box::new("four".to_string()), Box::new(3_i32)];
    vs.iter().fold(0.0, |acc, v| acc * 2.0 + describe(v.as_ref())) + describe(&x)
}

pub fn downcast_mut(x: f64) -> f64 {
    let mut v: Box<dyn Any> = Box::new(Named(x));
    if let Some(n) = v.downcast_mut::<Named>() {
        n.0 += 1.0;
    }
    if let Some(n) = v.downcast_mut::<f64>() {
        *n = 50.0;
    }
    let mut local = 5.0_f64;
    {
        let r: &mut dyn Any = &mut local;
        *r.downcast_mut::<f64>().unwrap() += x;
    }
    let owned = match v.downcast::<Named>() {
        Ok(n) => n.0,
        Err(_) => -1.0,
    };
    let w: Box<dyn Any> = Box::new(1_u8);
    let refused = w.downcast::<Named>().is_err();
    owned * 10.0 + local + if refused { 0.5 } else { 0.0 }
}

trait Component: Any {
    fn value(&self) -> f64;
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

impl Component for Named {
    fn value(&self) -> f64 {
        self.0
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

struct Other(Vec<f64>);

impl Component for Other {
    fn value(&self) -> f64 {
        self.0.len() as f64
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

pub fn components(x: f64) -> f64 {
    let mut cs: Vec<Box<dyn Component>> = vec![Box::new(Named(x)), Box::new(Other(vec![x]))];
    for c in cs.iter_mut() {
        if let Some(o) = c.as_any_mut().downcast_mut::<Other>() {
            o.0.push(1.0);
        }
        if let Some(n) = c.as_any_mut().downcast_mut::<Named>() {
            n.0 += 2.0;
        }
    }
    let named: f64 = cs.iter().filter_map(|c| c.as_any().downcast_ref::<Named>()).map(|n| n.0).sum();
    named * 10.0 + cs.iter().map(|c| c.value()).sum::<f64>()
}

pub fn type_ids(x: f64) -> f64 {
    struct A;
    fn inner() -> TypeId {
        struct A;
        TypeId::of::<A>()
    }
    let mut s = 0.0;
    s += if TypeId::of::<f64>() == TypeId::of::<f64>() { 1.0 } else { 0.0 };
    s += if TypeId::of::<A>() == inner() { 2.0 } else { 0.0 };
    s += if TypeId::of::<Vec<A>>() == TypeId::of::<Vec<f64>>() { 4.0 } else { 0.0 };
    s + x
}

pub fn locks(x: f64) -> f64 {
    let m = Mutex::new(x);
    let mut s = 0.0;
    {
        let mut g = m.lock().unwrap();
        *g += 1.0;
        s += if m.try_lock().is_err() { 1.0 } else { 0.0 };
    }
    s += if m.try_lock().is_ok() { 2.0 } else { 0.0 };
    *m.lock().unwrap() *= 2.0;
    let l = RwLock::new(vec![x]);
    {
        let a = l.read().unwrap();
        let b = l.read().unwrap();
        s += a[0] + b[0] + if l.try_write().is_err() { 4.0 } else { 0.0 };
    }
    l.write().unwrap().push(3.0);
    s + m.into_inner().unwrap() + l.read().unwrap().len() as f64
}

struct Tape {
    name: &'static str,
    ops: std::cell::RefCell<Vec<f64>>,
}

#[derive(Clone, Copy)]
struct Entry<'a> {
    on: Option<&'a Tape>,
    at: usize,
}

fn on_one_tape(a: Entry<'_>, b: Entry<'_>) -> bool {
    matches!((a.on, b.on), (Some(a), Some(b)) if std::ptr::eq(a, b))
}

/// The tapes are equal, and only the cells in them tell which is which.
pub fn one_place_by_its_cells(x: f64) -> f64 {
    let tape = || Tape { name: "t", ops: std::cell::RefCell::new(vec![x]) };
    let (first, second) = (tape(), tape());
    let entry = |on| Entry { on: Some(on), at: 0 };
    let (a, b, c) = (entry(&first), entry(&first), entry(&second));
    let same = on_one_tape(a, b) as u8 + 2 * on_one_tape(a, c) as u8 + 4 * on_one_tape(c, c) as u8;
    x * f64::from(same) + first.ops.borrow()[a.at] + second.name.len() as f64
}
