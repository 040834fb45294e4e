// test grad f
// grad: f(3, 2.0) == [null, 3.0]
pub fn f(n: usize, x: f64) -> f64 {
    n as f64 * x
}
// ---
// fn @"f{ReverseTransform#0}"(%n: usize, %x: f64, %dy: f64) -> (f64, (f64,)) {
//   %3: f64 = cast %n
//   %4: f64 = mul %3, %x
//   %5: f64 = mul.zero %dy, %3
//   %6.1: (f64,) = tuple %5
//   %6: (f64, (f64,)) = tuple %4, %6.1
//   ret %6
// }
