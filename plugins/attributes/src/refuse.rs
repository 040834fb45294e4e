//! Errors at the tokens that caused them.

use std::path::Path;

use overdub_build::Error;
use proc_macro2::{Span, TokenStream, TokenTree};

/// A guard: while it is alive, tokens are `proc_macro2`'s own (ATTRIBUTE3).
pub(crate) struct OwnTokens;

impl OwnTokens {
    pub(crate) fn new() -> OwnTokens {
        proc_macro2::fallback::force();
        OwnTokens
    }
}

impl Drop for OwnTokens {
    fn drop(&mut self) {
        proc_macro2::fallback::unforce();
    }
}

/// An error of overdub, before it is known whether its place is in the function.
#[derive(Debug)]
pub(crate) struct Refusal {
    /// The message with the line of the source, for an error elsewhere.
    whole: String,
    /// The message, and what to do.
    short: String,
    /// The file, the line and the column, from 1.
    place: Option<(String, usize, usize)>,
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        let help = error.help().map_or_else(String::new, |help| format!("\nhelp: {help}"));
        let span = error.span();
        let place = (span.file.to_string(), span.line as usize, span.column as usize);
        Refusal {
            whole: error.to_string(),
            short: format!("{}{help}", error.cause()),
            place: span.is_known().then_some(place),
        }
    }
}

impl Refusal {
    /// An error without a place.
    pub(crate) fn new(message: impl Into<String>) -> Refusal {
        let message = message.into();
        Refusal { whole: message.clone(), short: message, place: None }
    }

    /// The error, with the path of its file as rustc shows it.
    pub(crate) fn with_relative_path(mut self) -> Refusal {
        if let Some((file, ..)) = &self.place {
            self.whole = self.whole.replace(&**file, relative(file));
        }
        self
    }

    /// The error at the token at its place, if that is in these tokens of the file, and otherwise at the attribute.
    pub(crate) fn within(self, tokens: TokenStream, file: &Path) -> syn::Error {
        let found = self.place.as_ref().filter(|(name, ..)| is_same_file(Path::new(name), file));
        match found.and_then(|(_, line, column)| token_at(tokens, *line, *column)) {
            Some(span) => syn::Error::new(span, self.short),
            None => syn::Error::new(Span::call_site(), self.whole),
        }
    }
}

/// A path as it is shown: relative to the folder in which rustc runs.
fn relative(file: &str) -> &str {
    let here = std::env::current_dir().and_then(|here| here.canonicalize()).unwrap_or_default();
    let inside = Path::new(file).strip_prefix(here).ok().and_then(Path::to_str);
    inside.filter(|inside| !inside.is_empty()).unwrap_or(file)
}

/// Whether two paths are those of one file.
pub(crate) fn is_same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    }
}

/// The last token that begins at or before a place, and ends after it.
fn token_at(tokens: TokenStream, line: usize, column: usize) -> Option<Span> {
    for token in tokens {
        if let TokenTree::Group(group) = &token
            && let Some(found) = token_at(group.stream(), line, column)
        {
            return Some(found);
        }
        let (start, end) = (token.span().start(), token.span().end());
        let at = (line, column - 1);
        let is_group = matches!(token, TokenTree::Group(_));
        if !is_group && (start.line, start.column) <= at && at < (end.line, end.column) {
            return Some(token.span());
        }
    }
    None
}
