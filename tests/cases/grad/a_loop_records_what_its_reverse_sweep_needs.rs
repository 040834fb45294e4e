// test grad f
// run: f(2.0, 3) == 256.0
// grad: f(3.0, 3) == [17496.0, null]
pub fn f(x: f64, n: usize) -> f64 {
    let mut y = x;
    for _ in 0..n {
        y = y * y;
    }
    y
}
// ---
// fn @"f{ReverseTransform#0}"(%x: f64, %n: usize, %dy: f64) -> (f64, (f64,)) {
//   %3: stack<f64> = stack.new
//   br ^1(0_usize, %x, %3)
// ^1(%4: usize, %y: f64, %tape: stack<f64>):
//   %7: bool = lt %4, %n
//   br_if %7, ^2.1, ^3(%4, %dy, %tape)
// ^2.1:
//   %8: usize = add.wrapping %4, 1_usize
//   %9.1: f64 = mul %y, %y
//   %10: stack<f64> = stack.push %tape, %y
//   br ^1(%8, %9.1, %10)
// ^3(%11: usize, %dy.1: f64, %tape.1: stack<f64>):
//   %14: bool = eq %11, 0_usize
//   br_if %14, ^4, ^5
// ^4:
//   %15: (f64,) = tuple %dy.1
//   %12: (f64, (f64,)) = tuple %y, %15
//   ret %12
// ^5:
//   %17: usize = sub.wrapping %11, 1_usize
//   %18: (f64, stack<f64>) = stack.pop %tape.1
//   %19: f64 = field %18, 0
//   %20: stack<f64> = field %18, 1
//   %21: f64 = mul.zero %dy.1, %19
//   %22: f64 = add %21, %21
//   br ^3(%17, %22, %20)
// }
