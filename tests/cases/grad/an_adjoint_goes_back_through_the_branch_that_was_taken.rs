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
//   %5.1: f64 = mul.zero %dy, %y
//   %6: f64 = mul.zero %dy, %x
//   br ^3(%5.1, %6, %4)
// ^2:
//   %5: f64 = mul %x, %x
//   %8: f64 = mul.zero %dy, %x
//   %9.1: f64 = add %8, %8
//   br ^3(%9.1, 0.0, %5)
// ^3(%dx: f64, %dy.1: f64, %12: f64):
//   %13: (f64, f64) = tuple %dx, %dy.1
//   %9: (f64, (f64, f64)) = tuple %12, %13
//   ret %9
// }
