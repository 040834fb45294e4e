//! Whether a function is what every reader of the IR may take for granted.
//!
//! - V1 a variable is defined once, and its definition dominates its uses.
//! - V2 an operation gets operands that it takes, and its result has the type that they give.
//! - V3 a block ends in a terminator.
//! - V4 every block can be reached from the entry.
//! - V5 there is an entry, and no branch goes to it.
//! - V6 a branch hands a block one argument for each of its parameters, of its type.
//! - V7 a call hands a callee that is known what it takes, and gets what it returns.
//! - V8 the code of a closure, where it is known, begins with the captured values; erased, it keeps its type.
//! - V9 `br_if` decides by a bool, `switch` by an integer, a char or an enum; `fail` takes a text.
//! - V10 the cases of a `switch` differ and occur in its type; without `else` they name every variant of an enum.
//! - V11 a function returns what it says.
//! - V12 a constant operand is a scalar, and a `const` instruction has the type of its constant.
//! - V13 no two variables and no two blocks print alike.
//! - V14 what is mentioned belongs to the function.
//!
//! All faults are collected, but for those that follow from V14: of a function that mentions what it does not have,
//! only that is reported.

mod check;
mod fault;
mod flow;

pub use fault::{Fault, Invariant, VerifyError};

use std::sync::Arc;

use crate::Symbol;
use crate::ir::{Func, Module, Ty};

/// What a function takes and returns.
pub(crate) type Signature = (Vec<Ty>, Ty);

/// Verifies a function by itself: of what it calls, only what it calls itself is known.
///
/// # Errors
/// All its faults.
pub fn verify(func: &Func) -> Result<(), VerifyError> {
    verify_with(func, &|_| None)
}

/// Verifies a function as part of a module: calls are checked against the functions that are defined so far, no
/// source is asked for more.
///
/// # Errors
/// All its faults.
pub fn verify_in(func: &Func, module: &Module) -> Result<(), VerifyError> {
    verify_with(func, &|name| module.defined(name))
}

/// Verifies every function that a module has so far.
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
