//! Passes: bodies that a context rewrites.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use overdub_context::engine::Engine;
use overdub_context::engine::{Body, Context, Interpreting, Key, NeedsHandle, Pass, PassError, ValueOnly};
use overdub_context::ir::{Edit, Func, Inst, InstKind, Operand, Rewriter, TerminatorKind, Ty};
use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind, codes, ops, text};

use crate::programs::{F, engine, float, floats, int, ints};

/// A context that is only a pass.
#[derive(Clone)]
struct ByPass {
    name: &'static str,
    pass: fn(&Body<'_>) -> Result<Pass, PassError>,
}

impl Context for ByPass {
    type Metadata = ();
    type Outcome = ValueOnly;

    fn metadata(&self) {}

    fn name(&self) -> String {
        self.name.to_owned()
    }

    fn key(&self) -> Key {
        Key::of::<ByPass>().with(self.name)
    }

    fn needs_handle(&self) -> NeedsHandle {
        NeedsHandle::No
    }

    fn pass(&self, body: &Body<'_>) -> Result<Pass, PassError> {
        (self.pass)(body)
    }
}

fn by(name: &'static str, pass: fn(&Body<'_>) -> Result<Pass, PassError>) -> ByPass {
    ByPass { name, pass }
}

fn is_used(func: &Func, inst: &Inst) -> bool {
    let by = |operand: &Operand| operand.var() == Some(inst.result);
    func.blocks.iter().any(|body| {
        body.insts.iter().any(|user| user.kind.operands().any(by))
            || body.terminator.iter().any(|end| end.kind.operands().any(by))
    })
}

#[test]
fn p1_a_pass_inserts_a_call_before_each_call() -> Result<(), Failure> {
    let printed = Arc::new(Mutex::new(String::new()));
    let sink = printed.clone();
    let print = move |text: &str| sink.lock().expect("nobody panicked").push_str(text);
    let module = text::parse(F).expect("it is a program").module();
    let engine =
        Engine::builder(module).executor(Interpreting::new().printing(Arc::new(Mutex::new(print)))).build();
    let cx = by("Announce", |body| {
        let announce = |rewriter: &mut Rewriter<'_>, inst: &Inst| {
            let text = match &inst.kind {
                InstKind::Op { op, .. } => op.name,
                _ => "call",
            };
            rewriter.op(&ops::PRINT, [Operand::from(text)])?;
            Ok(Edit::Keep)
        };
        Ok(Pass::Rewrite(Rewriter::edit(body.func(), announce)?))
    });
    assert_eq!(int(&engine.overdub(&cx, "f", ints([1, 2, 3]))?), 7);
    assert_eq!(*printed.lock().expect("nobody panicked"), "muladd");
    Ok(())
}

#[test]
fn p1_a_pass_deletes_each_call_whose_result_is_unused() -> Result<(), Box<dyn std::error::Error>> {
    let text = "
fn @g(%x: f64) -> f64 {
  %a: f64 = sin %x
  %b: f64 = mul %x, 2.0
  ret %b
}
";
    let cx = by("Sweep", |body| {
        let sweep = |_: &mut Rewriter<'_>, inst: &Inst| {
            Ok(if is_used(body.func(), inst) { Edit::Keep } else { Edit::Drop })
        };
        Ok(Pass::Rewrite(Rewriter::edit(body.func(), sweep)?))
    });
    let engine = engine(text);
    assert_eq!(float(&engine.overdub(&cx, "g", floats([3.0]))?), 6.0);
    let func = engine.overdubbed(&cx, "g")?;
    assert_eq!(func.blocks[0].insts.len(), 1, "{func}");
    Ok(())
}

#[test]
fn p1_a_pass_replaces_products_by_sums() -> Result<(), Failure> {
    let text = "fn @product(%a: i64, %b: i64) -> i64 {\n  %p: i64 = mul %a, %b\n  ret %p\n}";
    let cx = by("Sums", |body| {
        let sums = |rewriter: &mut Rewriter<'_>, inst: &Inst| match &inst.kind {
            InstKind::Op { op, args } if op.name == "mul" => {
                Ok(Edit::Replace(rewriter.op(&ops::ADD, args.iter().cloned())?.into()))
            }
            _ => Ok(Edit::Keep),
        };
        Ok(Pass::Rewrite(Rewriter::edit(body.func(), sums)?))
    });
    assert_eq!(int(&engine(text).overdub(&cx, "product", ints([5, 10]))?), 15);
    Ok(())
}

