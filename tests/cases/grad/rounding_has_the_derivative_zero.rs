// test grad f
// grad: f(2.5) == [2.0]
pub fn f(x: f64) -> f64 {
    x.floor() * x
}
// ---
// fn @"f{ReverseTransform#0}"(%x: f64, %dy: f64) -> (f64, (f64,)) {
//   %2: f64 = floor %x
//   %3: f64 = mul %2, %x
//   %4: f64 = mul.zero %dy, %2
//   %5.1: (f64,) = tuple %4
//   %5: (f64, (f64,)) = tuple %3, %5.1
//   ret %5
// }
