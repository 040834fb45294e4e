//! Arrays of any number of axes compute what ndarray computes, to the bit.

mod common;

use common::{eval, eval_to, vector};
use ndarray::{Array1, Array2, Array3, Axis, Slice, arr1, arr2};
use overdub_context::FailureKind;
use overdub_context::ir::Ty;
use overdub_context::value::{FromValue, IntoValue, Value};
use proptest::prelude::*;

fn matrix(rows: usize, columns: usize) -> impl Strategy<Value = Array2<f64>> {
    prop::collection::vec(-9.0..9.0f64, rows * columns)
        .prop_map(move |elems| Array2::from_shape_vec((rows, columns), elems).expect("as many"))
}

fn any_matrix() -> impl Strategy<Value = Array2<f64>> {
    (1..5usize, 1..20usize).prop_flat_map(|(rows, columns)| matrix(rows, columns))
}

fn cube() -> impl Strategy<Value = Array3<f64>> {
    (0..4usize, 1..4usize, 0..4usize).prop_flat_map(|(a, b, c)| {
        prop::collection::vec(-9.0..9.0f64, a * b * c)
            .prop_map(move |elems| Array3::from_shape_vec((a, b, c), elems).expect("as many"))
    })
}

fn axis(k: usize) -> Value<'static> {
    Value::from(k as i64)
}

/// The value is what ndarray has, to the bit.
fn is<'a>(value: Value<'_>, want: impl IntoValue<'a>) -> Result<(), TestCaseError> {
    let want = want.into_value();
    prop_assert!(value.same(&want), "got {:?}, ndarray has {:?}", value, want);
    Ok(())
}

