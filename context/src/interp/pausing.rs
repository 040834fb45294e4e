//! Executions that pause: at marks, after a number of steps, and as values that can be kept, copied and resumed.
//!
//! - PAUSE1 steps that run when an operation calls back into the program belong to that operation's step: an
//!   execution pauses before it or after it, unless the called function may reach a mark
//!   ([`callbacks`](super::callbacks)).

use std::fmt;
use std::sync::Arc;

use hashbrown::HashSet;

use super::callbacks::SuspendedOp;
use super::cell_copies::CellCopies;
use super::code::{Arg, Code, StepKind};
use super::compile::is_counted;
use super::machine::{Flow, Frame, Machine};
use super::superinstructions::Quick;
use super::{Execution, FrameView, Interpreter, Journal, memory, next_id};
use crate::failure::Failure;
use crate::ir::{Block, Func, Var};
use crate::limits::Grant;
use crate::ops;
use crate::value::{CellRef, Value};

/// A position in a function before which executions pause.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Mark {
    /// The block.
    pub block: Block,
    /// The index of the instruction in the block; the number of instructions for the terminator.
    pub at: usize,
}

/// The positions at which executions pause; queried once for each function that is run.
pub type Marks = Arc<dyn Fn(&Func) -> Vec<Mark> + Send + Sync>;

/// The reason why an execution paused.
#[derive(Debug)]
pub enum Pause {
    /// It reached a mark.
    Mark,
    /// It reached the requested number of steps.
    Steps,
    /// A call returned, and sufficiently few calls are open ([`Execution::pausing_below`]).
    Returned,
    /// It ended with this value.
    Done(Value<'static>),
}

/// A paused execution without its interpreter: plain values.
pub struct Paused {
    frames: Vec<Frame>,
    slots: Vec<Value<'static>>,
    globals: ops::Globals,
    steps: u64,
    grant: Grant,
    memory: usize,
    suspended_ops: Vec<SuspendedOp<'static>>,
    /// The id of the interpreter whose marks the code contains.
    by: u64,
}

impl fmt::Debug for Paused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Paused").field("calls", &self.frames.len()).field("steps", &self.steps).finish()
    }
}

impl Paused {
    /// A copy that shares no mutable cell with this one. Arrays are shared until one of the two writes to them.
    #[must_use]
    pub fn copy(&self) -> Paused {
        let mut copies = CellCopies::default();
        Paused {
            frames: self.frames.clone(),
            slots: self.slots.iter().map(|value| copies.value(value)).collect(),
            globals: self.globals.map(|cell| copies.reference(cell)),
            steps: self.steps,
            grant: self.grant.clone(),
            memory: self.memory,
            suspended_ops: self.suspended_ops.iter().map(|op| copy_of_op(op, &mut copies)).collect(),
            by: self.by,
        }
    }

    /// The number of steps that have been run.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The number of open calls.
    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    /// The open calls, the innermost first.
    pub fn frames(&self) -> impl Iterator<Item = FrameView<'_, 'static>> {
        views(&self.frames, &self.slots)
    }

    /// Whether the `frame`th call, counted from the innermost, was made by an operation, as a sort calls its
    /// comparison.
    pub fn is_called_by_operation(&self, frame: usize) -> bool {
        let at = self.frames.len().checked_sub(frame + 1);
        at.is_some_and(|at| self.suspended_ops.iter().any(|op| op.depth == at))
    }

    /// The number of bytes that are not shared with `other`: arrays are shared until one is written to.
    pub fn bytes_not_shared_with(&self, other: Option<&Paused>) -> usize {
        let mut seen = HashSet::new();
        if let Some(other) = other {
            memory::measured_unseen(&mut seen, &other.slots, other.globals.cells());
        }
        let shallow = size_of_val(&self.slots[..]) + size_of_val(&self.frames[..]);
        let operands =
            self.suspended_ops.iter().flat_map(|operands| [&operands.args[..], &operands.results[..]]);
        let operands: usize = operands
            .map(|values| {
                size_of_val(values)
                    + memory::measured_unseen(&mut seen, values, std::iter::empty::<&CellRef>())
            })
            .sum();
        shallow + operands + memory::measured_unseen(&mut seen, &self.slots, self.globals.cells())
    }

