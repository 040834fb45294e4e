// test grad f
// grad: f(1.0, 2.0) == [0.0, 1.0]
// grad: f(3.0, 2.0) == [1.0, 0.0]
pub fn f(x: f64, y: f64) -> f64 {
    x.max(y)
}
// ---
// fn @"f{ReverseTransform#0}"(%x: f64, %y: f64, %dy: f64) -> (f64, (f64, f64)) {
//   %3: f64 = max %x, %y
//   %4: bool = gt %x, %y
//   %5.1: bool = eq %x, %y
//   %6: bool = is_nan %y
//   %7: bool = or %5.1, %6
//   %8: bool = or %4, %7
//   %9: f64 = select %8, 1.0, 0.0
//   %10: f64 = mul.zero %dy, %9
//   %11: f64 = select %8, 0.0, 1.0
//   %12: f64 = mul.zero %dy, %11
//   %13: (f64, f64) = tuple %10, %12
//   %5: (f64, (f64, f64)) = tuple %3, %13
//   ret %5
// }
