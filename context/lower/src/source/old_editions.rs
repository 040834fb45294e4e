//! Text of older editions, rewritten to what the parser of the current one reads.
//!
//! - Before 2021 the closure traits are types without `dyn`: `&Fn(f64) -> f64`, `Box<Fn()>`.
//! - Before 2018 `try` is no keyword: `try!(x)`; and parameters of trait methods may have no name: `fn area(&self, f64);`.
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

/// `dyn` before `Fn(` after `&`, `&'a`, `&mut` or `<`, `r#` before `try!`, and `_: ` before the type of a parameter
/// without a name.
fn insertions(text: &str, edition: u16) -> Vec<Insertion> {
    let mut found = Vec::new();
    let has_fn_types = ["Fn(", "FnMut(", "FnOnce("].iter().any(|name| text.contains(name));
    let has_try = edition < 2018 && text.contains("try!");
    let has_traits = edition < 2018 && text.contains("trait ");
    if !has_fn_types && !has_try && !has_traits {
        return found;
    }
    let mut before = false;
    let mut body = TraitBody::default();
    let mut lexer = Lexer::new(text, 0, text.len());
    while let Some(token) = lexer.next() {
        let word = token.text(text);
        body.read(word);
        if before && matches!(word, "Fn" | "FnMut" | "FnOnce") && lexer.peek_text() == "(" {
            found.push((token.lo as usize, "dyn "));
        }
        if has_try && word == "try" && lexer.peek_text() == "!" {
            found.push((token.lo as usize, "r#"));
        }
        if has_traits && word == "fn" && body.holds_items() {
            found.extend(unnamed_params(lexer.clone()).into_iter().map(|at| (at, "_: ")));
        }
        before = match (token.kind, word) {
            (Tok::Op, "&" | "&&" | "<") => true,
            (Tok::Lifetime, _) | (Tok::Ident, "mut") => before,
            _ => false,
        };
    }
    found
}

/// Whether a text is at the items of a trait. A macro call elsewhere may contain `fn add(a, b)`, with a meaning of its own.
#[derive(Default)]
struct TraitBody {
    /// The number of open brackets.
    depth: usize,
    /// `trait` was read, and not yet what its items begin with.
    is_header: bool,
    /// The number of open brackets around the items.
    items: Option<usize>,
}

impl TraitBody {
    fn read(&mut self, word: &str) {
        match word {
            "trait" if self.items.is_none() => self.is_header = true,
            "(" | "[" | "{" => {
                self.depth += 1;
                if word == "{" && std::mem::take(&mut self.is_header) {
                    self.items = Some(self.depth);
                }
            }
            ")" | "]" | "}" => {
                self.items = self.items.filter(|items| *items < self.depth);
                self.depth = self.depth.saturating_sub(1);
            }
            _ => {}
        }
    }

    fn holds_items(&self) -> bool {
        self.items == Some(self.depth)
    }
}

/// The positions of the parameters without a name in the signature after `fn`.
fn unnamed_params(mut lexer: Lexer<'_>) -> Vec<usize> {
    let text = lexer.text;
    let mut unnamed = Vec::new();
    if lexer.next().is_none_or(|name| name.kind != Tok::Ident) {
        return unnamed;
    }
    let mut generics = 0;
    loop {
        match lexer.next().map(|token| token.text(text)) {
            Some("(") if generics == 0 => break,
            None | Some("$" | "{" | ";") => return unnamed,
            Some(word) => generics += nesting(word),
        }
    }
    // Where the current one starts, and whether it has a name.
    let mut param: Option<(usize, bool)> = None;
    let mut depth = 0;
    for token in lexer {
        let word = token.text(text);
        if depth == 0 && matches!(word, "," | ")") {
            unnamed.extend(param.take().filter(|(_, is_named)| !is_named).map(|(at, _)| at));
            if word == ")" {
                return unnamed;
            }
            continue;
        }
        // The pattern of a macro: its parameters are not known.
        if word == "$" {
            break;
        }
        let (_, is_named) = param.get_or_insert((token.lo as usize, false));
        *is_named |= depth == 0 && matches!(word, ":" | "self");
        depth += nesting(word);
    }
    Vec::new()
}

/// By how many brackets of any kind a token leads inwards.
fn nesting(word: &str) -> i32 {
    match word {
        "(" | "[" | "{" | "<" => 1,
        "<<" => 2,
        ")" | "]" | "}" | ">" => -1,
        ">>" => -2,
        _ => 0,
    }
}
