//! The view of a debugged run at a terminal: the open calls, the surrounding source, the variables.

use std::collections::BTreeMap;
use std::fmt::Write;

use anstyle::{AnsiColor, Style};

use overdub_context::Symbol;
use overdub_context::value::Value;
use overdub_debugger::{FrameInfo, Reason, Script, Stop, Summary, show};

use crate::Color;

/// The number of lines of the source before and after the next one.
const CONTEXT_LINES: u32 = 3;
/// The number of open calls that are named.
const CALLS: usize = 6;
/// The number of characters of a value.
const CHARS: usize = 100;
/// The greatest number of elements of an array that is written out.
const ELEMENTS: usize = 8;

/// The styles of the view.
#[derive(Clone, Copy)]
struct Styles {
    dimmed: Style,
    current: Style,
    changed: Style,
    bad: Style,
}

impl Styles {
    fn of(color: Color) -> Styles {
        let plain = Style::new();
        match color {
            Color::Never => Styles { dimmed: plain, current: plain, changed: plain, bad: plain },
            Color::Always => Styles {
                dimmed: plain.dimmed(),
                current: plain.bold().fg_color(Some(AnsiColor::Cyan.into())),
                changed: plain.fg_color(Some(AnsiColor::Yellow.into())),
                bad: plain.bold().fg_color(Some(AnsiColor::Red.into())),
            },
        }
    }
}

/// Shows stops, and remembers the values of variables at the last one.
pub(super) struct View {
    styles: Styles,
    /// The variables of the call that was shown last.
    shown: BTreeMap<Symbol, String>,
    function: Option<Symbol>,
}

impl View {
    pub(super) fn new(color: Color) -> View {
        View { styles: Styles::of(color), shown: BTreeMap::new(), function: None }
    }

    /// A stop: the reason, and the position of the run.
    pub(super) fn stop(&mut self, script: &mut Script, stop: &Stop) -> String {
        let Styles { bad, .. } = self.styles;
        match &stop.reason {
            Reason::Exited(value) => return format!("exited: {}\n", brief(value)),
            Reason::Differentiated { .. } => return format!("{stop}\n"),
            Reason::Failed(_) => return format!("{bad}{stop}{bad:#}\n"),
            Reason::Failure(_) | Reason::NotFinite { .. } | Reason::Condition { .. } => {
                return format!("{bad}{stop}{bad:#}\n{}", self.place(script));
            }
            _ => {}
        }
        format!("{stop}\n{}", self.place(script))
    }

    /// The selected open call: the calls that lead to it, its source and its variables.
    pub(super) fn place(&mut self, script: &mut Script) -> String {
        let at = script.frame();
        let frames = script.session().frames();
        let Some(frame) = frames.get(at) else { return String::new() };
        let mut out = String::new();
        if frames.len() > 1 {
            self.calls(&frames, at, &mut out);
        }
        self.source(script, frame, &mut out);
        self.variables(script, frame, &mut out);
        out
    }

    /// `main › solve › step`, the outermost first, the selected one in bold.
    fn calls(&self, frames: &[FrameInfo], at: usize, out: &mut String) {
        let Styles { dimmed, current, .. } = self.styles;
        let left_out = frames.len().saturating_sub(CALLS.max(at + 1));
        let mut parts = Vec::new();
        if left_out > 0 {
            parts.push(format!("{dimmed}{left_out} calls{dimmed:#}"));
        }
        for (number, frame) in frames.iter().enumerate().rev().skip(left_out) {
            let style = if number == at { current } else { dimmed };
            parts.push(format!("{style}{}{style:#}", frame.function));
        }
        let _ = writeln!(out, "{}", parts.join(" › "));
    }

    fn source(&self, script: &mut Script, frame: &FrameInfo, out: &mut String) {
        let Styles { dimmed, current, .. } = self.styles;
        let program = script.session().loaded().program();
        let Some(text) = program.source(frame.span.file) else { return };
        let line = frame.span.line;
        let first = line.saturating_sub(CONTEXT_LINES).max(1);
        for (number, text) in (1..).zip(text.lines()).skip(first as usize - 1) {
            if number > line + CONTEXT_LINES {
                break;
            }
            let _ = match number == line {
                true => writeln!(out, "{current}→{number:5} {text}{current:#}"),
                false => writeln!(out, "{dimmed} {number:5}{dimmed:#} {text}"),
            };
        }
    }

    fn variables(&mut self, script: &mut Script, frame: &FrameInfo, out: &mut String) {
        let number = script.frame();
        let Ok(variables) = script.session().variables(number) else { return };
        let is_same_call = self.function.replace(frame.function) == Some(frame.function);
        let mut latest = BTreeMap::new();
        for of in variables {
            let value = of.written(&|value| brief(value));
            let was = self.shown.get(&of.name);
            let is_changed = is_same_call && was.is_none_or(|was| *was != value);
            let style = if is_changed { self.styles.changed } else { Style::new() };
            let _ = writeln!(out, "  {style}{value}{style:#}");
            latest.insert(of.name, value);
        }
        self.shown = latest;
    }
}

/// A value on one line: a summary of a long array, the beginning of other long values.
pub(super) fn brief(value: &Value<'_>) -> String {
    if let Some(summary) = Summary::of(value)
        && summary.shape.iter().product::<usize>() > ELEMENTS
    {
        return summary.to_string();
    }
    let text = show(value);
    match text.char_indices().nth(CHARS) {
        Some((end, _)) => format!("{} … ({} characters)", &text[..end], text.chars().count()),
        None => text,
    }
}
