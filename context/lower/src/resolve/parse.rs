//! Parses ranges of a text with `syn`, and maps `syn`'s spans back to the text.
//!
//! - SYN1 trees of `syn` do not leave the thread and the call that created them; what is kept uses types of
//!   this crate.

use std::sync::Arc;

use overdub_context::{Span, Symbol};
use syn::parse::Parser;
use syn::punctuated::Punctuated;

use crate::error::{Cause, ResolveError};
use crate::hir::{DefId, Type};
use crate::program::Program;
use crate::source::lexer::{Lexer, Tok, Token};
use crate::source::nesting_depth::{MOST_LEVELS, levels, with_stack_for};
use crate::source::{SourceFile, SourceId, SourceRange};

/// The error of `syn` for text that does not consist of tokens; it comes without a position.
const UNREADABLE: &str = "cannot parse string into token stream";

/// The text that a tree was parsed from.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    pub(crate) source: SourceId,
    pub(crate) base: u32,
    pub(crate) text: Arc<SourceFile>,
}

impl Origin {
    pub(crate) fn new(program: &Program, source: SourceId, base: u32) -> Origin {
        Origin { source, base, text: program.sources.get(source) }
    }

    /// The range of a span of a tree that was parsed from here.
    pub(crate) fn place(&self, span: proc_macro2::Span) -> SourceRange {
        let range = span.byte_range();
        let (lo, hi) = (self.base + range.start as u32, self.base + range.end as u32);
        SourceRange { source: self.source, lo, hi }
    }

    /// The text of a range.
    pub(crate) fn slice(&self, place: SourceRange) -> &str {
        crate::expand::text_of(&self.text, place.lo, place.hi)
    }
}

impl Program {
    /// Parses types that are given outside of the program, separated by commas: `f64, &[Point]`. Their names
    /// are resolved in the scope of the item `near`.
    pub fn read_types(&self, near: DefId, text: &str) -> Result<Vec<Type>, ResolveError> {
        let source = self.sources.add("<types>", text.into());
        let list = Punctuated::<syn::Type, syn::Token![,]>::parse_terminated;
        let (parsed, origin) = self.parse(list, source, 0, text.len() as u32)?;
        let mut cx = self.type_cx(&self.node(near), origin)?;
        parsed.iter().map(|ty| cx.ty(ty)).collect()
    }

    /// Parses a range of a text.
    pub(crate) fn parse<P: Parser>(
        &self,
        parser: P,
        source: SourceId,
        lo: u32,
        hi: u32,
    ) -> Result<(P::Output, Origin), ResolveError> {
        let origin = Origin::new(self, source, lo);
        let text = crate::expand::text_of(&origin.text, lo, hi);
        let depth = levels(&origin.text.text, lo, hi);
        if depth > MOST_LEVELS {
            let why = format!("this nests too deeply: more than {MOST_LEVELS} levels");
            let span = self.sources.span(SourceRange { source, lo, hi: hi.min(lo + 1) });
            return Err(ResolveError::new(span, Cause::Syntax(why)));
        }
        match with_stack_for(depth, || parser.parse_str(text)) {
            Ok(tree) => Ok((tree, origin)),
            Err(error) => {
                let mut place = origin.place(error.span());
                if place.lo == place.hi {
                    let last = text.chars().next_back().map_or(0, char::len_utf8) as u32;
                    place = SourceRange { source, lo: hi - last, hi };
                }
                let mut why = error.to_string();
                if why == UNREADABLE {
                    (place, why) = self.unreadable(source, lo, hi);
                }
                Err(ResolveError::new(self.sources.span(place), Cause::Syntax(why)))
            }
        }
    }
}

impl Program {
    /// The first position at which a text does not consist of tokens, and the reason.
    fn unreadable(&self, source: SourceId, lo: u32, hi: u32) -> (SourceRange, String) {
        let text = self.sources.get(source);
        let mut open: Vec<Token> = Vec::new();
        for token in Lexer::new(&text.text, lo as usize, hi as usize) {
            let place = SourceRange { source, lo: token.lo, hi: token.hi };
            let word = token.text(&text.text);
            match token.kind {
                Tok::Open => open.push(token),
                Tok::Close => {
                    let pair = open.pop().map(|open| (open.text(&text.text), word));
                    if !matches!(pair, Some(("(", ")") | ("[", "]") | ("{", "}"))) {
                        return (place, format!("`{word}` closes nothing that is open"));
                    }
                }
                _ if word.parse::<proc_macro2::TokenStream>().is_err() => {
                    let start: String = word.lines().next().unwrap_or("").chars().take(20).collect();
                    return (place, format!("`{start}` is no token of Rust"));
                }
                _ => {}
            }
        }
        match open.pop() {
            Some(open) => {
                let place = SourceRange { source, lo: open.lo, hi: open.hi };
                (place, format!("`{}` is never closed", open.text(&text.text)))
            }
            None => (SourceRange { source, lo, hi: lo + 1 }, "this is not made of tokens of Rust".to_owned()),
        }
    }
}

/// The span from the start of `first` to the end of `last`, as far as it is on one line.
pub(crate) fn join(first: Span, last: Span) -> Span {
    if first.file != last.file || first.line != last.line || last.column < first.column {
        return first;
    }
    Span::new(first.file, first.line, first.column, (last.column + last.len - first.column).max(first.len))
}

/// The name of an identifier, without marks.
pub(crate) fn name_of(ident: &proc_macro2::Ident) -> Symbol {
    crate::source::hygiene::unmarked_name(&ident.to_string())
}
