//! The reverse sweep of a loop by binomial checkpointing: it recomputes the state before each chunk from a snapshot, and
//! reverses the chunk.
//!
//! Before the arguments of the chunk it captures the number of iterations, the length of a chunk, the number of snapshots,
//! and the memory for the loops inside.
//!
//! - REVOLVE1 the chunks begin at multiples of their length; the last one ends where the loop ended.
//! - REVOLVE2 the snapshots are on a stack, the nearest on top; that of the initial state is at the bottom until the first
//!   chunk is reversed.

use overdub_context::Symbol;
use overdub_context::ir::{Func, FuncBuilder, Operand, Ty};
use overdub_context::ops;
use overdub_context::ssa::{SsaBuilder, Variable};

use super::super::accumulators::{Accumulators, signature};
use super::super::default_value::placeholder;
use super::super::tape_report;
use super::outline::Chunk;
use super::schedule_funcs::Schedule;
use crate::cotangent::{cotangent, parts_of};
use crate::refusal::Cause;

/// What the reverse sweep of a loop calls.
pub(super) struct Driver<'d> {
    pub(super) name: Symbol,
    pub(super) chunk: &'d Chunk,
    /// The cotangents of a chunk's arguments, added to accumulators, for one of its result.
    pub(super) accumulate: Symbol,
    pub(super) schedule: &'d Schedule,
    /// Whether the bytes that are kept are counted as they are recorded.
    pub(super) counts: bool,
}

struct DriverBuilder<'d> {
    of: &'d Driver<'d>,
    build: SsaBuilder,
    invariants: Vec<Operand>,
    /// The memory for the loops inside.
    memory: Operand,
    /// The types of the cotangents that it returns, and the number of the argument that each belongs to.
    gradients: Vec<(usize, Ty)>,
    at: Variable,
    reached: Variable,
    state: Vec<Variable>,
    stack: Variable,
    sums: Vec<Variable>,
    dy: Variable,
}

impl Driver<'_> {
    /// Builds the function: its parameters are the captures, the accumulators, and the cotangent of the result.
    pub(super) fn func(&self) -> Result<Func, Cause> {
        let chunk = self.chunk;
        let params: Vec<Ty> = chunk.func.param_tys().collect();
        let accumulators = Accumulators::Before(chunk.first_of_state());
        let (takes, ret) = signature(&params, &chunk.wrt, chunk.func.ret, accumulators)?;
        let mut build = SsaBuilder::new(FuncBuilder::new(self.name, ret));
        build.set_func_span(chunk.func.span);
        build.set_span(chunk.func.span);
        let names = ["iterations", "length", "count", "memory"];
        let sizes: Vec<Operand> = names.map(|name| build.param(name, Ty::usize()).into()).into();
        let mut args: Vec<Operand> = params[2..].iter().map(|ty| build.param("arg", *ty).into()).collect();
        let first = args.split_off(chunk.invariants);
        let mut sums: Vec<Operand> = takes.iter().map(|ty| build.param("sum", *ty).into()).collect();
        let dy = sums.pop().expect("RULESWEEP1: the cotangent of the result comes last");
        let state_tys = &params[chunk.first_of_state()..];
        let snapshot = Ty::tuple([Ty::usize(), Ty::tuple(state_tys.iter().copied())]);
        let mut declare = |ty: Ty, name: &str| build.declare_variable(ty, Some(name));
        let gradients =
            (0..params.len()).filter(|at| chunk.wrt[*at]).map(|at| Ok((at, cotangent(params[at])?)));
        let gradients = gradients.collect::<Result<Vec<_>, Cause>>()?;
        let mut builder = DriverBuilder {
            of: self,
            at: declare(Ty::usize(), "at"),
            reached: declare(Ty::usize(), "reached"),
            state: state_tys.iter().map(|ty| declare(*ty, "state")).collect(),
            stack: declare(Ty::stack(snapshot), "snapshots"),
            sums: takes[..sums.len()].iter().map(|ty| declare(*ty, "sum")).collect(),
            dy: declare(cotangent(chunk.func.ret)?, "dy"),
            build,
            invariants: args,
            memory: sizes[3].clone(),
            gradients,
        };
        builder.all(&sizes, first, sums, dy)?;
        Ok(builder.build.finish()?)
    }
}

