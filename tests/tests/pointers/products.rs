//! Products of matrices behind pointers (`matrixmultiply`).

use matrixmultiply::{CGemmOption, dgemm, sgemm, zgemm};

fn sample(n: usize, x: f64) -> Vec<f64> {
    (0..n).map(|k| x * ((k * 37 + 11) % 17) as f64 / 16.0 - ((k * 5) % 7) as f64 / 8.0).collect()
}

fn weighted(c: &[f64]) -> f64 {
    c.iter().enumerate().map(|(k, c)| c * ((k % 5) as f64 - 1.5)).sum()
}

pub fn products_of_doubles(x: f64) -> f64 {
    let mut sum = 0.0;
    for (m, k, n) in [(1, 1, 1), (2, 3, 4), (9, 7, 5), (17, 12, 20), (3, 0, 2)] {
        let (a, b, mut c) = (sample(m * k, x), sample(k * n, 1.5), sample(m * n, x));
        unsafe {
            let (a, b, c) = (a.as_ptr(), b.as_ptr(), c.as_mut_ptr());
            dgemm(m, k, n, 1.5, a, k as isize, 1, b, n as isize, 1, 0.5, c, n as isize, 1);
            dgemm(m, k, n, 1.0, a, 1, m as isize, b, 1, k as isize, 1.0, c, 1, m as isize);
        }
        sum += weighted(&c);
    }
    sum
}

pub fn products_written_over_nothing(x: f64) -> f64 {
    let (a, b) = (sample(48, x), sample(48, x + 1.0));
    let mut c: Vec<f64> = Vec::with_capacity(36);
    unsafe {
        dgemm(6, 8, 6, 2.0, a.as_ptr(), 8, 1, b.as_ptr(), 1, 8, 0.0, c.as_mut_ptr(), 6, 1);
        c.set_len(36);
    }
    weighted(&c)
}

pub fn products_of_complex_numbers(x: f64) -> f64 {
    let pairs = |n: usize, by: f64| -> Vec<[f64; 2]> {
        (0..n).map(|k| [(k as f64 * by) - 3.0, (k as f64 * 1.5).floor() - by]).collect()
    };
    let (a, b, mut c) = (pairs(12, 2.0), pairs(8, 3.0), vec![[x, 2.0]; 6]);
    let (alpha, beta, o) = ([2.0, -1.0], [1.0, 3.0], CGemmOption::Standard);
    unsafe { zgemm(o, o, 3, 4, 2, alpha, a.as_ptr(), 4, 1, b.as_ptr(), 2, 1, beta, c.as_mut_ptr(), 2, 1) };
    c.iter().map(|c| c[0] * x - c[1]).sum()
}

pub fn products_of_singles(x: f64) -> f64 {
    let a: Vec<f32> = sample(30, 2.0).into_iter().map(|x| x as f32).collect();
    let b: Vec<f32> = sample(42, 0.5).into_iter().map(|x| x as f32).collect();
    let mut c = vec![f32::NAN; 35];
    unsafe { sgemm(5, 6, 7, 1.0, a.as_ptr(), 6, 1, b.as_ptr(), 7, 1, 0.0, c.as_mut_ptr(), 7, 1) };
    c.iter().map(|c| f64::from(*c) * x).sum()
}
