//! How calls are opened and closed, by a result or by a failure.

use std::sync::Arc;

use super::code::{Args, Code, Slot};
use super::machine::{Flow, Frame, Machine, fetch, not_a};
use super::memory;
use crate::failure::{Failure, FailureKind};
use crate::limits::Limit;
use crate::value::{self, Value};
use crate::{Span, Symbol};

/// The number of innermost calls of a deep call stack that a failure keeps, and likewise of outermost ones.
const KEPT_INNERMOST: usize = 64;
const KEPT_OUTERMOST: usize = 16;

impl Frame {
    /// The calls that are open in the frame: its own, and those that were inlined.
    fn open_calls(&self) -> impl Iterator<Item = (Symbol, Span)> + use<> {
        let step = self.code.steps.get(self.next.saturating_sub(1));
        step.map_or(Span::unknown(), |step| step.span).open_calls(self.code.func.name)
    }
}

impl<'a> Machine<'_, '_, 'a> {
    /// Closes the calls above `floor` and records them in the failure.
    pub(super) fn unwind(&mut self, mut failure: Failure, floor: usize) -> Failure {
        // Inlined calls count as open, too.
        let open: usize = self.frames[floor..].iter().map(|frame| frame.open_calls().count()).sum();
        let calls = self.frames[floor..].iter().rev().flat_map(Frame::open_calls);
        for (i, (func, span)) in calls.enumerate() {
            if i < KEPT_INNERMOST || i + KEPT_OUTERMOST >= open {
                failure = failure.at(span).through(func, span);
            }
        }
        if let Some(frame) = self.frames.drain(floor..).next() {
            self.slots.truncate(frame.base);
        }
        self.suspended_ops.retain(|op| op.depth <= floor);
        failure
    }

    pub(super) fn push(
        &mut self,
        code: Arc<Code>,
        args: Vec<Value<'a>>,
        result: Option<Slot>,
    ) -> Result<(), Failure> {
        let base = self.open(code, args.len(), result)?;
        for (at, arg) in args.into_iter().enumerate() {
            self.store_arg(base, at, arg);
        }
        Ok(())
    }

    /// Opens a call by name from the frame at `caller`.
    pub(super) fn push_from(
        &mut self,
        caller: usize,
        code: Arc<Code>,
        args: &Args,
        result: Option<Slot>,
    ) -> Result<(), Failure> {
        let base = self.open(code, args.len(), result)?;
        for (at, arg) in args.iter().enumerate() {
            let arg = fetch(&mut self.slots, caller, arg);
            self.store_arg(base, at, arg);
        }
        Ok(())
    }

    /// Stores an argument in the innermost frame, whose slots begin at `base`.
    fn store_arg(&mut self, base: usize, at: usize, arg: Value<'a>) {
        if let Some(slot) = self.frames.last().and_then(|frame| frame.code.params.get(at)) {
            self.slots[base + slot.index()] = arg;
        }
    }

    /// Opens a frame for a call with this number of arguments; returns the index of its first slot.
    fn open(&mut self, code: Arc<Code>, args: usize, result: Option<Slot>) -> Result<usize, Failure> {
        if self.frames.len() >= self.grant.depth.left {
            return Err(Failure::of_limit(Limit::Depth(self.grant.depth.limit)));
        }
        if args != code.params.len() {
            let message = format!("`@{}` takes {} arguments, got {args}", code.func.name, code.params.len());
            return Err(Failure::new(FailureKind::Type, message));
        }
        let base = self.slots.len();
        self.slots.resize(base + code.func.vars.len(), Value::Unit);
        self.slots.extend(code.quick.consts.iter().cloned());
        self.frames.push(Frame { code, next: 0, base, result });
        Ok(base)
    }

    pub(super) fn ret(&mut self, floor: usize, value: Value<'a>) -> Result<Flow<'a>, Failure> {
        let frame = self.frames.pop().expect("a frame is running");
        self.slots.truncate(frame.base);
        if self.frames.len() == floor {
            return Ok(Flow::Done(value));
        }
        let Some(value) = self.record_result(value) else { return Ok(Flow::Changed) };
        let caller = self.frames.last().expect("above the floor there is a caller").base;
        self.store(caller, frame.result, value)?;
        Ok(Flow::Changed)
    }

    pub(super) fn call_value(
        &mut self,
        base: usize,
        callee: &Value<'a>,
        mut operands: Vec<Value<'a>>,
        result: Option<Slot>,
    ) -> Result<Flow<'a>, Failure> {
        let Value::Closure(closure) = callee else {
            return Err(not_a("function", callee));
        };
        operands.splice(0..0, closure.captures.iter().cloned());
        match &closure.code {
            value::Code::Func(name) => {
                let code = self.interp.code(*name)?;
                self.push(code, operands, result)?;
                Ok(Flow::Changed)
            }
            value::Code::Host(host) => {
                let value = self.call_host(host.as_ref(), &mut operands);
                let before = memory::Before::Operand { address: None, bytes: 0 };
                self.store_result(base, result, value?, before)?;
                Ok(Flow::Same)
            }
        }
    }
}

/// The arguments for the code of a closure: its captures, then the operands.
pub(super) fn with_captures<'a>(callee: &Value<'a>, mut operands: Vec<Value<'a>>) -> Vec<Value<'a>> {
    if let Value::Closure(closure) = callee {
        operands.splice(0..0, closure.captures.iter().cloned());
    }
    operands
}
