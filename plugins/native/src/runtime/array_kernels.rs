//! Kernels: vectorised loops over whole arrays of floats.
//!
//! Each loop is compiled for several instruction sets, and the best one of the machine is selected when a
//! process first needs one. Elements are equal to those that evaluators compute, to the bit; operations
//! without a kernel, and other shapes, are left to the evaluators.

use std::sync::Arc;

use overdub_context::Failure;
use overdub_context::ops::{self, Machine, OpDef};
use overdub_context::value::{Array, Scalar, Value};
use overdub_passes::InstructionSet;
use overdub_passes::fast_math::{self, functions};

use crate::runtime::array_powers::{Operand, powers};

/// The number of elements per step: a chunk stays in the first-level cache.
pub(super) const CHUNK: usize = 256;

/// A loop, compiled for each level.
macro_rules! loops {
    ($($name:ident<$T:ident>($d:ident $(, $p:ident: $P:ty)*) $body:block)*) => {$(
        fn $name<$T: Number>(level: InstructionSet, $d: &mut [$T] $(, $p: $P)*) {
            #[inline(always)]
            fn baseline<$T: Number>($d: &mut [$T] $(, $p: $P)*) $body
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2")]
            fn avx2<$T: Number>($d: &mut [$T] $(, $p: $P)*) {
                baseline($d $(, $p)*);
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,avx512f,avx512dq,avx512vl")]
            fn avx512<$T: Number>($d: &mut [$T] $(, $p: $P)*) {
                baseline($d $(, $p)*);
            }
            match level {
                InstructionSet::Baseline => baseline($d $(, $p)*),
                // SAFETY: the machine has the instructions of the level.
                #[cfg(target_arch = "x86_64")]
                InstructionSet::Avx2 => unsafe { avx2($d $(, $p)*) },
                // SAFETY: as above.
                #[cfg(target_arch = "x86_64")]
                InstructionSet::Avx512 => unsafe { avx512($d $(, $p)*) },
            }
        }
    )*};
}

loops! {
    add<T>(d, b: &[T]) { d.iter_mut().zip(b).for_each(|(d, b)| *d = *d + *b) }
    add_one<T>(d, b: T) { d.iter_mut().for_each(|d| *d = *d + b) }
    add_to<T>(d, a: &[T]) { d.iter_mut().zip(a).for_each(|(d, a)| *d = *a + *d) }
    add_to_one<T>(d, a: T) { d.iter_mut().for_each(|d| *d = a + *d) }
    sub<T>(d, b: &[T]) { d.iter_mut().zip(b).for_each(|(d, b)| *d = *d - *b) }
    sub_one<T>(d, b: T) { d.iter_mut().for_each(|d| *d = *d - b) }
    sub_from<T>(d, a: &[T]) { d.iter_mut().zip(a).for_each(|(d, a)| *d = *a - *d) }
    sub_from_one<T>(d, a: T) { d.iter_mut().for_each(|d| *d = a - *d) }
    mul<T>(d, b: &[T]) { d.iter_mut().zip(b).for_each(|(d, b)| *d = *d * *b) }
    mul_one<T>(d, b: T) { d.iter_mut().for_each(|d| *d = *d * b) }
    mul_to<T>(d, a: &[T]) { d.iter_mut().zip(a).for_each(|(d, a)| *d = *a * *d) }
    mul_to_one<T>(d, a: T) { d.iter_mut().for_each(|d| *d = a * *d) }
    div<T>(d, b: &[T]) { d.iter_mut().zip(b).for_each(|(d, b)| *d = *d / *b) }
    div_one<T>(d, b: T) { d.iter_mut().for_each(|d| *d = *d / b) }
    div_of<T>(d, a: &[T]) { d.iter_mut().zip(a).for_each(|(d, a)| *d = *a / *d) }
    div_of_one<T>(d, a: T) { d.iter_mut().for_each(|d| *d = a / *d) }
    neg<T>(d) { d.iter_mut().for_each(|d| *d = -*d) }
    abs<T>(d) { d.iter_mut().for_each(|d| *d = d.magnitude()) }
    sqrt<T>(d) { d.iter_mut().for_each(|d| *d = d.root()) }
    exp<T>(d) { d.iter_mut().for_each(|d| *d = d.by(functions::exp)) }
    ln<T>(d) { d.iter_mut().for_each(|d| *d = d.by(functions::ln)) }
    tanh<T>(d) { d.iter_mut().for_each(|d| *d = d.by(functions::tanh)) }
    sin<T>(d) { near_and_far(d, functions::sin_near, functions::sin) }
    cos<T>(d) { near_and_far(d, functions::cos_near, functions::cos) }
    powf<T>(d, b: &[T]) { powers(d, Operand::Target, Operand::Elems(b)) }
    powf_one<T>(d, b: T) { powers(d, Operand::Target, Operand::One(b)) }
    powf_to<T>(d, a: &[T]) { powers(d, Operand::Elems(a), Operand::Target) }
    powf_to_one<T>(d, a: T) { powers(d, Operand::One(a), Operand::Target) }
}

/// A loop without branches for small angles, then the exact function for the large ones.
#[inline(always)]
fn near_and_far<T: Number>(d: &mut [T], near: impl Fn(f64) -> f64, far: impl Fn(f64) -> f64) {
    let mut before = [T::ZERO; CHUNK];
    for chunk in d.chunks_mut(CHUNK) {
        let before = &mut before[..chunk.len()];
        before.copy_from_slice(chunk);
        chunk.iter_mut().for_each(|x| *x = x.by(&near));
        for (x, before) in chunk.iter_mut().zip(before) {
            if before.is_far() {
                *x = before.by(&far);
            }
        }
    }
}

/// The floats that arrays hold.
pub(super) trait Number:
    Scalar
    + std::ops::Add<Output = Self>
    + std::ops::Sub<Output = Self>
    + std::ops::Mul<Output = Self>
    + std::ops::Div<Output = Self>
    + std::ops::Neg<Output = Self>
{
    const ZERO: Self;
    fn magnitude(self) -> Self;
    fn root(self) -> Self;
    /// Applies a function of `f64`, and rounds the result.
    fn by(self, f: impl Fn(f64) -> f64) -> Self;
    /// Applies a function of two `f64`, and rounds the result.
    fn with(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self;
    fn is_nan(self) -> bool;
    /// Whether the number is an angle beyond [`functions::FAR`].
    fn is_far(self) -> bool;
}

macro_rules! number {
    ($($T:ident)*) => {$(
        impl Number for $T {
            const ZERO: $T = 0.0;

            #[inline(always)]
            fn magnitude(self) -> $T {
                self.abs()
            }

            #[inline(always)]
            fn root(self) -> $T {
                self.sqrt()
            }

            #[inline(always)]
            fn by(self, f: impl Fn(f64) -> f64) -> $T {
                f(self as f64) as $T
            }

            #[inline(always)]
            fn with(self, other: $T, f: impl Fn(f64, f64) -> f64) -> $T {
                f(self as f64, other as f64) as $T
            }

            #[inline(always)]
            fn is_nan(self) -> bool {
                self.is_nan()
            }

            #[inline(always)]
            fn is_far(self) -> bool {
                self.abs() as f64 > functions::FAR
            }
        }
    )*};
}

number! { f64 f32 }

type One<T> = fn(InstructionSet, &mut [T]);

/// The loops for an array and another operand, an array or a number.
type BinaryLoops<T> = (fn(InstructionSet, &mut [T], &[T]), fn(InstructionSet, &mut [T], T));

/// The loops of a binary operation, whose result overwrites one operand.
struct Two<T> {
    /// The result overwrites the first operand.
    first: BinaryLoops<T>,
    /// The result overwrites the second operand.
    second: BinaryLoops<T>,
}

fn one<T: Number>(op: &OpDef) -> Option<One<T>> {
    let loops: [(&OpDef, One<T>); 8] = [
        (&ops::NEG, neg::<T>),
        (&ops::ABS, abs::<T>),
        (&ops::SQRT, sqrt::<T>),
        (&fast_math::EXP_FAST, exp::<T>),
        (&fast_math::LN_FAST, ln::<T>),
        (&fast_math::TANH_FAST, tanh::<T>),
        (&fast_math::SIN_FAST, sin::<T>),
        (&fast_math::COS_FAST, cos::<T>),
    ];
    loops.into_iter().find(|(known, _)| **known == *op).map(|(_, found)| found)
}

fn two<T: Number>(op: &OpDef) -> Option<Two<T>> {
    if *op == ops::ADD {
        Some(Two { first: (add, add_one), second: (add_to, add_to_one) })
    } else if *op == ops::SUB {
        Some(Two { first: (sub, sub_one), second: (sub_from, sub_from_one) })
    } else if *op == ops::MUL {
        Some(Two { first: (mul, mul_one), second: (mul_to, mul_to_one) })
    } else if *op == ops::DIV {
        Some(Two { first: (div, div_one), second: (div_of, div_of_one) })
    } else if *op == fast_math::POWF_FAST {
        Some(Two { first: (powf, powf_one), second: (powf_to, powf_to_one) })
    } else {
        None
    }
}

/// The result of an operation on arrays, if there is a kernel for it.
pub(crate) fn eval(
    op: &OpDef,
    machine: &mut dyn Machine<'static>,
    args: &mut [Value<'static>],
) -> Option<Result<Value<'static>, Failure>> {
    if !args.iter().any(|arg| matches!(arg, Value::Array(_))) {
        return None;
    }
    let level = InstructionSet::best();
    eval_on::<f64>(level, op, machine, args).or_else(|| eval_on::<f32>(level, op, machine, args))
}

fn eval_on<T: Number>(
    level: InstructionSet,
    op: &OpDef,
    machine: &mut dyn Machine<'static>,
    args: &mut [Value<'static>],
) -> Option<Result<Value<'static>, Failure>> {
    match args {
        [x] => {
            let run = one::<T>(op)?;
            written::<T>(machine, x, |elems| run(level, elems))
        }
        [x, y] => {
            let loops = two::<T>(op)?;
            if let (Value::Array(a), Value::Array(b)) = (&*x, &*y)
                && a.shape() != b.shape()
            {
                return None;
            }
            // The result overwrites the first operand if it has no other owner, else the second.
            let (target, other, loops) = match (is_unique(x) || !is_unique(y), &*x) {
                (true, Value::Array(_)) => (x, y, loops.first),
                _ => (y, x, loops.second),
            };
            match other {
                Value::Array(other) => {
                    let other = other.as_slice::<T>()?;
                    written::<T>(machine, target, |elems| loops.0(level, elems, other))
                }
                scalar => {
                    let scalar = T::of_value(scalar)?;
                    written::<T>(machine, target, |elems| loops.1(level, elems, scalar))
                }
            }
        }
        _ => None,
    }
}

fn is_unique(value: &Value<'_>) -> bool {
    matches!(value, Value::Array(array) if Arc::strong_count(array) == 1 && array.bytes_to_write() == 0)
}

/// Overwrites the elements of an array, or of a copy if it has other owners.
fn written<T: Number>(
    machine: &mut dyn Machine<'static>,
    target: &mut Value<'static>,
    write: impl FnOnce(&mut [T]),
) -> Option<Result<Value<'static>, Failure>> {
    let Value::Array(array) = target else { return None };
    array.as_slice::<T>()?;
    let unique: &mut Array<'static> = Arc::make_mut(array);
    if let Err(failure) = machine.reserve(unique.bytes_to_write()) {
        return Some(Err(failure));
    }
    write(unique.to_mut::<T>()?);
    Some(Ok(target.take()))
}

#[cfg(test)]
mod tests {
    use overdub_context::ir::Ty;
    use overdub_context::ops::OpCx;

    use super::*;

    /// Reserves whatever is requested.
    struct Plenty;

    impl<'a> Machine<'a> for Plenty {
        fn call(&mut self, callee: &Value<'a>, _: Vec<Value<'a>>) -> Result<Value<'a>, Failure> {
            unreachable!("arithmetic calls nothing: {callee}")
        }

        fn print(&mut self, _: &str) {}

        fn reserve(&mut self, _: usize) -> Result<(), Failure> {
            Ok(())
        }
    }

    fn floats(len: usize, step: usize) -> Vec<f64> {
        let special = [f64::NAN, -0.0, f64::INFINITY, 1e6, -1e300, 1e-310, 65536.0];
        let ordinary = |k: usize| ((k * step) % 1009) as f64 / 37.0 - 13.0;
        (0..len).map(|k| if k % 17 == 4 { special[k / 17 % 7] } else { ordinary(k) }).collect()
    }

    fn narrow(elems: Vec<f64>) -> Vec<f32> {
        elems.into_iter().map(|x| x as f32).collect()
    }

    fn check<T: Number>(op: &'static OpDef, args: &dyn Fn() -> Vec<Value<'static>>) {
        let ret = Ty::array(T::scalar_ty(), 1);
        let expected =
            (op.eval)(&mut OpCx { ret, machine: &mut Plenty }, &mut args()).expect("it does not fail");
        for level in InstructionSet::all() {
            let got = eval_on::<T>(level, op, &mut Plenty, &mut args()).expect("there is a loop");
            let got = got.expect("it does not fail");
            assert_eq!(format!("{got}"), format!("{expected}"), "{} by {level:?}", op.name);
        }
    }

    #[test]
    fn every_level_computes_what_the_evaluators_compute() {
        for len in [0, 1, 7, 300, 1000] {
            let (x, y) = (floats(len, 7), floats(len, 31));
            for op in [
                &ops::NEG,
                &ops::ABS,
                &ops::SQRT,
                &fast_math::EXP_FAST,
                &fast_math::LN_FAST,
                &fast_math::SIN_FAST,
            ] {
                check::<f64>(op, &|| vec![Value::from(Array::from_vec(x.clone()))]);
                check::<f32>(op, &|| vec![Value::from(Array::from_vec(narrow(x.clone())))]);
            }
            for op in [&ops::ADD, &ops::SUB, &ops::MUL, &ops::DIV, &fast_math::POWF_FAST] {
                let [a, b] = [&x, &y].map(|elems| Value::from(Array::from_vec(elems.clone())));
                let scalar = Value::F64(-1.25);
                // Arrays with one owner are overwritten, shared ones copied.
                check::<f64>(op, &|| {
                    [&x, &y].map(|elems| Value::from(Array::from_vec(elems.clone()))).to_vec()
                });
                check::<f64>(op, &|| vec![a.clone(), b.clone()]);
                check::<f64>(op, &|| vec![a.clone(), Value::from(Array::from_vec(y.clone()))]);
                check::<f64>(op, &|| vec![a.clone(), scalar.clone()]);
                check::<f64>(op, &|| vec![scalar.clone(), b.clone()]);
                check::<f32>(op, &|| vec![Value::F32(2.5), Value::from(Array::from_vec(narrow(y.clone())))]);
            }
        }
    }
}
