//! The loop over whole arrays for powers.

use overdub_passes::fast_math::powers::{powf, powf_near};

use crate::runtime::array_kernels::{CHUNK, Number};

/// The bases or the exponents.
pub(super) enum Operand<'a, T> {
    /// The elements that the results overwrite.
    Target,
    Elems(&'a [T]),
    /// The same for all.
    One(T),
}

impl<T: Number> Operand<'_, T> {
    /// Copies those of a chunk, from this index on.
    #[inline(always)]
    fn copy(&self, to: &mut [T], target: &[T], from: usize) {
        match self {
            Operand::Target => to.copy_from_slice(target),
            Operand::Elems(elems) => to.copy_from_slice(&elems[from..from + to.len()]),
            Operand::One(x) => to.fill(*x),
        }
    }
}

/// A loop without branches for each chunk, then the elements that it leaves out.
#[inline(always)]
pub(super) fn powers<T: Number>(d: &mut [T], bases: Operand<'_, T>, exponents: Operand<'_, T>) {
    let (mut x, mut y) = ([T::ZERO; CHUNK], [T::ZERO; CHUNK]);
    for (number, d) in d.chunks_mut(CHUNK).enumerate() {
        let (x, y) = (&mut x[..d.len()], &mut y[..d.len()]);
        bases.copy(x, d, number * CHUNK);
        exponents.copy(y, d, number * CHUNK);
        for ((d, x), y) in d.iter_mut().zip(&*x).zip(&*y) {
            *d = x.with(*y, powf_near);
        }
        if d.iter().fold(false, |any, d| any | d.is_nan()) {
            for ((d, x), y) in d.iter_mut().zip(&*x).zip(&*y) {
                if d.is_nan() {
                    *d = x.with(*y, powf);
                }
            }
        }
    }
}
