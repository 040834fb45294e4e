//! What holds for every operation: a name and a sentence, and an evaluator that answers whatever it is given.

mod common;

use std::collections::HashSet;

use common::rust::outcome;
use common::{Bench, ty_of};
use overdub_context::ir::{Field, Nominal, NominalBody, Ty, TyKind};
use overdub_context::ops::{self, Arity, OpCx, OpDef};
use overdub_context::value::{Array, CellRef, Closure, Code, Composite, Opaque, Parts, PathElem, Value};
use overdub_context::{FailureKind, Symbol};
use proptest::prelude::*;

fn all() -> impl Iterator<Item = &'static OpDef> {
    ops::ALL.iter().copied().flatten().copied()
}

#[test]
fn every_operation_is_found_by_its_name_which_no_other_has() {
    let mut names = HashSet::new();
    for op in all() {
        assert!(names.insert(op.name), "`{op:?}` is there twice");
        assert_eq!(ops::by_name(op.name), Some(op));
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '.';
        assert!(op.name.chars().all(fits), "`{op:?}` cannot be read as a name");
    }
    assert_eq!(ops::by_name("no_such_operation"), None);
}

#[test]
fn every_operation_says_what_it_does_in_a_sentence() {
    for op in all() {
        let sentence = !op.doc.starts_with(char::is_lowercase);
        assert!(sentence && op.doc.ends_with('.') && op.doc.len() > 10, "`{op:?}`: {}", op.doc);
    }
}

/// A struct of a number and a text.
fn record() -> Ty {
    let nominal = Nominal::shared("LawRecord", []);
    let field = |name, ty| Field { name: Symbol::new(name), ty };
    nominal.define(NominalBody::Struct(vec![field("x", Ty::f64()), field("name", Ty::str())]));
    Ty::new(TyKind::Struct(nominal))
}

fn scalar() -> impl Strategy<Value = Value<'static>> {
    let small = prop_oneof![Just(0i128), Just(1), Just(2), Just(-1), Just(3)];
    let int_ty = prop::sample::select(overdub_context::ir::IntTy::ALL.to_vec());
    prop_oneof![
        Just(Value::Unit),
        any::<bool>().prop_map(Value::from),
        any::<char>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<f32>().prop_map(Value::from),
        "[aß]{0,3}".prop_map(Value::str),
        (int_ty, prop_oneof![small, any::<i128>()]).prop_map(|(ty, n)| Value::int(ty, n)),
        prop::sample::select(vec![0usize, 1, 2, 3, usize::MAX]).prop_map(Value::from),
        prop::sample::select(vec![0i64, 1, 2, -1, i64::MIN]).prop_map(Value::from),
    ]
}

