//! Operations: everything a program computes, one declaration each.
//!
//! [`ALL`] is the one list of the engine's own operations; a plugin brings its own `static` [`OpDef`]s and hands
//! them to the parser where they are to be read from text.

mod def;

pub use def::{Arity, Effects, Eval, Machine, OpCx, OpDef, OperandTys, TypeFault, TypeRule};

/// The engine's own operations.
pub static ALL: &[&[&OpDef]] = &[];

/// The engine's own operation of this name.
pub fn by_name(name: &str) -> Option<&'static OpDef> {
    ALL.iter().copied().flatten().copied().find(|op| op.name == name)
}
