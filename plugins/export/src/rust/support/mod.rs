//! The functions in `support/*.rs`, of which those that are used are written, after those of other names.
//!
//! A line `//// NAME` begins a function. `plain` holds those that do not fail, and `gemm` those for products of matrices; those that do are in `panics` and in `results`,
//! by what they do then; `no_std` those in place of methods that `core` lacks. `MESSAGE` is the type of the message of a
//! failure.

use crate::options::{Failures, Library, Options};

/// A function: its name and its text.
#[derive(Clone, Copy)]
pub(super) struct Section {
    pub(super) name: &'static str,
    pub(super) text: &'static str,
}

impl Section {
    /// Whether the function makes the text of a message when it fails.
    pub(super) fn makes_message(&self) -> bool {
        self.text.contains("format!(")
    }

    /// The functions among `all` that this one calls.
    pub(super) fn calls<'s>(&self, all: &'s [Section]) -> impl Iterator<Item = &'s Section> {
        let code = self.text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let code: Vec<&str> = code.flat_map(words).collect();
        let name = self.name;
        all.iter().filter(move |section| section.name != name && code.contains(&section.name))
    }
}

/// The type of failures.
pub(super) const FAILURE: &str = include_str!("failure.rs");

/// The functions, in the order in which they are written.
pub(super) fn sections(options: Options) -> Vec<Section> {
    let failing = match options.failures {
        Failures::Panic => include_str!("panics.rs"),
        Failures::Result => include_str!("results.rs"),
    };
    let replaced = match options.library {
        Library::Std => "",
        Library::NoStd => include_str!("no_std.rs"),
    };
    [include_str!("plain.rs"), include_str!("gemm.rs"), failing, replaced]
        .into_iter()
        .flat_map(of_file)
        .collect()
}

fn of_file(file: &'static str) -> impl Iterator<Item = Section> {
    file.split("//// ").skip(1).filter_map(|section| {
        let (name, text) = section.split_once('\n')?;
        Some(Section { name, text })
    })
}

/// The words of a line of code that are followed by the arguments of a call, or by its types.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    line.split(['(', ':', '<']).map(move |before| {
        let from = before.rfind(|c| !is_letter(c)).map_or(0, |at| at + 1);
        &before[from..]
    })
}
