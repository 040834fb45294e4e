// test grad f
// grad: f([1.0, 2.0, 3.0], 2) == [[2.0, 4.0, 0.0], null]
pub fn f(x: &[f64], n: usize) -> f64 {
    let mut v = x.to_vec();
    v.truncate(n);
    v.iter().map(|a| a * a).sum()
}
// ---
// fn @"f{ReverseTransform#0}"(%x: [f64], %n: usize, %dy: f64) -> (f64, ([f64],)) {
//   %3: usize = len %x
//   %4: [f64] = repeat 0.0, %3
//   %3.1: [f64] = truncate %x, %n
//   %7: usize = len %3.1
//   br ^1(0_usize, -0.0)
// ^1(%9: usize, %total: f64):
//   %11: bool = lt %9, %7
//   br_if %11, ^2, ^3
// ^2:
//   %12: usize = add.wrapping %9, 1_usize
//   %13: f64 = get.unchecked %3.1, %9
//   %14: f64 = mul %13, %13
//   %15: f64 = add %total, %14
//   br ^1(%12, %15)
// ^3:
//   %14.1: [f64] = repeat 0.0, %7
//   br ^4(%9, %14.1)
// ^4(%15.1: usize, %d3: [f64]):
//   %17.1: bool = eq %15.1, 0_usize
//   br_if %17.1, ^5, ^6
// ^5:
//   %18: [f64] = resize %d3, %3, 0.0
//   %19: [f64] = add %4, %18
//   %20: ([f64],) = tuple %19
//   %17: (f64, ([f64],)) = tuple %total, %20
//   ret %17
// ^6:
//   %22: usize = sub.wrapping %15.1, 1_usize
//   %23: f64 = get.unchecked %3.1, %22
//   %24: f64 = mul.zero %dy, %23
//   %25: f64 = add %24, %24
//   %26: f64 = get.unchecked %d3, %22
//   %27: f64 = add %26, %25
//   %28: [f64] = set.unchecked %d3, %22, %27
//   br ^4(%22, %28)
// }
