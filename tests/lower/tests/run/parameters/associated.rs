//! Values of associated types.

pub trait Num {
    type Int: Ops;
}
pub trait Ops: Copy {
    fn checked_add(&self, o: &Self) -> Option<Self>;
    fn abs(self) -> Self;
    fn pow(&self, n: u32) -> i64;
}
impl Ops for i64 {
    fn checked_add(&self, o: &i64) -> Option<i64> {
        Some(self * 100 + o)
    }
    fn abs(self) -> i64 {
        self - 1
    }
    fn pow(&self, n: u32) -> i64 {
        *self * n as i64 + 7
    }
}
pub struct D;
impl Num for D {
    type Int = i64;
}
fn assoc<N: Num>(a: N::Int, b: N::Int) -> Option<N::Int> {
    a.checked_add(&b)
}
fn assoc_abs<N: Num>(a: N::Int) -> N::Int {
    a.abs()
}
fn assoc_pow<N: Num>(a: &N::Int) -> i64 {
    a.pow(2)
}
fn param<T: Ops>(a: T) -> T {
    a.abs()
}
fn param_ref<T: Ops>(a: &[T]) -> i64 {
    a.iter().map(|x| x.pow(2)).sum()
}
pub struct W<N: Num> {
    v: Vec<N::Int>,
}
impl<N: Num> W<N> {
    fn go(&self) -> i64 {
        self.v.iter().map(|x| x.abs().pow(2)).sum()
    }
    fn first(&self) -> N::Int {
        self.v[0].abs()
    }
}
enum V<N: Num> {
    I(N::Int),
    F(f64),
}
impl<N: Num> V<N> {
    fn add(&self) -> Option<V<N>> {
        match self {
            V::I(a) => {
                let b = *a;
                a.checked_add(&b).map(V::I)
            }
            V::F(x) => Some(V::F(*x)),
        }
    }
    fn get(&self) -> N::Int {
        if let V::I(a) = self { a.abs() } else { panic!() }
    }
}
pub fn f(x: i64) -> Vec<i64> {
    vec![
        assoc::<D>(x, 3).unwrap(),
        assoc_abs::<D>(x),
        assoc_pow::<D>(&x),
        param(x),
        param_ref(&[x, 2]),
        W::<D> { v: vec![x] }.go(),
        W::<D> { v: vec![x] }.first(),
        V::<D>::I(x).add().unwrap().get(),
    ]
}
