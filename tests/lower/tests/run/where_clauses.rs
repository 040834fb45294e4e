//! What is inferred from the where clauses on parameters and associated types when a call is written.

use std::marker::PhantomData;

mod casts {
    pub trait NumCast: Sized {
        fn from(x: f32) -> Option<Self>;
    }

    impl NumCast for f64 {
        fn from(x: f32) -> Option<f64> {
            Some(x as f64 + 1.0)
        }
    }

    pub trait Float: NumCast + Copy {}

    impl Float for f64 {}
}
use casts::Float;

trait Position {
    type Scalar: From<f32> + std::ops::Mul<Output = Self::Scalar>;
}

struct Point;

impl Position for Point {
    type Scalar = f64;
}

/// `NumCast` is not in scope, although a bound on the associated type implies it.
fn scaled<T: Position>(x: T::Scalar) -> T::Scalar
where
    T::Scalar: Float,
{
    <T as Position>::Scalar::from(1.5) * x
}

pub fn traits_out_of_scope(x: f64) -> f64 {
    scaled::<Point>(x)
}

trait Near<Rhs: ?Sized = Self> {
    fn near(&self, other: &Rhs) -> bool;
}

impl Near for f64 {
    fn near(&self, other: &f64) -> bool {
        (self - other).abs() < 1.0
    }
}

struct Compare<A, B>(PhantomData<(A, B)>);

impl<A: Near<B>, B> Compare<A, B> {
    fn new() -> Self {
        Compare(PhantomData)
    }

    fn eq(self, a: &A, b: &B) -> bool {
        a.near(b)
    }
}

/// The bound says what the second parameter is before its argument is coerced.
fn both<T: Near + Copy>(a: T, b: T) -> bool {
    Compare::new().eq(&a, &&b)
}

pub fn argument_by_a_pending_bound(x: f64) -> f64 {
    f64::from(u8::from(both(x, 2.0))) + f64::from(u8::from(Compare::new().eq(&x, &&2.5)))
}

trait Dim {}
struct Dynamic;
impl Dim for Dynamic {}
struct Fixed<const N: usize>;
impl<const N: usize> Dim for Fixed<N> {}

trait Raw<R: Dim> {
    fn rows(&self) -> usize;
}

struct Storage<R: Dim>(Vec<f64>, PhantomData<R>);

impl Raw<Dynamic> for Storage<Dynamic> {
    fn rows(&self) -> usize {
        self.0.len()
    }
}

impl<const N: usize> Raw<Fixed<N>> for Storage<Fixed<N>> {
    fn rows(&self) -> usize {
        N
    }
}

struct Column<R, S>(S, PhantomData<R>);

impl<R: Dim, S: Raw<R>> Column<R, S> {
    fn rows(&self) -> usize {
        self.0.rows()
    }
}

impl<R> std::ops::Deref for Column<R, Storage<Fixed<2>>> {
    type Target = Vec<f64>;
    fn deref(&self) -> &Vec<f64> {
        &self.0.0
    }
}

trait Problem<N: Dim> {
    type Storage: Raw<N>;
    fn params(&self) -> Column<N, Self::Storage>;
}

struct Line(f64);

impl Problem<Dynamic> for Line {
    type Storage = Storage<Dynamic>;
    fn params(&self) -> Column<Dynamic, Storage<Dynamic>> {
        Column(Storage(vec![self.0; 3], PhantomData), PhantomData)
    }
}

struct Solver<N: Dim, P: Problem<N>> {
    params: Column<N, P::Storage>,
}

impl<N: Dim, P: Problem<N>> Solver<N, P> {
    fn new(problem: &P) -> Self {
        Solver { params: problem.params() }
    }
}

/// Only the bound on `P` says which `N` the solver has.
fn solved<N: Dim, P: Problem<N>>(problem: &P) -> usize {
    let solver = Solver::new(problem);
    solver.params.rows()
}

pub fn receiver_by_a_pending_bound(x: f64) -> f64 {
    solved(&Line(x)) as f64 + x
}

trait Shape {
    type Size;
    fn size(&self) -> Self::Size;
}

trait Solid: Shape {
    fn mass(&self) -> f64;
}

struct Cube(f64);

impl Shape for Cube {
    type Size = (f64, u8);
    fn size(&self) -> (f64, u8) {
        (self.0, 3)
    }
}

impl Solid for Cube {
    fn mass(&self) -> f64 {
        self.0.powi(3)
    }
}

/// The associated type of an object's trait is that of a supertrait.
pub fn objects_by_types_of_supertraits(x: f64) -> f64 {
    let cube = Cube(x);
    let solid: &dyn Solid<Size = (f64, u8)> = &cube;
    let boxed: Box<dyn Solid<Size = (f64, u8)>> = Box::new(Cube(2.0 * x));
    solid.mass() + solid.size().0 * boxed.mass() + f64::from(boxed.size().1)
}
