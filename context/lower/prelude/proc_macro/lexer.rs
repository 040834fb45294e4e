//! The tokens of a text, as the [reference](https://doc.rust-lang.org/reference/tokens.html) has them.

use crate::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

pub(crate) fn tokens_of(text: &str) -> Vec<TokenTree> {
    let chars: Vec<char> = text.chars().collect();
    let mut lexer = Lexer { chars: &chars, at: 0 };
    let mut tokens = Vec::new();
    while let Some(token) = lexer.token(&mut tokens) {
        tokens.push(token);
    }
    tokens
}

struct Lexer<'t> {
    chars: &'t [char],
    at: usize,
}

/// Whether a character is one of an operator.
fn is_punctuation(c: char) -> bool {
    "~!@#$%^&*-=+|;:,<.>/?'".contains(c)
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> char {
        self.chars.get(self.at + ahead).copied().unwrap_or('\0')
    }

    fn text(&self, from: usize) -> String {
        self.chars[from..self.at].iter().collect()
    }

    /// The next token; what a documentation comment stands for is added to the tokens before it.
    fn token(&mut self, before: &mut Vec<TokenTree>) -> Option<TokenTree> {
        loop {
            while self.peek(0).is_whitespace() {
                self.at += 1;
            }
            if self.at >= self.chars.len() {
                return None;
            }
            match (self.peek(0), self.peek(1)) {
                ('/', '/') => self.line_comment(before),
                ('/', '*') => self.block_comment(),
                _ => break,
            }
        }
        let c = self.peek(0);
        Some(match c {
            '(' => self.group(')', Delimiter::Parenthesis),
            '[' => self.group(']', Delimiter::Bracket),
            '{' => self.group('}', Delimiter::Brace),
            '"' => self.string(self.at),
            '\'' if !self.is_lifetime() => self.character(self.at),
            'b' | 'c' | 'r' if self.begins_string() => self.prefixed_string(),
            'b' if self.peek(1) == '\'' => {
                self.at += 1;
                self.character(self.at - 1)
            }
            _ if c.is_ascii_digit() => self.number(),
            _ if c == '_' || c.is_alphabetic() => self.identifier(),
            _ => {
                self.at += 1;
                let is_joint = is_punctuation(self.peek(0)) || c == '\'';
                TokenTree::Punct(Punct::new(c, if is_joint { Spacing::Joint } else { Spacing::Alone }))
            }
        })
    }

    fn line_comment(&mut self, before: &mut Vec<TokenTree>) {
        let from = self.at;
        while self.at < self.chars.len() && self.peek(0) != '\n' {
            self.at += 1;
        }
        let text = self.text(from);
        let inner = text.strip_prefix("//!");
        let outer = text.strip_prefix("///").filter(|rest| !rest.starts_with('/'));
        if let Some(doc) = outer.or(inner) {
            before.push(TokenTree::Punct(Punct::new('#', Spacing::Alone)));
            if inner.is_some() {
                before.push(TokenTree::Punct(Punct::new('!', Spacing::Alone)));
            }
            let attribute: TokenStream = format!("doc = {doc:?}").parse().unwrap();
            before.push(TokenTree::Group(Group::new(Delimiter::Bracket, attribute)));
        }
    }

    fn block_comment(&mut self) {
        let mut depth = 0;
        while self.at < self.chars.len() {
            match (self.peek(0), self.peek(1)) {
                ('/', '*') => depth += 1,
                ('*', '/') => depth -= 1,
                _ => {
                    self.at += 1;
                    continue;
                }
            }
            self.at += 2;
            if depth == 0 {
                return;
            }
        }
    }

    fn group(&mut self, close: char, delimiter: Delimiter) -> TokenTree {
        self.at += 1;
        let from = self.at;
        let mut ignored = Vec::new();
        loop {
            // Blanks and comments before the end.
            while self.peek(0).is_whitespace() {
                self.at += 1;
            }
            if self.peek(0) == close || self.token(&mut ignored).is_none() {
                break;
            }
        }
        let inside = self.text(from);
        self.at += 1;
        TokenTree::Group(Group::new(delimiter, inside.parse().unwrap()))
    }

    /// Whether a quote begins a lifetime, and not a character.
    fn is_lifetime(&self) -> bool {
        let begins_name = self.peek(1) == '_' || self.peek(1).is_alphabetic();
        begins_name && self.peek(2) != '\''
    }

    fn character(&mut self, from: usize) -> TokenTree {
        self.at += 1;
        if self.peek(0) == '\\' {
            self.at += 1;
        }
        self.at += 1;
        while self.at < self.chars.len() && self.peek(0) != '\'' {
            self.at += 1;
        }
        self.at += 1;
        TokenTree::Literal(Literal::of(&self.text(from)))
    }

    fn string(&mut self, from: usize) -> TokenTree {
        self.at += 1;
        while self.at < self.chars.len() && self.peek(0) != '"' {
            self.at += if self.peek(0) == '\\' { 2 } else { 1 };
        }
        self.at += 1;
        TokenTree::Literal(Literal::of(&self.text(from)))
    }

    /// Whether a prefix of a string is followed by one.
    fn begins_string(&self) -> bool {
        let mut ahead = 1;
        if self.peek(0) != 'r' && self.peek(1) == 'r' {
            ahead = 2;
        }
        let is_raw = self.peek(ahead - 1) == 'r';
        while is_raw && self.peek(ahead) == '#' {
            ahead += 1;
        }
        self.peek(ahead) == '"'
    }

    fn prefixed_string(&mut self) -> TokenTree {
        let from = self.at;
        while self.peek(0) != '"' && self.peek(0) != '#' {
            self.at += 1;
        }
        if self.peek(0) == '"' && !self.text(from).contains('r') {
            return self.string(from);
        }
        let mut hashes = 0;
        while self.peek(hashes) == '#' {
            hashes += 1;
        }
        self.at += hashes + 1;
        let ends = |lexer: &Self| lexer.peek(0) == '"' && (1..=hashes).all(|k| lexer.peek(k) == '#');
        while self.at < self.chars.len() && !ends(self) {
            self.at += 1;
        }
        self.at += hashes + 1;
        TokenTree::Literal(Literal::of(&self.text(from)))
    }

    fn number(&mut self) -> TokenTree {
        let from = self.at;
        let is_decimal = !(self.peek(0) == '0' && "xob".contains(self.peek(1)));
        while self.at < self.chars.len() {
            let (c, next) = (self.peek(0), self.peek(1));
            let is_point = c == '.' && is_decimal && next != '.' && next != '_' && !next.is_alphabetic();
            let is_sign = is_decimal && (c == '+' || c == '-') && matches!(self.chars[self.at - 1], 'e' | 'E');
            if !(c == '_' || c.is_alphanumeric() || is_point && !self.text(from).contains('.') || is_sign) {
                break;
            }
            self.at += 1;
        }
        TokenTree::Literal(Literal::of(&self.text(from)))
    }

    fn identifier(&mut self) -> TokenTree {
        let from = self.at;
        if self.peek(0) == 'r' && self.peek(1) == '#' {
            self.at += 2;
        }
        while self.peek(0) == '_' || self.peek(0).is_alphanumeric() {
            self.at += 1;
        }
        TokenTree::Ident(Ident::new(&self.text(from), Span))
    }
}
