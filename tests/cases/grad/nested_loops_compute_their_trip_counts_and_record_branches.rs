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
//   %4: stack<u8> = stack.new
//   br ^1(0_usize, %x, %4, %3)
// ^1(%5: usize, %y: f64, %tape: stack<u8>, %tape.1: stack<f64>):
//   %9: bool = lt %5, %n
//   br_if %9, ^2.1, ^7(%5, %dy, 0.0, %tape.1, %tape)
// ^2.1:
//   %10: usize = add.wrapping %5, 1_usize
//   %10.1: usize = add %5, 1_usize
//   br ^4.1(0_usize, %y, %tape, %tape.1)
// ^4.1(%12: usize, %y.1: f64, %tape.2: stack<u8>, %tape.3: stack<f64>):
//   %16: bool = lt %12, %10.1
//   br_if %16, ^4.2, ^1(%10, %y.1, %tape.2, %tape.3)
// ^4.2:
//   %10.2: usize = add.wrapping %12, 1_usize
//   %18.1: bool = lt %y.1, 5.0
//   br_if %18.1, ^7.1, ^6(%y.1, 0_u8, %tape.3)
// ^7.1:
//   %19.1: f64 = mul %y.1, %x
//   %20: stack<f64> = stack.push %tape.3, %y.1
//   br ^6(%19.1, 1_u8, %20)
// ^6(%21: f64, %22: u8, %tape.4: stack<f64>):
//   %24: stack<u8> = stack.push %tape.2, %22
//   br ^4.1(%10.2, %21, %24, %tape.4)
// ^7(%25: usize, %dy.1: f64, %dx: f64, %tape.5: stack<f64>, %tape.6: stack<u8>):
//   %30: bool = eq %25, 0_usize
//   br_if %30, ^8, ^9
// ^8:
//   %31: f64 = add %dx, %dy.1
//   %32: (f64,) = tuple %31
//   %26: (f64, (f64,)) = tuple %y, %32
//   ret %26
// ^9:
//   %34: usize = sub.wrapping %25, 1_usize
//   %35: usize = add %34, 1_usize
//   br ^10(%35, %dy.1, %tape.6, %tape.5, %dx)
// ^10(%36: usize, %dy.2: f64, %tape.7: stack<u8>, %tape.8: stack<f64>, %dx.1: f64):
//   %41: bool = eq %36, 0_usize
//   br_if %41, ^7(%34, %dy.2, %dx.1, %tape.8, %tape.7), ^11
// ^11:
//   %42: usize = sub.wrapping %36, 1_usize
//   %43: (u8, stack<u8>) = stack.pop %tape.7
//   %44: u8 = field %43, 0
//   %45: stack<u8> = field %43, 1
//   switch %44, 0: ^10(%42, %dy.2, %45, %tape.8, %dx.1), else ^12
// ^12:
//   %46: (f64, stack<f64>) = stack.pop %tape.8
//   %47: f64 = field %46, 0
//   %48: stack<f64> = field %46, 1
//   %49: f64 = mul.zero %dy.2, %x
//   %50: f64 = mul.zero %dy.2, %47
//   %51: f64 = add %dx.1, %50
//   br ^10(%42, %49, %45, %48, %51)
// }
