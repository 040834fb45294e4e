//! Text of older editions, rewritten to what the parser of the current one reads.
//!
//! - Before 2021 the closure traits are types without `dyn`: `&Fn(f64) -> f64`, `Box<Fn()>`.
//! - Before 2018 `try` is no keyword: `try!(x)`.
//! - Text is only inserted; spans still refer to the original text.

use super::lexer::{Lexer, Tok};
use super::{Origin, SourceId, SourceMap, SourceRange};

/// A position, and the text that is inserted before it.
type Insertion = (usize, &'static str);

/// The text of an edition with what newer editions require.
pub(super) fn modernised(sources: &SourceMap, source: SourceId, edition: u16) -> SourceId {
    let text = sources.get(source).text.clone();
    let insertions = insertions(&text, edition);
    if insertions.is_empty() {
        return source;
    }
    let mut out = String::with_capacity(text.len() + 4 * insertions.len());
    let mut origins = Vec::new();
    let mut from = 0;
    for (at, inserted) in insertions.into_iter().chain([(text.len(), "")]) {
        let place = SourceRange { source, lo: from as u32, hi: text.len() as u32 };
        origins.push(Origin { at: out.len() as u32, place, copied: true });
        out.push_str(&text[from..at]);
        out.push_str(inserted);
        from = at;
    }
    sources.add_generated(out, origins)
}

/// `dyn` before `Fn(` after `&`, `&'a`, `&mut` or `<`, and `r#` before `try!`.
fn insertions(text: &str, edition: u16) -> Vec<Insertion> {
    let mut found = Vec::new();
    let has_fn_types = ["Fn(", "FnMut(", "FnOnce("].iter().any(|name| text.contains(name));
    let has_try = edition < 2018 && text.contains("try!");
    if !has_fn_types && !has_try {
        return found;
    }
    let mut before = false;
    let mut lexer = Lexer::new(text, 0, text.len());
    while let Some(token) = lexer.next() {
        let word = token.text(text);
        if before && matches!(word, "Fn" | "FnMut" | "FnOnce") && lexer.peek_text() == "(" {
            found.push((token.lo as usize, "dyn "));
        }
        if has_try && word == "try" && lexer.peek_text() == "!" {
            found.push((token.lo as usize, "r#"));
        }
        before = match (token.kind, word) {
            (Tok::Op, "&" | "&&" | "<") => true,
            (Tok::Lifetime, _) | (Tok::Ident, "mut") => before,
            _ => false,
        };
    }
    found
}
