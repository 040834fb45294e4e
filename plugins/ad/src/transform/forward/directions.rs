//! How many tangents are computed side by side, and the types of functions that take and return them.

use overdub_context::ir::{Ty, TyKind};

use crate::cotangent::cotangent;
use crate::refusal::Cause;

/// The directions of one run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Directions {
    pub(super) count: usize,
    pub(super) outputs: ForwardOutputs,
}

/// What a transformed function returns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum ForwardOutputs {
    /// The result, followed by its tangents.
    Both,
    /// Only the tangents.
    Tangents,
    /// Only the tangents of this part of the result, a tuple or a struct.
    Part(usize),
}

impl Directions {
    /// One direction.
    pub(super) const ONE: Directions = Directions { count: 1, outputs: ForwardOutputs::Both };

    /// The type that a transformed function returns for a result of this type.
    pub(super) fn returned(self, ret: Ty) -> Result<Ty, Cause> {
        let dty = match (cotangent(ret)?, self.outputs) {
            (dty_of_ret, ForwardOutputs::Part(at)) => match dty_of_ret.kind() {
                TyKind::Tuple(parts) if at < parts.len() => parts[at],
                _ => return Err(Cause::Type(ret)),
            },
            (dty_of_ret, ForwardOutputs::Both | ForwardOutputs::Tangents) => dty_of_ret,
        };
        let y = (self.outputs == ForwardOutputs::Both).then_some(ret);
        Ok(Ty::tuple(y.into_iter().chain(vec![dty; self.count])))
    }

    /// The same directions for a function that is called by another.
    pub(super) fn of_callee(self) -> Directions {
        Directions { outputs: ForwardOutputs::Both, ..self }
    }

    /// The part of a function's name that distinguishes these directions from others.
    pub(super) fn label(self) -> String {
        let count = if self.count == 1 { String::new() } else { format!("x{}", self.count) };
        match self.outputs {
            ForwardOutputs::Both => count,
            ForwardOutputs::Tangents => format!("{count}Alone"),
            ForwardOutputs::Part(at) => format!("{count}Part{at}"),
        }
    }
}
