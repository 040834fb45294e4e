//! Statements for a language in which values do not end by themselves.
//!
//! - OWNED1 a value that is only looked at is a local or a part of one: what owns memory has a name.
//! - OWNED2 a local that owns its value is moved as a whole, or dropped, on every path to the end of its scope, and
//!   before it is assigned again. Where it depends on the path whether it was moved, it holds an empty value after the
//!   move, so that it may be dropped in any case.
//! - OWNED3 both branches of a choice between values that own memory are statements.

mod drops;
mod parts;
mod replaced;
mod state;
mod temporaries;

use hashbrown::HashSet;
use overdub_context::Symbol;

pub(crate) use self::temporaries::is_view;
use crate::ast::{Function, Local};

/// The locals that must be empty when they are declared without a value.
pub(crate) type Emptied = HashSet<Local>;

/// Rewrites the statements of a function; `refs` tells which parameters of a function are references.
pub(crate) fn own(function: &mut Function, refs: &dyn Fn(Symbol) -> Option<Vec<bool>>) -> Emptied {
    temporaries::name(function, refs);
    parts::split(function);
    drops::elaborate(function)
}
