//! Queries of a session at its current position: open calls, variables, expressions, the source.

use overdub_ad::tape::with_entries;
use overdub_context::Symbol;
use overdub_context::interp::{FrameView, Mark};
use overdub_context::value::Value;

use crate::error::DebugError;
use crate::evaluate::UseOfValue;
use crate::frames::{self, FrameInfo, Variable};
use crate::lines::source_name;
use crate::session::Session;
use crate::stop::{Reason, Stop};

impl Session {
    /// The open calls of the source, the innermost first.
    pub fn frames(&self) -> Vec<FrameInfo> {
        self.frames_from(0, usize::MAX)
    }

    /// At most `count` of them, from the one numbered `first` on.
    pub fn frames_from(&self, first: usize, count: usize) -> Vec<FrameInfo> {
        let open = self.open_calls().skip(first).take(count);
        open.map(|(at, frame)| FrameInfo {
            function: source_name(frame.func().name),
            span: frames::span(at, &frame),
            place: Mark { block: frame.block(), at: frame.at() },
        })
        .collect()
    }

    /// The number of open calls of the source.
    pub fn depth(&self) -> usize {
        self.open_calls().count()
    }

    pub(crate) fn open_calls(&self) -> impl Iterator<Item = (usize, FrameView<'_, 'static>)> {
        frames::of_source(&self.state).take(if self.ended { 0 } else { usize::MAX })
    }

    /// The current position, reported with the caller's reason.
    pub fn stop_now(&self, reason: Reason) -> Stop {
        Stop { breakpoints: Vec::new(), ..self.stop(reason) }
    }

    /// The functions of the source that the debugged function reaches, with their type arguments.
    pub fn functions(&self) -> &[Symbol] {
        self.lines.functions()
    }

    /// The files of the source with code that the debugged function reaches, named as in spans.
    pub fn files(&self) -> impl Iterator<Item = Symbol> {
        self.lines.files()
    }

    /// The value of a variable, element or field of an open call: `x`, `xs[3]`, `point.x`.
    ///
    /// # Errors
    /// If there is no such variable, element or field.
    pub fn place(&self, frame: usize, path: &str) -> Result<Value<'static>, DebugError> {
        if self.ended {
            return Err(DebugError::Ended);
        }
        let (_, view) = frames::frame(&self.state, frame)?;
        frames::path_value(&view, path).ok_or_else(|| frames::missing(&frames::variables(&view), path))
    }

    /// The variables of an open call that have a value, the outermost first.
    ///
    /// # Errors
    /// If there is no such call.
    pub fn variables(&self, frame: usize) -> Result<Vec<Variable>, DebugError> {
        if self.ended {
            return Err(DebugError::Ended);
        }
        let mut variables = frames::variables(&frames::frame(&self.state, frame)?.1);
        if let Some(of) = &self.machine.differentiated {
            let carried = |variable: &Variable, entries: &Option<Vec<f64>>| {
                with_entries(&variable.inside, &variable.value, entries.as_ref()?).ok()
            };
            let (tangents, cotangents) = (of.tangents(self.moment), of.cotangents(self.moment));
            for variable in &mut variables {
                variable.tangent = carried(variable, &tangents);
                variable.cotangent = carried(variable, &cotangents);
            }
        }
        Ok(variables)
    }

    /// The value of a Rust expression over the variables of an open call.
    ///
    /// # Errors
    /// If the expression is not Rust, or fails.
    pub fn evaluate(&mut self, frame: usize, text: &str) -> Result<Value<'static>, DebugError> {
        let variables = self.variables(frame)?;
        self.points.evaluator.evaluate(&variables, text, UseOfValue::Value)
    }
}
