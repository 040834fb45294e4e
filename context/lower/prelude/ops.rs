//! Operators and calls.

pub use crate::range::{Range, RangeBounds, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

macro_rules! operator_traits {
    ($($lang:literal $Trait:ident $method:ident, $lang_assign:literal $Assign:ident $assign:ident;)*) => {$(
        #[lang($lang)]
        pub trait $Trait<Rhs = Self> {
            type Output;
            fn $method(self, rhs: Rhs) -> Self::Output;
        }

        #[lang($lang_assign)]
        pub trait $Assign<Rhs = Self> {
            fn $assign(&mut self, rhs: Rhs);
        }
    )*};
}

operator_traits! {
    "add" Add add, "add_assign" AddAssign add_assign;
    "sub" Sub sub, "sub_assign" SubAssign sub_assign;
    "mul" Mul mul, "mul_assign" MulAssign mul_assign;
    "div" Div div, "div_assign" DivAssign div_assign;
    "rem" Rem rem, "rem_assign" RemAssign rem_assign;
    "bit_and" BitAnd bitand, "bit_and_assign" BitAndAssign bitand_assign;
    "bit_or" BitOr bitor, "bit_or_assign" BitOrAssign bitor_assign;
    "bit_xor" BitXor bitxor, "bit_xor_assign" BitXorAssign bitxor_assign;
    "shl" Shl shl, "shl_assign" ShlAssign shl_assign;
    "shr" Shr shr, "shr_assign" ShrAssign shr_assign;
}

#[lang("neg")]
pub trait Neg {
    type Output;
    fn neg(self) -> Self::Output;
}

#[lang("not")]
pub trait Not {
    type Output;
    fn not(self) -> Self::Output;
}

#[lang("index")]
pub trait Index<Idx: ?Sized> {
    type Output: ?Sized;
    fn index(&self, index: Idx) -> &Self::Output;
}

#[lang("index_mut")]
pub trait IndexMut<Idx: ?Sized>: Index<Idx> {
    fn index_mut(&mut self, index: Idx) -> &mut Self::Output;
}

#[lang("deref")]
pub trait Deref {
    type Target: ?Sized;
    fn deref(&self) -> &Self::Target;
}

#[lang("deref_mut")]
pub trait DerefMut: Deref {
    fn deref_mut(&mut self) -> &mut Self::Target;
}

#[lang("drop")]
pub trait Drop {
    fn drop(&mut self);
}

#[lang("fn_once")]
pub trait FnOnce<Args> {
    type Output;
    fn call_once(self, args: Args) -> Self::Output;
}

#[lang("fn_mut")]
pub trait FnMut<Args>: FnOnce<Args> {
    fn call_mut(&mut self, args: Args) -> Self::Output;
}

#[lang("fn")]
pub trait Fn<Args>: FnMut<Args> {
    fn call(&self, args: Args) -> Self::Output;
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bound<T> {
    Included(T),
    Excluded(T),
    Unbounded,
}

impl<T> Bound<T> {
    pub fn as_ref(&self) -> Bound<&T> {
        match self {
            Bound::Included(x) => Bound::Included(x),
            Bound::Excluded(x) => Bound::Excluded(x),
            Bound::Unbounded => Bound::Unbounded,
        }
    }

    pub fn map<U, F: FnOnce(T) -> U>(self, f: F) -> Bound<U> {
        match self {
            Bound::Included(x) => Bound::Included(f(x)),
            Bound::Excluded(x) => Bound::Excluded(f(x)),
            Bound::Unbounded => Bound::Unbounded,
        }
    }
}

impl<T: Clone> Bound<&T> {
    pub fn cloned(self) -> Bound<T> {
        self.map(|x| T::clone(x))
    }
}

#[lang("control_flow")]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ControlFlow<B, C = ()> {
    Continue(C),
    Break(B),
}

impl<B, C> ControlFlow<B, C> {
    pub fn is_break(&self) -> bool {
        matches!(*self, ControlFlow::Break(_))
    }

    pub fn is_continue(&self) -> bool {
        matches!(*self, ControlFlow::Continue(_))
    }

    pub fn break_value(self) -> Option<B> {
        match self {
            ControlFlow::Continue(_) => None,
            ControlFlow::Break(x) => Some(x),
        }
    }

    pub fn continue_value(self) -> Option<C> {
        match self {
            ControlFlow::Continue(x) => Some(x),
            ControlFlow::Break(_) => None,
        }
    }

    pub fn map_continue<T, F: FnOnce(C) -> T>(self, f: F) -> ControlFlow<B, T> {
        match self {
            ControlFlow::Continue(x) => ControlFlow::Continue(f(x)),
            ControlFlow::Break(x) => ControlFlow::Break(x),
        }
    }

    pub fn map_break<T, F: FnOnce(B) -> T>(self, f: F) -> ControlFlow<T, C> {
        match self {
            ControlFlow::Continue(x) => ControlFlow::Continue(x),
            ControlFlow::Break(x) => ControlFlow::Break(f(x)),
        }
    }
}

/// The types that `?` and the `try_` methods of iterators work on.
pub trait Try: Sized {
    type Output;
    type Residual;
    fn from_output(output: Self::Output) -> Self;
    fn from_residual(residual: Self::Residual) -> Self;
    fn branch(self) -> ControlFlow<Self::Residual, Self::Output>;
}

impl<B, C> Try for ControlFlow<B, C> {
    type Output = C;
    type Residual = ControlFlow<B, crate::convert::Infallible>;

    fn from_output(output: C) -> Self {
        ControlFlow::Continue(output)
    }

    fn from_residual(residual: Self::Residual) -> Self {
        match residual {
            ControlFlow::Break(b) => ControlFlow::Break(b),
            ControlFlow::Continue(never) => match never {},
        }
    }

    fn branch(self) -> ControlFlow<Self::Residual, C> {
        match self {
            ControlFlow::Continue(c) => ControlFlow::Continue(c),
            ControlFlow::Break(b) => ControlFlow::Break(ControlFlow::Break(b)),
        }
    }
}

impl<T: ?Sized> Deref for &T {
    type Target = T;
    #[op("id")]
    fn deref(&self) -> &T;
}

impl<T: ?Sized> Deref for &mut T {
    type Target = T;

    fn deref(&self) -> &T {
        &**self
    }
}

impl<T: ?Sized> DerefMut for &mut T {
    fn deref_mut(&mut self) -> &mut T {
        &mut **self
    }
}

macro_rules! binary {
    ($Trait:ident $method:ident $Assign:ident $assign:ident $op:literal: $($T:ident)*) => {$(
        impl $Trait for $T {
            type Output = $T;
            #[op($op)]
            fn $method(self, rhs: $T) -> $T;
        }

        impl $Trait<&$T> for $T {
            type Output = $T;
            #[op($op)]
            fn $method(self, rhs: &$T) -> $T;
        }

        impl $Trait<$T> for &$T {
            type Output = $T;
            #[op($op)]
            fn $method(self, rhs: $T) -> $T;
        }

        impl $Trait<&$T> for &$T {
            type Output = $T;
            #[op($op)]
            fn $method(self, rhs: &$T) -> $T;
        }

        impl $Assign for $T {
            #[op($op)]
            fn $assign(&mut self, rhs: $T);
        }

        impl $Assign<&$T> for $T {
            #[op($op)]
            fn $assign(&mut self, rhs: &$T);
        }
    )*};
}

macro_rules! unary {
    ($Trait:ident $method:ident $op:literal: $($T:ident)*) => {$(
        impl $Trait for $T {
            type Output = $T;
            #[op($op)]
            fn $method(self) -> $T;
        }

        impl $Trait for &$T {
            type Output = $T;
            #[op($op)]
            fn $method(self) -> $T;
        }
    )*};
}

macro_rules! shift {
    ($Trait:ident $method:ident $Assign:ident $assign:ident $op:literal: $($T:ident)*) => {$(
        shift_by! { $Trait $method $Assign $assign $op $T: i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }
    )*};
}

macro_rules! shift_by {
    ($Trait:ident $method:ident $Assign:ident $assign:ident $op:literal $T:ident: $($By:ident)*) => {$(
        impl $Trait<$By> for $T {
            type Output = $T;
            #[op($op)]
            fn $method(self, by: $By) -> $T;
        }

        impl $Trait<&$By> for $T {
            type Output = $T;
            #[op($op)]
            fn $method(self, by: &$By) -> $T;
        }

        impl $Trait<$By> for &$T {
            type Output = $T;
            #[op($op)]
            fn $method(self, by: $By) -> $T;
        }

        impl $Trait<&$By> for &$T {
            type Output = $T;
            #[op($op)]
            fn $method(self, by: &$By) -> $T;
        }

        impl $Assign<$By> for $T {
            #[op($op)]
            fn $assign(&mut self, by: $By);
        }

        impl $Assign<&$By> for $T {
            #[op($op)]
            fn $assign(&mut self, by: &$By);
        }
    )*};
}

#[impls(Add, AddAssign)]
binary! { Add add AddAssign add_assign "add": f64 f32 i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }
#[impls(Sub, SubAssign)]
binary! { Sub sub SubAssign sub_assign "sub": f64 f32 i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }
#[impls(Mul, MulAssign)]
binary! { Mul mul MulAssign mul_assign "mul": f64 f32 i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }
#[impls(Div, DivAssign)]
binary! { Div div DivAssign div_assign "div": f64 f32 i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }
#[impls(Rem, RemAssign)]
binary! { Rem rem RemAssign rem_assign "rem": f64 f32 i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }
#[impls(BitAnd, BitAndAssign)]
binary! { BitAnd bitand BitAndAssign bitand_assign "and": bool i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }
#[impls(BitOr, BitOrAssign)]
binary! { BitOr bitor BitOrAssign bitor_assign "or": bool i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }
#[impls(BitXor, BitXorAssign)]
binary! { BitXor bitxor BitXorAssign bitxor_assign "xor": bool i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }
#[impls(Neg)]
unary! { Neg neg "neg": f64 f32 i8 i16 i32 i64 i128 isize }
#[impls(Not)]
unary! { Not not "not": bool i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }
#[impls(Shl, ShlAssign)]
shift! { Shl shl ShlAssign shl_assign "shl": i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }
#[impls(Shr, ShrAssign)]
shift! { Shr shr ShrAssign shr_assign "shr": i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }

impl Add<&str> for String {
    type Output = String;
    #[op("str.concat")]
    fn add(self, rhs: &str) -> String;
}

impl AddAssign<&str> for String {
    #[op("str.concat")]
    fn add_assign(&mut self, rhs: &str);
}
