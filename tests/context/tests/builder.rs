//! What the builder makes of appended instructions, and what it refuses.

use overdub_context::ir::{Block, BuildError, BuildFault, Case, Func, FuncBuilder, Operand, Ty, Var};
use overdub_context::ops::{Arity, Effects, OpDef, TypeFault};
use overdub_context::ssa::SsaBuilder;

/// `both(a, a) -> a`, so that no test depends on the engine's own operations.
static BOTH: OpDef = OpDef {
    name: "both",
    arity: Arity::Exactly(2),
    ty: |tys| match *tys.args {
        [a, b] if a == b => Ok(a),
        _ => Err(TypeFault::takes("two operands of one type")),
    },
    effects: Effects::PURE,
    eval: |_, args| Ok(args[0].take()),
    doc: "",
};

const NOTHING: [Operand; 0] = [];

fn labels(func: &Func) -> Vec<String> {
    (0..func.vars.len() as u32).map(|var| func.var_label(Var(var)).to_string()).collect()
}

#[test]
fn a_type_error_names_the_operation_what_it_takes_and_what_it_got() {
    let mut build = FuncBuilder::new("f", Ty::f64());
    let x = build.param("x", Ty::f64());
    let error = build.op(&BOTH, [x.into(), Operand::from(true)]).unwrap_err();
    assert_eq!(error.to_string(), "`both` takes two operands of one type, got `f64`, `bool`");
    let error = build.op(&BOTH, [x]).unwrap_err();
    assert_eq!(error.to_string(), "`both` takes 2 operands, got 1");
    let error = build.op_as(&BOTH, [x, x], Ty::bool()).unwrap_err();
    assert_eq!(error.to_string(), "`both` of `f64`, `f64` gives `f64`, declared as `bool`");
}

#[test]
fn a_condition_is_a_bool_and_a_result_is_what_the_function_says() {
    let mut build = FuncBuilder::new("f", Ty::f64());
    let x = build.param("x", Ty::f64());
    let next = build.new_block();
    let error = build.br_if(x, next.into(), next.into()).unwrap_err();
    assert_eq!(error.to_string(), "`br_if` takes a `bool`, got `f64`");
    assert_eq!(build.ret(true).unwrap_err().to_string(), "the function returns `f64`, got `bool`");
}

#[test]
fn a_function_value_is_called_with_what_it_takes() {
    let mut build = FuncBuilder::new("f", Ty::f64());
    let g = build.param("g", Ty::func([Ty::f64()], Ty::f64()));
    let error = build.call_value(g, [true], Ty::f64()).unwrap_err();
    assert_eq!(error.to_string(), "`%g` takes `f64`, got `bool`");
    let error = build.call_value(g, [1.0], Ty::bool()).unwrap_err();
    assert_eq!(error.to_string(), "`%g` returns `f64`, declared as `bool`");
    let error = build.call_value(1.0, [1.0], Ty::bool()).unwrap_err();
    assert_eq!(error.to_string(), "a call takes a closure or function value, got `f64`");
}

#[test]
fn branch_arguments_are_checked_when_the_function_is_finished() {
    let mut build = FuncBuilder::new("f", Ty::unit());
    let next = build.named_block("next");
    build.br(next, [1.0]).unwrap();
    build.switch_to(next).unwrap();
    build.ret(Operand::unit()).unwrap();
    assert_eq!(build.finish().unwrap_err().to_string(), "block `^next` takes nothing, got `f64`");
}

#[test]
fn a_block_without_a_terminator_is_refused_and_one_that_has_it_is_closed() {
    let mut build = FuncBuilder::new("f", Ty::f64());
    assert_eq!(build.clone().finish().unwrap_err().to_string(), "block `^0` does not end in a terminator");
    build.ret(1.0).unwrap();
    assert!(matches!(*build.ret(1.0).unwrap_err().cause, BuildFault::NoOpenBlock));
    let error = build.switch_to(Block::ENTRY).unwrap_err();
    assert!(matches!(*error.cause, BuildFault::Terminated(_)));
}