#[test]
fn p1_a_pass_returns_a_whole_new_body() -> Result<(), Failure> {
    let cx = by("Other", |body| {
        let text = "fn @g(%a: i64, %b: i64, %c: i64) -> i64 {\n  ret %c\n}";
        assert_eq!(body.root().as_str(), "f");
        Ok(Pass::Replace(text::parse_func(text).expect("it is a function")))
    });
    assert_eq!(int(&engine(F).overdub(&cx, "f", ints([1, 2, 3]))?), 3);
    Ok(())
}

#[test]
fn p1_of_a_replaced_body_only_overdub_calls_are_under_the_context() -> Result<(), Failure> {
    let text = "
fn @one(%x: f64) -> f64 {
  ret %x
}
fn @two(%x: f64) -> f64 {
  %a: f64 = call @one(%x)
  %b: f64 = call @one(%x)
  %s: f64 = add %a, %b
  ret %s
}
";
    let cx = by("Half", |body| {
        if body.root().as_str() == "one" {
            let text = "fn @one(%x: f64) -> f64 {\n  ret 100.0\n}";
            return Ok(Pass::Replace(text::parse_func(text).expect("it is a function")));
        }
        let mut first = true;
        let mark = |rewriter: &mut Rewriter<'_>, inst: &Inst| match &inst.kind {
            InstKind::Call { callee, args } if std::mem::take(&mut first) => {
                let marked = rewriter.overdub(callee.clone(), args.iter().cloned(), Ty::f64())?;
                Ok(Edit::Replace(marked.into()))
            }
            _ => Ok(Edit::Keep),
        };
        Ok(Pass::Replace(Rewriter::edit(body.func(), mark)?))
    });
    assert_eq!(float(&engine(text).overdub(&cx, "two", floats([1.0]))?), 101.0);
    Ok(())
}

#[test]
fn p1_an_overdub_call_of_a_value_calls_it_under_the_context() -> Result<(), Failure> {
    let text = "
fn @scaled(%k: f64, %x: f64) -> f64 {
  %s: f64 = sin %x
  %y: f64 = mul %k, %s
  ret %y
}
fn @g(%x: f64) -> f64 {
  %c: closure @scaled(f64) = closure 3.0
  %f: fn(f64) -> f64 = erase %c
  %a: f64 = call %c(%x)
  %b: f64 = call %f(%x)
  %s: f64 = add %a, %b
  ret %s
}
";
    let mark: fn(&Body<'_>) -> Result<Pass, PassError> = |body| {
        let cosines = |rewriter: &mut Rewriter<'_>, inst: &Inst| match &inst.kind {
            InstKind::Op { op, args } if op.name == "sin" => {
                Ok(Edit::Replace(rewriter.op(&ops::COS, args.iter().cloned())?.into()))
            }
            InstKind::Call { callee, args } => {
                let marked = rewriter.overdub(callee.clone(), args.iter().cloned(), Ty::f64())?;
                Ok(Edit::Replace(marked.into()))
            }
            _ => Ok(Edit::Keep),
        };
        Ok(Pass::Replace(Rewriter::edit(body.func(), cosines)?))
    };
    let (engine, cos) = (engine(text), 0.5_f64.cos());
    assert_eq!(float(&engine.overdub(&by("Cosines", mark), "g", floats([0.5]))?), 6.0 * cos);

    /// The same pass of a context that carries a handle.
    #[derive(Clone)]
    struct Carrying(fn(&Body<'_>) -> Result<Pass, PassError>);
    impl Context for Carrying {
        type Metadata = ();
        type Outcome = ValueOnly;

        fn metadata(&self) {}
        fn key(&self) -> Key {
            Key::of::<Carrying>()
        }
        fn pass(&self, body: &Body<'_>) -> Result<Pass, PassError> {
            (self.0)(body)
        }
    }
    assert_eq!(float(&engine.overdub(&Carrying(mark), "g", floats([0.5]))?), 6.0 * cos);
    Ok(())
}

#[test]
fn p2_a_pass_sees_the_argument_types_of_each_function_once() -> Result<(), Failure> {
    #[derive(Clone)]
    struct Seen(Arc<Mutex<Vec<String>>>);
    impl Context for Seen {
        type Metadata = ();
        type Outcome = ValueOnly;

        fn metadata(&self) {}
        fn key(&self) -> Key {
            Key::of::<Seen>()
        }
        fn pass(&self, body: &Body<'_>) -> Result<Pass, PassError> {
            let types: Vec<String> = body.args().iter().map(ToString::to_string).collect();
            let line = format!("{}({})", body.root(), types.join(", "));
            self.0.lock().expect("nobody panicked").push(line);
            Ok(Pass::Keep)
        }
    }
    let text = "
fn @int(%n: i64) -> i64 {
  ret %n
}
fn @float(%n: i64, %x: f64) -> f64 {
  %m: i64 = call @int(%n)
  %k: i64 = call @int(%m)
  %y: f64 = cast %k
  ret %y
}
";
    let seen = Seen(Arc::default());
    let engine = engine(text);
    for _ in 0..3 {
        engine.overdub(&seen, "float", vec![Value::from(2_i64), Value::F64(1.0)])?;
    }
    assert_eq!(*seen.0.lock().expect("nobody panicked"), ["float(i64, f64)", "int(i64)"]);
    Ok(())
}

const POW: &str = "
fn @pow(%x: i64, %n: i64) -> i64 {
  br ^loop(%n, 1)
^loop(%i: i64, %acc: i64):
  %go: bool = gt %i, 0
  br_if %go, ^body, ^done
^body:
  %j: i64 = sub %i, 1
  %p: i64 = mul %acc, %x
  br ^loop(%j, %p)
^done:
  ret %acc
}
";

const GCD: &str = "
fn @gcd(%a: i64, %b: i64) -> i64 {
  br ^loop(%a, %b)
^loop(%x: i64, %y: i64):
  %go: bool = ne %y, 0
  br_if %go, ^body, ^done
^body:
  %r: i64 = rem %x, %y
  br ^loop(%y, %r)
^done:
  ret %x
}
";

#[test]
fn p4_a_loop_edited_by_inserting_and_removing_still_runs() -> Result<(), Failure> {
    // Each instruction is copied, and what was there before is left out in favour of the copy.
    let cx = by("Twice", |body| {
        let twice = |rewriter: &mut Rewriter<'_>, inst: &Inst| {
            rewriter.keep_with_new_result(inst)?;
            Ok(Edit::Replace(rewriter.keep_with_new_result(inst)?.into()))
        };
        Ok(Pass::Rewrite(Rewriter::edit(body.func(), twice)?))
    });
    assert_eq!(int(&engine(POW).overdub(&cx, "pow", ints([5, 3]))?), 125);
    assert_eq!(int(&engine(GCD).overdub(&cx, "gcd", ints([85, 391]))?), 17);
    Ok(())
}

