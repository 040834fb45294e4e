//! Custom rules.

use overdub::ad::{
    RuleError, derivative, derivatives, gradient, hessian, jacobian, jvp, linearize, rule, value_and_gradient,
};
use overdub::prelude::*;
use overdub_ad::transform::reverse::Transformed;
use overdub_lower::api::{Callable, engine};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// A function with a plain derivative of 1, so that the effect of a rule is visible.
macro_rules! identities {
    ($($name:ident)*) => {$(
        #[dub]
        fn $name(x: f64) -> f64 {
            x
        }
    )*};
}

identities! { transformed later by_reverse by_forward clipped by_value }

#[dub]
fn through_later(x: f64) -> f64 {
    2.0 * later(x)
}

#[dub]
fn through_reverse(x: f64, y: f64) -> f64 {
    by_reverse(x * y) + y
}

#[dub]
fn through_forward(x: f64, y: f64) -> f64 {
    by_forward(x * y) + y
}

#[dub]
fn recurrent(xs: &[f64], w: f64) -> f64 {
    let mut state = 1.0;
    for x in xs {
        state = clipped(state * w) + x;
    }
    state
}

#[dub]
fn as_a_value(xs: &[f64]) -> f64 {
    xs.iter().copied().map(by_value).sum::<f64>()
}

#[test]
fn a_rule_given_after_the_first_gradient_takes_effect_in_the_next() -> Outcome {
    assert_eq!(gradient(through_later, (3.0,))?, (2.0,));
    rule("later").reverse(|(x,): (f64,), _: f64, dy: f64| (10.0 * x * dy,)).register()?;
    assert_eq!(gradient(through_later, (3.0,))?, (60.0,));
    assert_eq!(gradient(later, (3.0,))?, (30.0,), "where it is asked for itself too");
    rule("later").reverse(|(_,): (f64,), _: f64, dy: f64| (7.0 * dy,)).register()?;
    assert_eq!(gradient(through_later, (3.0,))?, (14.0,), "the last word holds");
    assert_eq!(run(through_later, (3.0,))?, 6.0, "what is not differentiated is as it was");
    Ok(())
}

#[dub]
fn through_transformed(x: f64) -> f64 {
    transformed(x) * 2.0
}

#[dub]
fn through_a_stop(x: f64) -> f64 {
    overdub::ad::stop_gradient(x) * x
}

/// Whether the function has a gradient by source transformation.
fn is_transformed<F: Callable<(f64,), Output = f64>>(func: F) -> Result<bool, Box<dyn std::error::Error>> {
    let symbol = func.target()?.function.symbol;
    Ok(Transformed::gradient(engine(), symbol, &|_| true).is_ok())
}

#[test]
fn the_source_transformation_goes_by_rules() -> Outcome {
    assert!(is_transformed(through_transformed)?);
    rule("transformed").reverse(|(x,): (f64,), _: f64, dy: f64| (x * dy,)).register()?;
    assert!(is_transformed(through_transformed)?);
    assert!(is_transformed(transformed)?);
    assert!(is_transformed(through_a_stop)?);
    assert_eq!(gradient(through_transformed, (3.0,))?, (6.0,));
    assert_eq!(gradient(transformed, (3.0,))?, (3.0,));
    Ok(())
}

#[dub]
fn weighed(xs: &[f64], w: (f64, usize)) -> Vec<f64> {
    xs.iter().map(|x| x * w.0).collect()
}

#[dub]
fn through_weighed(xs: &[f64], w: f64) -> f64 {
    let mut sum = 0.0;
    for n in 0..3 {
        let ys = weighed(xs, (w, n));
        sum += ys.iter().sum::<f64>() * xs[n];
    }
    sum
}

