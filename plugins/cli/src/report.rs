//! Errors as text for people: what, where with the source line and a caret, the call stack, what to do.

use std::io::Write;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use anstream::{AutoStream, ColorChoice};
use overdub_context::limits::{DEFAULT_DEPTH, Limit};
use overdub_context::{Code, Span};
use serde_json::{Map, Value as Json, json};

use crate::codes;

/// A message to report.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// The code, by which `overdub explain` finds its page.
    pub code: Code,
    /// What happened.
    pub message: String,
    /// The location.
    pub span: Span,
    /// Further facts, one on each line: the call stack, what was expected.
    pub notes: Vec<String>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A diagnostic without a location.
    pub fn new(message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code: codes::COMMAND,
            message: message.into(),
            span: Span::unknown(),
            notes: Vec::new(),
            help: None,
        }
    }

    /// The diagnostic with a more specific code.
    #[must_use]
    pub fn coded(mut self, code: Code) -> Diagnostic {
        self.code = code;
        self
    }

    /// The diagnostic with advice.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// The diagnostic with a location.
    #[must_use]
    pub fn at(mut self, span: Span) -> Diagnostic {
        self.span = span;
        self
    }

    /// The text: a first line `error: … [OD0103]`, then the excerpt of `source` (the text of the span's file), then notes.
    pub fn render(&self, source: Option<&str>, color: Color) -> String {
        let title = format!("{} [{}]", self.message.trim_end(), self.code);
        let mut group = Level::ERROR
            .primary_title(title.as_str())
            .elements(std::iter::empty::<Snippet<'_, annotate_snippets::Annotation<'_>>>());
        let line = source.filter(|_| self.span.is_known()).and_then(|text| line_of(text, self.span.line));
        if let Some(line) = line {
            let range = char_range(line, self.span.column, self.span.len);
            group = group.element(
                Snippet::source(line)
                    .path(self.span.file.as_str())
                    .line_start(self.span.line as usize)
                    .annotation(AnnotationKind::Primary.span(range)),
            );
        } else if self.span.is_known() {
            group = group.element(Level::NOTE.message(format!("at {}", self.span)));
        }
        for note in &self.notes {
            group = group.element(Level::NOTE.message(note.as_str()));
        }
        if let Some(help) = &self.help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        let renderer = match color {
            Color::Never => Renderer::plain(),
            Color::Always => Renderer::styled(),
        };
        renderer.render(&[group])
    }
}

/// Whether to use colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Color {
    /// Plain text: for a file or a pipe.
    Never,
    /// For a terminal.
    Always,
}

fn line_of(text: &str, line: u32) -> Option<&str> {
    text.lines().nth((line as usize).checked_sub(1)?)
}

/// The bytes of `len` characters from `column`, kept inside the line.
fn char_range(line: &str, column: u32, len: u32) -> std::ops::Range<usize> {
    let byte = |chars: usize| line.char_indices().nth(chars).map_or(line.len(), |(byte, _)| byte);
    let first = (column as usize).saturating_sub(1);
    byte(first)..byte(first + (len as usize).max(1))
}

/// A failed command: the message, the source that it refers to, and the exit status.
#[derive(Clone, Debug)]
pub struct Failed {
    diagnostic: Box<Diagnostic>,
    source: Option<std::sync::Arc<str>>,
    status: u8,
    limit: Option<Limit>,
    /// Whether it has been written to the standard output already.
    is_reported: bool,
}

impl Failed {
    /// The program failed or cannot be loaded: exit status 1.
    pub fn program(diagnostic: Diagnostic) -> Failed {
        Failed { diagnostic: Box::new(diagnostic), source: None, status: 1, limit: None, is_reported: false }
    }

    /// The command line is wrong: exit status 2.
    pub fn usage(diagnostic: Diagnostic) -> Failed {
        Failed { status: 2, ..Failed::program(diagnostic) }
    }

    /// The program hit a limit: exit status 3, or 1 for a stack overflow without a requested depth limit.
    pub fn limit(limit: Limit, diagnostic: Diagnostic) -> Failed {
        let status = match limit {
            Limit::Depth(DEFAULT_DEPTH) | Limit::Callbacks(_) => 1,
            _ => 3,
        };
        Failed { status, limit: Some(limit), ..Failed::program(diagnostic) }
    }

    /// The output is closed: exit status 0, and no message.
    pub fn closed() -> Failed {
        Failed { status: 0, is_reported: true, ..Failed::program(Diagnostic::new("nobody reads the output")) }
    }

    /// Marks the failure as written to the standard output already.
    #[must_use]
    pub(crate) fn reported(self) -> Failed {
        Failed { is_reported: true, ..self }
    }

    pub(crate) fn is_reported(&self) -> bool {
        self.is_reported
    }

    /// Whether there is no message.
    pub fn is_quiet(&self) -> bool {
        self.status == 0
    }

    /// An object with the field `error`.
    pub fn json(&self) -> Json {
        let Diagnostic { code, message, span, notes, help } = &*self.diagnostic;
        let code = ("code".to_owned(), json!(code.to_string()));
        let mut error = Map::from_iter([code, ("message".to_owned(), json!(message))]);
        let mut put = |name: &str, value: Json| error.insert(name.to_owned(), value);
        if let Some(limit) = self.limit {
            put("limit", json!({ "name": limit.name(), "value": value_of(limit) }));
        }
        if span.is_known() {
            put("at", json!(span.to_string()));
        }
        if !notes.is_empty() {
            put("notes", json!(notes));
        }
        if let Some(help) = help {
            put("help", json!(help));
        }
        json!({ "error": error })
    }

    /// The failure of a part of the input, which the message names.
    #[must_use]
    pub(crate) fn within(mut self, place: &str) -> Failed {
        self.diagnostic.message = format!("{place}: {}", self.diagnostic.message);
        self
    }

    /// What happened, without the place and what to do.
    pub(crate) fn message(&self) -> &str {
        &self.diagnostic.message
    }

    /// The location, if there is one.
    pub(crate) fn span(&self) -> Span {
        self.diagnostic.span
    }

    /// Adds the text of the file of its location.
    #[must_use]
    pub fn with_source(mut self, source: Option<std::sync::Arc<str>>) -> Failed {
        self.source = source;
        self
    }

    /// The message as text.
    pub fn render(&self, color: Color) -> String {
        self.diagnostic.render(self.source.as_deref(), color)
    }

    /// The exit status.
    pub fn status(&self) -> u8 {
        self.status
    }
}

/// Prints an error to the standard error, in colours if that is a terminal and `NO_COLOR` and the like do not forbid it. A
/// closed stream is ignored.
pub fn print(failed: &Failed) {
    let color = match AutoStream::choice(&std::io::stderr()) {
        ColorChoice::Never => Color::Never,
        _ => Color::Always,
    };
    drop(writeln!(std::io::stderr(), "{}", failed.render(color)));
}

fn value_of(limit: Limit) -> Json {
    match limit {
        Limit::Time(time) => json!(time.as_secs_f64()),
        Limit::Steps(steps) => json!(steps),
        Limit::Memory(most) | Limit::Depth(most) | Limit::Callbacks(most) => json!(most),
        Limit::Cancelled => Json::Null,
    }
}

impl From<std::io::Error> for Failed {
    fn from(error: std::io::Error) -> Failed {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            return Failed::closed();
        }
        Failed::program(Diagnostic::new(format!("cannot write the output: {error}")).coded(codes::FILE))
    }
}
