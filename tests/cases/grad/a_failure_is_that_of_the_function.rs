// test grad f
// grad: f([2.0], 0) == [[1.0], null]
// grad: f([2.0], 1) fails "index out of bounds: the len is 1 but the index is 1"
pub fn f(x: &[f64], i: usize) -> f64 {
    x[i]
}
// ---
// fn @"f{ReverseTransform#0}"(%x: [f64], %i: usize, %dy: f64) -> (f64, ([f64],)) {
//   %3: usize = len %x
//   %4: [f64] = repeat 0.0, %3
//   %6: f64 = get %x, %i
//   %6.1: f64 = get.unchecked %4, %i
//   %7: f64 = add %6.1, %dy
//   %8.1: [f64] = set.unchecked %4, %i, %7
//   %9: ([f64],) = tuple %8.1
//   %8: (f64, ([f64],)) = tuple %6, %9
//   ret %8
// }
