//! Pieces of text, which are found when they are asked for, and text in other units.

use std::borrow::Cow;
use std::str::{MatchIndices, Split, SplitN};

const TEXT: &str = "  añb, cß,, d😀e \t f\n";

fn all<'a>(pieces: impl Iterator<Item = &'a str>) -> String {
    format!("{:?} ", pieces.collect::<Vec<_>>())
}

pub fn predicates_are_asked_as_far_as_pieces_are() -> String {
    let mut log = Vec::new();
    let mut asked = |c: char| {
        log.push(c);
        c == '-'
    };
    let first = "a-b-c-d".split(&mut asked).next().map(str::len);
    let two = "e-f-g-h".split(&mut asked).take(2).count();
    let back = "i-j-k-l".rsplit(&mut asked).next().map(str::len);
    let cut = "m-n-o-p".splitn(2, &mut asked).last().map(str::len);
    let found = "q-r-s-t".match_indices(&mut asked).next().map(|(at, _)| at);
    let inclusive = "u-v-w".split_inclusive(&mut asked).next().map(str::len);
    format!("{first:?} {two} {back:?} {cut:?} {found:?} {inclusive:?} {}", log.iter().collect::<String>())
}

struct Fields<'a> {
    pieces: Split<'a, char>,
    few: SplitN<'a, &'static str>,
    found: MatchIndices<'a, fn(char) -> bool>,
}

pub fn pieces_have_types() -> String {
    let mut fields = Fields {
        pieces: TEXT.split(','),
        few: TEXT.splitn(2, ", "),
        found: TEXT.match_indices(char::is_alphabetic as fn(char) -> bool),
    };
    let ends = (fields.pieces.next(), fields.pieces.next_back(), fields.pieces.next());
    format!("{ends:?} {:?} {:?}", fields.few.next(), fields.found.nth(1))
}

pub fn pieces_from_both_ends() -> String {
    let mut out = all(TEXT.split_inclusive(',')) + &all(TEXT.split_inclusive(',').rev());
    out += &(all(TEXT.rsplitn(2, ','))
        + &all(TEXT.rsplitn(3, ", "))
        + &all(TEXT.rsplitn(0, ","))
        + &all(TEXT.rsplitn(1, ',')));
    out += &(all(",a,,".rsplit_terminator(','))
        + &all(",a,,".split_terminator(','))
        + &all("".split_terminator(',')));
    out += &(all("".split(',')) + &all("".split("")) + &all("añc".split("")) + &all("".split_inclusive(',')));
    out += &(all("aaaa".matches("aa"))
        + &all("aaaaa".rmatches("aa"))
        + &all("äb".rmatches(""))
        + &all("äb".matches("")));
    let mut ends = "a-b-c-d".split('-');
    let both = (ends.next(), ends.next_back(), ends.next(), ends.next_back(), ends.next());
    let mut terminated = "a,b,".split_terminator(',');
    let few = (terminated.next_back(), terminated.next(), terminated.next_back());
    format!("{out}{both:?} {few:?} {:?}", "aäc".rmatch_indices("").collect::<Vec<_>>())
}

pub fn patterns_of_other_types() -> String {
    let part = &"b,"[..];
    let found = (
        TEXT.find(&part),
        TEXT.contains(&&"cß"[..]),
        "xab".trim_left_matches('x'),
        "abx".trim_right_matches("x"),
    );
    let boundaries = (0..8).map(|at| (TEXT.floor_char_boundary(at), TEXT.ceil_char_boundary(at)));
    let mut chars = "aßc".char_indices();
    chars.next();
    format!("{found:?} {:?} {} {}", boundaries.collect::<Vec<_>>(), chars.offset(), chars.as_str())
}

