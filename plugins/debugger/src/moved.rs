//! Host values that stand for values that were moved out, when variables are shown.
//!
//! - MOVED1 such a value has a type that no program has: an expression that reads it fails, and nothing can
//!   be assigned through it.

use std::sync::Arc;

use overdub_context::Symbol;
use overdub_context::interp::FrameView;
use overdub_context::ir::{InstKind, Operand, Var};
use overdub_context::value::{Opaque, Value};
use smallvec::SmallVec;

/// The value of this type, without content.
#[derive(Clone, Debug)]
struct Moved;

fn marker(text: &str) -> Value<'static> {
    Value::Opaque(Box::new(Opaque { name: Symbol::new(text), value: Box::new(Moved) }))
}

/// Whether a value stands for one that was moved out.
pub(crate) fn is_moved(value: &Value<'static>) -> bool {
    matches!(value, Value::Opaque(opaque) if opaque.get::<Moved>().is_some())
}

/// The value to show for a variable that had a value at the start of the statement of an open call, and has
/// none now.
pub(crate) fn since_statement(frame: &FrameView<'_, 'static>, var: Var) -> Value<'static> {
    let inst = frame.func().block(frame.block()).insts.get(frame.at());
    let is_in_call = inst.is_some_and(|inst| match &inst.kind {
        InstKind::Call { args, .. } => args.contains(&Operand::Var(var)),
        _ => false,
    });
    marker(if is_in_call { "moved into the open call" } else { "moved by this statement" })
}

/// A value whose moved parts are replaced by such values.
pub(crate) fn without(value: Value<'static>, parts: &[SmallVec<[u32; 2]>]) -> Value<'static> {
    let mut rest = value;
    for fields in parts {
        let mut part = Some(&mut rest);
        for &field in fields {
            part = part.and_then(|part| match part {
                Value::Composite(composite) => Arc::make_mut(composite).parts.get_mut(field as usize),
                _ => None,
            });
        }
        if let Some(part) = part {
            *part = marker("moved");
        }
    }
    rest
}
