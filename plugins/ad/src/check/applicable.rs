//! Values of proptest strategies as arguments of functions.

use std::fmt::Debug;

use overdub_context::value::{Lend, Value};

/// A value for a parameter of type `Param`: of that type, a `Vec` if a slice is borrowed, a `String` if text is.
#[diagnostic::on_unimplemented(
    message = "a strategy for `{Self}` does not suit a parameter of type `{Param}`",
    note = "a slice suits a `Vec`, `&str` a `String`, a reference what it refers to"
)]
pub trait Applicable<Param>: Debug {
    /// The argument's value.
    fn value(&self) -> Value<'static>;
}

impl<T: Lend + Debug> Applicable<T> for T {
    fn value(&self) -> Value<'static> {
        self.lend().into_owned()
    }
}

impl<T: Lend + Debug> Applicable<&T> for T {
    fn value(&self) -> Value<'static> {
        self.lend().into_owned()
    }
}

impl Applicable<&str> for String {
    fn value(&self) -> Value<'static> {
        self.lend().into_owned()
    }
}

impl<T: Lend + Debug> Applicable<&mut T> for T {
    fn value(&self) -> Value<'static> {
        self.lend().into_owned()
    }
}

impl<T: Lend + Debug> Applicable<&[T]> for Vec<T> {
    fn value(&self) -> Value<'static> {
        self.lend().into_owned()
    }
}

impl<T: Lend + Debug> Applicable<&mut [T]> for Vec<T> {
    fn value(&self) -> Value<'static> {
        self.lend().into_owned()
    }
}

impl<T: Lend + Debug, const N: usize> Applicable<&[T]> for [T; N] {
    fn value(&self) -> Value<'static> {
        self.lend().into_owned()
    }
}

/// A tuple of values for the parameters of a function.
pub trait ApplicableAll<Args>: Debug {
    /// The values.
    fn values(&self) -> Vec<Value<'static>>;
}

macro_rules! tuples {
    ($($($part:ident $param:ident $number:tt)+;)*) => {$(
        impl<$($part: Applicable<$param>, $param),+> ApplicableAll<($($param,)+)> for ($($part,)+) {
            fn values(&self) -> Vec<Value<'static>> {
                vec![$(Applicable::<$param>::value(&self.$number)),+]
            }
        }
    )*};
}

// As many as there are tuples of strategies.
tuples! {
    A P 0;
    A P 0 B Q 1;
    A P 0 B Q 1 C R 2;
    A P 0 B Q 1 C R 2 D S 3;
    A P 0 B Q 1 C R 2 D S 3 E T 4;
    A P 0 B Q 1 C R 2 D S 3 E T 4 F U 5;
    A P 0 B Q 1 C R 2 D S 3 E T 4 F U 5 G V 6;
    A P 0 B Q 1 C R 2 D S 3 E T 4 F U 5 G V 6 H W 7;
    A P 0 B Q 1 C R 2 D S 3 E T 4 F U 5 G V 6 H W 7 I X 8;
    A P 0 B Q 1 C R 2 D S 3 E T 4 F U 5 G V 6 H W 7 I X 8 J Y 9;
    A P 0 B Q 1 C R 2 D S 3 E T 4 F U 5 G V 6 H W 7 I X 8 J Y 9 K Z 10;
    A P 0 B Q 1 C R 2 D S 3 E T 4 F U 5 G V 6 H W 7 I X 8 J Y 9 K Z 10 L O 11;
}
