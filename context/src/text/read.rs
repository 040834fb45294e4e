//! The parser from tokens to syntax: the cursor, and everything outside of function bodies.

use super::error::{ByteRange, Faults, ParseErrorKind};
use super::lex::{Tok, Token};
use super::syntax::{At, DeclBody, DeclSyntax, FuncSyntax, Name, TypeSyntax};
use crate::Symbol;

/// The maximum nesting of types and literals: far above what programs use, and well within the stack.
pub(super) const MAX_DEPTH: usize = 100;

/// The contents of a text.
#[derive(Default, Debug)]
pub(super) struct ListingSyntax<'t> {
    pub(super) decls: Vec<DeclSyntax>,
    pub(super) funcs: Vec<FuncSyntax<'t>>,
}

/// Reads tokens; if a function returns `None`, a fault has been reported.
pub(super) struct TokenParser<'t, 'f> {
    tokens: Vec<Token<'t>>,
    next: usize,
    pub(super) depth: usize,
    pub(super) faults: &'f mut Faults<'t>,
}

impl<'t, 'f> TokenParser<'t, 'f> {
    /// A parser of these tokens, the last of which is [`Tok::End`].
    pub(super) fn new(tokens: Vec<Token<'t>>, faults: &'f mut Faults<'t>) -> TokenParser<'t, 'f> {
        TokenParser { tokens, next: 0, depth: 0, faults }
    }

