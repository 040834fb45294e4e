// test grad f
// grad: f([2.0, 3.0]) == [[4.0, 0.0]]
pub fn f(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.fill(x[0]);
    v[0] * v[1]
}
// ---
// fn @"f{ReverseTransform#0}"(%x: [f64], %dy: f64) -> (f64, ([f64],)) {
//   %2: usize = len %x
//   %3: [f64] = repeat 0.0, %2
//   %2.1: f64 = get %x, 0_usize
//   br ^1(0_usize, %x)
// ^1(%7: usize, %4.1: [f64]):
//   %5.1: bool = lt %7, %2
//   br_if %5.1, ^2, ^3
// ^2:
//   %6.1: usize = add.wrapping %7, 1_usize
//   %11: [f64] = set.unchecked %4.1, %7, %2.1
//   br ^1(%6.1, %11)
// ^3:
//   %4.2: f64 = get.unchecked %4.1, 0_usize
//   %5.2: f64 = get %4.1, 1_usize
//   %6.2: f64 = mul %4.2, %5.2
//   %13: f64 = mul.zero %dy, %5.2
//   %14: f64 = mul.zero %dy, %4.2
//   %15: [f64] = repeat 0.0, %2
//   %16.1: f64 = get.unchecked %15, 1_usize
//   %17: f64 = add %16.1, %14
//   %18: [f64] = set.unchecked %15, 1_usize, %17
//   %19: f64 = get.unchecked %18, 0_usize
//   %20: f64 = add %19, %13
//   %21: [f64] = set.unchecked %18, 0_usize, %20
//   br ^4(%7, %21, 0.0)
// ^4(%22: usize, %d4.1: [f64], %d2: f64):
//   %25: bool = eq %22, 0_usize
//   br_if %25, ^5, ^6
// ^5:
//   %26: [f64] = add %3, %d4.1
//   %27: f64 = get.unchecked %26, 0_usize
//   %28: f64 = add %27, %d2
//   %29: [f64] = set.unchecked %26, 0_usize, %28
//   %30: ([f64],) = tuple %29
//   %16: (f64, ([f64],)) = tuple %6.2, %30
//   ret %16
// ^6:
//   %32: usize = sub.wrapping %22, 1_usize
//   %33: f64 = get.unchecked %d4.1, %32
//   %34: f64 = add %d2, %33
//   %35: [f64] = set.unchecked %d4.1, %32, 0.0
//   br ^4(%32, %35, %34)
// }
