//! What a copy keeps, changes and refuses.

use overdub_context::interp::Interpreter;
use overdub_context::ir::{
    Block, Edit, Func, FuncBuilder, Inst, InstKind, Module, Operand, Rewriter, Target, TerminatorKind, Ty,
    Var,
};
use overdub_context::ops::{self, OpDef};
use overdub_context::value::Value;
use overdub_context::verify::verify;

const NOTHING: [Operand; 0] = [];

fn op(name: &str) -> &'static OpDef {
    ops::by_name(name).unwrap()
}

fn is(inst: &Inst, name: &str) -> bool {
    matches!(&inst.kind, InstKind::Op { op, .. } if op.name == name)
}

fn run(func: Func, args: &[f64]) -> f64 {
    verify(&func).unwrap();
    let module = Module::new();
    let name = func.name;
    module.define(func);
    let args = args.iter().map(|&x| Value::F64(x)).collect();
    Interpreter::new(&module).run(name, args).unwrap().as_f64().unwrap()
}

fn labels(func: &Func) -> Vec<String> {
    (0..func.vars.len() as u32).map(|var| func.var_label(Var(var)).to_string()).collect()
}

/// `x * x + x`, as three instructions of which one is not needed.
fn polynomial() -> Func {
    let mut build = FuncBuilder::new("f", Ty::f64());
    let x = build.param("x", Ty::f64());
    let square = build.op(op("mul"), [x, x]).unwrap();
    build.op(op("neg"), [x]).unwrap();
    let sum = build.op(op("add"), [square, x]).unwrap();
    build.ret(sum).unwrap();
    build.finish().unwrap()
}

/// `|x|`, with two returns.
fn absolute() -> Func {
    let mut build = FuncBuilder::new("absolute", Ty::f64());
    let x = build.param("x", Ty::f64());
    let (minus, plus) = (build.named_block("minus"), build.named_block("plus"));
    let below = build.op(op("lt"), [x.into(), Operand::from(0.0)]).unwrap();
    build.br_if(below, minus.into(), plus.into()).unwrap();
    build.switch_to(minus).unwrap();
    let neg = build.op(op("neg"), [x]).unwrap();
    build.ret(neg).unwrap();
    build.switch_to(plus).unwrap();
    build.ret(x).unwrap();
    build.finish().unwrap()
}

#[test]
fn what_is_dropped_leaves_the_other_labels_as_they_were() {
    let func = polynomial();
    let edit = |_: &mut Rewriter<'_>, inst: &Inst| Ok(if is(inst, "neg") { Edit::Drop } else { Edit::Keep });
    let copy = Rewriter::edit(&func, edit).unwrap();
    assert_eq!(labels(&func), ["x", "1", "2", "3"]);
    assert_eq!(labels(&copy), ["x", "1", "3"]);
    assert_eq!(run(copy, &[3.0]), 12.0);
}

#[test]
fn what_is_inserted_gives_way_to_the_labels_that_were_there() {
    let func = polynomial();
    let double = |rewriter: &mut Rewriter<'_>, inst: &Inst| {
        if is(inst, "mul") {
            let raw = rewriter.keep_with_new_result(inst)?;
            let twice = rewriter.op(op("add"), [raw, raw])?;
            return Ok(Edit::Replace(twice.into()));
        }
        Ok(Edit::Keep)
    };
    let copy = Rewriter::edit(&func, double).unwrap();
    assert_eq!(labels(&copy), ["x", "1", "2.1", "2", "3"]);
    assert_eq!(run(copy, &[3.0]), 21.0);
}

#[test]
fn replacements_of_replacements_are_followed_to_the_end() {
    let func = polynomial();
    let x = func.params()[0];
    let fold = |_: &mut Rewriter<'_>, inst: &Inst| {
        Ok(match inst.result {
            Var(1) => Edit::Replace(Var(2).into()),
            Var(2) => Edit::Replace(x.into()),
            _ => Edit::Keep,
        })
    };
    assert_eq!(run(Rewriter::edit(&func, fold).unwrap(), &[3.0]), 6.0);
}

#[test]
fn a_use_of_what_was_dropped_is_refused() {
    let func = polynomial();
    let error = Rewriter::edit(&func, |_, inst| Ok(if is(inst, "mul") { Edit::Drop } else { Edit::Keep }));
    assert_eq!(error.unwrap_err().to_string(), "`%1` is used but nothing defines it");
}

#[test]
fn a_replacement_has_the_type_of_what_it_replaces() {
    let func = polynomial();
    let error = Rewriter::edit(&func, |_, _| Ok(Edit::Replace(true.into()))).unwrap_err();
    assert_eq!(error.to_string(), "`%1` returns `f64`, declared as `bool`");
}

