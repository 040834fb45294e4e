//! Hash maps whose keys have an equality of their own, looked up by what they borrow as.

use std::borrow::Borrow;
use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

const WORDS: [&str; 6] = ["q", "a", "zz", "m", "c", "k"];

#[derive(Clone, Debug)]
struct Key(String);

impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        self.0 == other.0
    }
}

impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state)
    }
}

impl Borrow<str> for Key {
    fn borrow(&self) -> &str {
        &self.0
    }
}

pub fn own_equality(x: f64) -> f64 {
    let map: HashMap<Key, usize> = WORDS.iter().enumerate().map(|(i, w)| (Key(w.to_string()), i)).collect();
    WORDS.iter().map(|w| map.get(*w).map_or(-100.0, |i| *i as f64 * x)).sum()
}

pub fn sets(x: f64) -> f64 {
    let set: HashSet<Key> = WORDS.iter().map(|w| Key(w.to_string())).collect();
    WORDS.iter().chain(&["n"]).map(|w| set.contains(*w) as u8 as f64 * x).sum()
}

pub fn removed_and_changed(x: f64) -> f64 {
    let mut map: HashMap<Key, usize> = HashMap::new();
    for (i, w) in WORDS.iter().enumerate() {
        map.insert(Key(w.to_string()), i);
    }
    let mut sum = x;
    for w in ["q", "a", "m"] {
        sum += map.remove(w).map_or(-100.0, |i| i as f64);
    }
    if let Some(i) = map.get_mut("zz") {
        *i += 10;
    }
    sum + map.len() as f64 + map["zz"] as f64
}

/// The equality of the borrowed form is the program's, that of the keys is derived.
#[derive(PartialEq, Eq, Hash, Clone, Copy)]
struct Outer(Inner);

#[derive(Clone, Copy)]
struct Inner(u32);

impl PartialEq for Inner {
    fn eq(&self, other: &Inner) -> bool {
        self.0 % 100 == other.0 % 100
    }
}

impl Eq for Inner {}

impl Hash for Inner {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.0 % 100).hash(state)
    }
}

impl Borrow<Inner> for Outer {
    fn borrow(&self) -> &Inner {
        &self.0
    }
}

pub fn derived_over_own(x: f64) -> f64 {
    let map: HashMap<Outer, f64> = (0..50).map(|i| (Outer(Inner(i * 7)), x * f64::from(i))).collect();
    let found = |n: u32| map.get(&Inner(n)).copied().unwrap_or(-1.0);
    found(7) + found(114) + found(1350) + map.len() as f64 + map[&Outer(Inner(349))]
}

/// With owners that are counted an `Rc` is not the value itself.
pub fn shared_keys(x: f64) -> f64 {
    let mut map: HashMap<Rc<String>, usize> = HashMap::new();
    for (i, w) in WORDS.iter().enumerate() {
        map.insert(Rc::new(w.to_string()), i);
    }
    let found: f64 = WORDS.iter().map(|w| map.get(&w.to_string()).map_or(-100.0, |i| *i as f64 * x)).sum();
    let mut owned: Vec<String> = map.into_keys().map(|key| Rc::try_unwrap(key).unwrap()).collect();
    owned.sort();
    found + owned[0].len() as f64
}