#[test]
fn a_rule_on_arrays_adds_to_the_cotangents_that_there_are() -> Outcome {
    let (xs, w) = (vec![2.0, 3.0, 5.0], 7.0);
    let plain = gradient(through_weighed, (&xs[..], w))?;
    rule("weighed")
        .reverse(|(xs, (w, _)): (Vec<f64>, (f64, usize)), _: Vec<f64>, dys: Vec<f64>| {
            let dw = xs.iter().zip(&dys).map(|(x, dy)| x * dy).sum::<f64>();
            (dys.iter().map(|dy| w * dy).collect::<Vec<f64>>(), (dw, ()))
        })
        .register()?;
    let strategy = overdub::ad::prepare(through_weighed).strategy::<(&[f64], f64)>()?;
    assert_eq!(strategy, overdub::ad::Strategy::Transformation);
    assert_eq!(gradient(through_weighed, (&xs[..], w))?, plain);
    assert_eq!(jvp(through_weighed, (&xs[..], w), (&xs[..], 1.0))?.1, 2.0 * 700.0 + 100.0);
    Ok(())
}

#[dub]
fn opaque(_x: f64) -> f64 {
    unimplemented!("outside of the program")
}

#[dub]
fn through_opaque(x: f64, n: usize) -> f64 {
    let constant = opaque(n as f64);
    let mut y = x;
    for _ in 0..n {
        y = opaque(y) * constant;
    }
    y
}

#[test]
fn a_function_outside_of_the_program_is_differentiated_by_transformation() -> Outcome {
    rule("opaque")
        .value(|(x,): (f64,)| x * x)
        .reverse(|(x,): (f64,), _: f64, dy: f64| (2.0 * x * dy,))
        .register()?;
    let strategy = overdub::ad::prepare(through_opaque).strategy::<(f64, usize)>()?;
    assert_eq!(strategy, overdub::ad::Strategy::Transformation);
    let (y, (dy, ())) = value_and_gradient(through_opaque, (1.5, 2))?;
    // ((x²·4)²·4), whose derivative is 4·y/x.
    assert_eq!((y, dy), (324.0, 864.0));
    Ok(())
}

#[test]
fn one_direction_of_a_rule_gives_both_modes() -> Outcome {
    rule("by_reverse").reverse(|(x,): (f64,), _: f64, dy: f64| (2.0 * x * dy,)).register()?;
    rule("by_forward").forward(|(x,): (f64,), (dx,): (f64,)| (x, 2.0 * x * dx)).register()?;
    for func in [through_reverse as fn(f64, f64) -> f64, through_forward] {
        assert_eq!(func(3.0, 5.0), 20.0);
    }
    assert_eq!(gradient(through_reverse, (3.0, 5.0))?, (150.0, 91.0));
    assert_eq!(gradient(through_forward, (3.0, 5.0))?, (150.0, 91.0));
    assert_eq!(jvp(through_reverse, (3.0, 5.0), (1.0, 0.0))?, (20.0, 150.0));
    assert_eq!(jvp(through_forward, (3.0, 5.0), (0.0, 1.0))?, (20.0, 91.0));
    assert_eq!(linearize(through_reverse, (3.0, 5.0))?.1.call((1.0, 1.0))?, 241.0);
    assert_eq!(jacobian(through_forward, (3.0, 5.0))?, ndarray::arr2(&[[150.0, 91.0]]));
    Ok(())
}

#[test]
fn gradients_are_clipped_on_their_way_through_a_recurrent_cell() -> Outcome {
    rule("clipped").reverse(|(_,): (f64,), _: f64, dy: f64| (dy.clamp(-0.5, 0.5),)).register()?;
    let xs = [0.1, 0.2, 0.3];
    let (y, (dxs, dw)) = value_and_gradient(recurrent, (&xs[..], 10.0))?;
    assert_eq!(y, recurrent(&xs, 10.0));
    // Each step of the reverse sweep clips to 0.5 and multiplies by 10; the next step clips again.
    assert_eq!(dxs, [5.0, 5.0, 1.0]);
    let states = [1.0, 10.1, 101.2];
    assert!((dw - 0.5 * states.iter().sum::<f64>()).abs() < 1e-12);
    Ok(())
}

#[test]
fn a_function_with_a_rule_has_it_as_a_value_too() -> Outcome {
    rule("by_value").reverse(|(x,): (f64,), _: f64, dy: f64| (x * dy,)).register()?;
    assert_eq!(gradient(as_a_value, (&[2.0, 3.0][..],))?, (vec![2.0, 3.0],));
    Ok(())
}

#[dub]
fn my_tanh(x: f64) -> f64 {
    let e = (2.0 * x).exp();
    (e - 1.0) / (e + 1.0)
}

