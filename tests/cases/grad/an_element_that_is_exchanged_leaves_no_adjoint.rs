// test grad f
// grad: f(1.5) == [531.0]
pub fn f(x: f64) -> f64 {
    let mut v = vec![(0u32, x), (2, 3.0 * x)];
    let mut item = (3u32, x * 5.0);
    std::mem::swap(&mut item, &mut v[0]);
    let last = v.pop().unwrap();
    item.1 + 10.0 * last.1 + 100.0 * v[0].1
}
// ---
// fn @"f{ReverseTransform#0}"(%x: f64, %dy: f64) -> (f64, (f64,)) {
//   %2: (u32, f64) = tuple 0_u32, %x
//   %3: f64 = mul 3.0, %x
//   %4: (u32, f64) = tuple 2_u32, %3
//   %5: [(u32, f64)] = array %2, %4
//   %6: f64 = mul %x, 5.0
//   %7: (u32, f64) = tuple 3_u32, %6
//   %8: ((u32, f64), [(u32, f64)]) = take.elem %5, 0_usize
//   %9: (u32, f64) = field %8, 0
//   %10: [(u32, f64)] = field %8, 1
//   %13.1: [(u32, f64)] = set %10, 0_usize, %7
//   %14.1: (Option<(u32, f64)>, [(u32, f64)]) = pop %13.1
//   %15.1: Option<(u32, f64)> = field %14.1, 0
//   %16.1: [(u32, f64)] = field %14.1, 1
//   switch %15.1, 1: ^1, 0: ^2
// ^1:
//   %14.2: (u32, f64) = payload %15.1, 1, 0
//   %18.1: f64 = field %9, 1
//   %19.1: f64 = field %14.2, 1
//   %20.1: f64 = mul 10.0, %19.1
//   %21.1: f64 = add %18.1, %20.1
//   %22.1: (u32, f64) = get %16.1, 0_usize
//   %23.1: f64 = field %22.1, 1
//   %24.1: f64 = mul 100.0, %23.1
//   %25.1: f64 = add %21.1, %24.1
//   %24: f64 = mul %dy, 100.0
//   %25.2: usize = len %16.1
//   %26: [(unit, f64)] = array
//   br ^2.1(0_usize, %26)
// ^2.1(%27: usize, %28: [(unit, f64)]):
//   %29: bool = lt %27, %25.2
//   br_if %29, ^3, ^4
// ^3:
//   %30: (unit, f64) = tuple (), 0.0
//   %31: [(unit, f64)] = push %28, %30
//   %32: usize = add.wrapping %27, 1_usize
//   br ^2.1(%32, %31)
// ^4:
//   %33: ((unit, f64), [(unit, f64)]) = take.elem %28, 0_usize
//   %34: (unit, f64) = field %33, 0
//   %35: [(unit, f64)] = field %33, 1
//   %36: f64 = field %34, 1
//   %37: f64 = add %36, %24
//   %38: (unit, f64) = tuple (), %37
//   %39: [(unit, f64)] = set.unchecked %35, 0_usize, %38
//   %40: f64 = mul %dy, 10.0
//   %41: (unit, f64) = tuple (), %40
//   %42: usize = len %10
//   %43: bool = gt %42, 0_usize
//   br_if %43, ^5, ^6(%39)
// ^5:
//   %44: [(unit, f64)] = push %39, %41
//   br ^6(%44)
// ^6(%45: [(unit, f64)]):
//   %46: ((unit, f64), [(unit, f64)]) = take.elem %45, 0_usize
//   %47: (unit, f64) = field %46, 0
//   %48: [(unit, f64)] = field %46, 1
//   %49: (unit, f64) = tuple (), 0.0
//   %50: [(unit, f64)] = set.unchecked %48, 0_usize, %49
//   %51: ((unit, f64), [(unit, f64)]) = take.elem %50, 0_usize
//   %52: (unit, f64) = field %51, 0
//   %53: [(unit, f64)] = field %51, 1
//   %54: f64 = field %52, 1
//   %55: f64 = add %54, %dy
//   %56: (unit, f64) = tuple (), %55
//   %57: [(unit, f64)] = set.unchecked %53, 0_usize, %56
//   %58: f64 = field %47, 1
//   %59: f64 = mul %58, 5.0
//   %60: (unit, f64) = get.unchecked %57, 1_usize
//   %61: f64 = field %60, 1
//   %62: f64 = mul %61, 3.0
//   %63: f64 = add %59, %62
//   %64: f64 = add %63, %55
//   %65: (f64,) = tuple %64
//   %25: (f64, (f64,)) = tuple %25.1, %65
//   ret %25
// ^2:
//   fail "called `Option::unwrap()` on a `None` value"
// }
