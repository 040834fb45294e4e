//! Contexts that rewrite bodies into others that compute the same.

use std::sync::atomic::{AtomicU64, Ordering};

use overdub_context::engine::{Body, Context, Key, NeedsHandle, Pass, PassError, ValueOnly};
use overdub_context::ir::{Edit, InstKind, Operand, Rewriter, Ty};
use overdub_context::ops::{Arity, Effects, OpDef};
use overdub_context::value::Value;

/// Rewrites each body in this way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Passes {
    /// Looks at it and keeps it.
    Keep,
    /// Copies it.
    Copy,
    /// Takes its optimised form, for whose calls the context is consulted.
    Optimise,
    /// Takes its optimised form unchanged.
    Replace,
    /// Inserts an operation with an effect before each instruction.
    Instrument,
}

/// The number of times that [`TICK`] ran, in the whole process: rows that use it run one after the other.
static TICKS: AtomicU64 = AtomicU64::new(0);

/// Counts how often it runs.
static TICK: OpDef = OpDef {
    name: "matrix.tick",
    arity: Arity::Exactly(0),
    ty: |_| Ok(Ty::unit()),
    effects: Effects::PRINTS,
    eval: |_, _| {
        TICKS.fetch_add(1, Ordering::Relaxed);
        Ok(Value::Unit)
    },
    doc: "Counts how often it is carried out.",
};

/// The number of ticks of [`Passes::Instrument`] since the last call.
pub fn ticks() -> u64 {
    TICKS.swap(0, Ordering::Relaxed)
}

impl Context for Passes {
    type Metadata = ();
    type Outcome = ValueOnly;

    fn metadata(&self) {}

    fn key(&self) -> Key {
        Key::of::<Passes>().with(self)
    }

    fn needs_handle(&self) -> NeedsHandle {
        NeedsHandle::No
    }

    fn pass(&self, body: &Body<'_>) -> Result<Pass, PassError> {
        match self {
            Passes::Keep => {
                body.optimised()?;
                Ok(Pass::Keep)
            }
            Passes::Copy => Ok(Pass::Rewrite(Rewriter::edit(body.func(), |_, _| Ok(Edit::Keep))?)),
            Passes::Optimise => Ok(Pass::Rewrite((*body.optimised()?).clone())),
            Passes::Replace => Ok(Pass::Replace((*body.optimised()?).clone())),
            Passes::Instrument => Ok(Pass::Rewrite(Rewriter::edit(body.func(), |rewriter, inst| {
                if let InstKind::Op { .. } = &inst.kind {
                    rewriter.op(&TICK, Vec::<Operand>::new())?;
                }
                Ok(Edit::Keep)
            })?)),
        }
    }
}
