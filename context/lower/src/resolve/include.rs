//! Files included by `include!`, `include_str!` and `include_bytes!`.

use std::path::{Path, PathBuf};

use overdub_context::Symbol;

use super::collect::{Collector, Files, Ground, NOT_EMBEDDED, TOO_DEEP};
use crate::error::{Cause, ResolveError};
use crate::expand::RECURSION_LIMIT;
use crate::program::Program;
use crate::source::{SourceId, SourceRange};

/// The path argument of `include!`.
pub(crate) fn path(inside: &str) -> Result<String, Cause> {
    match syn::parse_str::<syn::LitStr>(inside.trim().trim_end_matches(',')) {
        Ok(path) => Ok(path.value()),
        Err(_) => Err(Cause::Unsupported("a file whose path is no literal cannot be included".to_owned())),
    }
}

impl Collector<'_> {
    /// `include!("file.rs")` in item position.
    pub(crate) fn include(&mut self, ground: &Ground, inside: (u32, u32)) {
        let source = self.program.sources.get(ground.source);
        let place = SourceRange { source: ground.source, lo: inside.0, hi: inside.1 };
        let included = path(&source.text[inside.0 as usize..inside.1 as usize])
            .map(|path| ground.folder.join(path))
            .and_then(|path| self.program.include(self.files, &path, self.krate));
        match included {
            Ok(source) if ground.depth < RECURSION_LIMIT => {
                let len = self.program.sources.get(source).text.len();
                let inner = Ground { source, depth: ground.depth + 1, ..ground.clone() };
                self.text(&inner, 0, len);
            }
            Ok(_) => {
                let cause = Cause::Macro { name: Symbol::new("include"), reason: TOO_DEEP.to_owned() };
                self.faults.push(ResolveError::new(self.program.sources.span(place), cause));
            }
            Err(cause) => self.faults.push(ResolveError::new(self.program.sources.span(place), cause)),
        }
    }
}

impl Program {
    /// Adds a Rust file.
    pub(crate) fn include(&self, files: Files, path: &Path, krate: u32) -> Result<SourceId, Cause> {
        let text = files.read(path).map_err(|reason| unread(path, reason))?;
        Ok(self.sources.add_of_edition(&files.shown(path), text, self.edition(krate)))
    }

    /// The contents of a file at a path relative to the file called `file`.
    pub(crate) fn read_beside(&self, file: &str, path: &str) -> Result<Vec<u8>, Cause> {
        if let Some((source, of)) = self.embedded(file) {
            let path = beside(&of, path);
            let content = source.content(&path).map(<[u8]>::to_vec);
            return content.ok_or_else(|| unread(&source.shown(&path), NOT_EMBEDDED.to_owned()));
        }
        let path = beside(Path::new(file), path);
        std::fs::read(&path).map_err(|error| unread(&path, error.to_string()))
    }

    /// Adds a Rust file at a path relative to the file called `file`.
    pub(crate) fn include_beside(&self, file: &str, path: &str, krate: u32) -> Result<SourceId, Cause> {
        if let Some((source, of)) = self.embedded(file) {
            return self.include(Files::Embedded(source), &beside(&of, path), krate);
        }
        let path = beside(Path::new(file), path);
        self.include(Files::Disk, &path, krate)
    }
}

fn beside(file: &Path, path: &str) -> PathBuf {
    file.parent().unwrap_or(Path::new("")).join(path)
}

fn unread(path: &Path, reason: String) -> Cause {
    Cause::Read { path: path.to_string_lossy().into_owned(), reason }
}
