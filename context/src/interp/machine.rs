//! The machine: frames, slots, and the meaning of each step.

use std::fmt;
use std::sync::Arc;

use smallvec::SmallVec;

use super::callbacks::{CallReplay, SuspendedOp};
use super::calls::with_captures;
use super::code::{Arg, Args, CalleeCode, Code, Edge, Slot, StepKind};
use super::journal::reads_clock;
use super::pausing::views;
use super::{FrameView, Interpreter, memory};
use crate::Symbol;
use crate::failure::{Failure, FailureKind};
use crate::limits::{Budget, Grant, Left, Limit};
use crate::ops::{self, OpCx};
use crate::value::Value;

/// The number of steps between two checks of a run's limits.
const CHECK_INTERVAL: u64 = 4096;

/// An open call.
#[derive(Clone)]
pub(super) struct Frame {
    pub(super) code: Arc<Code>,
    /// The step to run next; while a call is open, the one after it.
    pub(super) next: usize,
    /// The index of its first slot.
    pub(super) base: usize,
    /// The slot of the caller for the result.
    pub(super) result: Option<Slot>,
}

/// The state of a run.
pub(super) struct Machine<'i, 'm, 'a> {
    pub(super) interp: &'i mut Interpreter<'m>,
    pub(super) grant: Grant,
    pub(super) frames: Vec<Frame>,
    pub(super) slots: Vec<Value<'a>>,
    pub(super) steps: u64,
    /// The number of steps reported to the budget.
    pub(super) steps_reported: u64,
    /// The number of steps at which the budget is checked next.
    pub(super) next_budget_check: u64,
    /// The number of nested operations that call back into the program. They nest on the machine stack, which
    /// grows for them.
    pub(super) reentries: usize,
    pub(super) meter: memory::Meter,
    /// A buffer for the arguments of a branch.
    moving: Vec<Value<'a>>,
    pub(super) globals: ops::Globals,
    /// The step that is printing for the first time, with a journal.
    pub(super) printing: Option<u64>,
    /// The number of steps before the one that the outermost loop is running.
    pub(super) steps_at_last_full: u64,
    /// Whether the run may pause before each step.
    pub(super) is_stepped: bool,
    /// The run pauses where a call returns and fewer calls than this are open.
    pub(super) pauses_below: usize,
    /// Operations that wait for results of calls, the outermost first.
    pub(super) suspended_ops: Vec<SuspendedOp<'a>>,
    /// The calls requested by the operation being evaluated, if frames make its calls.
    pub(super) call_replay: Option<CallReplay<'a>>,
}

/// The effect of a step on the frames.
pub(super) enum Flow<'a> {
    /// The frame continues.
    Same,
    /// A call was opened or closed.
    Changed,
    /// The frame at the floor returned this.
    Done(Value<'a>),
}

impl<'i, 'm, 'a> Machine<'i, 'm, 'a> {
    pub(super) fn new(interp: &'i mut Interpreter<'m>, grant: Grant) -> Self {
        let meter = memory::Meter::new(grant.memory);
        let interrupts = grant.budget.as_ref().is_some_and(Budget::interrupts);
        Machine {
            interp,
            grant,
            frames: Vec::new(),
            slots: Vec::new(),
            steps: 0,
            steps_reported: 0,
            next_budget_check: if interrupts { 0 } else { u64::MAX },
            reentries: 0,
            meter,
            moving: Vec::new(),
            globals: ops::Globals::new(),
            printing: None,
            steps_at_last_full: 0,
            is_stepped: false,
            pauses_below: 0,
            suspended_ops: Vec::new(),
            call_replay: None,
        }
    }

    /// The resources that the run may use.
    pub(super) fn grant(&self) -> Grant {
        self.grant.clone()
    }

    /// Opens a call of the function `name`.
    pub(super) fn enter(&mut self, name: Symbol, args: Vec<Value<'a>>) -> Result<(), Failure> {
        let code = self.interp.code(name)?;
        self.push(code, args, None)
    }

