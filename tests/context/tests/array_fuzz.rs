//! Whatever an operation on arrays is handed, it answers with a value of the type that it says or with a failure.

mod common;

use common::{Bench, ty_of};
use overdub_context::ir::Ty;
use overdub_context::ops::{self, OpCx, OpDef, OperandTys, TypeFault};
use overdub_context::value::{Array, Closure, Code, HostFn, Value};
use overdub_context::{Failure, FailureKind, Symbol};
use proptest::prelude::*;

/// A function of the host that answers by its own head.
#[derive(Clone)]
struct Answers {
    params: Vec<Ty>,
    ret: Ty,
    next: std::sync::Arc<std::sync::atomic::AtomicU32>,
    fails_after: u32,
}

impl HostFn for Answers {
    fn name(&self) -> Symbol {
        Symbol::new("answers")
    }

    fn params(&self) -> Vec<Ty> {
        self.params.clone()
    }

    fn ret(&self) -> Ty {
        self.ret
    }

    fn call<'a>(&self, _: &mut OpCx<'_, 'a>, _: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
        let n = self.next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        if n >= self.fails_after {
            return Err(Failure::new(FailureKind::Panic, "enough"));
        }
        let ordering = [std::cmp::Ordering::Less, std::cmp::Ordering::Equal, std::cmp::Ordering::Greater];
        Ok(if self.ret == Ty::ordering() {
            overdub_context::value::IntoValue::into_value(ordering[n.wrapping_mul(7) as usize % 5 % 3])
        } else {
            Value::from(f64::from(n))
        })
    }
}

fn answers(params: Vec<Ty>, ret: Ty, fails_after: u32) -> Value<'static> {
    let code = Answers { params, ret, next: Default::default(), fails_after };
    let captures = Default::default();
    Value::Closure(std::sync::Arc::new(Closure { code: Code::Host(Box::new(code)), captures }))
}

fn scalar() -> impl Strategy<Value = Value<'static>> {
    prop_oneof![
        6 => (0..5usize).prop_map(Value::from),
        4 => (-3..5i64).prop_map(Value::from),
        2 => prop_oneof![Just(usize::MAX), Just(1 << 50), any::<usize>()].prop_map(Value::from),
        1 => prop_oneof![Just(i64::MIN), Just(i64::MAX), any::<i64>()].prop_map(Value::from),
        1 => any::<isize>().prop_map(Value::from),
        3 => any::<f64>().prop_map(Value::from),
        3 => any::<i32>().prop_map(Value::from),
        1 => any::<u8>().prop_map(Value::from),
        1 => any::<i128>().prop_map(Value::from),
        1 => any::<bool>().prop_map(Value::from),
        1 => Just(Value::str("x")),
        1 => Just(Value::Unit),
        1 => (any::<f64>(), any::<bool>()).prop_map(|(x, b)| Value::tuple([Value::from(x), Value::from(b)])),
    ]
}

fn shape() -> impl Strategy<Value = Vec<usize>> {
    prop_oneof![
        4 => prop::collection::vec(0..4usize, 1),
        3 => prop::collection::vec(0..4usize, 2),
        1 => prop::collection::vec(0..3usize, 3),
        1 => Just(vec![0, 1 << 40]),
        1 => Just(vec![2, 2]),
    ]
}

fn array() -> impl Strategy<Value = Value<'static>> {
    (scalar(), shape(), any::<u8>()).prop_map(|(value, shape, seed)| {
        let len = overdub_context::value::elems_of(&shape).expect("few");
        let elems = (0..len).map(|k| match (&value, usize::from(seed) % (k + 2)) {
            (Value::F64(_), n) => Value::from(n as f64),
            (Value::Int(int), n) => Value::int(int.ty(), n as i128),
            _ => value.clone(),
        });
        let array = Array::from_values(value.ty(), elems).expect("of one type");
        Value::from(array.reshape(&shape).expect("as many"))
    })
}

fn function() -> impl Strategy<Value = Value<'static>> {
    let kinds = [Ty::f64(), Ty::i32(), Ty::usize(), Ty::str()];
    (prop::sample::select(kinds.to_vec()), 0..3usize, any::<bool>(), 0..30u32).prop_map(
        |(param, arity, orders, fails_after)| {
            answers(vec![param; arity], if orders { Ty::ordering() } else { Ty::f64() }, fails_after)
        },
    )
}

