// test grad f
// grad: f([[2.0], [3.0]]) == [[[3.0], [2.0]]]
pub fn f(x: &[Vec<f64>]) -> f64 {
    let mut v = x.to_vec();
    let first = std::mem::take(&mut v[0]);
    first[0] * v[1][0]
}
// ---
// fn @"f{ReverseTransform#0}"(%x: [[f64]], %dy: f64) -> (f64, ([[f64]],)) {
//   %2: usize = len %x
//   %3.3: [[f64]] = array
//   br ^1.1(0_usize, %3.3)
// ^1.1(%4: usize, %5: [[f64]]):
//   %6: bool = lt %4, %2
//   br_if %6, ^2.1, ^3.1
// ^2.1:
//   %7.1: [f64] = get.unchecked %x, %4
//   %8.3: usize = len %7.1
//   %9.2: [f64] = repeat 0.0, %8.3
//   %10: [[f64]] = push %5, %9.2
//   %11: usize = add.wrapping %4, 1_usize
//   br ^1.1(%11, %10)
// ^3.1:
//   %3: [[f64]] = array
//   br ^1(0_usize, %3)
// ^1(%3.1: usize, %elems: [[f64]]):
//   %7: bool = lt %3.1, %2
//   br_if %7, ^2, ^3
// ^2:
//   %8: usize = add.wrapping %3.1, 1_usize
//   %9: [f64] = get.unchecked %x, %3.1
//   %8.1: [[f64]] = push %elems, %9
//   br ^1(%8, %8.1)
// ^3:
//   %2.2: ([f64], [[f64]]) = take.elem %elems, 0_usize
//   %3.2: [f64] = field %2.2, 0
//   %13: usize = len %3.2
//   %4.1: [[f64]] = field %2.2, 1
//   %12.1: [f64] = array
//   %8.2: [[f64]] = set %4.1, 0_usize, %12.1
//   %9.1: f64 = get %3.2, 0_usize
//   %10.1: [f64] = get %8.2, 1_usize
//   %11.1: f64 = get %10.1, 0_usize
//   %12.2: f64 = mul %9.1, %11.1
//   %29: f64 = mul.zero %dy, %11.1
//   %30: f64 = mul.zero %dy, %9.1
//   %31: usize = len %4.1
//   %32: [[f64]] = array
//   br ^7(0_usize, %32)
// ^7(%33: usize, %34: [[f64]]):
//   %35: bool = lt %33, %31
//   br_if %35, ^8, ^9
// ^8:
//   %36: [f64] = get.unchecked %8.2, %33
//   %37: usize = len %36
//   %38: [f64] = repeat 0.0, %37
//   %39: [[f64]] = push %34, %38
//   %40: usize = add.wrapping %33, 1_usize
//   br ^7(%40, %39)
// ^9:
//   %41: ([f64], [[f64]]) = take.elem %34, 1_usize
//   %42: [f64] = field %41, 0
//   %43: [[f64]] = field %41, 1
//   %44: f64 = get.unchecked %42, 0_usize
//   %45: f64 = add %44, %30
//   %46: [f64] = set.unchecked %42, 0_usize, %45
//   %47: [[f64]] = set.unchecked %43, 1_usize, %46
//   %48: [f64] = repeat 0.0, %13
//   %49: f64 = get.unchecked %48, 0_usize
//   %50: f64 = add %49, %29
//   %51: [f64] = set.unchecked %48, 0_usize, %50
//   %52: ([f64], [[f64]]) = take.elem %47, 0_usize
//   %53: [[f64]] = field %52, 1
//   %54: [[f64]] = set.unchecked %53, 0_usize, %51
//   br ^10(%3.1, %54, %5)
// ^10(%55: usize, %delems: [[f64]], %dx.1: [[f64]]):
//   %58: bool = eq %55, 0_usize
//   br_if %58, ^11, ^12
// ^11:
//   %59: ([[f64]],) = tuple %dx.1
//   %22: (f64, ([[f64]],)) = tuple %12.2, %59
//   ret %22
// ^12:
//   %61: usize = sub.wrapping %55, 1_usize
//   %62: usize = len %delems
//   %63: usize = sub.wrapping %62, 1_usize
//   %64: [f64] = get.unchecked %delems, %63
//   %65: ([f64], [[f64]]) = take.elem %dx.1, %61
//   %66: [f64] = field %65, 0
//   %67: [[f64]] = field %65, 1
//   %68: [f64] = add %66, %64
//   %69: [[f64]] = set.unchecked %67, %61, %68
//   %70: [[f64]] = truncate %delems, %63
//   br ^10(%61, %70, %69)
// }
