//! Answers to commands, as data and as text.

use std::fmt;

use overdub_ad::flatten::floats;
use overdub_context::value::Value;

use crate::derivative::Sweep;
use crate::frames::{FrameInfo, Variable};
use crate::history::HistoryInfo;
use crate::show::show;
use crate::stop::{Reason, Stop};
use crate::summary::{Histogram, Summary};

/// The answer to a command.
#[derive(Clone, Debug)]
pub enum Answer {
    /// The run stopped, or has ended.
    Stopped(Stop),
    /// The value of an expression.
    Value(Value<'static>),
    /// Variables, the outermost first.
    Variables(Vec<Variable>),
    /// The open calls.
    Frames(Vec<FrameInfo>),
    /// The selected open call, with its number.
    Frame(usize, FrameInfo),
    /// Lines of the source, with their numbers, and the number of the line to run next.
    Lines(Vec<(u32, String)>, u32),
    /// A breakpoint was set; its number, and what it is bound to.
    Breakpoint(usize, String),
    /// The breakpoints.
    Breakpoints(Vec<(usize, String)>),
    /// The history.
    History(HistoryInfo),
    /// A short summary of an array.
    Summary(Summary),
    /// The distribution of the elements of an array.
    Histogram(Histogram),
    /// A description of commands.
    Help(String),
    /// The command is done.
    Done,
    /// End of the script.
    Quit,
}

/// Text for people; each line ends with `\n`.
impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Stopped(stop) => writeln!(f, "{stop}"),
            Answer::Value(value) => writeln!(f, "{}", show(value)),
            Answer::Variables(list) => {
                list.iter().try_for_each(|variable| writeln!(f, "{}", variable.written(&show)))
            }
            Answer::Frames(frames) => {
                frames.iter().enumerate().try_for_each(|(at, frame)| writeln!(f, "#{at} {frame}"))
            }
            Answer::Frame(number, frame) => writeln!(f, "#{number} {frame}"),
            Answer::Lines(lines, at) => lines.iter().try_for_each(|(number, text)| {
                writeln!(f, "{}{number:5} {text}", if number == at { "->" } else { "  " })
            }),
            Answer::Breakpoint(_, text) => writeln!(f, "breakpoint {text}"),
            Answer::Breakpoints(list) => list.iter().try_for_each(|(_, text)| writeln!(f, "{text}")),
            Answer::History(info) => writeln!(
                f,
                "{} instructions, {} snapshots of {} bytes ({} allowed), {} given up, one each {} instructions",
                info.reached, info.snapshots, info.bytes, info.limit, info.dropped, info.spacing
            ),
            Answer::Summary(summary) => writeln!(f, "{summary}"),
            Answer::Histogram(histogram) => writeln!(f, "{histogram}"),
            Answer::Help(text) => f.write_str(text),
            Answer::Done | Answer::Quit => Ok(()),
        }
    }
}

impl fmt::Display for FrameInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}:{}", self.function, self.span.file, self.span.line)
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let more = match &self.reason {
            Reason::Exited(value) => return write!(f, "exited: {}", show(value)),
            Reason::Differentiated { value, derivative } => {
                let what = if self.sweep == Some(Sweep::Reverse) { "gradient" } else { "tangent" };
                let derivative: Vec<String> = derivative.iter().map(show).collect();
                return write!(f, "exited: {}, {what} {}", show(value), derivative.join(", "));
            }
            Reason::Failed(failure) => return write!(f, "failed: {}", failure.report().message),
            Reason::Breakpoint(id) => format!(" {id}"),
            Reason::Changed { .. } => {
                self.reason.details().map_or_else(String::new, |details| format!(" {details}"))
            }
            reason => reason.details().map_or_else(String::new, |details| format!(": {details}")),
        };
        let function = self.function.map_or_else(String::new, |name| format!(" in {name}"));
        let (place, word) = (self.span, self.reason.word());
        let sweep = self.sweep.map_or_else(String::new, |sweep| format!(", {sweep} sweep"));
        let (file, line) = (place.file, place.line);
        write!(f, "stopped at {file}:{line}{function} ({word}{more}){sweep}, moment {}", self.moment)
    }
}

impl fmt::Display for Sweep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Sweep::Forward => "forward",
            Sweep::Reverse => "reverse",
        })
    }
}

impl Variable {
    /// `name = value`, with the known derivatives: `x = 3.0, tangent 1.0`; values as `show` writes them.
    pub fn written(&self, show: &dyn Fn(&Value<'static>) -> String) -> String {
        let mut text = format!("{} = {}", self.name, show(&self.value));
        for (what, derivative) in [("tangent", &self.tangent), ("cotangent", &self.cotangent)] {
            // A value without floats has no derivative.
            if let Some(derivative) = derivative.as_ref().filter(|of| !floats(of).is_empty()) {
                text += &format!(", {what} {}", show(derivative));
            }
        }
        text
    }
}

impl Reason {
    /// `breakpoint`, `step`, `failure`, …: a word for scripts to compare.
    pub fn word(&self) -> &'static str {
        match self {
            Reason::Entry => "entry",
            Reason::Breakpoint(_) => "breakpoint",
            Reason::Step => "step",
            Reason::Changed { .. } => "changed",
            Reason::NotFinite { .. } => "not finite",
            Reason::Failure(_) => "failure",
            Reason::Condition { .. } => "condition",
            Reason::Interrupted => "pause",
            Reason::Moment => "goto",
            Reason::LastWrite => "last write",
            Reason::Start => "start",
            Reason::Exited(_) | Reason::Differentiated { .. } => "exited",
            Reason::Failed(_) => "failed",
        }
    }

    /// Details in addition to the word: what changed, the operation with its operands and result, what is
    /// wrong.
    pub fn details(&self) -> Option<String> {
        Some(match self {
            Reason::Failure(failure) | Reason::Failed(failure) => failure.report().message.clone(),
            Reason::Changed { old, new, .. } => format!("from {} to {}", show(old), show(new)),
            Reason::NotFinite { operation, operands, result, .. } => {
                let operands: Vec<String> = operands.iter().map(show).collect();
                format!("{operation}({}) = {}", operands.join(", "), show(result))
            }
            Reason::Condition { message, .. } => message.clone(),
            _ => return None,
        })
    }
}