#[test]
fn names_wanted_twice_are_told_apart() {
    let mut build = FuncBuilder::new("f", Ty::f64());
    let x = build.param("x", Ty::f64());
    let mut last = x;
    for _ in 0..3 {
        last = build.op(&BOTH, [last, x]).unwrap();
        build.name_var(last, "x");
    }
    let four = build.op(&BOTH, [last, x]).unwrap();
    build.name_var(four, "5");
    let five = build.op(&BOTH, [four, x]).unwrap();
    build.ret(five).unwrap();
    assert_eq!(labels(&build.finish().unwrap()), ["x", "x.1", "x.2", "x.3", "5.1", "5"]);
}

#[test]
fn blocks_that_cannot_be_reached_are_left_out() {
    let mut build = FuncBuilder::new("f", Ty::f64());
    let (dead, live) = (build.new_block(), build.new_block());
    build.br(live, NOTHING).unwrap();
    build.switch_to(dead).unwrap();
    build.br(live, NOTHING).unwrap();
    build.switch_to(live).unwrap();
    build.ret(1.0).unwrap();
    assert_eq!(build.finish().unwrap().blocks.len(), 2);
}

/// `i` and `x` change in the loop, `y` does not.
fn ssa_loop() -> Result<Func, BuildError> {
    let mut build = SsaBuilder::new(FuncBuilder::new("f", Ty::f64()));
    let go = build.param("go", Ty::bool());
    let [x, y] = ["x", "y"].map(|name| build.declare_variable(Ty::f64(), Some(name)));
    build.write_variable(x, 1.0)?;
    let start = build.op(&BOTH, [2.0, 3.0])?;
    build.write_variable(y, start)?;
    let [head, body, done] = ["head", "body", "done"].map(|name| build.named_block(name));
    build.br(head, NOTHING)?;
    build.switch_to(head)?;
    build.br_if(go, body.into(), done.into())?;
    build.switch_to(body)?;
    build.seal_block(body);
    let (old, step) = (build.read_variable(x)?, build.read_variable(y)?);
    let new = build.op(&BOTH, [old, step])?;
    build.write_variable(x, new)?;
    build.br(head, NOTHING)?;
    build.seal_block(head);
    build.switch_to(done)?;
    build.seal_block(done);
    let (x, y) = (build.read_variable(x)?, build.read_variable(y)?);
    let both = build.op(&BOTH, [x, y])?;
    build.ret(both)?;
    build.finish()
}

#[test]
fn only_variables_that_a_loop_changes_become_block_parameters() {
    let func = ssa_loop().unwrap();
    let [_, head, body, done] = &func.blocks[..] else { panic!("four blocks") };
    assert_eq!(head.params.len(), 1);
    assert_eq!(func.var_label(head.params[0]).to_string(), "x");
    assert!(body.params.is_empty() && done.params.is_empty());
}

#[test]
fn swapped_variables_are_two_block_parameters_handed_over_crosswise() {
    let swap = || -> Result<Func, BuildError> {
        let mut build = SsaBuilder::new(FuncBuilder::new("f", Ty::f64()));
        let go = build.param("go", Ty::bool());
        let [a, b] = ["a", "b"].map(|name| build.declare_variable(Ty::f64(), Some(name)));
        build.write_variable(a, 1.0)?;
        build.write_variable(b, 2.0)?;
        let [head, body, done] = ["head", "body", "done"].map(|name| build.named_block(name));
        build.br(head, NOTHING)?;
        build.switch_to(head)?;
        build.br_if(go, body.into(), done.into())?;
        build.switch_to(body)?;
        let (was_a, was_b) = (build.read_variable(a)?, build.read_variable(b)?);
        build.write_variable(a, was_b)?;
        build.write_variable(b, was_a)?;
        build.br(head, NOTHING)?;
        build.switch_to(done)?;
        let a = build.read_variable(a)?;
        build.ret(a)?;
        build.finish()
    };
    let func = swap().unwrap();
    let [_, head, body, _] = &func.blocks[..] else { panic!("four blocks") };
    let back = body.terminator.as_ref().unwrap().kind.targets().next().unwrap();
    let crossed: Vec<Operand> = head.params.iter().rev().map(|&param| param.into()).collect();
    assert_eq!((head.params.len(), &back.args), (2, &crossed));
}

