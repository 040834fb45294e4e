//! Bounds on associated types, of traits and of hidden types, as matrix libraries have them.

use std::marker::PhantomData;
use std::ops::*;

pub trait ShapeIdx {
    type Idx<I: Copy>: Copy;
    type Inc<I: Copy>: Copy;
}
pub trait Shape: ShapeIdx {}
impl ShapeIdx for usize {
    type Idx<I: Copy> = I;
    type Inc<I: Copy> = I;
}
impl Shape for usize {}
pub struct Dim<'n>(PhantomData<&'n ()>);
#[derive(Clone, Copy)]
pub struct DimIdx<'n, I>(PhantomData<&'n ()>, I);
impl<'n> ShapeIdx for Dim<'n> {
    type Idx<I: Copy> = DimIdx<'n, I>;
    type Inc<I: Copy> = DimIdx<'n, I>;
}
impl Shape for Dim<'_> {}
pub type Idx<N, I = usize> = <N as ShapeIdx>::Idx<I>;
pub type Inc<N, I = usize> = <N as ShapeIdx>::Inc<I>;

pub trait IntoRange<I> {
    type Len<N: Shape>: Shape;
    fn into_range(self, min: I, max: I) -> Range<I>;
}
impl<I> IntoRange<I> for Range<I> {
    type Len<N: Shape> = usize;
    fn into_range(self, _: I, _: I) -> Range<I> {
        self
    }
}
impl<I> IntoRange<I> for RangeFull {
    type Len<N: Shape> = N;
    fn into_range(self, min: I, max: I) -> Range<I> {
        min..max
    }
}

mod generic {
    pub struct Mat<Inner>(pub Inner);
}
pub struct View<'a, R, C>(&'a [f64], R, C);
pub type MatView<'a, R, C> = generic::Mat<View<'a, R, C>>;

pub trait MatIndex<A, B> {
    type Target;
    fn get(self, a: A, b: B) -> Self::Target;
}
impl<'a, A: IntoRange<Inc<usize>, Len<usize>: 'a>, B: IntoRange<Inc<usize>, Len<usize>: 'a>> MatIndex<A, B>
    for MatView<'a, usize, usize>
{
    type Target = MatView<'a, usize, usize>;
    fn get(self, a: A, b: B) -> Self::Target {
        let (a, b) = (a.into_range(0, self.0.1), b.into_range(0, self.0.2));
        generic::Mat(View(&self.0.0[a.start..], a.end - a.start, b.end - b.start))
    }
}
impl<'a, B: IntoRange<Inc<usize>, Len<usize>: 'a>> MatIndex<Idx<usize>, B> for MatView<'a, usize, usize> {
    type Target = &'a [f64];
    fn get(self, a: usize, b: B) -> &'a [f64] {
        let b = b.into_range(0, self.0.2);
        &self.0.0[a * b.start..]
    }
}
impl<'a, A: IntoRange<Inc<usize>, Len<usize>: 'a>> MatIndex<A, Idx<usize>> for MatView<'a, usize, usize> {
    type Target = f64;
    fn get(self, a: A, b: usize) -> f64 {
        self.0.0[a.into_range(0, self.0.1).start + b]
    }
}
impl<'a, 'n, A: IntoRange<Inc<usize>, Len<usize>: 'a>> MatIndex<A, Idx<Dim<'n>>> for MatView<'a, usize, Dim<'n>> {
    type Target = f64;
    fn get(self, _: A, b: DimIdx<'n, usize>) -> f64 {
        b.1 as f64
    }
}
impl<'a, R, C> MatView<'a, R, C> {
    pub fn get<A, B>(self, a: A, b: B) -> <MatView<'a, R, C> as MatIndex<A, B>>::Target
    where
        MatView<'a, R, C>: MatIndex<A, B>,
    {
        <MatView<'a, R, C> as MatIndex<A, B>>::get(self, a, b)
    }
}

/// The index is one of several that the impl's arguments say, some of them bounded by a lifetime.
pub fn indexed_by_two_ranges(x: f64) -> f64 {
    let data = [x, 2.0, x * x, 4.0, 5.0, 6.0];
    let all = || generic::Mat(View(&data, 2_usize, 3_usize));
    let (start, end) = (1, 3);
    let part = all().get(.., start..end);
    let row = all().get(1, ..);
    part.0.0[0] + part.0.2 as f64 + row[0] + all().get(0..2, 1)
}

pub trait Is<T: ?Sized> {
    type Is: ?Sized;
}
impl<T: ?Sized, U: ?Sized> Is<T> for U {
    type Is = T;
}
pub trait Imply<T: ?Sized>: Is<T, Is = T> {}
impl<T: ?Sized, U: ?Sized> Imply<T> for U {}
pub trait RefOps:
    Sized
    + Mul<Output = Self>
    + for<'a> Mul<&'a Self, Output = Self>
    + for<'a> Imply<&'a Self, Is: Sub<Output = Self> + Mul<Output = Self> + Mul<Self, Output = Self>>
{
}
impl<T> RefOps for T
where
    T: Mul<Output = Self> + for<'a> Mul<&'a T, Output = Self>,
    for<'a> &'a T: Sub<Output = T> + Mul<Output = T> + Mul<T, Output = T>,
{
}
pub trait Real: RefOps + Clone {
    fn half() -> Self;
    fn squared(&self) -> Self;
}
impl Real for f64 {
    fn half() -> f64 {
        0.5
    }
    fn squared(&self) -> f64 {
        self * self
    }
}
fn half<T: Real>() -> T {
    T::half()
}
trait RealExt: Real {
    fn hypot(&self, other: &Self) -> Self {
        self.squared() * other
    }
}
impl<T: Real> RealExt for T {}

#[derive(Debug)]
pub struct Scaled;
impl Mul<&Scaled> for &f64 {
    type Output = f64;
    fn mul(self, _: &Scaled) -> f64 {
        0.0
    }
}

fn of_references<T: Real>(re: T, im: T) -> T {
    let (re, im) = &(re, im);
    let half = &half();
    // What the trait implies decides which operator this is, and that the difference is a `T`, whose method is the trait's.
    (re * half).squared() * (re - im).hypot(im)
}

pub fn operators_of_references_that_a_trait_implies(x: f64) -> f64 {
    of_references(x, 2.0)
}

fn pairs(x: f64) -> (Option<f64>, impl Clone + ExactSizeIterator + DoubleEndedIterator<Item = [f64; 2]>) {
    (Some(x), (0..4_usize).map(move |k| [x, k as f64]))
}

/// The item is what the second bound says; the first implies that there is one.
pub fn items_of_a_hidden_iterator_with_two_bounds(x: f64) -> f64 {
    let (first, rest) = &pairs(x);
    let mut sum = first.unwrap_or(0.0) + rest.len() as f64;
    for pair in rest.clone() {
        let pair: [_; 2] = pair;
        sum += pair[0] * pair[1];
    }
    sum
}

fn squares<const N: usize>() -> [f64; N] {
    const {
        let mut squares = [0.0; N];
        let mut k = 0;
        while k < N {
            squares[k] = (k * k) as f64;
            k += 1;
        }
        squares
    }
}

/// The block is a constant of its own for each `N`.
pub fn blocks_that_are_constants(x: f64) -> f64 {
    squares::<3>()[2] * x + squares::<5>().iter().sum::<f64>() + const { if true { 1.5 } else { 2.5 } }
}
