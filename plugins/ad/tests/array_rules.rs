//! The rule of each array operation alone: against differences, mode against mode, in both precisions.
#![cfg(feature = "check")]

use overdub_ad::check::{TOLERANCE, Tally, check_func, check_operation};
use overdub_ad::rules::{Rule, rule};
use overdub_context::engine::Engine;
use overdub_context::ir::{Ty, TyKind};
use overdub_context::ops::{self, OpDef};
use overdub_context::text;
use overdub_context::value::{Array, Value};

type Case = (&'static OpDef, Vec<Value<'static>>, Ty);

/// An array of ordinary numbers, no two of them equal.
fn nd(shape: &[usize]) -> Value<'static> {
    let count = shape.iter().product::<usize>();
    let elems = (0..count).map(|k| 1.1 + 0.4 * (k as f64 * 1.7 + count as f64).sin() + 0.01 * k as f64);
    Value::from(Array::from_vec(elems.collect()).reshape(shape).expect("as many elements as places"))
}

fn shape(lens: &[usize]) -> Value<'static> {
    Value::from(Array::from_vec(lens.to_vec()))
}

fn x() -> Value<'static> {
    Value::F64(0.8)
}

fn n(number: i64) -> Value<'static> {
    Value::from(number)
}

fn at(index: usize) -> Value<'static> {
    Value::from(index)
}

/// A matrix that has a Cholesky factor; the elements above its diagonal are not read.
fn definite() -> Value<'static> {
    let elems = vec![4.0, 9.0, 9.0, 1.2, 3.0, 9.0, -0.6, 0.4, 2.5];
    Value::from(Array::from_vec(elems).reshape(&[3, 3]).expect("nine elements"))
}

fn of(rank: u32) -> Ty {
    Ty::array(Ty::f64(), rank)
}

fn moving() -> Vec<Case> {
    vec![
        (&ops::ND_FULL, vec![shape(&[2, 3]), x()], of(2)),
        (&ops::ND_FROM_ELEMS, vec![nd(&[6]), shape(&[2, 3])], of(2)),
        (&ops::ND_ELEMS, vec![nd(&[2, 3])], of(1)),
        (&ops::ND_RESHAPE, vec![nd(&[2, 3]), shape(&[3, 2])], of(2)),
        (&ops::ND_BROADCAST, vec![nd(&[3]), shape(&[2, 3])], of(2)),
        (&ops::ND_BROADCAST, vec![nd(&[2, 1]), shape(&[2, 3])], of(2)),
        (&ops::ND_GET, vec![nd(&[2, 3]), n(1), n(2)], Ty::f64()),
        (&ops::ND_SET, vec![nd(&[2, 3]), n(1), n(2), x()], of(2)),
        (&ops::ND_TRANSPOSE, vec![nd(&[2, 3])], of(2)),
        (&ops::ND_PERMUTE, vec![nd(&[2, 3, 2]), n(2), n(0), n(1)], of(3)),
        (&ops::ND_SLICE_AXIS, vec![nd(&[2, 4]), n(1), n(0), n(4), n(-2)], of(2)),
        (&ops::ND_SLICE_AXIS, vec![nd(&[5]), n(0), n(1), n(5), n(2)], of(1)),
        (&ops::ND_INDEX_AXIS, vec![nd(&[2, 3]), n(0), n(1)], of(1)),
        (&ops::ND_INDEX_AXIS, vec![nd(&[3]), n(0), n(1)], Ty::f64()),
        (&ops::ND_SET_AXIS, vec![nd(&[2, 3]), n(1), n(2), nd(&[2])], of(2)),
        (&ops::ND_STACK, vec![n(1), nd(&[3]), nd(&[3])], of(2)),
        (&ops::ND_CONCAT, vec![n(1), nd(&[2, 3]), nd(&[2, 1])], of(2)),
        (&ops::ND_DIAG, vec![nd(&[2, 3])], of(1)),
        (&ops::ND_FROM_DIAG, vec![nd(&[3])], of(2)),
    ]
}

