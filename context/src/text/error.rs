//! Errors in a text: each shows its line and advice.
//!
//! - FAULT1 the location of an error is in the text in question; its excerpt is that line.
//! - FAULT2 at most [`MAX_FAULTS`] are kept: a text that is not a program has one at every token.

use std::fmt;

use crate::ir::typing::TypeError;
use crate::verify::Invariant;
use crate::{Span, Symbol};

/// The maximum number of faults of a text that are kept.
pub(super) const MAX_FAULTS: usize = 50;

/// The maximum number of characters of a line in an excerpt.
const EXCERPT_WIDTH: usize = 120;

/// All errors in a text, in the order of lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseErrors(Vec<ParseError>);

/// An error in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// The location.
    pub span: Span,
    /// The kind of the error.
    pub kind: ParseErrorKind,
    /// Advice, if there is a likely remedy.
    pub help: Option<String>,
    excerpt: String,
    /// The number of characters in the excerpt before the location.
    indent: usize,
}

/// The kinds of errors in a text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseErrorKind {
    /// An unexpected token.
    #[error("expected {expected}, found {found}")]
    Unexpected {
        /// The expected syntax.
        expected: String,
        /// The token found.
        found: String,
    },
    /// A character that starts no token.
    #[error("unexpected character `{}`", .0.escape_default())]
    Character(char),
    /// A sigil without a name.
    #[error("a name is missing after the sigil")]
    NameMissing,
    /// A `"` without a closing one on the line.
    #[error("this text is not closed on its line")]
    TextNotClosed,
    /// A `'` that does not start a character literal.
    #[error("a character literal is one character between `'` and `'`")]
    CharLiteral,
    /// An unknown escape.
    #[error("unknown escape `{0}`")]
    Escape(String),
    /// An invalid number, or one too large for its type.
    #[error("`{literal}` is no number of type `{ty}`")]
    Number {
        /// The number.
        literal: String,
        /// The type, or the suffix in its place.
        ty: String,
    },
    /// Types or literals that are nested too deeply.
    #[error("nested more than {0} deep")]
    TooDeep(usize),
    /// An unknown operation.
    #[error("unknown operation `{0}`")]
    UnknownOp(String),
    /// An unknown type.
    #[error("unknown type `{0}`")]
    UnknownType(String),
    /// A variable without a definition.
    #[error("undefined value `%{0}`")]
    UndefinedValue(String),
    /// A block without a definition.
    #[error("undefined block `^{0}`")]
    UndefinedBlock(String),
    /// A name that is defined twice.
    #[error("`{name}` is defined twice, first on line {first}")]
    Duplicate {
        /// The name with its sigil.
        name: String,
        /// The line of the first definition.
        first: u32,
    },
    /// A block without a terminator.
    #[error("the block {0} has no terminator")]
    MissingTerminator(String),
    /// An instruction or terminator after the terminator of a block.
    #[error("nothing runs after a terminator")]
    AfterTerminator,
    /// A literal that does not have its type.
    #[error("{found} is no `{ty}`")]
    Literal {
        /// The literal.
        found: String,
        /// The expected type.
        ty: String,
    },
    /// A literal whose type is ambiguous.
    #[error("the type of {0} does not follow from it")]
    LiteralType(String),
    /// A `_` whose type cannot be inferred.
    #[error("the type of `%{name}` does not follow: {reason}")]
    TypeUnknown {
        /// The variable.
        name: String,
        /// The reason.
        reason: String,
    },
    /// `_` where a type has to be written.
    #[error("`_` may only stand for the whole type of an instruction's result")]
    InferHere,
    /// Operands that do not fit the operation.
    #[error(transparent)]
    Type(#[from] TypeError),
    /// A fault found by the verifier.
    #[error("{message} ({invariant})")]
    Invalid {
        /// The violated invariant.
        invariant: Invariant,
        /// The reason.
        message: String,
    },
    /// A declaration of a built-in type.
    #[error("`{0}` is built in and cannot be declared")]
    BuiltIn(String),
}

/// A range of the text, in byte offsets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ByteRange {
    start: usize,
    end: usize,
}

impl ByteRange {
    pub(super) fn new(start: usize, end: usize) -> ByteRange {
        ByteRange { start, end }
    }

    /// The range from the start of this one to the end of the other.
    pub(super) fn to(self, last: ByteRange) -> ByteRange {
        ByteRange { start: self.start, end: last.end.max(self.start) }
    }

    /// The empty range at the end of this one.
    pub(super) fn after(self) -> ByteRange {
        ByteRange { start: self.end, end: self.end }
    }
}

/// A text with an index of its lines.
pub(super) struct LineIndex<'t> {
    text: &'t str,
    file: Symbol,
    line_starts: Vec<usize>,
}

