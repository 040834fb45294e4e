//! The crate `proc_macro` as the code of procedural macros sees it: tokens are text.

use core::fmt;
use core::str::FromStr;

#[derive(Clone, Default)]
pub struct TokenStream {
    text: String,
}

#[derive(Clone)]
pub struct Literal {
    text: String,
}

/// No position: the tokens of a macro belong to where it is called.
#[derive(Clone, Copy)]
pub struct Span;

pub struct LexError;

pub fn is_available() -> bool {
    false
}

impl Span {
    pub fn call_site() -> Span {
        Span
    }

    pub fn mixed_site() -> Span {
        Span
    }
}

impl TokenStream {
    pub fn new() -> TokenStream {
        TokenStream::default()
    }

    pub fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
    }
}

impl fmt::Debug for TokenStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Extend<TokenStream> for TokenStream {
    fn extend<I: IntoIterator<Item = TokenStream>>(&mut self, streams: I) {
        for stream in streams {
            self.text.push(' ');
            self.text.push_str(&stream.text);
        }
    }
}

impl FromIterator<TokenStream> for TokenStream {
    fn from_iter<I: IntoIterator<Item = TokenStream>>(streams: I) -> TokenStream {
        let mut all = TokenStream::new();
        all.extend(streams);
        all
    }
}

impl fmt::Debug for LexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LexError")
    }
}

impl fmt::Display for LexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cannot parse string into token stream")
    }
}

macro_rules! texts {
    ($($name:ident)*) => {$(
        impl FromStr for $name {
            type Err = LexError;

            fn from_str(text: &str) -> Result<$name, LexError> {
                Ok($name { text: text.to_string() })
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.text)
            }
        }
    )*};
}

texts!(TokenStream Literal);
