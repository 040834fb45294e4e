//! `mem2reg` preserves results and failures of random programs with references into arrays.

use std::fmt::Write;

use overdub_context::Failure;
use overdub_context::interp::Interpreter;
use overdub_context::ir::{InstKind, Module};
use overdub_context::text;
use overdub_context::value::Value;
use overdub_context::verify::verify_module;
use overdub_passes::{Pipeline, Scope, by_name};
use proptest::prelude::*;

/// A step of a program: an operation, and the reference it operates on.
type Step = (u8, u8, u8, u8);

/// The referent of a reference.
#[derive(Clone, Copy, PartialEq)]
enum Target {
    Rows,
    Row,
    Number,
}

/// `@f` executes the steps on a cell that holds its argument, rows of three numbers each, in a loop of two iterations; it
/// returns the final content of the cell and the sum of all reads.
///
/// The referents of references keep their lengths, as Rust's borrows guarantee.
fn program(steps: &[Step]) -> String {
    let mut body = String::new();
    let mut refs = vec![("r".to_owned(), Target::Rows)];
    let mut sum = "total".to_owned();
    for (n, &(kind, which, i, j)) in steps.iter().enumerate() {
        let (name, target) = refs[usize::from(which) % refs.len()].clone();
        let (i, j) = (i % 4, j % 4);
        match (kind % 6, target) {
            (0 | 1, Target::Rows) => {
                writeln!(body, "  %e{n}: ref [f64] = ref.elem %{name}, {i}_usize").expect("it is a string");
                refs.push((format!("e{n}"), Target::Row));
            }
            (2, Target::Rows) => {
                writeln!(body, "  %e{n}: ref [[f64]] = ref.slice %{name}, {i}_usize, {j}_usize")
                    .expect("it is a string");
                refs.push((format!("e{n}"), Target::Rows));
            }
            (0..=2, Target::Row) if kind % 2 == 0 => {
                writeln!(body, "  %e{n}: ref [f64] = ref.slice %{name}, {i}_usize, {j}_usize")
                    .expect("it is a string");
                refs.push((format!("e{n}"), Target::Row));
            }
            (0..=2, Target::Row) => {
                // Another element in the second iteration.
                writeln!(body, "  %k{n}: usize = add %round, {i}_usize").expect("it is a string");
                writeln!(body, "  %e{n}: ref f64 = ref.elem %{name}, %k{n}").expect("it is a string");
                refs.push((format!("e{n}"), Target::Number));
            }
            (3, Target::Rows | Target::Row) => {
                writeln!(body, "  %l{n}: usize = ref.len %{name}").expect("it is a string");
                writeln!(body, "  %x{n}: f64 = cast %l{n}").expect("it is a string");
                writeln!(body, "  %s{n}: f64 = add %{sum}, %x{n}").expect("it is a string");
                sum = format!("s{n}");
            }
            (_, Target::Rows | Target::Row) => {}
            (0 | 1, Target::Number) => {
                let take = if kind % 2 == 0 { "get" } else { "take" };
                writeln!(body, "  %x{n}: f64 = ref.{take} %{name}").expect("it is a string");
                writeln!(body, "  %s{n}: f64 = add %{sum}, %x{n}").expect("it is a string");
                sum = format!("s{n}");
            }
            (_, Target::Number) => {
                writeln!(body, "  %y{n}: f64 = add %{sum}, {i}.5").expect("it is a string");
                writeln!(body, "  %u{n}: unit = ref.set %{name}, %y{n}").expect("it is a string");
            }
        }
    }
    format!(
        "fn @f(%m: [[f64]]) -> ([[f64]], f64) {{
  %r: ref [[f64]] = cell %m
  br ^loop(0_usize, 0.0)
^loop(%round: usize, %total: f64):
  %go: bool = lt %round, 2_usize
  br_if %go, ^body, ^done
^body:
{body}  %next: usize = add %round, 1_usize
  br ^loop(%next, %{sum})
^done:
  %all: [[f64]] = ref.take %r
  %result: ([[f64]], f64) = tuple %all, %total
  ret %result
}}
"
    )
}

fn rows() -> Value<'static> {
    let row = |k: f64| Value::floats(vec![k, k + 1.0, k + 2.0]);
    let elem = overdub_context::ir::Ty::array(overdub_context::ir::Ty::f64(), 1);
    let rows = overdub_context::value::Array::from_values(elem, [1.0, 10.0, 100.0].map(row));
    Value::from(rows.expect("they are rows"))
}

fn run(module: &Module) -> Result<Value<'static>, Failure> {
    Interpreter::new(module).run("f", vec![rows()]).map(Value::into_owned)
}

proptest! {
    #![proptest_config(overdub_context::testing::cases(512))]

    #[test]
    fn what_is_done_by_references_into_a_cell_is_done_to_the_value(
        steps in prop::collection::vec(any::<Step>(), 1..12)
    ) {
        let text = program(&steps);
        let module = text::parse(&text).unwrap_or_else(|errors| panic!("{errors}\n{text}")).module();
        let func = module.defined("f".into()).expect("it is there");
        let mem2reg = Pipeline::once(by_name("mem2reg"));
        for (name, pipeline) in [("mem2reg", mem2reg), ("all", Pipeline::optimising())] {
            let after = Module::new();
            after.define(pipeline.run(&func, &Scope::none()));
            let shown = after.defined("f".into()).expect("it is there").to_string();
            prop_assert!(verify_module(&after).is_ok(), "{}\n{}", name, shown);
            prop_assert!(!shown.contains("= cell"), "the cell is private\n{}", shown);
            match (run(&module), run(&after)) {
                (Ok(before), Ok(after)) => prop_assert!(before.same(&after), "{name}: {before} became {after}\n{shown}"),
                (Err(before), Err(after)) => prop_assert_eq!(before.report(), after.report(), "{}\n{}", name, shown),
                (before, after) => prop_assert!(false, "{name}: {before:?} became {after:?}\n{text}\n{shown}"),
            }
        }
    }
}

#[test]
fn such_a_program_makes_references_of_every_kind() {
    let text = program(&[(0, 0, 1, 0), (1, 1, 1, 0), (2, 2, 3, 0), (0, 2, 0, 0), (2, 1, 0, 2), (3, 3, 0, 0)]);
    let module = text::parse(&text).unwrap_or_else(|errors| panic!("{errors}\n{text}")).module();
    let func = module.defined("f".into()).expect("it is there");
    let made = func.blocks.iter().flat_map(|body| &body.insts);
    let refs =
        made.filter(|inst| matches!(&inst.kind, InstKind::Op { op, .. } if op.name.starts_with("ref.")));
    assert_eq!(refs.count(), 7, "{text}");
    assert_eq!(
        run(&module).expect("it runs").to_string(),
        "([[1.0, 2.0, 3.0], [10.0, 3.5, 9.0], [100.0, 101.0, 102.0]], 16.5)"
    );
}