/// What builds and edits vectors, by the operations of `Vec`s and slices.
fn vectors() -> Vec<Case> {
    let v = || nd(&[5]);
    vec![
        (&ops::ARRAY, vec![x(), x()], of(1)),
        (&ops::REPEAT, vec![x(), at(3)], of(1)),
        (&ops::GET, vec![v(), at(2)], Ty::f64()),
        (&ops::GET_UNCHECKED, vec![v(), at(2)], Ty::f64()),
        (&ops::SLICE, vec![v(), at(1), at(4)], of(1)),
        (&ops::CONCAT, vec![v(), nd(&[2])], of(1)),
        (&ops::SET, vec![v(), at(3), x()], of(1)),
        (&ops::SET_UNCHECKED, vec![v(), at(3), x()], of(1)),
        (&ops::SET_SLICE, vec![v(), at(2), nd(&[2])], of(1)),
        (&ops::PUSH, vec![v(), x()], of(1)),
        (&ops::INSERT, vec![v(), at(1), x()], of(1)),
        (&ops::TRUNCATE, vec![v(), at(3)], of(1)),
        (&ops::RESIZE, vec![v(), at(3), x()], of(1)),
        (&ops::RESIZE, vec![v(), at(8), x()], of(1)),
        (&ops::WITH_ROOM, vec![v(), at(8)], of(1)),
        (&ops::SWAP, vec![v(), at(0), at(3)], of(1)),
        (&ops::REVERSE, vec![v()], of(1)),
        (&ops::ARRAY_ROTATE_LEFT, vec![v(), at(2)], of(1)),
        (&ops::ARRAY_ROTATE_RIGHT, vec![v(), at(2)], of(1)),
        (&ops::FILL, vec![v(), x()], of(1)),
        (&ops::COPY_WITHIN, vec![v(), at(0), at(3), at(1)], of(1)),
        (&ops::REMOVE, vec![v(), at(1)], Ty::tuple([Ty::f64(), of(1)])),
        (&ops::SWAP_REMOVE, vec![v(), at(1)], Ty::tuple([Ty::f64(), of(1)])),
    ]
}

/// Operations that may return no float: a function that returns as they do has no reverse sweep, only a recording.
fn optional() -> Vec<Case> {
    vec![
        (&ops::GET_CHECKED, vec![nd(&[5]), at(1)], Ty::option(Ty::f64())),
        (&ops::POP, vec![nd(&[5])], Ty::tuple([Ty::option(Ty::f64()), of(1)])),
    ]
}

fn reducing() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for op in [&ops::ND_SUM, &ops::ND_PRODUCT, &ops::ND_MEAN, &ops::ND_MIN, &ops::ND_MAX] {
        cases.push((op, vec![nd(&[2, 3])], Ty::f64()));
    }
    for op in [&ops::ND_NORM_L1, &ops::ND_NORM_L2, &ops::ND_NORM_MAX] {
        cases.push((op, vec![nd(&[4])], Ty::f64()));
    }
    let along =
        [&ops::ND_SUM_AXIS, &ops::ND_PRODUCT_AXIS, &ops::ND_MEAN_AXIS, &ops::ND_MIN_AXIS, &ops::ND_MAX_AXIS];
    for op in along {
        cases.push((op, vec![nd(&[2, 3, 2]), n(1)], of(2)));
        cases.push((op, vec![nd(&[3]), n(0)], Ty::f64()));
    }
    cases.push((&ops::ND_CUMSUM, vec![nd(&[2, 3]), n(1)], of(2)));
    cases.push((&ops::ND_TRACE, vec![nd(&[3, 3])], Ty::f64()));
    cases
}

fn multiplying() -> Vec<Case> {
    vec![
        (&ops::ND_DOT, vec![nd(&[3]), nd(&[3])], Ty::f64()),
        (&ops::ND_DOT, vec![nd(&[2, 3]), nd(&[3])], of(1)),
        (&ops::ND_DOT, vec![nd(&[2]), nd(&[2, 3])], of(1)),
        (&ops::ND_DOT, vec![nd(&[2, 3]), nd(&[3, 2])], of(2)),
        (&ops::ND_OUTER, vec![nd(&[2]), nd(&[3])], of(2)),
    ]
}

fn factoring() -> Vec<Case> {
    vec![
        (&ops::ND_INV, vec![nd(&[3, 3])], of(2)),
        (&ops::ND_SOLVE, vec![nd(&[3, 3]), nd(&[3])], of(1)),
        (&ops::ND_SOLVE, vec![nd(&[3, 3]), nd(&[3, 2])], of(2)),
        (&ops::ND_DET, vec![nd(&[3, 3])], Ty::f64()),
        (&ops::ND_LN_DET, vec![nd(&[3, 3])], Ty::f64()),
        (&ops::ND_CHOLESKY, vec![definite()], of(2)),
    ]
}

