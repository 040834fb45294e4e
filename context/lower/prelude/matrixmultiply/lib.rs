//! The crate `matrixmultiply` as programs see it: products of matrices behind pointers, whose original packs them into bytes.
//! The product of real matrices is the engine's, which is computed by that crate.

pub mod strided;

use strided::{Strided, complex, real};

/// Whether a complex factor is conjugated; it never is.
#[derive(Copy, Clone, Debug)]
pub enum CGemmOption {
    Standard,
}

macro_rules! products {
    ($($gemm:ident: $T:ident;)*) => {$(
        /// `C = alpha A B + beta C`; what `C` holds is not read if `beta` is zero.
        pub unsafe fn $gemm(
            m: usize, k: usize, n: usize,
            alpha: $T,
            a: *const $T, rsa: isize, csa: isize,
            b: *const $T, rsb: isize, csb: isize,
            beta: $T,
            c: *mut $T, rsc: isize, csc: isize,
        ) {
            let a = Strided { first: a, row: rsa, column: csa };
            let b = Strided { first: b, row: rsb, column: csb };
            let c = Strided { first: c, row: rsc, column: csc };
            real::$T((m, k, n), alpha, (a, b), if beta == 0.0 { None } else { Some(beta) }, c)
        }
    )*};
}

products! {
    sgemm: f32;
    dgemm: f64;
}

macro_rules! complex_products {
    ($($gemm:ident: $T:ident;)*) => {$(
        /// As for real numbers, of pairs of a real and an imaginary part.
        pub unsafe fn $gemm(
            _: CGemmOption, _: CGemmOption,
            m: usize, k: usize, n: usize,
            alpha: [$T; 2],
            a: *const [$T; 2], rsa: isize, csa: isize,
            b: *const [$T; 2], rsb: isize, csb: isize,
            beta: [$T; 2],
            c: *mut [$T; 2], rsc: isize, csc: isize,
        ) {
            let a = Strided { first: a, row: rsa, column: csa };
            let b = Strided { first: b, row: rsb, column: csb };
            let c = Strided { first: c, row: rsc, column: csc };
            let beta = if beta == [0.0, 0.0] { None } else { Some(beta) };
            complex::$T((m, k, n), alpha, (a, b), (false, false), beta, c)
        }
    )*};
}

complex_products! {
    cgemm: f32;
    zgemm: f64;
}
