//! Values whose types are written, in functions whose parameters are bound to these types.

pub trait Ops: Copy {
    fn abs(self) -> Self;
    fn pow(&self, n: u32) -> i64;
}
impl Ops for i64 {
    fn abs(self) -> i64 {
        self - 1
    }
    fn pow(&self, n: u32) -> i64 {
        *self * n as i64 + 7
    }
}
pub struct P {
    k: i64,
    v: Vec<i64>,
    o: Option<i64>,
    t: (i64, i64),
}
fn field<T: Ops>(p: &P, _t: T) -> i64 {
    p.k.abs()
}
fn index<T: Ops>(p: &P, _t: T) -> i64 {
    p.v[0].abs()
}
fn pat<T: Ops>(p: &P, _t: T) -> i64 {
    if let Some(x) = p.o { x.abs() } else { 0 }
}
fn pat2<T: Ops>(p: &P, _t: T) -> i64 {
    let P { k, .. } = p;
    k.abs()
}
fn clos<T: Ops>(p: &P, _t: T) -> i64 {
    p.v.iter().map(|x| x.abs()).sum()
}
fn tup<T: Ops>(p: &P, _t: T) -> i64 {
    p.t.0.abs()
}
fn lp<T: Ops>(p: &P, _t: T) -> i64 {
    let mut s = 0;
    for x in &p.v {
        s += x.abs();
    }
    s
}
fn blk<T: Ops>(p: &P, _t: T) -> i64 {
    let y = { p.k };
    y.abs()
}
fn iff<T: Ops>(p: &P, _t: T) -> i64 {
    let y = if p.k > 0 { p.k } else { -3 };
    y.abs()
}
fn arg<T: Ops>(k: i64, _t: T) -> i64 {
    k.abs()
}
fn arith<T: Ops>(p: &P, _t: T) -> i64 {
    (p.k * 2).abs()
}
fn mth<T: Ops>(p: &P, _t: T) -> i64 {
    p.v.len() as i64 + p.v.iter().copied().max().unwrap().abs()
}
fn un<T: Ops>(p: &P, _t: T) -> i64 {
    p.o.unwrap().pow(2)
}
fn gen1<T: Ops>(p: &[T]) -> i64 {
    p.iter().map(|x| x.abs().pow(2)).sum()
}
fn gen2<T: Ops>(p: Option<T>) -> i64 {
    match p {
        Some(x) => x.pow(2),
        None => 0,
    }
}
fn mtc<T: Ops>(p: &P, _t: T) -> i64 {
    match p.t {
        (a, b) => a.abs() + b.abs(),
    }
}
pub fn f(x: i64) -> Vec<i64> {
    let p = P { k: x, v: vec![x, 2], o: Some(x), t: (x, x) };
    vec![
        field(&p, x),
        index(&p, x),
        pat(&p, x),
        pat2(&p, x),
        clos(&p, x),
        tup(&p, x),
        lp(&p, x),
        blk(&p, x),
        iff(&p, x),
        arg(x, x),
        arith(&p, x),
        mth(&p, x),
        un(&p, x),
        gen1(&[x, 3]),
        gen2(Some(x)),
        mtc(&p, x),
    ]
}
