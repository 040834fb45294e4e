//! Search patterns: a character, a text, a predicate, one of several characters.

pub trait Pattern: Sized {
    /// The byte range of the first match.
    fn find_in(&mut self, text: &str) -> Option<(usize, usize)>;
    /// The byte range of the last match.
    fn rfind_in(&mut self, text: &str) -> Option<(usize, usize)>;
    /// The length in bytes of a match at the start of the text.
    fn prefix_of(&mut self, text: &str) -> Option<usize>;
    /// The length in bytes of a match at the end of the text.
    fn suffix_of(&mut self, text: &str) -> Option<usize>;
}

#[op("str.find")]
fn find(text: &str, part: &str) -> Option<usize>;

#[op("str.starts_with")]
fn starts_with(text: &str, part: &str) -> bool;

#[op("str.ends_with")]
fn ends_with(text: &str, part: &str) -> bool;

#[op("str.slice")]
fn piece(s: &str, lo: usize, hi: usize) -> &str;

impl Pattern for &str {
    fn find_in(&mut self, text: &str) -> Option<(usize, usize)> {
        match find(text, *self) {
            Some(lo) => Some((lo, lo + self.len())),
            None => None,
        }
    }

    fn rfind_in(&mut self, text: &str) -> Option<(usize, usize)> {
        let (m, n) = (self.len(), text.len());
        if m > n {
            return None;
        }
        let mut lo = n - m;
        loop {
            if text.is_char_boundary(lo) && starts_with(piece(text, lo, n), *self) {
                return Some((lo, lo + m));
            }
            if lo == 0 {
                return None;
            }
            lo -= 1;
        }
    }

    fn prefix_of(&mut self, text: &str) -> Option<usize> {
        if starts_with(text, *self) { Some(self.len()) } else { None }
    }

    fn suffix_of(&mut self, text: &str) -> Option<usize> {
        if ends_with(text, *self) { Some(self.len()) } else { None }
    }
}

macro_rules! by_text {
    ($($P:ty: $pattern:ident => $text:expr;)*) => {$(
        impl Pattern for $P {
            fn find_in(&mut self, text: &str) -> Option<(usize, usize)> {
                let $pattern = self;
                $text.find_in(text)
            }

            fn rfind_in(&mut self, text: &str) -> Option<(usize, usize)> {
                let $pattern = self;
                $text.rfind_in(text)
            }

            fn prefix_of(&mut self, text: &str) -> Option<usize> {
                let $pattern = self;
                $text.prefix_of(text)
            }

            fn suffix_of(&mut self, text: &str) -> Option<usize> {
                let $pattern = self;
                $text.suffix_of(text)
            }
        }
    )*};
}

#[impls(Pattern)]
by_text! {
    &String: pattern => pattern.as_str();
    &&str: pattern => (**pattern);
}

macro_rules! by_char {
    ([$($params:tt)*] $P:ty: $pattern:ident, $c:ident => $matches:expr) => {
        impl<$($params)*> Pattern for $P {
            fn find_in(&mut self, text: &str) -> Option<(usize, usize)> {
                let $pattern = self;
                let mut at = 0;
                for $c in text.chars() {
                    let n = $c.len_utf8();
                    if $matches {
                        return Some((at, at + n));
                    }
                    at += n;
                }
                None
            }

            fn rfind_in(&mut self, text: &str) -> Option<(usize, usize)> {
                let $pattern = self;
                let mut end = text.len();
                for $c in text.chars().rev() {
                    let n = $c.len_utf8();
                    if $matches {
                        return Some((end - n, end));
                    }
                    end -= n;
                }
                None
            }

            fn prefix_of(&mut self, text: &str) -> Option<usize> {
                let $pattern = self;
                let $c = text.chars().next()?;
                if $matches { Some($c.len_utf8()) } else { None }
            }

            fn suffix_of(&mut self, text: &str) -> Option<usize> {
                let $pattern = self;
                let $c = text.chars().next_back()?;
                if $matches { Some($c.len_utf8()) } else { None }
            }
        }
    };
}

#[impls(Pattern)]
by_char! { [] char: pattern, c => c == *pattern }
#[impls(Pattern)]
by_char! { [const N: usize] [char; N]: pattern, c => pattern.contains(&c) }
#[impls(Pattern)]
by_char! { [const N: usize] &[char; N]: pattern, c => pattern.contains(&c) }
#[impls(Pattern)]
by_char! { [] &[char]: pattern, c => pattern.contains(&c) }
#[impls(Pattern)]
by_char! { [F: FnMut(char) -> bool] F: pattern, c => (*pattern)(c) }
