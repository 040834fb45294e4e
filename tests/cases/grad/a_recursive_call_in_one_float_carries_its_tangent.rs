// test grad f
// run: f(2.0, 3) == 8.0
// grad: f(2.0, 3) == [12.0, null]
pub fn f(x: f64, n: usize) -> f64 {
    if n == 0 { 1.0 } else { x * f(x, n - 1) }
}
// ---
// fn @"f{ReverseTransform#0}"(%x: f64, %n: usize, %dy: f64) -> (f64, (f64,)) {
//   %3: bool = eq %n, 0_usize
//   br_if %3, ^2(0.0, 1.0), ^2.1
// ^2.1:
//   %4: usize = sub %n, 1_usize
//   %5: (f64, f64) = call @"f{Tangent10 ReverseTransform#0}"(%x, %4, 1.0)
//   %6: f64 = field %5, 1
//   %7: f64 = field %5, 0
//   %8: f64 = mul %x, %7
//   %9: f64 = mul.zero %dy, %7
//   %10: f64 = mul.zero %dy, %x
//   %11: f64 = mul.zero %10, %6
//   %12: f64 = add %9, %11
//   br ^2(%12, %8)
// ^2(%dx: f64, %14.1: f64):
//   %15: (f64,) = tuple %dx
//   %14: (f64, (f64,)) = tuple %14.1, %15
//   ret %14
// }
//
// fn @"f{Tangent10 ReverseTransform#0}"(%x: f64, %n: usize, %dx: f64) -> (f64, f64) {
//   %3: bool = eq %n, 0_usize
//   br_if %3, ^2(1.0, 0.0), ^1
// ^1:
//   %4: usize = sub %n, 1_usize
//   %5: (f64, f64) = call @"f{Tangent10 ReverseTransform#0}"(%x, %4, %dx)
//   %6: f64 = field %5, 0
//   %7: f64 = field %5, 1
//   %8: f64 = mul %x, %6
//   %9: f64 = mul.zero %dx, %6
//   %10: f64 = mul.zero %7, %x
//   %11: f64 = add %9, %10
//   br ^2(%8, %11)
// ^2(%12: f64, %13: f64):
//   %14: (f64, f64) = tuple %12, %13
//   ret %14
// }
