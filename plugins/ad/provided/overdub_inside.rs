//! `gradient` and the like, as seen by programs that differentiate their own functions.

#[derive(Clone, Debug)]
pub struct Error;

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { write!(f, "no derivative") }
}

impl std::error::Error for Error {}

pub trait Floats { type Of; }
macro_rules! floats { ($($T:ty: $Of:ty;)*) => { $(impl Floats for $T { type Of = $Of; })* }; }
floats! {
    f64: f64; f32: f32; (): (); bool: (); char: (); usize: (); isize: (); u8: (); u16: (); u32: (); u64: (); u128: ();
    i8: (); i16: (); i32: (); i64: (); i128: (); str: (); String: ();
}
impl<'a, T: Floats + ?Sized> Floats for &'a T { type Of = T::Of; }
impl<T: Floats + ?Sized> Floats for Box<T> { type Of = T::Of; }
impl<T: Floats> Floats for [T] { type Of = Vec<T::Of>; }
impl<T: Floats> Floats for Vec<T> { type Of = Vec<T::Of>; }
impl<T: Floats, const N: usize> Floats for [T; N] { type Of = [T::Of; N]; }
impl<T: Floats, D> Floats for ndarray::Array<T, D> { type Of = ndarray::Array<T::Of, D>; }

pub trait Callable<Args> { type Output; fn apply(&self, args: Args) -> Self::Output; }

macro_rules! tuples {
    ($($($part:ident $number:tt)+;)*) => {$(
        impl<$($part: Floats),+> Floats for ($($part,)+) { type Of = ($($part::Of,)+); }
        impl<$($part,)+ R, Func: Fn($($part),+) -> R> Callable<($($part,)+)> for Func {
            type Output = R;
            fn apply(&self, args: ($($part,)+)) -> R { self($(args.$number),+) }
        }
    )*};
}
tuples! {
    A 0;
    A 0 B 1;
    A 0 B 1 C 2;
    A 0 B 1 C 2 D 3;
    A 0 B 1 C 2 D 3 E 4;
    A 0 B 1 C 2 D 3 E 4 F 5;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 M 12;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 M 12 N 13;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 M 12 N 13 O 14;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 M 12 N 13 O 14 P 15;
}

/// The call itself: a program that already runs needs no engine to run `f`.
pub fn run<F, Args>(f: F, args: Args) -> Result<F::Output, Error>
where
    F: Callable<Args>,
{
    Ok(f.apply(args))
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
