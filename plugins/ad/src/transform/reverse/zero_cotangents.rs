//! Cotangents that are zero for every input: in a sweep for several floats of a result, most of the result has a cotangent of zero in
//! each direction.
//!
//! - ZEROCOT1 a product with strong zeros of the constant zero is zero, and so are sums, negations and block parameters of nothing
//!   but zeros. It is +0.0, where a product with a negative factor would be −0.0.
//! - ZEROCOT2 what is added to such a zero stays as it is; an element that is stored where it was read is not stored.

use hashbrown::{HashMap, HashSet};
use overdub_context::edit::for_each_operand;
use overdub_context::ir::{Func, InstKind, Operand, Var};
use overdub_context::ops;

use crate::expr::float_constant;
use crate::normalize_cfg::{incoming, target};

/// The function without operations on zero cotangents, if it has some.
pub(super) fn without_zeros(func: &Func) -> Option<Func> {
    let zeros = zeros(func);
    if zeros.is_empty() {
        return None;
    }
    let mut replacements: HashMap<Var, Operand> = HashMap::new();
    let is_zero = |operand: &Operand| operand.var().is_some_and(|var| zeros.contains(&var));
    let mut func = func.clone();
    for inst in func.blocks.iter_mut().flat_map(|body| &mut body.insts) {
        let InstKind::Op { op, args } = &mut inst.kind else { continue };
        // ZEROCOT2
        let stays = match &args[..] {
            [zero, other] if **op == ops::ADD && is_zero(zero) => other.clone(),
            [other, zero] if [&ops::ADD, &ops::SUB].contains(op) && is_zero(zero) => other.clone(),
            [zero, other] if **op == ops::SUB && is_zero(zero) => {
                (*op, *args) = (&ops::NEG, vec![other.clone()]);
                continue;
            }
            _ => continue,
        };
        replacements.insert(inst.result, stays);
    }
    for var in &zeros {
        replacements.insert(*var, float_constant(0.0, func.ty(*var)));
    }
    put_back(&func, &mut replacements);
    for body in &mut func.blocks {
        for_each_operand(body, |operand| *operand = replaced(&replacements, operand));
    }
    Some(func)
}

/// What an operand is replaced by.
fn replaced(replacements: &HashMap<Var, Operand>, operand: &Operand) -> Operand {
    let mut found = operand.clone();
    while let Some(next) = found.var().and_then(|var| replacements.get(&var)) {
        found = next.clone();
    }
    found
}

/// Replaces an array with an element that is stored where it was read by the array.
fn put_back(func: &Func, replacements: &mut HashMap<Var, Operand>) {
    let insts: HashMap<Var, &InstKind> =
        func.blocks.iter().flat_map(|body| &body.insts).map(|inst| (inst.result, &inst.kind)).collect();
    for (result, kind) in &insts {
        let InstKind::Op { op, args } = kind else { continue };
        let [array, at, value] = &args[..] else { continue };
        let read = replaced(replacements, value).var().and_then(|var| insts.get(&var));
        if let Some(InstKind::Op { op: read_by, args: place }) = read
            && **op == ops::SET_UNCHECKED
            && **read_by == ops::GET_UNCHECKED
            && place[..] == [array.clone(), at.clone()]
        {
            replacements.insert(*result, array.clone());
        }
    }
}

/// The variables that are zero (ZEROCOT1).
fn zeros(func: &Func) -> HashSet<Var> {
    let mut zeros = HashSet::new();
    let edges = incoming(func);
    loop {
        let before = zeros.len();
        for (block, body) in func.iter_blocks() {
            for (at, param) in body.params.iter().enumerate() {
                let args: Vec<&Operand> =
                    edges[block.index()].iter().map(|edge| &target(func, *edge).args[at]).collect();
                let is_zero =
                    |arg: &&Operand| is_in(&zeros, arg) || arg.var() == Some(*param) || is_constant(arg);
                if args.iter().all(is_zero) && args.iter().any(|arg| is_in(&zeros, arg)) {
                    zeros.insert(*param);
                }
            }
            for inst in &body.insts {
                let InstKind::Op { op, args } = &inst.kind else { continue };
                let is_zero = match &args[..] {
                    [x, y] if **op == ops::MUL_ZERO => {
                        [x, y].iter().any(|factor| is_in(&zeros, factor) || is_constant(factor))
                    }
                    [x, y] if [&ops::ADD, &ops::SUB].contains(op) => is_in(&zeros, x) && is_in(&zeros, y),
                    [x] if **op == ops::NEG => is_in(&zeros, x),
                    _ => false,
                };
                if is_zero {
                    zeros.insert(inst.result);
                }
            }
        }
        if zeros.len() == before {
            return zeros;
        }
    }
}

fn is_in(zeros: &HashSet<Var>, operand: &Operand) -> bool {
    operand.var().is_some_and(|var| zeros.contains(&var))
}

/// Whether an operand is the constant +0.0.
fn is_constant(operand: &Operand) -> bool {
    let value = operand.constant().and_then(|constant| constant.value().as_f64());
    value.is_some_and(|x| x.to_bits() == 0)
}
