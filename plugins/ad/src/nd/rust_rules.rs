//! Operations on whole arrays whose rules are Rust functions: those of [`factors`](super::factors).
//!
//! - RUST1 each function of a rule is in a module of its own, so no function of a program has its name.

use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use hashbrown::HashMap;
use overdub_context::Symbol;
use overdub_context::ir::{Callee, ClosureTy, Func, InstKind, Ty, TyKind};
use overdub_context::ops::{self, OpDef};
use overdub_lower::Loaded;
use overdub_passes::{Limits, Scope, optimise};

use crate::float_pair::is_float;
use crate::rules::{ArrayOpImpl, ArrayOpRule, Rule, rule, written};

/// The rule of an operation for operands of some types.
#[derive(Debug)]
pub(crate) struct ArrayRule {
    /// `args -> (y, pullback)`.
    pub(crate) pullback: Arc<Func>,
    /// `args, tangents -> (y, dy)`.
    pub(crate) pushforward: Arc<Func>,
    /// The type of the pullback's result.
    pub(crate) pullback_ret: Ty,
    /// The functions and their callees.
    pub(crate) funcs: Vec<Arc<Func>>,
}

/// The common prefix of the names of the functions that are an operation's rule, if the rule is in Rust.
fn in_rust(op: &'static OpDef) -> Option<&'static str> {
    match rule(op)? {
        Rule::ArrayOp(ArrayOpRule { implementation: ArrayOpImpl::InRust(name), .. }) => Some(name),
        _ => None,
    }
}

/// The name that stands for a call of an operation with a rule, for the types of its operands.
pub(crate) fn called(op: &'static OpDef, args: &[Ty]) -> Option<Symbol> {
    in_rust(op)?;
    let tys = args.iter().map(Ty::to_string).collect::<Vec<_>>().join(", ");
    Some(Symbol::new(&format!("{}<{tys}>", op.name)))
}

/// The rule of the operation with this name, for operands of these types.
pub(crate) fn array_rule(op: Symbol, args: &[Ty]) -> Option<Arc<ArrayRule>> {
    type RuleCache = HashMap<(Symbol, Vec<Ty>), Option<Arc<ArrayRule>>>;
    static KNOWN: LazyLock<Mutex<RuleCache>> = LazyLock::new(Mutex::default);
    let (op_name, _) = op.as_str().split_once('<')?;
    let name = in_rust(ops::by_name(op_name)?)?;
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known
        .entry((op, args.to_vec()))
        .or_insert_with(|| load_rule(&for_args(name, args), args).map(Arc::new))
        .clone()
}

/// RUST1
static RULES: LazyLock<Option<Loaded>> = LazyLock::new(|| {
    let inner = |text: &str| text.replace("//!", "//");
    let (factors, steps) = (inner(include_str!("factors.rs")), inner(include_str!("scalar_steps.rs")));
    let text = format!("pub mod overdub_ad_rules {{\n{factors}\npub mod steps {{\n{steps}\n}}\n}}");
    Loaded::from_source("factors.rs", &text).ok()
});

/// The function that computes an operation in scalar steps, if there is one.
pub(super) fn steps(op: &'static OpDef, args: &[Ty]) -> Option<(&'static Loaded, Symbol)> {
    let name = in_rust(op)?;
    let rules = RULES.as_ref()?;
    Some((rules, named(rules, &format!("steps::{}", for_args(name, args)), &typed(args)?)?))
}

/// The name of the function for operands of these types.
fn for_args(name: &str, args: &[Ty]) -> String {
    let is_matrix = args.get(1).and_then(|ty| ty.as_array()).is_some_and(|array| array.rank == 2);
    if is_matrix { format!("{name}_all") } else { name.to_owned() }
}

/// The types as source text, if they are arrays of floats.
fn typed(args: &[Ty]) -> Option<Vec<String>> {
    let floats = args.iter().all(|ty| ty.as_array().is_some_and(|array| is_float(array.elem)));
    args.iter().map(|ty| written(*ty, true)).collect::<Option<Vec<_>>>().filter(|_| floats)
}

fn named(rules: &Loaded, path: &str, types: &[String]) -> Option<Symbol> {
    let types = types.join(", ").replace("Array", "ndarray::Array");
    Some(rules.function_with(&format!("overdub_ad_rules::{path}"), &types).ok()?.symbol)
}

fn load_rule(name: &str, args: &[Ty]) -> Option<ArrayRule> {
    let rules = RULES.as_ref()?;
    let types = typed(args)?;
    let function =
        |what: &str, types: &[String]| inlined(rules, named(rules, &format!("{name}_{what}"), types)?);
    let pullback = function("vjp", &types)?;
    let pushforward = function("jvp", &[types.clone(), types].concat())?;
    let closure = pullback_of(&pullback)?;
    let pulled = inlined(rules, closure.code)?;
    let pullback_ret = pulled.ret;
    Some(ArrayRule {
        funcs: vec![pullback.clone(), pushforward.clone(), pulled],
        pullback,
        pushforward,
        pullback_ret,
    })
}

/// The pullback closure that a function returns along with its result.
fn pullback_of(pullback: &Func) -> Option<Arc<ClosureTy>> {
    let TyKind::Tuple(parts) = pullback.ret.kind() else { return None };
    match parts.get(1)?.kind() {
        TyKind::Closure(closure) => Some(Arc::new(closure.clone())),
        _ => None,
    }
}

/// A function with all its calls inlined.
fn inlined(rules: &Loaded, func: Symbol) -> Option<Arc<Func>> {
    let module = rules.module();
    let lookup = |name: Symbol| module.func(name).ok().flatten();
    let limits = Limits { callee: usize::MAX, total: usize::MAX };
    let inlined = optimise(&*lookup(func)?, &Scope::new(&lookup).with_limits(limits));
    let calls = |kind: &InstKind| matches!(kind, InstKind::Call { callee: Callee::Func(_), .. });
    let has_calls = inlined.blocks.iter().flat_map(|body| &body.insts).any(|inst| calls(&inst.kind));
    (!has_calls).then(|| Arc::new(inlined))
}
