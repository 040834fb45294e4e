//! Cells that watch who looks at them.

use std::cell::{Cell, OnceCell, Ref, RefCell, RefMut};

pub fn guards_are_given_back(x: f64) -> f64 {
    let c = RefCell::new(vec![x, 2.0]);
    c.borrow_mut().push(3.0);
    let n = c.borrow().len() as f64;
    {
        let mut held = c.borrow_mut();
        held[0] += 1.0;
        held.push(n);
    }
    let s: f64 = c.borrow().iter().sum();
    s + c.borrow()[0]
}

pub fn tried_while_held(x: f64) -> f64 {
    let c = RefCell::new(x);
    let mut seen = 0.0;
    {
        let _a = c.borrow();
        let _b = c.borrow();
        seen += if c.try_borrow().is_ok() { 1.0 } else { 0.0 };
        seen += if c.try_borrow_mut().is_ok() { 2.0 } else { 0.0 };
    }
    {
        let mut a = c.borrow_mut();
        *a += 1.0;
        seen += if c.try_borrow().is_ok() { 4.0 } else { 0.0 };
        seen += if c.try_borrow_mut().is_ok() { 8.0 } else { 0.0 };
    }
    seen += if c.try_borrow_mut().is_ok() { 16.0 } else { 0.0 };
    let held = c.borrow_mut();
    drop(held);
    seen += if let Ok(mut v) = c.try_borrow_mut() { *v += 1.0; 32.0 } else { 0.0 };
    seen + *c.borrow()
}

pub fn guards_in_conditions(x: f64) -> f64 {
    let c = RefCell::new(vec![1.0, 2.0, 3.0]);
    if c.borrow().len() > 2 {
        c.borrow_mut().push(x);
    }
    while c.borrow().len() < 6 {
        let last = *c.borrow().last().unwrap();
        c.borrow_mut().push(last * 2.0);
    }
    let first = c.borrow().first().copied();
    if let Some(v) = first {
        c.borrow_mut()[0] = v + 1.0;
    }
    let mut total = 0.0;
    for v in c.borrow().iter() {
        total += v;
        if c.try_borrow_mut().is_ok() {
            total += 1000.0;
        }
    }
    c.borrow_mut().clear();
    total
}

pub fn guard_lives_through_match(x: f64) -> f64 {
    let c = RefCell::new(Some(x));
    let r = match *c.borrow() {
        Some(v) => {
            if c.try_borrow_mut().is_ok() { v } else { v + 100.0 }
        }
        None => 0.0,
    };
    r + if c.try_borrow_mut().is_ok() { 1.0 } else { 0.0 }
}

fn part(c: &RefCell<(f64, Vec<f64>)>) -> Ref<'_, Vec<f64>> {
    Ref::map(c.borrow(), |p| &p.1)
}

fn part_mut(c: &RefCell<(f64, Vec<f64>)>) -> RefMut<'_, f64> {
    RefMut::map(c.borrow_mut(), |p| &mut p.0)
}

pub fn mapped_guards(x: f64) -> f64 {
    let c = RefCell::new((x, vec![1.0, 2.0]));
    *part_mut(&c) += 3.0;
    let n = {
        let p = part(&c);
        let q = Ref::clone(&p);
        p.len() as f64 + q[1] + if c.try_borrow_mut().is_err() { 10.0 } else { 0.0 }
    };
    let r = c.borrow().0 + n;
    c.borrow_mut().1.push(r);
    let s = part(&c).iter().sum::<f64>();
    s
}

pub fn guards_in_structs(x: f64) -> f64 {
    struct View<'a> {
        of: Ref<'a, Vec<f64>>,
        k: f64,
    }
    let c = RefCell::new(vec![x, x + 1.0]);
    let v = View { of: c.borrow(), k: 2.0 };
    let held = c.try_borrow_mut().is_err();
    let View { of, k } = v;
    let s = of.iter().sum::<f64>() * k;
    drop(of);
    c.borrow_mut().push(s);
    let n = c.borrow().len() as f64;
    n + s + if held { 0.5 } else { 0.0 }
}

fn early(c: &RefCell<f64>, x: f64) -> Option<f64> {
    let held = c.borrow_mut();
    if x < 0.0 {
        return None;
    }
    let v = if x > 100.0 { None } else { Some(*held) }?;
    Some(v + 1.0)
}

pub fn given_back_on_early_return(x: f64) -> f64 {
    let c = RefCell::new(x);
    let r = early(&c, x).unwrap_or(-1.0);
    *c.borrow_mut() += 1.0;
    let v = *c.borrow();
    r + v
}

pub fn replaced_and_taken(x: f64) -> f64 {
    let c = RefCell::new(vec![x]);
    let old = c.replace(vec![1.0, 2.0]);
    let d = RefCell::new(vec![9.0]);
    c.swap(&d);
    let t = d.take();
    let r = c.replace_with(|v| vec![v[0] + 1.0]);
    let e = c.clone();
    e.borrow_mut().push(4.0);
    old[0] + t[1] + r[0] + c.into_inner().len() as f64 + e.borrow().len() as f64 * 10.0
}

pub fn equal_and_shown(x: f64) -> f64 {
    let a = RefCell::new(x as i64);
    let b = RefCell::new(x as i64);
    let mut s = format!("{:?}", a);
    let same = a == b;
    {
        let _g = a.borrow_mut();
        s += &format!("{:?}", a);
        s += &format!("{}", a.try_borrow().is_err());
    }
    s.len() as f64 + if same { 0.5 } else { 0.0 }
}

pub fn once(x: f64) -> f64 {
    let c: OnceCell<f64> = OnceCell::new();
    let none = c.get().is_none();
    let a = *c.get_or_init(|| x + 1.0);
    let b = *c.get_or_init(|| x + 2.0);
    let again = c.set(7.0).is_err();
    a + b + if none { 0.5 } else { 0.0 } + if again { 0.25 } else { 0.0 }
}

struct Memo {
    seen: RefCell<Vec<Option<f64>>>,
    calls: Cell<u32>,
}

impl Memo {
    fn fib(&self, n: usize) -> f64 {
        if let Some(v) = self.seen.borrow()[n] {
            return v;
        }
        self.calls.set(self.calls.get() + 1);
        let v = if n < 2 { n as f64 } else { self.fib(n - 1) + self.fib(n - 2) };
        self.seen.borrow_mut()[n] = Some(v);
        v
    }
}

pub fn memo_in_a_cell(x: f64) -> f64 {
    let m = Memo { seen: RefCell::new(vec![None; 21]), calls: Cell::new(0) };
    m.fib(20) + m.calls.get() as f64 + x
}

pub fn nested_cells(x: f64) -> f64 {
    let c = RefCell::new(vec![RefCell::new(x), RefCell::new(2.0)]);
    *c.borrow()[0].borrow_mut() += 1.0;
    let v = c.borrow();
    v[0].swap(&v[1]);
    let a = *v[0].borrow();
    let b = *v[1].borrow();
    a * 10.0 + b
}

pub fn statement_keeps_its_guard(x: f64) -> f64 {
    fn both(a: f64, c: &RefCell<f64>) -> f64 {
        a + if c.try_borrow_mut().is_err() { 100.0 } else { 0.0 }
    }
    let c = RefCell::new(x);
    let r = both(*c.borrow(), &c);
    let s = *c.borrow() + if c.try_borrow_mut().is_err() { 1.0 } else { 0.0 };
    r + s
}
