//! Rust's values come out of the IR as they went in, and their arrays are not copied on the way.

use std::cmp::Ordering;

use ndarray::{ArcArray, Array1, Array2, Axis, Slice, arr2};
use overdub_context::ir::Ty;
use overdub_context::value::{FromValue, HasTy, IntoValue, Lend, Value};

fn round<'a, T: IntoValue<'a> + FromValue + Clone + PartialEq + std::fmt::Debug>(x: T) {
    let value = x.clone().into_value();
    assert_eq!(value.ty(), T::ty());
    assert_eq!(T::from_value(value).expect("the same type"), x);
}

fn address(value: &Value<'_>) -> *const f64 {
    value.as_array().expect("an array").as_f64s().expect("of floats").as_ptr()
}

#[test]
fn values_come_out_as_they_went_in() {
    round(1.5f64);
    round(1.5f32);
    round(true);
    round('ß');
    round(-1i8);
    round(u64::MAX);
    round(i128::MIN);
    round(u128::MAX);
    round("text".to_owned());
    round(());
    round((1.0, 2usize, "x".to_owned()));
    round((1u8, 2u8, 3u8, 4u8, 5u8, 6u8, 7u8, 8u8));
    round(Some(1.0));
    round(None::<f64>);
    round(Ok::<f64, String>(1.0));
    round(Err::<f64, String>("no".to_owned()));
    round(Ordering::Greater);
    round(vec![1.0, 2.0]);
    round(Vec::<f64>::new());
    round(vec![u128::MAX]);
    round(vec![vec![1.0], vec![]]);
    round(vec![("a".to_owned(), Some(1))]);
    round([1, 2, 3]);
    round(Box::new(2.0));
    round(Array1::from(vec![1.0, 2.0]));
    round(arr2(&[[1i32, 2], [3, 4]]));
    round(Array2::<f64>::zeros((0, 3)));
}

#[test]
fn types_of_rust_are_types_of_the_ir() {
    let written = [
        (<(f64, &[i32])>::ty(), "(f64, [i32])"),
        (Vec::<Vec<f64>>::ty(), "[[f64]]"),
        (<[Option<bool>; 3]>::ty(), "[Option<bool>]"),
        (Array2::<f32>::ty(), "[f32; rank 2]"),
        (Result::<(), &str>::ty(), "Result<unit, str>"),
    ];
    for (ty, text) in written {
        assert_eq!(ty.to_string(), text);
    }
}

#[test]
fn a_vector_is_moved_both_ways() {
    let xs = vec![1.0, 2.0];
    let at = xs.as_ptr();
    let value = xs.into_value();
    assert_eq!(address(&value), at);
    let back = Vec::<f64>::from_value(value).expect("floats");
    assert_eq!(back.as_ptr(), at);
}

#[test]
fn a_vector_that_somebody_else_holds_is_copied_out() {
    let value = vec![1.0, 2.0].into_value();
    let mut back = Vec::<f64>::from_value(value.clone()).expect("floats");
    back[0] = 9.0;
    assert!(value.same(&vec![1.0, 2.0].into_value()));
}

#[test]
fn slices_and_what_is_in_tuples_and_options_are_borrowed() {
    let xs = [1.0, 2.0];
    assert_eq!(address(&xs[..].into_value()), xs.as_ptr());
    assert_eq!(address(&(&xs).into_value()), xs.as_ptr());
    let both = (vec![1.0], Some(vec![2.0]));
    let value = both.lend();
    let parts = &value.as_composite().expect("a tuple").parts;
    assert_eq!(address(&parts[0]), both.0.as_ptr());
    let inner = &parts[1].as_composite().expect("an option").parts[0];
    assert_eq!(address(inner), both.1.as_ref().expect("some").as_ptr());
}

#[test]
fn ndarrays_in_row_major_order_are_not_copied() {
    let m = arr2(&[[1.0, 2.0], [3.0, 4.0]]);
    assert_eq!(address(&(&m).into_value()), m.as_ptr());
    assert_eq!(address(&m.slice_axis(Axis(0), Slice::from(1..)).into_value()), &raw const m[(1, 0)]);
    let at = m.as_ptr();
    let value = m.into_value();
    assert_eq!(address(&value), at);
    let m = Array2::<f64>::from_value(value).expect("a matrix");
    assert_eq!(m.as_ptr(), at);
    let m: ArcArray<f64, _> = m.into_shared();
    assert_eq!(address(&m.into_value()), at);
    let mut cut = Array1::from(vec![1.0, 2.0, 3.0]);
    cut.slice_axis_inplace(Axis(0), Slice::from(1..));
    let at = cut.as_ptr();
    let value = cut.into_value();
    assert_eq!(address(&value), at);
    assert!(value.same(&vec![2.0, 3.0].into_value()));
}

#[test]
fn ndarrays_in_another_order_keep_their_elements_in_place() {
    let m = arr2(&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    let want = arr2(&[[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]).into_value();
    assert!(m.t().into_value().same(&want));
    assert!(m.reversed_axes().into_value().same(&want));
}

#[test]
fn a_mismatch_says_what_was_expected_and_found() {
    let fault = |fault: overdub_context::value::Mismatch| fault.to_string();
    let got = f64::from_value(1i32.into_value()).map_err(fault);
    assert_eq!(got, Err("expected a value of type `f64`, found one of type `i32`".to_owned()));
    let got = Array2::<f64>::from_value(vec![1.0].into_value()).map_err(fault);
    assert_eq!(got, Err("expected a value of type `[f64; rank 2]`, found one of type `[f64]`".to_owned()));
    let got = <(f64, f64)>::from_value((1.0, 2.0, 3.0).into_value()).map_err(fault);
    assert_eq!(
        got,
        Err("expected a value of type `(f64, f64)`, found one of type `(f64, f64, f64)`".to_owned())
    );
    let got = <[f64; 3]>::from_value(vec![1.0].into_value()).map_err(fault);
    assert_eq!(got, Err("expected an array of length 3, found one of length 1".to_owned()));
    let got = Option::<f64>::from_value(Some(1i32).into_value()).map_err(fault);
    assert_eq!(
        got,
        Err("expected a value of type `Option<f64>`, found one of type `Option<i32>`".to_owned())
    );
    let got = Vec::<f64>::from_value(Value::Unit).map_err(fault);
    assert_eq!(got, Err("expected a value of type `[f64]`, found one of type `unit`".to_owned()));
    assert_eq!(Value::Unit.ty(), Ty::unit());
}
