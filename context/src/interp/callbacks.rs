//! Pausing inside functions that an operation calls, such as the comparison of a sort.
//!
//! - PAUSECALL1 such an operation has no observable effect besides its calls. Where it requests a call whose
//!   result is not known yet, its evaluation is abandoned, frames of the run make the call, and the operation
//!   is evaluated again from the beginning: the calls that have returned get their recorded results.
//! - PAUSECALL2 an operation counts as one step however often it is evaluated, so a step number identifies
//!   the same moment whether its calls are made by frames or within one step.
//! - PAUSECALL3 the evaluations of one operation take time quadratic in the number of its calls, so this is
//!   done only where the run may have to pause inside.

use hashbrown::HashSet;
use smallvec::SmallVec;

use super::Interpreter;
use super::code::{CodeStep, StepKind};
use super::machine::{Flow, Machine, fetch, peek};
use crate::Symbol;
use crate::failure::{Failure, FailureKind};
use crate::ir::{Callee, Func, InstKind, TyKind};
use crate::ops::{self, OpCx, OpDef};
use crate::value::{self, Value};

/// The operations to which PAUSECALL1 applies.
const REPEATED: [&OpDef; 5] = [&ops::SORT_BY, &ops::SORT_ORDER, &ops::ND_MAP, &ops::ND_ZIP_MAP, &ops::GLOBAL];

/// An operation that waits for the result of a call.
#[derive(Clone)]
pub(super) struct SuspendedOp<'a> {
    /// The number of open frames when it requested the call.
    pub(super) depth: usize,
    pub(super) args: SmallVec<[Value<'a>; 4]>,
    pub(super) results: Vec<Value<'a>>,
}

/// The calls requested by the operation that is being evaluated.
pub(super) struct CallReplay<'a> {
    results: Vec<Value<'a>>,
    /// The number of recorded results used in this evaluation.
    used: usize,
    requested: Option<(Value<'a>, Vec<Value<'a>>)>,
}

impl<'a> CallReplay<'a> {
    /// The next recorded result; if there is none, records the requested call and fails.
    pub(super) fn next_result(
        &mut self,
        callee: &Value<'a>,
        args: Vec<Value<'a>>,
    ) -> Result<Value<'a>, Failure> {
        if let Some(result) = self.results.get(self.used) {
            self.used += 1;
            return Ok(result.clone());
        }
        self.requested.get_or_insert_with(|| (callee.clone(), args));
        Err(Failure::new(FailureKind::Host, "the answer of a call is awaited"))
    }
}

impl<'m> Interpreter<'m> {
    /// Lets stepped executions also pause in functions that operations call but that contain no mark, so that
    /// a run can stop there after a number of steps. This takes time quadratic in the number of calls that an
    /// operation makes.
    #[must_use]
    pub fn pausing_in_callbacks(mut self) -> Self {
        self.pauses_in_callbacks = true;
        self
    }

    /// Whether a run of a function may reach a mark.
    fn may_pause(&mut self, name: Symbol) -> bool {
        if self.pauses_in_callbacks || self.marks.is_none() {
            return self.pauses_in_callbacks;
        }
        let (mut seen, mut pending) = (HashSet::new(), vec![name]);
        while let Some(name) = pending.pop() {
            let Ok(code) = self.code(name) else { continue };
            if code.marked.contains(&true) || calls_unknown(&code.func) {
                return true;
            }
            pending.extend(code.func.mentioned().filter(|callee| seen.insert(*callee)));
        }
        false
    }
}

/// Whether a function calls a value whose type does not determine its code.
fn calls_unknown(func: &Func) -> bool {
    func.blocks.iter().flat_map(|body| &body.insts).any(|inst| match &inst.kind {
        InstKind::Call { callee: Callee::Value(value), .. } => {
            !value.var().is_some_and(|var| matches!(func.ty(var).kind(), TyKind::Closure(_)))
        }
        _ => false,
    })
}

impl<'a> Machine<'_, '_, 'a> {
    /// Whether the innermost frame is within an operation that waits for a result.
    pub(super) fn is_in_suspended_op(&self) -> bool {
        self.suspended_ops.last().is_some_and(|op| op.depth == self.frames.len())
    }

    /// The operands of a step's operation, if its calls are to be made by frames of this run (PAUSECALL3).
    pub(super) fn repeated_operands(&mut self, step: &CodeStep, base: usize) -> Option<SuspendedOp<'a>> {
        let StepKind::Op { op, args, .. } = &step.kind else { return None };
        if self.reentries > 0 || !REPEATED.contains(op) {
            return None;
        }
        let depth = self.frames.len();
        if self.is_in_suspended_op() {
            // PAUSECALL2
            self.steps -= 1;
            return self.suspended_ops.pop();
        }
        // Operands are inspected before they are moved.
        let functions = args.iter().filter_map(|arg| match peek(&self.slots, base, arg) {
            Value::Closure(closure) => match &closure.code {
                value::Code::Func(name) => Some(*name),
                value::Code::Host(_) => None,
            },
            _ => None,
        });
        let functions: SmallVec<[Symbol; 2]> = functions.collect();
        let pauses = functions.into_iter().any(|name| self.interp.may_pause(name));
        pauses.then(|| {
            let args = args.iter().map(|arg| fetch(&mut self.slots, base, arg)).collect();
            SuspendedOp { depth, args, results: Vec::new() }
        })
    }

    /// Evaluates an operation with the recorded results (PAUSECALL1).
    pub(super) fn evaluate_repeated(
        &mut self,
        step: &CodeStep,
        base: usize,
        suspended: SuspendedOp<'a>,
    ) -> Result<Flow<'a>, Failure> {
        let StepKind::Op { op, ret, .. } = &step.kind else { return Ok(Flow::Same) };
        let SuspendedOp { depth, args, results } = suspended;
        let mut operands = args.clone();
        let before = self.meter.before(op, *ret, &operands);
        let outer = self.call_replay.replace(CallReplay { results, used: 0, requested: None });
        let value = (op.eval)(&mut OpCx { ret: *ret, machine: self }, &mut operands);
        let replay = std::mem::replace(&mut self.call_replay, outer);
        let Some(CallReplay { results, requested, .. }) = replay else { return Ok(Flow::Same) };
        let Some((callee, arguments)) = requested else {
            self.store_result(base, step.result, value?, before)?;
            return Ok(Flow::Same);
        };
        self.suspended_ops.push(SuspendedOp { depth, args, results });
        match self.call_value(base, &callee, arguments, None)? {
            // The callee that may pause is a function of the program, and the operation takes no other
            // callee.
            Flow::Same => {
                Err(Failure::new(FailureKind::Host, format!("`{}` calls a function of the host", op.name)))
            }
            flow => Ok(flow),
        }
    }

    /// Records the result of a call for which an operation waits; returns it if no operation waits.
    pub(super) fn record_result(&mut self, value: Value<'a>) -> Option<Value<'a>> {
        if !self.is_in_suspended_op() {
            return Some(value);
        }
        if let (Some(op), Some(frame)) = (self.suspended_ops.last_mut(), self.frames.last_mut()) {
            op.results.push(value);
            frame.next -= 1;
        }
        None
    }
}
