// test grad f
// grad: f(3.0, 3) == [30.0, null]
pub fn f(x: f64, n: usize) -> f64 {
    let mut all = Vec::new();
    for i in 0..n {
        all.push(x * x * i as f64);
    }
    let mut sum = 0.0;
    for v in &all {
        sum += v;
    }
    sum + 4.0 * x * x - 2.0 * x * x
}
// ---
// fn @"f{ReverseTransform#0}"(%x: f64, %n: usize, %dy: f64) -> (f64, (f64,)) {
//   %3: [f64] = array
//   %12.1: f64 = mul %x, %x
//   br ^1(0_usize, %3)
// ^1(%5: usize, %all: [f64]):
//   %7: usize = len %all
//   %8: bool = lt %5, %n
//   br_if %8, ^2.1, ^4(0_usize, 0.0)
// ^2.1:
//   %9: usize = add.wrapping %5, 1_usize
//   %13.1: f64 = cast %5
//   %14.1: f64 = mul %12.1, %13.1
//   %15.1: [f64] = push %all, %14.1
//   br ^1(%9, %15.1)
// ^4(%12.2: usize, %sum: f64):
//   %14.2: bool = lt %12.2, %7
//   br_if %14.2, ^5.1, ^5.2
// ^5.1:
//   %15.2: usize = add.wrapping %12.2, 1_usize
//   %19: f64 = get.unchecked %all, %12.2
//   %28.1: f64 = add %sum, %19
//   br ^4(%15.2, %28.1)
// ^5.2:
//   %21.1: f64 = mul 4.0, %x
//   %22.1: f64 = mul %21.1, %x
//   %23.1: f64 = add %sum, %22.1
//   %24.1: f64 = mul 2.0, %x
//   %25.1: f64 = mul %24.1, %x
//   %26.1: f64 = sub %23.1, %25.1
//   %25: f64 = neg %dy
//   %26: f64 = mul.zero %25, %x
//   %27: f64 = mul.zero %25, %24.1
//   %28.2: f64 = mul %26, 2.0
//   %29: f64 = add %27, %28.2
//   %30: f64 = mul.zero %dy, %x
//   %31: f64 = mul.zero %dy, %21.1
//   %32: f64 = add %29, %31
//   %33: f64 = mul %30, 4.0
//   %34: f64 = add %32, %33
//   %35: [f64] = repeat 0.0, %7
//   br ^6(%12.2, %35)
// ^6(%36: usize, %dall: [f64]):
//   %38: bool = eq %36, 0_usize
//   br_if %38, ^7(%5, %dall, 0.0), ^10
// ^7(%39: usize, %dall.1: [f64], %d12: f64):
//   %42: bool = eq %39, 0_usize
//   br_if %42, ^8, ^9
// ^8:
//   %43: f64 = mul.zero %d12, %x
//   %44: f64 = add %34, %43
//   %45: f64 = add %44, %43
//   %46: (f64,) = tuple %45
//   %28: (f64, (f64,)) = tuple %26.1, %46
//   ret %28
// ^9:
//   %48: usize = sub.wrapping %39, 1_usize
//   %49: usize = len %dall.1
//   %50: usize = sub.wrapping %49, 1_usize
//   %51: f64 = get.unchecked %dall.1, %50
//   %52: [f64] = truncate %dall.1, %50
//   %53: f64 = cast %48
//   %54: f64 = mul.zero %51, %53
//   %55: f64 = add %d12, %54
//   br ^7(%48, %52, %55)
// ^10:
//   %56: usize = sub.wrapping %36, 1_usize
//   %57: f64 = get.unchecked %dall, %56
//   %58: f64 = add %57, %dy
//   %59: [f64] = set.unchecked %dall, %56, %58
//   br ^6(%56, %59)
// }