proptest! {
    #![proptest_config(overdub_context::testing::cases(256))]

    #[test]
    fn arithmetic_broadcasts_as_ndarray_does(m in any_matrix(), row in 0..2usize, x in -9.0..9.0f64) {
        let v: Array1<f64> = m.row(0).to_owned() * 0.5;
        let column = m.index_axis(Axis(1), 0).to_owned().insert_axis(Axis(1));
        is(eval("add", [(&m).into_value(), (&v).into_value()]).expect("fits"), &m + &v)?;
        is(eval("sub", [(&v).into_value(), (&m).into_value()]).expect("fits"), &v - &m)?;
        is(eval("mul", [(&m).into_value(), (&column).into_value()]).expect("fits"), &m * &column)?;
        is(eval("div", [(&column).into_value(), (&v).into_value()]).expect("fits"), &column / &v)?;
        is(eval("mul", [Value::from(x), (&m).into_value()]).expect("fits"), x * &m)?;
        is(eval("sin", [(&m).into_value()]).expect("total"), m.mapv(f64::sin))?;
        is(eval("neg", [(&m).into_value()]).expect("total"), -&m)?;
        let _ = row;
    }

    #[test]
    fn arithmetic_goes_where_an_operand_has_no_other_owner(m in any_matrix()) {
        for last in [false, true] {
            let (kept, own) = (m.clone().into_value(), m.clone().into_value());
            let at = own.as_array().expect("an array").as_f64s().expect("floats").as_ptr();
            let args = if last { [kept.clone(), own] } else { [own, kept.clone()] };
            let sum = eval("add", args).expect("fits");
            prop_assert_eq!(sum.as_array().expect("an array").as_f64s().expect("floats").as_ptr(), at);
            is(sum, &m + &m)?;
            is(kept, m.clone())?;
        }
    }

    #[test]
    fn integers_broadcast_too(rows in prop::collection::vec(-9..9i32, 3), columns in prop::collection::vec(-9..9i32, 2)) {
        let (r, c) = (arr1(&rows), arr1(&columns).insert_axis(Axis(1)));
        is(eval("mul", [(&r).into_value(), (&c).into_value()]).expect("fits"), &r * &c)?;
        is(eval("nd.outer", [vector(&rows), vector(&rows)]).expect("fits"), &r.clone().insert_axis(Axis(1)) * &r)?;
    }

    #[test]
    fn reductions_are_ndarrays(m in any_matrix(), c in cube()) {
        is(eval("nd.sum", [(&m).into_value()]).expect("floats"), m.sum())?;
        is(eval("nd.product", [(&m).into_value()]).expect("floats"), m.product())?;
        is(eval("nd.mean", [(&m).into_value()]).expect("some"), m.mean().expect("some"))?;
        is(eval("nd.min", [(&m).into_value()]).expect("some"), m.fold(f64::INFINITY, |a, b| a.min(*b)))?;
        is(eval("nd.max", [(&m).into_value()]).expect("some"), m.fold(-f64::INFINITY, |a, b| a.max(*b)))?;
        is(eval("nd.norm_l1", [(&m).into_value()]).expect("floats"), m.iter().fold(0.0, |a, x| a + x.abs()))?;
        is(eval("nd.norm_l2", [(&m).into_value()]).expect("floats"), m.iter().fold(0.0, |a, x| a + x * x).sqrt())?;
        is(eval("nd.norm_max", [(&m).into_value()]).expect("floats"), m.fold(0.0, |a, x| x.abs().max(a)))?;
        for k in 0..3 {
            is(eval("nd.sum_axis", [(&c).into_value(), axis(k)]).expect("floats"), c.sum_axis(Axis(k)))?;
            is(eval("nd.product_axis", [(&c).into_value(), axis(k)]).expect("floats"), c.product_axis(Axis(k)))?;
            let mean = eval("nd.mean_axis", [(&c).into_value(), axis(k)]);
            let max = eval("nd.max_axis", [(&c).into_value(), axis(k)]);
            match c.mean_axis(Axis(k)) {
                Some(want) => {
                    is(mean.expect("some"), want)?;
                    let want = c.map_axis(Axis(k), |lane| lane.fold(-f64::INFINITY, |a, b| a.max(*b)));
                    is(max.expect("some"), want)?;
                }
                None => prop_assert!(mean.is_err() && max.is_err()),
            }
            let mut sums = c.clone();
            sums.accumulate_axis_inplace(Axis(k), |before, x| *x += *before);
            is(eval("nd.cumsum", [(&c).into_value(), axis(k)]).expect("floats"), sums)?;
        }
    }

    #[test]
    fn a_sum_of_integers_fails_where_an_addition_overflows(xs in prop::collection::vec(-99..99i8, 0..6)) {
        let want = xs.iter().try_fold(0i8, |sum, x| sum.checked_add(*x));
        let got = eval("nd.sum", [vector(&xs)]);
        let axis = eval("nd.sum_axis", [vector(&xs), axis(0)]);
        match want {
            Some(sum) => {
                is(got.expect("in range"), sum)?;
                is(axis.expect("in range"), sum)?;
            }
            None => {
                prop_assert_eq!(got.expect_err("overflow").to_string(), "attempt to add with overflow");
                prop_assert_eq!(axis.expect_err("overflow").kind(), FailureKind::Overflow);
            }
        }
    }

    #[test]
    fn products_are_ndarrays(
        (a, b) in (1..9usize, 0..9usize, 1..9usize).prop_flat_map(|(m, k, n)| (matrix(m, k), matrix(k, n))),
    ) {
        let (x, y) = (a.row(0).to_owned(), b.column(0).to_owned());
        is(eval("nd.dot", [(&a).into_value(), (&b).into_value()]).expect("fits"), a.dot(&b))?;
        is(eval("nd.dot", [(&a).into_value(), (&y).into_value()]).expect("fits"), a.dot(&y))?;
        is(eval("nd.dot", [(&x).into_value(), (&b).into_value()]).expect("fits"), x.dot(&b))?;
        is(eval("nd.dot", [(&x).into_value(), (&y).into_value()]).expect("fits"), x.dot(&y))?;
        let (a, b) = (a.mapv(|x| x as i64), b.mapv(|x| x as i64));
        let (x, y) = (a.row(0).to_owned(), b.column(0).to_owned());
        is(eval("nd.dot", [(&a).into_value(), (&b).into_value()]).expect("fits"), a.dot(&b))?;
        is(eval("nd.dot", [(&a).into_value(), (&y).into_value()]).expect("fits"), a.dot(&y))?;
        is(eval("nd.dot", [(&x).into_value(), (&b).into_value()]).expect("fits"), x.dot(&b))?;
        is(eval("nd.dot", [(&x).into_value(), (&y).into_value()]).expect("fits"), x.dot(&y))?;
    }

    #[test]
    fn axes_are_rearranged_as_ndarray_does(c in cube(), d in cube(), at in 0..4usize) {
        is(eval("nd.transpose", [(&c).into_value()]).expect("total"), c.t())?;
        let permuted = c.view().permuted_axes([2, 0, 1]);
        is(eval("nd.permute", [(&c).into_value(), axis(2), axis(0), axis(1)]).expect("axes"), permuted)?;
        is(eval("nd.diag", [(&c).into_value()]).expect("total"), c.diag())?;
        is(eval("nd.shape", [(&c).into_value()]).expect("total"), c.shape().to_vec())?;
        is(eval("nd.elems", [(&c).into_value()]).expect("total"), c.iter().copied().collect::<Vec<_>>())?;
        for k in 0..3 {
            let got = eval("nd.index_axis", [(&c).into_value(), axis(k), Value::from(at)]);
            if at < c.shape()[k] {
                is(got.expect("within"), c.index_axis(Axis(k), at))?;
                let part = c.index_axis(Axis(k), c.shape()[k] - 1);
                let mut want = c.clone();
                want.index_axis_mut(Axis(k), at).assign(&part);
                let args = [(&c).into_value(), axis(k), Value::from(at), part.into_value()];
                is(eval("nd.set_axis", args).expect("within"), want)?;
            } else {
                prop_assert_eq!(got.expect_err("out of bounds").kind(), FailureKind::Bounds);
            }
            let want = ndarray::concatenate(Axis(k), &[c.view(), d.view()]);
            let got = eval("nd.concat", [axis(k), (&c).into_value(), (&d).into_value()]);
            prop_assert_eq!(want.is_ok(), got.is_ok());
            if let (Ok(want), Ok(got)) = (want, got) {
                is(got, want)?;
            }
        }
        for k in 0..4 {
            let want = ndarray::stack(Axis(k), &[c.view(), c.view()]).expect("of one shape");
            is(eval("nd.stack", [axis(k), (&c).into_value(), (&c).into_value()]).expect("of one shape"), want)?;
        }
    }

    #[test]
    fn slices_along_an_axis_are_ndarrays(
        m in any_matrix(), k in 0..2usize, from in -5..5isize, to in -5..5isize, step in -3..4isize,
    ) {
        let args = [(&m).into_value(), axis(k), Value::from(from), Value::from(to), Value::from(step)];
        let got = eval("nd.slice_axis", args);
        let slice = || m.slice_axis(Axis(k), Slice::new(from, Some(to), step)).to_owned();
        let len = m.shape()[k] as isize;
        let (lo, hi) = (if from < 0 { from + len } else { from }, if to < 0 { to + len } else { to });
        if lo >= 0 && hi >= 0 && lo <= len && hi.max(lo) <= len && step != 0 {
            is(got.expect("within"), slice())?;
        } else {
            prop_assert!(got.is_err());
        }
    }

    #[test]
    fn elements_are_read_and_written_by_index(m in any_matrix(), i in 0..5usize, j in 0..20usize) {
        let got = eval("nd.get", [(&m).into_value(), Value::from(i), Value::from(j)]);
        let set = eval("nd.set", [(&m).into_value(), Value::from(i), Value::from(j), Value::from(7.0)]);
        match m.get((i, j)) {
            Some(x) => {
                is(got.expect("within"), *x)?;
                let mut want = m.clone();
                want[(i, j)] = 7.0;
                is(set.expect("within"), want)?;
            }
            None => {
                let message = format!("index [{i}, {j}] is out of bounds for array of shape {:?}", m.shape());
                prop_assert_eq!(got.expect_err("out of bounds").to_string(), message.clone());
                prop_assert_eq!(set.expect_err("out of bounds").to_string(), message);
            }
        }
    }
}

