//! Streams of tokens.

use core::fmt;
use core::str::FromStr;

use crate::lexer::tokens_of;
use crate::{LexError, Spacing, TokenTree};

#[derive(Clone, Default)]
pub struct TokenStream {
    text: String,
}

impl TokenStream {
    pub fn new() -> TokenStream {
        TokenStream::default()
    }

    pub fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
    }
}

impl FromStr for TokenStream {
    type Err = LexError;

    fn from_str(text: &str) -> Result<TokenStream, LexError> {
        Ok(TokenStream { text: text.to_string() })
    }
}

impl fmt::Display for TokenStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
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

impl Extend<TokenTree> for TokenStream {
    fn extend<I: IntoIterator<Item = TokenTree>>(&mut self, tokens: I) {
        for token in tokens {
            self.text.push_str(&token.to_string());
            // Several characters of one operator stay together.
            let is_joint = match &token {
                TokenTree::Punct(punct) => punct.spacing() == Spacing::Joint,
                _ => false,
            };
            if !is_joint {
                self.text.push(' ');
            }
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

impl FromIterator<TokenTree> for TokenStream {
    fn from_iter<I: IntoIterator<Item = TokenTree>>(tokens: I) -> TokenStream {
        let mut all = TokenStream::new();
        all.extend(tokens);
        all
    }
}

impl From<TokenTree> for TokenStream {
    fn from(token: TokenTree) -> TokenStream {
        TokenStream { text: token.to_string() }
    }
}

/// The tokens of a stream, groups as one.
#[derive(Clone)]
pub struct IntoIter {
    tokens: std::vec::IntoIter<TokenTree>,
}

impl Iterator for IntoIter {
    type Item = TokenTree;

    fn next(&mut self) -> Option<TokenTree> {
        self.tokens.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.tokens.size_hint()
    }
}

impl IntoIterator for TokenStream {
    type Item = TokenTree;
    type IntoIter = IntoIter;

    fn into_iter(self) -> IntoIter {
        IntoIter { tokens: tokens_of(&self.text).into_iter() }
    }
}
