// test grad f
// grad: f([[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]) == [[[11.0, 15.0], [11.0, 15.0]], [[4.0, 4.0], [6.0, 6.0]]]
use ndarray::Array2;
use overdub_context::linalg::ops;

pub fn f(a: &Array2<f64>, b: &Array2<f64>) -> f64 {
    ops::sum(&ops::dot(a, b))
}
// ---
// fn @"f{ReverseTransform#0}"(%a: [f64; rank 2], %b: [f64; rank 2], %dy: f64) -> (f64, ([f64; rank 2], [f64; rank 2])) {
//   %3: [usize] = nd.shape %a
//   %4: [f64; rank 2] = nd.full %3, 0.0
//   %5: [usize] = nd.shape %b
//   %6: [f64; rank 2] = nd.full %5, 0.0
//   %9: [f64; rank 2] = nd.dot %a, %b
//   %10: [usize] = nd.shape %9
//   %11: f64 = nd.sum %9
//   %10.1: [f64; rank 2] = nd.full %10, %dy
//   %11.1: [f64; rank 2] = nd.transpose %b
//   %12: [f64; rank 2] = ad.dot %10.1, %11.1
//   %13.1: [f64; rank 2] = add %4, %12
//   %14: [f64; rank 2] = nd.transpose %a
//   %15: [f64; rank 2] = ad.dot %14, %10.1
//   %16: [f64; rank 2] = add %6, %15
//   %17: ([f64; rank 2], [f64; rank 2]) = tuple %13.1, %16
//   %13: (f64, ([f64; rank 2], [f64; rank 2])) = tuple %11, %17
//   ret %13
// }
