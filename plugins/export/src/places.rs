//! The lines of the source that statements come from.

use overdub_context::{Span, Symbol};

/// The place of the user's program that a place belongs to: the call, if it is in the library.
pub(crate) fn user_span(func: Symbol, span: Span) -> Span {
    let is_users = |span: &Span| span.is_known() && !span.file.starts_with('<');
    span.open_calls(func).map(|(_, span)| span).find(is_users).unwrap_or(span)
}

/// The line of the user's program that a statement of a function comes from, if a comment is due: it is known, not that
/// of the function's head, and not that of the comment before.
pub(crate) fn line_due(
    (func, head): (Symbol, Span),
    span: Span,
    before: &mut Option<(Symbol, u32)>,
) -> Option<(Symbol, u32)> {
    let span = user_span(func, span);
    let line = (span.file, span.line);
    let is_known = span.is_known() && !span.file.starts_with('<');
    if !is_known || line == (head.file, head.line) || *before == Some(line) {
        return None;
    }
    *before = Some(line);
    Some(line)
}
