// test grad f
// grad: f([1.0, 2.0], [3.0, 4.0]) == [[3.0, 4.0], [1.0, 2.0]]
pub fn f(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(a, b)| a * b).sum()
}
// ---
// fn @"f{ReverseTransform#0}"(%x: [f64], %y: [f64], %dy: f64) -> (f64, ([f64], [f64])) {
//   %3: usize = len %x
//   %4: [f64] = repeat 0.0, %3
//   %5: usize = len %y
//   %6: [f64] = repeat 0.0, %5
//   br ^1(0_usize, 0_usize, -0.0)
// ^1(%11: usize, %12: usize, %total: f64):
//   %14: bool = lt %11, %3
//   br_if %14, ^2, ^4(%11, %6, %4)
// ^2:
//   %15: usize = add.wrapping %11, 1_usize
//   %16: f64 = get.unchecked %x, %11
//   %17: bool = lt %12, %5
//   br_if %17, ^3, ^7(0.0, %11, %4, %6)
// ^3:
//   %18: usize = add.wrapping %12, 1_usize
//   %19: f64 = get.unchecked %y, %12
//   %20: f64 = mul %16, %19
//   %21: f64 = add %total, %20
//   br ^1(%15, %18, %21)
// ^4(%18.1: usize, %dy.3: [f64], %dx.2: [f64]):
//   %21.1: bool = eq %18.1, 0_usize
//   br_if %21.1, ^5, ^6
// ^5:
//   %22: ([f64], [f64]) = tuple %dx.2, %dy.3
//   %24: (f64, ([f64], [f64])) = tuple %total, %22
//   ret %24
// ^6:
//   %24.1: usize = sub.wrapping %18.1, 1_usize
//   %25: f64 = get.unchecked %y, %24.1
//   %26: f64 = mul.zero %dy, %25
//   %27: f64 = get.unchecked %x, %24.1
//   %28: f64 = mul.zero %dy, %27
//   %29: f64 = get.unchecked %dy.3, %24.1
//   %30: f64 = add %29, %28
//   %31: [f64] = set.unchecked %dy.3, %24.1, %30
//   br ^7(%26, %24.1, %dx.2, %31)
// ^7(%d9: f64, %33: usize, %dx.1: [f64], %dy.2: [f64]):
//   %36: f64 = get.unchecked %dx.1, %33
//   %37: f64 = add %36, %d9
//   %38: [f64] = set.unchecked %dx.1, %33, %37
//   br ^4(%33, %dy.2, %38)
// }