#[test]
fn every_arm_of_a_switch_hands_over_its_value() {
    let switch = || -> Result<Func, BuildError> {
        let mut build = SsaBuilder::new(FuncBuilder::new("f", Ty::f64()));
        let n = build.param("n", Ty::i64());
        let x = build.declare_variable(Ty::f64(), Some("x"));
        build.write_variable(x, 0.0)?;
        let done = build.named_block("done");
        let arms: Vec<Block> = (0..3).map(|_| build.new_block()).collect();
        let cases = (0..).zip(&arms).map(|(value, &arm)| Case { value, target: arm.into() }).collect();
        build.switch(n, cases, Some(done.into()))?;
        for (i, arm) in arms.into_iter().enumerate() {
            build.switch_to(arm)?;
            build.write_variable(x, i as f64 + 1.0)?;
            build.br(done, NOTHING)?;
        }
        build.switch_to(done)?;
        let x = build.read_variable(x)?;
        build.ret(x)?;
        build.finish()
    };
    let func = switch().unwrap();
    let mut handed: Vec<Operand> = func
        .iter_blocks()
        .flat_map(|(_, body)| body.terminator.as_ref().unwrap().kind.targets())
        .flat_map(|target| target.args.clone())
        .collect();
    handed.sort_by_key(|operand| format!("{operand:?}"));
    assert_eq!(handed, [0.0, 1.0, 2.0, 3.0].map(Operand::from));
}

#[test]
fn a_variable_read_through_a_hundred_thousand_blocks_does_not_recurse() {
    let mut build = SsaBuilder::new(FuncBuilder::new("f", Ty::f64()));
    let go = build.param("go", Ty::bool());
    let x = build.declare_variable(Ty::f64(), None);
    build.write_variable(x, 1.0).unwrap();
    for _ in 0..100_000 {
        let (next, other) = (build.new_block(), build.new_block());
        build.br_if(go, next.into(), other.into()).unwrap();
        build.switch_to(other).unwrap();
        build.seal_block(other);
        build.br(next, NOTHING).unwrap();
        build.switch_to(next).unwrap();
        build.seal_block(next);
    }
    let read = build.read_variable(x).unwrap();
    build.ret(read).unwrap();
    let func = build.finish().unwrap();
    assert!(func.blocks[1..].iter().all(|body| body.params.is_empty()));
}

#[test]
fn a_variable_that_nothing_wrote_is_refused_where_it_can_be_reached() {
    let mut build = SsaBuilder::new(FuncBuilder::new("f", Ty::f64()));
    let x = build.declare_variable(Ty::f64(), Some("x"));
    let dead = build.new_block();
    build.ret(1.0).unwrap();
    build.switch_to(dead).unwrap();
    build.seal_block(dead);
    let read = build.read_variable(x).unwrap();
    build.ret(read).unwrap();
    assert_eq!(build.finish().unwrap().blocks.len(), 1);

    let mut build = SsaBuilder::new(FuncBuilder::new("f", Ty::f64()));
    let x = build.declare_variable(Ty::f64(), Some("x"));
    let read = build.read_variable(x).unwrap();
    build.ret(read).unwrap();
    assert_eq!(build.finish().unwrap_err().to_string(), "`%x` is used but nothing defines it");
}

#[test]
fn a_branch_to_a_sealed_block_is_refused() {
    let mut build = SsaBuilder::new(FuncBuilder::new("f", Ty::f64()));
    let go = build.param("go", Ty::bool());
    let late = build.named_block("late");
    let other = build.new_block();
    build.br_if(go, late.into(), other.into()).unwrap();
    build.seal_block(late);
    build.switch_to(other).unwrap();
    build.br(late, NOTHING).unwrap();
    build.switch_to(late).unwrap();
    build.ret(1.0).unwrap();
    let message = "a branch was added to block `^late` after it was sealed";
    assert_eq!(build.finish().unwrap_err().to_string(), message);
}
