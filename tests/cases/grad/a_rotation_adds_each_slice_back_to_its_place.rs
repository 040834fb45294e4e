// test grad f
// grad: f([2.0, 3.0, 5.0], 1) == [[0.0, 5.0, 3.0], null]
pub fn f(x: &[f64], n: usize) -> f64 {
    let mut v = x.to_vec();
    v.rotate_left(n);
    v[0] * v[1]
}
// ---
// fn @"f{ReverseTransform#0}"(%x: [f64], %n: usize, %dy: f64) -> (f64, ([f64],)) {
//   %3: usize = len %x
//   %4: [f64] = repeat 0.0, %3
//   %7: bool = le %n, %3
//   br_if %7, ^1, ^2
// ^1:
//   %4.1: [f64] = slice %x, %n, %3
//   %5.1: [f64] = slice %x, 0_usize, %n
//   %6.1: [f64] = concat %4.1, %5.1
//   %11: usize = len %6.1
//   %4.2: f64 = get %6.1, 0_usize
//   %5.2: f64 = get %6.1, 1_usize
//   %6.2: f64 = mul %4.2, %5.2
//   %13: f64 = mul.zero %dy, %5.2
//   %14: f64 = mul.zero %dy, %4.2
//   %15: [f64] = repeat 0.0, %11
//   %16.1: f64 = get.unchecked %15, 1_usize
//   %17: f64 = add %16.1, %14
//   %18: [f64] = set.unchecked %15, 1_usize, %17
//   %19: f64 = get.unchecked %18, 0_usize
//   %20: f64 = add %19, %13
//   %21: [f64] = set.unchecked %18, 0_usize, %20
//   %22: usize = len %4.1
//   %23: [f64] = slice %21, 0_usize, %22
//   %24: usize = len %23
//   %25: usize = add.wrapping %n, %24
//   %26: [f64] = slice %4, %n, %25
//   %27: [f64] = add %26, %23
//   %28: [f64] = set_slice %4, %n, %27
//   %29: [f64] = slice %21, %22, %11
//   %30: usize = len %29
//   %31: [f64] = slice %28, 0_usize, %30
//   %32: [f64] = add %31, %29
//   %33: [f64] = set_slice %28, 0_usize, %32
//   %34: ([f64],) = tuple %33
//   %16: (f64, ([f64],)) = tuple %6.2, %34
//   ret %16
// ^2:
//   fail "assertion failed: mid <= self.len()"
// }
