//! Mapped calls with values of Rust.

use ndarray::{Array1, Array2};
use overdub::ad::{Rules, rule};
use overdub::closures::dub as closure;
use overdub::prelude::*;
use overdub::spmd::{ByIndex, Fixed, Input, Map, MapError, Rows, map};

#[derive(Clone, Debug, PartialEq, Dub)]
struct Line {
    slope: f64,
    offset: f64,
}

#[dub]
fn at(line: &Line, x: f64) -> f64 {
    line.slope * x + line.offset
}

#[dub]
fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[dub]
fn root(n: i64) -> Option<i64> {
    assert!(n >= 0, "{n} is negative");
    (0..=n).find(|k| k * k == n)
}

#[dub]
fn weighed(x: f32, n: u8, keep: bool) -> f32 {
    if keep { x * n as f32 } else { 0.0 }
}

#[test]
fn everything_that_gives_arguments_is_mapped_over_or_shared() -> Result<(), MapError> {
    let lines = [Line { slope: 1.0, offset: 0.5 }, Line { slope: -2.0, offset: 0.0 }];
    assert_eq!(map(at).over((&lines, Fixed(2.0))).values()?, [2.5, -4.0]);
    assert_eq!(map(at).over((Fixed(&lines[0]), &vec![1.0, 2.0, 3.0])).values()?, [1.5, 2.5, 3.5]);
    assert_eq!(map(norm).over((&vec![vec![3.0, 4.0], vec![], vec![2.0]],)).values()?, [5.0, 0.0, 2.0]);
    assert_eq!(map(norm).over((&[[3.0, 4.0], [0.0, 1.0]],)).values()?, [5.0, 1.0]);
    assert_eq!(map(norm).over((Rows::new(&[3.0, 4.0, 0.0, 1.0], 2)?,)).values()?, [5.0, 1.0]);
    assert_eq!(
        map(root).over((ByIndex(5, |at| at as i64),)).values()?,
        [Some(0), Some(1), None, None, Some(2)]
    );
    let halves = map(weighed).over((&[1.5, 2.5], Fixed(2), &[true, false]));
    assert_eq!(halves.values()?, [3.0, 0.0]);
    assert_eq!(halves.gradients()?, [(2.0, (), ()), (0.0, (), ())]);
    let xs = Array1::from(vec![1.0, 2.0]);
    assert_eq!(map(at).over((Fixed(&lines[0]), xs.view())).values()?, [1.5, 2.5]);
    assert_eq!(map(norm).over((&[] as &[Vec<f64>],)).values()?, [0.0; 0]);
    Ok(())
}

/// Its plain derivative is 1.
#[dub]
fn passed(x: f64) -> f64 {
    x
}

/// Recorded, since the transformation refuses a `Result`.
#[dub]
fn checked(x: f64) -> Result<f64, String> {
    if x < 0.0 { Err("negative".to_owned()) } else { Ok(passed(x) * x) }
}

#[dub]
fn squared(x: f64) -> f64 {
    passed(x) * x
}

#[test]
fn elements_on_other_threads_are_differentiated_by_the_rules_in_scope() -> Result<(), MapError> {
    let tripled = rule(passed).reverse(|(_x,): (f64,), _y: f64, dy: f64| (3.0 * dy,));
    let rules = Rules::new([tripled]).expect("the rule fits");
    let xs: Vec<f64> = (0..500).map(f64::from).collect();
    for (rules, slope) in [(Some(&rules), 4.0), (None, 2.0)] {
        let expected: Vec<f64> = xs.iter().map(|x| slope * x).collect();
        let derivatives = || -> Result<(), MapError> {
            let of_each = |found: Vec<(f64,)>| found.into_iter().map(|(dx,)| dx).collect::<Vec<_>>();
            let tangents = |found: Vec<(f64, f64)>| found.into_iter().map(|(_, dy)| dy).collect::<Vec<_>>();
            assert_eq!(of_each(map(squared).threads(4).over((&xs,)).gradients()?), expected);
            assert_eq!(of_each(map(checked).threads(4).over((&xs,)).gradients()?), expected);
            assert_eq!(tangents(map(squared).threads(4).over((&xs,)).jvps((Fixed(1.0),))?), expected);
            let pulled = map(squared).threads(4).over((&xs,)).vjps(&vec![1.0; 500])?;
            assert_eq!(of_each(pulled.into_iter().map(|(_, dx)| dx).collect()), expected);
            Ok(())
        };
        match rules {
            Some(rules) => rules.during(derivatives)?,
            None => derivatives()?,
        }
    }
    Ok(())
}

#[dub]
fn spread(x: ndarray::ArrayView1<'_, f64>) -> f64 {
    x.sum() * x[0]
}

#[test]
fn rows_of_a_matrix_are_elements() -> Result<(), MapError> {
    let points = Array2::from_shape_fn((3, 2), |(row, column)| (row + column) as f64);
    assert_eq!(map(spread).over((points.view(),)).values()?, [0.0, 3.0, 10.0]);
    assert_eq!(map(spread).over((points.t(),)).values()?, [0.0, 6.0]);
    Ok(())
}

#[test]
fn closures_and_functions_under_contexts_are_mapped() -> Result<(), MapError> {
    let k = 3.0;
    let scaled = closure!(|x: f64| x * k);
    assert_eq!(map(scaled.clone()).over((&[1.0, 2.0],)).values()?, [3.0, 6.0]);
    let (sum, (dx,)) = map(scaled).over((&[1.0, 2.0],)).sum_and_gradient()?;
    assert_eq!((sum, dx), (9.0, vec![3.0, 3.0]));
    let swapped = under(ctx().replace("sqrt", "abs"), norm);
    assert_eq!(map(swapped).over((&[[3.0, 4.0]],)).values()?, [25.0]);
    Ok(())
}

