//! Expansion of array operations into loops.

use std::sync::{Arc, Mutex, PoisonError};

use hashbrown::HashMap;
use overdub_context::codes::INTERNAL;
use overdub_context::ir::{BuildError, Callee, Func, InstKind, Operand, Ty};
use overdub_context::ops::{self, OpDef};
use overdub_context::{Symbol, ir::LoadError};
use overdub_lower::Loaded;
use overdub_passes::{Limits, Scope, optimise};

use super::loops::{calling, of_each};
use super::rust_rules::steps;
use super::source_text::text;
use crate::annotations::{STOP, STOP_GRADIENT, is_annotation};
use crate::float_pair::is_float;
use crate::rules::{Applied, ArrayOpImpl, Rule, rule};

/// The array operations that are kept whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum KeepArrayOps {
    /// Products of matrices, for which dual and recorded numbers have rules.
    Products,
    /// Operations for which the reverse transformation has rules.
    Reverse,
    /// Operations for which the forward transformation has rules.
    Forward,
}

impl KeepArrayOps {
    fn keeps(self, op: &'static OpDef, args: &[Ty]) -> bool {
        let is_matrix = |ty: &Ty| ty.as_array().is_some_and(|array| array.rank == 2);
        match (self, rule(op)) {
            (KeepArrayOps::Products, _) => *op == ops::ND_DOT && args.iter().all(is_matrix),
            (KeepArrayOps::Forward, Some(Rule::Partials(partials))) => partials.is_linear(),
            (KeepArrayOps::Reverse | KeepArrayOps::Forward, Some(Rule::ArrayOp(rule))) => {
                !matches!(rule.implementation, ArrayOpImpl::Expanded)
            }
            _ => false,
        }
    }
}

/// Expands operations on arrays of floats into loops over elements; `None` if the function has none. `scope`
/// looks up the functions that such operations call for each element.
///
/// # Errors
/// If an operation cannot be expanded.
pub(crate) fn expanded(
    func: &Func,
    kept_ops: KeepArrayOps,
    scope: &Scope<'_>,
) -> Result<Option<Func>, LoadError> {
    let mut out = func.clone();
    let mut found: HashMap<Symbol, Arc<Func>> = HashMap::new();
    let mut calls = false;
    for body in &mut out.blocks {
        for inst in &mut body.insts {
            let InstKind::Op { op, args } = &inst.kind else { continue };
            let applied = applied(func, op, args, func.ty(inst.result));
            if kept_ops != KeepArrayOps::Products
                && let Some(loops) = calling(op, &applied.args, applied.ret).map_err(unbuilt)?
            {
                calls = true;
                inst.kind = InstKind::Call { callee: Callee::Func(loops.name), args: args.clone() };
                found.insert(loops.name, Arc::new(loops));
                continue;
            }
            if !is_array_op(op, &applied) || kept_ops.keeps(op, &applied.args) {
                continue;
            }
            let Some(expansion) = expansion(op, &applied)? else { continue };
            let numbers = applied.consts.iter();
            let args =
                args.iter().zip(numbers).filter(|(_, number)| number.is_none()).map(|(arg, _)| arg.clone());
            let kind = InstKind::Call { callee: Callee::Func(expansion.name), args: args.collect() };
            found.insert(expansion.name, expansion);
            inst.kind = kind;
        }
    }
    if found.is_empty() {
        return Ok(None);
    }
    let lookup = |name: Symbol| found.get(&name).cloned();
    let limits = Limits { callee: usize::MAX, total: usize::MAX };
    let loops = optimise(&out, &Scope::new(&lookup).with_limits(limits));
    Ok(Some(if calls { optimise(&loops, scope) } else { loops }))
}

#[cold]
fn unbuilt(error: BuildError) -> LoadError {
    LoadError {
        code: INTERNAL,
        message: error.to_string(),
        span: overdub_context::Span::unknown(),
        help: None,
    }
}

fn applied(func: &Func, op: &'static OpDef, args: &[Operand], ret: Ty) -> Applied {
    let ty = |arg: &Operand| match arg {
        Operand::Var(var) => func.ty(*var),
        Operand::Const(constant) => constant.scalar_ty().unwrap_or(Ty::unit()),
    };
    // A type rule needs the values of constants only if they are axes.
    let has_axes = matches!(rule(op), Some(Rule::ArrayOp(_)));
    let number = |arg: &Operand| arg.constant().and_then(|constant| constant.value().as_index());
    Applied {
        op,
        args: args.iter().map(ty).collect(),
        consts: args.iter().map(|arg| number(arg).filter(|_| has_axes)).collect(),
        ret,
    }
}

