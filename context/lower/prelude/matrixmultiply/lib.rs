//! The crate `matrixmultiply` as programs see it: products of matrices behind pointers, whose original packs them into bytes.
//! The product itself is the engine's, which is computed by that crate.

use ndarray::Array2;

/// Whether a complex factor is conjugated; it never is.
#[derive(Copy, Clone, Debug)]
pub enum CGemmOption {
    Standard,
}

/// A matrix behind a pointer: element `(i, j)` is `i` row steps and `j` column steps behind the first one.
#[derive(Clone, Copy)]
struct Strided<T> {
    first: T,
    row: isize,
    column: isize,
}

unsafe fn read<T: Copy>(a: Strided<*const T>, rows: usize, columns: usize) -> Array2<T> {
    let mut elems = Vec::with_capacity(rows * columns);
    for i in 0..rows as isize {
        for j in 0..columns as isize {
            elems.push(*a.first.offset(i * a.row + j * a.column));
        }
    }
    Array2::from_shape_vec((rows, columns), elems).unwrap()
}

macro_rules! products {
    ($($gemm:ident: $T:ty;)*) => {$(
        /// `C = alpha A B + beta C`; what `C` holds is not read if `beta` is zero.
        pub unsafe fn $gemm(
            m: usize, k: usize, n: usize,
            alpha: $T,
            a: *const $T, rsa: isize, csa: isize,
            b: *const $T, rsb: isize, csb: isize,
            beta: $T,
            c: *mut $T, rsc: isize, csc: isize,
        ) {
            let a = read(Strided { first: a, row: rsa, column: csa }, m, k);
            let b = read(Strided { first: b, row: rsb, column: csb }, k, n);
            let product = a.dot(&b);
            for i in 0..m {
                for j in 0..n {
                    let place = c.offset(i as isize * rsc + j as isize * csc);
                    let scaled = alpha * product[(i, j)];
                    if beta == 0.0 {
                        place.write(scaled);
                    } else {
                        *place = beta * *place + scaled;
                    }
                }
            }
        }
    )*};
}

products! {
    sgemm: f32;
    dgemm: f64;
}

macro_rules! complex_products {
    ($($gemm:ident: $T:ty;)*) => {$(
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
            let mul = |x: [$T; 2], y: [$T; 2]| [x[0] * y[0] - x[1] * y[1], x[0] * y[1] + x[1] * y[0]];
            for i in 0..m as isize {
                for j in 0..n as isize {
                    let mut sum = [0.0, 0.0];
                    for p in 0..k as isize {
                        let term = mul(*a.offset(i * rsa + p * csa), *b.offset(p * rsb + j * csb));
                        sum = [sum[0] + term[0], sum[1] + term[1]];
                    }
                    let place = c.offset(i * rsc + j * csc);
                    let scaled = mul(alpha, sum);
                    if beta == [0.0, 0.0] {
                        place.write(scaled);
                    } else {
                        let old = mul(beta, *place);
                        *place = [old[0] + scaled[0], old[1] + scaled[1]];
                    }
                }
            }
        }
    )*};
}

complex_products! {
    cgemm: f32;
    zgemm: f64;
}
