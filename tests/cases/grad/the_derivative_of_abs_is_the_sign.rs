// test grad f
// grad: f(-3.0) == [-1.0]
// grad: f(3.0) == [1.0]
pub fn f(x: f64) -> f64 {
    x.abs()
}
// ---
// fn @"f{ReverseTransform#0}"(%x: f64, %dy: f64) -> (f64, (f64,)) {
//   %2: f64 = abs %x
//   %3: bool = eq %x, 0.0
//   %4.1: f64 = signum %x
//   %5: f64 = select %3, 0.0, %4.1
//   %6: f64 = mul.zero %dy, %5
//   %7: (f64,) = tuple %6
//   %4: (f64, (f64,)) = tuple %2, %7
//   ret %4
// }
