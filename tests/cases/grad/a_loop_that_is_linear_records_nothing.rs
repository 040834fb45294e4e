// test grad f
// grad: f(1.5, 4) == [16.0, null]
pub fn f(x: f64, n: usize) -> f64 {
    let mut y = x;
    for _ in 0..n {
        y = y + y;
    }
    y
}
// ---
// fn @"f{ReverseTransform#0}"(%x: f64, %n: usize, %dy: f64) -> (f64, (f64,)) {
//   br ^1(0_usize, %x)
// ^1(%3: usize, %y: f64):
//   %5: bool = lt %3, %n
//   br_if %5, ^2.1, ^3(%3, %dy)
// ^2.1:
//   %6: usize = add.wrapping %3, 1_usize
//   %9.1: f64 = add %y, %y
//   br ^1(%6, %9.1)
// ^3(%8: usize, %dy.1: f64):
//   %10: bool = eq %8, 0_usize
//   br_if %10, ^4, ^5
// ^4:
//   %11: (f64,) = tuple %dy.1
//   %9: (f64, (f64,)) = tuple %y, %11
//   ret %9
// ^5:
//   %13: usize = sub.wrapping %8, 1_usize
//   %14: f64 = add %dy.1, %dy.1
//   br ^3(%13, %14)
// }
