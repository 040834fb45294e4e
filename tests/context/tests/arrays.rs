//! Vectors behave as Rust's do, to the message of a panic, and are changed in place where nobody else holds them.

mod common;

use std::panic::{AssertUnwindSafe, catch_unwind};

use common::{eval, eval_to, ints, vector};
use overdub_context::ir::Ty;
use overdub_context::value::{Array, Value};
use proptest::prelude::*;

/// What Rust panics with when it does this.
fn panic_of<R>(act: impl FnOnce() -> R) -> Result<R, String> {
    catch_unwind(AssertUnwindSafe(act)).map_err(|panic| match panic.downcast::<String>() {
        Ok(message) => *message,
        Err(panic) => panic.downcast_ref::<&str>().expect("a panic has a text").to_string(),
    })
}

fn address(value: &Value<'_>) -> *const f64 {
    value.as_array().expect("an array").as_f64s().expect("of floats").as_ptr()
}

fn strings<'a>(elems: &[&str]) -> Value<'a> {
    let elems = elems.iter().map(|text| Value::str(*text));
    Value::from(Array::from_values(Ty::str(), elems).expect("texts are texts"))
}

#[test]
fn a_set_changes_an_array_with_one_owner_in_place() {
    let mut array = Value::floats(vec![0.0; 100]);
    let before = address(&array);
    for i in 0..100usize {
        array = eval("set", [array, Value::from(i), Value::from(i as f64)]).expect("within");
        assert_eq!(address(&array), before);
    }
    assert_eq!(array.as_array().and_then(|array| array.get(99)).and_then(|x| x.as_f64()), Some(99.0));
}

#[test]
fn a_set_of_a_shared_array_leaves_the_other_owner_the_old_value() {
    let old = Value::floats(vec![1.0, 2.0]);
    let new = eval("set", [old.clone(), Value::from(0usize), Value::from(9.0)]).expect("within");
    assert!(old.same(&Value::floats(vec![1.0, 2.0])));
    assert!(new.same(&Value::floats(vec![9.0, 2.0])));
}

#[test]
fn a_set_of_a_borrowed_array_copies_it_once() {
    let lent = [1.0, 2.0];
    let array = Value::floats(&lent[..]);
    assert_eq!(address(&array), lent.as_ptr());
    let array = eval("set", [array, Value::from(0usize), Value::from(9.0)]).expect("within");
    let copied = address(&array);
    let array = eval("set", [array, Value::from(1usize), Value::from(8.0)]).expect("within");
    assert_eq!(address(&array), copied);
    assert_eq!(lent, [1.0, 2.0]);
}

#[test]
fn a_slice_is_a_view_and_writing_to_it_copies_the_view_alone() {
    let whole = Value::floats(vec![0.0, 1.0, 2.0, 3.0]);
    let part = eval("slice", [whole.clone(), Value::from(1usize), Value::from(3usize)]).expect("within");
    assert_eq!(address(&part), address(&whole).wrapping_add(1));
    let part = eval("set", [part, Value::from(0usize), Value::from(9.0)]).expect("within");
    assert!(part.same(&Value::floats(vec![9.0, 2.0])));
    assert!(whole.same(&Value::floats(vec![0.0, 1.0, 2.0, 3.0])));
    assert_eq!(part.as_array().map(Array::bytes), Some(16));
}

#[test]
fn a_view_that_is_the_last_owner_is_changed_in_place() {
    let whole = Value::floats(vec![0.0, 1.0, 2.0, 3.0]);
    let part = eval("slice", [whole, Value::from(1usize), Value::from(3usize)]).expect("within");
    let before = address(&part);
    let part = eval("set", [part, Value::from(0usize), Value::from(9.0)]).expect("within");
    assert_eq!(address(&part), before);
    let part = eval("push", [part, Value::from(5.0)]).expect("grows");
    assert!(part.same(&Value::floats(vec![9.0, 2.0, 5.0])));
}

#[test]
fn what_is_popped_has_one_owner() {
    let rows = [Value::floats(vec![1.0]), Value::floats(vec![2.0])];
    let nested = eval("array", rows).expect("elements of one type");
    let before = address(&nested.as_array().expect("an array").get(1).expect("two rows"));
    let both = eval("pop", [nested]).expect("a vector");
    let row =
        both.as_composite().expect("a tuple").parts[0].as_composite().expect("an option").parts[0].clone();
    drop(both);
    let row = eval("set", [row, Value::from(0usize), Value::from(9.0)]).expect("within");
    assert_eq!(address(&row), before);
}

#[test]
fn an_empty_array_has_the_declared_type() {
    let empty = eval_to(Ty::array(Ty::str(), 1), "array", []).expect("nothing to go wrong");
    assert!(empty.same(&strings(&[])));
    assert_eq!(empty.ty(), Ty::array(Ty::str(), 1));
}

