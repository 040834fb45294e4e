//! Each invariant is reported where it is broken, and nothing else is.

use overdub_context::Symbol;
use overdub_context::ir::{
    Block, BlockBody, Callee, Case, Const, Func, FuncBuilder, Inst, InstKind, Module, Operand, Position,
    Target, Terminator, TerminatorKind, Ty, Var, VarDef,
};
use overdub_context::ops;
use overdub_context::value::Value;
use overdub_context::verify::{Invariant, verify, verify_in};

const NOTHING: [Operand; 0] = [];

/// `^0(%x, %go): %sum = add %x, 1.0; br_if %go, ^then(%sum), ^done(%x)`, `^then(%y): br ^done(%y)`,
/// `^done(%z): ret %z`
fn sound() -> Func {
    let mut build = FuncBuilder::new("f", Ty::f64());
    let x = build.param("x", Ty::f64());
    let go = build.param("go", Ty::bool());
    let (then, done) = (build.named_block("then"), build.named_block("done"));
    let y = build.block_param(then, Ty::f64());
    let z = build.block_param(done, Ty::f64());
    let sum = build.op(ops::by_name("add").unwrap(), [x.into(), Operand::from(1.0)]).unwrap();
    build.br_if(go, Target::new(then, [sum]), Target::new(done, [x])).unwrap();
    build.switch_to(then).unwrap();
    build.br(done, [y]).unwrap();
    build.switch_to(done).unwrap();
    build.ret(z).unwrap();
    build.finish().unwrap()
}

const X: Var = Var(0);
const GO: Var = Var(1);
const SUM: Var = Var(2);
const Y: Var = Var(3);
const THEN: Block = Block(1);
const DONE: Block = Block(2);

fn end(func: &mut Func, block: Block) -> &mut TerminatorKind {
    &mut func.blocks[block.index()].terminator.as_mut().unwrap().kind
}

fn push(func: &mut Func, block: Block, kind: InstKind, ty: Ty) -> Var {
    let result = Var(func.vars.len() as u32);
    func.vars.push(VarDef { ty, name: None });
    func.blocks[block.index()].insts.push(Inst { result, kind, span: func.span });
    result
}

/// Every fault as `V1 at Head: message`.
fn faults(change: impl FnOnce(&mut Func)) -> Vec<String> {
    let mut func = sound();
    change(&mut func);
    let error = verify(&func).expect_err("the change breaks the function");
    error.faults.iter().map(|f| format!("{} at {:?}: {}", f.invariant, f.place, f.message)).collect()
}

#[test]
fn a_sound_function_has_no_fault() {
    assert!(verify(&sound()).is_ok());
}

#[test]
fn v1_a_variable_defined_twice() {
    let found = faults(|func| func.blocks[1].params.push(X));
    assert!(found.contains(&"V1 at Block(^1): `%x` is defined a second time".to_owned()), "{found:?}");
}

#[test]
fn v1_a_use_that_its_definition_does_not_dominate() {
    let found = faults(|func| *end(func, DONE) = TerminatorKind::Ret(Y.into()));
    assert_eq!(
        found,
        ["V1 at Terminator(^2): `%3` is not defined on every way to here: its definition is in `^then`"]
    );
}

#[test]
fn v1_a_use_before_the_definition_and_one_without() {
    let found = faults(|func| {
        *func.blocks[0].insts[0].kind.operands_mut().next().unwrap() = SUM.into();
    });
    assert_eq!(found, ["V1 at Inst(^0, 0): `%2` is used before it is defined"]);
    let found = faults(|func| {
        func.vars.push(VarDef { ty: Ty::f64(), name: None });
        *end(func, DONE) = TerminatorKind::Ret(Var(5).into());
    });
    assert_eq!(found, ["V1 at Terminator(^2): nothing defines `%5`"]);
}

#[test]
fn v2_an_operation_of_wrong_operands_and_of_a_wrong_result() {
    let found = faults(|func| {
        *func.blocks[0].insts[0].kind.operands_mut().next().unwrap() = GO.into();
    });
    assert_eq!(found.len(), 1);
    assert!(found[0].starts_with("V2 at Inst(^0, 0): `add` takes "), "{found:?}");
    assert!(found[0].ends_with(", got `bool`, `f64`"), "{found:?}");
    let add = ops::by_name("add").unwrap();
    let found = faults(|func| {
        push(func, DONE, InstKind::Op { op: add, args: vec![X.into()] }, Ty::f64());
    });
    assert_eq!(found, ["V2 at Inst(^2, 0): `add` takes 2 operands, got 1"]);
}

