//! Numbers as types, as the crate `typenum` has them.

use std::{
    marker::PhantomData,
    ops::{Add, Mul},
};
#[derive(Clone, Copy)]
pub struct B0;
#[derive(Clone, Copy)]
pub struct B1;
pub trait Bit {
    const N: u128;
    fn new() -> Self;
}
impl Bit for B0 {
    const N: u128 = 0;
    fn new() -> Self {
        B0
    }
}
impl Bit for B1 {
    const N: u128 = 1;
    fn new() -> Self {
        B1
    }
}
#[derive(Clone, Copy)]
pub struct UTerm;
#[derive(Clone, Copy)]
pub struct UInt<U, B>(PhantomData<(U, B)>);
pub trait Unsigned {
    const V: u128;
}
impl Unsigned for UTerm {
    const V: u128 = 0;
}
impl<U: Unsigned, B: Bit> Unsigned for UInt<U, B> {
    const V: u128 = U::V * 2 + B::N;
}
type Sum<A, B> = <A as Add<B>>::Output;
type Prod<A, B> = <A as Mul<B>>::Output;
type Square<A> = <A as Mul>::Output;
impl<U: Unsigned> Add<U> for UTerm {
    type Output = U;
    fn add(self, u: U) -> U {
        u
    }
}
impl<U: Unsigned, B: Bit> Add<UTerm> for UInt<U, B> {
    type Output = UInt<U, B>;
    fn add(self, _: UTerm) -> Self::Output {
        UInt(PhantomData)
    }
}
impl Add<B1> for UTerm {
    type Output = UInt<UTerm, B1>;
    fn add(self, _: B1) -> Self::Output {
        UInt(PhantomData)
    }
}
impl<U: Unsigned> Add<B1> for UInt<U, B0> {
    type Output = UInt<U, B1>;
    fn add(self, _: B1) -> Self::Output {
        UInt(PhantomData)
    }
}
impl<U> Add<B1> for UInt<U, B1>
where
    U: Add<B1> + Unsigned,
    Sum<U, B1>: Unsigned,
{
    type Output = UInt<Sum<U, B1>, B0>;
    fn add(self, _: B1) -> Self::Output {
        UInt(PhantomData)
    }
}
impl<Ul: Unsigned, Ur: Unsigned> Add<UInt<Ur, B0>> for UInt<Ul, B0>
where
    Ul: Add<Ur>,
{
    type Output = UInt<Sum<Ul, Ur>, B0>;
    fn add(self, _: UInt<Ur, B0>) -> Self::Output {
        UInt(PhantomData)
    }
}
impl<Ul: Unsigned, Ur: Unsigned> Add<UInt<Ur, B1>> for UInt<Ul, B0>
where
    Ul: Add<Ur>,
{
    type Output = UInt<Sum<Ul, Ur>, B1>;
    fn add(self, _: UInt<Ur, B1>) -> Self::Output {
        UInt(PhantomData)
    }
}
impl<Ul: Unsigned, Ur: Unsigned> Add<UInt<Ur, B0>> for UInt<Ul, B1>
where
    Ul: Add<Ur>,
{
    type Output = UInt<Sum<Ul, Ur>, B1>;
    fn add(self, _: UInt<Ur, B0>) -> Self::Output {
        UInt(PhantomData)
    }
}
impl<Ul: Unsigned, Ur: Unsigned> Add<UInt<Ur, B1>> for UInt<Ul, B1>
where
    Ul: Add<Ur>,
    Sum<Ul, Ur>: Add<B1>,
{
    type Output = UInt<Sum<Sum<Ul, Ur>, B1>, B0>;
    fn add(self, _: UInt<Ur, B1>) -> Self::Output {
        UInt(PhantomData)
    }
}
impl<U: Unsigned> Mul<U> for UTerm {
    type Output = UTerm;
    fn mul(self, _: U) -> UTerm {
        UTerm
    }
}
impl<U: Unsigned, B: Bit> Mul<UTerm> for UInt<U, B> {
    type Output = UTerm;
    fn mul(self, _: UTerm) -> UTerm {
        UTerm
    }
}
impl<Ul: Unsigned, B: Bit, Ur: Unsigned> Mul<UInt<Ur, B>> for UInt<Ul, B0>
where
    Ul: Mul<UInt<Ur, B>>,
{
    type Output = UInt<Prod<Ul, UInt<Ur, B>>, B0>;
    fn mul(self, _: UInt<Ur, B>) -> Self::Output {
        UInt(PhantomData)
    }
}
impl<Ul: Unsigned, B: Bit, Ur: Unsigned> Mul<UInt<Ur, B>> for UInt<Ul, B1>
where
    Ul: Mul<UInt<Ur, B>>,
    UInt<Prod<Ul, UInt<Ur, B>>, B0>: Add<UInt<Ur, B>>,
{
    type Output = Sum<UInt<Prod<Ul, UInt<Ur, B>>, B0>, UInt<Ur, B>>;
    fn mul(self, _: UInt<Ur, B>) -> Self::Output {
        panic!("numbers that are types have no values")
    }
}
pub trait Pow<E> {
    type Output;
}
pub trait PrivatePow<Y, N> {
    type Output;
}
impl<X: Unsigned, N: Unsigned> Pow<N> for X
where
    X: PrivatePow<U1, N>,
{
    type Output = <X as PrivatePow<U1, N>>::Output;
}
impl<Y: Unsigned, X: Unsigned> PrivatePow<Y, UTerm> for X {
    type Output = Y;
}
impl<Y: Unsigned, X: Unsigned> PrivatePow<Y, U1> for X
where
    X: Mul<Y>,
{
    type Output = Prod<X, Y>;
}
impl<Y: Unsigned, U: Unsigned, B: Bit, X: Unsigned> PrivatePow<Y, UInt<UInt<U, B>, B0>> for X
where
    X: Mul,
    Square<X>: PrivatePow<Y, UInt<U, B>>,
{
    type Output = <Square<X> as PrivatePow<Y, UInt<U, B>>>::Output;
}
impl<Y: Unsigned, U: Unsigned, B: Bit, X: Unsigned> PrivatePow<Y, UInt<UInt<U, B>, B1>> for X
where
    X: Mul + Mul<Y>,
    Square<X>: PrivatePow<Prod<X, Y>, UInt<U, B>>,
{
    type Output = <Square<X> as PrivatePow<Prod<X, Y>, UInt<U, B>>>::Output;
}
type U1 = UInt<UTerm, B1>;
type U2 = UInt<U1, B0>;
type U8 = UInt<UInt<U2, B0>, B0>;
type U256 = UInt<UInt<UInt<UInt<UInt<U8, B0>, B0>, B0>, B0>, B0>;

pub fn powers(x: f64) -> f64 {
    let square = <<U256 as Pow<U2>>::Output as Unsigned>::V;
    let cube = <<U8 as Pow<UInt<U1, B1>>>::Output as Unsigned>::V;
    x * square as f64 + cube as f64
}
