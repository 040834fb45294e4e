// test grad f
// grad: f(2.0, [1.0, 1.0]) == [8.0, [4.0, 4.0]]
pub fn f(a: f64, x: &[f64]) -> f64 {
    let square = a * a;
    let mut sum = 0.0;
    for v in x {
        sum += square * v;
    }
    sum
}
// ---
// fn @"f{ReverseTransform#0}"(%a: f64, %x: [f64], %dy: f64) -> (f64, (f64, [f64])) {
//   %3: usize = len %x
//   %4: [f64] = repeat 0.0, %3
//   %6: f64 = mul %a, %a
//   br ^1(0_usize, 0.0)
// ^1(%8: usize, %sum: f64):
//   %10: bool = lt %8, %3
//   br_if %10, ^2.1, ^3
// ^2.1:
//   %11: usize = add.wrapping %8, 1_usize
//   %12: f64 = get.unchecked %x, %8
//   %10.1: f64 = mul %6, %12
//   %11.1: f64 = add %sum, %10.1
//   br ^1(%11, %11.1)
// ^3:
//   %13: f64 = mul.zero %dy, %6
//   br ^4(%8, 0.0, %4)
// ^4(%14: usize, %d2: f64, %dx.1: [f64]):
//   %17: bool = eq %14, 0_usize
//   br_if %17, ^5, ^6
// ^5:
//   %18: f64 = mul.zero %d2, %a
//   %19: f64 = add %18, %18
//   %20: (f64, [f64]) = tuple %19, %dx.1
//   %16: (f64, (f64, [f64])) = tuple %sum, %20
//   ret %16
// ^6:
//   %22: usize = sub.wrapping %14, 1_usize
//   %23: f64 = get.unchecked %x, %22
//   %24: f64 = mul.zero %dy, %23
//   %25: f64 = add %d2, %24
//   %26: f64 = get.unchecked %dx.1, %22
//   %27: f64 = add %26, %13
//   %28: [f64] = set.unchecked %dx.1, %22, %27
//   br ^4(%22, %25, %28)
// }