    /// A mutable reference to the value of a variable of an open call; calls are counted from the innermost.
    pub fn value_mut(&mut self, frame: usize, var: Var) -> Option<&mut Value<'static>> {
        let frame = self.frames.iter().rev().nth(frame)?;
        if var.index() >= frame.code.func.vars.len() {
            return None;
        }
        self.slots.get_mut(frame.base + var.index())
    }

    /// Closes the calls nested in the `frame`th, counted from the innermost, and restarts that call with
    /// these arguments. `None` if there is no such call or the number of arguments is wrong.
    pub fn restart(&mut self, frame: usize, args: Vec<Value<'static>>) -> Option<()> {
        let at = self.frames.len().checked_sub(frame + 1)?;
        if self.frames[at].code.params.len() != args.len() {
            return None;
        }
        self.frames.truncate(at + 1);
        self.suspended_ops.retain(|op| op.depth <= at);
        let frame = self.frames.last_mut()?;
        frame.next = 0;
        self.slots.truncate(frame.base + frame.code.slots);
        self.slots[frame.base..frame.base + frame.code.func.vars.len()].fill(Value::Unit);
        for (param, arg) in frame.code.params.iter().zip(args) {
            self.slots[frame.base + param.index()] = arg;
        }
        Some(())
    }
}

/// A copy with separate cells.
fn copy_of_op(op: &SuspendedOp<'static>, copies: &mut CellCopies) -> SuspendedOp<'static> {
    SuspendedOp {
        depth: op.depth,
        args: op.args.iter().map(|value| copies.value(value)).collect(),
        results: op.results.iter().map(|value| copies.value(value)).collect(),
    }
}

/// The open calls, the innermost first.
pub(super) fn views<'f, 'a>(
    frames: &'f [Frame],
    slots: &'f [Value<'a>],
) -> impl Iterator<Item = FrameView<'f, 'a>> {
    frames.iter().enumerate().rev().map(move |(i, frame)| {
        FrameView::new(frame, &slots[frame.base..][..frame.code.slots], i + 1 == frames.len())
    })
}

impl<'m> Interpreter<'m> {
    /// Lets stepped executions pause at marks.
    #[must_use]
    pub fn with_marks(mut self, marks: Marks) -> Self {
        self.marks = Some(marks);
        self.codes.clear();
        self.id = next_id();
        self
    }

    /// Lets stepped executions record their external inputs, and replay them where they are already recorded.
    #[must_use]
    pub fn with_journal(mut self, journal: Journal) -> Self {
        self.journal = Some(journal);
        self
    }

    /// Resumes an execution.
    pub fn resume(&mut self, paused: Paused) -> Execution<'_, 'm, 'static> {
        let Paused { mut frames, slots, globals, steps, grant, memory, suspended_ops, by } = paused;
        // Only then: a debugger pauses often while many calls are open.
        if by != self.id {
            for frame in &mut frames {
                frame.code = self.code_with_marks(&frame.code);
            }
        }
        let mut machine = Machine::new(self, grant);
        machine.meter.add(memory);
        (machine.frames, machine.slots, machine.globals) = (frames, slots, globals);
        (machine.steps, machine.steps_reported) = (steps, steps);
        machine.suspended_ops = suspended_ops;
        Execution { machine }
    }

    /// The code with the marks and the delegate of this interpreter, if it has any.
    pub(super) fn marked(&self, code: Arc<Code>) -> Arc<Code> {
        let is_delegated = self.delegate.as_ref().is_some_and(|delegate| delegate.takes(&code.func));
        let code = match is_delegated {
            true => Arc::new(Code { is_delegated, ..Code::clone(&code) }),
            false => code,
        };
        let Some(marks) = &self.marks else { return code };
        let places = marks(&code.func);
        if places.is_empty() {
            return code;
        }
        let mut marked = vec![false; code.steps.len()];
        let mut quick = code.quick.clone();
        let firsts = first_steps(&code.func);
        for Mark { block, at } in places {
            let step = firsts.get(block.index()).map_or(usize::MAX, |first| first.saturating_add(at));
            if let (Some(mark), Some(quick)) = (marked.get_mut(step), quick.steps.get_mut(step)) {
                *mark = true;
                // The quick loop stops at a slow step, and the full loop checks for the mark.
                *quick = Quick::Slow;
            }
        }
        let mut steps = code.steps.clone();
        for step in &mut steps {
            // Operands of the last step can still be inspected while the run is paused.
            let StepKind::Op { args, .. } = &mut step.kind else { continue };
            for arg in args {
                if let Arg::Move(slot) = *arg
                    && !is_counted(&code.func, Var(slot.0))
                {
                    *arg = Arg::Copy(slot);
                }
            }
        }
        Arc::new(Code { marked: marked.into(), quick, steps, ..Code::clone(&code) })
    }

    /// The code of an open call with the marks of this interpreter.
    fn code_with_marks(&mut self, code: &Arc<Code>) -> Arc<Code> {
        match self.code(code.func.name) {
            Ok(current) if Arc::ptr_eq(&current.func, &code.func) => current,
            // The function was redefined; open calls run to their end.
            _ => code.clone(),
        }
    }
}