impl<'t> LineIndex<'t> {
    pub(super) fn new(file: Symbol, text: &'t str) -> LineIndex<'t> {
        let newlines = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let line_starts = std::iter::once(0).chain(newlines.map(|(at, _)| at + 1)).collect();
        LineIndex { text, file, line_starts }
    }

    fn line(&self, at: usize) -> usize {
        self.line_starts.partition_point(|&start| start <= at) - 1
    }

    pub(super) fn span(&self, place: ByteRange) -> Span {
        let line = self.line(place.start);
        let rest = &self.text[place.start..place.end];
        let column = self.text[self.line_starts[line]..place.start].chars().count() + 1;
        let len = rest.lines().next().unwrap_or("").chars().count();
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Span::new(self.file, number(line + 1), number(column), number(len))
    }

    /// The range of a span of this text.
    pub(super) fn place(&self, span: Span) -> ByteRange {
        let start = self.line_starts.get((span.line as usize).saturating_sub(1)).copied().unwrap_or(0);
        let line = self.line_text(start);
        let offset = |column: u32| {
            let mut indices = line.char_indices().map(|(at, _)| at);
            start + indices.nth(column as usize).unwrap_or(line.len())
        };
        let column = span.column.saturating_sub(1);
        ByteRange::new(offset(column), offset(column.saturating_add(span.len)))
    }

    pub(super) fn slice(&self, place: ByteRange) -> &'t str {
        &self.text[place.start..place.end]
    }

    fn line_text(&self, at: usize) -> &'t str {
        self.text[self.line_starts[self.line(at)]..].lines().next().unwrap_or("")
    }

    fn error(&self, place: ByteRange, kind: ParseErrorKind, help: Option<String>) -> ParseError {
        let span = self.span(place);
        let before = span.column as usize - 1;
        let skipped = before.saturating_sub(EXCERPT_WIDTH / 2);
        let shown = self.line_text(place.start).chars().skip(skipped).take(EXCERPT_WIDTH);
        let excerpt = shown.map(|c| if c.is_control() { ' ' } else { c }).collect();
        ParseError { span, kind, help, excerpt, indent: before - skipped }
    }
}

/// The faults found so far.
pub(super) struct Faults<'t> {
    pub(super) source: LineIndex<'t>,
    errors: Vec<ParseError>,
}

impl<'t> Faults<'t> {
    pub(super) fn new(source: LineIndex<'t>) -> Faults<'t> {
        Faults { source, errors: Vec::new() }
    }

    pub(super) fn push(&mut self, place: ByteRange, kind: ParseErrorKind) {
        self.push_with_help(place, kind, None);
    }

    pub(super) fn push_with_help(&mut self, place: ByteRange, kind: ParseErrorKind, help: Option<String>) {
        if self.errors.len() < MAX_FAULTS {
            let error = self.source.error(place, kind, help);
            self.errors.push(error);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    pub(super) fn is_full(&self) -> bool {
        self.errors.len() >= MAX_FAULTS
    }

    /// The faults in the order of their positions, if there are any.
    pub(super) fn into_result(mut self) -> Result<(), ParseErrors> {
        if self.errors.is_empty() {
            return Ok(());
        }
        self.errors.sort_by_key(|error| (error.span.line, error.span.column));
        Err(ParseErrors(self.errors))
    }
}

impl ParseErrors {
    /// The errors; there is at least one.
    pub fn iter(&self) -> impl Iterator<Item = &ParseError> {
        self.0.iter()
    }
}

impl fmt::Display for ParseErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, error) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str("\n\n")?;
            }
            write!(f, "{error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ParseErrors {}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.span.line.to_string();
        let margin = " ".repeat(number.len());
        let carets = (self.span.len as usize).min(EXCERPT_WIDTH - self.indent.min(EXCERPT_WIDTH - 1)).max(1);
        writeln!(f, "{}: {}", self.span, self.kind)?;
        writeln!(f, "{margin} |")?;
        writeln!(f, "{}", format!("{number} | {}", self.excerpt).trim_end())?;
        write!(f, "{margin} | {}{}", " ".repeat(self.indent), "^".repeat(carets))?;
        if let Some(help) = &self.help {
            write!(f, "\n{margin} = {help}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ParseError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.kind)
    }
}

/// The error for a text that should contain exactly one function.
pub(super) fn not_one(text: &str, funcs: usize) -> ParseErrors {
    let source = LineIndex::new(Symbol::new("text"), text);
    let kind =
        ParseErrorKind::Unexpected { expected: "one function".to_owned(), found: format!("{funcs} of them") };
    ParseErrors(vec![source.error(ByteRange::new(0, 0), kind, None)])
}
