//! Derivatives of Rust functions, called with plain Rust values.

use overdub::ad::{
    ADCtx, Forward, Reverse, Strategy, derivative, derivatives, gradient, hessian, hvp, jacobian, jvp,
    linearize, prepare, value_and_gradient, vjp,
};
use overdub::closures::dub;
use overdub::prelude::*;

type Outcome = Result<(), Box<dyn std::error::Error>>;

#[dub]
fn ratio(a: f64, b: f64) -> f64 {
    a / (a + b * b)
}

#[dub]
fn weighted(xs: &[f64], count: usize, scale: f64) -> f64 {
    let mut sum = 0.0;
    for x in &xs[..count] {
        sum += x * x;
    }
    sum * scale
}

#[derive(Clone, PartialEq, Debug, Dub)]
struct Model {
    rate: f64,
    steps: i32,
    weights: Vec<f64>,
}

#[dub]
fn trained(model: &Model, x: f64) -> f64 {
    let mut y = x;
    for _ in 0..model.steps {
        y = y * model.rate + model.weights[1];
    }
    y
}

#[dub]
fn double_in_place(xs: &mut [f64], by: f64) -> f64 {
    let mut sum = 0.0;
    for x in xs.iter_mut() {
        sum += *x * *x;
        *x *= by;
    }
    sum * by
}

#[dub]
fn curve(t: f64) -> [f64; 3] {
    [t, t * t, t.exp()]
}

#[dub]
fn count_only(n: i64) -> i64 {
    n * n
}

#[dub]
fn fails(xs: &[f64]) -> f64 {
    xs[7]
}

fn close(ours: f64, theirs: f64) -> bool {
    (ours - theirs).abs() <= 1e-12 * (1.0 + theirs.abs())
}

#[test]
fn the_context_as_it_is_written_gives_the_value_and_a_pullback() -> Outcome {
    let (y, pullback) = overdub(ADCtx, ratio, (2.0, 3.0))?;
    assert_eq!(y, ratio(2.0, 3.0));
    let (da, db) = pullback.call(1.0)?;
    assert!(close(da, 9.0 / 121.0) && close(db, -12.0 / 121.0));
    let (twice, _) = pullback.call(2.0)?;
    assert_eq!(twice, 2.0 * da, "a pullback is linear, and called as often as one likes");
    Ok(())
}

#[test]
fn a_pullback_is_cloned_and_called_from_many_threads() -> Outcome {
    let (_, pullback) = overdub(Reverse, ratio, (2.0, 3.0))?;
    let expected = pullback.call(1.0)?;
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let pullback = pullback.clone();
            std::thread::spawn(move || pullback.call(1.0))
        })
        .collect();
    for thread in threads {
        assert_eq!(thread.join().expect("it does not panic")?, expected);
    }
    Ok(())
}

#[test]
fn a_pullback_outlives_what_was_borrowed() -> Outcome {
    let pullback = {
        let xs = [1.0, 2.0, 3.0];
        overdub(Reverse, weighted, (&xs[..], 2, 10.0))?.1
    };
    let (dxs, dcount, dscale): (Vec<f64>, (), f64) = pullback.call(1.0)?;
    assert_eq!((dxs, dcount, dscale), (vec![20.0, 40.0, 0.0], (), 5.0));
    Ok(())
}

#[test]
fn a_struct_has_a_gradient_of_its_own_type_what_is_no_float_left_as_it_was() -> Outcome {
    let model = Model { rate: 0.5, steps: 2, weights: vec![7.0, 0.25] };
    let (dmodel, dx) = gradient(trained, (&model, 3.0))?;
    // y = (x r + w) r + w
    assert_eq!(dmodel, Model { rate: 2.0 * 3.0 * 0.5 + 0.25, steps: 2, weights: vec![0.0, 1.5] });
    assert_eq!(dx, 0.25);
    Ok(())
}

#[test]
fn mutable_arguments_get_their_last_values_and_the_derivative_in_their_first() -> Outcome {
    let mut xs = [1.0, 2.0];
    let (y, (dxs, dby)) = value_and_gradient(double_in_place, (&mut xs[..], 3.0))?;
    assert_eq!((y, xs), (15.0, [3.0, 6.0]));
    assert_eq!((dxs, dby), (vec![6.0, 12.0], 5.0));
    Ok(())
}

#[test]
fn forward_gives_the_value_and_its_change_along_a_direction() -> Outcome {
    let (y, dy) = overdub(Forward, ratio, ((2.0, 3.0), (1.0, 0.0)))?;
    assert_eq!(y, ratio(2.0, 3.0));
    assert!(close(dy, 9.0 / 121.0));
    let (_, dy) = jvp(weighted, (&[1.0, 2.0][..], 2, 10.0), (&[1.0, 0.5][..], (), 1.0))?;
    assert!(close(dy, 20.0 + 20.0 + 5.0));
    let (_, dcurve) = jvp(curve, (2.0,), (1.0,))?;
    assert_eq!(dcurve, [1.0, 4.0, 2.0_f64.exp()]);
    Ok(())
}

