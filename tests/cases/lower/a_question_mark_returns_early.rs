// test lower f
pub fn f(x: Option<f64>) -> Option<f64> {
    let x = x?;
    Some(x * x)
}
// ---
// fn @f(%x: Option<f64>) -> Option<f64> {
//   switch %x, 1: ^2, 0: ^1
// ^1:
//   %1: Option<f64> = variant 0
//   ret %1
// ^2:
//   %2: f64 = payload %x, 1, 0
//   %3: f64 = mul %2, %2
//   %4: Option<f64> = variant 1, %3
//   ret %4
// }
