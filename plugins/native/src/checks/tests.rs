//! The checking mode detects faults: each test injects one into compiled code or its inputs.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use overdub_context::engine::{Executor, OutSlot};
use overdub_context::ir::{Module, Ty};
use overdub_context::value::{Arg, Array, CellRef, Opaque, Value};
use overdub_context::{Failure, Symbol, text};

use super::fault_injection::{Fault, with_fault};
use super::{Holder, Holding, LedgerScope};
use crate::Native;
use crate::abi::layout::{Counted, Elem};
use crate::buffer_pool::{BufferKind, BufferPool};
use crate::values;
use crate::values::packed_elements::PackedElements;
use crate::values::packed_layout::PackedLayout;
use crate::values::vectors;

const PROGRAM: &str = "
fn @first(%xs: [f64], %n: usize) -> f64 {
  %ys: [f64] = repeat 1.0, %n
  %y: f64 = get %ys, 0_usize
  %x: f64 = get %xs, 0_usize
  %z: f64 = add %x, %y
  ret %z
}

fn @set(%xs: [f64]) -> [f64] {
  %ys: [f64] = set %xs, 0_usize, 5.0
  ret %ys
}

fn @set_row(%rows: [[f64]], %row: [f64]) -> [[f64]] {
  %made: [[f64]] = set %rows, 0_usize, %row
  ret %made
}

fn @caller(%xs: [f64], %n: usize) -> f64 {
  %x: f64 = call @first(%xs, %n)
  %y: f64 = get %xs, 0_usize
  %z: f64 = add %x, %y
  ret %z
}
";

fn module() -> Arc<Module> {
    Arc::new(text::parse(PROGRAM).expect("it is well formed").module())
}

fn floats(n: usize) -> Value<'static> {
    Value::floats(vec![2.0; n])
}

/// The panic message of a run; `None` if it does not panic.
fn found<R>(run: impl FnOnce() -> R) -> Option<String> {
    let payload = catch_unwind(AssertUnwindSafe(run)).err()?;
    Some(payload.downcast_ref::<String>().cloned().unwrap_or_default())
}

/// The faults that are reported for code with an injected fault.
fn found_in(what: Option<Fault>, func: &str, args: Vec<Value<'static>>) -> Option<String> {
    let run = || Native::new().without_optimising().run(&module(), Symbol::new(func), args);
    found(|| with_fault(what, run).expect("it does not fail"))
}

fn assert_says(found: Option<String>, parts: &[&str]) {
    let found = found.expect("it is found");
    assert!(parts.iter().all(|part| found.contains(part)), "{found}");
}

#[test]
fn tests_run_in_the_checking_mode() {
    const { assert!(super::ON) }
}

#[test]
fn what_is_right_is_not_complained_of() {
    let args = || vec![floats(3), Value::from(3_usize)];
    assert_eq!(found_in(None, "first", args()), None);
    assert_eq!(found_in(None, "caller", args()), None);
    let rows = Array::from_values(Ty::array(Ty::f64(), 1), [floats(2), floats(3)]).expect("they are rows");
    let rows = Value::from(rows);
    assert_eq!(found_in(None, "set_row", vec![rows.clone(), floats(4)]), None);
    assert_eq!(found_in(None, "set_row", vec![rows, floats(4)]), None);
    let kept = floats(3);
    assert_eq!(found_in(None, "set", vec![kept.clone()]), None);
    assert!(kept.same(&floats(3)));
}

#[test]
fn a_block_that_is_not_given_up_is_found_where_its_function_ends() {
    let found = found_in(Some(Fault::Leak), "first", vec![floats(3), Value::from(3_usize)]);
    assert_says(
        found,
        &["`@first`, block 0", "it ends and still holds the array", "came from `@first`, block 0, `repeat`"],
    );
}

#[test]
fn a_leak_is_found_in_the_function_that_leaks_not_in_its_caller() {
    let found = found_in(Some(Fault::Leak), "caller", vec![floats(3), Value::from(3_usize)]);
    assert_says(found, &["`@first`, block 0, `the end of the block`", "still holds the array"]);
}

