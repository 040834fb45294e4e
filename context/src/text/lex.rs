//! The lexer: converts text to tokens.

use super::error::{ByteRange, Faults, ParseErrorKind};
use crate::Symbol;
use crate::names::{name_len, word_len};

/// A token with its position.
#[derive(Clone, Debug)]
pub(super) struct Token<'t> {
    pub(super) tok: Tok<'t>,
    pub(super) at: ByteRange,
    /// Whether the token is the first on its line.
    pub(super) first: bool,
}

/// The kinds of tokens.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Tok<'t> {
    /// `add`, `fn`, `Point`, `true`
    Word(&'t str),
    /// `%x`
    Var(Symbol),
    /// `^b`
    Block(Symbol),
    /// `@f`
    Func(Symbol),
    /// `-3`, `1.5e-7`, `3_u8`, `-inf`: digits and suffix
    Number(&'t str, &'t str),
    /// `nan:0x7ff8000000000001`: digits and suffix
    Nan(&'t str, &'t str),
    /// `"text"`
    Str(String),
    /// `'c'`
    Char(char),
    /// `->`
    Arrow,
    /// One of `(){}[]<>,:;=!`
    Punct(char),
    /// An invalid token; its fault is already reported.
    Bad,
    /// The end of the text.
    End,
}

/// The tokens of `text`, the last of which is [`Tok::End`].
pub(super) fn lex<'t>(text: &'t str, faults: &mut Faults<'t>) -> Vec<Token<'t>> {
    let mut lexer = Lexer { text, at: 0, faults };
    let mut tokens = Vec::new();
    let mut first = true;
    loop {
        first |= lexer.skip_space();
        let start = lexer.at;
        let tok = lexer.token();
        let end = tok == Tok::End;
        tokens.push(Token { tok, at: ByteRange::new(start, lexer.at), first });
        if end {
            return tokens;
        }
        first = false;
    }
}

struct Lexer<'t, 'f> {
    text: &'t str,
    at: usize,
    faults: &'f mut Faults<'t>,
}

