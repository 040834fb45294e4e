// test lower times
// run: times(3.0, 4.0) == 12.0
#[op("add")]
#[lang("option")]
#[moves]
pub fn times(a: f64, b: f64) -> f64 {
    a * b
}
// ---
// fn @times(%a: f64, %b: f64) -> f64 {
//   %2: f64 = mul %a, %b
//   ret %2
// }
