// test grad f
// grad: f([2.0, 3.0], [5.0]) == [[5.0, 0.0], [2.0]]
pub fn f(x: &[f64], y: &[f64]) -> f64 {
    let v = [x, y].concat();
    v[0] * v[2]
}
// ---
// fn @"f{ReverseTransform#0}"(%x: [f64], %y: [f64], %dy: f64) -> (f64, ([f64], [f64])) {
//   %3: usize = len %x
//   %4: [f64] = repeat 0.0, %3
//   %5: usize = len %y
//   %6: [f64] = repeat 0.0, %5
//   %9: [[f64]] = array %x, %y
//   %10: [f64] = array
//   br ^1(0_usize, %10)
// ^1(%4.1: usize, %elems: [f64]):
//   %13: usize = len %elems
//   %6.1: bool = lt %4.1, 2_usize
//   br_if %6.1, ^2, ^6
// ^2:
//   %15: usize = add.wrapping %4.1, 1_usize
//   %16: [f64] = get.unchecked %9, %4.1
//   %17: usize = len %16
//   br ^3(0_usize, %elems)
// ^3(%18: usize, %19: [f64]):
//   %21: bool = lt %18, %17
//   br_if %21, ^4, ^1(%15, %19)
// ^4:
//   %22: usize = add.wrapping %18, 1_usize
//   %23: f64 = get.unchecked %16, %18
//   %24: [f64] = push %19, %23
//   br ^3(%22, %24)
// ^6:
//   %4.2: f64 = get %elems, 0_usize
//   %5.1: f64 = get %elems, 2_usize
//   %6.2: f64 = mul %4.2, %5.1
//   %25: f64 = mul.zero %dy, %5.1
//   %26: f64 = mul.zero %dy, %4.2
//   %27: [f64] = repeat 0.0, %13
//   %28: f64 = get.unchecked %27, 2_usize
//   %29: f64 = add %28, %26
//   %30.1: [f64] = set.unchecked %27, 2_usize, %29
//   %31: f64 = get.unchecked %30.1, 0_usize
//   %32: f64 = add %31, %25
//   %33: [f64] = set.unchecked %30.1, 0_usize, %32
//   %34: [[f64]] = array
//   %35: [f64] = get.unchecked %9, 0_usize
//   %36: usize = len %35
//   %37: [f64] = repeat 0.0, %36
//   %38: [[f64]] = push %34, %37
//   %39: [f64] = get.unchecked %9, 1_usize
//   %40: usize = len %39
//   %41: [f64] = repeat 0.0, %40
//   %42: [[f64]] = push %38, %41
//   br ^6.1(%4.1, %33, %42)
// ^6.1(%43: usize, %delems: [f64], %d2: [[f64]]):
//   %46: bool = eq %43, 0_usize
//   br_if %46, ^7, ^8
// ^7:
//   %47: [f64] = get.unchecked %d2, 0_usize
//   %48: [f64] = add %4, %47
//   %49: [f64] = get.unchecked %d2, 1_usize
//   %50: [f64] = add %6, %49
//   %51: ([f64], [f64]) = tuple %48, %50
//   %30: (f64, ([f64], [f64])) = tuple %6.2, %51
//   ret %30
// ^8:
//   %53: usize = sub.wrapping %43, 1_usize
//   %54: [f64] = get.unchecked %9, %53
//   %55: usize = len %54
//   br ^9(%55, %delems, %d2)
// ^9(%56: usize, %d11: [f64], %d2.1: [[f64]]):
//   %59: bool = eq %56, 0_usize
//   br_if %59, ^6.1(%53, %d11, %d2.1), ^10
// ^10:
//   %60: usize = sub.wrapping %56, 1_usize
//   %61: usize = len %d11
//   %62: usize = sub.wrapping %61, 1_usize
//   %63: f64 = get.unchecked %d11, %62
//   %64: [f64] = truncate %d11, %62
//   %65: ([f64], [[f64]]) = take.elem %d2.1, %53
//   %66: [f64] = field %65, 0
//   %67: [[f64]] = field %65, 1
//   %68: f64 = get.unchecked %66, %60
//   %69: f64 = add %68, %63
//   %70: [f64] = set.unchecked %66, %60, %69
//   %71: [[f64]] = set.unchecked %67, %53, %70
//   br ^9(%60, %64, %71)
// }