#[test]
fn a_block_that_is_given_up_twice_is_found() {
    let found = found_in(Some(Fault::ReleaseTwice), "first", vec![floats(3), Value::from(3_usize)]);
    assert_says(
        found,
        &["`@first`, block 0, `get`", "gives away the array", "which was freed by `@first`, block 0, `get`"],
    );
}

#[test]
fn a_block_that_is_read_after_it_was_freed_is_found() {
    let found = found_in(Some(Fault::ReleaseEarly), "first", vec![floats(3), Value::from(3_usize)]);
    assert_says(found, &["`@first`, block 0, `get`", "it reads the array", "which was freed by"]);
}

#[test]
fn a_write_to_an_array_that_the_caller_holds_too_is_found() {
    let kept = floats(3);
    let found = found_in(Some(Fault::WriteShared), "set", vec![kept.clone()]);
    assert_says(
        found,
        &["`@set`, block 0, `set`", "it writes the array", "its count is 2: others hold it too"],
    );
}

#[test]
fn a_write_to_a_buffer_that_another_array_sees_is_found() {
    let kept = Array::from_vec(vec![1.0; 3]);
    let found = found_in(Some(Fault::WriteShared), "set", vec![Value::from(kept.clone())]);
    assert_says(found, &["`@set`, block 0, `set`", "it writes the array", "others see its buffer too"]);
}

#[test]
fn a_write_to_memory_that_the_caller_lends_for_reading_is_found() {
    let found = found(|| {
        let prepared = with_fault(Some(Fault::WriteShared), || {
            Native::new().without_optimising().prepare(&module(), Symbol::new("set"))
        });
        let mut caller = prepared.expect("it compiles").caller();
        let mut out = [0.0; 3];
        let lent = vec![1.0, 2.0, 3.0];
        caller.call(&[Arg::slice(&lent)], &mut [OutSlot::F64s(&mut out)])
    });
    assert_says(found, &["`@set`, block 0, `set`", "it writes the array", "the caller lends no such memory"]);
}

#[test]
fn what_a_row_held_and_nobody_gives_up_is_found() {
    let rows = Array::from_values(Ty::array(Ty::f64(), 1), [floats(2), floats(3)]).expect("they are rows");
    let found = found_in(Some(Fault::LoseRow), "set_row", vec![Value::from(rows), floats(4)]);
    assert_says(found, &["`@set_row`, block 0", "still holds the array"]);
}

#[test]
fn rows_that_lose_a_block_are_found_when_they_are_freed() {
    let record = PackedLayout::of(Ty::array(Ty::f64(), 1)).expect("they are packed");
    let rows = PackedElements::of_values(&record, vec![floats(2)]).expect("it is a row");
    // SAFETY: the row exists; its word is held until below.
    let word = unsafe { rows.place(0).replace(0) };
    assert_says(found(|| drop(rows)), &["were not given up", &format!("{word:#x}")]);
    // SAFETY: the word was the row's.
    unsafe { values::release(Counted::Array, word) };
}

#[test]
fn pooled_memory_that_is_written_is_found() {
    let mut buffers = BufferPool::default();
    let mut own = [0; 4];
    vectors::write_vector(Elem::F64, Arc::new(Array::from_vec(vec![1.0; 8])), &mut own)
        .expect("they are floats");
    // SAFETY: the words are those of a vector.
    unsafe { buffers.release(Elem::F64, BufferKind::new(Elem::F64, None), &own) };
    assert_eq!(found(|| buffers.check()), None);
    // SAFETY: the spare keeps the memory.
    unsafe { (own[1] as usize as *mut f64).add(7).write(3.0) };
    assert_says(found(|| buffers.check()), &["was written after it was given to the pool"]);
}

