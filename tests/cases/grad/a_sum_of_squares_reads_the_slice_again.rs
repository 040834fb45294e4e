// test grad f
// grad: f([1.0, -2.0, 3.0]) == [[2.0, -4.0, 6.0]]
// grad: f([]) == [[]]
pub fn f(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i] * x[i];
    }
    sum
}
// ---
// fn @"f{ReverseTransform#0}"(%x: [f64], %dy: f64) -> (f64, ([f64],)) {
//   %2: usize = len %x
//   %3: [f64] = repeat 0.0, %2
//   br ^1(0_usize, 0.0, %3)
// ^1(%6: usize, %sum: f64, %dx.1: [f64]):
//   %8: bool = lt %6, %2
//   br_if %8, ^2.1, ^4
// ^2.1:
//   %9: usize = add.wrapping %6, 1_usize
//   %10.1: f64 = get.unchecked %x, %6
//   %12.1: f64 = mul %10.1, %10.1
//   %13.1: f64 = add %sum, %12.1
//   %18: f64 = mul.zero %dy, %10.1
//   %19: f64 = add %18, %18
//   %20: f64 = get.unchecked %dx.1, %6
//   %21: f64 = add %20, %19
//   %22: [f64] = set.unchecked %dx.1, %6, %21
//   br ^1(%9, %13.1, %22)
// ^4:
//   %14.1: ([f64],) = tuple %dx.1
//   %14: (f64, ([f64],)) = tuple %sum, %14.1
//   ret %14
// }
