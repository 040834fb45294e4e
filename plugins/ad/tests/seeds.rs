//! Programs that papers on automatic differentiation use as introductory examples.

use overdub::ad::{gradient, jvp, rule, value_and_gradient};
use overdub::closures::dub;
use overdub::prelude::*;

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn assert_close(ours: f64, theirs: f64) {
    assert!((ours - theirs).abs() <= 1e-13 * (1.0 + theirs.abs()), "{ours} is not {theirs}");
}

#[dub]
fn baz(x: f64) -> f64 {
    x * x + 1.0
}

#[dub]
fn bar(x: f64) -> f64 {
    x.sin()
}

#[dub]
fn foo(x: f64) -> f64 {
    bar(baz(x))
}

#[test]
fn foo_is_bar_of_baz() -> Outcome {
    let (y, pullback) = overdub(Reverse, foo, (0.5,))?;
    let (y_baz, back_of_baz) = overdub(Reverse, baz, (0.5,))?;
    let (y_bar, back_of_bar) = overdub(Reverse, bar, (y_baz,))?;
    assert_eq!(y, y_bar);
    let (dbaz,) = back_of_bar.call(1.0)?;
    assert_eq!(pullback.call(1.0)?, back_of_baz.call(dbaz)?, "the chain rule");
    Ok(())
}

/// `a · b` of square matrices, stored by rows.
#[dub]
fn product(a: &[f64], b: &[f64], n: usize) -> Vec<f64> {
    let mut c = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..n {
            for k in 0..n {
                c[i * n + j] += a[i * n + k] * b[k * n + j];
            }
        }
    }
    c
}

#[dub]
fn trace_of_product(a: &[f64], b: &[f64], n: usize) -> f64 {
    let c = product(a, b, n);
    (0..n).map(|i| c[i * n + i]).sum::<f64>()
}

fn transposed(a: &[f64], n: usize) -> Vec<f64> {
    (0..n * n).map(|at| a[at % n * n + at / n]).collect()
}

#[test]
fn the_gradient_of_the_trace_of_a_product_is_the_other_factor_transposed() -> Outcome {
    let n = 3;
    let a: Vec<f64> = (0..9).map(|k| f64::from(k).sin()).collect();
    let b: Vec<f64> = (0..9).map(|k| f64::from(k).cos()).collect();
    let by_the_loops = gradient(trace_of_product, (&a[..], &b[..], n))?;
    assert_eq!(by_the_loops, (transposed(&b, n), transposed(&a, n), ()));

    // The rule of the matrix product: Ā = C̄ Bᵀ, B̄ = Aᵀ C̄.
    rule("product")
        .reverse(|(a, b, n): (Vec<f64>, Vec<f64>, usize), _: Vec<f64>, dc: Vec<f64>| {
            (product(&dc, &transposed(&b, n), n), product(&transposed(&a, n), &dc, n), ())
        })
        .register()?;
    assert_eq!(gradient(trace_of_product, (&a[..], &b[..], n))?, by_the_loops);
    Ok(())
}

#[dub]
fn trigonometric(weights: &[f64], xs: &[f64]) -> f64 {
    let model = |x: &f64| weights[0] * (weights[1] * x).sin() + weights[2];
    xs.iter().map(model).map(|y| y * y).sum::<f64>()
}

#[dub]
fn polynomial(coefficients: &[f64], xs: &[f64]) -> f64 {
    xs.iter().map(|x| coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c)).sum::<f64>()
}

#[test]
fn models_that_map_a_closure_over_their_data_have_gradients_in_their_weights() -> Outcome {
    let (weights, xs) = ([2.0, 0.5, 0.1], [0.3, 1.0, 2.0]);
    let (dweights, dxs) = gradient(trigonometric, (&weights[..], &xs[..]))?;
    let model = |x: f64| 2.0 * (0.5 * x).sin() + 0.1;
    let expected: f64 = xs.iter().map(|x| 2.0 * model(*x) * (0.5 * x).sin()).sum();
    assert_close(dweights[0], expected);
    assert_close(dweights[2], xs.iter().map(|x| 2.0 * model(*x)).sum());
    assert_close(dxs[1], 2.0 * model(1.0) * 0.5_f64.cos());

    let (dc, dxs) = gradient(polynomial, (&[5.0, 3.0, 1.0][..], &[2.0, -1.0][..]))?;
    assert_eq!((dc, dxs), (vec![2.0, 1.0, 5.0], vec![7.0, 1.0]));
    Ok(())
}

/// A tree with numbers in its nodes.
#[derive(Clone, PartialEq, Debug, Dub)]
enum Tree {
    Leaf,
    Node(f64, Box<Tree>, Box<Tree>),
}

#[dub]
fn weighed(tree: &Tree, by: f64) -> f64 {
    match tree {
        Tree::Leaf => 0.0,
        Tree::Node(value, left, right) => value * value + by * (weighed(left, by) + weighed(right, by)),
    }
}

fn node(value: f64, left: Tree, right: Tree) -> Tree {
    Tree::Node(value, Box::new(left), Box::new(right))
}

#[test]
fn the_gradient_of_a_tree_is_a_tree() -> Outcome {
    use Tree::Leaf;
    let tree = node(1.0, node(2.0, Leaf, Leaf), node(3.0, Leaf, node(4.0, Leaf, Leaf)));
    let (dtree, dby) = gradient(weighed, (&tree, 0.5))?;
    assert_eq!(dtree, node(2.0, node(2.0, Leaf, Leaf), node(3.0, Leaf, node(2.0, Leaf, Leaf))));
    assert_eq!(dby, 4.0 + 9.0 + 2.0 * 0.5 * 16.0);
    Ok(())
}

#[dub]
fn conditional(x: f64) -> f64 {
    if x > 0.0 { x * x } else { 2.0 * x }
}

#[dub]
fn power(x: f64, n: u32) -> f64 {
    let mut r = 1.0;
    for _ in 0..n {
        r *= x;
    }
    r
}

#[test]
fn a_conditional_and_a_loop() -> Outcome {
    assert_eq!((gradient(conditional, (4.0,))?, gradient(conditional, (-10.0,))?), ((8.0,), (2.0,)));
    assert_eq!(value_and_gradient(power, (5.0, 3))?, (125.0, (75.0, ())));
    assert_eq!(jvp(power, (5.0, 3), (1.0, ()))?, (125.0, 75.0));
    Ok(())
}

#[test]
fn what_a_gradient_is_taken_in_may_be_chosen_by_a_closure() -> Outcome {
    let y = 3.0;
    let of_x = dub!(|x: f64| x / (x + y * y));
    assert_close(gradient(of_x, (2.0,))?.0, 9.0 / 121.0);
    Ok(())
}
