//! Documentation comments as the attributes that a macro sees: `/// text` is `#[doc = "text"]`.

use std::fmt::Write;

use crate::source::lexer::Lexer;
use crate::source::{Origin, SourceMap, SourceRange};

/// The source with documentation written as attributes, or the source itself if there is none.
pub(super) fn as_attributes(sources: &SourceMap, place: SourceRange) -> SourceRange {
    let source = sources.get(place.source);
    let text = &*source.text;
    let comments = comments(text, place);
    if comments.is_empty() {
        return place;
    }
    let (mut out, mut origins, mut at) = (String::new(), Vec::new(), place.lo);
    let copy = |out: &mut String, origins: &mut Vec<Origin>, lo: u32, hi: u32| {
        let place = SourceRange { lo, hi, ..place };
        origins.push(Origin { at: out.len() as u32, place, copied: true });
        out.push_str(&text[lo as usize..hi as usize]);
    };
    for Comment { lo, hi, inner, words } in comments {
        copy(&mut out, &mut origins, at, lo);
        origins.push(Origin { at: out.len() as u32, place: SourceRange { lo, hi, ..place }, copied: false });
        let bang = if inner { "!" } else { "" };
        // Writing to a string does not fail.
        let _ = write!(out, "#{bang}[doc = {words:?}]");
        at = hi;
    }
    copy(&mut out, &mut origins, at, place.hi);
    let hi = out.len() as u32;
    SourceRange { source: sources.add_generated(out, origins), lo: 0, hi }
}

struct Comment<'a> {
    lo: u32,
    hi: u32,
    inner: bool,
    words: &'a str,
}

/// The documentation comments between the tokens of a source range.
fn comments(text: &str, place: SourceRange) -> Vec<Comment<'_>> {
    let mut found = Vec::new();
    let mut gap = place.lo as usize;
    let ends = Lexer::new(text, gap, place.hi as usize).map(|token| (token.lo as usize, token.hi as usize));
    for (lo, hi) in ends.chain([(place.hi as usize, 0)]) {
        blank(text, gap, lo, &mut found);
        gap = hi;
    }
    found
}

/// The documentation comments in a range without tokens.
fn blank<'a>(text: &'a str, lo: usize, hi: usize, found: &mut Vec<Comment<'a>>) {
    let mut at = lo;
    while let Some(start) = text.get(at..hi).and_then(|rest| rest.find('/')).map(|n| at + n) {
        let rest = &text[start..hi];
        let line = rest.starts_with("//");
        let len = if line { rest.find('\n').unwrap_or(rest.len()) } else { block(rest) };
        let comment = &rest[..len];
        let words = if line { comment.get(3..) } else { comment.get(3..len.saturating_sub(2)) };
        let outer = match line {
            true => comment.starts_with("///") && !comment.starts_with("////"),
            false => comment.starts_with("/**") && !comment.starts_with("/***") && len > 4,
        };
        let inner = comment.starts_with("//!") || comment.starts_with("/*!");
        if let Some(words) = words.filter(|_| outer || inner) {
            found.push(Comment { lo: start as u32, hi: (start + len) as u32, inner, words });
        }
        at = start + len.max(1);
    }
}

/// The length of the block comment at the start of a text.
fn block(text: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    let bytes = text.as_bytes();
    while at < bytes.len() {
        match &bytes[at..] {
            [b'/', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b'/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    text.len()
}
