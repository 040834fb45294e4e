//! The condition of `equator::assert!`: a comparison becomes `@compare < (left) (right)`, `all(…)` and `any(…)` become `@all {…} {…}`
//! and `@any {…} {…}`, anything else `@test (…)`, for the declarative macros of the prelude. See <https://docs.rs/equator>.

use crate::source::lexer::{Lexer, Tok, Token};
use crate::source::{Origin, SourceMap, SourceRange};

const COMPARISONS: [&str; 6] = ["<", ">", "<=", ">=", "==", "!="];

/// The source with its condition in braces and marked; a message follows the braces.
pub(super) fn marked(sources: &SourceMap, place: SourceRange) -> SourceRange {
    let source = sources.get(place.source);
    let tokens: Vec<Token> = Lexer::new(&source.text, place.lo as usize, place.hi as usize).collect();
    let mut scribe = Scribe { text: &source.text, place, out: String::new(), origins: Vec::new() };
    let end = argument_end(&tokens, &source.text);
    scribe.insert("{");
    scribe.condition(&tokens[..end]);
    scribe.insert("} ");
    scribe.copy(tokens.get(end + 1..).unwrap_or(&[]));
    let hi = scribe.out.len() as u32;
    SourceRange { source: sources.add_generated(scribe.out, scribe.origins), lo: 0, hi }
}

/// The index of the comma that ends the first argument, or that of the end.
fn argument_end(tokens: &[Token], text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            Tok::Open => depth += 1,
            Tok::Close => depth = depth.saturating_sub(1),
            _ if depth == 0 && token.text(text) == "," => return at,
            _ => {}
        }
    }
    tokens.len()
}

/// The index of the comparison that a condition is, if it is one.
fn comparison(tokens: &[Token], text: &str) -> Option<usize> {
    let (mut depth, mut found, mut at) = (0_usize, None, 0);
    while let Some(token) = tokens.get(at) {
        match (token.kind, token.text(text)) {
            (Tok::Open, _) => depth += 1,
            (Tok::Close, _) => depth = depth.saturating_sub(1),
            (Tok::Op, "::")
                if depth == 0 && tokens.get(at + 1).is_some_and(|next| next.text(text) == "<") =>
            {
                at += 1 + generic_arguments(&tokens[at + 1..], text);
            }
            (Tok::Op, "&&" | "||" | "|") if depth == 0 => return None,
            (Tok::Op, operator) if depth == 0 && found.is_none() && COMPARISONS.contains(&operator) => {
                found = Some(at);
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// The number of tokens from a `<` to before the `>` that closes it.
fn generic_arguments(tokens: &[Token], text: &str) -> usize {
    let mut depth = 0_isize;
    for (at, token) in tokens.iter().enumerate() {
        depth += match token.text(text) {
            "<" => 1,
            ">" => -1,
            ">>" => -2,
            _ => 0,
        };
        if depth <= 0 {
            return at;
        }
    }
    tokens.len()
}

struct Scribe<'a> {
    text: &'a str,
    place: SourceRange,
    out: String,
    origins: Vec<Origin>,
}

impl Scribe<'_> {
    fn insert(&mut self, text: &str) {
        self.origins.push(Origin { at: self.out.len() as u32, place: self.place, copied: false });
        self.out.push_str(text);
    }

    fn copy(&mut self, tokens: &[Token]) {
        let [first, .., last] = tokens else {
            tokens.iter().for_each(|only| self.copy_range(only.lo, only.hi));
            return;
        };
        self.copy_range(first.lo, last.hi);
    }

    fn copy_range(&mut self, lo: u32, hi: u32) {
        let place = SourceRange { lo, hi, ..self.place };
        self.origins.push(Origin { at: self.out.len() as u32, place, copied: true });
        self.out.push_str(&self.text[lo as usize..hi as usize]);
    }

    fn condition(&mut self, tokens: &[Token]) {
        if let [list, open, inner @ .., _] = tokens
            && open.text(self.text) == "("
            && let mark @ ("all" | "any") = list.text(self.text)
            && is_balanced(inner)
        {
            self.insert(&format!("@{mark}"));
            let mut rest = inner;
            while !rest.is_empty() {
                let end = argument_end(rest, self.text);
                self.insert(" {");
                self.condition(&rest[..end]);
                self.insert("}");
                rest = rest.get(end + 1..).unwrap_or(&[]);
            }
            return;
        }
        let Some(at) = comparison(tokens, self.text) else {
            self.insert("@test (");
            self.copy(tokens);
            return self.insert(")");
        };
        self.insert("@compare ");
        self.copy(&tokens[at..=at]);
        self.insert(" (");
        self.copy(&tokens[..at]);
        self.insert(") (");
        self.copy(&tokens[at + 1..]);
        self.insert(")");
    }
}

/// Whether the brackets before and behind these tokens belong together: `all(a) == any(b)` is no list.
fn is_balanced(inner: &[Token]) -> bool {
    let mut depth = 0_isize;
    inner.iter().all(|token| {
        depth += match token.kind {
            Tok::Open => 1,
            Tok::Close => -1,
            _ => 0,
        };
        depth >= 0
    })
}
