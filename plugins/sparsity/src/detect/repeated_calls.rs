//! Calls that are repeated with the same arguments, as far as these are known, while a branch is undecided.
//!
//! - CALLS1 a call that uses no cell gives the same result each time: it is analysed once.
//! - CALLS2 a call inside the same call gives what that is known to give so far, at first nothing; the outer
//!   call is repeated until it gives no more. The result is the least fixed point of the recursion (Cousot
//!   and Cousot, *Static Determination of Dynamic Properties of Recursive Procedures*, 1977).

use overdub_context::ir::Ty;
use overdub_context::value::{Code as Callee, Shape, Value};
use overdub_context::{Failure, Span, Symbol};

use super::abstract_value::Abstract;
use super::analysis::{Analysis, PathEnd, PathResult};
use super::code::Code;
use super::paths::no_return_failure;
use super::sets::Dep;

/// The longest list of parts that is compared: a call with more is not expected to recur.
const MAX_PARTS: usize = 256;

/// The number of repetitions of a recursive call after which an array that still changes is widened to one
/// element.
const MAX_REPETITIONS: usize = 6;

/// A function and its arguments, as far as they are known.
pub(crate) type Key = (Symbol, Vec<KeyPart>);

/// A part of an argument.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum KeyPart {
    Float(Dep, Option<u64>),
    Int(i128),
    Text(String),
    /// A composite with this variant and number of parts, which follow.
    Composite(u32, usize),
    Array(Shape),
    Closure(Symbol, usize),
    Unknown(Ty, Option<Shape>, Dep),
}

/// The outcome of a call.
pub(crate) type Outcome = Result<Value<'static>, Failure>;

/// A call on the stack.
pub(crate) struct Open {
    key: Key,
    /// The part of its result that is known so far.
    known: Option<Value<'static>>,
    /// Whether the same call was made inside of it.
    is_recursive: bool,
}

impl Analysis {
    /// The key that identifies a call; `None` if it is too long, or contains something with an identity.
    pub(crate) fn call_key(&self, func: Symbol, args: &[Value<'static>]) -> Option<Key> {
        let mut parts = Vec::new();
        for arg in args {
            self.parts(arg, &mut parts)?;
        }
        Some((func, parts))
    }

    fn parts(&self, value: &Value<'static>, parts: &mut Vec<KeyPart>) -> Option<()> {
        if parts.len() > MAX_PARTS {
            return None;
        }
        match value {
            Value::Unit => parts.push(KeyPart::Int(0)),
            Value::Bool(b) => parts.push(KeyPart::Int((*b).into())),
            Value::Char(c) => parts.push(KeyPart::Int(u32::from(*c).into())),
            Value::F64(_) | Value::F32(_) => {
                let float = self.floats.get(value)?;
                parts.push(KeyPart::Float(float.dep, float.value.map(f64::to_bits)));
            }
            Value::Str(text) if text.len() < MAX_PARTS => parts.push(KeyPart::Text(text.to_string())),
            Value::Composite(composite) => {
                parts.push(KeyPart::Composite(composite.tag, composite.parts.len()));
                composite.parts.iter().try_for_each(|part| self.parts(part, parts))?;
            }
            Value::Array(array) if array.len() < MAX_PARTS => {
                parts.push(KeyPart::Array(array.shape().into()));
                array.iter().try_for_each(|elem| self.parts(&elem, parts))?;
            }
            Value::Closure(closure) => {
                let Callee::Func(code) = closure.code else { return None };
                parts.push(KeyPart::Closure(code, closure.captures.len()));
                closure.captures.iter().try_for_each(|part| self.parts(part, parts))?;
            }
            _ => match Abstract::of(value) {
                Some(Abstract::Unknown { ty, shape, dep }) => {
                    parts.push(KeyPart::Unknown(*ty, shape.clone(), *dep));
                }
                Some(_) => return None,
                None => parts.push(KeyPart::Int(value.as_int()?.1)),
            },
        }
        Some(())
    }

    /// Makes a call, unless it was made before (CALLS1) or is being made (CALLS2).
    pub(crate) fn call_once(
        &mut self,
        key: Key,
        code: &Code,
        args: Vec<Value<'static>>,
        span: Span,
    ) -> PathResult<Value<'static>> {
        if let Some(outcome) = self.outcomes.get(&key) {
            return outcome.clone().map_err(PathEnd::Fails);
        }
        if let Some(at) = self.open.iter().rposition(|open| open.key == key) {
            let open = &mut self.open[at];
            open.is_recursive = true;
            let known = open.known.clone();
            self.lowest_assumed = self.lowest_assumed.min(at);
            return known.ok_or_else(|| PathEnd::Fails(no_return_failure()));
        }
        let (first_open, cell_uses) = (self.open.len(), self.cell_uses);
        let outer = std::mem::replace(&mut self.lowest_assumed, usize::MAX);
        self.open.push(Open { key, known: None, is_recursive: false });
        let outcome = self.repeated(code, &args, span, cell_uses);
        let Open { key, .. } = self.open.pop().expect("the call was opened");
        // A result that rests on an assumption about an outer call is not final.
        let is_final = self.lowest_assumed >= first_open && self.cell_uses == cell_uses;
        self.lowest_assumed =
            if self.lowest_assumed >= first_open { outer } else { outer.min(self.lowest_assumed) };
        if is_final {
            match &outcome {
                Ok(value) => drop(self.outcomes.insert(key, Ok(value.clone()))),
                Err(PathEnd::Fails(failure)) => drop(self.outcomes.insert(key, Err(failure.clone()))),
                Err(PathEnd::Ends(_)) => {}
            }
        }
        outcome
    }

    /// Repeats a call until it gives no more than it was known to give (CALLS2).
    fn repeated(
        &mut self,
        code: &Code,
        args: &[Value<'static>],
        span: Span,
        cell_uses: u64,
    ) -> PathResult<Value<'static>> {
        let at = self.open.len() - 1;
        for repetition in 0.. {
            let outcome = self.call_recursive(code, args.to_vec(), span);
            if !self.open[at].is_recursive {
                return outcome;
            }
            if self.cell_uses != cell_uses {
                return self.summary(code, args);
            }
            let value = outcome?;
            let Some(mut known) = self.open[at].known.take() else {
                self.open[at].known = Some(value);
                continue;
            };
            (self.compares, self.widens) = (true, repetition > MAX_REPETITIONS);
            let joined = self.join(&mut known, value);
            if self.widens {
                self.widen(&mut known);
            }
            (self.compares, self.widens) = (false, false);
            self.open[at].known = Some(known.clone());
            if !joined? {
                return Ok(known);
            }
        }
        unreachable!("there is no last repetition")
    }
}
