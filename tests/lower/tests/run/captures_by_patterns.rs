//! What a pattern in a closure captures of the variable that it matches: seen by when the rest is dropped.

#[path = "captures/marks.rs"]
pub mod marks;

use marks::{Log, Mark, Pair, log, mark, pair, read};

enum One {
    A(Log, Mark, Mark),
}
pub fn pattern_tuple(x: f64) -> f64 {
    let l = log();
    {
        let b = (mark(&l, 2), mark(&l, 3));
        let f = || {
            let (_, c) = b;
            c.1
        };
        let r = f();
        l.borrow_mut().push(8);
    }
    read(&l, x)
}
pub fn pattern_struct(x: f64) -> f64 {
    let l = log();
    {
        let b = pair(&l);
        let f = || {
            let Pair { a, .. } = b;
            a.1
        };
        let r = f();
        l.borrow_mut().push(8);
        let q = b.b;
        l.borrow_mut().push(7);
    }
    read(&l, x)
}
pub fn pattern_struct_ref(x: f64) -> f64 {
    let l = log();
    {
        let b = pair(&l);
        let f = || {
            let Pair { ref a, .. } = b;
            a.1
        };
        let w = b.b;
        let r = f();
        l.borrow_mut().push(8);
    }
    read(&l, x)
}
pub fn match_struct(x: f64) -> f64 {
    let l = log();
    {
        let b = pair(&l);
        let f = || match b {
            Pair { b: w, c, .. } if c > 1.0 => w.1,
            Pair { .. } => 0,
        };
        let r = f();
        l.borrow_mut().push(8);
    }
    read(&l, x)
}
pub fn match_option(x: f64) -> f64 {
    let l = log();
    {
        let b = (Some(mark(&l, 1)), Some(mark(&l, 2)));
        let f = || match b.0 {
            Some(w) => w.1,
            None => 0,
        };
        let r = f();
        l.borrow_mut().push(8);
        let c = b.1;
    }
    read(&l, x)
}
pub fn iflet(x: f64) -> f64 {
    let l = log();
    {
        let b = (Some(mark(&l, 1)), Some(mark(&l, 2)));
        let f = || if let (Some(w), _) = b { w.1 } else { 0 };
        let r = f();
        l.borrow_mut().push(8);
    }
    read(&l, x)
}
pub fn iflet_both(x: f64) -> f64 {
    let l = log();
    {
        let b = (Some(mark(&l, 1)), Some(mark(&l, 2)));
        let f = || if let (Some(w), Some(_)) = b { w.1 } else { 0 };
        let r = f();
        l.borrow_mut().push(8);
    }
    read(&l, x)
}
pub fn iflet_move(x: f64) -> f64 {
    let l = log();
    {
        let b = (Some(mark(&l, 1)), Some(mark(&l, 2)));
        let f = move || if let (Some(w), Some(_)) = &b { w.1 } else { 0 };
        let r = f();
        l.borrow_mut().push(8);
    }
    read(&l, x)
}
pub fn array_pat(x: f64) -> f64 {
    let l = log();
    {
        let q = ([mark(&l, 1), mark(&l, 2)], mark(&l, 3));
        let f = || {
            let [a, _] = q.0;
            a.1
        };
        let r = f();
        l.borrow_mut().push(9);
    }
    read(&l, x)
}
pub fn at_pat(x: f64) -> f64 {
    let l = log();
    {
        let q = (Some(3), mark(&l, 3));
        let f = move || match q.0 {
            w @ Some(1..=4) => w.unwrap(),
            _ => 0,
        };
        let r = f();
        l.borrow_mut().push(r as u8);
        drop(f);
        l.borrow_mut().push(9);
    }
    read(&l, x)
}
pub fn single_variant(x: f64) -> f64 {
    let l = log();
    {
        let q = One::A(l.clone(), mark(&l, 1), mark(&l, 2));
        let f = || {
            let One::A(_, a, _) = q;
            a.1
        };
        let r = f();
        l.borrow_mut().push(8);
    }
    read(&l, x)
}
pub fn unused_match(x: f64) -> f64 {
    let l = log();
    {
        let q = (mark(&l, 1), mark(&l, 2));
        let f = move || match q {
            _ => 3u8,
        };
        let r = f();
        drop(f);
        l.borrow_mut().push(r);
    }
    read(&l, x)
}
pub fn guard_pat(x: f64) -> f64 {
    let l = log();
    {
        let b = pair(&l);
        let f = || match b {
            Pair { a: ref w, c, .. } if c > 1.0 => w.1,
            Pair { .. } => 0,
        };
        let r = f();
        l.borrow_mut().push(8);
        let q = b.b;
    }
    read(&l, x)
}
pub fn let_else(x: f64) -> f64 {
    let l = log();
    {
        let b = (Some(mark(&l, 1)), Some(mark(&l, 2)));
        let f = || {
            let (Some(w), _) = b else { return 0 };
            w.1
        };
        let r = f();
        l.borrow_mut().push(8);
    }
    read(&l, x)
}
pub fn matches_mac(x: f64) -> f64 {
    let l = log();
    {
        let b = (Some(mark(&l, 1)), Some(mark(&l, 2)));
        let f = move || matches!(b.0, Some(_));
        let r = f();
        l.borrow_mut().push(8 + r as u8);
        drop(f);
        l.borrow_mut().push(7);
    }
    read(&l, x)
}
