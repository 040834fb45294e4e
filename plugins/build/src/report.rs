//! Errors as rustc shows them: what, the line of the source with a caret, what to do.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use overdub_context::Span;

/// The text of an error, without the word `error` before it; `source` is the text of the span's file, and `file` the
/// name under which it is shown.
pub(crate) fn render(
    message: &str,
    span: Span,
    file: &str,
    source: Option<&str>,
    help: Option<&str>,
) -> String {
    let mut group = Level::ERROR
        .primary_title(message)
        .elements(std::iter::empty::<Snippet<'_, annotate_snippets::Annotation<'_>>>());
    let line = source.filter(|_| span.is_known()).and_then(|text| line_of(text, span.line));
    if let Some(line) = line {
        group = group.element(
            Snippet::source(line)
                .path(file)
                .line_start(span.line as usize)
                .annotation(AnnotationKind::Primary.span(bytes_of(line, span.column, span.len))),
        );
    } else if span.is_known() {
        group = group.element(Level::NOTE.message(format!("at {file}:{}:{}", span.line, span.column)));
    }
    if let Some(help) = help {
        group = group.element(Level::HELP.message(help));
    }
    let text = Renderer::plain().render(&[group]);
    text.strip_prefix("error: ").unwrap_or(&text).to_owned()
}

fn line_of(text: &str, line: u32) -> Option<&str> {
    text.lines().nth((line as usize).checked_sub(1)?)
}

/// The bytes of `len` characters from `column`, kept inside the line.
fn bytes_of(line: &str, column: u32, len: u32) -> std::ops::Range<usize> {
    let byte = |chars: usize| line.char_indices().nth(chars).map_or(line.len(), |(byte, _)| byte);
    let first = (column as usize).saturating_sub(1);
    byte(first)..byte(first + (len as usize).max(1))
}
