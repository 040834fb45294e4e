// test grad f
// grad: f([2.0, 3.0, -1.0, 7.0]) == [[3.0, 2.0, 0.0, 0.0]]
pub fn f(x: &[f64]) -> f64 {
    let mut product = 1.0;
    for v in x {
        if *v < 0.0 {
            break;
        }
        product *= v;
    }
    product
}
// ---
// fn @"f{ReverseTransform#0}"(%x: [f64], %dy: f64) -> (f64, ([f64],)) {
//   %2: stack<f64> = stack.new
//   %3: usize = len %x
//   %4: [f64] = repeat 0.0, %3
//   br ^1(0_usize, 1.0, %2)
// ^1(%7: usize, %product: f64, %tape: stack<f64>):
//   %10: bool = lt %7, %3
//   br_if %10, ^2, ^4(%7, %dy, %tape, %4)
// ^2:
//   %11: usize = add.wrapping %7, 1_usize
//   %12: f64 = get.unchecked %x, %7
//   %8.1: bool = lt %12, 0.0
//   br_if %8.1, ^7(0.0, %7, %4, %dy, %tape), ^5.1
// ^5.1:
//   %9.1: f64 = mul %product, %12
//   %15: stack<f64> = stack.push %tape, %product
//   br ^1(%11, %9.1, %15)
// ^4(%14: usize, %dproduct.1: f64, %tape.2: stack<f64>, %dx.2: [f64]):
//   %18.1: bool = eq %14, 0_usize
//   br_if %18.1, ^5, ^6
// ^5:
//   %19: ([f64],) = tuple %dx.2
//   %18: (f64, ([f64],)) = tuple %product, %19
//   ret %18
// ^6:
//   %21: usize = sub.wrapping %14, 1_usize
//   %22: (f64, stack<f64>) = stack.pop %tape.2
//   %23: f64 = field %22, 0
//   %24: stack<f64> = field %22, 1
//   %25: f64 = get.unchecked %x, %21
//   %26: f64 = mul.zero %dproduct.1, %25
//   %27: f64 = mul.zero %dproduct.1, %23
//   br ^7(%27, %21, %dx.2, %26, %24)
// ^7(%d6: f64, %29: usize, %dx.1: [f64], %dproduct: f64, %tape.1: stack<f64>):
//   %33: f64 = get.unchecked %dx.1, %29
//   %34: f64 = add %33, %d6
//   %35: [f64] = set.unchecked %dx.1, %29, %34
//   br ^4(%29, %dproduct, %tape.1, %35)
// }
