//! The lines of the source that statements come from.

use overdub_context::{Span, Symbol};

/// The place of the user's program that a place belongs to: the call, if it is in the library.
pub(crate) fn user_span(func: Symbol, span: Span) -> Span {
    let is_users = |span: &Span| span.is_known() && !span.file.starts_with('<');
    span.open_calls(func).map(|(_, span)| span).find(is_users).unwrap_or(span)
}