/// Does not overflow at points where `my_tanh` does.
#[dub]
fn slope_of_my_tanh(x: f64) -> f64 {
    let y = x.tanh();
    1.0 - y * y
}

#[dub]
fn neuron(x: f64, w: f64) -> f64 {
    my_tanh(w * x)
}

#[dub]
fn mixed(x: f64, y: f64) -> f64 {
    x * x * y
}

#[dub]
fn partials_of_mixed(x: f64, y: f64) -> (f64, f64) {
    (2.0 * x * y, x * x)
}

#[dub]
fn of_mixed(x: f64, y: f64) -> f64 {
    mixed(x, y).sin()
}

#[test]
fn a_rule_that_overdub_sees_is_differentiated_again() -> Outcome {
    rule("my_tanh").partials(slope_of_my_tanh).register()?;
    let (x, w): (f64, f64) = (0.7, 0.3);
    let (y, s) = ((w * x).tanh(), 1.0 - (w * x).tanh().powi(2));
    let (dx, dw) = gradient(neuron, (x, w))?;
    assert!((dx - s * w).abs() < 1e-15 && (dw - s * x).abs() < 1e-15);
    let h = hessian(neuron, (x, w))?;
    assert!((h[[0, 0]] + 2.0 * y * s * w * w).abs() < 1e-12, "{h}");
    assert!((derivative(my_tanh, 400.0)? - 0.0).abs() < 1e-300, "by itself it would be NaN");
    let third = derivatives(my_tanh, 0.0, 3)?;
    assert!((third[3] + 2.0).abs() < 1e-12, "{third:?}");

    rule("mixed").partials(partials_of_mixed).register()?;
    let (dx, dy) = gradient(of_mixed, (1.1, 0.4))?;
    let c = (1.1_f64 * 1.1 * 0.4).cos();
    assert!((dx - c * 2.0 * 1.1 * 0.4).abs() < 1e-15 && (dy - c * 1.1 * 1.1).abs() < 1e-15);
    let ours = hessian(of_mixed, (1.1, 0.4))?;
    assert!((ours[[0, 1]] - ours[[1, 0]]).abs() < 1e-12);
    Ok(())
}

#[dub]
fn measured(_at: &[f64], _shift: f64) -> (f64, f64) {
    unimplemented!("the measurement is made outside of the program")
}

#[dub]
fn calibrated(at: &[f64], shift: f64) -> f64 {
    let (low, high) = measured(at, shift);
    high - low * low
}

#[test]
fn what_overdub_cannot_see_into_is_differentiated_by_its_rule() -> Outcome {
    // Any function of the host: one of a C library, a table, a solver.
    fn measure(at: &[f64], shift: f64) -> (f64, f64) {
        (at[0] - shift, at.iter().sum::<f64>() + 3.0 * shift)
    }
    rule("measured")
        .value(|(at, shift): (Vec<f64>, f64)| measure(&at, shift))
        .reverse(|(at, _): (Vec<f64>, f64), _: (f64, f64), (dlow, dhigh): (f64, f64)| {
            let mut dat = vec![dhigh; at.len()];
            dat[0] += dlow;
            (dat, 3.0 * dhigh - dlow)
        })
        .register()?;
    let at = [2.0, 5.0];
    let (y, (dat, dshift)) = value_and_gradient(calibrated, (&at[..], 0.5))?;
    assert_eq!(y, 8.5 - 1.5 * 1.5);
    assert_eq!((dat, dshift), (vec![1.0 - 3.0, 1.0], 3.0 + 3.0));
    let (_, dy) = jvp(calibrated, (&at[..], 0.5), (&[1.0, 0.0][..], 1.0))?;
    assert_eq!(dy, -2.0 + 6.0);
    assert_eq!(jacobian(measured, (&at[..], 0.5))?, ndarray::arr2(&[[1.0, 0.0, -1.0], [1.0, 1.0, 3.0]]));
    Ok(())
}

identities! { misfit too_short nothing sealed }

#[dub]
fn sum_of(xs: &[f64]) -> f64 {
    xs.iter().sum::<f64>()
}

#[dub]
fn on_integers(n: i64, x: f64) -> f64 {
    x * n as f64
}

