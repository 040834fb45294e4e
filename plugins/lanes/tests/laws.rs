//! Random programs in lanes give and fail as runs for one element after the other.

use std::sync::{Arc, Mutex};

use overdub_context::engine::{Engine, Interpreting, Sink};
use overdub_context::ir::{Func, Ty, TyKind};
use overdub_context::testing::{Program, alike, any_value, cases, programs};
use overdub_context::value::{Array, Value};
use overdub_lanes::{Argument, Lanes, Unsupported};
use overdub_passes::{InstructionSet, Limits, Scope, callees, optimise};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

fn is_scalar(ty: Ty) -> bool {
    match ty.kind() {
        TyKind::Int(int) => int.bits() <= 64,
        TyKind::Bool | TyKind::Char | TyKind::Float(_) => true,
        _ => false,
    }
}

/// The types of the arguments of a function, and whether each element has its own of each.
type Params = (Vec<Ty>, Vec<bool>);

/// The main function with everything inlined, in lanes by each instruction set. The bits of `shared` say which scalars all elements
/// share.
fn in_lanes(
    program: &Program,
    (width, shared): (usize, u8),
) -> (Params, Result<Vec<(InstructionSet, Lanes)>, Unsupported>) {
    let module = program.module();
    let main = module.func("main".into()).expect("it loads").expect("it is there");
    let callees = callees(&module);
    let scope = Scope::new(&callees).with_limits(Limits { callee: 10_000, total: 10_000 });
    let whole: Func = optimise(&main, &scope);
    let tys: Vec<Ty> = whole.param_tys().collect();
    let mapped: Vec<bool> =
        tys.iter().enumerate().map(|(at, ty)| is_scalar(*ty) && shared >> (at % 8) & 1 == 0).collect();
    let lanes = InstructionSet::all().into_iter().map(|set| {
        let lanes = Lanes::for_instruction_set(&whole, &mapped, set);
        lanes.map(|lanes| (set, lanes.with_width(width)))
    });
    let lanes = lanes.collect();
    ((tys, mapped), lanes)
}

/// The arguments of each element: scalars drawn by the choices, and what all share.
fn rows(
    tys: &[Ty],
    mapped: &[bool],
    own: &[Value<'static>],
    choices: &[Vec<u8>],
) -> Vec<Vec<Value<'static>>> {
    let row = |choices: &Vec<u8>| {
        let args = tys.iter().zip(mapped).zip(own).enumerate();
        args.map(|(at, ((ty, mapped), own))| match mapped {
            true => any_value(*ty, choices[at % choices.len()].wrapping_add(at as u8)),
            false => own.clone(),
        })
        .collect()
    };
    choices.iter().map(row).collect()
}

fn run(lanes: &Lanes, mapped: &[bool], rows: &[Vec<Value<'static>>]) -> Option<Vec<Value<'static>>> {
    let arg = |(at, mapped): (usize, &bool)| match mapped {
        true => {
            let list = rows.iter().map(|row| row[at].clone());
            Argument::Each(Array::from_values(rows[0][at].ty(), list).expect("they are of one type"))
        }
        false => Argument::Shared(rows[0][at].clone()),
    };
    let args: Vec<_> = mapped.iter().enumerate().map(arg).collect();
    let lists = lanes.run(&args, rows.len(), &mut |_| false)?;
    Some(lanes.list(lists, rows.len())?.into_values())
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn lanes_give_and_fail_as_elements_one_by_one(
        program in programs(),
        choices in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..6), 1..150),
        width in prop_oneof![Just(64_usize), 1_usize..64],
        shared in prop_oneof![Just(0), any::<u8>()],
    ) {
        let ((tys, mapped), lanes) = in_lanes(&program, (width, shared));
        let Ok(lanes) = lanes else { return Ok(()) };
        let rows = rows(&tys, &mapped, &program.args(), &choices);
        let silent: Sink = Arc::new(Mutex::new(|_: &str| {}));
        let interpreter = Interpreting::new().printing(silent);
        let engine = Engine::builder(Arc::new(program.module())).executor(interpreter).build();
        let alone: Vec<_> = rows.iter().map(|row| engine.run("main", row.clone())).collect();
        for (set, lanes) in lanes {
            match run(&lanes, &mapped, &rows) {
                Some(found) => {
                    prop_assert_eq!(found.len(), rows.len());
                    for (at, (found, alone)) in found.iter().zip(&alone).enumerate() {
                        let is_like = alone.as_ref().is_ok_and(|alone| alike(alone, found));
                        prop_assert!(is_like, "{set:?}, element {at}: {found:?}, alone {alone:?}");
                    }
                }
                None => prop_assert!(alone.iter().any(Result::is_err), "{set:?}: no element fails alone"),
            }
        }
    }
}

#[test]
fn a_good_part_of_random_programs_runs_in_lanes() {
    let mut runner = TestRunner::deterministic();
    let mut count = 0;
    for _ in 0..300 {
        let program = programs().new_tree(&mut runner).expect("it is drawn").current();
        count += usize::from(in_lanes(&program, (64, 0)).1.is_ok());
    }
    assert!(count >= 30, "{count} of 300 run in lanes");
}

#[test]
fn a_short_branch_that_only_computes_is_a_selection() {
    let program = overdub_context::text::parse(
        "fn @main(%x: f64) -> f64 {
  %c: bool = lt %x, 0.0
  br_if %c, ^a, ^b
^a:
  %y: f64 = neg %x
  br ^c(%y)
^b:
  %z: f64 = div 1.0, %x
  br ^c(%z)
^c(%w: f64):
  ret %w
}",
    )
    .expect("it is IR");
    let main = program.module().func("main".into()).expect("it loads").expect("it is there");
    let lanes = Lanes::new(&main, &[true]).expect("it runs in lanes");
    assert!(!lanes.to_string().contains("block 1"), "{lanes}");
    let numbers = Array::from_vec(vec![-2.0, 0.0, 4.0, f64::NAN]);
    let found = lanes.run(&[Argument::Each(numbers)], 4, &mut |_| false).expect("none fails");
    let found = found[0].as_f64s().expect("they are floats").to_vec();
    assert!(found[..3] == [2.0, f64::INFINITY, 0.25] && found[3].is_nan(), "{found:?}");
}
