//! Delegates: evaluate calls instead of the interpreter, for example by an executor.
//!
//! - DELEGATE1 a delegated call behaves as in the interpreter and reports the number of steps that the
//!   interpreter would have taken, so that step numbers do not depend on who evaluated the preceding calls.

use std::sync::Arc;

use super::code::{Code, Slot};
use super::machine::{Flow, Machine};
use super::{Interpreter, memory, next_id};
use crate::Symbol;
use crate::failure::Failure;
use crate::ir::Func;
use crate::limits::Limit;
use crate::value::{self, Value};

/// Evaluates calls instead of the interpreter.
pub trait Delegate: Send + Sync {
    /// Whether the delegate may evaluate calls of a function; an interpreter queries this once for each
    /// function.
    fn takes(&self, func: &Func) -> bool;

    /// Evaluates a call of a function that it takes; the call itself is the last of the `steps` that have been run.
    fn call<'a>(&self, func: Symbol, steps: u64, args: Vec<Value<'a>>) -> Delegated<'a>;
}

/// The outcome of a delegated call.
#[derive(Debug)]
pub enum Delegated<'a> {
    /// The call returned.
    Returned {
        /// The result.
        value: Value<'a>,
        /// The number of steps that the interpreter would have taken for the call (DELEGATE1);
        /// [`counted`](super::counted) counts them.
        steps: u64,
    },
    /// The interpreter has to evaluate the call, with these arguments.
    Declined(Vec<Value<'a>>),
    /// The call failed, and so does the run; the steps of the call are not counted.
    Failed(Failure),
}

impl Interpreter<'_> {
    /// Lets a delegate evaluate calls. The interpreter itself evaluates calls from outside, and of functions
    /// that operations call.
    #[must_use]
    pub fn with_delegate(mut self, delegate: Arc<dyn Delegate>) -> Self {
        self.delegate = Some(delegate);
        self.codes.clear();
        self.id = next_id();
        self
    }
}

impl<'a> Machine<'_, '_, 'a> {
    /// The code of a closure or function value, if calls of it may be delegated.
    pub(super) fn delegated_code(&mut self, callee: &Value<'a>) -> Result<Option<Arc<Code>>, Failure> {
        if self.interp.delegate.is_none() {
            return Ok(None);
        }
        let Value::Closure(closure) = callee else { return Ok(None) };
        let value::Code::Func(name) = &closure.code else { return Ok(None) };
        Ok(Some(self.interp.code(*name)?).filter(|code| code.is_delegated))
    }

    /// Lets the delegate evaluate a call from the frame at `base`.
    pub(super) fn delegated(
        &mut self,
        base: usize,
        code: Arc<Code>,
        args: Vec<Value<'a>>,
        result: Option<Slot>,
    ) -> Result<Flow<'a>, Failure> {
        let Some(delegate) = self.interp.delegate.clone() else {
            self.push(code, args, result)?;
            return Ok(Flow::Changed);
        };
        if self.frames.len() >= self.grant.depth.left {
            return Err(Failure::of_limit(Limit::Depth(self.grant.depth.limit)));
        }
        self.report_before_nested();
        // The delegated calls are nested in the open calls, whatever is limited.
        self.grant.report_open(self.frames.len(), self.reentries, self.meter.estimate());
        let outcome = delegate.call(code.func.name, self.steps, args);
        self.grant.report_open(0, 0, 0);
        self.refresh_budget();
        match outcome {
            Delegated::Returned { value, steps } => {
                self.steps = self.steps.saturating_add(steps);
                let before = memory::Before::Operand { address: None, bytes: 0 };
                self.store_result(base, result, value, before)?;
                Ok(Flow::Same)
            }
            Delegated::Declined(args) => {
                self.push(code, args, result)?;
                Ok(Flow::Changed)
            }
            Delegated::Failed(failure) => Err(failure),
        }
    }
}
