//! The source text of tokens, each at the position where it was written.
//!
//! - X1 a token with a known line and column is at that position in the text; comments and blanks between
//!   tokens become blanks.
//! - X2 tokens that a macro emitted out of order are appended after each other, so that the meaning of the
//!   text does not depend on its position.

use proc_macro2::{Delimiter, Group, LineColumn, Spacing, TokenStream, TokenTree};
use quote::ToTokens;

/// A part of a file: its start (line from 1, column from 0) and its text.
pub(crate) struct Piece {
    pub(crate) start: LineColumn,
    pub(crate) text: String,
}

/// The text of `tokens` without documentation attributes and `#[dub]`.
pub(crate) fn rebuild(tokens: TokenStream) -> Option<Piece> {
    let first = tokens.clone().into_iter().next()?;
    let start = start_of(&first);
    let mut writer = Writer { text: String::new(), at: start, may_join: true };
    writer.stream(tokens);
    Some(Piece { start, text: writer.text })
}

fn start_of(token: &TokenTree) -> LineColumn {
    match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
            group.stream().into_iter().next().map_or(group.span().start(), |first| start_of(&first))
        }
        TokenTree::Group(group) => group.span_open().start(),
        other => other.span().start(),
    }
}

struct Writer {
    text: String,
    at: LineColumn,
    /// Whether the next token may follow without a space.
    may_join: bool,
}

impl Writer {
    fn stream(&mut self, tokens: TokenStream) {
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            if let TokenTree::Punct(mark) = &token
                && mark.as_char() == '#'
            {
                let mut lookahead = tokens.clone();
                let inner = matches!(lookahead.peek(), Some(TokenTree::Punct(p)) if p.as_char() == '!');
                if inner {
                    lookahead.next();
                }
                if lookahead.next().is_some_and(|group| is_skipped_attribute(&group)) {
                    tokens.nth(usize::from(inner));
                    continue;
                }
            }
            self.token(token);
        }
    }

    fn token(&mut self, token: TokenTree) {
        match token {
            TokenTree::Group(group) => self.group(&group),
            TokenTree::Punct(punct) => {
                self.word(punct.span().start(), punct.as_char().encode_utf8(&mut [0; 4]));
                self.may_join = punct.spacing() == Spacing::Joint;
            }
            TokenTree::Ident(ident) => self.word(ident.span().start(), &ident.to_string()),
            TokenTree::Literal(literal) => self.word(literal.span().start(), &literal.to_string()),
        }
    }

    fn group(&mut self, group: &Group) {
        let (open, close) = match group.delimiter() {
            Delimiter::Parenthesis => ("(", ")"),
            Delimiter::Brace => ("{", "}"),
            Delimiter::Bracket => ("[", "]"),
            Delimiter::None if is_compound(group) => ("(", ")"),
            Delimiter::None => return self.stream(group.stream()),
        };
        if group.delimiter() == Delimiter::None {
            self.word(self.at, open);
            self.stream(group.stream());
            return self.word(self.at, close);
        }
        self.word(group.span_open().start(), open);
        self.stream(group.stream());
        self.word(group.span_close().start(), close);
    }

    fn word(&mut self, start: LineColumn, word: &str) {
        let is_ahead = (start.line, start.column) >= (self.at.line, self.at.column);
        if is_ahead && (start.line > self.at.line || start.column > self.at.column) {
            while self.at.line < start.line {
                self.text.push('\n');
                self.at = LineColumn { line: self.at.line + 1, column: 0 };
            }
            while self.at.column < start.column {
                self.text.push(' ');
                self.at.column += 1;
            }
        } else if !is_ahead && !self.may_join {
            self.text.push(' ');
            self.at.column += 1;
        }
        for c in word.chars() {
            self.text.push(c);
            self.at = match c {
                '\n' => LineColumn { line: self.at.line + 1, column: 0 },
                _ => LineColumn { column: self.at.column + 1, ..self.at },
            };
        }
        self.may_join = false;
    }
}

/// Whether the brackets after `#` contain documentation, or `dub` itself.
fn is_skipped_attribute(group: &TokenTree) -> bool {
    let TokenTree::Group(group) = group else { return false };
    let first = group.stream().into_iter().next();
    matches!(first, Some(TokenTree::Ident(name)) if name == "doc" || name == "dub")
}

/// Whether a group with invisible delimiters, such as a macro's `$e:expr`, needs parentheses to stay one
/// operand.
fn is_compound(group: &Group) -> bool {
    use syn::Expr;
    matches!(
        syn::parse2::<Expr>(group.stream()),
        Ok(Expr::Binary(_)
            | Expr::Unary(_)
            | Expr::Cast(_)
            | Expr::Range(_)
            | Expr::Assign(_)
            | Expr::Closure(_))
    )
}

impl ToTokens for Piece {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let (line, column, text) = (self.start.line as u32, self.start.column as u32, &self.text);
        tokens.extend(quote::quote!(Piece { line: #line, column: #column, text: #text }));
    }
}

/// Joins pieces of one file, in order.
pub(crate) fn join(pieces: Vec<Piece>) -> Option<Piece> {
    let start = pieces.first()?.start;
    let mut writer = Writer { text: String::new(), at: start, may_join: true };
    for piece in pieces {
        writer.word(piece.start, &piece.text);
    }
    Some(Piece { start, text: writer.text })
}
