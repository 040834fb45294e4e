// test grad f
// grad: f(2.0) == [0.0]
pub fn f(_x: f64) -> f64 {
    7.0
}
// ---
// fn @"f{ReverseTransform#0}"(%_x: f64, %dy: f64) -> (f64, (f64,)) {
//   %2: (f64,) = tuple 0.0
//   %3: (f64, (f64,)) = tuple 7.0, %2
//   ret %3
// }