proptest! {
    #![proptest_config(overdub_context::testing::cases(256))]

    #[test]
    fn factors_are_those_of_the_matrix(m in (0..7usize).prop_flat_map(|n| matrix(n, n))) {
        let n = m.nrows();
        let of = |op: &str, m: Value<'static>| eval(op, [m]).expect("square");
        let owned = |m: &Array2<f64>| m.clone().into_value().into_owned();
        let near = |a: &Array2<f64>, b: &Array2<f64>, scale: f64| {
            a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-9 * scale)
        };
        let det = of("nd.det", owned(&m)).as_f64().expect("a float");
        let ln_det = of("nd.ln_det", owned(&m)).as_f64().expect("a float");
        prop_assert!(det == 0.0 || (det.abs().ln() - ln_det).abs() < 1e-9);
        let inverse = Array2::<f64>::from_value(of("nd.inv", owned(&m))).expect("a matrix");
        let size = inverse.iter().fold(1.0, |size: f64, x| size.max(x.abs()));
        prop_assert!(near(&m.dot(&inverse), &Array2::eye(n), 100.0 * size), "{m} {inverse}");
        let x = Array2::<f64>::from_value(eval("nd.solve", [owned(&m), owned(&m)]).expect("square")).expect("a matrix");
        prop_assert!(near(&x, &Array2::eye(n), 100.0 * size));
        let square = m.dot(&m.t()) + Array2::<f64>::eye(n);
        let root = Array2::<f64>::from_value(of("nd.cholesky", owned(&square))).expect("a matrix");
        prop_assert!(near(&root.dot(&root.t()), &square, 1e3));
        prop_assert!(root.indexed_iter().all(|((i, j), x)| i >= j || *x == 0.0));
    }
}

