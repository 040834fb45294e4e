//! When the parts of a variable are dropped of which a closure captures only some.

#[path = "captures/marks.rs"]
pub mod marks;

use marks::{Log, Mark, Pair, log, mark, pair, read};

struct Group {
    p: Pair,
    t: (Mark, Mark),
    k: f64,
}
fn group(l: &Log) -> Group {
    Group { p: pair(l), t: (mark(l, 3), mark(l, 4)), k: 5.0 }
}
struct Held {
    v: f64,
    l: Log,
}
impl Drop for Held {
    fn drop(&mut self) {
        self.l.borrow_mut().push(7);
    }
}
pub fn nested_path(x: f64) -> f64 {
    let l = log();
    {
        let g = group(&l);
        let f = || {
            let _w = g.p.b;
        };
        f();
        l.borrow_mut().push(9);
    }
    read(&l, x)
}
pub fn two_paths(x: f64) -> f64 {
    let l = log();
    {
        let g = group(&l);
        let f = || {
            let _w = g.t.1;
            let _v = g.p.a;
        };
        l.borrow_mut().push(8);
        f();
        l.borrow_mut().push(9);
    }
    read(&l, x)
}
pub fn two_paths_unused(x: f64) -> f64 {
    let l = log();
    {
        let g = group(&l);
        let f = || {
            let _w = g.t.1;
            let _v = g.p.a;
        };
        l.borrow_mut().push(8);
        drop(f);
        l.borrow_mut().push(9);
    }
    read(&l, x)
}
pub fn order_by_first_name(x: f64) -> f64 {
    let l = log();
    {
        let a = mark(&l, 1);
        let b = mark(&l, 2);
        let f = move || {
            let n = a.1;
            let m = b.1;
            let k = a.1;
            n + m + k
        };
        let r = f();
        l.borrow_mut().push(8);
        drop(f);
    }
    read(&l, x)
}
pub fn order_named_only(x: f64) -> f64 {
    let l = log();
    {
        let a = mark(&l, 1);
        let b = (mark(&l, 2), mark(&l, 3));
        let f = move || {
            let _ = b;
            let m = &a;
            let k = &b.1;
            let _n = &b.0;
        };
        f();
        l.borrow_mut().push(8);
        drop(f);
    }
    read(&l, x)
}
pub fn drop_type_whole(x: f64) -> f64 {
    let l = log();
    {
        let h = (Held { v: x, l: l.clone() }, mark(&l, 1));
        let f = move || {
            let n = h.0.l.borrow().len();
            n as f64
        };
        let a = f();
        l.borrow_mut().push(8);
        drop(f);
        l.borrow_mut().push(9);
    }
    read(&l, x)
}
pub fn drop_type_copy(x: f64) -> f64 {
    let l = log();
    let a;
    {
        let h = (Held { v: x, l: l.clone() }, mark(&l, 1));
        let f = move || h.0.v * 2.0;
        a = f();
        l.borrow_mut().push(8);
        drop(f);
        l.borrow_mut().push(9);
    }
    read(&l, a)
}
pub fn base(x: f64) -> f64 {
    let l = log();
    {
        let q = pair(&l);
        let f = || Pair { a: mark(&l, 5), c: 0.0, ..q };
        let r = f();
        l.borrow_mut().push(8);
        drop(r);
        l.borrow_mut().push(9);
    }
    read(&l, x)
}
pub fn boxed(x: f64) -> f64 {
    let l = log();
    {
        let q = (Box::new((mark(&l, 1), mark(&l, 2))), mark(&l, 3));
        let f = || {
            let _w = q.0.0;
        };
        f();
        l.borrow_mut().push(8);
    }
    read(&l, x)
}
pub fn boxed_move(x: f64) -> f64 {
    let l = log();
    {
        let q = (Box::new((mark(&l, 1), x)), mark(&l, 3));
        let f = move || q.0.1;
        let r = f();
        l.borrow_mut().push(8);
        drop(f);
        l.borrow_mut().push(9);
    }
    read(&l, x)
}
pub fn nested_closures(x: f64) -> f64 {
    let l = log();
    {
        let q = group(&l);
        let f = || {
            let h = || {
                let _w = q.t.0;
            };
            l.borrow_mut().push(7);
            h();
            l.borrow_mut().push(8);
        };
        f();
        l.borrow_mut().push(9);
        let _k = q.p.a;
    }
    read(&l, x)
}
pub fn nested_move(x: f64) -> f64 {
    let l = log();
    {
        let q = group(&l);
        let ll = l.clone();
        let f = move || {
            let h = move || {
                let _w = &q.t.0;
            };
            ll.borrow_mut().push(7);
            h();
            ll.borrow_mut().push(8);
        };
        f();
        l.borrow_mut().push(9);
        let _k = q.p.a;
    }
    read(&l, x)
}
pub fn array_elem(x: f64) -> f64 {
    let l = log();
    {
        let q = ([mark(&l, 1), mark(&l, 2)], mark(&l, 3));
        let f = move || q.0[1].1;
        let r = f();
        l.borrow_mut().push(8);
        drop(f);
        l.borrow_mut().push(9);
    }
    read(&l, x)
}
pub fn assign_in(x: f64) -> f64 {
    let l = log();
    {
        let mut q = (mark(&l, 1), mark(&l, 2));
        let mut f = || q.0 = mark(&l, 5);
        f();
        l.borrow_mut().push(8);
        f();
        l.borrow_mut().push(9);
        q.1 = mark(&l, 6);
    }
    read(&l, x)
}
pub fn assign_move(x: f64) -> f64 {
    let l = log();
    {
        let mut q = (mark(&l, 1), mark(&l, 2));
        let l2 = l.clone();
        let mut f = move || q.0 = mark(&l2, 5);
        f();
        l.borrow_mut().push(8);
        f();
        drop(f);
        l.borrow_mut().push(9);
    }
    read(&l, x)
}
pub fn for_part(x: f64) -> f64 {
    let l = log();
    {
        let b = (vec![mark(&l, 1), mark(&l, 2)], mark(&l, 3));
        let f = || {
            let mut s = 0;
            for e in b.0 {
                s += e.1;
            }
            s
        };
        let r = f();
        l.borrow_mut().push(8);
    }
    read(&l, x)
}
pub fn dyn_fn(x: f64) -> f64 {
    let l = log();
    {
        let b = (mark(&l, 1), vec![x], mark(&l, 2));
        let f: Box<dyn FnOnce() -> f64> = Box::new(move || {
            let v = b.1;
            v[0]
        });
        let w = b.2;
        let r = f();
        l.borrow_mut().push(8);
    }
    read(&l, x)
}
pub fn replaced(x: f64) -> f64 {
    let l = log();
    {
        let mut q = (mark(&l, 1), mark(&l, 2));
        {
            let f = || {
                let _a = q.0;
            };
            f();
        }
        q.0 = mark(&l, 3);
        l.borrow_mut().push(8);
    }
    read(&l, x)
}
pub fn cond_moved(x: f64) -> f64 {
    let l = log();
    {
        let q = (mark(&l, 1), mark(&l, 2));
        if x > 1.0 {
            let f = || {
                let _a = q.0;
            };
            f();
        }
        l.borrow_mut().push(8);
    }
    read(&l, x)
}
pub fn returned(x: f64) -> f64 {
    fn mk(q: (Vec<f64>, Mark)) -> impl Fn(f64) -> f64 {
        move |t| q.0[0] * t
    }
    let l = log();
    let r;
    {
        let f = mk((vec![x], mark(&l, 1)));
        l.borrow_mut().push(8);
        r = f(2.0);
        l.borrow_mut().push(9);
    }
    read(&l, r)
}