#[test]
fn a_cotangent_of_many_results_has_their_shape() -> Outcome {
    let (_, (dt,)) = vjp(curve, (2.0,), [1.0, 10.0, 0.0])?;
    assert_eq!(dt, 41.0);
    Ok(())
}

#[test]
fn jacobians_go_by_the_shape_and_agree() -> Outcome {
    // Three results of one number, in forward mode; one result of twenty, in reverse mode.
    assert_eq!(jacobian(curve, (2.0,))?, ndarray::arr2(&[[1.0], [4.0], [2.0_f64.exp()]]));
    let xs: Vec<f64> = (0..20).map(f64::from).collect();
    let row = jacobian(weighted, (&xs[..], 20, 0.5))?;
    let (dxs, (), dscale) = gradient(weighted, (&xs[..], 20, 0.5))?;
    assert_eq!(row.row(0).to_vec(), [dxs, vec![dscale]].concat());
    // Few enough columns for one run, but more than one chunk has: the result is the same.
    let by_chunks = jacobian(double_in_place, (&mut [1.0, 2.0, 3.0][..], 2.0))?;
    assert_eq!(by_chunks, ndarray::arr2(&[[4.0, 8.0, 12.0, 14.0]]));
    Ok(())
}

#[test]
fn second_derivatives_are_those_of_the_gradient() -> Outcome {
    let xs = [1.0, 2.0];
    let h = hessian(weighted, (&xs[..], 2, 10.0))?;
    assert_eq!(h, ndarray::arr2(&[[20.0, 0.0, 2.0], [0.0, 20.0, 4.0], [2.0, 4.0, 0.0]]));
    let (dxs, (), dscale) = hvp(weighted, (&xs[..], 2, 10.0), (&[1.0, 1.0][..], (), 0.0))?;
    assert_eq!((dxs, dscale), (vec![20.0, 20.0], 6.0));
    Ok(())
}

#[test]
fn derivatives_of_any_order_are_those_of_the_sine() -> Outcome {
    let sine = dub!(|x: f64| x.sin());
    let all = derivatives(sine, 1.0, 5)?;
    let (sin, cos) = (1.0_f64.sin(), 1.0_f64.cos());
    for (ours, theirs) in all.iter().zip([sin, cos, -sin, -cos, sin, cos]) {
        assert!(close(*ours, theirs), "{all:?}");
    }
    let k = 5.0;
    let captured = dub!(|x: f64| k * x * x);
    assert_eq!(derivative(captured.clone(), 3.0)?, 30.0);
    assert_eq!(derivatives(captured, 3.0, 2)?, [45.0, 30.0, 10.0]);
    assert!(derivatives(dub!(|x: f64| x), 1.0, 17).is_err());
    Ok(())
}

#[test]
fn what_a_closure_captured_is_constant() -> Outcome {
    let k = 5.0;
    let f = dub!(|x: f64, y: f64| k * x * y);
    assert_eq!(gradient(f.clone(), (2.0, 3.0))?, (15.0, 10.0));
    assert_eq!(jacobian(f.clone(), (2.0, 3.0))?, ndarray::arr2(&[[15.0, 10.0]]));
    assert_eq!(hessian(f, (2.0, 3.0))?, ndarray::arr2(&[[0.0, 5.0], [5.0, 0.0]]));
    Ok(())
}

#[test]
fn a_linear_map_answers_without_running_the_function_again() -> Outcome {
    let (y, slope) = linearize(curve, (2.0,))?;
    assert_eq!(y, curve(2.0));
    assert_eq!(slope.call((1.0,))?, [1.0, 4.0, 2.0_f64.exp()]);
    assert_eq!(slope.clone().call((-2.0,))?, [-2.0, -8.0, -2.0 * 2.0_f64.exp()]);
    Ok(())
}

#[test]
fn a_prepared_function_writes_into_the_callers_buffers() -> Outcome {
    let f = prepare(weighted);
    let (mut dxs, mut dscale) = ([0.0; 2], 0.0);
    for k in 0..3 {
        let xs = [f64::from(k), 1.0];
        let y = f.gradient_into((&xs[..], 2, 10.0), (&mut dxs[..], (), &mut dscale))?;
        assert_eq!((y, dxs, dscale), (weighted(&xs, 2, 10.0), [20.0 * xs[0], 20.0], y / 10.0));
    }
    let error = f.gradient_into((&[1.0][..], 1, 1.0), (&mut dxs[..], (), ())).unwrap_err();
    assert!(error.to_string().contains("does not fit into a buffer of 2 numbers"), "{error}");
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| f.gradient((&[3.0][..], 1, 1.0)))).collect();
        for thread in threads {
            let (dxs, (), _) = thread.join().expect("it does not panic")?;
            assert_eq!(dxs, [6.0]);
        }
        Ok(())
    })
}