#[test]
fn a_matrix_without_an_inverse_or_a_root_gives_no_numbers_and_one_that_is_not_square_fails() {
    let all_nan = |op: &str, m: Array2<f64>| {
        let found = Array2::<f64>::from_value(eval(op, [m.into_value()]).expect("square")).expect("a matrix");
        assert!(found.iter().all(|x| x.is_nan()), "{op}: {found}");
    };
    all_nan("nd.inv", arr2(&[[1.0, 2.0], [2.0, 4.0]]));
    all_nan("nd.inv", arr2(&[[f64::NAN, 2.0], [2.0, 4.0]]));
    all_nan("nd.cholesky", arr2(&[[1.0, 2.0], [2.0, 1.0]]));
    for op in ["nd.inv", "nd.det", "nd.ln_det", "nd.cholesky"] {
        let error = eval(op, [arr2(&[[1.0, 2.0]]).into_value()]).expect_err("not square");
        assert_eq!(error.kind(), FailureKind::Domain);
    }
    let rows = eval("nd.solve", [arr2(&[[1.0]]).into_value(), vector(&[1.0, 2.0])]).expect_err("two rows");
    assert_eq!(rows.to_string(), "1 rows cannot be solved for 2");
}

#[test]
fn arrays_are_made_from_shapes() {
    let matrices = Ty::array(Ty::f64(), 2);
    let shape = || vector(&[2usize, 3]);
    let full = eval_to(matrices, "nd.full", [shape(), Value::from(1.5)]).expect("small");
    assert!(full.same(&Array2::from_elem((2, 3), 1.5).into_value()));
    let elems = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let m = eval_to(matrices, "nd.from_elems", [elems[..].into_value(), shape()]).expect("as many");
    assert!(m.same(&arr2(&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]).into_value()));
    let at = m.as_array().expect("an array").as_f64s().expect("floats").as_ptr();
    assert_eq!(at, elems.as_ptr());
    let t = eval_to(matrices, "nd.reshape", [m, vector(&[3i64, 2])]).expect("as many");
    assert!(t.same(&arr2(&[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]).into_value()));
    let eye = eval_to(matrices, "nd.eye", [Value::from(3usize)]).expect("small");
    assert!(eye.same(&Array2::<f64>::eye(3).into_value()));
    let diag = eval("nd.from_diag", [vector(&[1.0, 2.0])]).expect("small");
    assert!(diag.same(&Array2::from_diag(&arr1(&[1.0, 2.0])).into_value()));
    assert!(eval("nd.trace", [diag]).expect("square").same(&Value::from(3.0)));
    let wide = eval_to(matrices, "nd.broadcast", [vector(&[1.0, 2.0, 3.0]), shape()]).expect("fits");
    let wide = Array2::<f64>::from_value(wide).expect("a matrix");
    assert_eq!(wide, arr2(&[[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]]));
}

#[test]
fn shapes_that_do_not_fit_are_failures_that_name_them() {
    let failed = |value: Result<Value<'_>, overdub_context::Failure>| value.expect_err("shapes").to_string();
    let (m, v) = (Array2::<f64>::zeros((2, 3)), vector(&[1.0, 2.0]));
    let sum = eval("add", [(&m).into_value(), v.clone()]);
    assert_eq!(failed(sum), "could not broadcast array from shape: [2] to: [2, 3]");
    let dot = eval("nd.dot", [(&m).into_value(), v.clone()]);
    assert_eq!(failed(dot), "arrays of shapes [2, 3] and [2] are not compatible for multiplication");
    let to = |shape: Value<'static>| eval_to(Ty::array(Ty::f64(), 2), "nd.reshape", [v.clone(), shape]);
    assert_eq!(
        failed(to(vector(&[2usize, 2]))),
        "incompatible shapes: an array of shape [2] has no shape [2, 2]"
    );
    assert_eq!(failed(to(vector(&[2usize]))), "the shape [2] is not one of 2 axes");
    assert_eq!(failed(to(vector(&[-1i64, 2]))), "the length -1 is negative");
}

#[test]
fn shapes_that_no_memory_holds_are_failures() {
    let cubes = Ty::array(Ty::f64(), 3);
    for shape in [[usize::MAX, usize::MAX, 2], [usize::MAX, 2, 0], [1 << 40, 1 << 10, 1]] {
        let failure = eval_to(cubes, "nd.full", [vector(&shape), Value::from(0.0)]).expect_err("too large");
        assert_eq!(failure.kind(), FailureKind::MemoryLimit);
    }
    let eye = eval_to(Ty::array(Ty::f64(), 2), "nd.eye", [Value::from(usize::MAX)]);
    assert_eq!(eye.expect_err("too large").kind(), FailureKind::MemoryLimit);
    let long = vector(&vec![0.0; 1 << 16]);
    let outer = eval("nd.outer", [long.clone(), long]);
    assert_eq!(outer.expect_err("too large").kind(), FailureKind::MemoryLimit);
}
