//! The inputs of a mapped call in the types of Rust: a tuple with an entry for each argument.
//!
//! | input | argument of each element |
//! |---|---|
//! | `&[T]`, `&Vec<T>`, `&[T; N]` | `T` if it is `Copy`, or `&T` |
//! | `&[Vec<T>]`, `&[[T; N]]` | `&[T]` |
//! | [`Rows`] | `&[T]` |
//! | `ArrayView1<T>`, `ArrayView2<T>` of ndarray | `T`, `ArrayView1<T>` |
//! | [`ByIndex`] | what a closure makes of the element's number |
//! | [`Fixed`] | the same for all elements |

use ndarray::{ArrayView1, ArrayView2, Axis};
use overdub_context::value::{Floats, IntoValue, Mismatch, Value};

use crate::device::{DeviceError, DeviceList};
use crate::error::{Input, MapError};

/// An input that gives each element its argument of type `A`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not give each element an argument `{A}`",
    note = "a list is given by reference, `&xs`; what all elements share is given as `Fixed(x)`"
)]
pub trait PerElement<A>: Sync {
    /// Whether it is mapped over or shared.
    type Kind: InputKind;

    /// The number of elements; none if all share the argument.
    fn elements(&self) -> Option<usize>;

    /// The argument of an element, whose number is less than that of [`PerElement::elements`].
    fn at(&self, element: usize) -> A;

    /// The argument that all elements share; none if it is mapped over.
    fn shared(&self) -> Option<A> {
        None
    }

    /// The list on a device that has the arguments in order, or the one that all elements share.
    fn stored(&self) -> Option<DeviceList> {
        None
    }

    /// An argument that stands in for that of an element where a device has [`PerElement::stored`], so that nothing is fetched
    /// from there.
    fn stand_in(&self, element: usize) -> A {
        self.at(element)
    }

    /// Copies what lies on a device alone to the host.
    ///
    /// # Errors
    /// If the device fails.
    fn fetch(&self) -> Result<(), DeviceError> {
        Ok(())
    }
}

/// Whether an argument is mapped over or shared: [`Mapped`] or [`Shared`].
pub trait InputKind {
    /// The derivative of a sum over all elements with respect to the argument, where `Of` is that for one value.
    type Gradient<Of>;

    /// Converts the derivative.
    ///
    /// # Errors
    /// If a value is of another type.
    fn gradient<A: Floats>(derivative: Derivative) -> Result<Self::Gradient<A::Of>, Mismatch>;
}

/// An argument with a value for each element.
#[derive(Clone, Copy, Debug)]
pub struct Mapped;

/// An argument that all elements share.
#[derive(Clone, Copy, Debug)]
pub struct Shared;

/// The derivative of a sum with respect to one argument.
#[derive(Clone, Debug)]
pub enum Derivative {
    /// One for each element; empty if the argument is not differentiated.
    OfEach(Vec<Value<'static>>),
    /// That of the shared value.
    OfShared(Value<'static>),
}

impl InputKind for Mapped {
    type Gradient<Of> = Vec<Of>;

    fn gradient<A: Floats>(derivative: Derivative) -> Result<Vec<A::Of>, Mismatch> {
        match derivative {
            Derivative::OfEach(all) => all.into_iter().map(A::floats_of).collect(),
            Derivative::OfShared(one) => Ok(vec![A::floats_of(one)?]),
        }
    }
}

impl InputKind for Shared {
    type Gradient<Of> = Of;

    fn gradient<A: Floats>(derivative: Derivative) -> Result<A::Of, Mismatch> {
        match derivative {
            Derivative::OfShared(one) => A::floats_of(one),
            Derivative::OfEach(all) => A::floats_of(all.into_iter().next().unwrap_or(Value::Unit)),
        }
    }
}

/// An argument that all elements share: a number, or a reference.
///
/// ```
/// # use overdub::prelude::*;
/// use overdub::spmd::{Fixed, map};
///
/// #[dub]
/// fn scaled(x: f64, weights: &[f64]) -> f64 { x * weights.iter().sum::<f64>() }
///
/// let weights = [0.5, 0.25];
/// assert_eq!(map(scaled).over((&[1.0, 2.0], Fixed(&weights[..]))).values()?, [0.75, 1.5]);
/// # Ok::<(), overdub::spmd::MapError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Fixed<T>(
    /// The value.
    pub T,
);

impl<A: Copy + Sync> PerElement<A> for Fixed<A> {
    type Kind = Shared;

