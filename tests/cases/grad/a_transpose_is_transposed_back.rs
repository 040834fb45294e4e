// test grad f
// grad: f([[1.0, 2.0], [3.0, 4.0]]) == [[[0.0, 0.0], [6.0, 0.0]]]
use ndarray::Array2;
use overdub_context::linalg::ops;

pub fn f(a: &Array2<f64>) -> f64 {
    let x = ops::elems(&ops::transpose(a));
    x[1] * x[1]
}
// ---
// fn @"f{ReverseTransform#0}"(%a: [f64; rank 2], %dy: f64) -> (f64, ([f64; rank 2],)) {
//   %2: [usize] = nd.shape %a
//   %3: [f64; rank 2] = nd.full %2, 0.0
//   %5: [f64; rank 2] = nd.transpose %a
//   %6: [usize] = nd.shape %5
//   %7: [f64] = nd.elems %5
//   %8: usize = len %7
//   %9: f64 = get %7, 1_usize
//   %5.1: f64 = mul %9, %9
//   %10: f64 = mul.zero %dy, %9
//   %11: f64 = add %10, %10
//   %12.1: [f64] = repeat 0.0, %8
//   %13: f64 = get.unchecked %12.1, 1_usize
//   %14: f64 = add %13, %11
//   %15: [f64] = set.unchecked %12.1, 1_usize, %14
//   %16: [f64; rank 2] = nd.reshape %15, %6
//   %17: [f64; rank 2] = nd.transpose %16
//   %18: [f64; rank 2] = add %3, %17
//   %19: ([f64; rank 2],) = tuple %18
//   %12: (f64, ([f64; rank 2],)) = tuple %5.1, %19
//   ret %12
// }