impl<'t> Lexer<'t, '_> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Skips white space and comments; returns whether a line ended.
    fn skip_space(&mut self) -> bool {
        let mut line_ended = false;
        while let Some(c) = self.peek() {
            if c.is_whitespace() {
                line_ended |= c == '\n';
                self.at += c.len_utf8();
            } else if self.rest().starts_with("//") {
                self.at += self.rest().find('\n').unwrap_or(self.rest().len());
            } else {
                break;
            }
        }
        line_ended
    }

    fn take_while(&mut self, keep: impl Fn(char) -> bool) -> &'t str {
        let len = self.rest().find(|c| !keep(c)).unwrap_or(self.rest().len());
        self.take(len)
    }

    fn take(&mut self, len: usize) -> &'t str {
        let eaten = &self.rest()[..len];
        self.at += len;
        eaten
    }

    fn token(&mut self) -> Tok<'t> {
        let Some(c) = self.peek() else { return Tok::End };
        let start = self.at;
        match c {
            '%' => self.sigil(Tok::Var),
            '^' => self.sigil(Tok::Block),
            '@' => self.sigil(Tok::Func),
            '"' => self.string().map_or(Tok::Bad, Tok::Str),
            '\'' => self.character(),
            '0'..='9' => self.number(),
            '-' if self.rest().starts_with("->") => {
                self.at += 2;
                Tok::Arrow
            }
            '-' if self.rest()[1..].starts_with(|c: char| c.is_ascii_digit()) => self.number(),
            '-' if self.rest().starts_with("-inf") => {
                let digits = self.take("-inf".len());
                Tok::Number(digits, self.suffix())
            }
            '(' | ')' | '{' | '}' | '[' | ']' | '<' | '>' | ',' | ':' | ';' | '=' | '!' => {
                self.at += 1;
                Tok::Punct(c)
            }
            c if c == '_' || c.is_alphabetic() => self.word(),
            c => {
                self.at += c.len_utf8();
                self.faults.push(ByteRange::new(start, self.at), ParseErrorKind::Character(c));
                Tok::Bad
            }
        }
    }

    fn sigil(&mut self, tok: fn(Symbol) -> Tok<'t>) -> Tok<'t> {
        let start = self.at;
        self.at += 1;
        if self.peek() == Some('"') {
            return self.string().map_or(Tok::Bad, |name| tok(Symbol::new(&name)));
        }
        let name = self.take(name_len(self.rest()));
        if name.is_empty() {
            self.faults.push(ByteRange::new(start, self.at), ParseErrorKind::NameMissing);
            return Tok::Bad;
        }
        tok(Symbol::new(name))
    }

    fn word(&mut self) -> Tok<'t> {
        if self.rest().starts_with("nan:0x") {
            self.at += "nan:0x".len();
            let digits = self.take_while(|c| c.is_ascii_hexdigit());
            return Tok::Nan(digits, self.suffix());
        }
        Tok::Word(self.take(word_len(self.rest())))
    }

    fn number(&mut self) -> Tok<'t> {
        let start = self.at;
        let digit = |c: char| c.is_ascii_digit() || c == '_';
        self.at += usize::from(self.peek() == Some('-'));
        self.digits();
        if self.rest().starts_with('.') && self.rest()[1..].starts_with(|c: char| c.is_ascii_digit()) {
            self.at += 1;
            self.digits();
        }
        let exponent = self.rest().strip_prefix(['e', 'E']).unwrap_or("");
        if exponent.strip_prefix(['+', '-']).unwrap_or(exponent).starts_with(|c: char| c.is_ascii_digit()) {
            self.at += 2;
            self.take_while(digit);
        }
        let digits = &self.text[start..self.at];
        Tok::Number(digits, self.suffix())
    }

    /// Skips digits, and `_` between them.
    fn digits(&mut self) {
        self.take_while(|c| c.is_ascii_digit());
        while self.rest().starts_with('_') && self.rest()[1..].starts_with(|c: char| c.is_ascii_digit()) {
            self.at += 1;
            self.take_while(|c| c.is_ascii_digit());
        }
    }

    fn suffix(&mut self) -> &'t str {
        self.take_while(|c| c == '_' || c.is_alphanumeric()).trim_start_matches('_')
    }

    fn string(&mut self) -> Option<String> {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            match self.peek() {
                None | Some('\n') => {
                    self.faults.push(ByteRange::new(start, self.at), ParseErrorKind::TextNotClosed);
                    return None;
                }
                Some('"') => {
                    self.at += 1;
                    return Some(text);
                }
                Some('\\') => text.push(self.escape().unwrap_or(char::REPLACEMENT_CHARACTER)),
                Some(c) => {
                    text.push(c);
                    self.at += c.len_utf8();
                }
            }
        }
    }

    fn character(&mut self) -> Tok<'t> {
        let start = self.at;
        self.at += 1;
        let (c, reported) = match self.peek() {
            Some('\\') => {
                let c = self.escape();
                (c, c.is_none())
            }
            Some(c) if c != '\n' && c != '\'' => {
                self.at += c.len_utf8();
                (Some(c), false)
            }
            _ => (None, false),
        };
        if let (Some(c), Some('\'')) = (c, self.peek()) {
            self.at += 1;
            return Tok::Char(c);
        }
        // If the literal is closed on this line, the text up to there is skipped, too.
        let line = self.rest().lines().next().unwrap_or("");
        self.at += line.find('\'').map_or(0, |quote| quote + 1);
        if !reported {
            self.faults.push(ByteRange::new(start, self.at), ParseErrorKind::CharLiteral);
        }
        Tok::Bad
    }

    /// The character of the escape that starts here; reports an invalid one.
    fn escape(&mut self) -> Option<char> {
        let start = self.at;
        self.at += 1;
        let letter = self.peek().filter(|&c| c != '\n').unwrap_or(' ');
        self.at += if self.peek() == Some(letter) { letter.len_utf8() } else { 0 };
        let escaped = match letter {
            'n' => Some('\n'),
            't' => Some('\t'),
            'r' => Some('\r'),
            '0' => Some('\0'),
            '\\' | '"' | '\'' => Some(letter),
            'u' if self.peek() == Some('{') => {
                self.at += 1;
                let digits = self.take_while(|c| c.is_ascii_hexdigit());
                let closed = self.peek() == Some('}');
                self.at += usize::from(closed);
                u32::from_str_radix(digits, 16).ok().filter(|_| closed).and_then(char::from_u32)
            }
            _ => None,
        };
        if escaped.is_none() {
            let escape = self.text[start..self.at].to_owned();
            self.faults.push(ByteRange::new(start, self.at), ParseErrorKind::Escape(escape));
        }
        escaped
    }
}
