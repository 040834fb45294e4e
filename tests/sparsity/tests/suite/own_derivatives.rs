//! Functions with derivatives of their own.

use overdub::ad::{Rules, replace_gradient, rule};
use overdub::prelude::*;
use overdub_sparsity::api::{Sparse, jacobian_sparsity};

/// The rule below makes it depend on both arguments.
#[dub]
fn leading(x: f64, _y: f64) -> f64 {
    2.0 * x
}

#[dub]
fn slopes_of_leading(_x: f64, _y: f64) -> (f64, f64) {
    (2.0, 5.0)
}

#[dub]
fn pairs(x: &[f64]) -> Vec<f64> {
    vec![leading(x[0], x[1]), x[2]]
}

#[test]
fn a_function_with_a_rule_depends_on_all_that_it_takes() {
    rule("leading").partials(slopes_of_leading).register().expect("the rule fits");
    let x = [1.0, 2.0, 3.0];
    assert_eq!(
        jacobian_sparsity(pairs, (&x[..],)).expect("there is a pattern").to_string(),
        "[1 1 0; 0 0 1]"
    );
    let jacobian = Sparse::jacobian(pairs, (&x[..],)).expect("there is a pattern");
    let dense = jacobian.evaluate((&x[..],)).expect("it has a derivative").to_dense();
    assert_eq!(dense, [[2.0, 5.0, 0.0], [0.0, 0.0, 1.0]]);
}

#[dub]
fn first(x: f64, _y: f64) -> f64 {
    2.0 * x
}

#[dub]
fn of_first(x: &[f64]) -> Vec<f64> {
    vec![first(x[0], x[1]), x[2]]
}

#[test]
fn a_pattern_and_its_entries_are_by_the_rules_in_whose_scope_they_were_prepared() {
    let rules = Rules::new([rule(first).partials(slopes_of_leading)]).expect("the rule fits");
    let x = [1.0, 2.0, 3.0];
    let prepared = rules.during(|| Sparse::jacobian(of_first, (&x[..],))).expect("there is a pattern");
    let plain = Sparse::jacobian(of_first, (&x[..],)).expect("there is a pattern");
    let dense = |of: &Sparse<_>| of.evaluate((&x[..],)).expect("it has a derivative").to_dense();
    assert_eq!(dense(&prepared), [[2.0, 5.0, 0.0], [0.0, 0.0, 1.0]]);
    assert_eq!(dense(&plain), [[2.0, 0.0, 0.0], [0.0, 0.0, 1.0]]);
    assert_eq!(rules.during(|| dense(&plain)), dense(&plain));
}

#[dub]
fn clipped(x: f64) -> f64 {
    replace_gradient(x * x, |dy: f64| dy.clamp(-1.0, 1.0))
}

#[test]
fn a_replaced_gradient_has_no_pattern() {
    let error = jacobian_sparsity(clipped, (3.0,)).expect_err("its pullback is not linear");
    assert!(error.to_string().contains("replace_gradient"), "{error}");
}
