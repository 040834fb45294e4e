//! Commands in the words of gdb, one on each line.

use overdub_context::Span;

use crate::answer::Answer;
use crate::breakpoint::HitCondition;
use crate::commands;
use crate::error::DebugError;
use crate::session::{Command, Session};
use crate::summary::{Histogram, Summary};

/// The ranges of a histogram.
const RANGES: usize = 20;

/// A session that reads commands as text.
#[derive(Debug)]
pub struct Script {
    session: Session,
    /// The open call that `print`, `locals` and `set` refer to, from the innermost.
    frame: usize,
}

impl Script {
    /// Commands for a session.
    pub fn new(session: Session) -> Script {
        Script { session, frame: 0 }
    }

    /// The session.
    pub fn session(&mut self) -> &mut Session {
        &mut self.session
    }

    /// Carries out one line. An empty line, or one that begins with `#`, does nothing.
    ///
    /// # Errors
    /// If the line is not a command, or cannot be carried out.
    pub fn line(&mut self, line: &str) -> Result<Answer, DebugError> {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return Ok(Answer::Done);
        }
        if let Some(command) = self.motion(line)? {
            return self.run_command(command);
        }
        let (word, rest) = words(line);
        match word {
            "break" | "b" => self.break_at(rest),
            "tbreak" => {
                let answer = self.break_at(rest)?;
                if let Answer::Breakpoint(id, _) = answer {
                    self.session.breakpoint_mut(id)?.temporary = true;
                }
                Ok(answer)
            }
            "watch" => {
                let (path, condition) = conditional(rest);
                let id = self.session.watch(self.frame, path)?;
                self.breakpoint_added(id, condition)
            }
            "logpoint" => self.logpoint(rest),
            "catch" => match rest {
                "nan" => {
                    let id = self.session.catch_nan();
                    self.breakpoint_added(id, None)
                }
                "inf" => {
                    let id = self.session.catch_infinity();
                    self.breakpoint_added(id, None)
                }
                // A failure always stops the run before it unwinds.
                "failure" => Ok(Answer::Done),
                _ => Err(usage("`catch failure`, `catch nan` or `catch inf`")),
            },
            "hits" => {
                let (id, hits) =
                    rest.split_once(char::is_whitespace).ok_or_else(|| usage("`hits N >= 3`"))?;
                let hits = HitCondition::parse(hits).ok_or_else(|| usage("`== 3`, `>= 3` or `% 3 == 0`"))?;
                self.session.breakpoint_mut(number(id)?)?.set_hits(hits);
                Ok(Answer::Done)
            }
            "start" => {
                self.frame = 0;
                self.session.start().map(Answer::Stopped)
            }
            "print" | "p" => self.session.evaluate(self.frame, rest).map(Answer::Value),
            "summary" => {
                let value = self.session.evaluate(self.frame, rest)?;
                Summary::of(&value).map(Answer::Summary).ok_or_else(|| no_numbers(rest))
            }
            "histogram" => {
                let value = self.session.evaluate(self.frame, rest)?;
                Histogram::of(&value, RANGES).map(Answer::Histogram).ok_or_else(|| no_numbers(rest))
            }
            "help" => commands::help(rest).map(Answer::Help),
            "locals" => self.variables(|_| true),
            "args" => self.variables(|is_param| is_param),
            "set" => {
                let (place, value) = assignment(rest).ok_or_else(|| usage("`set NAME = EXPRESSION`"))?;
                self.session.set(self.frame, place, value)?;
                Ok(Answer::Done)
            }
            "backtrace" | "bt" => Ok(Answer::Frames(self.session.frames())),
            "frame" => self.select_frame(number(rest)?),
            "up" => self.select_frame(self.frame + 1),
            "down" => self.select_frame(self.frame.checked_sub(1).ok_or(DebugError::NoFrame(0))?),
            "list" => self.list(),
            "info" => match rest {
                "breakpoints" => {
                    let points = self.session.breakpoints().iter();
                    Ok(Answer::Breakpoints(points.map(|point| (point.id, point.to_string())).collect()))
                }
                "history" => Ok(Answer::History(self.session.history())),
                _ => Err(usage("`info breakpoints` or `info history`")),
            },
            "delete" => self.session.delete(number(rest)?).map(|()| Answer::Done),
            "last-write" => {
                let stop = self.session.last_write(self.frame, rest)?;
                self.frame = 0;
                Ok(Answer::Stopped(stop))
            }
            "quit" | "q" => Ok(Answer::Quit),
            _ => Err(DebugError::Usage(format!("there is no command `{word}`; `help` lists them"))),
        }
    }

    /// The byte at which the part of a line begins that can be completed, and its possible completions, in
    /// order: commands, functions, files, variables.
    pub fn complete(&self, line: &str) -> (usize, Vec<String>) {
        commands::complete(&self.session, self.frame, line)
    }

    /// The open call that `print`, `locals` and `set` refer to, from 0 for the innermost.
    pub fn frame(&self) -> usize {
        self.frame
    }

    /// The command of a line, if it moves the program: for callers that carry it out themselves. `start` and
    /// `last-write` are not such commands.
    ///
    /// # Errors
    /// If a number is missing or malformed.
    pub fn motion(&self, line: &str) -> Result<Option<Command>, DebugError> {
        let (word, rest) = words(line);
        Ok(Some(match word {
            "run" | "r" | "continue" | "c" => Command::Continue,
            "step" | "s" => Command::Step,
            "next" | "n" => Command::Next,
            "finish" => Command::Finish,
            "until" => Command::Until(number(rest)?),
            "back" => Command::Back,
            "reverse-next" => Command::ReverseNext,
            "reverse-finish" => Command::ReverseFinish,
            "reverse-continue" => Command::ReverseContinue,
            "goto" => Command::Goto(number(rest)?),
            "restart" => Command::RestartFrame(self.frame),
            "abort" => Command::Abort,
            _ => return Ok(None),
        }))
    }

    fn run_command(&mut self, command: Command) -> Result<Answer, DebugError> {
        let stop = self.session.run(command)?;
        self.frame = 0;
        Ok(Answer::Stopped(stop))
    }

    fn break_at(&mut self, text: &str) -> Result<Answer, DebugError> {
        let (place, condition) = conditional(text);
        let id = match place.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?))) {
            Some((file, line)) => self.session.break_at_line(file, line)?,
            None if place.is_empty() => return Err(usage("`break FUNCTION` or `break FILE:LINE`")),
            None => self.session.break_at_function(place)?,
        };
        self.breakpoint_added(id, condition)
    }

    fn breakpoint_added(&mut self, id: usize, condition: Option<&str>) -> Result<Answer, DebugError> {
        let point = self.session.breakpoint_mut(id)?;
        if let Some(condition) = condition {
            point.set_condition(condition);
        }
        Ok(Answer::Breakpoint(id, point.to_string()))
    }

    fn logpoint(&mut self, text: &str) -> Result<Answer, DebugError> {
        let wrong = || usage("`logpoint FILE:LINE \"text {i}\"`");
        let (place, log) = text.split_once(char::is_whitespace).ok_or_else(wrong)?;
        let log = log.trim().strip_prefix('"').and_then(|log| log.strip_suffix('"')).ok_or_else(wrong)?;
        let (file, line) = place.rsplit_once(':').ok_or_else(wrong)?;
        let id = self.session.break_at_line(file, number(line)?)?;
        self.session.breakpoint_mut(id)?.log = Some(log.to_owned());
        self.breakpoint_added(id, None)
    }

    fn variables(&self, pred: impl Fn(bool) -> bool) -> Result<Answer, DebugError> {
        let all = self.session.variables(self.frame)?.into_iter();
        Ok(Answer::Variables(all.filter(|variable| pred(variable.is_param)).collect()))
    }

    fn select_frame(&mut self, frame: usize) -> Result<Answer, DebugError> {
        let found = self.session.frames().get(frame).cloned().ok_or(DebugError::NoFrame(frame))?;
        self.frame = frame;
        Ok(Answer::Frame(frame, found))
    }

    fn list(&self) -> Result<Answer, DebugError> {
        let frames = self.session.frames();
        let Span { file, line, .. } = frames.get(self.frame).ok_or(DebugError::Ended)?.span;
        let text = self.session.loaded().program().source(file).unwrap_or_default();
        let first = line.saturating_sub(5).max(1);
        let lines = (1..).zip(text.lines()).skip(first as usize - 1).take(11);
        Ok(Answer::Lines(lines.map(|(number, text)| (number, text.to_owned())).collect(), line))
    }
}

/// The first word of a line, and the rest.
fn words(line: &str) -> (&str, &str) {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (word, rest.trim())
}

/// The text before ` if `, and the condition after it.
fn conditional(text: &str) -> (&str, Option<&str>) {
    match text.split_once(" if ") {
        Some((place, condition)) => (place.trim(), Some(condition.trim())),
        None => (text, None),
    }
}

/// `place = value`, where `=` is not a part of a comparison.
fn assignment(text: &str) -> Option<(&str, &str)> {
    let (place, value) = text.split_once('=')?;
    let (place, value) = (place.trim(), value.trim());
    (!place.is_empty() && !value.is_empty() && !value.starts_with('=')).then_some((place, value))
}

fn no_numbers(text: &str) -> DebugError {
    DebugError::Usage(format!("`{text}` is no array of finite numbers"))
}

fn usage(takes: &str) -> DebugError {
    DebugError::Usage(format!("expected {takes}"))
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, DebugError> {
    text.trim().parse().map_err(|_| DebugError::Usage(format!("`{text}` is no number")))
}
