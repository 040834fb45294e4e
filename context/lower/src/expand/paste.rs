//! `paste!`: identifiers concatenated from pieces, `[<get_ $name:lower>]`. See <https://docs.rs/paste>.

use crate::source::hygiene::unmarked;
use crate::source::lexer::{Lexer, Token};
use crate::source::{Origin, SourceMap, SourceRange};

/// The source with each `[<…>]` replaced by the identifier that it denotes.
///
/// # Errors
/// If the brackets contain something that is not a piece of an identifier; the error describes it.
pub(super) fn pasted(sources: &SourceMap, place: SourceRange) -> Result<SourceRange, String> {
    let source = sources.get(place.source);
    let text = &*source.text;
    let tokens: Vec<Token> = Lexer::new(text, place.lo as usize, place.hi as usize).collect();
    let (mut out, mut origins, mut at, mut next) = (String::new(), Vec::new(), place.lo, 0);
    let copy = |out: &mut String, origins: &mut Vec<Origin>, lo: u32, hi: u32| {
        let place = SourceRange { lo, hi, ..place };
        origins.push(Origin { at: out.len() as u32, place, copied: true });
        out.push_str(&text[lo as usize..hi as usize]);
    };
    let is = |at: usize, what: &str| tokens.get(at).is_some_and(|token| token.text(text) == what);
    while next < tokens.len() {
        if !(is(next, "[") && is(next + 1, "<")) {
            next += 1;
            continue;
        }
        let Some(end) = (next + 2..tokens.len()).find(|&end| is(end, ">") && is(end + 1, "]")) else {
            next += 1;
            continue;
        };
        let pieces: Vec<&str> = tokens[next + 2..end].iter().map(|token| token.text(text)).collect();
        let name = identifier(&pieces)?;
        let (lo, hi) = (tokens[next].lo, tokens[end + 1].hi);
        copy(&mut out, &mut origins, at, lo);
        let place = SourceRange { lo, hi, ..place };
        origins.push(Origin { at: out.len() as u32, place, copied: false });
        out.push_str(&name);
        (at, next) = (hi, end + 2);
    }
    if at == place.lo {
        return Ok(place);
    }
    copy(&mut out, &mut origins, at, place.hi);
    let hi = out.len() as u32;
    Ok(SourceRange { source: sources.add_generated(out, origins), lo: 0, hi })
}

/// The identifier concatenated from these pieces: names, numbers, texts, each with modifiers such as
/// `:lower`.
fn identifier(pieces: &[&str]) -> Result<String, String> {
    let (mut name, mut last) = (String::new(), String::new());
    let mut pieces = pieces.iter();
    while let Some(&piece) = pieces.next() {
        if piece != ":" {
            name.push_str(&last);
            last = unquoted(piece)?;
            continue;
        }
        last = match pieces.next().copied() {
            Some("lower") => last.to_lowercase(),
            Some("upper") => last.to_uppercase(),
            Some("snake") => snake(&last),
            Some("camel") => camel(&last),
            other => return Err(format!("`{}` is no modifier of `paste!`", other.unwrap_or_default())),
        };
    }
    name.push_str(&last);
    Ok(name)
}

fn unquoted(piece: &str) -> Result<String, String> {
    let text = unmarked(piece.strip_prefix("r#").unwrap_or(piece));
    let text = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(&text);
    let text = text.strip_prefix('\'').unwrap_or(text);
    if text.chars().all(|c| c.is_alphanumeric() || c == '_') {
        Ok(text.to_owned())
    } else {
        Err(format!("`{piece}` is no piece of an identifier"))
    }
}

fn snake(name: &str) -> String {
    let (mut out, mut before) = (String::new(), '_');
    for c in name.chars() {
        if c.is_uppercase() && before != '_' {
            out.push('_');
        }
        out.extend(c.to_lowercase());
        before = c;
    }
    out
}

fn camel(name: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    };
    name.split('_').map(word).collect()
}