/// Whether an operation computes with whole arrays of floats.
fn is_array_op(op: &'static OpDef, applied: &Applied) -> bool {
    let floats = |ty: &Ty| ty.as_array().is_some_and(|array| is_float(array.elem));
    let computes =
        matches!(rule(op), Some(Rule::ArrayOp(_) | Rule::Partials(_) | Rule::Parts(_) | Rule::Zero));
    let returns_floats = is_float(applied.ret) || floats(&applied.ret);
    computes && returns_floats && applied.args.iter().any(floats)
}

/// The expansion of an operation; `None` if it has none.
fn expansion(op: &'static OpDef, applied: &Applied) -> Result<Option<Arc<Func>>, LoadError> {
    static KNOWN: Mutex<Option<HashMap<Applied, Option<Arc<Func>>>>> = Mutex::new(None);
    let known = |new: Option<Option<Arc<Func>>>| {
        let mut all = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let all = all.get_or_insert_default();
        match new {
            Some(new) => Some(all.entry(applied.clone()).or_insert(new).clone()),
            None => all.get(applied).cloned(),
        }
    };
    if let Some(found) = known(None) {
        return Ok(found);
    }
    let expanded = if let Some((rules, func)) = steps(op, &applied.args) {
        Some(inlined(rules, func, applied)?)
    } else if let Some(text) = text(applied) {
        Some(lowered(&text, applied)?)
    } else if is_by_element(op, applied) {
        Some(Arc::new(of_each(op, &applied.args, applied.ret).map_err(unbuilt)?))
    } else {
        None
    };
    Ok(known(Some(expanded)).flatten())
}

/// Whether an operation on scalars is applied to each element.
fn is_by_element(op: &'static OpDef, applied: &Applied) -> bool {
    let returns_floats = applied.ret.as_array().is_some_and(|array| is_float(array.elem));
    returns_floats && matches!(rule(op), Some(Rule::Partials(_) | Rule::Zero))
}

/// The function of a source text, lowered.
fn lowered(text: &str, applied: &Applied) -> Result<Arc<Func>, LoadError> {
    let failed = |message: String| unknown(applied, &message);
    let loaded = Loaded::from_source("nd.rs", text).map_err(|error| failed(error.to_string()))?;
    let function = loaded.function("f").map_err(|error| failed(error.to_string()))?;
    inlined(&loaded, function.symbol, applied)
}

#[cold]
fn unknown(applied: &Applied, message: &str) -> LoadError {
    LoadError {
        code: INTERNAL,
        message: format!("`{}` cannot be expanded: {message}", applied.op.name),
        span: overdub_context::Span::unknown(),
        help: None,
    }
}

/// A function with all its calls inlined.
fn inlined(loaded: &Loaded, func: Symbol, applied: &Applied) -> Result<Arc<Func>, LoadError> {
    let failed = |message: &str| unknown(applied, message);
    let module = loaded.module();
    let is_stop = |name: Symbol| is_annotation(name, STOP_GRADIENT);
    let lookup = |name: Symbol| module.func(name).ok().flatten().filter(|_| !is_stop(name));
    let source = module.func(func)?.ok_or_else(|| failed("it is not there"))?;
    let limits = Limits { callee: usize::MAX, total: usize::MAX };
    let mut inlined = optimise(&source, &Scope::new(&lookup).with_limits(limits));
    inlined.name = Symbol::new(&format!("{}{{{:?} {:?}}}", applied.op.name, applied.args, applied.consts));
    for inst in inlined.blocks.iter_mut().flat_map(|body| &mut body.insts) {
        if let InstKind::Call { callee: Callee::Func(name), args } = &mut inst.kind
            && is_stop(*name)
        {
            inst.kind = InstKind::Op { op: &STOP, args: std::mem::take(args) };
        }
    }
    let calls = |kind: &InstKind| matches!(kind, InstKind::Call { callee: Callee::Func(_), .. });
    if inlined.blocks.iter().flat_map(|body| &body.insts).any(|inst| calls(&inst.kind)) {
        return Err(failed("it calls what cannot be inlined"));
    }
    Ok(Arc::new(inlined))
}
