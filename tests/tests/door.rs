//! Annotated functions run as Rust runs them.

use overdub::{closures::dub, prelude::*};

use std::f64::consts::PI;

#[dub]
fn f(a: f64, b: f64) -> f64 {
    a / (a + b * b)
}

#[dub]
fn circle(r: f64) -> f64 {
    PI * r * r + f(r, 1.0)
}

#[dub]
fn total(xs: &[f64]) -> f64 {
    xs.iter().map(|x| x * x).sum()
}

#[dub]
fn bump(xs: &mut Vec<f64>, k: f64) -> usize {
    xs.push(k);
    xs.len()
}

#[dub]
fn twice<T: std::ops::Add<Output = T> + Copy>(x: T) -> T {
    x + x
}

#[test]
fn an_annotated_function_runs_by_its_name() {
    assert_eq!(run(f, (2.0, 3.0)).unwrap(), f(2.0, 3.0));
    assert_eq!(run(circle, (2.0,)).unwrap(), circle(2.0));
    let xs = [1.0, 2.0, 3.0];
    assert_eq!(run(total, (&xs[..],)).unwrap(), 14.0);
    let mut ys = vec![1.0];
    assert_eq!(run(bump, (&mut ys, 2.5)).unwrap(), 2);
    assert_eq!(ys, [1.0, 2.5]);
    assert_eq!(run(twice, (1.5,)).unwrap(), 3.0);
    assert_eq!(run(twice, (21,)).unwrap(), 42);
}

#[test]
fn functions_inside_of_functions_are_found() {
    #[dub]
    fn inner(x: f64) -> f64 {
        x.sin() + f(x, x)
    }
    #[dub]
    fn generic<T: Copy>(x: T) -> (T, T) {
        (x, x)
    }
    assert_eq!(run(inner, (0.5,)).unwrap(), inner(0.5));
    assert_eq!(run(generic, (0.5,)).unwrap(), (0.5, 0.5));
}

#[test]
fn the_standard_librarys_functions_run_too() {
    assert_eq!(run(f64::sin, (0.5,)).unwrap(), 0.5f64.sin());
}

#[derive(Dub, Clone, Copy, Debug, PartialEq)]
struct Point<T> {
    x: T,
    y: T,
}

#[dub]
impl Point<f64> {
    fn norm(&self) -> f64 {
        (self.x * self.x + self.y * self.y).sqrt()
    }

    fn scale(&mut self, k: f64) {
        self.x *= k;
        self.y *= k;
    }
}

#[dub]
impl std::ops::Add for Point<f64> {
    type Output = Point<f64>;

    fn add(self, other: Point<f64>) -> Point<f64> {
        Point { x: self.x + other.x, y: self.y + other.y }
    }
}

#[derive(Dub, Clone, Debug, PartialEq)]
enum Shape {
    Nothing,
    Disc(f64),
    Polygon { corners: Vec<Point<f64>> },
}

#[dub]
fn perimeter(shape: &Shape) -> f64 {
    match shape {
        Shape::Nothing => 0.0,
        Shape::Disc(r) => 2.0 * PI * r,
        Shape::Polygon { corners } => {
            let next = corners.iter().cycle().skip(1);
            corners.iter().zip(next).map(|(a, b)| Point { x: a.x - b.x, y: a.y - b.y }.norm()).sum()
        }
    }
}

#[dub]
fn hull(points: Vec<Point<f64>>) -> Shape {
    if points.iter().all(|p| *p == points[0]) {
        Shape::Nothing
    } else {
        Shape::Polygon { corners: points.clone() }
    }
}

#[test]
fn structs_and_enums_go_in_and_come_out() {
    let p = Point { x: 3.0, y: 4.0 };
    assert_eq!(run(Point::norm, (&p,)).unwrap(), 5.0);
    assert_eq!(run(<Point<f64> as std::ops::Add>::add, (p, p)).unwrap(), p + p);
    let mut q = p;
    run(Point::scale, (&mut q, 2.0)).unwrap();
    assert_eq!(q, Point { x: 6.0, y: 8.0 });
    let square = vec![p, Point { x: 4.0, y: 4.0 }, Point { x: 4.0, y: 5.0 }];
    let polygon = Shape::Polygon { corners: square.clone() };
    for shape in [Shape::Nothing, Shape::Disc(2.0), polygon.clone()] {
        assert_eq!(run(perimeter, (&shape,)).unwrap(), perimeter(&shape));
    }
    assert_eq!(run(hull, (square,)).unwrap(), polygon);
    assert_eq!(run(hull, (vec![p],)).unwrap(), Shape::Nothing);
}

#[test]
fn a_closure_takes_copies_of_what_is_around_it() {
    let k = 2.5;
    let xs = vec![1.0, 2.0];
    let g = dub!(|x: f64| x * k + xs.iter().sum::<f64>() + circle(x));
    assert_eq!(g(2.0), 5.0 + 3.0 + circle(2.0));
    assert_eq!(run(g.clone(), (2.0,)).unwrap(), g(2.0));
}
