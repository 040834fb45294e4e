//! The codes of the errors of command lines, and the pages of all codes.
#![doc = include_str!("../errors.md")]

use overdub_context::Code;

overdub_context::codes! {
    "../errors.md";
    /// The command cannot do what it is asked.
    COMMAND = 701;
    /// The arguments are not JSON.
    NO_JSON = 702;
    /// The number of arguments is wrong.
    ARG_COUNT = 703;
    /// An argument does not have the type of its parameter.
    ARGUMENT = 704;
    /// The function returned an `Err`.
    RETURNED_ERR = 705;
    /// A file cannot be read or written.
    FILE = 706;
    /// A function cannot be written as Rust or C.
    NOT_EXPORTED = 707;
}

/// The codes and pages of all crates.
const BOOKS: [(&[Code], &str); 4] = [
    (overdub_context::codes::ALL, overdub_context::codes::PAGES),
    (overdub_lower::codes::ALL, overdub_lower::codes::PAGES),
    (overdub_ad::codes::ALL, overdub_ad::codes::PAGES),
    (ALL, PAGES),
];

/// All codes, in order.
pub fn all() -> Vec<Code> {
    let mut all: Vec<Code> = BOOKS.iter().flat_map(|(codes, _)| *codes).copied().collect();
    all.sort();
    all
}

/// A page: the title, and what follows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Page {
    /// The title, without the code.
    pub title: &'static str,
    /// The text, in Markdown.
    pub text: &'static str,
}

/// The page of a code.
pub fn page(code: Code) -> Option<Page> {
    let name = code.to_string();
    let sections = BOOKS.iter().flat_map(|(_, pages)| pages.split("\n## ").skip(1));
    sections.into_iter().find_map(|section| {
        let (title, text) = section.strip_prefix(name.as_str())?.split_once('\n')?;
        Some(Page { title: title.trim(), text: text.trim() })
    })
}
