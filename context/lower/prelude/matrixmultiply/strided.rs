//! Matrices behind pointers, and their products.

use ndarray::Array2;

/// Element `(i, j)` is `i` row steps and `j` column steps behind the first one.
#[derive(Clone, Copy)]
pub struct Strided<P> {
    pub first: P,
    pub row: isize,
    pub column: isize,
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

macro_rules! real {
    ($($T:ident)*) => {$(
        /// `C = alpha A B + beta C`; what `C` holds is not read if `beta` is none.
        pub unsafe fn $T(
            (m, k, n): (usize, usize, usize),
            alpha: $T,
            (a, b): (Strided<*const $T>, Strided<*const $T>),
            beta: Option<$T>,
            c: Strided<*mut $T>,
        ) {
            let product = read(a, m, k).dot(&read(b, k, n));
            for i in 0..m {
                for j in 0..n {
                    let place = c.first.offset(i as isize * c.row + j as isize * c.column);
                    let scaled = alpha * product[(i, j)];
                    match beta {
                        Some(beta) => *place = beta * *place + scaled,
                        None => place.write(scaled),
                    }
                }
            }
        }
    )*};
}

/// Products of real matrices.
pub mod real {
    use super::{Strided, read};

    real! { f32 f64 }
}

macro_rules! complex {
    ($($T:ident)*) => {$(
        /// As for real numbers, of pairs of a real and an imaginary part; factors may be conjugated.
        pub unsafe fn $T(
            (m, k, n): (usize, usize, usize),
            alpha: [$T; 2],
            (a, b): (Strided<*const [$T; 2]>, Strided<*const [$T; 2]>),
            (conj_a, conj_b): (bool, bool),
            beta: Option<[$T; 2]>,
            c: Strided<*mut [$T; 2]>,
        ) {
            let mul = |x: [$T; 2], y: [$T; 2]| [x[0] * y[0] - x[1] * y[1], x[0] * y[1] + x[1] * y[0]];
            let factor = |x: [$T; 2], conj: bool| if conj { [x[0], -x[1]] } else { x };
            for i in 0..m as isize {
                for j in 0..n as isize {
                    let mut sum = [0.0, 0.0];
                    for p in 0..k as isize {
                        let x = factor(*a.first.offset(i * a.row + p * a.column), conj_a);
                        let y = factor(*b.first.offset(p * b.row + j * b.column), conj_b);
                        let term = mul(x, y);
                        sum = [sum[0] + term[0], sum[1] + term[1]];
                    }
                    let place = c.first.offset(i * c.row + j * c.column);
                    let scaled = mul(alpha, sum);
                    match beta {
                        Some(beta) => {
                            let old = mul(beta, *place);
                            *place = [old[0] + scaled[0], old[1] + scaled[1]];
                        }
                        None => place.write(scaled),
                    }
                }
            }
        }
    )*};
}

/// Products of complex matrices.
pub mod complex {
    use super::Strided;

    complex! { f32 f64 }
}
