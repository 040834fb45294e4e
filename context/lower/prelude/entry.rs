//! What external callers pass and receive for values that only a program can make: those with pointers to their own memory, and
//! views of memory of the caller.

/// A type whose values external callers pass as others. A crate of the registry that is not replaced has its
/// implementations in a file of this prelude that is loaded with it.
#[lang("entry")]
pub trait Entry {
    /// What is passed.
    type Passed;

    /// Converts an argument.
    fn enter(passed: Self::Passed) -> Self;

    /// Converts a result.
    fn leave(self) -> Self::Passed;
}

macro_rules! themselves {
    ($($T:ty)*) => {$(
        impl Entry for $T {
            type Passed = $T;

            fn enter(passed: $T) -> $T {
                passed
            }

            fn leave(self) -> $T {
                self
            }
        }
    )*};
}

#[impls(Entry)]
themselves! { () bool char f32 f64 i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize String }

impl<T: Entry> Entry for Box<T> {
    type Passed = Box<T::Passed>;

    fn enter(passed: Box<T::Passed>) -> Box<T> {
        Box::new(T::enter(*passed))
    }

    fn leave(self) -> Box<T::Passed> {
        Box::new((*self).leave())
    }
}

impl<T: Entry> Entry for Vec<T> {
    type Passed = Vec<T::Passed>;

    fn enter(passed: Vec<T::Passed>) -> Vec<T> {
        passed.into_iter().map(T::enter).collect()
    }

    fn leave(self) -> Vec<T::Passed> {
        self.into_iter().map(T::leave).collect()
    }
}

impl<T: Entry, const N: usize> Entry for [T; N] {
    type Passed = [T::Passed; N];

    fn enter(passed: [T::Passed; N]) -> [T; N] {
        passed.map(T::enter)
    }

    fn leave(self) -> [T::Passed; N] {
        self.map(T::leave)
    }
}

impl<T: Entry> Entry for Option<T> {
    type Passed = Option<T::Passed>;

    fn enter(passed: Option<T::Passed>) -> Option<T> {
        passed.map(T::enter)
    }

    fn leave(self) -> Option<T::Passed> {
        self.map(T::leave)
    }
}

impl<T: Entry, E> Entry for Result<T, E> {
    type Passed = Result<T::Passed, E>;

    fn enter(passed: Result<T::Passed, E>) -> Result<T, E> {
        passed.map(T::enter)
    }

    fn leave(self) -> Result<T::Passed, E> {
        self.map(T::leave)
    }
}
