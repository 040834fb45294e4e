//! What holds for every input, as functions of bytes: a fuzzer guided by coverage looks for bytes that break it.
//!
//! - F1 any bytes are an input: those that mean nothing are passed over, and the same bytes always mean the same.
//! - F2 a check panics where its law is broken, and says with which program, text or arguments.
//! - F3 what lies in `fuzz/seeds/<target>` once broke a law, or leads to a part of the code that chance does not find; a
//!   test holds all of it to the law.

pub mod arguments;
pub mod contexts;
pub mod edits;
pub mod programs;
pub mod source;
pub mod text;

mod ring;

/// A law, and where inputs for it come from.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name, that of the folder of its seeds.
    pub name: &'static str,
    /// Panics where the law does not hold for these bytes.
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

/// The target of this name.
pub fn target(name: &str) -> Option<Target> {
    TARGETS.into_iter().find(|target| target.name == name)
}
