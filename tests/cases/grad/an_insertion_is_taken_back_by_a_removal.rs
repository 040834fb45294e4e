// test grad f
// grad: f([2.0, 3.0], 1) == [[12.0, 4.0], null]
pub fn f(x: &[f64], n: usize) -> f64 {
    let mut v = x.to_vec();
    v.insert(n, x[0] * x[1]);
    v[n] * v[0]
}
// ---
// fn @"f{ReverseTransform#0}"(%x: [f64], %n: usize, %dy: f64) -> (f64, ([f64],)) {
//   %3: usize = len %x
//   %4: [f64] = repeat 0.0, %3
//   %3.1: f64 = get %x, 0_usize
//   %4.1: f64 = get %x, 1_usize
//   %5.1: f64 = mul %3.1, %4.1
//   %6.1: [f64] = insert %x, %n, %5.1
//   %10: usize = len %6.1
//   %7.1: f64 = get %6.1, %n
//   %8.1: f64 = get %6.1, 0_usize
//   %9.1: f64 = mul %7.1, %8.1
//   %13: f64 = mul.zero %dy, %8.1
//   %14: f64 = mul.zero %dy, %7.1
//   %15.1: [f64] = repeat 0.0, %10
//   %16: f64 = get.unchecked %15.1, 0_usize
//   %17: f64 = add %16, %14
//   %18: [f64] = set.unchecked %15.1, 0_usize, %17
//   %19: f64 = get.unchecked %18, %n
//   %20: f64 = add %19, %13
//   %21: [f64] = set.unchecked %18, %n, %20
//   %22: (f64, [f64]) = remove %21, %n
//   %23: f64 = field %22, 0
//   %24: [f64] = field %22, 1
//   %25: [f64] = add %4, %24
//   %26: f64 = mul.zero %23, %4.1
//   %27: f64 = mul.zero %23, %3.1
//   %28: f64 = get.unchecked %25, 1_usize
//   %29: f64 = add %28, %27
//   %30: [f64] = set.unchecked %25, 1_usize, %29
//   %31: f64 = get.unchecked %30, 0_usize
//   %32: f64 = add %31, %26
//   %33: [f64] = set.unchecked %30, 0_usize, %32
//   %34: ([f64],) = tuple %33
//   %15: (f64, ([f64],)) = tuple %9.1, %34
//   ret %15
// }