pub fn units_of_16_bits() -> String {
    let units: Vec<u16> = TEXT.encode_utf16().collect();
    let lens: usize = TEXT.chars().map(char::len_utf16).sum();
    let mut room = [0; 2];
    let pair = '😀'.encode_utf16(&mut room).to_vec();
    let broken = [0xd83d, 0xde00, 0xdc00, 65, 0xd800, 66, 0xdbff];
    let decoded: Vec<_> = char::decode_utf16(broken).map(|c| c.map_err(|e| e.unpaired_surrogate())).collect();
    let back = String::from_utf16(&units).map(|text| text == TEXT).is_ok_and(|same| same);
    let why = String::from_utf16(&broken).map_err(|error| error.to_string());
    format!(
        "{} {lens} {pair:?} {decoded:?} {back} {why:?} {}",
        units.len(),
        String::from_utf16_lossy(&broken)
    )
}

pub fn has_no_room_for_a_pair() -> String {
    '😀'.encode_utf16(&mut [0]).len().to_string()
}

pub fn has_no_room_for_a_character() -> String {
    'ß'.encode_utf8(&mut [0]).len().to_string()
}

pub fn text_that_is_owned_otherwise() -> String {
    let boxed: Box<str> = String::from("abc").into();
    let collected: Box<str> = ['x', 'y'].iter().collect();
    let cow: Cow<'_, str> = ["p", "q"].into_iter().map(String::from).collect();
    let mut text = String::from("hello");
    text.extend_from_within(1..3);
    let mut some = Some(String::from("a"));
    some.as_deref_mut().unwrap().make_ascii_uppercase();
    format!("{} {collected} {cow} {text} {some:?} {:?}", boxed.into_string(), "ab".chars())
}

pub fn lengths_of_escapes_and_cases() -> String {
    let lens = ('ß'.escape_unicode().len(), '\t'.escape_default().len(), 'ß'.to_uppercase().len());
    let valid = |c: std::str::Utf8Chunk<'_>| (c.valid().to_owned(), c.invalid().to_vec());
    let chunks: Vec<_> = b"a\xffb\xe2\x82c".utf8_chunks().map(valid).collect();
    format!(
        "{lens:?} {} {:?} {chunks:?}",
        std::ascii::escape_default(b'\xfe'),
        'ß'.to_uppercase().rev().next()
    )
}

struct Titled {
    title: String,
}

impl Titled {
    fn raise(&mut self) -> usize {
        self.title[..1].make_ascii_uppercase();
        self.title[1..].len()
    }
}

fn raised(s: &mut String) -> usize {
    s.push('a');
    s[1..3].make_ascii_uppercase();
    s[2..].len()
}

pub fn parts_are_changed_in_their_text() -> String {
    let mut s = String::from("hello");
    {
        let first = &mut s[..1];
        first.make_ascii_uppercase();
    }
    s[3..][..1].make_ascii_uppercase();
    let len = raised(&mut s);
    let mut titled = Titled { title: String::from("éa") };
    let caught = std::cell::RefCell::new(String::from("abc"));
    caught.borrow_mut()[1..=1].make_ascii_uppercase();
    let mut several = vec![String::from("ab"), String::from("cd")];
    several[1][1..].make_ascii_uppercase();
    for text in &mut several {
        text[..1].make_ascii_uppercase();
    }
    titled.title.push('b');
    titled.title[2..3].make_ascii_uppercase();
    format!("{s} {len} {} {} {several:?} {}", titled.title, caught.borrow(), &caught.borrow()[1..])
}

pub fn parts_of_captured_texts() -> String {
    let mut s = String::from("hello");
    let mut grow = || {
        s.push('c');
        s[..2].make_ascii_uppercase();
        (s[2..].len(), s[..][1..].to_owned())
    };
    let (first, second) = (grow(), grow());
    format!("{first:?} {second:?} {}", &s[1..])
}

pub fn splits_a_letter_for_writing() -> String {
    let mut titled = Titled { title: String::from("éa") };
    let len = titled.raise();
    format!("{} {len}", titled.title)
}