    fn elements(&self) -> Option<usize> {
        None
    }

    fn at(&self, _: usize) -> A {
        self.0
    }

    fn shared(&self) -> Option<A> {
        Some(self.0)
    }
}

/// An argument that is computed from the number of the element: as many elements, and a function of the number.
///
/// ```
/// # use overdub::prelude::*;
/// use overdub::spmd::{ByIndex, map};
///
/// #[dub]
/// fn square(x: f64) -> f64 { x * x }
///
/// assert_eq!(map(square).over((ByIndex(4, |i| i as f64 / 2.0),)).values()?, [0.0, 0.25, 1.0, 2.25]);
/// # Ok::<(), overdub::spmd::MapError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ByIndex<F>(
    /// The number of elements.
    pub usize,
    /// The argument of the element of a number.
    pub F,
);

impl<A, F: Fn(usize) -> A + Sync> PerElement<A> for ByIndex<F> {
    type Kind = Mapped;

    fn elements(&self) -> Option<usize> {
        Some(self.0)
    }

    fn at(&self, element: usize) -> A {
        (self.1)(element)
    }
}

/// Rows of equal lengths that follow each other in one list.
///
/// ```
/// # use overdub::prelude::*;
/// use overdub::spmd::{Rows, map};
///
/// #[dub]
/// fn norm(x: &[f64]) -> f64 { x.iter().map(|x| x * x).sum::<f64>().sqrt() }
///
/// let points = [3.0, 4.0, 5.0, 12.0];
/// assert_eq!(map(norm).over((Rows::new(&points, 2)?,)).values()?, [5.0, 13.0]);
/// # Ok::<(), overdub::spmd::MapError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a, T> {
    all: &'a [T],
    width: usize,
}

