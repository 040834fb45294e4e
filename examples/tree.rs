//! Can an expression tree, an enum of boxes that is evaluated recursively, be differentiated?
//!
//! With respect to the variable at which it is evaluated, and to the constants in its leaves.

use overdub::ad::{derivatives, gradient};
use overdub::prelude::*;

#[derive(Clone, Debug, PartialEq, Dub)]
enum Tree {
    Constant(f64),
    Variable,
    Sum(Box<Tree>, Box<Tree>),
    Product(Box<Tree>, Box<Tree>),
    Sin(Box<Tree>),
}

#[dub]
fn evaluate(tree: &Tree, x: f64) -> f64 {
    match tree {
        Tree::Constant(c) => *c,
        Tree::Variable => x,
        Tree::Sum(a, b) => evaluate(a, x) + evaluate(b, x),
        Tree::Product(a, b) => evaluate(a, x) * evaluate(b, x),
        Tree::Sin(a) => evaluate(a, x).sin(),
    }
}

#[dub]
fn doubled(x: f64) -> f64 {
    let inner = Tree::Product(Box::new(Tree::Constant(2.0)), Box::new(Tree::Variable));
    evaluate(&Tree::Sin(Box::new(inner)), x)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // 3 x + sin(x · x)
    let (variable, constant) = (|| Box::new(Tree::Variable), |c| Box::new(Tree::Constant(c)));
    let square = Tree::Product(variable(), variable());
    let tree =
        Tree::Sum(Box::new(Tree::Product(constant(3.0), variable())), Box::new(Tree::Sin(Box::new(square))));
    let x = 0.5_f64;
    let (dtree, dx) = gradient(evaluate, (&tree, x))?;
    println!("d/dx is {dx:.9}, by hand {:.9}", 3.0 + 2.0 * x * (x * x).cos());
    println!("in the leaves: {dtree:?}");
    let third = derivatives(doubled, x, 3)?[3];
    println!("the third derivative of sin(2x) is {third:.9}, by hand {:.9}", -8.0 * (2.0 * x).cos());
    Ok(())
}
