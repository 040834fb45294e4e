// test grad f
// grad: f(2.0, 5.0) == [5.0, 2.0]
// grad: f(-2.0, 5.0) == [-4.0, 0.0]
pub fn f(x: f64, y: f64) -> f64 {
    if x > 0.0 { x * y } else { x * x }
}
// ---
// fn @"f{ReverseTransform#0}"(%x: f64, %y: f64, %dy: f64) -> (f64, (f64, f64)) {
//   %3: bool = gt %x, 0.0
//   br_if %3, ^1, ^2
// ^1:
//   %4: f64 = mul %x, %y
//   br ^3(%4)
// ^2:
//   %5: f64 = mul %x, %x
//   br ^3(%5)
// ^3(%6: f64):
//   br_if %3, ^4, ^5
// ^4:
//   %7: f64 = mul.zero %dy, %y
//   %8: f64 = mul.zero %dy, %x
//   br ^6(%7, %8)
// ^5:
//   %9.1: f64 = mul.zero %dy, %x
//   %10: f64 = add %9.1, %9.1
//   br ^6(%10, 0.0)
// ^6(%dx: f64, %dy.1: f64):
//   %13: (f64, f64) = tuple %dx, %dy.1
//   %9: (f64, (f64, f64)) = tuple %6, %13
//   ret %9
// }