impl DriverBuilder<'_> {
    fn all(
        &mut self,
        sizes: &[Operand],
        first: Vec<Operand>,
        sums: Vec<Operand>,
        dy: Operand,
    ) -> Result<(), Cause> {
        let [iterations, length, count, _] = sizes else { unreachable!("there are four") };
        let all = self.build.op(&ops::SUB_WRAPPING, [iterations.clone(), 1_usize.into()])?;
        let last: Operand = self.build.op(&ops::DIV, [all.into(), length.clone()])?.into();
        let ty = self.build.variable_ty(self.stack);
        let empty = self.build.op_as(&ops::STACK_NEW, [] as [Operand; 0], ty)?;
        self.build.write_variable(self.stack, empty)?;
        // The forward sweep has counted this one already.
        let state = self.build.op(&ops::TUPLE, first)?;
        let first = self.build.op(&ops::TUPLE, [0_usize.into(), Operand::from(state)])?;
        self.push(first.into())?;
        self.build.write_variable(self.at, last.clone())?;
        self.build.write_variable(self.dy, dy)?;
        for (variable, sum) in self.sums.clone().into_iter().zip(sums) {
            self.build.write_variable(variable, sum)?;
        }
        let (reverse, done, next) = (self.build.new_block(), self.build.new_block(), self.build.new_block());
        self.build.br(reverse, [] as [Operand; 0])?;
        self.build.switch_to(reverse)?;
        self.advance(length, count)?;
        let cotangents = self.reverse(length, &last)?;
        let at = self.build.read_variable(self.at)?;
        let is_first = self.build.op(&ops::EQ, [at.clone(), 0_usize.into()])?;
        self.build.br_if(is_first, done.into(), next.into())?;
        self.build.switch_to(next)?;
        let before = self.build.op(&ops::SUB_WRAPPING, [at, 1_usize.into()])?;
        self.build.write_variable(self.at, before)?;
        self.build.br(reverse, [] as [Operand; 0])?;
        self.build.switch_to(done)?;
        let result = self.build.op(&ops::TUPLE, cotangents)?;
        Ok(self.build.ret(result)?)
    }

    fn push(&mut self, snapshot: Operand) -> Result<(), Cause> {
        let stack = self.build.read_variable(self.stack)?;
        let pushed = self.build.op(&ops::STACK_PUSH, [stack, snapshot])?;
        Ok(self.build.write_variable(self.stack, pushed)?)
    }

    fn take_snapshot(&mut self) -> Result<(), Cause> {
        let state = self.read_state()?;
        let state = self.build.op(&ops::TUPLE, state)?;
        let reached = self.build.read_variable(self.reached)?;
        let snapshot: Operand = self.build.op(&ops::TUPLE, [reached, state.into()])?.into();
        if self.of.counts {
            let place = tape_report::place(self.of.chunk.func.span);
            let operands = [snapshot.clone(), i64::MAX.into(), Operand::from(place.as_str())];
            self.build.op(&tape_report::HOLD, operands)?;
        }
        self.push(snapshot)
    }

    fn field(&mut self, of: &Operand, k: usize) -> Result<Operand, Cause> {
        Ok(self.build.op(&ops::FIELD, [of.clone(), (k as i64).into()])?.into())
    }

    fn write_state(&mut self, of: &Operand, first: usize) -> Result<(), Cause> {
        for (k, variable) in self.state.clone().into_iter().enumerate() {
            let part = self.field(of, first + k)?;
            self.build.write_variable(variable, part)?;
        }
        Ok(())
    }

    fn read_state(&mut self) -> Result<Vec<Operand>, Cause> {
        let state = self.state.clone().into_iter();
        Ok(state.map(|variable| self.build.read_variable(variable)).collect::<Result<_, _>>()?)
    }

    /// Recomputes the state before the chunk to be reversed, and takes snapshots on the way to it (REVOLVE2).
    fn advance(&mut self, length: &Operand, count: &Operand) -> Result<(), Cause> {
        let stack = self.build.read_variable(self.stack)?;
        let top: Operand = self.build.op(&ops::STACK_PEEK, [stack])?.into();
        let (reached, state) = (self.field(&top, 0)?, self.field(&top, 1)?);
        self.build.write_variable(self.reached, reached)?;
        self.write_state(&state, 0)?;
        let blocks = [(); 4].map(|()| self.build.new_block());
        let [head, run, keep, arrived] = blocks;
        self.build.br(head, [] as [Operand; 0])?;
        self.build.switch_to(head)?;
        let (reached, at) = (self.build.read_variable(self.reached)?, self.build.read_variable(self.at)?);
        let less = self.build.op(&ops::LT, [reached.clone(), at.clone()])?;
        self.build.br_if(less, run.into(), arrived.into())?;
        self.build.switch_to(run)?;
        let distance = self.build.op(&ops::SUB_WRAPPING, [at.clone(), reached.clone()])?;
        let stack = self.build.read_variable(self.stack)?;
        let taken = self.build.op(&ops::STACK_LEN, [stack])?;
        let free = self.build.op(&ops::SUB_WRAPPING, [count.clone(), taken.into()])?;
        let advance = self.of.schedule.advance.name;
        let by = self.build.call(advance, [distance, free], Ty::usize())?;
        let iterations = self.build.op(&ops::MUL_WRAPPING, [Operand::from(by), length.clone()])?;
        let state = self.read_state()?;
        let args =
            [iterations.into(), 0_usize.into()].into_iter().chain(self.invariants.clone()).chain(state);
        let chunk = &self.of.chunk.func;
        let result = self.build.call(chunk.name, args.collect::<Vec<Operand>>(), chunk.ret)?.into();
        self.write_state(&result, 1)?;
        let reached = self.build.op(&ops::ADD_WRAPPING, [reached, by.into()])?;
        self.build.write_variable(self.reached, reached)?;
        let before = self.build.op(&ops::LT, [reached.into(), at])?;
        self.build.br_if(before, keep.into(), head.into())?;
        self.build.switch_to(keep)?;
        self.take_snapshot()?;
        self.build.br(head, [] as [Operand; 0])?;
        Ok(self.build.switch_to(arrived)?)
    }

    /// Drops the snapshot of the current chunk, if there is one, and reverses the chunk.
    fn reverse(&mut self, length: &Operand, last: &Operand) -> Result<Vec<Operand>, Cause> {
        let (pop, reverse) = (self.build.new_block(), self.build.new_block());
        let stack = self.build.read_variable(self.stack)?;
        let top: Operand = self.build.op(&ops::STACK_PEEK, [stack.clone()])?.into();
        let (of_top, at) = (self.field(&top, 0)?, self.build.read_variable(self.at)?);
        let is_here = self.build.op(&ops::EQ, [of_top, at.clone()])?;
        self.build.br_if(is_here, pop.into(), reverse.into())?;
        self.build.switch_to(pop)?;
        let popped: Operand = self.build.op(&ops::STACK_POP, [stack])?.into();
        if self.of.counts {
            let snapshot = self.field(&popped, 0)?;
            self.build.op(&tape_report::RELEASE, [snapshot])?;
        }
        let rest = self.field(&popped, 1)?;
        self.build.write_variable(self.stack, rest)?;
        self.build.br(reverse, [] as [Operand; 0])?;
        self.build.switch_to(reverse)?;
        let is_last = self.build.op(&ops::EQ, [at, last.clone()])?;
        let left = self.build.op(&ops::SELECT, [is_last.into(), usize::MAX.into(), length.clone()])?;
        let mut args: Vec<Operand> = vec![left.into(), self.memory.clone()];
        args.extend(self.invariants.iter().cloned());
        args.extend(self.read_state()?);
        for variable in self.sums.clone() {
            args.push(self.build.read_variable(variable)?);
        }
        args.push(self.build.read_variable(self.dy)?);
        let ret = Ty::tuple(self.gradients.iter().map(|(_, dty)| *dty));
        let found = self.build.call(self.of.accumulate, args, ret)?.into();
        let cotangents = (0..self.gradients.len()).map(|k| self.field(&found, k));
        let cotangents = cotangents.collect::<Result<Vec<_>, _>>()?;
        for (variable, sum) in self.sums.clone().into_iter().zip(&cotangents) {
            self.build.write_variable(variable, sum.clone())?;
        }
        let dy = self.of_state(&cotangents)?;
        self.build.write_variable(self.dy, dy)?;
        Ok(cotangents)
    }

    /// The cotangent of the result of a chunk that stopped, from that of the state after it.
    fn of_state(&mut self, cotangents: &[Operand]) -> Result<Operand, Cause> {
        let first = self.of.chunk.first_of_state();
        let mut parts = Vec::new();
        for (k, dty) in parts_of(self.build.variable_ty(self.dy)).into_iter().enumerate() {
            let argument = (first + k).checked_sub(1).filter(|at| k > 0 && *at < self.of.chunk.wrt.len());
            let place = self.gradients.iter().position(|(at, _)| Some(*at) == argument);
            parts.push(match place {
                Some(place) => cotangents[place].clone(),
                None => placeholder(&mut self.build, dty)?,
            });
        }
        Ok(self.build.op(&ops::TUPLE, parts)?.into())
    }
}
