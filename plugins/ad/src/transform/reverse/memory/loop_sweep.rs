//! The forward sweep of a loop: it measures the loop, and chooses how to reverse it.
//!
//! - LOOPSWEEP1 the loops inside are stored with each iteration, if one iteration fits; else they are loops within a memory
//!   themselves, and a chunk is one iteration.

use overdub_context::Symbol;
use overdub_context::ir::{Func, FuncBuilder, Operand, Ty};
use overdub_context::ops;

use super::super::accumulators::signature;
use super::super::tape_report::place;
use super::family::{LoopCall, Within};
use super::ops::{ENOUGH_MEMORY, MEMORY_LEFT};
use super::schedule_funcs::Schedule;
use super::sizes::{measured_ty, size_of};
use crate::refusal::Cause;

/// One way to reverse a loop: the run that measures it, and the reverse sweep.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variant {
    pub(super) measure: Symbol,
    pub(super) driver: Symbol,
}

/// The bytes of a snapshot besides the state: the number of the chunk.
const NUMBER: usize = 8;

pub(super) struct SweepBuilder<'s> {
    pub(super) call: &'s LoopCall,
    pub(super) schedule: &'s Schedule,
    /// The loops inside are stored.
    pub(super) stored: &'s Variant,
    /// The loops inside are called.
    pub(super) inner: Option<&'s Variant>,
    pub(super) build: FuncBuilder,
}

/// What a measuring run found (SIZES1, SIZES2).
struct Measured {
    y: Operand,
    iterations: Operand,
    record: Operand,
    snapshot: Operand,
    inner: Operand,
}

impl SweepBuilder<'_> {
    /// Builds the function: it returns the result of the loop and its reverse sweep.
    pub(super) fn func(mut self) -> Result<Func, Cause> {
        let func = &self.call.chunk.func;
        self.build.set_func_span(func.span);
        self.build.set_span(func.span);
        let params: Vec<Ty> = func.param_tys().collect();
        let args: Vec<Operand> = params.iter().map(|ty| self.build.param("arg", *ty).into()).collect();
        let left = self.memory_left(&args, &params)?;
        let found = measure(&mut self.build, self.call, self.stored.measure, &args)?;
        let needed = self.sum(&found.snapshot, &found.record)?;
        let Some(inner) = self.inner else {
            let left = self.enough(needed, left)?;
            let pullback = self.stored_sweep(&found, left, &args)?;
            return self.end(found.y, pullback);
        };
        let (takes, ret) = signature(&params, &self.call.chunk.wrt, func.ret, self.call.accumulators())?;
        let (fits, exceeds, end) = (self.build.new_block(), self.build.new_block(), self.build.new_block());
        let pullback = self.build.block_param(end, Ty::func(takes, ret));
        let is_enough = self.build.op(&ops::LE, [needed, left.clone()])?;
        self.build.br_if(is_enough, fits.into(), exceeds.into())?;
        self.build.switch_to(fits)?;
        let stored = self.stored_sweep(&found, left.clone(), &args)?;
        self.build.br(end, [stored])?;
        self.build.switch_to(exceeds)?;
        let outer = measure(&mut self.build, self.call, inner.measure, &args)?;
        let called = self.outer_sweep(inner, &outer, left, &args)?;
        self.build.br(end, [called])?;
        self.build.switch_to(end)?;
        self.end(found.y, pullback.into())
    }

    fn sum(&mut self, a: &Operand, b: &Operand) -> Result<Operand, Cause> {
        Ok(self.build.op(&ops::ADD_WRAPPING, [a.clone(), b.clone()])?.into())
    }

    fn place(&self) -> String {
        place(self.call.chunk.func.span)
    }

    fn limit(&self) -> Operand {
        i64::try_from(self.call.memory).unwrap_or(i64::MAX).into()
    }

    /// What the reverse sweep of the loop may keep; its initial state is kept from now on.
    fn memory_left(&mut self, args: &[Operand], params: &[Ty]) -> Result<Operand, Cause> {
        if self.call.within == Within::Iteration {
            return Ok(args[1].clone());
        }
        let mut snapshot = Operand::from(NUMBER);
        for (arg, ty) in args.iter().zip(params).skip(self.call.chunk.first_of_state()) {
            let size = size_of(&mut self.build, arg.clone(), *ty)?;
            snapshot = self.sum(&snapshot, &size)?;
        }
        let (limit, place) = (self.limit(), self.place());
        Ok(self.build.op(&MEMORY_LEFT, [snapshot, limit, Operand::from(place.as_str())])?.into())
    }

    /// What is left, which must be as much as is needed.
    fn enough(&mut self, needed: Operand, left: Operand) -> Result<Operand, Cause> {
        let (limit, place) = (self.limit(), self.place());
        Ok(self.build.op(&ENOUGH_MEMORY, [needed, left, limit, Operand::from(place.as_str())])?.into())
    }

    /// The reverse sweep in chunks whose inner loops are stored.
    fn stored_sweep(&mut self, found: &Measured, left: Operand, args: &[Operand]) -> Result<Operand, Cause> {
        let Measured { iterations, record, snapshot, .. } = found;
        let Schedule { chunk_of, snapshots, .. } = self.schedule;
        let sizes = [record.clone(), snapshot.clone(), left];
        let of_loop = [iterations.clone()].into_iter().chain(sizes.clone());
        let length: Operand = self.build.call(chunk_of.name, of_loop, Ty::usize())?.into();
        let of_chunk = [length.clone()].into_iter().chain(sizes);
        let count = self.build.call(snapshots.name, of_chunk, Ty::usize())?;
        let captured = [iterations.clone(), length, count.into(), 0_usize.into()];
        self.pullback(self.stored.driver, captured, args)
    }

    /// The reverse sweep by single iterations, whose inner loops share what the snapshots leave.
    fn outer_sweep(
        &mut self,
        inner: &Variant,
        found: &Measured,
        left: Operand,
        args: &[Operand],
    ) -> Result<Operand, Cause> {
        let of_iteration = self.sum(&found.record, &found.inner)?;
        let needed = self.sum(&found.snapshot, &of_iteration)?;
        let left = self.enough(needed, left)?;
        let operands = [found.iterations.clone(), of_iteration, found.snapshot.clone(), left.clone()];
        let count = self.build.call(self.schedule.outer_snapshots.name, operands, Ty::usize())?;
        let kept = self.build.op(&ops::MUL_WRAPPING, [count.into(), found.snapshot.clone()])?;
        let kept = self.sum(&kept.into(), &found.record)?;
        let memory = self.build.op(&ops::SUB_WRAPPING, [left, kept])?;
        let captured = [found.iterations.clone(), 1_usize.into(), count.into(), memory.into()];
        self.pullback(inner.driver, captured, args)
    }

    fn pullback(
        &mut self,
        driver: Symbol,
        captured: [Operand; 4],
        args: &[Operand],
    ) -> Result<Operand, Cause> {
        let chunk = &self.call.chunk;
        let params: Vec<Ty> = chunk.func.param_tys().collect();
        let captured: Vec<Operand> = captured.into_iter().chain(args.iter().skip(2).cloned()).collect();
        let tys = captured.iter().map(|operand| self.build.ty(operand)).collect::<Result<Vec<_>, _>>()?;
        let (takes, ret) = signature(&params, &chunk.wrt, chunk.func.ret, self.call.accumulators())?;
        let closure = self.build.op_as(&ops::CLOSURE, captured, Ty::closure(driver, tys))?;
        Ok(self.build.op_as(&ops::ERASE, [closure], Ty::func(takes, ret))?.into())
    }

    fn end(mut self, y: Operand, pullback: Operand) -> Result<Func, Cause> {
        let both = self.build.op(&ops::TUPLE, [y, pullback])?;
        self.build.set_ret(self.build.ty(&both.into())?);
        self.build.ret(both)?;
        Ok(self.build.finish()?)
    }
}