fn operand() -> impl Strategy<Value = Value<'static>> {
    prop_oneof![5 => scalar(), 6 => array(), 1 => function(), 1 => shape().prop_map(|s| Value::from(Array::from_vec(s)))]
}

fn array_ops() -> Vec<&'static OpDef> {
    let array = |op: &&OpDef| {
        let edits = [
            "array",
            "repeat",
            "len",
            "get",
            "set",
            "slice",
            "set_slice",
            "push",
            "pop",
            "insert",
            "remove",
            "swap_remove",
            "truncate",
            "resize",
            "swap",
            "concat",
            "reverse",
            "fill",
            "copy_within",
            "sort_by",
            "sort_order",
            "gather",
            "range",
            "get.checked",
            "array.rotate_left",
            "array.rotate_right",
            "add",
            "sub",
            "mul",
            "div",
            "rem",
            "neg",
            "sin",
            "atan2",
            "mul_add",
            "powi",
            "clamp",
            "min",
            "max",
        ];
        op.name.starts_with("nd.") || edits.contains(&op.name)
    };
    ops::ALL.iter().copied().flatten().copied().filter(array).collect()
}

/// The operands with their types made to fit the first one, as far as that is easily done: so that more get through.
fn fitted(op: &OpDef, mut args: Vec<Value<'static>>, fit: u8) -> Vec<Value<'static>> {
    if fit & 12 == 12 {
        args.iter_mut().skip(1).for_each(|arg| *arg = Value::from(usize::from(fit >> 4) % 3));
    }
    if fit & 1 == 1
        && let [first, .., last] = args.as_mut_slice()
        && let Some(array) = first.as_array()
        && let Some(elem) = array.get(0)
    {
        *last = match op.name {
            "sort_by" | "sort_order" => answers(vec![elem.ty(); 2], Ty::ordering(), 30),
            "nd.map" => answers(vec![elem.ty()], Ty::f64(), 30),
            "nd.zip_map" => answers(vec![elem.ty(); 2], Ty::f64(), 30),
            "powi" => Value::from(i32::from(fit)),
            "set_slice" => first.clone(),
            "nd.set_axis" => array.row(0).map_or(elem, Value::from),
            _ => elem,
        };
    }
    if fit & 2 == 2
        && let [first, second, ..] = args.as_mut_slice()
        && second.as_array().is_some()
    {
        *second = first.clone();
    }
    if let ("nd.stack" | "nd.concat", [axis, first, rest @ ..], 2) = (op.name, args.as_mut_slice(), fit & 2) {
        *axis = Value::from(i64::from(fit >> 6));
        rest.iter_mut().for_each(|arg| *arg = first.clone());
    }
    args
}

fn declared() -> impl Strategy<Value = Option<Ty>> {
    prop::option::of(
        (prop::sample::select(vec![Ty::f64(), Ty::i32(), Ty::usize(), Ty::str(), Ty::bool()]), 1..4u32)
            .prop_map(|(elem, rank)| Ty::array(elem, rank)),
    )
}

fn check(
    op: &OpDef,
    ty: Result<Ty, TypeFault>,
    args: &[Value<'static>],
    other: Ty,
) -> Result<bool, TestCaseError> {
    let mut machine = Bench::default();
    let accepted = ty.is_ok();
    let ret = ty.unwrap_or(other);
    let kept: Vec<String> = args.iter().map(|arg| format!("{arg:?}")).collect();
    let result = (op.eval)(&mut OpCx { ret, machine: &mut machine }, &mut args.to_vec());
    let after: Vec<String> = args.iter().map(|arg| format!("{arg:?}")).collect();
    prop_assert_eq!(kept, after, "`{:?}` changed an operand that is held elsewhere", op);
    if !accepted {
        return Ok(false);
    }
    match result {
        Ok(value) => prop_assert!(value.is_a(ret), "`{op:?}` says {ret:?} and returns {value:?}"),
        Err(failure) => {
            prop_assert!(failure.kind() != FailureKind::Type, "`{op:?}` took {args:?} and says {failure}");
            prop_assert!(
                op.effects.fails || failure.kind() == FailureKind::MemoryLimit,
                "`{op:?}`: {failure}"
            );
        }
    }
    Ok(true)
}

#[test]
fn operations_on_arrays_keep_their_word_and_never_panic() {
    let mut taken = std::collections::BTreeMap::<&str, usize>::new();
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    for op in array_ops() {
        let count = taken.entry(op.name).or_default();
        let operands = match op.arity {
            ops::Arity::Exactly(n) => n..=n,
            ops::Arity::AtLeast(n) => n..=n + 3,
        };
        let cases = (prop::collection::vec(operand(), operands), declared(), any::<u8>());
        for _ in 0..600 {
            use proptest::strategy::ValueTree;
            let (args, declared, fit) = cases.new_tree(&mut runner).expect("cases are made").current();
            let args = fitted(op, args, fit);
            let declared = if fit & 16 == 16 { args.first().map(Value::ty) } else { declared };
            let ty = ty_of(op, declared, &args);
            match check(op, ty, &args, declared.unwrap_or(Ty::unit())) {
                Ok(accepted) => *count += usize::from(accepted),
                Err(fault) => panic!("{fault}\noperands: {args:?}"),
            }
        }
    }
    let never: Vec<_> = taken.iter().filter(|(_, count)| **count == 0).map(|(name, _)| *name).collect();
    assert!(never.is_empty(), "no case was taken by {never:?}");
}

#[test]
fn a_rule_without_operands_refuses_and_does_not_panic() {
    for op in array_ops().into_iter().filter(|op| !op.takes(0)) {
        let none = OperandTys { args: &[], consts: &[], declared: None };
        assert!((op.ty)(&none).is_err(), "{op:?}");
    }
}

proptest! {
    #![proptest_config(overdub_context::testing::cases(256))]

    /// An order that contradicts itself still gives each element once; a failure inside comes out.
    #[test]
    fn sort_by_survives_any_comparator(xs in prop::collection::vec(any::<i32>(), 0..20), fails_after in 0..80u32) {
        let f = answers(vec![Ty::i32(); 2], Ty::ordering(), fails_after);
        match common::eval("sort_by", [common::vector(&xs), f]) {
            Ok(sorted) => {
                let (mut got, mut want) = (common::ints(&sorted), xs);
                got.sort_unstable();
                want.sort_unstable();
                prop_assert_eq!(got, want);
            }
            Err(failure) => prop_assert_eq!(failure.to_string(), "enough"),
        }
    }

    #[test]
    fn what_is_gathered_in_its_sort_order_is_sorted(xs in prop::collection::vec((0..5i32, any::<i32>()), 0..40)) {
        let pairs = overdub_context::value::IntoValue::into_value(xs);
        let f = by_first(pairs.ty());
        let order = common::eval("sort_order", [pairs.clone(), f.clone()]).expect("never fails");
        let gathered = common::eval("gather", [pairs.clone(), order]).expect("all are there");
        let sorted = common::eval("sort_by", [pairs, f]).expect("never fails");
        prop_assert_eq!(gathered.to_string(), sorted.to_string());
    }

    #[test]
    fn sort_by_is_stable(xs in prop::collection::vec((0..5i32, any::<i32>()), 0..40)) {
        let mut want = xs.clone();
        want.sort_by_key(|pair| pair.0);
        let pairs = overdub_context::value::IntoValue::into_value(xs);
        let f = by_first(pairs.ty());
        let sorted = common::eval("sort_by", [pairs, f]).expect("never fails");
        let got: Vec<(i32, i32)> = overdub_context::value::FromValue::from_value(sorted).expect("pairs");
        prop_assert_eq!(got, want);
    }
}

#[derive(Clone)]
struct ByFirst(Ty);

impl HostFn for ByFirst {
    fn name(&self) -> Symbol {
        Symbol::new("by_first")
    }

    fn params(&self) -> Vec<Ty> {
        vec![self.0; 2]
    }

    fn ret(&self) -> Ty {
        Ty::ordering()
    }

    fn call<'a>(&self, _: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
        let first =
            |value: &Value<'_>| value.as_composite().and_then(|pair| pair.parts[0].as_int()).map(|(_, n)| n);
        Ok(overdub_context::value::IntoValue::into_value(first(&args[0]).cmp(&first(&args[1]))))
    }
}

fn by_first(pairs: Ty) -> Value<'static> {
    let pair = pairs.as_array().expect("an array").elem;
    let code: Box<dyn HostFn> = Box::new(ByFirst(pair));
    let captures = Default::default();
    Value::Closure(std::sync::Arc::new(Closure { code: Code::Host(code), captures }))
}
