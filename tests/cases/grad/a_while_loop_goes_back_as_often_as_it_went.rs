// test grad f
// run: f(2.0) == 32.0
// grad: f(2.0) == [80.0]
pub fn f(x: f64) -> f64 {
    let mut y = x;
    while y < 20.0 {
        y = y * x;
    }
    y
}
// ---
// fn @"f{ReverseTransform#0}"(%x: f64, %dy: f64) -> (f64, (f64,)) {
//   %2: stack<f64> = stack.new
//   br ^1(%x, 0_usize, %2)
// ^1(%y: f64, %4: usize, %tape: stack<f64>):
//   %6: bool = lt %y, 20.0
//   br_if %6, ^2, ^3(%4, %dy, 0.0, %tape)
// ^2:
//   %7: f64 = mul %y, %x
//   %8: usize = add.wrapping %4, 1_usize
//   %9: stack<f64> = stack.push %tape, %y
//   br ^1(%7, %8, %9)
// ^3(%10: usize, %dy.1: f64, %dx: f64, %tape.1: stack<f64>):
//   %14: bool = eq %10, 0_usize
//   br_if %14, ^4, ^5
// ^4:
//   %15: f64 = add %dx, %dy.1
//   %16: (f64,) = tuple %15
//   %11: (f64, (f64,)) = tuple %y, %16
//   ret %11
// ^5:
//   %18: usize = sub.wrapping %10, 1_usize
//   %19: (f64, stack<f64>) = stack.pop %tape.1
//   %20: f64 = field %19, 0
//   %21: stack<f64> = field %19, 1
//   %22: f64 = mul.zero %dy.1, %x
//   %23: f64 = mul.zero %dy.1, %20
//   %24: f64 = add %dx, %23
//   br ^3(%18, %22, %24, %21)
// }
