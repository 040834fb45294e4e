//! Splits Rust text into tokens, and skips bracketed text without splitting it.
//!
//! - TOKEN1 a token is a range of the text; an operator is as long as possible, including `>>`.
//! - TOKEN2 any text is accepted: a character that starts no token is an operator of one character.

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tok {
    Ident,
    Lifetime,
    Literal,
    Op,
    Open,
    Close,
}

/// A token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Tok,
    pub(crate) lo: u32,
    pub(crate) hi: u32,
    /// For an opening bracket in a [`lex`]ed list: the index of the closing one.
    pub(crate) close: u32,
}

impl Token {
    /// Its text.
    pub(crate) fn text<'a>(&self, text: &'a str) -> &'a str {
        &text[self.lo as usize..self.hi as usize]
    }
}

/// Iterates over the tokens of a text.
#[derive(Clone)]
pub(crate) struct Lexer<'a> {
    pub(crate) text: &'a str,
    bytes: &'a [u8],
    pub(crate) at: usize,
    end: usize,
}

/// The length of the operator at the start, in characters.
fn operator(text: &[u8]) -> usize {
    let at = |i: usize| text.get(i).copied().unwrap_or(0);
    match (at(0), at(1), at(2)) {
        (b'<', b'<', b'=') | (b'>', b'>', b'=') | (b'.', b'.', b'.' | b'=') => 3,
        (b':', b':', _)
        | (b'-' | b'=', b'>', _)
        | (b'=' | b'!' | b'<' | b'>' | b'+' | b'-' | b'*' | b'/' | b'%' | b'^' | b'&' | b'|', b'=', _)
        | (b'&', b'&', _)
        | (b'|', b'|', _)
        | (b'<', b'<', _)
        | (b'>', b'>', _)
        | (b'.', b'.', _) => 2,
        _ => 1,
    }
}

/// The bytes that must be examined when skipping brackets.
const GROUP_BYTES: [bool; 256] = {
    let mut table = [false; 256];
    let bytes = b"()[]{}\"'/rbc";
    let mut i = 0;
    while i < bytes.len() {
        table[bytes[i] as usize] = true;
        i += 1;
    }
    table
};

fn starts_ident(b: u8) -> bool {
    b.is_ascii_alphabetic() || b == b'_' || b >= 0x80
}

fn in_ident(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80
}

impl<'a> Lexer<'a> {
    /// A lexer of the text from `lo` to `hi`.
    pub(crate) fn new(text: &'a str, lo: usize, hi: usize) -> Lexer<'a> {
        Lexer { text, bytes: text.as_bytes(), at: lo, end: hi.min(text.len()) }
    }

    fn byte(&self, at: usize) -> u8 {
        if at < self.end { self.bytes[at] } else { 0 }
    }

    fn skip_blank(&mut self) {
        loop {
            match self.byte(self.at) {
                b' ' | b'\n' | b'\t' | b'\r' | 0x0B | 0x0C => self.at += 1,
                b'/' if self.byte(self.at + 1) == b'/' => self.skip_line(),
                b'/' if self.byte(self.at + 1) == b'*' => self.skip_comment(),
                0xEF if self.bytes[self.at..self.end].starts_with(&[0xEF, 0xBB, 0xBF]) => self.at += 3,
                _ => return,
            }
        }
    }

    fn skip_line(&mut self) {
        while self.at < self.end && self.bytes[self.at] != b'\n' {
            self.at += 1;
        }
    }

    fn skip_comment(&mut self) {
        let mut depth = 0;
        while self.at < self.end {
            match (self.bytes[self.at], self.byte(self.at + 1)) {
                (b'/', b'*') => (depth, self.at) = (depth + 1, self.at + 2),
                (b'*', b'/') => (depth, self.at) = (depth - 1, self.at + 2),
                _ => self.at += 1,
            }
            if depth == 0 {
                return;
            }
        }
    }

    /// The next token, which is not consumed.
    pub(crate) fn peek(&self) -> Option<Token> {
        self.clone().next()
    }

    /// The text of the next token, empty at the end.
    pub(crate) fn peek_text(&self) -> &'a str {
        self.peek().map_or("", |t| t.text(self.text))
    }

    /// Consumes the next token if it is `text`.
    pub(crate) fn eat(&mut self, text: &str) -> bool {
        let mut lookahead = self.clone();
        let found = lookahead.next().is_some_and(|t| t.text(self.text) == text);
        if found {
            *self = lookahead;
        }
        found
    }

    /// Skips from just after an opening bracket to just after the closing one, and returns the position of
    /// the closing one.
    pub(crate) fn skip_group(&mut self) -> usize {
        let mut depth = 1;
        while self.at < self.end {
            let byte = self.bytes[self.at];
            if !GROUP_BYTES[byte as usize] {
                self.at += 1;
                continue;
            }
            match byte {
                b'(' | b'[' | b'{' => {
                    depth += 1;
                    self.at += 1;
                }
                b')' | b']' | b'}' => {
                    depth -= 1;
                    self.at += 1;
                    if depth == 0 {
                        return self.at - 1;
                    }
                }
                b'"' => self.string(),
                b'\'' => {
                    self.quote();
                }
                b'/' if self.byte(self.at + 1) == b'/' => self.skip_line(),
                b'/' if self.byte(self.at + 1) == b'*' => self.skip_comment(),
                // The start of a raw or byte string, if it is at the start of a word.
                b'r' | b'b' | b'c' if !in_ident(self.bytes[self.at - 1]) => {
                    self.word();
                }
                _ => self.at += 1,
            }
        }
        self.end
    }