fn swaps(vars: &[&str]) -> String {
    let list = |suffix: &str| vars.iter().map(|v| format!("%{v}{suffix}")).collect::<Vec<_>>();
    let params = vars.iter().map(|v| format!("%{v}: i64")).collect::<Vec<_>>().join(", ");
    let block_params = vars.iter().map(|v| format!("%{v}2: i64")).collect::<Vec<_>>().join(", ");
    let inits = list("").join(", ");
    let mut rotated = list("2");
    rotated.rotate_left(1);
    let tuple = vec!["i64"; vars.len()].join(", ");
    format!(
        "fn @swaps({params}, %n: i64) -> ({tuple}) {{
  br ^loop(%n, {inits})
^loop(%i: i64, {block_params}):
  %go: bool = gt %i, 0
  br_if %go, ^body, ^done
^body:
  %j: i64 = sub %i, 1
  br ^loop(%j, {})
^done:
  %t: ({tuple}) = tuple {}
  ret %t
}}",
        rotated.join(", "),
        list("2").join(", ")
    )
}

#[test]
fn p5_swap_loops_swap_under_a_pass() -> Result<(), Failure> {
    let cx = by("Copy", |body| {
        let copy = |_: &mut Rewriter<'_>, _: &Inst| Ok(Edit::Keep);
        Ok(Pass::Rewrite(Rewriter::edit(body.func(), copy)?))
    });
    for (vars, rounds) in [(&["a", "b"][..], 0..=5_i64), (&["a", "b", "c"][..], 0..=6)] {
        let engine = engine(&swaps(vars));
        for n in rounds {
            let mut args: Vec<Value<'static>> = (0_i64..).take(vars.len()).map(Value::from).collect();
            args.push(Value::from(n));
            let value = engine.overdub(&cx, "swaps", args)?;
            let got: Vec<i128> = value.as_composite().expect("a tuple").parts.iter().map(int).collect();
            let mut expected: Vec<i128> = (0..).take(vars.len()).collect();
            expected.rotate_left(usize::try_from(n).expect("it is small") % vars.len());
            assert_eq!(got, expected, "{n} rounds");
        }
    }
    Ok(())
}