impl<'a, T> Rows<'a, T> {
    /// The rows of `width` entries each.
    ///
    /// # Errors
    /// If the list is not a whole number of them.
    pub fn new(all: &'a [T], width: usize) -> Result<Rows<'a, T>, MapError> {
        match width {
            0 => Err(MapError::Rows { len: all.len(), width }),
            _ if !all.len().is_multiple_of(width) => Err(MapError::Rows { len: all.len(), width }),
            _ => Ok(Rows { all, width }),
        }
    }
}

/// Implements [`PerElement`] for lists: the length, and the argument at an index.
macro_rules! lists {
    ($([$($generics:tt)*] $list:ty => $arg:ty, $this:ident $at:ident: $len:expr, $get:expr;)*) => {$(
        impl<$($generics)*> PerElement<$arg> for $list {
            type Kind = Mapped;

            fn elements(&self) -> Option<usize> {
                let $this = self;
                Some($len)
            }

            fn at(&self, $at: usize) -> $arg {
                let $this = self;
                $get
            }
        }
    )*};
}

lists! {
    ['a, T: Copy + Sync] &'a [T] => T, xs at: xs.len(), xs[at];
    ['a, T: Sync] &'a [T] => &'a T, xs at: xs.len(), &xs[at];
    ['a, T: Sync] &'a [Vec<T>] => &'a [T], xs at: xs.len(), &xs[at];
    ['a, T: Sync, const N: usize] &'a [[T; N]] => &'a [T], xs at: xs.len(), &xs[at];
    ['a, T: Sync] Rows<'a, T> => &'a [T], rows at: rows.all.len() / rows.width,
        &rows.all[at * rows.width..][..rows.width];
    ['a, T: Copy + Sync] ArrayView1<'a, T> => T, xs at: xs.len(), xs[at];
    ['a, T: Sync] ArrayView2<'a, T> => ArrayView1<'a, T>, xs at: xs.nrows(), (*xs).index_axis_move(Axis(0), at);
}

impl<'a, A, T: Sync> PerElement<A> for &'a Vec<T>
where
    &'a [T]: PerElement<A>,
{
    type Kind = <&'a [T] as PerElement<A>>::Kind;

    fn elements(&self) -> Option<usize> {
        self.as_slice().elements()
    }

    fn at(&self, element: usize) -> A {
        self.as_slice().at(element)
    }
}

impl<'a, A, T: Sync, const N: usize> PerElement<A> for &'a [T; N]
where
    &'a [T]: PerElement<A>,
{
    type Kind = <&'a [T] as PerElement<A>>::Kind;

    fn elements(&self) -> Option<usize> {
        self.as_slice().elements()
    }

    fn at(&self, element: usize) -> A {
        self.as_slice().at(element)
    }
}

/// The inputs of a function that takes `Args`: a tuple with a [`PerElement`] for each argument.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not give each element the arguments `{Args}`",
    note = "inputs are given as a tuple with an entry for each argument, also when there is one: `over((&xs,))`"
)]
pub trait Inputs<Args>: Sync {
    /// The number of elements that each argument is given for, none for shared ones.
    fn lengths(&self) -> Vec<Option<usize>>;

    /// The arguments of an element.
    fn at(&self, element: usize) -> Args;

    /// The arguments of an element, with others in place of those that a device has.
    fn stand_ins(&self, element: usize) -> Args;

    /// For each argument, the list on a device that has those of all elements.
    fn stored(&self) -> Vec<Option<DeviceList>>;

    /// Copies what lies on a device alone to the host.
    ///
    /// # Errors
    /// If the device fails.
    fn fetch(&self) -> Result<(), DeviceError>;
}

/// Inputs of a function with respect to which a sum is differentiated.
pub trait SummedInputs<'a, Args>: Inputs<Args> {
    /// The derivative: for each argument in the shape of its floats, in a list with one for each element if it is mapped over.
    type Gradient;

    /// The values of the arguments that all elements share, none for the others.
    fn shared(&self) -> Vec<Option<Value<'a>>>;

    /// Converts the derivatives, one for each argument.
    ///
    /// # Errors
    /// If a value is of another type.
    fn gradient(parts: Vec<Derivative>) -> Result<Self::Gradient, Mismatch>;
}

/// Implements both for a tuple: a type of arguments, one of inputs, and a number for each entry.
macro_rules! tuple {
    ($($arg:ident $input:ident $number:tt)+) => {
        impl<$($arg, $input: PerElement<$arg>),+> Inputs<($($arg,)+)> for ($($input,)+) {
            fn lengths(&self) -> Vec<Option<usize>> {
                vec![$(self.$number.elements()),+]
            }

            fn at(&self, element: usize) -> ($($arg,)+) {
                ($(self.$number.at(element),)+)
            }

            fn stand_ins(&self, element: usize) -> ($($arg,)+) {
                ($(self.$number.stand_in(element),)+)
            }

            fn stored(&self) -> Vec<Option<DeviceList>> {
                vec![$(self.$number.stored()),+]
            }

            fn fetch(&self) -> Result<(), DeviceError> {
                $(self.$number.fetch()?;)+
                Ok(())
            }
        }

        impl<'a, $($arg: Floats + IntoValue<'a>, $input: PerElement<$arg>),+> SummedInputs<'a, ($($arg,)+)>
            for ($($input,)+)
        {
            type Gradient = ($(<$input::Kind as InputKind>::Gradient<$arg::Of>,)+);

            fn shared(&self) -> Vec<Option<Value<'a>>> {
                vec![$(self.$number.shared().map(IntoValue::into_value)),+]
            }

            fn gradient(parts: Vec<Derivative>) -> Result<Self::Gradient, Mismatch> {
                let mut parts = parts.into_iter();
                let mut next = || parts.next().unwrap_or(Derivative::OfShared(Value::Unit));
                Ok(($(<$input::Kind as InputKind>::gradient::<$arg>(next())?,)+))
            }
        }
    };
}

/// Implements both for the tuples that begin with these entries.
macro_rules! tuples {
    ({$($done:tt)*}) => {};
    ({$($done:tt)*} [$($next:tt)+] $($later:tt)*) => {
        tuple! { $($done)* $($next)+ }
        tuples! { {$($done)* $($next)+} $($later)* }
    };
}

tuples! {
    {} [A IA 0] [B IB 1] [C IC 2] [D ID 3] [E IE 4] [F IF 5] [G IG 6] [H IH 7] [I II 8] [J IJ 9] [K IK 10] [L IL 11]
    [M IM 12] [N IN 13] [O IO 14] [P IP 15]
}

/// The number of elements of inputs of these lengths.
pub(crate) fn len<E: std::error::Error>(lengths: &[Option<usize>]) -> Result<usize, MapError<E>> {
    let mut mapped = lengths.iter().enumerate().filter_map(|(at, len)| Some((at, (*len)?)));
    let (first, len) = mapped.next().ok_or(MapError::NothingMapped)?;
    match mapped.find(|(_, other)| *other != len) {
        Some((other, other_len)) => {
            Err(MapError::Lengths { first, len, what: Input::Argument(other), other_len })
        }
        None => Ok(len),
    }
}