/// The type with `f32` for `f64`.
fn single_ty(ty: Ty) -> Ty {
    match ty.kind() {
        TyKind::Array(array) => Ty::array(single_ty(array.elem), array.rank),
        TyKind::Tuple(parts) => Ty::tuple(parts.iter().copied().map(single_ty)),
        _ if ty == Ty::f64() => Ty::f32(),
        _ => ty,
    }
}

/// The case in single precision.
fn single((op, args, ret): &Case) -> Case {
    let one = |x: f64| Value::F32(x as f32);
    let value = |arg: &Value<'static>| match arg {
        Value::F64(x) => one(*x),
        Value::Array(array) if array.elem_ty() == Ty::f64() => {
            let elems = array.iter().filter_map(|x| x.as_f64()).map(one);
            let flat = Array::from_values(Ty::f32(), elems).expect("all are of that type");
            Value::from(flat.reshape(array.shape()).expect("as many elements as places"))
        }
        other => other.clone(),
    };
    (op, args.iter().map(value).collect(), single_ty(*ret))
}

/// What was compared, and the number of floats.
fn checked((op, args, ret): &Case) -> (Tally, usize) {
    let tally = check_operation(op, args.clone(), *ret)
        .unwrap_or_else(|complaint| panic!("`{}` of {args:?}: {complaint}", op.name));
    assert_eq!(tally.cross_checked, 1, "`{}` is recorded alone", op.name);
    (tally, args.iter().map(|arg| overdub_ad::flatten::floats(arg).len()).sum())
}

fn check(cases: &[Case]) {
    for case in cases {
        let (tally, floats) = checked(case);
        assert_eq!(tally.agreed, floats, "`{}` of {:?}: {tally:?}", case.0.name, case.1);
    }
}

/// As [`check`], and also in single precision, where the differences may not converge.
fn check_both(cases: &[Case]) {
    check(cases);
    for case in cases {
        let (tally, floats) = checked(&single(case));
        assert_eq!(tally.agreed + tally.kinks + tally.unsettled, floats, "`{}`", case.0.name);
    }
}

#[test]
fn what_moves_elements_about_has_right_rules() {
    check_both(&moving());
}

#[test]
fn what_builds_and_edits_vectors_has_right_rules() {
    check_both(&vectors());
}

#[test]
fn what_may_return_no_element_has_right_rules_as_recorded() {
    for (op, args, ret) in optional() {
        let floats: usize = args.iter().map(|arg| overdub_ad::flatten::floats(arg).len()).sum();
        let tally = check_operation(op, args, ret).unwrap_or_else(|error| panic!("`{}`: {error}", op.name));
        assert_eq!((tally.agreed, tally.cross_checked), (floats, 0), "`{}`", op.name);
    }
}

#[test]
fn what_reduces_arrays_has_right_rules() {
    check(&reducing());
}

#[test]
fn products_have_right_rules() {
    check(&multiplying());
    let matrices =
        |case: &&Case| case.1.iter().all(|arg| arg.as_array().is_some_and(|array| array.rank() == 2));
    check_both(&multiplying().iter().filter(matrices).cloned().collect::<Vec<_>>());
}

#[test]
fn what_inverts_solves_and_factors_has_right_rules() {
    check_both(&factoring());
}

#[test]
fn scalar_operations_have_right_rules_where_arrays_meet() {
    let pairs = [
        &ops::ADD,
        &ops::SUB,
        &ops::MUL,
        &ops::DIV,
        &ops::REM,
        &ops::ATAN2,
        &ops::HYPOT,
        &ops::POWF,
        &ops::MAX,
        &ops::MIN,
    ];
    let cases = pairs.map(|op| (op, vec![nd(&[2, 1]), nd(&[3])], of(2)));
    check_both(&cases);
    check(&[&ops::NEG, &ops::EXP, &ops::TANH, &ops::SQRT].map(|op| (op, vec![nd(&[2, 2])], of(2))));
}

