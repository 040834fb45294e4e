// test lower f
// run: f(2.0) == 4.0
pub fn f(x: f64) -> f64 {
    let mut sum = 0.0;
    let mut add = |v: f64| sum += v;
    add(x);
    add(x);
    sum
}
// ---
// fn @f(%x: f64) -> f64 {
//   %1: ref f64 = cell 0.0
//   %2: closure @"f::{closure#0}"(ref f64) = closure %1
//   %3: unit = call %2(%x)
//   %4: unit = call %2(%x)
//   %5: f64 = ref.get %1
//   ret %5
// }
