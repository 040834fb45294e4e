//! Verifies that a function has the invariants on which every reader of the IR relies.
//!
//! - V1 a variable is defined once, and its definition dominates its uses.
//! - V2 an operation accepts its operands, and its result has the type that they determine.
//! - V3 a block ends in a terminator.
//! - V4 every block is reachable from the entry.
//! - V5 there is an entry, and no branch targets it.
//! - V6 a branch passes a block one argument for each of its parameters, of the parameter's type.
//! - V7 a call passes a known callee arguments of its parameter types, and has its return type.
//! - V8 the parameters of a closure's code, where it is known, begin with the captured values; conversion to
//!   a function value keeps the function type.
//! - V9 the condition of `br_if` is a bool, the value of `switch` is an integer, a char or an enum; `fail`
//!   takes a text.
//! - V10 the cases of a `switch` are distinct and occur in its type; without `else` they cover every variant
//!   of an enum.
//! - V11 a function returns values of its return type.
//! - V12 a constant operand is a scalar, and a `const` instruction has the type of its constant.
//! - V13 the printed labels of variables are distinct, and so are those of blocks.
//! - V14 all mentioned variables and blocks belong to the function.
//!
//! All faults are collected, except that the faults of V14 preclude others: if a function mentions foreign
//! variables or blocks, only that is reported.

mod check;
mod fault;
mod flow;

pub use fault::{Fault, Invariant, VerifyError};

use std::sync::Arc;

use crate::Symbol;
use crate::ir::{Func, Module, Ty};

/// The parameter types and the return type of a function.
pub(crate) type Signature = (Vec<Ty>, Ty);

/// Verifies a function alone: of its callees, only the function itself is known.
///
/// # Errors
/// All its faults.
pub fn verify(func: &Func) -> Result<(), VerifyError> {
    verify_with(func, &|_| None)
}

/// Verifies a function as part of a module: calls are checked against the functions defined so far, without
/// querying the sources.
///
/// # Errors
/// All its faults.
pub fn verify_in(func: &Func, module: &Module) -> Result<(), VerifyError> {
    verify_with(func, &|name| module.defined(name))
}

/// Verifies every function defined in a module so far.
///
/// # Errors
/// The faults of the first function, in the order of names, that has any.
pub fn verify_module(module: &Module) -> Result<(), VerifyError> {
    module.names().into_iter().filter_map(|name| module.defined(name)).try_for_each(|f| verify_in(&f, module))
}

fn verify_with(func: &Func, known: &dyn Fn(Symbol) -> Option<Arc<Func>>) -> Result<(), VerifyError> {
    let signature = |name: Symbol| {
        let of = |func: &Func| (func.param_tys().collect(), func.ret);
        if name == func.name { Some(of(func)) } else { known(name).map(|func| of(&func)) }
    };
    let mut faults = check::foreign(func);
    if faults.is_empty() {
        faults = flow::check(func);
        faults.extend(check::check(func, &signature));
    }
    VerifyError::of(func, faults).map_or(Ok(()), Err)
}
