// test grad f
// run: f(2.0, 2) == 8.0
// grad: f(2.0, 2) == [12.0, null]
pub fn f(x: f64, n: usize) -> f64 {
    let mut y = x;
    for i in 0..n {
        for _ in 0..i + 1 {
            if y < 5.0 {
                y = y * x;
            }
        }
    }
    y
}
// ---
// fn @"f{ReverseTransform#0}"(%x: f64, %n: usize, %dy: f64) -> (f64, (f64,)) {
//   %3: stack<f64> = stack.new
//   %4: stack<bool> = stack.new
//   br ^1(0_usize, %x, %4, %3)
// ^1(%5: usize, %y: f64, %tape: stack<bool>, %tape.1: stack<f64>):
//   %9: bool = lt %5, %n
//   br_if %9, ^2.1, ^7(%5, %dy, 0.0, %tape.1, %tape)
// ^2.1:
//   %10: usize = add.wrapping %5, 1_usize
//   %10.1: usize = add %5, 1_usize
//   br ^4.1(0_usize, %y, %tape, %tape.1)
// ^4.1(%12: usize, %y.1: f64, %tape.2: stack<bool>, %tape.3: stack<f64>):
//   %16: bool = lt %12, %10.1
//   br_if %16, ^4.2, ^1(%10, %y.1, %tape.2, %tape.3)
// ^4.2:
//   %10.2: usize = add.wrapping %12, 1_usize
//   %18.1: bool = lt %y.1, 5.0
//   br_if %18.1, ^7.1, ^6(%y.1, %tape.3)
// ^7.1:
//   %19.1: f64 = mul %y.1, %x
//   %20: stack<f64> = stack.push %tape.3, %y.1
//   br ^6(%19.1, %20)
// ^6(%21: f64, %tape.4: stack<f64>):
//   %24: stack<bool> = stack.push %tape.2, %18.1
//   br ^4.1(%10.2, %21, %24, %tape.4)
// ^7(%24.1: usize, %dy.1: f64, %dx: f64, %tape.5: stack<f64>, %tape.6: stack<bool>):
//   %29: bool = eq %24.1, 0_usize
//   br_if %29, ^8, ^9
// ^8:
//   %30: f64 = add %dx, %dy.1
//   %31: (f64,) = tuple %30
//   %26: (f64, (f64,)) = tuple %y, %31
//   ret %26
// ^9:
//   %33: usize = sub.wrapping %24.1, 1_usize
//   %34: usize = add %33, 1_usize
//   br ^10(%34, %dy.1, %tape.6, %tape.5, %dx)
// ^10(%35: usize, %dy.2: f64, %tape.7: stack<bool>, %tape.8: stack<f64>, %dx.1: f64):
//   %40: bool = eq %35, 0_usize
//   br_if %40, ^7(%33, %dy.2, %dx.1, %tape.8, %tape.7), ^11
// ^11:
//   %41: usize = sub.wrapping %35, 1_usize
//   %42: (bool, stack<bool>) = stack.pop %tape.7
//   %43: bool = field %42, 0
//   %44: stack<bool> = field %42, 1
//   br_if %43, ^12, ^10(%41, %dy.2, %44, %tape.8, %dx.1)
// ^12:
//   %45: (f64, stack<f64>) = stack.pop %tape.8
//   %46: f64 = field %45, 0
//   %47: stack<f64> = field %45, 1
//   %48: f64 = mul.zero %dy.2, %x
//   %49: f64 = mul.zero %dy.2, %46
//   %50: f64 = add %dx.1, %49
//   br ^10(%41, %48, %44, %47, %50)
// }
