//! The interpreter: values, calls, limits, failures, stepping.

use overdub_context::interp::{Interpreter, Limits, Progress};
use overdub_context::ir::{FuncBuilder, Module, Operand, Target, Ty};
use overdub_context::ops::{self, OpDef};
use overdub_context::value::Value;
use overdub_context::{FailureKind, Span, Symbol};

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn op(name: &str) -> &'static OpDef {
    ops::by_name(name).expect("the operation exists")
}

/// `fn @down(n) = if n == 0 { 0.0 } else { down(n - 1) }`
fn down() -> Result<Module, Box<dyn std::error::Error>> {
    let mut build = FuncBuilder::new("down", Ty::f64());
    let n = build.param("n", Ty::i64());
    let (stop, more) = (build.named_block("stop"), build.named_block("more"));
    let done = build.op(op("eq"), [Operand::from(n), Operand::from(0_i64)])?;
    build.br_if(done, Target::new(stop, [] as [Operand; 0]), Target::new(more, [] as [Operand; 0]))?;
    build.switch_to(stop)?;
    build.ret(0.0)?;
    build.switch_to(more)?;
    build.set_span(Span::new(Symbol::new("down.rs"), 7, 3, 4));
    let less = build.op(op("sub"), [Operand::from(n), Operand::from(1_i64)])?;
    let value = build.call("down", [less], Ty::f64())?;
    build.ret(value)?;
    let module = Module::new();
    module.define(build.finish()?);
    Ok(module)
}

#[test]
fn recursion_is_limited_by_the_set_depth_and_not_by_the_machine_stack() -> Outcome {
    let module = down()?;
    let mut interp = Interpreter::new(&module);
    assert_eq!(interp.run("down", vec![Value::from(150_000_i64)])?.as_f64(), Some(0.0));
    let failure = interp.run("down", vec![Value::from(300_000_i64)]).expect_err("it is too deep");
    assert_eq!(failure.kind(), FailureKind::StackLimit);
    assert_eq!(failure.report().span.line, 7);
    assert_eq!(failure.report().stack.len(), 80, "innermost and outermost calls are kept");
    Ok(())
}

#[test]
fn a_deeper_limit_may_be_set() -> Outcome {
    let module = down()?;
    let limits = Limits { depth: Some(1_000_000), ..Limits::default() };
    let mut interp = Interpreter::new(&module).with_limits(limits);
    assert_eq!(interp.run("down", vec![Value::from(500_000_i64)])?.as_f64(), Some(0.0));
    Ok(())
}

#[test]
fn steps_are_limited() -> Outcome {
    let module = down()?;
    let limits = Limits { steps: Some(10), ..Limits::default() };
    let failure = Interpreter::new(&module).with_limits(limits).run("down", vec![Value::from(9_i64)]);
    assert_eq!(failure.expect_err("ten steps do not do").kind(), FailureKind::StepLimit);
    Ok(())
}

/// `fn @grow(n)`: a chain of `n` pairs.
fn grow() -> Result<Module, Box<dyn std::error::Error>> {
    let any = Ty::tuple([Ty::f64(), Ty::f64()]);
    let mut build = FuncBuilder::new("grow", Ty::reference(any));
    let n = build.param("n", Ty::i64());
    let head = build.named_block("head");
    let i = build.block_param(head, Ty::i64());
    let kept = build.block_param(head, Ty::array(any, 1));
    let (body, done) = (build.named_block("body"), build.named_block("done"));
    let first = build.op(op("tuple"), [Operand::from(1.0), Operand::from(2.0)])?;
    let list = build.op_as(op("array"), [first], Ty::array(any, 1))?;
    build.br(head, [Operand::from(0_i64), list.into()])?;
    build.switch_to(head)?;
    let go = build.op(op("lt"), [i, n])?;
    build.br_if(go, Target::new(body, [] as [Operand; 0]), Target::new(done, [] as [Operand; 0]))?;
    build.switch_to(body)?;
    let pair = build.op(op("tuple"), [Operand::from(1.0), Operand::from(2.0)])?;
    let more = build.op(op("push"), [Operand::from(kept), pair.into()])?;
    let j = build.op(op("add"), [Operand::from(i), Operand::from(1_i64)])?;
    build.br(head, [j, more])?;
    build.switch_to(done)?;
    let cell = build.op(op("cell"), [first])?;
    build.ret(cell)?;
    let module = Module::new();
    module.define(build.finish()?);
    Ok(module)
}

#[test]
fn memory_is_limited_by_what_is_alive() -> Outcome {
    let module = grow()?;
    let limits = Limits { memory: Some(1 << 20), ..Limits::default() };
    let mut interp = Interpreter::new(&module).with_limits(limits);
    interp.run("grow", vec![Value::from(1_000_i64)])?;
    let failure = interp.run("grow", vec![Value::from(1_000_000_i64)]).expect_err("a megabyte does not do");
    assert_eq!(failure.kind(), FailureKind::MemoryLimit);
    Ok(())
}

#[test]
fn a_run_can_be_stepped_and_looked_into() -> Outcome {
    let module = down()?;
    let mut interp = Interpreter::new(&module);
    let mut run = interp.start("down", vec![Value::from(2_i64)])?;
    let mut deepest = 0;
    let value = loop {
        deepest = deepest.max(run.frames().count());
        for frame in run.frames() {
            assert_eq!(&*frame.func().name, "down");
            assert!(frame.value(frame.func().params()[0]).is_some());
        }
        if let Progress::Done(value) = run.step()? {
            break value;
        }
    };
    assert_eq!((value.as_f64(), deepest), (Some(0.0), 3));
    assert!(matches!(run.step()?, Progress::Done(Value::Unit)), "an ended run stays ended");
    Ok(())
}

#[test]
fn a_function_defined_again_is_taken_by_callers_that_ran_before() -> Outcome {
    let module = Module::new();
    let constant = |x: f64| {
        let mut build = FuncBuilder::new("constant", Ty::f64());
        build.ret(x)?;
        build.finish()
    };
    let mut build = FuncBuilder::new("caller", Ty::f64());
    let value = build.call("constant", [] as [Operand; 0], Ty::f64())?;
    build.ret(value)?;
    module.define(build.finish()?);
    module.define(constant(1.0)?);
    let mut interp = Interpreter::new(&module);
    assert_eq!(interp.run("caller", vec![])?.as_f64(), Some(1.0));
    module.define(constant(2.0)?);
    assert_eq!(interp.run("caller", vec![])?.as_f64(), Some(2.0));
    Ok(())
}

#[test]
fn calling_what_is_not_there_names_it() -> Outcome {
    let module = Module::new();
    let failure = Interpreter::new(&module).run("nobody", vec![]).expect_err("it is not there");
    assert_eq!(failure.kind(), FailureKind::Load);
    assert!(failure.to_string().contains("@nobody"), "{failure}");
    Ok(())
}

#[test]
fn a_wrong_number_of_arguments_is_a_failure() -> Outcome {
    let module = down()?;
    let failure = Interpreter::new(&module).run("down", vec![]).expect_err("it takes one");
    assert_eq!(failure.kind(), FailureKind::Type);
    Ok(())
}

#[test]
fn a_list_of_a_million_cells_is_dropped_without_the_machine_stack() -> Outcome {
    let mut list = Value::Unit;
    for _ in 0..1_000_000 {
        list = Value::tuple([Value::F64(1.0), list]);
    }
    drop(list);
    Ok(())
}
