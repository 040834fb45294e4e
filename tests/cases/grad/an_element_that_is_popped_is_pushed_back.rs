// test grad f
// grad: f([2.0, 3.0]) == [[9.0, 12.0]]
pub fn f(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    match v.pop() {
        Some(last) => last * last * v[0],
        None => 0.0,
    }
}
// ---
// fn @"f{ReverseTransform#0}"(%x: [f64], %dy: f64) -> (f64, ([f64],)) {
//   %2: usize = len %x
//   %3: [f64] = repeat 0.0, %2
//   %2.1: (Option<f64>, [f64]) = pop %x
//   %3.1: Option<f64> = field %2.1, 0
//   %4.1: [f64] = field %2.1, 1
//   %8: usize = len %4.1
//   switch %3.1, 1: ^1, 0: ^2
// ^1:
//   %5.1: f64 = payload %3.1, 1, 0
//   %6.1: f64 = mul %5.1, %5.1
//   %7.1: f64 = get %4.1, 0_usize
//   %8.1: f64 = mul %6.1, %7.1
//   %12: f64 = mul.zero %dy, %7.1
//   %13: f64 = mul.zero %dy, %6.1
//   %14: [f64] = repeat 0.0, %8
//   %15: f64 = get.unchecked %14, 0_usize
//   %16: f64 = add %15, %13
//   %17.1: [f64] = set.unchecked %14, 0_usize, %16
//   %18: f64 = mul.zero %12, %5.1
//   %19: f64 = add %18, %18
//   br ^3(%17.1, 2, %19, %8.1)
// ^2:
//   %20: [f64] = repeat 0.0, %8
//   br ^3(%20, 0, 0.0, 0.0)
// ^3(%d4: [f64], %22: i64, %23: f64, %24: f64):
//   %25: bool = gt %2, 0_usize
//   br_if %25, ^4, ^6(%d4)
// ^4:
//   switch %22, 2: ^5(%23), else ^5(0.0)
// ^5(%26: f64):
//   %27: [f64] = push %d4, %26
//   br ^6(%27)
// ^6(%28: [f64]):
//   %29: [f64] = add %3, %28
//   %30: ([f64],) = tuple %29
//   %17: (f64, ([f64],)) = tuple %24, %30
//   ret %17
// }
