//! Bare trait objects: closure traits as types without `dyn`, which editions before 2021 allow:
//! `&Fn(f64) -> f64`, `Box<Fn()>`.
//!
//! - The parser only knows `dyn Fn(f64) -> f64`, so `dyn` is inserted; spans still refer to the original
//!   text.

use super::lexer::{Lexer, Tok};
use super::{Origin, SourceId, SourceMap, SourceRange};

/// The text with `dyn` inserted wherever it is missing.
pub(super) fn with_dyn(sources: &SourceMap, source: SourceId) -> SourceId {
    let text = sources.get(source).text.clone();
    let places = missing_dyn(&text);
    if places.is_empty() {
        return source;
    }
    let mut out = String::with_capacity(text.len() + 4 * places.len());
    let mut origins = Vec::new();
    let mut from = 0;
    for at in places.into_iter().chain([text.len()]) {
        let place = SourceRange { source, lo: from as u32, hi: text.len() as u32 };
        origins.push(Origin { at: out.len() as u32, place, copied: true });
        out.push_str(&text[from..at]);
        if at < text.len() {
            out.push_str("dyn ");
        }
        from = at;
    }
    sources.add_generated(out, origins)
}

/// The positions where `dyn` is missing: before `Fn(` after `&`, `&'a`, `&mut` or `<`.
fn missing_dyn(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    if !["Fn(", "FnMut(", "FnOnce("].iter().any(|name| text.contains(name)) {
        return found;
    }
    let mut before = false;
    let mut lexer = Lexer::new(text, 0, text.len());
    while let Some(token) = lexer.next() {
        let word = token.text(text);
        if before && matches!(word, "Fn" | "FnMut" | "FnOnce") && lexer.peek_text() == "(" {
            found.push(token.lo as usize);
        }
        before = match (token.kind, word) {
            (Tok::Op, "&" | "&&" | "<") => true,
            (Tok::Lifetime, _) | (Tok::Ident, "mut") => before,
            _ => false,
        };
    }
    found
}