#[test]
fn a_changed_terminator_leaves_out_what_cannot_be_reached() {
    let func = absolute();
    let mut rewriter = Rewriter::new(&func);
    for (block, body) in func.iter_blocks() {
        rewriter.begin(block).unwrap();
        body.insts.iter().for_each(|inst| rewriter.keep(inst).unwrap());
        match &body.terminator.as_ref().unwrap().kind {
            TerminatorKind::BrIf { then, .. } => {
                rewriter.terminate(TerminatorKind::Br(then.clone())).unwrap()
            }
            _ => rewriter.keep_terminator(block).unwrap(),
        }
    }
    let copy = rewriter.finish().unwrap();
    assert_eq!(copy.blocks.len(), 2);
    assert_eq!(run(copy, &[3.0]), -3.0);
}

#[test]
fn a_split_block_goes_on_in_a_new_one_right_after_it() {
    let func = polynomial();
    let mut rewriter = Rewriter::new(&func);
    let body = rewriter.begin(Block::ENTRY).unwrap();
    rewriter.keep(&body.insts[0]).unwrap();
    let rest = rewriter.split();
    rewriter.br(rest, NOTHING).unwrap();
    rewriter.switch_to(rest).unwrap();
    body.insts[1..].iter().for_each(|inst| rewriter.keep(inst).unwrap());
    rewriter.keep_terminator(Block::ENTRY).unwrap();
    let copy = rewriter.finish().unwrap();
    let lengths: Vec<usize> = copy.blocks.iter().map(|body| body.insts.len()).collect();
    assert_eq!(lengths, [1, 2]);
    assert_eq!(run(copy, &[3.0]), 12.0);
}

/// `x` goes round a loop of two parameters, of which one never changes.
fn counting() -> Func {
    let mut build = FuncBuilder::new("f", Ty::f64());
    let x = build.param("x", Ty::f64());
    let head = build.named_block("head");
    let (y, z) = (build.block_param(head, Ty::f64()), build.block_param(head, Ty::f64()));
    build.br(head, [x, x]).unwrap();
    build.switch_to(head).unwrap();
    let done = build.named_block("done");
    let sum = build.op(op("add"), [y, z]).unwrap();
    let go = build.op(op("lt"), [sum.into(), Operand::from(100.0)]).unwrap();
    build.br_if(go, Target::new(head, [sum, z]), done.into()).unwrap();
    build.switch_to(done).unwrap();
    build.ret(sum).unwrap();
    build.finish().unwrap()
}

#[test]
fn a_dropped_parameter_takes_its_arguments_along() {
    let func = counting();
    let z = func.blocks[1].params[1];
    let mut rewriter = Rewriter::new(&func);
    rewriter.retain_params(Block(1), |param| param != z);
    rewriter.replace(z, func.params()[0]).unwrap();
    for (block, body) in func.iter_blocks() {
        rewriter.begin(block).unwrap();
        body.insts.iter().for_each(|inst| rewriter.keep(inst).unwrap());
        rewriter.keep_terminator(block).unwrap();
    }
    let copy = rewriter.finish().unwrap();
    assert_eq!(copy.blocks[1].params.len(), 1);
    assert_eq!((run(copy, &[30.0]), run(func, &[30.0])), (120.0, 120.0));
}

#[test]
fn inlined_bodies_join_their_returns_and_share_no_label() {
    let (func, callee) = (polynomial(), absolute());
    let wrap = |rewriter: &mut Rewriter<'_>, inst: &Inst| {
        if is(inst, "add") {
            let raw = rewriter.keep_with_new_result(inst)?;
            let once = rewriter.inline(&callee, &[raw.into()])?.expect("it returns");
            let twice = rewriter.inline(&callee, &[once])?.expect("it returns");
            return Ok(Edit::Replace(twice));
        }
        Ok(Edit::Keep)
    };
    let copy = Rewriter::edit(&func, wrap).unwrap();
    assert_eq!(copy.blocks.len(), 7);
    assert_eq!(run(copy.clone(), &[-0.5]), 0.25);
    assert_eq!(run(copy, &[3.0]), 12.0);
}

#[test]
fn a_body_that_never_returns_ends_the_block_it_is_inlined_in() {
    let mut build = FuncBuilder::new("never", Ty::f64());
    build.fail("no").unwrap();
    let (callee, func) = (build.finish().unwrap(), polynomial());
    let copy = Rewriter::edit(&func, |rewriter, inst| {
        if is(inst, "mul") {
            assert_eq!(rewriter.inline(&callee, &[])?, None);
        }
        Ok(Edit::Keep)
    });
    let copy = copy.unwrap();
    assert!(verify(&copy).is_ok());
    assert_eq!(copy.blocks.len(), 1);
}

#[test]
fn a_body_is_inlined_for_arguments_that_it_takes() {
    let mut build = FuncBuilder::new("f", Ty::f64());
    let error = build.inline(&absolute(), &[true.into()]).unwrap_err();
    assert_eq!(error.to_string(), "`@absolute` takes `f64`, got `bool`");
}
