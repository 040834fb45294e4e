//! Laws for every input, as functions of bytes: a coverage-guided fuzzer searches for bytes that violate
//! them.
//!
//! - F1 any bytes are an input: meaningless ones are ignored, and the same bytes always have the same
//!   meaning.
//! - F2 a check panics if its law is violated, and names the program, text or arguments.
//! - F3 the files in `fuzz/seeds/<target>` once violated a law, or lead to a part of the code that chance
//!   does not reach; a test checks the law on all of them.

pub mod arguments;
pub mod contexts;
pub mod edits;
pub mod programs;
pub mod source;
pub mod text;

mod ring;

/// A law, and the source of inputs for it.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name, which is also that of the folder of its seeds.
    pub name: &'static str,
    /// Panics if the law does not hold for these bytes.
    pub check: fn(&[u8]),
}

/// All targets.
pub const TARGETS: [Target; 6] = [
    Target { name: "text", check: text::check },
    Target { name: "source", check: source::check },
    Target { name: "arguments", check: arguments::check },
    Target { name: "programs", check: programs::check },
    Target { name: "contexts", check: contexts::check },
    Target { name: "edits", check: edits::check },
];

/// The target with this name.
pub fn target(name: &str) -> Option<Target> {
    TARGETS.into_iter().find(|target| target.name == name)
}
