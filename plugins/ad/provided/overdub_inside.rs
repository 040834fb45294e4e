//! `gradient` and its like as programs see them that take derivatives of their own functions.

#[derive(Clone, Debug)]
pub struct Error;

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { write!(f, "no derivative") }
}

impl std::error::Error for Error {}

pub trait Floats { type Of; }
macro_rules! floats { ($($T:ty: $Of:ty;)*) => { $(impl Floats for $T { type Of = $Of; })* }; }
floats! {
    f64: f64; f32: f32; bool: (); char: (); usize: (); isize: (); u8: (); u16: (); u32: (); u64: (); i8: ();
    i16: (); i32: (); i64: ();
}
impl<'a, T: Floats> Floats for &'a T { type Of = T::Of; }
impl<'a, T: Floats> Floats for &'a [T] { type Of = Vec<T::Of>; }
impl<T: Floats> Floats for Vec<T> { type Of = Vec<T::Of>; }
impl<T: Floats, const N: usize> Floats for [T; N] { type Of = [T::Of; N]; }
impl<A: Floats> Floats for (A,) { type Of = (A::Of,); }
impl<A: Floats, B: Floats> Floats for (A, B) { type Of = (A::Of, B::Of); }
impl<A: Floats, B: Floats, C: Floats> Floats for (A, B, C) { type Of = (A::Of, B::Of, C::Of); }
impl<A: Floats, B: Floats, C: Floats, D: Floats> Floats for (A, B, C, D) { type Of = (A::Of, B::Of, C::Of, D::Of); }

pub trait Callable<Args> { type Output; fn apply(&self, args: Args) -> Self::Output; }
impl<A, R, F: Fn(A) -> R> Callable<(A,)> for F {
    type Output = R;
    fn apply(&self, args: (A,)) -> R { self(args.0) }
}
impl<A, B, R, F: Fn(A, B) -> R> Callable<(A, B)> for F {
    type Output = R;
    fn apply(&self, args: (A, B)) -> R { self(args.0, args.1) }
}
impl<A, B, C, R, F: Fn(A, B, C) -> R> Callable<(A, B, C)> for F {
    type Output = R;
    fn apply(&self, args: (A, B, C)) -> R { self(args.0, args.1, args.2) }
}
impl<A, B, C, D, R, F: Fn(A, B, C, D) -> R> Callable<(A, B, C, D)> for F {
    type Output = R;
    fn apply(&self, args: (A, B, C, D)) -> R { self(args.0, args.1, args.2, args.3) }
}

pub fn slope_of<G: Fn(f64) -> f64>(g: G, x: f64) -> (f64, f64) { panic!() }
pub fn gradient_of<G: Fn(Args) -> f64, Args: Floats>(g: G, args: Args) -> (f64, Args::Of) { panic!() }

pub fn derivative<F: Fn(f64) -> f64>(f: F, x: f64) -> Result<f64, Error> { Ok(slope_of(f, x).1) }

pub fn value_and_gradient<F, Args>(f: F, args: Args) -> Result<(f64, Args::Of), Error>
where
    F: Callable<Args, Output = f64>,
    Args: Floats,
{
    Ok(gradient_of(move |args: Args| f.apply(args), args))
}

pub fn gradient<F, Args>(f: F, args: Args) -> Result<Args::Of, Error>
where
    F: Callable<Args, Output = f64>,
    Args: Floats,
{
    Ok(value_and_gradient(f, args)?.1)
}