    fn string(&mut self) {
        self.at += 1;
        while self.at < self.end {
            match self.bytes[self.at] {
                b'\\' => self.at += 2,
                b'"' => {
                    self.at += 1;
                    break;
                }
                _ => self.at += 1,
            }
        }
        self.at = self.at.min(self.end);
        self.suffix();
    }

    fn raw_string(&mut self, hashes: usize) {
        self.at += 1;
        while self.at < self.end {
            self.at += 1;
            if self.bytes[self.at - 1] == b'"' && (0..hashes).all(|i| self.byte(self.at + i) == b'#') {
                self.at += hashes;
                break;
            }
        }
        self.suffix();
    }

    fn suffix(&mut self) {
        while in_ident(self.byte(self.at)) {
            self.at += 1;
        }
    }

    /// A character or a lifetime.
    fn quote(&mut self) -> Tok {
        let next = self.byte(self.at + 1);
        let char_len =
            self.text[..self.end].get(self.at + 1..).and_then(|t| t.chars().next()).map_or(1, char::len_utf8);
        if next == b'\\' {
            self.at += 3;
            while self.at < self.end && self.bytes[self.at] != b'\'' {
                self.at += 1;
            }
            self.at = (self.at + 1).min(self.end);
            return Tok::Literal;
        }
        if self.byte(self.at + 1 + char_len) == b'\'' {
            self.at += 2 + char_len;
            return Tok::Literal;
        }
        self.at += 1;
        self.suffix();
        Tok::Lifetime
    }

    /// A word that may be the start of a raw or byte string.
    fn word(&mut self) -> Tok {
        let start = self.at;
        let (b0, b1) = (self.byte(start), self.byte(start + 1));
        let prefix = match (b0, b1) {
            (b'b' | b'c', b'r') => 2,
            (b'r' | b'b' | b'c', _) => 1,
            _ => 0,
        };
        if prefix > 0 {
            let raw = self.bytes[start + prefix - 1] == b'r';
            let hashes = (0..).take_while(|i| self.byte(start + prefix + i) == b'#').count();
            let next = self.byte(start + prefix + hashes);
            if raw && next == b'"' {
                self.at = start + prefix + hashes;
                self.raw_string(hashes);
                return Tok::Literal;
            }
            if !raw && hashes == 0 && next == b'"' {
                self.at = start + prefix;
                self.string();
                return Tok::Literal;
            }
            if b0 == b'b' && b1 == b'\'' {
                self.at = start + 1;
                self.quote();
                return Tok::Literal;
            }
            if b0 == b'r' && hashes == 1 && prefix == 1 && starts_ident(next) {
                self.at = start + 2;
            }
        }
        self.suffix();
        Tok::Ident
    }

    fn number(&mut self) {
        let radix = self.byte(self.at) == b'0' && matches!(self.byte(self.at + 1), b'x' | b'o' | b'b');
        let exponent = |lexer: &mut Lexer<'a>| {
            while in_ident(lexer.byte(lexer.at)) {
                let e = matches!(lexer.bytes[lexer.at], b'e' | b'E') && !radix;
                lexer.at += 1;
                let sign = matches!(lexer.byte(lexer.at), b'+' | b'-');
                if e && sign && lexer.byte(lexer.at + 1).is_ascii_digit() {
                    lexer.at += 1;
                }
            }
        };
        exponent(self);
        let (dot, next) = (self.byte(self.at), self.byte(self.at + 1));
        if !radix && dot == b'.' && next != b'.' && !starts_ident(next) {
            self.at += 1;
            if next.is_ascii_digit() {
                exponent(self);
            }
        }
    }
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        self.skip_blank();
        if self.at >= self.end {
            return None;
        }
        let lo = self.at;
        let kind = match self.bytes[lo] {
            b'(' | b'[' | b'{' => {
                self.at += 1;
                Tok::Open
            }
            b')' | b']' | b'}' => {
                self.at += 1;
                Tok::Close
            }
            b'"' => {
                self.string();
                Tok::Literal
            }
            b'\'' => self.quote(),
            b if b.is_ascii_digit() => {
                self.number();
                Tok::Literal
            }
            b if starts_ident(b) => self.word(),
            _ => {
                self.at += operator(&self.bytes[lo..self.end.min(lo + 3)]);
                Tok::Op
            }
        };
        Some(Token { kind, lo: lo as u32, hi: self.at as u32, close: 0 })
    }
}

/// All tokens of a range of text, with brackets paired; a `>>` that closes two `<` is split into two tokens.
pub(crate) fn lex(text: &str, lo: usize, hi: usize) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::with_capacity((hi - lo) / 4);
    let mut open: Vec<(usize, u32)> = Vec::new();
    // The number of `<` that may be open among the tokens of this group.
    let mut angles = 0u32;
    for token in Lexer::new(text, lo, hi) {
        match (token.kind, token.text(text)) {
            (Tok::Open, _) => open.push((tokens.len(), std::mem::take(&mut angles))),
            (Tok::Close, _) => {
                if let Some((start, outer)) = open.pop() {
                    tokens[start].close = tokens.len() as u32;
                    angles = outer;
                }
            }
            (Tok::Op, "<") => angles += 1,
            (Tok::Op, ">") => angles = angles.saturating_sub(1),
            (Tok::Op, ">>") if angles >= 2 => {
                angles -= 2;
                tokens.push(Token { hi: token.lo + 1, ..token });
                tokens.push(Token { lo: token.lo + 1, ..token });
                continue;
            }
            (Tok::Op, ";" | "&&" | "||" | "==" | "=>") => angles = 0,
            _ => {}
        }
        tokens.push(token);
    }
    for (start, _) in open {
        tokens[start].close = tokens.len() as u32;
    }
    tokens
}
