//! Tokens: groups, identifiers, punctuation and literals.

use core::fmt;
use core::str::FromStr;

use crate::{LexError, Span, TokenStream};

#[derive(Clone)]
pub enum TokenTree {
    Group(Group),
    Ident(Ident),
    Punct(Punct),
    Literal(Literal),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Delimiter {
    Parenthesis,
    Brace,
    Bracket,
    None,
}

/// Whether a punctuation character belongs to the next one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spacing {
    Joint,
    Alone,
}

#[derive(Clone)]
pub struct Group {
    delimiter: Delimiter,
    stream: TokenStream,
}

#[derive(Clone)]
pub struct Punct {
    char: char,
    spacing: Spacing,
}

#[derive(Clone)]
pub struct Ident {
    text: String,
}

#[derive(Clone)]
pub struct Literal {
    text: String,
}

impl Group {
    pub fn new(delimiter: Delimiter, stream: TokenStream) -> Group {
        Group { delimiter, stream }
    }

    pub fn delimiter(&self) -> Delimiter {
        self.delimiter
    }

    pub fn stream(&self) -> TokenStream {
        self.stream.clone()
    }

    pub fn span_open(&self) -> Span {
        Span
    }

    pub fn span_close(&self) -> Span {
        Span
    }
}

impl Punct {
    pub fn new(char: char, spacing: Spacing) -> Punct {
        Punct { char, spacing }
    }

    pub fn as_char(&self) -> char {
        self.char
    }

    pub fn spacing(&self) -> Spacing {
        self.spacing
    }
}

impl PartialEq<char> for Punct {
    fn eq(&self, other: &char) -> bool {
        self.char == *other
    }
}

impl Ident {
    pub fn new(text: &str, _: Span) -> Ident {
        Ident { text: text.to_string() }
    }

    pub fn new_raw(text: &str, _: Span) -> Ident {
        Ident { text: format!("r#{text}") }
    }
}

impl Literal {
    /// The literal with this text.
    pub(crate) fn of(text: &str) -> Literal {
        Literal { text: text.to_string() }
    }

    pub fn string(text: &str) -> Literal {
        Literal { text: format!("{text:?}") }
    }

    pub fn character(c: char) -> Literal {
        Literal { text: format!("{c:?}") }
    }

    pub fn byte_string(bytes: &[u8]) -> Literal {
        let mut text = String::from("b\"");
        for byte in bytes {
            text.push_str(&format!("\\x{byte:02x}"));
        }
        text.push('"');
        Literal { text }
    }
}

macro_rules! numbers {
    ($($suffixed:ident $unsuffixed:ident $T:ident;)*) => {
        impl Literal {
            $(
                pub fn $suffixed(n: $T) -> Literal {
                    Literal { text: format!("{n:?}{}", stringify!($T)) }
                }

                pub fn $unsuffixed(n: $T) -> Literal {
                    Literal { text: format!("{n:?}") }
                }
            )*
        }
    };
}

numbers! {
    u8_suffixed u8_unsuffixed u8;
    u16_suffixed u16_unsuffixed u16;
    u32_suffixed u32_unsuffixed u32;
    u64_suffixed u64_unsuffixed u64;
    u128_suffixed u128_unsuffixed u128;
    usize_suffixed usize_unsuffixed usize;
    i8_suffixed i8_unsuffixed i8;
    i16_suffixed i16_unsuffixed i16;
    i32_suffixed i32_unsuffixed i32;
    i64_suffixed i64_unsuffixed i64;
    i128_suffixed i128_unsuffixed i128;
    isize_suffixed isize_unsuffixed isize;
    f32_suffixed f32_unsuffixed f32;
    f64_suffixed f64_unsuffixed f64;
}

impl FromStr for Literal {
    type Err = LexError;

    fn from_str(text: &str) -> Result<Literal, LexError> {
        Ok(Literal::of(text))
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.delimiter {
            Delimiter::Parenthesis => write!(f, "({})", self.stream),
            Delimiter::Brace => write!(f, "{{{}}}", self.stream),
            Delimiter::Bracket => write!(f, "[{}]", self.stream),
            Delimiter::None => write!(f, "{}", self.stream),
        }
    }
}

impl fmt::Display for Punct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.char)
    }
}

impl fmt::Display for Ident {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Display for TokenTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TokenTree::Group(group) => write!(f, "{group}"),
            TokenTree::Ident(ident) => write!(f, "{ident}"),
            TokenTree::Punct(punct) => write!(f, "{punct}"),
            TokenTree::Literal(literal) => write!(f, "{literal}"),
        }
    }
}

macro_rules! tokens {
    ($($Token:ident)*) => {$(
        impl $Token {
            pub fn span(&self) -> Span {
                Span
            }

            pub fn set_span(&mut self, _: Span) {}
        }

        impl fmt::Debug for $Token {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({self})", stringify!($Token))
            }
        }
    )*};
}

tokens!(Group Ident Punct Literal TokenTree);

macro_rules! trees {
    ($($Token:ident)*) => {$(
        impl From<$Token> for TokenTree {
            fn from(token: $Token) -> TokenTree {
                TokenTree::$Token(token)
            }
        }
    )*};
}

trees!(Group Ident Punct Literal);
