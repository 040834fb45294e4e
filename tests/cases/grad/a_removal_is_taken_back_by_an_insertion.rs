// test grad f
// grad: f([2.0, 3.0, 5.0], 1) == [[3.0, 2.0, 0.0], null]
pub fn f(x: &[f64], n: usize) -> f64 {
    let mut v = x.to_vec();
    let removed = v.remove(n);
    removed * v[0]
}
// ---
// fn @"f{ReverseTransform#0}"(%x: [f64], %n: usize, %dy: f64) -> (f64, ([f64],)) {
//   %3: usize = len %x
//   %4: [f64] = repeat 0.0, %3
//   %3.1: (f64, [f64]) = remove %x, %n
//   %4.1: f64 = field %3.1, 0
//   %5.1: [f64] = field %3.1, 1
//   %9: usize = len %5.1
//   %6.1: f64 = get %5.1, 0_usize
//   %7.1: f64 = mul %4.1, %6.1
//   %11: f64 = mul.zero %dy, %6.1
//   %12: f64 = mul.zero %dy, %4.1
//   %13.1: [f64] = repeat 0.0, %9
//   %14: f64 = get.unchecked %13.1, 0_usize
//   %15: f64 = add %14, %12
//   %16: [f64] = set.unchecked %13.1, 0_usize, %15
//   %17: [f64] = insert %16, %n, %11
//   %18: [f64] = add %4, %17
//   %19: ([f64],) = tuple %18
//   %13: (f64, ([f64],)) = tuple %7.1, %19
//   ret %13
// }
