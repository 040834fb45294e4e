// test grad f
// grad: f([2.0, 3.0, 5.0], 2) == [[0.0, 25.0, 30.0], null]
pub fn f(x: &[f64], n: usize) -> f64 {
    let mut v = x.to_vec();
    v.swap(0, n);
    v[0] * v[0] * v[1]
}
// ---
// fn @"f{ReverseTransform#0}"(%x: [f64], %n: usize, %dy: f64) -> (f64, ([f64],)) {
//   %3: usize = len %x
//   %4: [f64] = repeat 0.0, %3
//   %3.1: [f64] = swap %x, 0_usize, %n
//   %4.1: f64 = get %3.1, 0_usize
//   %6.1: f64 = mul %4.1, %4.1
//   %7.1: f64 = get %3.1, 1_usize
//   %8.1: f64 = mul %6.1, %7.1
//   %10: f64 = mul.zero %dy, %7.1
//   %11: f64 = mul.zero %dy, %6.1
//   %12.1: [f64] = repeat 0.0, %3
//   %13: f64 = get.unchecked %12.1, 1_usize
//   %14: f64 = add %13, %11
//   %15: [f64] = set.unchecked %12.1, 1_usize, %14
//   %16: f64 = mul.zero %10, %4.1
//   %17: f64 = add %16, %16
//   %18: f64 = get.unchecked %15, 0_usize
//   %19: f64 = add %18, %17
//   %20: [f64] = set.unchecked %15, 0_usize, %19
//   %21: [f64] = swap %20, 0_usize, %n
//   %22: [f64] = add %4, %21
//   %23: ([f64],) = tuple %22
//   %12: (f64, ([f64],)) = tuple %8.1, %23
//   ret %12
// }
