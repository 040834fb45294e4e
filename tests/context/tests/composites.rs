//! Tuples, structs, enums, stacks and closures: made, read, rebuilt and compared.

mod common;

use common::rust::agrees;
use common::{Bench, eval, eval_to};
use overdub_context::ir::{Field, FnTy, Nominal, NominalBody, Ty, TyKind, VariantTy};
use overdub_context::ops::{self, Machine, OpCx};
use overdub_context::value::{Array, IntoValue, Value};
use overdub_context::{Failure, FailureKind, Symbol};
use proptest::prelude::*;

fn address(value: &Value<'_>) -> *const f64 {
    value.as_array().and_then(Array::as_f64s).expect("floats").as_ptr()
}

fn index<'a>(n: i64) -> Value<'a> {
    Value::from(n)
}

/// `enum List { Nil, Cons(f64, List) }`
fn list_ty() -> Ty {
    let nominal = Nominal::shared("CompositesList", []);
    let ty = Ty::new(TyKind::Enum(nominal));
    let field = |name, ty| Field { name: Symbol::new(name), ty };
    let cons = vec![field("0", Ty::f64()), field("1", ty)];
    let variant = |name, fields| VariantTy { name: Symbol::new(name), fields };
    nominal.define(NominalBody::Enum(vec![variant("Nil", Vec::new()), variant("Cons", cons)]));
    ty
}

/// Evaluates without asking for the type, which would look at all of a list.
fn evaluated<const N: usize>(op: &str, ret: Ty, mut args: [Value<'static>; N]) -> Value<'static> {
    let op = ops::by_name(op).expect("it exists");
    (op.eval)(&mut OpCx { ret, machine: &mut Bench::default() }, &mut args).expect("it does not fail")
}

fn list(len: usize, last: f64) -> Value<'static> {
    let mut list = evaluated("variant", list_ty(), [index(0)]);
    for i in 0..len {
        let x = if i == 0 { last } else { 0.5 };
        list = evaluated("variant", list_ty(), [index(1), x.into(), list]);
    }
    list
}

#[test]
fn the_last_look_at_a_tuple_moves_its_part_out() {
    let tuple = eval("tuple", [Value::floats(vec![1.0; 9]), 1usize.into()]).expect("anything");
    let shared = eval("field", [tuple.clone(), index(0)]).expect("it is there");
    let before = address(&shared);
    drop(shared);
    let alone = eval("field", [tuple, index(0)]).expect("it is there");
    let changed = eval("set", [alone, 0usize.into(), 2.0.into()]).expect("within");
    assert_eq!(address(&changed), before, "nobody else held it, so it was changed in place");
}

#[test]
fn a_field_is_replaced_in_place_or_in_a_copy() {
    let old = eval("tuple", [1.0.into(), true.into()]).expect("anything");
    let new = eval("with_field", [old.clone(), index(0), 2.0.into()]).expect("it is there");
    assert!(old.same(&(1.0, true).into_value()));
    assert!(new.same(&(2.0, true).into_value()));
}

#[test]
fn a_field_that_is_not_there_or_not_of_the_type_is_refused() {
    let op = ops::by_name("with_field").expect("it exists");
    let tuple: Value<'_> = (1.0, true).into_value();
    let takes = |args: &[Value<'static>]| common::ty_of(op, None, args).map_err(|fault| fault.takes);
    assert_eq!(takes(&[tuple.clone(), index(1), 2.0.into()]), Err("a new bool for this field".to_owned()));
    assert!(takes(&[tuple.clone(), index(2), 2.0.into()]).is_err());
    assert!(takes(&[tuple, index(-1), 2.0.into()]).is_err());
}

#[test]
fn a_variant_knows_its_fields_and_refuses_anothers() {
    let cons = list(1, 4.0);
    assert!(eval("tag", [cons.clone()]).expect("an enum").same(&index(1)));
    assert!(eval("payload", [cons.clone(), index(1), index(0)]).expect("it is `Cons`").same(&4.0.into()));
    let other = eval("with_payload", [cons.clone(), index(1), index(0), 5.0.into()]).expect("it is `Cons`");
    assert!(other.same(&list(1, 5.0)) && cons.same(&list(1, 4.0)));
    let failure = eval("payload", [list(0, 0.0), index(1), index(0)]).expect_err("it is `Nil`");
    assert_eq!(failure.kind(), FailureKind::Domain);
    assert_eq!(failure.report().message, "this is not `Cons` but `Nil`");
}

#[test]
fn a_long_list_goes_into_a_cell_and_is_compared_without_the_machines_stack() {
    const LONG: usize = 100_000;
    let cell = evaluated("cell", Ty::reference(list_ty()), [list(LONG, 1.0)]);
    let held = evaluated("ref.get", list_ty(), [cell]);
    let same = |other: Value<'static>| evaluated("same", Ty::bool(), [held.clone(), other]).as_bool();
    assert_eq!(same(list(LONG, 1.0)), Some(true));
    assert_eq!(same(list(LONG, 2.0)), Some(false));
    let order = evaluated("order", Ty::ordering(), [held.clone(), list(LONG, 2.0)]);
    assert!(order.same(&std::cmp::Ordering::Less.into_value()));
}

#[test]
fn a_vector_of_tuples_in_a_cell_is_taken_and_put_back_without_a_copy() {
    let pairs: Vec<(f64, usize)> = (0..100).map(|i| (0.5, i)).collect();
    let cell = eval("cell", [pairs.into_value()]).expect("anything");
    let address = |value: &Value<'_>| value.as_array().expect("a vector").buffer_address();
    let mut before = None;
    for i in 0..100usize {
        let pairs = eval("ref.take", [cell.clone()]).expect("it is there");
        assert_eq!(*before.get_or_insert(address(&pairs)), address(&pairs), "after {i} times");
        let pairs = eval("set", [pairs, i.into(), (1.5, i).into_value()]).expect("within");
        evaluated("ref.set", Ty::unit(), [cell.clone(), pairs]);
    }
}

#[test]
fn what_was_pushed_comes_back_in_reverse_order() {
    let ty = Ty::stack(Ty::f64());
    let mut stack = eval_to(ty, "stack.new", []).expect("nothing to go wrong");
    for i in 0..3000 {
        stack = evaluated("stack.push", ty, [stack, f64::from(i).into()]);
    }
    assert!(eval("stack.len", [stack.clone()]).expect("a stack").same(&3000usize.into()));
    assert!(eval("stack.peek", [stack.clone()]).expect("not empty").same(&2999.0.into()));
    for i in (0..3000).rev() {
        let popped = eval("stack.pop", [stack]).expect("not empty");
        let parts = popped.as_composite().expect("a pair").parts.to_vec();
        assert!(parts[0].same(&f64::from(i).into()));
        stack = parts[1].clone();
    }
    let mut machine = Bench::default();
    for name in ["stack.pop", "stack.peek"] {
        let op = ops::by_name(name).expect("it exists");
        let ret = Ty::tuple([Ty::f64(), ty]);
        let failure = (op.eval)(&mut OpCx { ret, machine: &mut machine }, &mut [stack.clone()]);
        assert_eq!(failure.expect_err("it is empty").kind(), FailureKind::Bounds);
    }
}

#[test]
fn a_closure_holds_what_it_captured_and_forgets_its_code_when_erased() {
    let ty = Ty::closure(Symbol::new("add_to"), [Ty::f64()]);
    let closure = eval_to(ty, "closure", [1.5.into()]).expect("it captures a float");
    assert_eq!(closure.ty(), ty);
    let erased = Ty::func([Ty::f64()], Ty::f64());
    let function = eval_to(erased, "erase", [closure.clone()]).expect("a closure");
    assert!(function.is_a(erased) && function.same(&closure));
    let op = ops::by_name("closure").expect("it exists");
    assert!(common::ty_of(op, Some(ty), &[Value::from(1i64)]).is_err(), "it captures a float");
    let other = Ty::new(TyKind::Fn(FnTy { params: [].into(), ret: Ty::unit() }));
    assert!(common::ty_of(op, Some(other), &[]).is_err(), "a function type names no code");
}

#[test]
fn what_is_printed_reaches_the_machine() {
    #[derive(Default)]
    struct Printer {
        out: String,
        err: String,
    }
    impl Machine<'_> for Printer {
        fn call(&mut self, _: &Value<'_>, _: Vec<Value<'_>>) -> Result<Value<'static>, Failure> {
            Ok(Value::Unit)
        }
        fn print(&mut self, text: &str) {
            self.out.push_str(text);
        }
        fn eprint(&mut self, text: &str) {
            self.err.push_str(text);
        }
        fn reserve(&mut self, _: usize) -> Result<(), Failure> {
            Ok(())
        }
    }
    let mut printer = Printer::default();
    for (op, text) in [("print", "a"), ("eprint", "b"), ("print", "c\n")] {
        let op = ops::by_name(op).expect("it exists");
        let mut cx = OpCx { ret: Ty::unit(), machine: &mut printer };
        (op.eval)(&mut cx, &mut [Value::str(text)]).expect("printing does not fail");
    }
    assert_eq!((printer.out.as_str(), printer.err.as_str()), ("ac\n", "b"));
}

