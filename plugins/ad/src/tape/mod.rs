//! Reverse mode by a tape: each number carries the index of its tape entry.
//!
//! - TAPE1 a number that depends on no argument has entry 0; computations with such numbers record nothing.
//! - TAPE2 an entry comes after those that it depends on, so one walk backwards visits all of them.

mod pullback;
mod rewindable;

use overdub_context::engine::{CallSite, Key, Lift, Lifted};
use overdub_context::ir::{BuildError, FuncBuilder, Operand, Ty};

use overdub_context::ops::OpDef;

use crate::array_ops::DOT_ZERO;
use crate::augment::{self, Augment, Augmented, Term};
use crate::custom;
use crate::matrix_product::{RECORDED_PRODUCT, RECORDED_ZERO_PRODUCT};
use crate::wengert_list::RECORD;

pub use pullback::{TAPE_LIMIT, TapePullback, TapeVjp, record, record_limited};
pub(crate) use pullback::{record_active, record_in, record_over_duals};
pub use rewindable::{RewindableRecording, entries_of, plain, with_entries};

/// The domain of recorded numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Recorder;

impl Recorder {
    pub(crate) fn context(self) -> Lift {
        augment::context(self)
    }
}

/// Whether this is the type of recorded numbers.
pub(crate) fn is_tracked(ty: Ty) -> bool {
    let tracked = Augmented::new(Recorder);
    ty == tracked.pair(Ty::f64()) || ty == tracked.pair(Ty::f32())
}

impl Augment for Recorder {
    fn name(&self) -> String {
        "Tracked".to_owned()
    }

    fn key(&self) -> Key {
        Key::of::<Recorder>()
    }

    fn carried(&self, _: Ty) -> Ty {
        Ty::i64()
    }

    fn combine(&self, build: &mut FuncBuilder, _: Ty, terms: &[Term]) -> Result<Operand, BuildError> {
        if let [Term { carried, known: Some(1.0), .. }] = terms {
            return Ok(carried.clone());
        }
        let operands = terms.iter().flat_map(|term| [term.carried.clone(), term.partial.clone()]);
        build.op(&RECORD, operands.collect::<Vec<_>>()).map(Operand::from)
    }

    fn linear(&self, _: &CallSite, op: &'static OpDef, _: Ty) -> Lifted {
        Lifted::Refused {
            reason: format!("derivatives that are recorded do not follow `{}`", op.name),
            help: Some("transform the function: take its pullback or gradient by `ADCtx`".to_owned()),
        }
    }

    fn mode(&self) -> custom::Mode {
        custom::Mode::Backward
    }

    fn by_rule(&self) -> &'static OpDef {
        &custom::BACKWARD
    }

    fn product(
        &self,
        build: &mut FuncBuilder,
        op: &'static OpDef,
        _: Ty,
        of: [Operand; 2],
    ) -> Result<Operand, BuildError> {
        let pairs = build.ty(&of[0])?;
        let recorded = if *op == DOT_ZERO { &RECORDED_ZERO_PRODUCT } else { &RECORDED_PRODUCT };
        build.op_as(recorded, of, pairs).map(Operand::from)
    }

    fn converted(&self, _: &mut FuncBuilder, carried: Operand, _: Ty) -> Result<Operand, BuildError> {
        // All cotangents are `f64`.
        Ok(carried)
    }
}
