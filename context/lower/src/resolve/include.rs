//! Files included by `include!`, `include_str!` and `include_bytes!`.

use std::path::{Path, PathBuf};

use overdub_context::Symbol;

use super::collect::{CollectScope, Collector, Files, NOT_EMBEDDED, TOO_DEEP};
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
    pub(crate) fn include(&mut self, scope: &CollectScope, inside: (u32, u32)) {
        let source = self.program.sources.get(scope.source);
        let place = SourceRange { source: scope.source, lo: inside.0, hi: inside.1 };
        let included = path(&source.text[inside.0 as usize..inside.1 as usize])
            .map(|path| scope.folder.join(path))
            .and_then(|path| self.program.include(self.files, &path, self.krate));
        match included {
            Ok(source) if scope.depth < RECURSION_LIMIT => {
                let len = self.program.sources.get(source).text.len();
                let inner = CollectScope { source, depth: scope.depth + 1, ..scope.clone() };
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
    pub(crate) fn read_relative(&self, file: &str, path: &str) -> Result<Vec<u8>, Cause> {
        if let Some((source, of)) = self.embedded(file) {
            let path = relative_to_file(&of, path);
            let content = source.content(&path).map(<[u8]>::to_vec);
            return content.ok_or_else(|| unread(&source.shown(&path), NOT_EMBEDDED.to_owned()));
        }
        let path = relative_to_file(Path::new(file), path);
        std::fs::read(&path).map_err(|error| unread(&path, error.to_string()))
    }

    /// Adds a Rust file at a path relative to the file called `file`.
    pub(crate) fn include_relative(&self, file: &str, path: &str, krate: u32) -> Result<SourceId, Cause> {
        if let Some((source, of)) = self.embedded(file) {
            return self.include(Files::Embedded(source), &relative_to_file(&of, path), krate);
        }
        let path = relative_to_file(Path::new(file), path);
        self.include(Files::Disk, &path, krate)
    }
}

fn relative_to_file(file: &Path, path: &str) -> PathBuf {
    file.parent().unwrap_or(Path::new("")).join(path)
}

fn unread(path: &Path, reason: String) -> Cause {
    Cause::Read { path: path.to_string_lossy().into_owned(), reason }
}
