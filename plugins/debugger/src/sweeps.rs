//! The sweeps of a derivative: forward through the program, then in reverse through its statements.
//!
//! - DEBUGDERIV3 in the reverse sweep, forward commands go back in the program, and reverse commands go
//!   forward in it. The reverse sweep ends at the start of the program.

use overdub_context::value::Value;

use crate::derivative::Derivative;
use crate::error::DebugError;
use crate::session::{Command, Session};
use crate::stop::{Reason, Stop};

impl Session {
    /// Carries a command out in the forward sweep; when that ends, it continues in the reverse sweep.
    pub(crate) fn sweep_forward(&mut self, command: Command) -> Result<Stop, DebugError> {
        let is_stepping = matches!(command, Command::Step | Command::Next);
        let stop = self.carry_out(command)?;
        self.settle_forward(stop, is_stepping)
    }

    /// The result of a piece of a run that was interrupted and continued.
    pub(crate) fn settle_sweeps(&mut self, stop: Stop) -> Result<Stop, DebugError> {
        match &self.machine.differentiated {
            Some(of) if of.is_reverse => self.settle_reverse(stop),
            Some(_) => self.settle_forward(stop, false),
            None => Ok(stop),
        }
    }

    fn settle_forward(&mut self, stop: Stop, is_stepping: bool) -> Result<Stop, DebugError> {
        let Reason::Exited(result) = stop.reason else { return Ok(stop) };
        self.end_forward_sweep(result)?;
        if self.derivative() == Some(Derivative::Gradient) {
            let command = if is_stepping { Command::Step } else { Command::Continue };
            return self.sweep_reverse(command);
        }
        self.end_sweeps()
    }

    /// Carries a command out in the reverse sweep.
    pub(crate) fn sweep_reverse(&mut self, command: Command) -> Result<Stop, DebugError> {
        let is_over = self.ended && self.moment == 0;
        if is_over {
            match command {
                Command::Continue | Command::Step | Command::Next | Command::Finish => {
                    return Err(DebugError::Ended);
                }
                _ => self.ended = false,
            }
        }
        let in_time = match command {
            Command::Continue => Command::ReverseContinue,
            Command::Step => Command::Back,
            Command::Next => Command::ReverseNext,
            Command::Finish => Command::ReverseFinish,
            Command::Back => Command::Step,
            Command::ReverseNext => Command::Next,
            Command::ReverseFinish => Command::Finish,
            Command::ReverseContinue => Command::Continue,
            Command::Goto(_) | Command::Abort => command,
            Command::Until(_) | Command::RestartFrame(_) => {
                return Err(DebugError::Usage("`until` and `restart` are for the forward sweep".to_owned()));
            }
        };
        let stop = self.carry_out(in_time)?;
        self.settle_reverse(stop)
    }

    fn settle_reverse(&mut self, stop: Stop) -> Result<Stop, DebugError> {
        match stop.reason {
            Reason::Start => self.end_sweeps(),
            // Before the reverse sweep comes the end of the forward sweep.
            Reason::Exited(_) => {
                if let Some(of) = &mut self.machine.differentiated {
                    of.is_reverse = false;
                }
                self.carry_out(Command::Back)
            }
            _ => Ok(stop),
        }
    }

    fn derivative(&self) -> Option<Derivative> {
        Some(self.machine.differentiated.as_ref()?.derivative.clone())
    }

    fn end_forward_sweep(&mut self, result: Value<'static>) -> Result<(), DebugError> {
        let Some(of) = &mut self.machine.differentiated else { return Ok(()) };
        let finished = of.finish(result);
        finished.map_err(|failure| DebugError::Failed(failure.report().message.clone()))?;
        of.is_reverse = of.derivative == Derivative::Gradient;
        Ok(())
    }

    /// Ends both sweeps: the result is the derivative.
    fn end_sweeps(&mut self) -> Result<Stop, DebugError> {
        self.ended = true;
        let Some(of) = &self.machine.differentiated else { return Err(DebugError::Ended) };
        let derivative = of.outcome();
        let derivative =
            derivative.map_err(|failure| DebugError::Failed(failure.report().message.clone()))?;
        let value = of.finished.as_ref().map_or(Value::Unit, |finished| finished.value.clone());
        Ok(self.stop(Reason::Differentiated { value, derivative }))
    }
}