#[test]
fn v3_a_block_without_a_terminator() {
    let found = faults(|func| func.blocks[2].terminator = None);
    assert_eq!(found, ["V3 at Block(^2): block `^done` does not end in a terminator"]);
}

#[test]
fn v4_a_block_that_cannot_be_reached() {
    let found = faults(|func| {
        let terminator =
            Some(Terminator { kind: TerminatorKind::Br(Target::new(DONE, [X])), span: func.span });
        func.blocks.push(BlockBody { name: None, params: Vec::new(), insts: Vec::new(), terminator });
    });
    assert_eq!(found, ["V4 at Block(^3): block `^3` cannot be reached from the entry"]);
}

#[test]
fn v5_no_entry_and_a_branch_to_it() {
    let found = faults(|func| func.blocks.clear());
    assert_eq!(found, ["V5 at Head: the function has no entry block"]);
    let found = faults(|func| *end(func, THEN) = TerminatorKind::Br(Target::new(Block::ENTRY, [X, GO])));
    assert_eq!(found, ["V5 at Terminator(^1): a branch goes to the entry block `^0`"]);
}

#[test]
fn v6_too_few_and_wrong_block_arguments() {
    let found = faults(|func| *end(func, THEN) = TerminatorKind::Br(DONE.into()));
    assert_eq!(found, ["V6 at Terminator(^1): block `^done` takes `f64`, got nothing"]);
    let found = faults(|func| *end(func, THEN) = TerminatorKind::Br(Target::new(DONE, [GO])));
    assert_eq!(found, ["V6 at Terminator(^1): block `^done` takes `f64`, got `bool`"]);
}

#[test]
fn v7_a_call_is_checked_against_itself_and_the_module() {
    let call =
        |callee: &str| InstKind::Call { callee: Callee::Func(Symbol::new(callee)), args: vec![X.into()] };
    let found = faults(|func| {
        push(func, DONE, call("f"), Ty::f64());
    });
    assert_eq!(found, ["V7 at Inst(^2, 0): `@f` takes `f64`, `bool`, got `f64`"]);
    let mut func = sound();
    push(&mut func, DONE, call("g"), Ty::f64());
    assert!(verify(&func).is_ok(), "what is not known is not checked");
    let mut callee = FuncBuilder::new("g", Ty::bool());
    callee.param("x", Ty::f64());
    callee.ret(true).unwrap();
    let module = Module::new();
    module.define(callee.finish().unwrap());
    let error = verify_in(&func, &module).unwrap_err();
    assert_eq!(error.faults[0].message, "`@g` returns `bool`, declared as `f64`");
    assert_eq!(error.faults[0].invariant, Invariant::V7);
}

#[test]
fn v8_the_code_of_a_closure_takes_what_it_captured_first() {
    let found = faults(|func| {
        func.vars.push(VarDef { ty: Ty::closure(Symbol::new("f"), [Ty::bool()]), name: None });
        func.blocks[0].params.push(Var(5));
    });
    assert!(
        found.iter().any(|fault| fault.starts_with("V8 at Head: the closure's code `@f` takes ")),
        "{found:?}"
    );
}

#[test]
fn v8_an_erased_closure_keeps_its_type() {
    let found = faults(|func| {
        func.vars.push(VarDef { ty: Ty::closure(Symbol::new("f"), [Ty::f64()]), name: None });
        func.blocks[0].params.push(Var(5));
        let erase = InstKind::Op { op: &ops::ERASE, args: vec![Var(5).into()] };
        push(func, Block::ENTRY, erase, Ty::func([Ty::f64()], Ty::f64()));
    });
    let expected = "V8 at Inst(^0, 1): the closure `closure @f(f64)` is a `fn(bool, closure @f(f64)) -> f64`, \
                    declared as `fn(f64) -> f64`";
    assert!(found.contains(&expected.to_owned()), "{found:?}");
}

#[test]
fn v9_what_terminators_decide_by() {
    let found = faults(|func| {
        let TerminatorKind::BrIf { cond, .. } = end(func, Block::ENTRY) else { panic!("a `br_if`") };
        *cond = X.into();
    });
    assert_eq!(found, ["V9 at Terminator(^0): `br_if` takes a `bool`, got `f64`"]);
    let found = faults(|func| *end(func, DONE) = TerminatorKind::Fail(X.into()));
    assert_eq!(found, ["V9 at Terminator(^2): `fail` takes a `str`, got `f64`"]);
}

