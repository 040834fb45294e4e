//! Calls of functions and of function values.

use overdub_ad::custom::CustomDerivative;
use overdub_context::value::{Code as Callee, Value};
use overdub_context::{Failure, FailureKind, Span, Symbol};

use super::abstract_value::Abstract;
use super::analysis::{Analysis, PathEnd, PathResult};
use super::code::Code;
use super::error::DetectError;
use super::paths::{Activation, located, no_return_failure};
use super::sets::Dep;
use super::state::State;

/// Stack segments are not counted: more is allocated if little is left.
const STACK_LEFT: usize = 256 << 10;
const STACK_PIECE: usize = 4 << 20;

/// The number of nested runs of a function while branches in it are undecided; beyond it, the result is taken
/// to depend on all arguments.
const MAX_NESTED: usize = 24;

/// As [`MAX_NESTED`], once the analysis has taken many steps with an undecided branch.
const MAX_NESTED_LATE: usize = 2;
const LATE: u64 = 200_000;

impl Analysis {
    /// Calls a function by name.
    pub(crate) fn call_func(
        &mut self,
        name: Symbol,
        args: Vec<Value<'static>>,
        span: Span,
    ) -> PathResult<Value<'static>> {
        let code = self.code(name).map_err(|stop| located(stop, span))?;
        let dep = match code.custom_derivative {
            None => None,
            Some(CustomDerivative::Rule) => {
                let dep = self.dep_of_all(&args);
                Some(self.sets.nonlinear(dep))
            }
            Some(CustomDerivative::Replaced) => {
                return Err(self.unsupported("`replace_gradient`, whose pullback need not be linear,", span));
            }
        };
        // While everything is decided, the same arguments do not recur.
        let key = if self.undecided > 0 { self.call_key(name, &args) } else { None };
        let ran = match key {
            Some(key) => self.call_once(key, &code, args, span),
            None => self.call_recursive(&code, args, span),
        };
        let ran = ran.map_err(|stop| match stop {
            PathEnd::Fails(failure) => PathEnd::Fails(failure.through(name, span)),
            ends @ PathEnd::Ends(_) => ends,
        });
        match dep {
            // The rule may depend on more than the body does.
            Some(dep) => self.spread(ran?, dep),
            None => ran,
        }
    }

    /// Runs a function, which may be on the stack already, but not too often.
    pub(crate) fn call_recursive(
        &mut self,
        code: &Code,
        args: Vec<Value<'static>>,
        span: Span,
    ) -> PathResult<Value<'static>> {
        let nested = self.running.iter().filter(|(func, undecided)| *func == code.func && *undecided).count();
        let most = if self.is_late() { MAX_NESTED_LATE } else { MAX_NESTED };
        if nested >= most {
            return self.summary(code, &args);
        }
        if self.running.len() > 100_000 {
            let failure = Failure::new(FailureKind::StackLimit, "the call stack is too deep");
            return Err(PathEnd::Ends(DetectError::Program(failure.at(span))));
        }
        self.running.push((code.func, false));
        let undecided = self.undecided;
        let ran = stacker::maybe_grow(STACK_LEFT, STACK_PIECE, || Activation::run(self, code, args));
        self.undecided = undecided;
        self.sets.remember_all(undecided > 0);
        self.running.pop();
        ran
    }

    /// Calls a closure or function value.
    pub(crate) fn call_value(
        &mut self,
        callee: &Value<'static>,
        args: Vec<Value<'static>>,
        span: Span,
    ) -> PathResult<Value<'static>> {
        if let Value::Closure(closure) = callee {
            return match &closure.code {
                Callee::Func(name) => {
                    let all = closure.captures.iter().cloned().chain(args).collect();
                    self.call_func(*name, all, span)
                }
                Callee::Host(host) => self.call_host(&**host, args, span),
            };
        }
        let Some(Abstract::OneOf(callees)) = Abstract::of(callee) else {
            return Err(self.unsupported("a call of a function that depends on the inputs", span));
        };
        let cells = self.cells.clone();
        let mut joined: Option<State> = None;
        let mut failure = None;
        for callee in callees.clone() {
            self.cells = cells.clone();
            match self.call_value(&callee, args.clone(), span) {
                Ok(value) => {
                    let state = State::new(vec![(0, value)], self.cells.clone());
                    self.join_into(&mut joined, state)?;
                }
                Err(PathEnd::Fails(failed)) => failure = Some(failed),
                Err(ends) => return Err(ends),
            }
        }
        let Some(state) = joined else {
            return Err(PathEnd::Fails(failure.unwrap_or_else(no_return_failure)));
        };
        self.cells = state.cells;
        Ok(state.values.into_iter().next().map_or(Value::Unit, |(_, value)| value))
    }

    /// An upper bound of the result: all of it depends on everything that the function can see.
    pub(crate) fn summary(&mut self, code: &Code, args: &[Value<'static>]) -> PathResult<Value<'static>> {
        let mut dep = Dep::default();
        let cells = self.cells.clone();
        for value in args.iter().chain(cells.iter()) {
            let of = self.dep_of(value);
            dep = self.sets.join(dep, of);
        }
        let dep = self.sets.nonlinear(dep);
        let mut changed = Vec::with_capacity(cells.len());
        for value in cells.iter() {
            changed.push(match super::abstract_value::ty_of(value) {
                Some(ty) => self.unknown(ty, dep)?,
                None => value.clone(),
            });
        }
        self.cells = changed.into();
        self.unknown(code.ret, dep)
    }

    /// Whether the limit of undecided steps is exceeded, from which on detail is given up in order to terminate.
    pub(super) fn is_late(&self) -> bool {
        self.undecided_steps > LATE
    }

    pub(crate) fn unsupported(&self, what: impl Into<String>, span: Span) -> PathEnd {
        PathEnd::Ends(DetectError::Unsupported { what: what.into(), span })
    }
}