#[dub]
fn of_sealed(x: f64) -> f64 {
    sealed(x) * x
}

#[test]
fn a_rule_that_does_not_fit_says_so() -> Outcome {
    let empty = rule("nothing").register().unwrap_err();
    assert!(empty.to_string().contains("says nothing about its derivative"), "{empty}");
    assert_eq!(gradient(nothing, (2.0,))?, (1.0,));

    let shape = rule("mixed_up").partials(on_integers).register().unwrap_err();
    assert!(shape.to_string().contains("give one for each"), "{shape}");

    rule("misfit").reverse(|(x,): (Vec<f64>,), _: f64, dy: f64| (vec![dy; x.len()],)).register()?;
    let error = gradient(misfit, (2.0,)).unwrap_err();
    assert!(error.to_string().contains("the rule for `misfit` does not fit"), "{error}");

    rule("sum_of").reverse(|_: (Vec<f64>,), _: f64, dy: f64| (vec![dy],)).register()?;
    let error = gradient(sum_of, (&[1.0, 2.0][..],)).unwrap_err();
    assert!(
        error.to_string().contains("the cotangent of the arguments, by the rule for `sum_of`"),
        "{error}"
    );
    assert!(too_short(1.0) == 1.0);
    Ok(())
}

#[dub]
mod euclid {
    pub(crate) fn length(x: f64) -> f64 {
        x * x
    }
}

#[dub]
mod manhattan {
    pub(crate) fn length(x: f64) -> f64 {
        x
    }
}

#[dub]
fn both_lengths(x: f64) -> f64 {
    euclid::length(x) + manhattan::length(x)
}

fn unseen(x: f64) -> f64 {
    x
}

#[test]
fn a_rule_is_for_one_function_that_there_is() -> Outcome {
    let times = |factor: f64| move |(_,): (f64,), _: f64, dy: f64| (factor * dy,);

    let misspelt = rule("euclid::lenght").reverse(times(1.0)).register().unwrap_err();
    assert!(matches!(&misspelt, RuleError::Unknown { similar, .. } if !similar.is_empty()), "{misspelt}");
    assert!(misspelt.to_string().contains("did you mean `euclid::length`"), "{misspelt}");
    let several = rule("length").reverse(times(1.0)).register().unwrap_err();
    assert!(matches!(&several, RuleError::Ambiguous { functions, .. } if functions.len() == 2), "{several}");
    let unknown = rule(unseen).reverse(times(1.0)).register().unwrap_err();
    assert!(matches!(unknown, RuleError::NotAnnotated { .. }), "{unknown}");
    assert_eq!(unseen(1.0), 1.0);

    assert_eq!(gradient(both_lengths, (3.0,))?, (7.0,));
    rule(euclid::length).reverse(times(10.0)).register()?;
    assert_eq!(gradient(both_lengths, (3.0,))?, (11.0,));
    rule("manhattan::length").reverse(times(100.0)).register()?;
    assert_eq!(gradient(both_lengths, (3.0,))?, (110.0,));
    Ok(())
}

#[test]
fn a_closure_of_the_host_is_not_differentiated_again() -> Outcome {
    rule("sealed").reverse(|(_,): (f64,), _: f64, dy: f64| (dy,)).register()?;
    assert_eq!(gradient(of_sealed, (3.0,))?, (6.0,));
    let error = hessian(of_sealed, (3.0,)).unwrap_err();
    assert!(error.to_string().contains("closure of the host"), "{error}");
    assert!(error.help().is_some_and(|help| help.contains(".partials(df)")), "{error}");
    Ok(())
}

#[cfg(feature = "check")]
mod checked {
    use super::*;
    use overdub::ad::{check_gradient, check_rule};

    #[dub]
    fn square(x: f64) -> f64 {
        x * x
    }

    #[dub]
    fn softened(xs: &[f64]) -> Vec<f64> {
        let sum: f64 = xs.iter().map(|x| x.exp()).sum::<f64>();
        xs.iter().map(|x| x.exp() / sum).collect()
    }

    identities! { unruled torn }