#[test]
fn v10_cases_differ_occur_and_are_complete() {
    let cases = |values: &[i128]| {
        let target = Target::new(DONE, [X]);
        values.iter().map(|&value| Case { value, target: target.clone() }).collect::<Vec<_>>()
    };
    let switch = |on: Ty, values: &[i128], otherwise: Option<Target>| {
        let mut build = FuncBuilder::new("s", Ty::unit());
        let on = build.param("on", on);
        let cases = cases(values).into_iter();
        let done = build.new_block();
        let cases = cases.map(|case| Case { target: done.into(), ..case }).collect();
        build.switch(on, cases, otherwise.map(|_| done.into())).unwrap();
        build.switch_to(done).unwrap();
        build.ret(Operand::unit()).unwrap();
        let error = verify(&build.finish().unwrap()).err();
        error.map(|error| error.faults.iter().map(|f| format!("{}: {}", f.invariant, f.message)).collect())
    };
    let other = Some(Target::new(DONE, NOTHING));
    let found = |list: [&str; 1]| Some(list.map(String::from).to_vec());
    assert_eq!(switch(Ty::u8(), &[0, 255], other.clone()), None);
    assert_eq!(switch(Ty::u8(), &[0, 0], other.clone()), found(["V10: `switch` has two cases `0`"]));
    assert_eq!(switch(Ty::u8(), &[256], other), found(["V10: the case `256` does not occur in `u8`"]));
    let no_else = found(["V10: `switch` lacks `else`, which every type but an enum needs"]);
    assert_eq!(switch(Ty::u8(), &[0, 1], None), no_else);
    assert_eq!(switch(Ty::ordering(), &[0, 1, 2], None), None);
    assert_eq!(switch(Ty::ordering(), &[0, 2], None), found(["V10: `switch` lacks the variant `Equal`"]));
}

#[test]
fn v11_the_result_has_the_type_that_the_function_says() {
    let found = faults(|func| *end(func, DONE) = TerminatorKind::Ret(GO.into()));
    assert_eq!(found, ["V11 at Terminator(^2): the function returns `f64`, got `bool`"]);
}

#[test]
fn v12_constants_are_scalar_in_place_and_typed_elsewhere() {
    let floats = Const::new(Value::floats(vec![1.0])).unwrap();
    let found = faults(|func| {
        push(func, DONE, InstKind::Const(floats.clone()), Ty::f64());
    });
    assert_eq!(found, ["V12 at Inst(^2, 0): the constant is a `[f64]`, declared as `f64`"]);
    let found = faults(|func| {
        *end(func, DONE) = TerminatorKind::Ret(Operand::Const(floats));
    });
    assert!(found[0].starts_with("V12 at Terminator(^2): an operand is a variable or a scalar"), "{found:?}");
}

#[test]
fn v13_labels_differ_also_from_numbers() {
    let found = faults(|func| func.vars[X.index()].name = Some(Symbol::new("2")));
    assert_eq!(found, ["V13 at Inst(^0, 0): two variables are called `%2`"]);
    let found = faults(|func| func.blocks[1].name = func.blocks[2].name);
    assert_eq!(found, ["V13 at Block(^2): two blocks are called `^done`"]);
}

#[test]
fn v14_what_does_not_belong_to_the_function_is_all_that_is_reported() {
    let found = faults(|func| {
        *end(func, DONE) = TerminatorKind::Ret(Var(99).into());
        *end(func, THEN) = TerminatorKind::Br(Block(99).into());
    });
    assert_eq!(
        found,
        [
            "V14 at Terminator(^1): the block `^99` does not belong to the function",
            "V14 at Terminator(^2): the variable `%99` does not belong to the function",
        ]
    );
}

#[test]
fn faults_come_in_the_order_of_their_places() {
    let mut func = sound();
    *end(&mut func, DONE) = TerminatorKind::Ret(GO.into());
    func.blocks[0].params.push(X);
    func.blocks[1].terminator = None;
    let error = verify(&func).unwrap_err();
    let places: Vec<Position> = error.faults.iter().map(|fault| fault.place).collect();
    assert_eq!(places, [Position::Head, Position::Block(THEN), Position::Terminator(DONE)]);
}

#[test]
fn the_error_prints_the_function_with_each_fault_under_its_line() {
    let mut func = sound();
    *end(&mut func, DONE) = TerminatorKind::Ret(GO.into());
    *func.blocks[0].insts[0].kind.operands_mut().next().unwrap() = SUM.into();
    let expected = "\
the function `@f` is not well formed
fn @f(%x: f64, %go: bool) -> f64 {
  %2: f64 = add %2, 1.0
  ^^^^^^^^^^^^^^^^^^^^^ `%2` is used before it is defined (V1)
  br_if %go, ^then(%2), ^done(%x)
^then(%3: f64):
  br ^done(%3)
^done(%4: f64):
  ret %go
  ^^^^^^^ the function returns `f64`, got `bool` (V11)
}
";
    assert_eq!(verify(&func).unwrap_err().to_string(), expected);
}