    /// Runs until the outermost call returns.
    pub(super) fn run(&mut self) -> Result<Value<'a>, Failure> {
        self.run_above(0)
    }

    /// Runs one step; returns the value when the outermost call returns.
    pub(super) fn step(&mut self) -> Result<Option<Value<'a>>, Failure> {
        let Some(frame) = self.frames.last() else { return Ok(Some(Value::Unit)) };
        let (code, base) = (frame.code.clone(), frame.base);
        match self.step_in(&code, base, 0) {
            Ok(Flow::Same | Flow::Changed) => Ok(None),
            Ok(Flow::Done(value)) => Ok(Some(value)),
            Err(failure) => Err(self.unwind(failure, 0)),
        }
    }

    /// The open calls, the innermost first.
    pub(super) fn frames(&self) -> impl Iterator<Item = FrameView<'_, 'a>> {
        views(&self.frames, &self.slots)
    }

    pub(super) fn run_above(&mut self, floor: usize) -> Result<Value<'a>, Failure> {
        while self.frames.len() > floor {
            let frame = self.frames.last().expect("there are more frames than the floor");
            let (code, base) = (frame.code.clone(), frame.base);
            loop {
                self.quick_steps(&code, base);
                match self.step_in(&code, base, floor) {
                    Ok(Flow::Same) => {}
                    Ok(Flow::Changed) => break,
                    Ok(Flow::Done(value)) => return Ok(value),
                    Err(failure) => return Err(self.unwind(failure, floor)),
                }
            }
        }
        Ok(Value::Unit)
    }

    /// Runs quick steps of the innermost frame as long as there are any.
    pub(super) fn quick_steps(&mut self, code: &Code, base: usize) {
        let Some(frame) = self.frames.last_mut() else { return };
        let most = self.next_budget_check.saturating_sub(self.steps);
        let (next, ran) = code.quick.run(&mut self.slots[base..base + code.slots], frame.next, most);
        frame.next = next;
        self.steps += ran;
    }

    /// Checks with the budget whether the run may continue, and for how many steps.
    #[cold]
    fn check_budget(&mut self) -> Result<(), Failure> {
        self.report_steps();
        let Some(budget) = &self.grant.budget else { return Ok(()) };
        let left = budget.steps_left();
        if let Some(Left { left: 0, limit }) = left {
            return Err(Failure::of_limit(Limit::Steps(limit)));
        }
        budget.check()?;
        self.next_budget_check =
            self.steps + left.map_or(CHECK_INTERVAL, |left| left.left.min(CHECK_INTERVAL));
        Ok(())
    }

    fn report_steps(&mut self) {
        if let Some(budget) = &self.grant.budget {
            budget.take_steps(self.steps - self.steps_reported);
            self.steps_reported = self.steps;
        }
    }

    /// Reports the steps to the budget before running code that may begin nested runs.
    pub(super) fn report_before_nested(&mut self) {
        if let Some(budget) = &self.grant.budget {
            if budget.counts_steps() {
                budget.take_steps(self.steps - self.steps_reported);
                self.steps_reported = self.steps;
            }
            self.grant.report_open(self.frames.len(), self.reentries, self.meter.estimate());
        }
    }

    /// Queries the budget after code that may have begun nested runs and so used it up.
    pub(super) fn refresh_budget(&mut self) {
        if let Some(left) = self.grant.budget.as_ref().and_then(Budget::steps_left) {
            self.next_budget_check = self.steps + left.left.min(CHECK_INTERVAL);
        }
    }

    /// Runs one step of the innermost frame, which runs `code` with its slots at `base`.
    pub(super) fn step_in(&mut self, code: &Code, base: usize, floor: usize) -> Result<Flow<'a>, Failure> {
        let frame = self.frames.last_mut().expect("the caller checked that a call is open");
        let step = &code.steps[frame.next];
        frame.next += 1;
        if self.steps >= self.next_budget_check {
            self.check_budget().map_err(|failure| failure.at(step.span))?;
        }
        self.steps += 1;
        if self.is_stepped
            && let Some(suspended) = self.repeated_operands(step, base)
        {
            return self.evaluate_repeated(step, base, suspended);
        }
        match &step.kind {
            StepKind::Const { value } => self.store(base, step.result, value.clone())?,
            StepKind::Op { op, args, ret } => {
                let mut operands: SmallVec<[Value<'a>; 4]> =
                    args.iter().map(|arg| fetch(&mut self.slots, base, arg)).collect();
                let before = self.meter.before(op, *ret, &operands);
                if let Some(known) = self.repeated(op) {
                    self.store_result(base, step.result, known?, before)?;
                    return Ok(Flow::Same);
                }
                // An operation without this effect calls nothing: a call may have any effect.
                let may_run = op.effects.writes;
                if may_run {
                    self.report_before_nested();
                }
                let value = (op.eval)(&mut OpCx { ret: *ret, machine: self }, &mut operands);
                if may_run {
                    self.refresh_budget();
                }
                if reads_clock(op) {
                    self.remember(&value);
                }
                self.store_result(base, step.result, value?, before)?;
            }
            StepKind::Call { callee: CalleeCode::Func(name), args } => {
                let callee = self.interp.code(*name)?;
                if callee.is_delegated {
                    let operands = self.fetch_all(base, args);
                    return self.delegated(base, callee, operands, step.result);
                }
                self.push_from(base, callee, args, step.result)?;
                return Ok(Flow::Changed);
            }
            StepKind::Call { callee: CalleeCode::Value(callee), args } => {
                let operands = self.fetch_all(base, args);
                let callee = fetch(&mut self.slots, base, callee);
                if let Some(code) = self.delegated_code(&callee)? {
                    let operands = with_captures(&callee, operands);
                    return self.delegated(base, code, operands, step.result);
                }
                return self.call_value(base, &callee, operands, step.result);
            }
            StepKind::Br(edge) => self.branch(base, edge),
            StepKind::BrIf { cond, then, otherwise } => match fetch(&mut self.slots, base, cond) {
                Value::Bool(true) => self.branch(base, then),
                Value::Bool(false) => self.branch(base, otherwise),
                other => return Err(not_a("bool", &other)),
            },
            StepKind::Switch { on, cases, otherwise } => {
                let on = fetch(&mut self.slots, base, on);
                let number = switch_number(&on)?;
                drop(on);
                let edge = cases.iter().find(|(value, _)| *value == number).map(|(_, edge)| edge);
                match edge.or(otherwise.as_ref()) {
                    Some(edge) => self.branch(base, edge),
                    None => return Err(Failure::new(FailureKind::Type, format!("no case for {number}"))),
                }
            }
            StepKind::Ret(value) => {
                let value = fetch(&mut self.slots, base, value);
                return self.ret(floor, value);
            }
            StepKind::Fail(message) => {
                let message = fetch(&mut self.slots, base, message);
                let text = message.as_str().ok_or_else(|| not_a("str", &message))?;
                return Err(Failure::new(FailureKind::Panic, text));
            }
        }
        Ok(Flow::Same)
    }

    fn fetch_all(&mut self, base: usize, args: &Args) -> Vec<Value<'a>> {
        args.iter().map(|arg| fetch(&mut self.slots, base, arg)).collect()
    }

    pub(super) fn store(&mut self, base: usize, slot: Option<Slot>, value: Value<'a>) -> Result<(), Failure> {
        self.store_result(base, slot, value, memory::Before::Moved)
    }

    /// Stores the result of an operation, which may be an operand that was updated in place.
    pub(super) fn store_result(
        &mut self,
        base: usize,
        slot: Option<Slot>,
        value: Value<'a>,
        before: memory::Before,
    ) -> Result<(), Failure> {
        let more = if self.meter.is_on() { before.more_in(&value) } else { 0 };
        if more > 0 && self.meter.add(more) {
            self.measure(0)?;
        }
        if let Some(slot) = slot {
            self.slots[base + slot.index()] = value;
        }
        Ok(())
    }

    /// Takes an edge: all arguments are read before any parameter is written.
    fn branch(&mut self, base: usize, edge: &Edge) {
        if let ([arg], [param]) = (edge.args.as_slice(), edge.params.as_slice()) {
            let value = fetch(&mut self.slots, base, arg);
            self.slots[base + param.index()] = value;
        } else {
            let mut moving = std::mem::take(&mut self.moving);
            moving.extend(edge.args.iter().map(|arg| fetch(&mut self.slots, base, arg)));
            for (param, value) in edge.params.iter().zip(moving.drain(..)) {
                self.slots[base + param.index()] = value;
            }
            self.moving = moving;
        }
        for slot in &edge.dead {
            self.slots[base + slot.index()] = Value::Unit;
        }
        self.frames.last_mut().expect("a frame is running").next = edge.target as usize;
    }

    /// Checks the size of the run's values, plus `more` bytes, against the memory limit.
    pub(super) fn measure(&mut self, more: usize) -> Result<(), Failure> {
        self.meter.measure(&self.slots, self.globals.cells(), more)
    }
}

