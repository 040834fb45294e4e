// test grad f
// grad: f(2.0, 3.0) == [15.0, 6.0]
pub fn f(x: f64, y: f64) -> f64 {
    let twice = |v: f64| v * y;
    twice(x) + twice(x * x)
}
// ---
// fn @"f{ReverseTransform#0}"(%x: f64, %y: f64, %dy: f64) -> (f64, (f64, f64)) {
//   %3: f64 = mul %x, %y
//   %4.1: f64 = mul %x, %x
//   %4.2: f64 = mul %4.1, %y
//   %6.1: f64 = add %3, %4.2
//   %7: f64 = mul.zero %dy, %y
//   %8.1: f64 = mul.zero %dy, %4.1
//   %9: f64 = mul.zero %7, %x
//   %10: f64 = add %9, %9
//   %11: f64 = add %10, %7
//   %12: f64 = mul.zero %dy, %x
//   %13: f64 = add %8.1, %12
//   %14: (f64, f64) = tuple %11, %13
//   %8: (f64, (f64, f64)) = tuple %6.1, %14
//   ret %8
// }
