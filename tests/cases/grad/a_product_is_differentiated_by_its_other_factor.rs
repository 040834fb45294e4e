// test grad f
// run: f(2.0, 3.0) == 6.0
// grad: f(2.0, 3.0) == [3.0, 2.0]
pub fn f(x: f64, y: f64) -> f64 {
    x * y
}
// ---
// fn @"f{ReverseTransform#0}"(%x: f64, %y: f64, %dy: f64) -> (f64, (f64, f64)) {
//   %3: f64 = mul %x, %y
//   %4: f64 = mul.zero %dy, %y
//   %5.1: f64 = mul.zero %dy, %x
//   %6: (f64, f64) = tuple %4, %5.1
//   %5: (f64, (f64, f64)) = tuple %3, %6
//   ret %5
// }
