//! A prepared call that computes its result in the caller's slots gives what a run gives.

mod counting;

use std::sync::Arc;

use overdub_context::engine::Executor;
use overdub_context::ir::Module;
use overdub_context::value::Value;
use overdub_context::{Failure, Symbol, text};
use overdub_native::{Arg, Native, OutSlot};

use counting::allocations;

/// Functions of a length and an index: `%a` has ones, and a 5 at the index, and `%b` has twos.
fn module(body: &str) -> Arc<Module> {
    let program = format!(
        "fn @f(%n: usize, %i: usize) -> ([f64], [f64]) {{
  %z: [f64] = repeat 1.0, %n
  %b: [f64] = repeat 2.0, %n
  %a: [f64] = set %z, %i, 5.0
{body}
  ret %both
}}"
    );
    Arc::new(text::parse(&program).expect("it is well formed").module())
}

/// Calls the function with slots of these lengths; returns their contents afterwards.
fn called(
    caller: &mut overdub_native::Caller,
    (n, i): (usize, usize),
    lengths: [usize; 2],
) -> Result<[Vec<f64>; 2], Failure> {
    let [mut a, mut b] = lengths.map(|len| vec![-1.0; len]);
    caller.call(&[Arg::scalar(n), Arg::scalar(i)], &mut [OutSlot::F64s(&mut a), OutSlot::F64s(&mut b)])?;
    Ok([a, b])
}

fn floats(value: &Value<'_>) -> Vec<f64> {
    value.as_array().and_then(|array| array.as_f64s()).expect("a vector of floats").to_vec()
}

fn gives_what_a_run_gives(body: &str) {
    let (module, native, name) = (module(body), Native::new(), Symbol::new("f"));
    let mut caller = native.prepare(&module, name).expect("it compiles").caller();
    for n in [3, 4, 1, 9, 4] {
        let both = native.run(&module, name, vec![Value::from(n), Value::from(n - 1)]).expect("it runs");
        let parts = &both.as_composite().expect("two vectors").parts;
        let expected = [&parts[0], &parts[1]].map(floats);
        for _ in 0..2 {
            let lengths = [expected[0].len(), expected[1].len()];
            let found = called(&mut caller, (n, n - 1), lengths).expect("it runs");
            assert_eq!(found, expected, "{body}");
        }
        // Slots of other lengths than the result, and a call that fails on the way.
        called(&mut caller, (n, n), [n; 2]).expect_err("the index is not within");
        called(&mut caller, (n, n - 1), [40; 2]).expect_err("the places are too long");
    }
}

const IN_ORDER: &str = "  %both: ([f64], [f64]) = tuple %a, %b";

#[test]
fn a_result_is_made_where_the_caller_wants_it() {
    for body in [IN_ORDER, "  %both: ([f64], [f64]) = tuple %b, %a"] {
        gives_what_a_run_gives(body);
        let mut caller =
            Native::new().prepare(&module(body), Symbol::new("f")).expect("it compiles").caller();
        let (mut a, mut b) = ([0.0; 100], [0.0; 100]);
        let before = allocations();
        let outs = &mut [OutSlot::F64s(&mut a), OutSlot::F64s(&mut b)];
        caller.call(&[Arg::scalar(100_usize), Arg::scalar(7_usize)], outs).expect("it runs");
        assert_eq!(allocations() - before, 0, "not even the first time");
        assert_eq!(a[7] + b[7], 7.0);
    }
}

#[test]
fn a_vector_that_is_given_twice_comes_to_both_places() {
    gives_what_a_run_gives("  %both: ([f64], [f64]) = tuple %a, %a");
    gives_what_a_run_gives("  %w: [f64] = set %a, 0_usize, 7.0\n  %both: ([f64], [f64]) = tuple %w, %a");
}

#[test]
fn a_part_of_a_vector_comes_to_a_place_of_its_own() {
    gives_what_a_run_gives("  %p: [f64] = slice %a, 1_usize, %n\n  %both: ([f64], [f64]) = tuple %a, %p");
    gives_what_a_run_gives("  %p: [f64] = slice %b, 1_usize, %n\n  %both: ([f64], [f64]) = tuple %p, %b");
    gives_what_a_run_gives("  %p: [f64] = slice %a, 0_usize, %i\n  %both: ([f64], [f64]) = tuple %p, %b");
}

#[test]
fn what_is_pushed_to_a_vector_in_a_place_is_kept() {
    gives_what_a_run_gives("  %p: [f64] = push %a, 8.0\n  %both: ([f64], [f64]) = tuple %p, %b");
    gives_what_a_run_gives(
        "  %e: [f64] = truncate %a, 0_usize\n  %p: [f64] = push %e, 8.0\n  %q: [f64] = push %p, 9.0
  %both: ([f64], [f64]) = tuple %q, %b",
    );
}

#[test]
fn vectors_that_branches_swap_come_to_their_places() {
    gives_what_a_run_gives(
        "  %c: bool = lt %n, 4_usize\n  br_if %c, ^end(%a, %b), ^end(%b, %a)
^end(%x: [f64], %y: [f64]):\n  %both: ([f64], [f64]) = tuple %x, %y",
    );
}

#[test]
fn who_looks_at_a_vector_in_a_place_as_a_value_sees_its_elements() {
    let turned = "  %w: [f64] = reverse %a";
    gives_what_a_run_gives(&format!("{turned}\n  %both: ([f64], [f64]) = tuple %w, %a"));
    gives_what_a_run_gives(
        "  %p: [[f64]] = repeat %a, 2_usize\n  %w: [f64] = get %p, 1_usize
  %both: ([f64], [f64]) = tuple %w, %b",
    );
}

#[test]
fn a_copy_of_what_is_lent_counts_among_the_memory_of_the_call() {
    let program = "fn @f(%xs: [f64]) -> f64 {
  %w: [f64] = set %xs, 0_usize, 3.0
  %x: f64 = get %w, 0_usize
  ret %x
}";
    let module = Arc::new(text::parse(program).expect("it is well formed").module());
    let limits = overdub_context::interp::Limits { memory: Some(1 << 20), ..Default::default() };
    let native = Native::new().with_limits(limits);
    let mut caller = native.prepare(&module, Symbol::new("f")).expect("it compiles").caller();
    let mut x = 0.0;
    let mut call = |len: usize| caller.call(&[Arg::slice(&vec![1.0; len])], &mut [OutSlot::F64(&mut x)]);
    call(1 << 10).expect("there is enough");
    let error = call(1 << 24).expect_err("there is too little");
    assert_eq!(error.kind(), overdub_context::FailureKind::MemoryLimit);
    call(1 << 10).expect("the next one goes on");
}