#[test]
fn p6_callees_of_every_shape_are_inlined_twice_by_a_pass() -> Result<(), Failure> {
    let text = format!(
        "{POW}
fn @line(%x: i64) -> i64 {{
  %y: i64 = add %x, 1
  ret %y
}}
fn @branch(%x: i64) -> i64 {{
  %neg: bool = lt %x, 0
  br_if %neg, ^minus, ^plus
^minus:
  %m: i64 = neg %x
  ret %m
^plus:
  ret %x
}}
fn @all(%x: i64) -> i64 {{
  %a: i64 = call @line(%x)
  %b: i64 = call @line(%a)
  %c: i64 = call @branch(%b)
  %d: i64 = neg %c
  %e: i64 = call @branch(%d)
  %f: i64 = call @pow(%e, 2)
  %g: i64 = call @pow(%f, 2)
  ret %g
}}"
    );
    let cx = by("Inline", |body| {
        let func = body.func();
        let mut rewriter = Rewriter::new(func);
        for (block, block_body) in func.iter_blocks() {
            rewriter.begin(block)?;
            for inst in &block_body.insts {
                rewriter.set_span(inst.span);
                match &inst.kind {
                    InstKind::Call { callee: overdub_context::ir::Callee::Func(name), args } => {
                        let callee = body.callee(*name)?.expect("it is there");
                        let value = rewriter.inline(&callee, args)?.expect("it returns");
                        rewriter.replace(inst.result, value)?;
                    }
                    _ => rewriter.keep(inst)?,
                }
            }
            rewriter.keep_terminator(block)?;
        }
        Ok(Pass::Rewrite(rewriter.finish()?))
    });
    let engine = engine(&text);
    for x in [-5, -2, 0, 3] {
        let plain = int(&engine.run("all", ints([x]))?);
        assert_eq!(int(&engine.overdub(&cx, "all", ints([x]))?), plain);
    }
    let func = engine.overdubbed(&cx, "all").expect("it was made");
    assert!(!func.to_string().contains("call "), "{func}");
    Ok(())
}

#[test]
fn p7_an_invalid_body_is_refused_naming_pass_function_and_value() {
    let cx = by("Broken", |body| {
        let mut func = Func::clone(body.func());
        let end = func.blocks[0].terminator.as_mut().expect("it ends");
        end.kind = TerminatorKind::Ret(Operand::from(1.5));
        Ok(Pass::Rewrite(func))
    });
    let failure = engine(F).overdub(&cx, "f", ints([1, 2, 3])).expect_err("it returns a float");
    assert_eq!(failure.kind(), FailureKind::Load);
    let text = failure.to_string();
    assert!(text.contains("Broken#0") && text.contains("@f") && text.contains("f64"), "{text}");

    let cx = by("Undefined", |body| {
        let mut func = Func::clone(body.func());
        func.blocks[0].insts.remove(0);
        Ok(Pass::Rewrite(func))
    });
    let text = engine(F).overdub(&cx, "f", ints([1, 2, 3])).expect_err("`%p` is gone").to_string();
    assert!(text.contains("Undefined#0") && text.contains("@f") && text.contains("%p"), "{text}");
}

#[test]
fn a_pass_that_has_no_body_to_give_says_why() {
    let cx = by("Refuses", |body| {
        let span = body.func().span;
        Err(PassError { code: codes::CONTEXT, message: "loops are too much".to_owned(), span, help: None })
    });
    let failure = engine(POW).overdub(&cx, "pow", ints([5, 3])).expect_err("it refuses");
    assert!(failure.to_string().contains("loops are too much"), "{failure}");
}

#[test]
fn a_pass_that_refused_is_asked_again_only_after_a_definition() {
    static ASKED: AtomicUsize = AtomicUsize::new(0);
    let cx = by("RefusesOnce", |body| {
        let span = body.func().span;
        ASKED.fetch_add(1, Ordering::Relaxed);
        Err(PassError { code: codes::CONTEXT, message: "loops are too much".to_owned(), span, help: None })
    });
    let engine = engine(F);
    let refused = || engine.overdub(&cx, "f", ints([1, 2, 3])).expect_err("it refuses").to_string();
    assert_eq!(refused(), refused());
    assert_eq!(ASKED.load(Ordering::Relaxed), 1);
    let again = "fn @other(%a: i64) -> i64 {\n  ret %a\n}";
    engine.program().define(text::parse_func(again).expect("it is a function"));
    assert!(refused().contains("loops are too much"));
    assert_eq!(ASKED.load(Ordering::Relaxed), 2);
}
