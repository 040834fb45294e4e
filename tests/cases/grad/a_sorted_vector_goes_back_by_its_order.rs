// test grad f
// grad: f([5.0, 2.0, 3.0]) == [[2.0, 5.0, 0.0]]
pub fn f(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.sort_by(|a, b| a.total_cmp(b));
    v[0] * v[2]
}
// ---
// fn @"f{ReverseTransform#0}"(%x: [f64], %dy: f64) -> (f64, ([f64],)) {
//   %2: usize = len %x
//   %3: [f64] = repeat 0.0, %2
//   %2.1: closure @"f::{closure#0}"() = closure
//   %6: [usize] = sort_order %x, %2.1, 140_usize
//   %2.2: [f64] = gather %x, %6
//   %8: usize = len %2.2
//   %4.1: f64 = get %2.2, 0_usize
//   %5.1: f64 = get %2.2, 2_usize
//   %6.1: f64 = mul %4.1, %5.1
//   %11: f64 = mul.zero %dy, %5.1
//   %12: f64 = mul.zero %dy, %4.1
//   %13.1: [f64] = repeat 0.0, %8
//   %14: f64 = get.unchecked %13.1, 2_usize
//   %15: f64 = add %14, %12
//   %16: [f64] = set.unchecked %13.1, 2_usize, %15
//   %17: f64 = get.unchecked %16, 0_usize
//   %18: f64 = add %17, %11
//   %19: [f64] = set.unchecked %16, 0_usize, %18
//   %20: [f64] = ad.scatter %19, %6
//   %21: [f64] = add %3, %20
//   %22: ([f64],) = tuple %21
//   %13: (f64, ([f64],)) = tuple %6.1, %22
//   ret %13
// }
//
// fn @"f::{closure#0}"(%a: f64, %b: f64) -> Ordering {
//   %2: Ordering = total_cmp %a, %b
//   ret %2
// }
