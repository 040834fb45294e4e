// test grad f
// grad: f([2.0, 5.0]) == [[12.0, 0.0]]
pub fn f(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    y[1] = y[0] * y[0];
    y[1] * y[0]
}
// ---
// fn @"f{ReverseTransform#0}"(%x: [f64], %dy: f64) -> (f64, ([f64],)) {
//   %2: usize = len %x
//   %3: [f64] = repeat 0.0, %2
//   %2.1: f64 = get %x, 0_usize
//   %4.1: f64 = mul %2.1, %2.1
//   %5.1: [f64] = set %x, 1_usize, %4.1
//   %7.1: f64 = get.unchecked %5.1, 0_usize
//   %8.1: f64 = mul %4.1, %7.1
//   %9: f64 = mul.zero %dy, %7.1
//   %10: f64 = mul.zero %dy, %4.1
//   %11.1: [f64] = repeat 0.0, %2
//   %12: f64 = get.unchecked %11.1, 0_usize
//   %13: f64 = add %12, %10
//   %14: [f64] = set.unchecked %11.1, 0_usize, %13
//   %15: f64 = get.unchecked %14, 1_usize
//   %16: f64 = add %9, %15
//   %17: [f64] = set.unchecked %14, 1_usize, 0.0
//   %18: [f64] = add %3, %17
//   %19: f64 = mul.zero %16, %2.1
//   %20: f64 = add %19, %19
//   %21: f64 = get.unchecked %18, 0_usize
//   %22: f64 = add %21, %20
//   %23: [f64] = set.unchecked %18, 0_usize, %22
//   %24: ([f64],) = tuple %23
//   %11: (f64, ([f64],)) = tuple %8.1, %24
//   ret %11
// }