    #[test]
    fn a_wrong_rule_is_found_and_a_right_one_passes() -> Outcome {
        assert!(check_rule(unruled).over((0.0..1.0,)).try_run().is_err());
        rule("square").reverse(|(x,): (f64,), _: f64, dy: f64| (x * dy,)).register()?;
        let found = check_rule(square).over((0.5..5.0,)).try_run().unwrap_err();
        assert!(found.to_string().starts_with("in `x` the derivative is 0.5, differences say 1"), "{found}");
        rule("square").reverse(|(x,): (f64,), _: f64, dy: f64| (2.0 * x * dy,)).register()?;
        check_rule(square).over((0.5..5.0,)).run();

        rule("softened")
            .reverse(|_: (Vec<f64>,), ys: Vec<f64>, dys: Vec<f64>| {
                let mean: f64 = ys.iter().zip(&dys).map(|(y, dy)| y * dy).sum();
                (ys.iter().zip(&dys).map(|(y, dy)| y * (dy - mean)).collect(),)
            })
            .register()?;
        check_rule(softened).over((proptest::collection::vec(-2.0..2.0, 1..5),)).cases(16).run();
        Ok(())
    }

    #[test]
    fn modes_that_disagree_are_found() -> Outcome {
        rule("torn")
            .forward(|(x,): (f64,), (dx,): (f64,)| (x, 3.0 * dx))
            .reverse(|(_,): (f64,), _: f64, dy: f64| (dy,))
            .register()?;
        assert_eq!(gradient(torn, (1.0,))?, (1.0,));
        assert_eq!(jvp(torn, (1.0,), (1.0,))?, (1.0, 3.0));
        let found = check_gradient(torn).over((1.0..2.0,)).try_run().unwrap_err();
        assert!(found.to_string().starts_with("along a direction reverse mode says"), "{found}");
        Ok(())
    }
}

#[dub]
fn largest_softly(x: &[f64], k: f64) -> f64 {
    x.iter().map(|x| (k * x).exp()).sum::<f64>().ln() / k
}

/// `largest_softly` with its pullback, written so that nothing overflows.
#[dub]
fn largest_softly_back(x: &[f64], k: f64) -> (f64, impl Fn(f64) -> (Vec<f64>, f64)) {
    let most = x.iter().copied().fold(f64::MIN, f64::max);
    let weights: Vec<f64> = x.iter().map(|x| (k * (x - most)).exp()).collect();
    let sum: f64 = weights.iter().sum();
    let y = most + sum.ln() / k;
    let mean = x.iter().zip(&weights).map(|(x, w)| x * w).sum::<f64>() / sum;
    (y, move |dy| (weights.iter().map(|w| dy * w / sum).collect(), dy * (mean - y) / k))
}

#[dub]
fn of_largest_softly(x: &[f64], k: f64) -> f64 {
    let y = largest_softly(x, k);
    y * y + x[0]
}

#[test]
fn a_rule_that_returns_a_pullback_holds_in_every_mode_and_is_differentiated_again() {
    let (x, k) = ([0.3, 1.2, -0.7], 1.5);
    let before = (
        gradient(of_largest_softly, (&x[..], k)).expect("it has one"),
        hessian(of_largest_softly, (&x[..], k)).expect("it has one"),
    );
    rule("largest_softly").pullback(largest_softly_back).register().expect("it fits");
    let tally = overdub::ad::check_rule(largest_softly)
        .over((proptest::collection::vec(-2.0..2.0, 1..5), 0.5..2.0))
        .cases(16)
        .try_run();
    assert!(tally.unwrap_or_else(|wrong| panic!("{wrong}")).agreed > 0);
    let after = (
        gradient(of_largest_softly, (&x[..], k)).expect("it has one"),
        hessian(of_largest_softly, (&x[..], k)).expect("it has one"),
    );
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-10, "{a}, not {b}");
    after.0.0.iter().zip(&before.0.0).for_each(|(a, b)| near(*a, *b));
    near(after.0.1, before.0.1);
    assert_eq!(format!("{:.9?}", after.1), format!("{:.9?}", before.1));
    // The function itself overflows here, the rule does not.
    let (large, _) = gradient(largest_softly, (&[900.0, 1.0][..], 1.0)).expect("it has one");
    assert_eq!(large, [1.0, 0.0]);
}