#[test]
fn what_is_wanted_is_differentiated_and_all_else_counts_as_constant() -> Outcome {
    let model = Model { rate: 0.5, steps: 2, weights: vec![7.0, 0.25] };
    let rate = prepare(trained).with_respect_to(["model.rate"]);
    let (dmodel, dx) = rate.gradient((&model, 3.0))?;
    assert_eq!((dmodel.rate, &dmodel.weights[..], dx), (3.25, &[0.0, 0.0][..], 0.0));
    let (dmodel, dx) = prepare(trained).with_respect_to(["1"]).gradient((&model, 3.0))?;
    assert_eq!((dmodel.rate, dx), (0.0, 0.25));
    let unknown = prepare(trained).with_respect_to(["model.speed"]).gradient((&model, 3.0)).unwrap_err();
    assert!(unknown.to_string().contains("there is no `speed`"), "{unknown}");
    assert!(unknown.help().is_some_and(|help| help.contains("`rate`")), "{unknown}");
    let integer = prepare(trained).with_respect_to(["model.steps"]).gradient((&model, 3.0)).unwrap_err();
    assert!(integer.to_string().contains("holds no float"), "{integer}");
    Ok(())
}

#[dub]
fn repeated_sines(x: f64, n: usize) -> f64 {
    let mut y = x;
    for _ in 0..n {
        y = y.sin();
    }
    y
}

#[dub]
fn twice(x: f64) -> f64 {
    x + x
}

#[dub]
fn squared(x: f64) -> f64 {
    x * x
}

#[dub]
fn from_a_table(x: f64, n: usize) -> f64 {
    let table: [fn(f64) -> f64; 2] = [twice, squared];
    table[n % 2](x)
}

#[test]
fn a_tape_past_its_limit_is_an_error_that_names_the_loop() -> Outcome {
    let (y, pullback) = overdub(Reverse::with_tape_limit(1000), repeated_sines, (0.5, 100))?;
    assert_eq!(y, repeated_sines(0.5, 100));
    assert_eq!(pullback.strategy(), &Strategy::Transformation);
    assert!(pullback.call(1.0)?.0 > 0.0);
    let limit = overdub(Reverse::with_tape_limit(1000), repeated_sines, (0.5, 200)).unwrap_err();
    assert!(limit.to_string().contains("1000 bytes"), "{limit}");
    let line =
        limit.to_string().split("calls.rs:").nth(1).and_then(|rest| rest.split(' ').next()?.parse().ok());
    let source: Vec<&str> = include_str!("calls.rs").lines().collect();
    assert!(source[line.map_or(0, |line: usize| line - 1)].contains("for _ in 0..n"), "{limit}");
    Ok(())
}

#[test]
fn the_strategy_says_why_a_function_could_not_be_rewritten() -> Outcome {
    assert_eq!(prepare(repeated_sines).strategy::<(f64, usize)>()?, Strategy::Transformation);
    let Strategy::Recording { because, at } = prepare(from_a_table).strategy::<(f64, usize)>()? else {
        return Err("the transformation does not see which function is called".into());
    };
    assert!(because.contains("derivatives flow through `call`"), "{because}");
    assert!(at.file.as_str().ends_with("calls.rs"), "{at}");
    assert_eq!(gradient(from_a_table, (3.0, 1))?.0, 6.0);
    Ok(())
}

#[test]
fn what_has_no_derivative_says_so() -> Outcome {
    let integer = gradient(count_only, (3,)).unwrap_err();
    assert!(integer.to_string().contains("only a float has a gradient"), "{integer}");
    assert!(hvp(count_only, (3,), ((),)).is_err());
    let panics = gradient(fails, (&[1.0][..],)).unwrap_err();
    assert!(panics.to_string().contains("index") && panics.span().is_known(), "{panics}");
    let shape = jvp(weighted, (&[1.0, 2.0][..], 2, 1.0), (&[1.0][..], (), 0.0)).unwrap_err();
    assert!(shape.to_string().contains("the tangent of `xs`"), "{shape}");
    let limit = overdub(Reverse::with_tape_limit(64), weighted, (&[1.0; 50][..], 50, 1.0)).unwrap_err();
    assert!(limit.to_string().contains("64 bytes"), "{limit}");
    Ok(())
}
