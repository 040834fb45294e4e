// test grad f
// grad: f(true, 3.0) == [null, 6.0]
// grad: f(false, 3.0) == [null, 1.0]
enum Shape {
    Square(f64),
    Line(f64),
}

pub fn f(is_square: bool, x: f64) -> f64 {
    let shape = if is_square { Shape::Square(x) } else { Shape::Line(x) };
    match shape {
        Shape::Square(side) => side * side,
        Shape::Line(length) => length,
    }
}
// ---
// fn @"f{ReverseTransform#0}"(%is_square: bool, %x: f64, %dy: f64) -> (f64, (f64,)) {
//   br_if %is_square, ^4.1, ^2(%dy, %x)
// ^4.1:
//   %6.1: f64 = mul %x, %x
//   %4: f64 = mul.zero %dy, %x
//   %5: f64 = add %4, %4
//   br ^2(%5, %6.1)
// ^2(%dx: f64, %7.1: f64):
//   %8: (f64,) = tuple %dx
//   %7: (f64, (f64,)) = tuple %7.1, %8
//   ret %7
// }
