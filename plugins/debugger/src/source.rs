//! The source of the debugged program, which is loaded again with an expression at its end to evaluate that.

use std::path::{Path, PathBuf};

use overdub_lower::{Program, ResolveError};

/// The source of a program.
#[derive(Clone, Debug)]
pub enum Source {
    /// A `.rs` file, or the folder of a crate.
    Path(PathBuf),
    /// A text.
    Text {
        /// The name of the source in locations.
        name: String,
        /// The Rust code.
        text: String,
    },
}

impl Source {
    /// A file or folder.
    pub fn path(path: &Path) -> Source {
        Source::Path(path.to_owned())
    }

    /// A text; `name` is its name in locations.
    pub fn text(name: &str, text: &str) -> Source {
        Source::Text { name: name.to_owned(), text: text.to_owned() }
    }

    /// The program with additional items at the end of its root.
    ///
    /// # Errors
    /// If the source cannot be read or is not Rust.
    pub fn program(&self, items: &str) -> Result<Program, ResolveError> {
        match self {
            Source::Path(path) => Program::load_with(path, items),
            Source::Text { name, text } if items.is_empty() => Program::from_source(name, text),
            Source::Text { name, text } => Program::from_source(name, &format!("{text}\n{items}")),
        }
    }
}
