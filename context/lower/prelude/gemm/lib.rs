//! The crate `gemm` as programs see it: products of matrices behind pointers, whose original asks the machine for the sizes of
//! its caches.

use std::any::TypeId;

use matrixmultiply::strided::{Strided, complex, real};

/// How many threads compute; a program has one.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Parallelism {
    None,
    Rayon(usize),
}

pub const DEFAULT_THREADING_THRESHOLD: usize = 48 * 48 * 256;

/// The number of products from which on several threads compute.
pub fn get_threading_threshold() -> usize {
    DEFAULT_THREADING_THRESHOLD
}

/// `dst = alpha dst + beta lhs rhs`, of real or complex numbers; `dst` is not read unless `read_dst`.
pub unsafe fn gemm<T: 'static>(
    m: usize,
    n: usize,
    k: usize,
    dst: *mut T,
    dst_cs: isize,
    dst_rs: isize,
    read_dst: bool,
    lhs: *const T,
    lhs_cs: isize,
    lhs_rs: isize,
    rhs: *const T,
    rhs_cs: isize,
    rhs_rs: isize,
    alpha: T,
    beta: T,
    conj_dst: bool,
    conj_lhs: bool,
    conj_rhs: bool,
    _parallelism: Parallelism,
) {
    assert!(!conj_dst, "a destination that is conjugated has no meaning here");
    macro_rules! product {
        ($module:ident $T:ident as $Elem:ty $(, $conj:expr)?) => {{
            let a = Strided { first: lhs as *const $Elem, row: lhs_rs, column: lhs_cs };
            let b = Strided { first: rhs as *const $Elem, row: rhs_rs, column: rhs_cs };
            let c = Strided { first: dst as *mut $Elem, row: dst_rs, column: dst_cs };
            let (scale, old) = (std::mem::transmute_copy(&beta), std::mem::transmute_copy(&alpha));
            $module::$T((m, k, n), scale, (a, b), $($conj,)? if read_dst { Some(old) } else { None }, c)
        }};
    }
    if TypeId::of::<T>() == TypeId::of::<f64>() {
        product!(real f64 as f64)
    } else if TypeId::of::<T>() == TypeId::of::<f32>() {
        product!(real f32 as f32)
    } else if std::mem::size_of::<T>() == 16 {
        product!(complex f64 as [f64; 2], (conj_lhs, conj_rhs))
    } else {
        product!(complex f32 as [f32; 2], (conj_lhs, conj_rhs))
    }
}