#[test]
fn lengths_that_no_memory_holds_are_failures() {
    for n in [usize::MAX, usize::MAX / 8, usize::MAX / 16, 1 << 60] {
        let failure = eval("repeat", [Value::from(1.0), Value::from(n)]).expect_err("too long");
        assert_eq!(failure.kind(), overdub_context::FailureKind::MemoryLimit, "{failure}");
        let failure = eval("range", [Value::from(0usize), Value::from(n)]).expect_err("too long");
        assert_eq!(failure.kind(), overdub_context::FailureKind::MemoryLimit, "{failure}");
    }
    let failure = eval("repeat", [Value::from(1.0), Value::from(-1i64)]).expect_err("negative");
    assert_eq!(failure.to_string(), "the length -1 is negative");
}

#[test]
fn ranges_reach_the_ends_of_their_types() {
    let range = |lo: Value<'static>, hi: Value<'static>| eval("range", [lo, hi]).expect("short");
    assert!(range(Value::from(-1i8), Value::from(2i8)).same(&vector(&[-1i8, 0, 1])));
    assert!(range(Value::from(3i8), Value::from(2i8)).same(&vector::<i8>(&[])));
    assert!(range(Value::from(u128::MAX - 1), Value::from(u128::MAX)).same(&vector(&[u128::MAX - 1])));
    assert!(range(Value::from(1u128), Value::from(u128::MAX >> 127)).same(&vector::<u128>(&[])));
}

proptest! {
    #![proptest_config(overdub_context::testing::cases(256))]

    /// One edit after another does to a vector what it does to Rust's `Vec`, message by message.
    #[test]
    fn edits_are_those_of_a_rust_vec(
        start in prop::collection::vec(0..9i32, 0..6),
        edits in prop::collection::vec((0..14usize, 0..8usize, 0..8usize, 0..8usize, 10..20i32), 1..8),
        shared in any::<bool>(),
    ) {
        let mut rust = start.clone();
        let mut array = vector(&start);
        let kept = shared.then(|| array.clone());
        for (edit, i, j, k, x) in edits {
            let (vi, vj, vk, vx) = (Value::from(i), Value::from(j), Value::from(k), Value::from(x));
            let a = if shared { array.clone() } else { array.take() };
            let (want, got) = match edit {
                0 => (panic_of(|| { rust[i] = x; None }), eval("set", [a, vi, vx])),
                1 => (panic_of(|| { rust.push(x); None }), eval("push", [a, vx])),
                2 => (panic_of(|| { rust.insert(i, x); None }), eval("insert", [a, vi, vx])),
                3 => (panic_of(|| Some(rust.remove(i))), eval("remove", [a, vi])),
                4 => (panic_of(|| Some(rust.swap_remove(i))), eval("swap_remove", [a, vi])),
                5 => (panic_of(|| { rust.truncate(i); None }), eval("truncate", [a, vi])),
                6 => (panic_of(|| { rust.resize(i, x); None }), eval("resize", [a, vi, vx])),
                7 => (panic_of(|| { rust.swap(i, j); None }), eval("swap", [a, vi, vj])),
                8 => (panic_of(|| { rust.reverse(); None }), eval("reverse", [a])),
                9 => (panic_of(|| { rust.fill(x); None }), eval("fill", [a, vx])),
                10 => (panic_of(|| { rust.copy_within(i..j, k); None }), eval("copy_within", [a, vi, vj, vk])),
                11 => (panic_of(|| { rust.rotate_left(i); None }), eval("array.rotate_left", [a, vi])),
                12 => (panic_of(|| { rust.rotate_right(i); None }), eval("array.rotate_right", [a, vi])),
                _ => (panic_of(|| { rust = rust[i..j].to_vec(); None }), eval("slice", [a, vi, vj])),
            };
            match (want, got) {
                (Ok(None), Ok(new)) => array = new,
                (Ok(Some(x)), Ok(both)) => {
                    let both = both.as_composite().expect("a tuple");
                    prop_assert!(both.parts[0].same(&Value::from(x)));
                    array = both.parts[1].clone();
                }
                (Err(panic), Err(failure)) => {
                    prop_assert_eq!(failure.to_string(), panic);
                    break;
                }
                (want, got) => prop_assert!(false, "rust: {want:?}, here: {got:?}"),
            }
            prop_assert_eq!(ints(&array), rust.clone());
        }
        if let Some(kept) = kept {
            prop_assert_eq!(ints(&kept), start);
        }
    }

    #[test]
    fn reading_is_that_of_a_rust_slice(elems in prop::collection::vec(any::<i32>(), 0..5), i in 0..7usize) {
        let got = eval("get", [vector(&elems), Value::from(i)]).map(|x| x.as_int().map(|(_, n)| n as i32));
        match panic_of(|| elems[i]) {
            Ok(x) => prop_assert_eq!(got.ok().flatten(), Some(x)),
            Err(panic) => prop_assert_eq!(got.expect_err("out of bounds").to_string(), panic),
        }
        let checked = eval("get.checked", [vector(&elems), Value::from(i)]).expect("never fails");
        let option = checked.as_composite().expect("an option");
        prop_assert_eq!(option.tag == 1, i < elems.len());
    }

    #[test]
    fn concat_is_that_of_rust(a in prop::collection::vec(any::<i32>(), 0..5), b in prop::collection::vec(any::<i32>(), 0..5)) {
        let got = eval("concat", [vector(&a), vector(&b)]).expect("of one type");
        prop_assert_eq!(ints(&got), [a, b].concat());
    }
}