type Data = (Option<f64>, Vec<(i32, String)>, Result<bool, char>, Vec<u8>);

fn data() -> impl Strategy<Value = Data> {
    let float = prop::option::of(prop::sample::select(vec![0.0, -0.0, 1.0, f64::NAN]));
    let pairs = prop::collection::vec((0..2i32, "[ab]{0,1}"), 0..3);
    let result = prop_oneof![any::<bool>().prop_map(Ok), prop::sample::select(vec!['a', 'b']).prop_map(Err)];
    (float, pairs, result, prop::collection::vec(0..2u8, 0..3))
}

proptest! {
    #![proptest_config(overdub_context::testing::cases(2000))]

    #[test]
    fn data_is_equal_where_rusts_derived_equality_says_so(a in data(), b in data()) {
        for b in [a.clone(), b] {
            agrees("same", vec![a.clone().into_value(), b.clone().into_value()], || a == b);
        }
    }

    #[test]
    fn data_is_ordered_as_rusts_derived_order_has_it_with_floats_in_total_order(a in data(), b in data()) {
        /// A float in its total order, as an integer.
        fn key(x: f64) -> i64 {
            let bits = x.to_bits() as i64;
            bits ^ (((bits >> 63) as u64) >> 1) as i64
        }
        let keyed = |(x, pairs, result, bytes): Data| (x.map(key), pairs, result, bytes);
        agrees("order", vec![a.clone().into_value(), b.clone().into_value()], || keyed(a).cmp(&keyed(b)));
    }

    #[test]
    fn select_is_if(cond in any::<bool>(), a in any::<f64>(), b in any::<f64>()) {
        agrees("select", vec![cond.into(), a.into(), b.into()], || if cond { a } else { b });
        agrees("black_box", vec![a.into()], || a);
        agrees("xor", vec![cond.into(), true.into()], || !cond);
    }
}