#[test]
fn a_freed_block_that_is_written_is_found_when_the_run_ends() {
    let found = found(|| {
        let mut at = 0;
        let _scope = LedgerScope::begin(&mut at);
        let mut own = [0; 4];
        vectors::write_vector(Elem::F64, Arc::new(Array::from_vec(vec![1.0; 8])), &mut own)
            .expect("they are floats");
        // SAFETY: the word is held once; freed blocks are kept until the run ends.
        unsafe {
            values::release(Counted::Array, own[0]);
            (own[1] as usize as *mut f64).write(3.0);
        }
    });
    assert_says(found, &["was written after the host freed it"]);
}

#[test]
fn a_count_that_is_less_than_the_words_that_hold_a_block_is_found() {
    let found = found(|| {
        let mut at = 0;
        let _scope = LedgerScope::begin(&mut at);
        let word = values::array_word(Arc::new(Array::from_vec(vec![1.0])));
        super::gained(Counted::Array, word);
        // SAFETY: the word is held once.
        unsafe { values::release(Counted::Array, word) };
        drop(Holding::by(Holder::Frame));
    });
    assert_says(found, &["has a count of 1, but 2 words hold it"]);
}

#[test]
fn an_element_that_is_copied_is_read_before_its_copy_is_freed() {
    const GETS: &str = "fn @gets(%cell: ref [opaque Text]) -> opaque Text {
  %all: [opaque Text] = ref.get %cell
  %one: opaque Text = get %all, 0_usize
  ret %one
}";
    let module = Arc::new(text::parse(GETS).expect("it is well formed").module());
    let text = Opaque { name: Symbol::new("Text"), value: Box::new("kept".to_string()) };
    let ty = Ty::opaque(Symbol::new("Text"));
    let all = Array::from_values(ty, [Value::Opaque(Box::new(text))]).expect("it is a text");
    let cell = Value::Ref(Box::new(CellRef::new(Value::from(all))));
    let Ok(Value::Opaque(one)) = Native::new().run(&module, Symbol::new("gets"), vec![cell]) else {
        panic!("it gives a host value")
    };
    assert_eq!(one.get::<String>().map(String::as_str), Some("kept"));
}

/// The result of a run in which a function of the host returns this value instead of a pair.
fn with_host(gives: Value<'static>) -> Result<Value<'static>, Failure> {
    const CALLS: &str = "fn @calls(%f: fn() -> (f64, [f64])) -> (f64, [f64]) {
  %pair: (f64, [f64]) = call %f()
  ret %pair
}";
    let module = Arc::new(text::parse(CALLS).expect("it is well formed").module());
    Native::new().run(&module, Symbol::new("calls"), vec![host::function(gives)])
}

#[test]
fn what_the_host_gives_is_of_its_type_and_has_no_holes() {
    let pair = Value::tuple([Value::F64(1.0), floats(2)]);
    assert!(with_host(pair.clone()).is_ok_and(|value| value.same(&pair)));
    let wrong = [
        Value::F64(1.0),
        Value::Unit,
        Value::tuple([Value::F64(1.0), Value::Unit]),
        Value::tuple([floats(1), floats(2)]),
        Value::tuple([Value::F64(1.0), Value::from(Array::from_vec(vec![1_i64]))]),
    ];
    for value in wrong {
        let failure = with_host(value.clone()).expect_err("it is no such pair");
        assert_eq!(failure.kind(), overdub_context::FailureKind::Type, "{value}: {failure}");
    }
}

mod host {
    use overdub_context::ops::OpCx;
    use overdub_context::value::{Closure, Code, HostFn, Parts};

    use super::*;

    #[derive(Clone)]
    struct Gives(Value<'static>);

    impl HostFn for Gives {
        fn name(&self) -> Symbol {
            Symbol::new("gives")
        }

        fn params(&self) -> Vec<Ty> {
            Vec::new()
        }

        fn ret(&self) -> Ty {
            Ty::tuple([Ty::f64(), Ty::array(Ty::f64(), 1)])
        }

        fn call<'a>(&self, _: &mut OpCx<'_, 'a>, _: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
            Ok(self.0.clone())
        }
    }

    pub(super) fn function(gives: Value<'static>) -> Value<'static> {
        Value::Closure(Arc::new(Closure { code: Code::Host(Box::new(Gives(gives))), captures: Parts::new() }))
    }
}