    pub(super) fn peek(&self) -> &Token<'t> {
        &self.tokens[self.next.min(self.tokens.len() - 1)]
    }

    pub(super) fn peek_second(&self) -> &Tok<'t> {
        &self.tokens[(self.next + 1).min(self.tokens.len() - 1)].tok
    }

    pub(super) fn bump(&mut self) -> Token<'t> {
        let token = self.peek().clone();
        self.next += 1;
        token
    }

    /// The position of the token read last.
    pub(super) fn last_place(&self) -> ByteRange {
        self.tokens[self.next.saturating_sub(1).min(self.tokens.len() - 1)].at
    }

    pub(super) fn at(&self, punct: char) -> bool {
        self.peek().tok == Tok::Punct(punct)
    }

    pub(super) fn at_word(&self, word: &str) -> bool {
        self.peek().tok == Tok::Word(word)
    }

    /// Whether the current line continues.
    pub(super) fn in_line(&self) -> bool {
        !self.peek().first && self.peek().tok != Tok::End
    }

    pub(super) fn eat(&mut self, punct: char) -> bool {
        let is_next = self.at(punct);
        self.next += usize::from(is_next);
        is_next
    }

    pub(super) fn expect(&mut self, punct: char) -> Option<()> {
        if self.eat(punct) { Some(()) } else { self.unexpected(&format!("`{punct}`")) }
    }

    /// Reports the current token, where `expected` was expected.
    pub(super) fn unexpected<T>(&mut self, expected: &str) -> Option<T> {
        self.unexpected_with_help(expected, None)
    }

    pub(super) fn unexpected_with_help<T>(&mut self, expected: &str, help: Option<String>) -> Option<T> {
        let token = self.peek();
        let (at, found) = match &token.tok {
            Tok::Bad => return None,
            Tok::End => (self.last_place().after(), "the end of the text".to_owned()),
            _ if token.first && self.next > 0 => {
                (self.last_place().after(), "the end of the line".to_owned())
            }
            tok => (token.at, self.describe(tok, token.at)),
        };
        self.faults.push_with_help(
            at,
            ParseErrorKind::Unexpected { expected: expected.to_owned(), found },
            help,
        );
        None
    }

    fn describe(&self, tok: &Tok<'_>, at: ByteRange) -> String {
        match tok {
            Tok::Str(_) => "a text".to_owned(),
            Tok::Char(_) => "a character".to_owned(),
            _ => format!("`{}`", self.faults.source.slice(at)),
        }
    }

    /// Calls `inside` one nesting level deeper.
    pub(super) fn nested<T>(&mut self, inside: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth == MAX_DEPTH {
            let at = self.peek().at;
            self.faults.push(at, ParseErrorKind::TooDeep(MAX_DEPTH));
            return None;
        }
        self.depth += 1;
        let result = inside(self);
        self.depth -= 1;
        result
    }

    /// Reads `item, item, item close` after the opening token; a trailing comma is allowed.
    pub(super) fn list<T>(&mut self, close: char, item: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let mut items = Vec::new();
        while !self.eat(close) {
            items.push(item(self)?);
            if !self.eat(',') && !self.at(close) {
                return self.unexpected(&format!("`,` or `{close}`"));
            }
        }
        Some(items)
    }

    /// Skips to the next line's first token.
    pub(super) fn skip_line(&mut self) {
        self.next += 1;
        while self.in_line() {
            self.next += 1;
        }
    }

    /// Reads an entire text.
    pub(super) fn listing(&mut self) -> ListingSyntax<'t> {
        let mut listing = ListingSyntax::default();
        while self.peek().tok != Tok::End && !self.faults.is_full() {
            let read = match self.peek().tok {
                Tok::Word("fn") => self.func().map(|func| listing.funcs.push(func)),
                Tok::Word("struct") => self.struct_decl().map(|decl| listing.decls.push(decl)),
                Tok::Word("enum") => self.enum_decl().map(|decl| listing.decls.push(decl)),
                Tok::Bad => None,
                _ => self.not_an_item(),
            };
            if read.is_none() {
                self.skip_item();
            }
        }
        listing
    }

    fn not_an_item(&mut self) -> Option<()> {
        let token = self.peek();
        let found = self.describe(&token.tok, token.at);
        let expected = "`fn`, `struct` or `enum`".to_owned();
        self.faults.push(self.peek().at, ParseErrorKind::Unexpected { expected, found });
        None
    }

    fn skip_item(&mut self) {
        self.skip_line();
        while !self.at_item() && self.peek().tok != Tok::End {
            self.skip_line();
        }
    }

    /// Whether a function or declaration starts here.
    pub(super) fn at_item(&self) -> bool {
        self.peek().first
            && match self.peek().tok {
                Tok::Word("fn") => matches!(self.peek_second(), Tok::Func(_)),
                Tok::Word("struct" | "enum") => true,
                _ => false,
            }
    }

    /// The name of a type, a field or a variant.
    pub(super) fn bare_name(&mut self, what: &str) -> Option<Name> {
        let name = match &self.peek().tok {
            Tok::Word("_") => return self.unexpected(what),
            Tok::Word(word) => Symbol::new(word),
            Tok::Str(text) => Symbol::new(text),
            _ => return self.unexpected(what),
        };
        Some(At { node: name, at: self.bump().at })
    }

    fn decl_head(&mut self) -> Option<(Name, Vec<TypeSyntax>)> {
        self.bump();
        let name = self.bare_name("the name of a type")?;
        let args = if self.eat('<') { self.list('>', Self::ty)? } else { Vec::new() };
        Some((name, args))
    }

    fn struct_decl(&mut self) -> Option<DeclSyntax> {
        let (name, args) = self.decl_head()?;
        Some(DeclSyntax { name, args, body: DeclBody::Struct(self.fields()?) })
    }

    fn enum_decl(&mut self) -> Option<DeclSyntax> {
        let (name, args) = self.decl_head()?;
        self.expect('{')?;
        let variants = self.list('}', |reader| {
            let name = reader.bare_name("the name of a variant")?;
            Some((name, reader.fields()?))
        })?;
        Some(DeclSyntax { name, args, body: DeclBody::Enum(variants) })
    }

    /// Reads fields: `{ x: f64 }`, `(f64, f64)`, or nothing.
    fn fields(&mut self) -> Option<Vec<(Name, TypeSyntax)>> {
        if self.eat('{') {
            return self.list('}', |reader| {
                let name = reader.bare_name("the name of a field")?;
                reader.expect(':')?;
                Some((name, reader.ty()?))
            });
        }
        if !self.at('(') {
            return Some(Vec::new());
        }
        self.bump();
        let tys = self.list(')', Self::ty)?;
        let numbered = tys.into_iter().enumerate();
        Some(numbered.map(|(i, ty)| (At { node: Symbol::new(&i.to_string()), at: ty.at }, ty)).collect())
    }
}
