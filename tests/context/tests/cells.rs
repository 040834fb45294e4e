//! Cells change what they hold where it is, and references find their parts by a path.

mod common;

use common::eval;
use overdub_context::ir::Ty;
use overdub_context::value::{Array, IntoValue, PathElem, Value};
use overdub_context::{Failure, FailureKind};
use proptest::prelude::*;

fn cell(value: Value<'static>) -> Value<'static> {
    eval("cell", [value]).expect("a cell holds anything")
}

fn get(reference: &Value<'static>) -> Value<'static> {
    eval("ref.get", [reference.clone()]).expect("there is such a part")
}

fn set(reference: &Value<'static>, value: impl IntoValue<'static>) {
    eval("ref.set", [reference.clone(), value.into_value()]).expect("it fits");
}

fn elem(reference: &Value<'static>, i: usize) -> Value<'static> {
    eval("ref.elem", [reference.clone(), Value::from(i)]).expect("within")
}

fn field(reference: &Value<'static>, k: i64) -> Value<'static> {
    eval("ref.field", [reference.clone(), Value::from(k)]).expect("there is such a field")
}

fn slice(reference: &Value<'static>, from: usize, to: usize) -> Value<'static> {
    eval("ref.slice", [reference.clone(), from.into(), to.into()]).expect("within")
}

fn address(value: &Value<'_>) -> *const f64 {
    value.as_array().and_then(Array::as_f64s).expect("floats").as_ptr()
}

fn message(result: Result<Value<'static>, Failure>) -> (FailureKind, String) {
    let failure = result.expect_err("it fails");
    (failure.kind(), failure.report().message.clone())
}

#[test]
fn an_element_is_written_in_place_and_nothing_is_copied() {
    let vector = cell(vec![0.0; 1000].into_value());
    let before = address(&get(&vector));
    for i in 0..1000 {
        set(&elem(&vector, i), i as f64);
    }
    let after = get(&vector);
    assert_eq!(address(&after), before);
    assert!(after.same(&(0..1000).map(f64::from).collect::<Vec<_>>().into_value()));
}

#[test]
fn what_was_read_before_a_write_stays_as_it_was() {
    let vector = cell(vec![1.0, 2.0].into_value());
    let old = get(&vector);
    set(&elem(&vector, 0), 9.0);
    assert!(old.same(&vec![1.0, 2.0].into_value()));
    assert!(get(&vector).same(&vec![9.0, 2.0].into_value()));
}

#[test]
fn references_to_one_cell_see_each_others_writes() {
    let pair = cell((vec![vec![1.0], vec![2.0, 3.0]], 7usize).into_value());
    let inner = elem(&elem(&field(&pair, 0), 1), 0);
    set(&inner, 5.0);
    set(&field(&pair, 1), 8usize);
    assert!(get(&pair).same(&(vec![vec![1.0], vec![5.0, 3.0]], 8usize).into_value()));
    let same = |a: &Value<'static>, b: &Value<'static>| {
        eval("ref.same", [a.clone(), b.clone()]).expect("two references").as_bool()
    };
    assert_eq!(same(&inner, &elem(&elem(&field(&pair, 0), 1), 0)), Some(true));
    assert_eq!(same(&inner, &elem(&elem(&field(&pair, 0), 0), 0)), Some(false));
    assert_eq!(same(&pair, &cell(get(&pair))), Some(false));
}

#[test]
fn a_slice_of_a_slice_counts_from_its_own_start_and_writes_its_range_back() {
    let vector = cell((0..8).map(f64::from).collect::<Vec<_>>().into_value());
    let part = slice(&slice(&vector, 2, 7), 1, 4);
    assert!(get(&part).same(&vec![3.0, 4.0, 5.0].into_value()));
    set(&part, vec![-3.0, -4.0, -5.0]);
    set(&elem(&part, 2), -50.0);
    assert!(get(&vector).same(&vec![0.0, 1.0, 2.0, -3.0, -4.0, -50.0, 6.0, 7.0].into_value()));
    assert_eq!(eval("ref.len", [part.clone()]).expect("a vector").as_index(), Some(3));
    let longer = eval("ref.set", [part, vec![1.0].into_value()]);
    assert_eq!(message(longer).0, FailureKind::Type);
}

#[test]
fn what_is_taken_leaves_a_hole_until_it_is_set_again() {
    let pair = cell((vec![1.0], 1usize).into_value());
    let vector = field(&pair, 0);
    let taken = eval("ref.take", [vector.clone()]).expect("it is there");
    let before = address(&taken);
    assert!(get(&pair).same(&Value::tuple([Value::Unit, Value::from(1usize)])));
    if let Value::Ref(vector) = &vector {
        let text =
            vector.step(PathElem::Elem(0)).get().expect_err("there is a hole").report().message.clone();
        assert_eq!(text, "what a reference points into was freed, moved or changed: it has no element 0");
        vector.set(eval("set", [taken, 0usize.into(), 2.0.into()]).expect("within")).expect("it fits");
    }
    assert!(get(&pair).same(&(vec![2.0], 1usize).into_value()));
    assert_eq!(address(&get(&vector)), before, "it was moved out and in");
}

#[test]
fn bounds_are_checked_with_rusts_words() {
    let vector = cell(vec![1.0, 2.0, 3.0].into_value());
    let elem = |i: usize| message(eval("ref.elem", [vector.clone(), i.into()]));
    let slice =
        |from: usize, to: usize| message(eval("ref.slice", [vector.clone(), from.into(), to.into()])).1;
    assert_eq!(elem(5), (FailureKind::Bounds, "index out of bounds: the len is 3 but the index is 5".into()));
    assert_eq!(slice(1, 4), "range end index 4 out of range for slice of length 3");
    assert_eq!(slice(4, 5), "range start index 4 out of range for slice of length 3");
    assert_eq!(slice(2, 1), "slice index starts at 2 but ends at 1");
}

#[test]
fn a_field_of_a_variant_is_reached_only_in_that_variant() {
    let some = cell(Some(1.0).into_value());
    let payload = |of: &Value<'static>, tag: i64| {
        eval("ref.payload", [of.clone(), Value::from(tag), Value::from(0i64)])
    };
    set(&payload(&some, 1).expect("it is `Some`"), 2.0);
    assert!(get(&some).same(&Some(2.0).into_value()));
    let none = cell(None::<f64>.into_value());
    assert_eq!(message(payload(&none, 1)), (FailureKind::Domain, "this is not `Some` but `None`".into()));
    assert_eq!(eval("ref.tag", [none]).expect("an enum").as_int().map(|(_, tag)| tag), Some(0));
}

#[test]
fn a_cell_that_holds_itself_can_be_typed_but_not_compared() {
    let loops = cell(Value::Unit);
    if let Value::Ref(reference) = &loops {
        reference.set(Value::tuple([loops.clone()])).expect("a cell holds anything");
    }
    let never = Ty::tuple([Ty::reference(Ty::never())]);
    assert_eq!(loops.ty(), Ty::reference(never));
    let (kind, text) = message(eval("same", [loops.clone(), loops]));
    assert_eq!(kind, FailureKind::StackLimit);
    assert_eq!(text, "`same` compares values that hold each other without end");
}

proptest! {
    #![proptest_config(overdub_context::testing::cases(256))]

    #[test]
    fn writes_through_references_are_writes_to_the_vector(
        writes in prop::collection::vec((0usize..12, 0usize..6, any::<i32>()), 0..20),
    ) {
        let mut rust: Vec<i32> = (0..18).collect();
        let vector = cell(rust.clone().into_value());
        for (from, i, x) in writes {
            rust[from..from + 6][i] = x;
            set(&elem(&slice(&vector, from, from + 6), i), x);
        }
        prop_assert!(get(&vector).same(&rust.into_value()));
    }
}
