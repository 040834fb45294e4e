// test lower f
pub fn f(x: &mut f64, y: f64) -> f64 {
    let before = *x;
    *x = y;
    before
}
// ---
// fn @f(%x: f64, %y: f64) -> (f64, f64) {
//   %2: (f64, f64) = tuple %x, %y
//   ret %2
// }
