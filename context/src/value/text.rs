//! Texts: UTF-8 strings, and parts of them that know which text they are parts of.
//!
//! - SUBSTR1 a part refers to a whole text, not to another part, and begins and ends at boundaries of characters.
//! - SUBSTR2 a text and its parts have one buffer of bytes, so positions in it can be compared.
//! - SUBSTR3 a short part of a long text is a text of its own, so that it does not keep the long one alive.

use std::hash::{Hash, Hasher};
use std::ops::{Deref, Range};
use std::sync::{Arc, OnceLock};

use super::Array;

/// A text.
#[derive(Debug)]
pub struct Text {
    content: Content,
    /// The bytes of a whole text, from the first time that they are asked for.
    bytes: OnceLock<Arc<Array<'static>>>,
}

#[derive(Debug)]
enum Content {
    Whole(String),
    Part { of: Arc<Text>, range: Range<usize> },
}

/// Of a text of more bytes (SUBSTR3), parts that are this many times shorter are copied.
const LONG: usize = 4096;
const LARGEST_RATIO: usize = 16;

impl Text {
    /// The part of a text in a range of bytes; none if it is out of bounds or begins or ends within a character.
    pub fn part(self: &Arc<Text>, range: Range<usize>) -> Option<Arc<Text>> {
        let part = self.get(range.clone())?;
        let (of, start) = match &self.content {
            Content::Whole(_) => (self, 0),
            Content::Part { of, range } => (of, range.start),
        };
        if of.len() > LONG && part.len() < of.len() / LARGEST_RATIO {
            return Some(Arc::new(Text::from(part)));
        }
        let range = start + range.start..start + range.end;
        Some(Arc::new(Text { content: Content::Part { of: of.clone(), range }, bytes: OnceLock::new() }))
    }

    /// The bytes; those of a part are a view of the bytes of the whole (SUBSTR2).
    pub fn byte_array(&self) -> Arc<Array<'static>> {
        match &self.content {
            Content::Whole(text) => {
                let bytes = || Arc::new(Array::from_vec(text.as_bytes().to_vec()));
                self.bytes.get_or_init(bytes).clone()
            }
            Content::Part { of, range } => {
                let part = of.byte_array().viewed(range.clone());
                Arc::new(part.expect("SUBSTR1: the range is within the text"))
            }
        }
    }

    /// The string, to change it: that of a copy if there are other owners or if it is a part.
    pub fn to_mut(text: &mut Arc<Text>) -> &mut String {
        if Arc::get_mut(text).is_none_or(|text| matches!(text.content, Content::Part { .. })) {
            *text = Arc::new(Text::from(text.to_string()));
        }
        let text = Arc::get_mut(text).expect("it has one owner");
        text.bytes.take();
        match &mut text.content {
            Content::Whole(string) => string,
            Content::Part { .. } => unreachable!("a part was replaced by a copy"),
        }
    }

    /// The string, copied if there are other owners or if it is a part.
    pub fn into_string(text: Arc<Text>) -> String {
        match Arc::try_unwrap(text) {
            Ok(Text { content: Content::Whole(string), .. }) => string,
            Ok(part) => part.to_string(),
            Err(shared) => shared.to_string(),
        }
    }

    /// The number of bytes for which there is space.
    pub fn capacity(&self) -> usize {
        match &self.content {
            Content::Whole(text) => text.capacity(),
            Content::Part { range, .. } => range.len(),
        }
    }

    /// The string.
    pub fn as_str(&self) -> &str {
        self
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        match &self.content {
            Content::Whole(text) => text,
            Content::Part { of, range } => &of[range.clone()],
        }
    }
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        Text { content: Content::Whole(text), bytes: OnceLock::new() }
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text::from(text.to_owned())
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Text) -> bool {
        **self == **other
    }
}

impl Eq for Text {}

impl PartialOrd for Text {
    fn partial_cmp(&self, other: &Text) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Text {
    fn cmp(&self, other: &Text) -> std::cmp::Ordering {
        (**self).cmp(&**other)
    }
}

impl Hash for Text {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(text: &str) -> Arc<Text> {
        Arc::new(text.into())
    }

    #[test]
    fn a_part_of_a_part_has_the_bytes_of_the_whole_at_its_place() {
        let text = whole("aäb cd");
        let part = text.part(1..6).and_then(|part| part.part(2..5)).expect("it is within the text");
        assert_eq!(part.as_str(), "b c");
        let (all, bytes) = (text.byte_array(), part.byte_array());
        assert_eq!(bytes.view(), 3..6);
        assert_eq!(all.buffer_address(), bytes.buffer_address());
    }

    #[test]
    fn a_part_ends_at_characters_and_within_the_text() {
        let text = whole("aä");
        assert_eq!(text.part(0..2), None);
        assert_eq!(text.part(1..4), None);
        assert_eq!(text.part(3..3).as_deref().map(Text::as_str), Some(""));
    }

    #[test]
    fn a_short_part_of_a_long_text_does_not_keep_it() {
        let text = whole(&"a".repeat(2 * LONG));
        let (long, short) =
            (text.part(0..LONG).expect("it is within"), text.part(1..3).expect("it is within"));
        assert_eq!((Arc::strong_count(&text), short.as_str(), long.len()), (2, "aa", LONG));
        assert_eq!(long.part(0..3).as_deref().map(Text::as_str), Some("aaa"));
        assert_eq!(Arc::strong_count(&text), 2);
    }

    #[test]
    fn a_change_of_a_part_or_of_a_shared_text_leaves_the_others() {
        let text = whole("abc");
        let (mut part, mut copy) = (text.part(1..3).expect("it is within the text"), text.clone());
        Text::to_mut(&mut part).push('d');
        Text::to_mut(&mut copy).clear();
        assert_eq!((text.as_str(), part.as_str(), copy.as_str()), ("abc", "bcd", ""));
    }

    #[test]
    fn bytes_are_those_after_the_last_change() {
        let mut text = whole("ab");
        assert_eq!(text.byte_array().len(), 2);
        Text::to_mut(&mut text).push('c');
        assert_eq!(text.byte_array().as_slice::<u8>(), Some(&b"abc"[..]));
    }
}
