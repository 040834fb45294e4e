// test grad f
// grad: f(3.0, 3) == [114.0, null]
pub fn f(x: f64, n: usize) -> f64 {
    let v = vec![x * x; n];
    v[0] * v[1] + v[2]
}
// ---
// fn @"f{ReverseTransform#0}"(%x: f64, %n: usize, %dy: f64) -> (f64, (f64,)) {
//   %3: f64 = mul %x, %x
//   %4: [f64] = repeat %3, %n
//   %6: f64 = get %4, 0_usize
//   %7: f64 = get %4, 1_usize
//   %8: f64 = mul %6, %7
//   %9: f64 = get %4, 2_usize
//   %10: f64 = add %8, %9
//   %10.1: [f64] = repeat 0.0, %n
//   %11: f64 = get.unchecked %10.1, 2_usize
//   %12.1: f64 = add %11, %dy
//   %13: [f64] = set.unchecked %10.1, 2_usize, %12.1
//   %14: f64 = mul.zero %dy, %7
//   %15: f64 = mul.zero %dy, %6
//   %16: f64 = get.unchecked %13, 1_usize
//   %17: f64 = add %16, %15
//   %18: [f64] = set.unchecked %13, 1_usize, %17
//   %19: f64 = get.unchecked %18, 0_usize
//   %20: f64 = add %19, %14
//   %21: [f64] = set.unchecked %18, 0_usize, %20
//   %22: f64 = nd.sum %21
//   %23: f64 = mul.zero %22, %x
//   %24: f64 = add %23, %23
//   %25: (f64,) = tuple %24
//   %12: (f64, (f64,)) = tuple %10, %25
//   ret %12
// }
