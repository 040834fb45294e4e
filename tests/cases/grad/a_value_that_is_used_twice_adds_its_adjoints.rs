// test grad f
// grad: f(3.0) == [27.0]
pub fn f(x: f64) -> f64 {
    let y = x * x;
    y * x
}
// ---
// fn @"f{ReverseTransform#0}"(%x: f64, %dy: f64) -> (f64, (f64,)) {
//   %2: f64 = mul %x, %x
//   %3: f64 = mul %2, %x
//   %4: f64 = mul.zero %dy, %x
//   %5.1: f64 = mul.zero %dy, %2
//   %6: f64 = mul.zero %4, %x
//   %7: f64 = add %5.1, %6
//   %8: f64 = add %7, %6
//   %9: (f64,) = tuple %8
//   %5: (f64, (f64,)) = tuple %3, %9
//   ret %5
// }
