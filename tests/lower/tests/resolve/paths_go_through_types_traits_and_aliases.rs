use std::f64;
use std::f64::consts::PI;

struct Point { x: f64 }
type P = Point;
trait Shape {
    const SIDES: u32;
    fn area(&self) -> f64;
    fn twice(&self) -> f64 { self.area() * 2.0 }
}
impl Point {
    const ORIGIN: Point = Point { x: 0.0 };
    fn new(x: f64) -> Self { Self { x } }
}
impl Shape for Point {
    const SIDES: u32 = 0;
    fn area(&self) -> f64 { Self::SIDES as f64 }
}

// names through: <Point>::new <P>::new <Point>::ORIGIN
fn through() {
    let _ = Point::new(1.0);
    let _ = P::new(1.0);
    let _ = Point::ORIGIN;
}

// names of_the_trait: Shape::area p@28 <Point>::twice p@28 T
fn of_the_trait<const T: usize>(p: &Point) -> f64 {
    Shape::area(p) + <Point as Shape>::twice(p) + T as f64
}

// names floats: std::num::consts::f64::MAX <f64>::sin .min std::num::consts::f64::EPSILON std::num::consts::f64::consts::PI
fn floats() -> f64 {
    f64::MAX.min(f64::sin(0.0)) + f64::EPSILON + PI
}

// names Point::new: x@13 Self
// names Shape::twice: self@9 .area
