// test grad f
// grad: f([2.0, 3.0, 5.0], 1, 3) == [[0.0, 5.0, 3.0], null, null]
pub fn f(x: &[f64], from: usize, to: usize) -> f64 {
    let part = x[from..to].to_vec();
    part[0] * part[1]
}
// ---
// fn @"f{ReverseTransform#0}"(%x: [f64], %from: usize, %to: usize, %dy: f64) -> (f64, ([f64],)) {
//   %4: usize = len %x
//   %5: [f64] = repeat 0.0, %4
//   %7: [f64] = slice %x, %from, %to
//   %5.1: f64 = get %7, 0_usize
//   %6.1: f64 = get %7, 1_usize
//   %7.1: f64 = mul %5.1, %6.1
//   %10: f64 = mul.zero %dy, %6.1
//   %11: f64 = mul.zero %dy, %5.1
//   %12.1: usize = add.wrapping %from, 1_usize
//   %13: f64 = get.unchecked %5, %12.1
//   %14: f64 = add %13, %11
//   %15: [f64] = set.unchecked %5, %12.1, %14
//   %16: f64 = get.unchecked %15, %from
//   %17: f64 = add %16, %10
//   %18: [f64] = set.unchecked %15, %from, %17
//   %19: ([f64],) = tuple %18
//   %12: (f64, ([f64],)) = tuple %7.1, %19
//   ret %12
// }
