//! Elements in blocks: a loop over the elements of a block, in the IR, is called once for all of them.
//!
//! - BLOCK1 the loop calls the function for each element in order, so that its results are those of calls one by one, to the
//!   bit. If an element fails, the block is run again one by one, which finds the error.
//! - BLOCK2 only functions whose runs cannot be told from each other are called in loops: they write no output, read no clock,
//!   have no variables that live as long as a run, and call nothing whose code is not known. Limits for each element also
//!   exclude loops.

mod build;
mod columns;
mod pure;

use std::ops::Range;

use overdub_context::engine::{self, Engine};
use overdub_context::ir::{Ty, TyKind};
use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind, Symbol};

use crate::elements::Elements;
pub(crate) use build::Collect;
use build::{BlockLoop, parts_of};
use columns::columns;

/// A function that is called in a loop over the elements of a block.
pub(crate) struct Block {
    call: engine::Prepared<BlockLoop>,
    /// For each argument, whether it is mapped over.
    mapped: Vec<bool>,
}

/// Whether values of a type are numbers or bools, which lists hold side by side.
fn is_scalar(ty: Ty) -> bool {
    matches!(ty.kind(), TyKind::Bool | TyKind::Int(_) | TyKind::Float(_))
}

impl Block {
    /// The loop over a function that returns a number, or a number and a tuple of derivatives, each of which is collected in
    /// its own way; none if it cannot be called in a loop (BLOCK2).
    pub(crate) fn new(
        engine: &Engine,
        func: Symbol,
        mapped: &[bool],
        collect: Vec<Collect>,
    ) -> Option<Block> {
        let module = engine.module();
        let found = module.func(func).ok()??;
        let parts = parts_of(found.ret);
        let is_collected = |(ty, collect): (&Ty, &Collect)| match collect {
            Collect::List => is_scalar(*ty),
            Collect::Add => *ty == Ty::f64(),
            Collect::AddLike(_) => *ty == Ty::array(Ty::f64(), 1),
        };
        let fits = found.params().len() == mapped.len()
            && mapped.contains(&true)
            && found.param_tys().zip(mapped).all(|(ty, mapped)| !*mapped || is_scalar(ty))
            && parts.len() == collect.len()
            && parts.iter().zip(&collect).all(is_collected);
        if !fits || engine.limits().is_some() || !pure::is_pure(&module, func) {
            return None;
        }
        let cx = BlockLoop { mapped: mapped.to_vec(), collect };
        Some(Block { call: engine.prepare(&cx, func), mapped: mapped.to_vec() })
    }

    /// What the loop collects over these elements: a value for each way of collecting; none if one of them fails, or they
    /// cannot be lent.
    pub(crate) fn run<'a, L: Elements<'a>>(
        &self,
        elements: &L,
        range: Range<usize>,
    ) -> Option<Vec<Value<'a>>> {
        let args = columns(elements, range, &self.mapped)?;
        let result: Result<Value<'a>, Failure> = self.call.run(args);
        debug_assert!(
            !matches!(&result, Err(failure) if failure.kind() == FailureKind::Load),
            "the loop cannot be built: {result:?}"
        );
        match result.ok()? {
            Value::Composite(all) => Some(all.parts.iter().cloned().collect()),
            one => Some(vec![one]),
        }
    }
}
