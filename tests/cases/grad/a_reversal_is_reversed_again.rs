// test grad f
// grad: f([2.0, 3.0]) == [[9.0, 12.0]]
pub fn f(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.reverse();
    v[0] * v[0] * v[1]
}
// ---
// fn @"f{ReverseTransform#0}"(%x: [f64], %dy: f64) -> (f64, ([f64],)) {
//   %2: usize = len %x
//   %3: [f64] = repeat 0.0, %2
//   %2.1: [f64] = reverse %x
//   %3.1: f64 = get %2.1, 0_usize
//   %5.1: f64 = mul %3.1, %3.1
//   %6.1: f64 = get %2.1, 1_usize
//   %7.1: f64 = mul %5.1, %6.1
//   %9: f64 = mul.zero %dy, %6.1
//   %10: f64 = mul.zero %dy, %5.1
//   %11.1: [f64] = repeat 0.0, %2
//   %12: f64 = get.unchecked %11.1, 1_usize
//   %13: f64 = add %12, %10
//   %14: [f64] = set.unchecked %11.1, 1_usize, %13
//   %15: f64 = mul.zero %9, %3.1
//   %16: f64 = add %15, %15
//   %17: f64 = get.unchecked %14, 0_usize
//   %18: f64 = add %17, %16
//   %19: [f64] = set.unchecked %14, 0_usize, %18
//   %20: [f64] = reverse %19
//   %21: [f64] = add %3, %20
//   %22: ([f64],) = tuple %21
//   %11: (f64, ([f64],)) = tuple %7.1, %22
//   ret %11
// }
