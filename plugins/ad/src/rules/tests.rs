//! No operation has two rows, and rows say of results what evaluators do, on operands of many types.

use std::collections::BTreeSet;

use hashbrown::HashSet;
use overdub_context::interp::Interpreter;
use overdub_context::ir::{Func, FuncBuilder, Module, Operand, Ty, TyKind};
use overdub_context::ops::{self, Arity, OpDef};
use overdub_context::testing::any_value;
use overdub_context::value::{Array, Value};

use super::moves::Moves;
use super::{Rule, rows};

#[test]
fn no_operation_has_two_rows() {
    let mut seen = HashSet::new();
    let twice: Vec<&str> = rows().filter(|(op, _)| !seen.insert(*op)).map(|(op, _)| op.name).collect();
    assert!(twice.is_empty(), "operations with two rows: {twice:?}");
}

fn moving() -> impl Iterator<Item = (&'static OpDef, Moves)> {
    rows().filter_map(|(op, rule)| match rule {
        Rule::Moves(moves) => Some((op, moves)),
        _ => None,
    })
}

fn floats(shape: &[usize]) -> Value<'static> {
    let elems = (0..shape.iter().product::<usize>()).map(|k| k as f64).collect();
    Value::from(Array::from_vec(elems).reshape(shape).expect("as many elements as the shape has"))
}

/// Operands of many operations: arrays, numbers, an index vector of each of their lengths, and composites.
fn operands() -> Vec<Value<'static>> {
    vec![
        floats(&[3]),
        floats(&[2]),
        floats(&[2, 3]),
        Value::F64(0.8),
        Value::from(0_usize),
        Value::from(1_usize),
        Value::from(2_usize),
        Value::from(true),
        Value::from(Array::from_vec(vec![2_usize, 0, 1])),
        Value::from(Array::from_vec(vec![1_usize, 0])),
        Value::tuple([floats(&[3]), Value::F64(0.8)]),
        any_value(Ty::option(Ty::f64()), 1),
        any_value(Ty::stack(Ty::f64()), 1),
    ]
}

/// A function that applies an operation to these operands, if they fit; numbers that are no floats are constants,
/// which the types of some operations need.
fn applied(op: &'static OpDef, args: &[Value<'static>], declared: Option<Ty>) -> Option<Func> {
    let mut build = FuncBuilder::new("f", Ty::unit());
    let operands: Vec<Operand> = args
        .iter()
        .map(|arg| match arg.as_index() {
            Some(index) => index.into(),
            None => build.param("x", arg.ty()).into(),
        })
        .collect();
    let y: Operand = match declared {
        None => build.op(op, operands),
        Some(ty) => build.op_as(op, operands, ty),
    }
    .ok()?
    .into();
    let ret = build.ty(&y).ok()?;
    build.set_ret(ret);
    build.ret(y).ok()?;
    build.finish().ok()
}

/// The functions that apply an operation to up to four of [`operands`], with these.
fn applications(op: &'static OpDef) -> Vec<(Func, Vec<Value<'static>>)> {
    let operands = operands();
    let declared = [None, Some(operands[0].ty()), Some(operands[2].ty())];
    let counts = match op.arity {
        Arity::Exactly(count) => count..=count,
        Arity::AtLeast(count) => count..=4,
    };
    let mut found = Vec::new();
    for count in counts.filter(|count| (1..=4).contains(count)) {
        for choice in 0..operands.len().pow(count as u32) {
            let digit = |k: usize| choice / operands.len().pow(k as u32) % operands.len();
            let args: Vec<Value<'static>> = (0..count).map(|k| operands[digit(k)].clone()).collect();
            let funcs = declared.into_iter().filter_map(|ty| applied(op, &args, ty));
            found.extend(funcs.map(|func| (func, args.clone())));
        }
    }
    found
}

/// The result, unless the operation fails.
fn result(func: Func, args: Vec<Value<'static>>) -> Option<Value<'static>> {
    let module = Module::new();
    module.define(func);
    let passed = args.into_iter().filter(|arg| arg.as_index().is_none()).collect();
    Interpreter::new(&module).run("f", passed).ok()
}

#[test]
fn rows_say_which_results_have_the_shape_of_the_first_operand() {
    let (mut wrong, mut missing, mut untried) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for (op, moves) in moving() {
        let mut keeps = Vec::new();
        for (func, args) in applications(op) {
            let Value::Array(first) = args[0].clone() else { continue };
            let Some(result) = result(func, args) else { continue };
            keeps.push(result.as_array().is_some_and(|array| array.shape() == first.shape()));
        }
        match (moves.keeps_shape(), keeps.as_slice()) {
            (true, []) => untried.insert(op.name),
            (true, keeps) if keeps.contains(&false) => wrong.insert(op.name),
            (false, [_, ..]) if !keeps.contains(&false) => missing.insert(op.name),
            _ => false,
        };
    }
    assert!(wrong.is_empty(), "`edits` is the row of operations that keep the shape, not of {wrong:?}");
    assert!(
        missing.is_empty(),
        "results of these keep the shape of the first operand: `edits` is their row: {missing:?}"
    );
    assert!(untried.is_empty(), "`operands` in this file has none for {untried:?}");
}

#[test]
fn rows_say_which_results_are_several() {
    let (mut wrong, mut missing, mut untried) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    // The parts of a tuple share its cotangent: they are operands, not results.
    for (op, moves) in moving().filter(|(op, _)| *op != &ops::TUPLE) {
        let mut are_several = Vec::new();
        for (func, args) in applications(op) {
            let is_moved = args.iter().any(|arg| arg.ty() == func.ret);
            are_several.push(matches!(func.ret.kind(), TyKind::Tuple(_)) && !is_moved);
        }
        match (moves.has_several_results(), are_several.as_slice()) {
            (true, []) => untried.insert(op.name),
            (true, several) if several.contains(&false) => wrong.insert(op.name),
            (false, several) if several.contains(&true) => missing.insert(op.name),
            _ => false,
        };
    }
    assert!(
        wrong.is_empty(),
        "`splits` is the row of operations that return several results, not of {wrong:?}"
    );
    assert!(
        missing.is_empty(),
        "these return a tuple of several results: `splits` is their row: {missing:?}"
    );
    assert!(untried.is_empty(), "`operands` in this file has none for {untried:?}");
}