impl Drop for Machine<'_, '_, '_> {
    /// Reports the steps since the last check to the budget.
    fn drop(&mut self) {
        self.report_steps();
    }
}

impl fmt::Debug for Machine<'_, '_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Machine").field("calls", &self.frames.len()).field("steps", &self.steps).finish()
    }
}

pub(super) fn fetch<'a>(slots: &mut [Value<'a>], base: usize, arg: &Arg) -> Value<'a> {
    match arg {
        Arg::Copy(slot) => slots[base + slot.index()].clone(),
        Arg::Move(slot) => slots[base + slot.index()].take(),
        Arg::Const(value) => value.clone(),
    }
}

/// The value that [`fetch`] would return.
pub(super) fn peek<'s, 'a>(slots: &'s [Value<'a>], base: usize, arg: &'s Arg) -> &'s Value<'a> {
    match arg {
        Arg::Copy(slot) | Arg::Move(slot) => &slots[base + slot.index()],
        Arg::Const(value) => value,
    }
}

fn switch_number(on: &Value<'_>) -> Result<i128, Failure> {
    match on {
        Value::Composite(composite) => Ok(i128::from(composite.tag)),
        Value::Char(c) => Ok(i128::from(u32::from(*c))),
        Value::Bool(b) => Ok(i128::from(*b)),
        other => other.as_int().map(|(_, n)| n).ok_or_else(|| not_a("number or enum", other)),
    }
}

pub(super) fn not_a(what: &str, value: &Value<'_>) -> Failure {
    Failure::new(FailureKind::Type, format!("expected a {what}, found {value:?}"))
}