/// The index of the first step of each block.
fn first_steps(func: &Func) -> Vec<usize> {
    let lens = func.blocks.iter().map(|body| body.insts.len() + 1);
    lens.scan(0, |next, len| Some(std::mem::replace(next, *next + len))).collect()
}

impl Machine<'_, '_, 'static> {
    /// Runs to the next mark, or until `steps` have been run in total; a mark at the start position does not
    /// count.
    fn run_until(&mut self, steps: u64) -> Result<Pause, Failure> {
        let mut is_first = true;
        self.is_stepped = true;
        while let Some(frame) = self.frames.last() {
            let (code, base) = (frame.code.clone(), frame.base);
            loop {
                let next = self.frames.last().map_or(0, |frame| frame.next);
                // The mark has priority: a run resumed from here does not see it again.
                let is_marked = code.marked.get(next) == Some(&true) && !self.is_in_suspended_op();
                if !is_first && is_marked {
                    return Ok(Pause::Mark);
                }
                if self.steps >= steps {
                    return Ok(Pause::Steps);
                }
                let before = self.steps;
                let next_check = self.next_budget_check;
                self.next_budget_check = next_check.min(steps);
                self.quick_steps(&code, base);
                self.next_budget_check = next_check;
                if self.steps > before {
                    is_first = false;
                    continue;
                }
                is_first = false;
                self.steps_at_last_full = self.steps;
                match self.step_in(&code, base, 0) {
                    Ok(Flow::Same) => {}
                    Ok(Flow::Changed) if self.frames.len() < self.pauses_below => return Ok(Pause::Returned),
                    Ok(Flow::Changed) => break,
                    Ok(Flow::Done(value)) => return Ok(Pause::Done(value)),
                    Err(failure) => return Err(self.unwind(failure, 0)),
                }
            }
        }
        Ok(Pause::Done(Value::Unit))
    }
}

impl<'m> Execution<'_, 'm, 'static> {
    /// Runs to the next mark, or until `steps` have been run since the beginning, possibly more if a
    /// delegated call took them; a mark at the current position does not count.
    ///
    /// # Errors
    /// If the program fails, which closes its calls. [`Execution::steps`] returns the number of steps run
    /// until then.
    pub fn run_until(&mut self, steps: u64) -> Result<Pause, Failure> {
        self.machine.grant().resume(|_| self.machine.run_until(steps))
    }

    /// Lets the execution pause where a call returns and fewer than this number of calls are open, including
    /// calls made by an operation, if the run pauses in such calls.
    #[must_use]
    pub fn pausing_below(mut self, calls: usize) -> Self {
        self.machine.pauses_below = calls;
        self
    }

    /// Pauses the execution: its state without the interpreter.
    pub fn pause(mut self) -> Paused {
        let machine = &mut self.machine;
        Paused {
            frames: std::mem::take(&mut machine.frames),
            slots: std::mem::take(&mut machine.slots),
            globals: std::mem::take(&mut machine.globals),
            steps: machine.steps,
            grant: machine.grant(),
            memory: machine.meter.estimate(),
            suspended_ops: std::mem::take(&mut machine.suspended_ops),
            by: machine.interp.id,
        }
    }
}

impl<'a> Execution<'_, '_, 'a> {
    /// The number of steps that have been run since the beginning.
    pub fn steps(&self) -> u64 {
        self.machine.steps
    }

    /// The number of steps before the last full step: the point where a run can be paused before a failure.
    pub fn before_last_step(&self) -> u64 {
        self.machine.steps_at_last_full
    }

    /// The number of open calls.
    pub fn depth(&self) -> usize {
        self.machine.frames.len()
    }
}