/// `2 p x`, and `x y + p`, for each element or pair of elements.
const MAPPED: &str = "
fn @scaled(%p: f64, %x: f64) -> f64 {
  %y: f64 = mul %p, %x
  %z: f64 = mul 2.0, %y
  ret %z
}
fn @joined(%p: f64, %x: f64, %y: f64) -> f64 {
  %xy: f64 = mul %x, %y
  %z: f64 = add %xy, %p
  ret %z
}
fn @map(%a: [f64; rank 2], %p: f64) -> [f64; rank 2] {
  %f: closure @scaled(f64) = closure %p
  %y: [f64; rank 2] = nd.map %a, %f
  ret %y
}
fn @zip_map(%a: [f64; rank 2], %b: [f64; rank 2], %p: f64) -> [f64; rank 2] {
  %f: closure @joined(f64) = closure %p
  %y: [f64; rank 2] = nd.zip_map %a, %b, %f
  ret %y
}
";

#[test]
fn what_calls_a_function_for_each_element_has_right_rules() {
    let module = text::parse(MAPPED).unwrap_or_else(|error| panic!("{error}")).module();
    let engine = Engine::builder(module).optimizer(overdub_passes::Optimising).build();
    let cases = [("map", vec![nd(&[2, 3]), x()]), ("zip_map", vec![nd(&[2, 3]), nd(&[2, 3]), x()])];
    for (name, args) in cases {
        let floats: usize = args.iter().map(|arg| overdub_ad::flatten::floats(arg).len()).sum();
        let tally = check_func(&engine, name, args, TOLERANCE).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!((tally.agreed, tally.cross_checked), (floats, 1), "{name}");
    }
}

#[test]
fn every_operation_on_arrays_is_among_the_cases() {
    let cases: Vec<Case> = [vectors(), optional(), moving(), reducing(), multiplying(), factoring()].concat();
    // The first two call functions, and have a test of their own; the last never takes a float.
    let apart = [&ops::ND_MAP, &ops::ND_ZIP_MAP, &ops::ND_EYE];
    let is_on_vectors = |family: &[&OpDef]| family.contains(&&ops::ARRAY) || family.contains(&&ops::PUSH);
    let has_derivative = |op: &'static OpDef| !matches!(rule(op), Some(Rule::Zero | Rule::Refuse(_)) | None);
    let missing: Vec<&str> = ops::ALL
        .iter()
        .flat_map(|family| family.iter().map(move |op| (family, *op)))
        .filter(|(family, op)| op.name.starts_with("nd.") || is_on_vectors(family))
        .map(|(_, op)| op)
        .filter(|op| has_derivative(op) && !apart.contains(op) && cases.iter().all(|case| case.0 != *op))
        .map(|op| op.name)
        .collect();
    assert!(
        missing.is_empty(),
        "operations without a case in plugins/ad/tests/array_rules.rs, which compares their rules with differences: \
         {missing:?}"
    );
}

#[test]
fn a_scalar_that_was_taken_out_is_also_in_the_remainder() -> Result<(), Box<dyn std::error::Error>> {
    let module = text::parse(
        "enum Shape { Point, Oval(f64, f64) }
fn @elem(%xs: [f64]) -> (f64, [f64]) {
  %both: (f64, [f64]) = take.elem %xs, 1_usize
  ret %both
}
fn @field(%pair: (f64, f64)) -> (f64, (f64, f64)) {
  %both: (f64, (f64, f64)) = take.field %pair, 0
  ret %both
}
fn @payload(%x: f64, %y: f64) -> f64 {
  %shape: Shape = variant 1, %x, %y
  %both: (f64, Shape) = take.payload %shape, 1, 1
  %part: f64 = field %both, 0
  %rest: Shape = field %both, 1
  %same: f64 = payload %rest, 1, 1
  %product: f64 = mul %part, %same
  ret %product
}",
    )?
    .module();
    let engine = Engine::new(module);
    let pair = Value::tuple([Value::F64(2.0), Value::F64(3.0)]);
    let cases =
        [("elem", vec![nd(&[3])], 3), ("field", vec![pair], 2), ("payload", vec![x(), Value::F64(3.0)], 2)];
    for (name, args, agreed) in cases {
        let tally = check_func(&engine, name, args, TOLERANCE)?;
        assert_eq!((tally.agreed, tally.cross_checked), (agreed, 1), "@{name}");
    }
    Ok(())
}
