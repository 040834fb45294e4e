// test grad f
// grad: f(2.0, 3.0) == [12.0, 4.0]
pub struct Pair {
    a: f64,
    b: f64,
}

pub fn f(x: f64, y: f64) -> f64 {
    let mut pair = Pair { a: x, b: y };
    pair.a = pair.a * pair.a;
    pair.a * pair.b
}
// ---
// fn @"f{ReverseTransform#0}"(%x: f64, %y: f64, %dy: f64) -> (f64, (f64, f64)) {
//   %5.1: f64 = mul %x, %x
//   %9.1: f64 = mul %5.1, %y
//   %5: f64 = mul.zero %dy, %y
//   %6.1: f64 = mul.zero %dy, %5.1
//   %7: f64 = mul.zero %5, %x
//   %8: f64 = add %7, %7
//   %9: (f64, f64) = tuple %8, %6.1
//   %6: (f64, (f64, f64)) = tuple %9.1, %9
//   ret %6
// }
