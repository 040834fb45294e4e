//! A run takes its quick ways; single steps take none of them. Both come to the same.

use overdub_context::interp::{Execution, Interpreter, Limits, Output, Progress};
use overdub_context::ir::{FuncBuilder, IntTy, Module, Operand, Ty};
use overdub_context::ops;
use overdub_context::testing::programs;
use overdub_context::value::Value;
use overdub_context::{Failure, Report};
use proptest::prelude::*;

type Ran = Result<Value<'static>, Failure>;

fn stepped(mut run: Execution<'_, '_, 'static>) -> Ran {
    loop {
        if let Progress::Done(value) = run.step()? {
            return Ok(value);
        }
    }
}

/// What `@main` comes to in a run, and step by step.
fn both(module: &Module, args: &[Value<'static>], limits: Limits) -> [Ran; 2] {
    let interpreter = || Interpreter::new(module).with_limits(limits.clone()).with_output(Output::Discard);
    let quick = interpreter().run("main", args.to_vec());
    let slow = interpreter().start("main", args.to_vec()).and_then(stepped);
    [quick, slow]
}

fn is_same([quick, slow]: &[Ran; 2]) -> bool {
    let report = |failure: &Failure| -> Report { failure.report().clone() };
    match (quick, slow) {
        (Ok(quick), Ok(slow)) => quick.same(slow),
        (Err(quick), Err(slow)) => report(quick) == report(slow),
        _ => false,
    }
}

proptest! {
    #![proptest_config(overdub_context::testing::cases(192))]

    #[test]
    fn a_program_comes_to_the_same_however_it_is_run(program in programs(), steps in 0_u64..2000) {
        for limits in [Limits::default(), Limits { steps: Some(steps), ..Limits::default() }] {
            let ran = both(&program.module(), &program.args(), limits);
            prop_assert!(is_same(&ran), "{ran:?}");
        }
    }
}

/// Scalars at the edges of their types.
fn scalars() -> Vec<Value<'static>> {
    let floats = [0.0, -0.0, 1.0, -1.5, 3.0, 1e300, f64::MIN_POSITIVE, f64::INFINITY, f64::NAN];
    let ints = IntTy::ALL.iter().flat_map(|&ty| {
        let least: i128 = if ty.is_signed() { -1 << (ty.bits() - 1) } else { 0 };
        [0, 1, 7, -1, least, least.wrapping_sub(1)].map(|n| Value::int(ty, n))
    });
    let others = [Value::Unit, Value::from(true), Value::from(false), Value::from('a'), Value::from(2.5_f32)];
    floats.into_iter().map(Value::F64).chain(ints).chain(others).collect()
}

#[test]
fn an_operation_comes_to_the_same_on_all_scalars_however_it_is_run() {
    let scalars = scalars();
    let is_scalar = |ty: Ty| ty.is_number() || ty == Ty::bool();
    let mut compared = 0;
    let mut check = |op, args: &[Value<'static>], ret: Option<Ty>| {
        // Once with operands from variables, once with constants.
        for constants in [false, true] {
            let mut build = FuncBuilder::new("main", Ty::unit());
            let operands: Vec<Operand> = if constants {
                args.iter().filter_map(|arg| build.constant(arg.clone(), arg.ty()).ok()).collect()
            } else {
                args.iter().map(|arg| build.param("x", arg.ty()).into()).collect()
            };
            let appended = match ret {
                Some(ret) => build.op_as(op, operands, ret),
                None => build.op(op, operands),
            };
            let Ok(result) = appended else { return };
            if !is_scalar(build.func().ty(result)) {
                return;
            }
            build.set_ret(build.func().ty(result));
            build.ret(result).expect("it returns what there is");
            let module = Module::new();
            module.define(build.finish().expect("it is built right"));
            let given = if constants { &[] } else { args };
            // A vector of 2^31 elements is not what is compared here.
            let limits = Limits { memory: Some(1 << 20), ..Limits::default() };
            let ran = both(&module, given, limits);
            assert!(is_same(&ran), "{op:?} on {args:?}: {ran:?}");
            compared += 1;
        }
    };
    let with_effects =
        |name: &str| ["print", "eprint", "exit", "clock"].iter().any(|effect| name.starts_with(effect));
    for op in ops::ALL.iter().copied().flatten().filter(|op| !with_effects(op.name)) {
        for a in &scalars {
            check(op, std::slice::from_ref(a), None);
            for b in scalars.iter().filter(|b| b.ty() == a.ty()) {
                check(op, &[a.clone(), b.clone()], None);
            }
        }
    }
    for a in &scalars {
        for ty in IntTy::ALL.iter().map(|&ty| Ty::int(ty)).chain([Ty::f64(), Ty::f32(), Ty::char()]) {
            check(&ops::CAST, std::slice::from_ref(a), Some(ty));
        }
    }
    assert!(compared > 10_000, "{compared}");
}