#[test]
fn inputs_that_do_not_fit_are_errors() {
    let lines = [Line { slope: 1.0, offset: 0.5 }];
    let differing = map(at).over((&lines, &[1.0, 2.0])).values();
    let expected = MapError::Lengths { first: 0, len: 1, what: Input::Argument(1), other_len: 2 };
    assert_eq!(differing, Err(expected.clone()));
    assert_eq!(expected.to_string(), "argument 0 is given for 1 elements, and argument 1 for 2");
    assert_eq!(map(at).over((Fixed(&lines[0]), Fixed(1.0))).values(), Err(MapError::NothingMapped));
    let over = map(norm).over((&[[1.0]],));
    let expected = MapError::Lengths { first: 0, len: 1, what: Input::Cotangent, other_len: 2 };
    assert_eq!(over.vjps(&[1.0, 2.0]), Err(expected));
    assert_eq!(Rows::new(&[1.0, 2.0, 3.0], 2).unwrap_err(), MapError::Rows { len: 3, width: 2 });
    assert!(Rows::new(&[] as &[f64], 0).is_err());
    assert!(matches!(map(root).over((&[1],)).sum(), Err(MapError::NotAFloat { .. })));
    let unknown = map(at).with_respect_to(["lines"]).over((&lines, Fixed(1.0))).gradients().unwrap_err();
    assert_eq!(unknown.to_string(), "there is no argument `lines`: the arguments are `line`, `x`");
}

#[test]
fn a_failure_is_that_of_the_first_element_with_its_place() {
    for threads in [1, 2, 3, 8] {
        let roots = map(root).threads(threads);
        let ns: Vec<i64> = (0..500).map(|n| if n % 100 == 57 { -n } else { n }).collect();
        let Err(MapError::Element { index, error }) = roots.over((&ns,)).values() else { panic!("it fails") };
        assert_eq!((index, error.message()), (57, "-57 is negative"));
        assert!(error.span().file.ends_with("typed.rs"), "{error:?}");
        assert_eq!(error, run(root, (-57,)).unwrap_err(), "as alone");
        let each = roots.over((&ns,)).each().values().expect("each has its own");
        let failed: Vec<usize> = (0..500).filter(|at| each[*at].is_err()).collect();
        assert_eq!(failed, [57, 157, 257, 357, 457]);
    }
}

#[test]
fn derivatives_of_elements_are_those_of_calls() -> Result<(), Box<dyn std::error::Error>> {
    let lines: Vec<Line> =
        (0..40).map(|k| Line { slope: f64::from(k).sin(), offset: f64::from(k) }).collect();
    let xs: Vec<f64> = (0..40).map(|k| f64::from(k).cos()).collect();
    let over = map(at).threads(2).over((&lines, &xs));
    let gradients = over.values_and_gradients()?;
    let (sum, (dlines, dxs)) = over.sum_and_gradient()?;
    for (k, (line, x)) in lines.iter().zip(&xs).enumerate() {
        let alone = overdub::ad::value_and_gradient(at, (line, *x))?;
        assert_eq!(gradients[k], alone);
        assert_eq!((dlines[k].clone(), dxs[k]), alone.1);
    }
    assert!((sum - over.values()?.iter().sum::<f64>()).abs() < 1e-12);
    let tangents = over.jvps((Fixed(&Line { slope: 1.0, offset: 0.0 }), Fixed(2.0)))?;
    let pulled = over.vjps(&vec![2.0; 40])?;
    for (k, (line, x)) in lines.iter().zip(&xs).enumerate() {
        let direction = (&Line { slope: 1.0, offset: 0.0 }, 2.0);
        assert_eq!(tangents[k], overdub::ad::jvp(at, (line, *x), direction)?);
        assert_eq!(pulled[k], overdub::ad::vjp(at, (line, *x), 2.0)?);
    }
    Ok(())
}

#[test]
fn arguments_that_are_not_differentiated_are_constant() -> Result<(), MapError> {
    let line = Line { slope: 2.0, offset: 0.5 };
    let by_line: Map<_> = map(at).with_respect_to(["line"]);
    let over = by_line.over((Fixed(&line), &[1.0, 2.0, 3.0]));
    assert_eq!(over.gradients()?[1], (Line { slope: 2.0, offset: 1.0 }, 0.0));
    let (sum, (dline, dxs)) = over.sum_and_gradient()?;
    assert_eq!((sum, dline, dxs), (13.5, Line { slope: 6.0, offset: 3.0 }, vec![]));
    let pulled = over.vjps(&[1.0, 0.0, 2.0])?;
    assert_eq!(pulled[2].1, (Line { slope: 6.0, offset: 2.0 }, 0.0));
    let along = over.jvps((Fixed(&Line { slope: 1.0, offset: 0.0 }), Fixed(100.0)))?;
    assert_eq!(along[1], (4.5, 2.0));
    // Nothing is mapped: the derivative of the sum over nothing.
    let none = by_line.over((Fixed(&line), &[] as &[f64])).sum_and_gradient()?;
    assert_eq!(none, (0.0, (Line { slope: 0.0, offset: 0.0 }, vec![])));
    Ok(())
}

#[test]
fn a_mapped_function_is_shared_between_threads() {
    fn is_shared<T: Send + Sync>(_: &T) {}
    let over = map(norm).over((&[[1.0]],));
    is_shared(&map(norm));
    is_shared(&over);
    is_shared(&over.each());
    is_shared(&MapError::<overdub::Error>::NothingMapped);
}
