//! The program that is debugged, which is loaded again with an expression at its end when one is evaluated.

use std::path::{Path, PathBuf};

use overdub_lower::{Program, ResolveError};

/// Where a program comes from.
#[derive(Clone, Debug)]
pub enum Source {
    /// A `.rs` file, or the folder of a crate.
    Path(PathBuf),
    /// A text.
    Text {
        /// What places call it.
        name: String,
        /// Rust.
        text: String,
    },
}

impl Source {
    /// A file or folder.
    pub fn path(path: &Path) -> Source {
        Source::Path(path.to_owned())
    }

    /// A text; `name` is what places call it.
    pub fn text(name: &str, text: &str) -> Source {
        Source::Text { name: name.to_owned(), text: text.to_owned() }
    }

    /// The program with further items at the end of its root.
    ///
    /// # Errors
    /// Where it cannot be read or is not Rust.
    pub fn program(&self, items: &str) -> Result<Program, ResolveError> {
        match self {
            Source::Path(path) => Program::load_with(path, items),
            Source::Text { name, text } if items.is_empty() => Program::from_source(name, text),
            Source::Text { name, text } => Program::from_source(name, &format!("{text}\n{items}")),
        }
    }
}