fn composite(ty: Option<Ty>, tag: u32, parts: Vec<Value<'static>>) -> Value<'static> {
    Value::Composite(Composite { ty, tag, parts: Parts::from(parts) }.into())
}

/// An array of as many values as the shape says, all of the type of the first.
fn array(shape: &[usize], elems: &[Value<'static>]) -> Value<'static> {
    let ty = elems[0].ty();
    let like: Vec<_> = elems.iter().filter(|elem| elem.ty() == ty).cloned().collect();
    let elems = like.iter().cycle().take(shape.iter().product()).cloned();
    let array = Array::from_values(ty, elems).and_then(|array| array.reshape(shape));
    Value::from(array.expect("values of one type in a shape of so many"))
}

fn value() -> impl Strategy<Value = Value<'static>> {
    scalar().prop_recursive(2, 8, 3, |inner| {
        let some = prop::collection::vec(inner.clone(), 1..4);
        let shape = prop_oneof![
            Just(vec![0]), Just(vec![1]), Just(vec![3]), Just(vec![2, 2]), Just(vec![2, 3]), Just(vec![1, 0]),
        ];
        prop_oneof![
            3 => scalar(),
            1 => some.clone().prop_map(Value::tuple),
            1 => (any::<f64>(), "[ab]{0,2}").prop_map(|(x, s)| composite(Some(record()), 0, vec![x.into(), Value::str(s)])),
            1 => inner.clone().prop_map(|x| composite(Some(Ty::option(x.ty())), 1, vec![x])),
            1 => inner.clone().prop_map(|x| composite(Some(Ty::option(x.ty())), 0, vec![])),
            4 => (shape, some.clone()).prop_map(|(shape, elems)| array(&shape, &elems)),
            1 => prop::collection::vec(any::<f64>(), 3).prop_map(Value::floats),
            1 => some.clone().prop_map(|xs| Value::Stack(xs[..1].to_vec().into())),
            1 => some.clone().prop_map(|xs| {
                Value::Closure(Closure { code: Code::Func(Symbol::new("law")), captures: Parts::from(xs) }.into())
            }),
            2 => inner.clone().prop_map(|x| Value::Ref(Box::new(CellRef::new(x)))),
            1 => some.clone().prop_map(|xs| {
                let cell = CellRef::new(array(&[3], &xs));
                Value::Ref(Box::new(cell.step(PathElem::Slice(1, 3)).step(PathElem::Elem(1))))
            }),
            1 => inner.prop_map(|x| Value::Ref(Box::new(CellRef::new(x).step(PathElem::Field(1))))),
            1 => Just(Value::Opaque(Box::new(Opaque { name: Symbol::new("Law"), value: Box::new(1u8) }))),
        ]
    })
}

/// Runs an operation on values that its rule may refuse: it gives what its type says, or fails, and never panics.
/// Says whether the rule took them.
fn probe(op: &OpDef, declared: Option<Ty>, args: &[Value<'static>]) -> bool {
    let call = || format!("{op:?} {args:?} to {declared:?}");
    let rule = outcome(|| ty_of(op, declared, args)).unwrap_or_else(|panic| panic!("{}: {panic}", call()));
    let rule = rule.ok().filter(|_| op.takes(args.len()));
    let ret = rule.as_ref().or(declared.as_ref()).copied().unwrap_or_else(Ty::unit);
    let mut operands = args.to_vec();
    let result = outcome(|| {
        (op.eval)(&mut OpCx { ret, machine: &mut Bench { left: 1 << 20, calls: 0 } }, &mut operands)
    })
    .unwrap_or_else(|panic| panic!("{}: {panic}", call()));
    match (rule, result) {
        // What is left behind has a hole until it is filled; the part is what the rule says.
        (Some(ty), Ok(result)) if op.name.starts_with("take.") => {
            let TyKind::Tuple(parts) = ty.kind() else { panic!("{} gives a pair", call()) };
            let taken = result.as_composite().and_then(|both| both.parts.first());
            assert!(
                taken.is_some_and(|part| part.is_a(parts[0])),
                "{} should take {ty}, is {result:?}",
                call()
            );
        }
        (Some(ty), Ok(result)) => assert!(result.is_a(ty), "{} should be {ty}, is {result:?}", call()),
        (Some(_), Err(failure)) => {
            // The operations that call back meet a machine that cannot.
            let kind = failure.kind();
            let hole = failure.report().message.contains("moved or changed");
            assert!(kind != FailureKind::Type || hole, "{}: accepted, then {failure}", call());
            assert!(op.effects.fails, "{}: says that it does not fail, then {failure}", call());
        }
        (None, _) => return false,
    }
    true
}

fn lengths(op: &OpDef) -> impl Iterator<Item = usize> {
    let (least, most) = match op.arity {
        Arity::Exactly(n) => (n, n),
        Arity::AtLeast(n) => (n, n + 3),
    };
    // One too few and one too many as well.
    least.saturating_sub(1)..=most + 1
}

proptest! {
    #![proptest_config(overdub_context::testing::cases(24))]

    #[test]
    fn no_operation_panics_on_any_values(
        pool in prop::collection::vec(value(), 6),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 60),
        declared in prop::option::of(value()),
    ) {
        let declared = declared.map(|value| value.ty());
        for op in all() {
            for len in lengths(op) {
                for picks in picks.chunks_exact(len.max(1)).take(6) {
                    let args: Vec<_> = picks.iter().take(len).map(|pick| pick.get(&pool).clone()).collect();
                    probe(op, declared, &args);
                }
            }
        }
    }

    #[test]
    fn what_a_rule_accepts_is_computed_or_fails(
        x in value(),
        indices in prop::collection::vec(prop::sample::select(vec![0i64, 1, 2, -1]), 4),
        y in value(),
    ) {
        let index = |n: i64| if n < 0 { Value::from(n) } else { Value::from(n as usize) };
        let indices: Vec<_> = indices.into_iter().map(index).collect();
        let option = Some(Ty::option(Ty::i32()));
        for op in all() {
            for len in lengths(op) {
                let mut args = vec![x.clone(); len];
                probe(op, Some(x.ty()), &args);
                for declared in [Some(y.ty()), option, Some(Ty::f32()), Some(Ty::stack(x.ty()))] {
                    probe(op, declared, &args);
                }
                for at in (1..len).rev() {
                    args[at] = indices[at % 4].clone();
                    probe(op, None, &args);
                    if at + 1 < len {
                        let last = std::mem::replace(&mut args[len - 1], y.clone());
                        probe(op, None, &args);
                        args[len - 1] = last;
                    }
                }
            }
        }
    }
}
