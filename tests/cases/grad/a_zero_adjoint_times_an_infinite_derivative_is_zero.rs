// test grad f
// The root has an infinite derivative at zero, but the result does not depend on it there.
// grad: f(0.0, 0.0) == [0.0, 0.0]
pub fn f(x: f64, y: f64) -> f64 {
    x.sqrt() * 0.0 + y * y
}
// ---
// fn @"f{ReverseTransform#0}"(%x: f64, %y: f64, %dy: f64) -> (f64, (f64, f64)) {
//   %3: f64 = sqrt %x
//   %4: f64 = mul %3, 0.0
//   %5: f64 = mul %y, %y
//   %6: f64 = add %4, %5
//   %7: f64 = mul.zero %dy, %y
//   %8.1: f64 = add %7, %7
//   %9: f64 = mul.zero %dy, 0.0
//   %10: f64 = div 0.5, %3
//   %11: f64 = mul.zero %9, %10
//   %12: (f64, f64) = tuple %11, %8.1
//   %8: (f64, (f64, f64)) = tuple %6, %12
//   ret %8
// }
