// test grad f
// grad: f([[2.0, 0.0], [0.0, 4.0]]) == [[[-0.25, -0.125], [-0.125, -0.0625]]]
use ndarray::Array2;
use overdub_context::linalg::ops;

pub fn f(a: &Array2<f64>) -> f64 {
    ops::sum(&ops::inv(a))
}
// ---
// fn @"f{ReverseTransform#0}"(%a: [f64; rank 2], %dy: f64) -> (f64, ([f64; rank 2],)) {
//   %2: [usize] = nd.shape %a
//   %3: [f64; rank 2] = nd.full %2, 0.0
//   %4: [f64; rank 2] = nd.inv %a
//   %5: [f64; rank 2] = nd.transpose %4
//   %8: [usize] = nd.shape %4
//   %9: f64 = nd.sum %4
//   %8.1: [f64; rank 2] = nd.full %8, %dy
//   %9.1: [f64; rank 2] = nd.dot %5, %8.1
//   %10: [f64; rank 2] = nd.dot %9.1, %5
//   %11.1: [f64; rank 2] = neg %10
//   %12: [f64; rank 2] = add %3, %11.1
//   %13: ([f64; rank 2],) = tuple %12
//   %11: (f64, ([f64; rank 2],)) = tuple %9, %13
//   ret %11
// }
