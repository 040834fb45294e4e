// test grad f
// grad: f(2.0) == [4.0]
pub fn f(x: f32) -> f64 {
    let y = x as f64;
    y * y
}
// ---
// fn @"f{ReverseTransform#0}"(%x: f32, %dy: f64) -> (f64, (f32,)) {
//   %2: f64 = cast %x
//   %3: f64 = mul %2, %2
//   %4: f64 = mul.zero %dy, %2
//   %5.1: f64 = add %4, %4
//   %6: f32 = cast %5.1
//   %7: (f32,) = tuple %6
//   %5: (f64, (f32,)) = tuple %3, %7
//   ret %5
// }