/// `n` rounds of a loop whose parameters are handed on in this order.
fn permuted(order: &[usize], n: i64) -> Module {
    let mut build = FuncBuilder::new("main", Ty::array(Ty::array(Ty::f64(), 1), 1));
    let vector = Ty::array(Ty::f64(), 1);
    let params: Vec<_> = order.iter().map(|_| build.param("v", vector)).collect();
    let head = build.named_block("head");
    let i = build.block_param(head, Ty::i64());
    let inner: Vec<_> = order.iter().map(|_| build.block_param(head, vector)).collect();
    let (more, done) = (build.named_block("more"), build.named_block("done"));
    let first = [Operand::from(0_i64)].into_iter().chain(params.into_iter().map(Operand::from));
    build.br(head, first).expect("it is open");
    build.switch_to(head).expect("it is new");
    let go = build.op(&ops::LT, [Operand::from(i), n.into()]).expect("integers compare");
    build.br_if(go, more.into(), done.into()).expect("it is open");
    build.switch_to(more).expect("it is new");
    let j = build.op(&ops::ADD, [Operand::from(i), 1_i64.into()]).expect("integers add");
    let handed = order.iter().map(|&from| Operand::from(inner[from]));
    build.br(head, [Operand::from(j)].into_iter().chain(handed)).expect("it is open");
    build.switch_to(done).expect("it is new");
    let all = build.op(&ops::ARRAY, inner).expect("they have one type");
    build.ret(all).expect("it is open");
    let module = Module::new();
    module.define(build.finish().expect("it is built right"));
    module
}

proptest! {
    #![proptest_config(overdub_context::testing::cases(256))]

    #[test]
    fn parameters_are_handed_on_at_once_in_any_order(
        order in (1_usize..6).prop_flat_map(|len| prop::collection::vec(0..len, len)),
        rounds in 0_i64..6,
    ) {
        let args: Vec<Value<'static>> =
            (0..order.len()).map(|k| Value::floats(vec![k as f64])).collect();
        let ran = both(&permuted(&order, rounds), &args, Limits::default());
        prop_assert!(is_same(&ran), "{ran:?}");
        // What it has to be, computed here.
        let mut expected: Vec<usize> = (0..order.len()).collect();
        for _ in 0..rounds {
            expected = order.iter().map(|&from| expected[from]).collect();
        }
        let [Ok(Value::Array(got)), _] = &ran else { return Err(TestCaseError::fail(format!("{ran:?}"))) };
        let got: Vec<usize> = got.iter().map(|v| v.as_array().map_or(0, |v| v.as_f64s().map_or(0, |x| x[0] as usize))).collect();
        prop_assert_eq!(got, expected);
    }
}

#[test]
fn a_set_changes_in_place_only_where_nobody_else_sees_the_vector() {
    let text = "
fn @main(%v: [f64], %w: [f64]) -> ([f64], [f64], [f64]) {
  %a: [f64] = set %v, 0, 7.0
  %b: [f64] = set %a, 1, 8.0
  %c: [f64] = set %w, 0, 9.0
  %t: ([f64], [f64], [f64]) = tuple %b, %c, %w
  ret %t
}
";
    let module = overdub_context::text::parse(text).expect("it is a program").module();
    let shared = Value::floats(vec![1.0, 2.0]);
    let ran = both(&module, &[shared.clone(), shared.clone()], Limits::default());
    assert!(is_same(&ran), "{ran:?}");
    let [Ok(value), _] = &ran else { panic!("{ran:?}") };
    assert_eq!(value.to_string(), "([7.0, 8.0], [9.0, 2.0], [1.0, 2.0])");
    assert_eq!(shared.to_string(), "[1.0, 2.0]");
}
