// test grad f
// grad: f(0.0) == [2.0]
pub fn f(x: f64) -> f64 {
    x.exp() + x.sin()
}
// ---
// fn @"f{ReverseTransform#0}"(%x: f64, %dy: f64) -> (f64, (f64,)) {
//   %2: f64 = exp %x
//   %3: f64 = sin %x
//   %4: f64 = add %2, %3
//   %5: f64 = cos %x
//   %6.1: f64 = mul.zero %dy, %5
//   %7: f64 = mul.zero %dy, %2
//   %8: f64 = add %6.1, %7
//   %9: (f64,) = tuple %8
//   %6: (f64, (f64,)) = tuple %4, %9
//   ret %6
// }