/// Appends a measuring run.
fn measure(
    build: &mut FuncBuilder,
    call: &LoopCall,
    measure: Symbol,
    args: &[Operand],
) -> Result<Measured, Cause> {
    let all: Operand = build.call(measure, args.to_vec(), measured_ty(call.chunk.func.ret))?.into();
    let mut part = |k: i64| Ok::<Operand, Cause>(build.op(&ops::FIELD, [all.clone(), k.into()])?.into());
    let (y, iterations, record, state, inner) = (part(0)?, part(1)?, part(2)?, part(3)?, part(4)?);
    let snapshot = build.op(&ops::ADD_WRAPPING, [state, NUMBER.into()])?.into();
    Ok(Measured { y, iterations, record, snapshot, inner })
}

/// Builds the function that runs the loop, and returns the result and the least memory that its reverse sweep needs.
pub(super) fn least(call: &LoopCall, name: Symbol, by: Symbol) -> Result<Func, Cause> {
    let func = &call.chunk.func;
    let mut build = FuncBuilder::new(name, Ty::tuple([func.ret, Ty::usize()]));
    build.set_func_span(func.span);
    build.set_span(func.span);
    let args: Vec<Operand> = func.param_tys().map(|ty| build.param("arg", ty).into()).collect();
    let Measured { y, record, snapshot, inner, .. } = measure(&mut build, call, by, &args)?;
    let of_iteration = build.op(&ops::ADD_WRAPPING, [record, inner])?;
    let least = build.op(&ops::ADD_WRAPPING, [snapshot, of_iteration.into()])?;
    let both = build.op(&ops::TUPLE, [y, least.into()])?;
    build.ret(both)?;
    Ok(build.finish()?)
}
