//! Statics that change: each run has its own, so each function here restores what it changed.

use std::cell::{Cell, LazyCell, OnceCell, RefCell};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex, OnceLock, RwLock};

static CALLS: AtomicUsize = AtomicUsize::new(0);
static FLAG: AtomicBool = AtomicBool::new(false);

fn counted(x: f64) -> f64 {
    CALLS.fetch_add(1, Ordering::SeqCst);
    x + 1.0
}

pub fn atomics(x: f64) -> f64 {
    let before = CALLS.swap(0, Ordering::SeqCst);
    let s = counted(x) + counted(2.0);
    let was = FLAG.swap(true, Ordering::Relaxed);
    let n = CALLS.load(Ordering::SeqCst);
    CALLS.store(before, Ordering::SeqCst);
    FLAG.store(was, Ordering::SeqCst);
    s + n as f64 * 10.0 + if was { 0.5 } else { 0.0 }
}

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    static LOG: RefCell<Vec<f64>> = RefCell::new(Vec::new());
}

fn descend(x: f64, n: u32) -> f64 {
    DEPTH.with(|d| d.set(d.get() + 1));
    LOG.with(|l| l.borrow_mut().push(x));
    let r = if n == 0 { x } else { descend(x * 0.5, n - 1) };
    DEPTH.set(DEPTH.get() - 1);
    r + DEPTH.get() as f64
}

pub fn thread_locals(x: f64) -> f64 {
    let r = descend(x, 3);
    let n = LOG.with_borrow(|l| l.len()) as f64;
    let all = LOG.take();
    r + n * 10.0 + all.iter().sum::<f64>()
}

static CACHE: Mutex<Vec<f64>> = Mutex::new(Vec::new());
static NAMES: RwLock<Vec<&'static str>> = RwLock::new(Vec::new());

pub fn locked_statics(x: f64) -> f64 {
    CACHE.lock().unwrap().push(x);
    CACHE.lock().unwrap().push(2.0);
    NAMES.write().unwrap().push("a");
    let s: f64 = CACHE.lock().unwrap().iter().sum();
    let n = NAMES.read().unwrap().len() as f64;
    CACHE.lock().unwrap().clear();
    NAMES.write().unwrap().clear();
    s + n
}

static LIMITS: OnceLock<Vec<f64>> = OnceLock::new();
static SQUARES: LazyLock<HashMap<u32, f64>> = LazyLock::new(|| (0..10).map(|i| (i, (i * i) as f64)).collect());

pub fn set_once(x: f64) -> f64 {
    let l = LIMITS.get_or_init(|| vec![1.0, 2.0]);
    let again = LIMITS.set(vec![9.0]).is_err();
    l.iter().sum::<f64>() + SQUARES[&7] + x + if again { 0.5 } else { 0.0 }
}

static NEXT: AtomicI64 = AtomicI64::new(1);

struct Ticket(i64);

impl Ticket {
    fn new() -> Ticket {
        Ticket(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        NEXT.fetch_sub(1, Ordering::Relaxed);
    }
}

pub fn tickets(x: f64) -> f64 {
    let a = Ticket::new();
    let b = Ticket::new();
    let s = (b.0 - a.0) as f64;
    drop(b);
    let c = Ticket::new();
    s * 10.0 + (c.0 - a.0) as f64 + x
}

pub fn lazy_once(x: f64) -> f64 {
    let n = Cell::new(0.0);
    let l = LazyCell::new(|| {
        n.set(n.get() + 1.0);
        x * 2.0
    });
    let before = n.get();
    let s = *l + *l;
    let o: OnceCell<Vec<f64>> = OnceCell::new();
    o.get_or_init(|| vec![x]);
    s + n.get() * 10.0 + before * 100.0 + o.into_inner().map_or(0.0, |v| v[0])
}
