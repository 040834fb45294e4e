//! Escaped text.

use super::Chars;
use crate::fmt;

#[op("str.escape_debug")]
fn debugged(s: &str) -> String;

/// The characters of an escaped text.
#[derive(Clone)]
pub struct Escaped<'a> {
    chars: Chars<'a>,
}

fn escaped(text: String) -> Escaped<'static> {
    Escaped { chars: text.__leaked().chars() }
}

impl Iterator for Escaped<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        self.chars.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.chars.clone().count();
        (n, Some(n))
    }
}

impl DoubleEndedIterator for Escaped<'_> {
    fn next_back(&mut self) -> Option<char> {
        self.chars.next_back()
    }
}

impl ExactSizeIterator for Escaped<'_> {}

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.chars.as_str())
    }
}

fn push_unicode(text: &mut String, c: char) {
    text.push_str("\\u{");
    text.push_str(&format!("{:x}", c as u32));
    text.push('}');
}

fn push_default(text: &mut String, c: char) {
    match c {
        '\t' => text.push_str("\\t"),
        '\r' => text.push_str("\\r"),
        '\n' => text.push_str("\\n"),
        '\'' | '"' | '\\' => {
            text.push('\\');
            text.push(c);
        }
        '\x20'..='\x7e' => text.push(c),
        _ => push_unicode(text, c),
    }
}

fn push_ascii(text: &mut String, byte: u8) {
    match byte {
        b'\t' | b'\r' | b'\n' | b'\'' | b'"' | b'\\' | b'\x20'..=b'\x7e' => push_default(text, byte as char),
        _ => text.push_str(&format!("\\x{byte:02x}")),
    }
}

impl u8 {
    pub fn escape_ascii(self) -> Escaped<'static> {
        let mut text = String::new();
        push_ascii(&mut text, self);
        escaped(text)
    }
}

impl [u8] {
    pub fn escape_ascii(&self) -> Escaped<'_> {
        let mut text = String::new();
        for byte in self {
            push_ascii(&mut text, *byte);
        }
        escaped(text)
    }
}

impl str {
    pub fn escape_debug(&self) -> Escaped<'_> {
        escaped(debugged(self))
    }

    pub fn escape_default(&self) -> Escaped<'_> {
        let mut text = String::new();
        for c in self.chars() {
            push_default(&mut text, c);
        }
        escaped(text)
    }

    pub fn escape_unicode(&self) -> Escaped<'_> {
        let mut text = String::new();
        for c in self.chars() {
            push_unicode(&mut text, c);
        }
        escaped(text)
    }
}

impl char {
    pub fn escape_debug(self) -> Escaped<'static> {
        escaped(debugged(&self.to_string()))
    }

    pub fn escape_default(self) -> Escaped<'static> {
        let mut text = String::new();
        push_default(&mut text, self);
        escaped(text)
    }

    pub fn escape_unicode(self) -> Escaped<'static> {
        let mut text = String::new();
        push_unicode(&mut text, self);
        escaped(text)
    }
}
