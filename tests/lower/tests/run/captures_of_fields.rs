//! Closures that read and change fields of variables of which other fields are used beside them.

use std::cell::Cell;
struct S {
    v: Vec<f64>,
    n: usize,
    w: Vec<f64>,
}
impl S {
    fn go(&mut self) -> f64 {
        let n = self.n;
        self.v.iter_mut().for_each(|e| {
            *e += self.w[0] * n as f64;
            self.n += 1;
        });
        self.v.iter().sum::<f64>() + self.n as f64
    }
    fn go2(&mut self) -> f64 {
        let mut add = |k: f64| {
            self.v.push(k);
            self.n += 1;
        };
        add(1.0);
        add(self.w[0]);
        self.w.push(3.0);
        self.v.iter().sum::<f64>() * self.w.len() as f64 + self.n as f64
    }
    fn own(self) -> f64 {
        let f = || {
            let v = self.v;
            v.iter().sum::<f64>()
        };
        let w = self.w;
        f() + w[0] + self.n as f64
    }
    fn own_move(self) -> f64 {
        let f = move || self.v.iter().sum::<f64>();
        let w = self.w;
        f() + w[0] + self.n as f64
    }
}
#[derive(Clone)]
struct Counted(f64, Vec<f64>, f64);
pub fn disjoint_mut(x: f64) -> f64 {
    let mut q = (x, 2.0 * x, 3.0);
    let mut f = || {
        q.0 += 1.0;
        q.0
    };
    q.1 *= 2.0;
    let a = f();
    q.1 += a;
    let b = f();
    q.0 * 100.0 + q.1 * 10.0 + b + q.2
}
pub fn disjoint_mut_nested(x: f64) -> f64 {
    let mut q = ((x, 2.0 * x), [1.0, 2.0], 3.0);
    let mut f = || {
        let mut h = || {
            q.0.0 += 1.0;
        };
        h();
        h();
        q.0.0
    };
    q.0.1 *= 2.0;
    q.1[0] += 5.0;
    let a = f();
    q.0.1 += a;
    q.0.0 * 100.0 + q.0.1 * 10.0 + q.1[0] + q.2
}
pub fn move_copy(x: f64) -> f64 {
    let mut q = (x, 2.0 * x);
    let mut f = move || {
        q.0 += 1.0;
        q.0
    };
    let a = f() + f();
    q.0 * 100.0 + q.1 * 10.0 + a
}
pub fn move_two(x: f64) -> f64 {
    let mut q = (vec![x], vec![2.0 * x], 1.0);
    let mut f = move || {
        q.0.push(1.0);
        q.0.len() as f64 + q.2
    };
    let a = f() + f();
    a + q.1[0] + q.2
}
pub fn methods(x: f64) -> f64 {
    let mut s = S { v: vec![x, 2.0], n: 1, w: vec![x * x] };
    let a = s.go();
    let b = s.go2();
    a + b
        + S { v: vec![x, 2.0], n: 1, w: vec![x * x] }.own()
        + S { v: vec![x, 2.0], n: 1, w: vec![x * x] }.own_move()
}
pub fn by_ref_pat(x: f64) -> f64 {
    let q = (vec![x, 1.0], vec![2.0 * x]);
    let f = || {
        let (a, b) = &q;
        a.len() as f64 + b[0]
    };
    f() + q.0[0]
}
pub fn ref_field(x: f64) -> f64 {
    let v = vec![x, 2.0];
    let q = (&v, vec![3.0]);
    let f = move || q.0[0] * 2.0;
    let r = f();
    r + q.1[0] + q.0[1]
}
pub fn mut_ref_field(x: f64) -> f64 {
    let mut v = vec![x, 2.0];
    let mut w = vec![1.0];
    {
        let q = (&mut v, &mut w);
        let mut f = || {
            q.0.push(x);
            q.0[0] += 1.0;
        };
        f();
        q.1.push(2.0 * x);
        f();
        q.1.push(7.0);
    }
    v.iter().sum::<f64>() + w.iter().sum::<f64>()
}
pub fn mut_ref_move(x: f64) -> f64 {
    let mut v = vec![x, 2.0];
    let mut w = vec![1.0];
    {
        let q = (&mut v, &mut w);
        let mut f = move || {
            q.0.push(x);
            q.0[0] += 1.0;
        };
        f();
        f();
        q.1.push(2.0 * x);
        q.1.push(7.0);
    }
    v.iter().sum::<f64>() + w.iter().sum::<f64>()
}
pub fn or_pat(x: f64) -> f64 {
    let q = ((x, 1.0), (2.0 * x, 5));
    let f = move || match q {
        ((a, _), (_, 5)) | ((_, a), _) => a * 3.0,
    };
    f() + f()
}
pub fn clone_closure(x: f64) -> f64 {
    let mut q = Counted(x, vec![1.0], 2.0);
    let mut f = move || {
        q.0 += 1.0;
        q.1.push(q.0);
        q.1.len() as f64 + q.0
    };
    let mut h = f.clone();
    let a = f() + f();
    let b = h();
    a * 10.0 + b
}
pub fn while_let(x: f64) -> f64 {
    let mut q = (vec![x, 2.0, 3.0], 0.0, vec![1.0]);
    let mut f = || {
        while let Some(e) = q.0.pop() {
            q.1 += e;
        }
        q.1
    };
    let r = f();
    r + q.1 + q.2[0] + q.0.len() as f64
}
pub fn ret_part(x: f64) -> f64 {
    let q = (vec![x, 2.0], vec![3.0]);
    let f = || q.0;
    let v = f();
    v[0] + q.1[0]
}
pub fn param_pat(x: f64) -> f64 {
    fn go((a, b): (Vec<f64>, Vec<f64>), q: &mut (f64, f64)) -> f64 {
        let mut f = |t: f64| {
            q.0 += t * a[0];
            q.0
        };
        f(1.0);
        f(b[0]);
        q.1 += 1.0;
        q.0 + q.1
    }
    let mut q = (x, 2.0);
    go((vec![x], vec![3.0]), &mut q) + q.0
}
pub fn cell_field(x: f64) -> f64 {
    let q = (Cell::new(x), Cell::new(2.0));
    let f = || {
        q.0.set(q.0.get() * 2.0);
        q.0.get()
    };
    q.0.set(5.0 * x);
    let a = f();
    q.1.set(a);
    f() + q.1.get() + q.0.get()
}
pub fn cell_move(x: f64) -> f64 {
    let q = (Cell::new(x), Cell::new(2.0));
    let f = move || {
        q.0.set(q.0.get() * 2.0);
        q.0.get()
    };
    let a = f();
    q.1.set(a);
    f() + q.1.get()
}
pub fn iter_adapters(x: f64) -> f64 {
    struct M {
        w: Vec<f64>,
        s: f64,
        h: Vec<f64>,
    }
    let mut m = M { w: vec![x, 1.0, 2.0], s: 2.0, h: vec![] };
    m.h = m.w.iter().map(|e| e * m.s).collect();
    m.w.iter_mut().zip(&m.h).for_each(|(a, b)| *a += b * m.s);
    m.w.iter().sum::<f64>() + m.h[0]
}
pub fn generic(x: f64) -> f64 {
    fn go<T: Clone, F: Fn(&T) -> f64>(q: (T, T, F)) -> f64 {
        let f = || (q.2)(&q.0);
        let a = f();
        let b = q.1;
        a + (q.2)(&b)
    }
    go((x, 2.0 * x, |v: &f64| v * 3.0)) + go((vec![x], vec![1.0], |v: &Vec<f64>| v[0] * 3.0))
}
pub fn unused_index(x: f64) -> f64 {
    let v = vec![x, 1.0];
    let mut n = 0.0;
    let mut f = || {
        let _ = v[{
            n += 1.0;
            1
        }];
    };
    f();
    f();
    n + x
}
pub fn fmt_part(x: f64) -> f64 {
    let b = (x, String::from("ab"));
    let f = move || format!("{}{}", b.1, b.0).len() as f64;
    f() + b.0
}
pub fn opassign(x: f64) -> f64 {
    let mut b = (x, String::from("ab"), 1.0);
    let mut f = || {
        b.1 += "cd";
        b.2 *= 2.0;
        b.1.len() as f64
    };
    let r = f() + f();
    r + b.0 + b.2
}
pub fn dyn_fn_mut(x: f64) -> f64 {
    let mut b = (vec![x], 2.0, x);
    {
        let mut fs: Vec<Box<dyn FnMut(f64) + '_>> = vec![];
        let (q0, q1) = (&mut b.0, &mut b.1);
        fs.push(Box::new(|t| q0.push(t)));
        fs.push(Box::new(|t| *q1 += t));
        for f in &mut fs {
            f(3.0 * x);
        }
    }
    let mut g = |t: f64| b.0[0] += t * b.2;
    g(2.0);
    b.0[0] + b.0[1] + b.1
}
pub fn swap_parts(x: f64) -> f64 {
    let mut b = (vec![x], vec![2.0 * x, 1.0]);
    let mut f = || std::mem::swap(&mut b.0, &mut b.1);
    f();
    b.0.len() as f64 * 10.0 + b.1[0]
}
pub fn take_part(x: f64) -> f64 {
    let mut b = (Some(x), 1.0, Some(2.0));
    let mut f = || b.0.take().unwrap_or(5.0);
    b.1 = 3.0;
    let a = f();
    let c = f();
    a * 10.0 + c + b.1 + b.2.unwrap()
}
pub fn shadow(x: f64) -> f64 {
    let q = (x, 2.0);
    let f = |q: (f64, f64)| {
        let g = || q.0 * 2.0;
        g() + q.1
    };
    f((q.1, q.0)) + q.0
}
pub fn part_loop(x: f64) -> f64 {
    let mut q = (0.0, vec![]);
    for i in 0..4 {
        let mut f = |t: f64| {
            q.0 += t;
            q.1.push(q.0);
        };
        f(x * i as f64);
        f(1.0);
    }
    q.0 + q.1.iter().sum::<f64>()
}
pub fn deferred(x: f64) -> f64 {
    let q: (f64, Vec<f64>);
    if x > 0.0 {
        q = (x, vec![x]);
    } else {
        q = (-x, vec![]);
    }
    let f = || q.0 + q.1.len() as f64;
    f()
}
pub fn rec_struct(x: f64) -> f64 {
    struct N {
        v: f64,
        n: Option<Box<N>>,
    }
    let q = (N { v: x, n: Some(Box::new(N { v: 2.0 * x, n: None })) }, 1.0);
    let f = move || {
        let mut s = q.0.v;
        let mut c = &q.0.n;
        while let Some(b) = c {
            s += b.v;
            c = &b.n;
        }
        s
    };
    f() * f()
}
