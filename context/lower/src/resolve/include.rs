//! Files included by `include!`, `include_str!` and `include_bytes!`.

use std::path::{Path, PathBuf};

use overdub_context::Symbol;
use syn::punctuated::Punctuated;

use super::collect::{CollectScope, Collector, Files, NOT_EMBEDDED, TOO_DEEP};
use crate::error::{Cause, ResolveError};
use crate::expand::RECURSION_LIMIT;
use crate::program::Program;
use crate::source::{SourceId, SourceRange};

impl Program {
    /// The path argument of `include!` in a crate: a literal, or one within the folder of its manifest or of the output of its
    /// build script.
    pub(crate) fn include_path(&self, krate: u32, inside: &str) -> Result<String, Cause> {
        let unknown = || Cause::Unsupported("a file whose path is no literal cannot be included".to_owned());
        let inside = inside.trim().trim_end_matches(',');
        if let Ok(path) = syn::parse_str::<syn::LitStr>(inside) {
            return Ok(path.value());
        }
        let (variable, parts) = within_folder(inside).ok_or_else(unknown)?;
        let parts: Option<String> = parts
            .into_iter()
            .map(|part| match part {
                Part::Text(text) => Some(text),
                Part::Variable(name) => self.package_env(krate, &name),
            })
            .collect();
        let rest = parts.ok_or_else(unknown)?;
        let rest = rest.trim_start_matches('/');
        let graph = self.graph().ok_or_else(unknown)?;
        let package = self.krate(krate).package.and_then(|at| graph.packages.get(at)).ok_or_else(unknown)?;
        let path = match &*variable {
            // What a build script has not written yet may be what it is about to write.
            "OUT_DIR" => graph.output.file(&package.name, rest).map_err(|reason| {
                Cause::Unsupported(format!("`OUT_DIR/{rest}` cannot be included: {reason}"))
            })?,
            "CARGO_MANIFEST_DIR" => package.folder.join(rest),
            _ => return Err(unknown()),
        };
        Ok(path.to_string_lossy().into_owned())
    }
}

/// A part of a path.
enum Part {
    Text(String),
    /// `env!("NAME")`
    Variable(String),
}

/// The name and the other parts of `concat!(env!("NAME"), "text", …)`.
fn within_folder(inside: &str) -> Option<(String, Vec<Part>)> {
    let all: syn::Macro = syn::parse_str(inside).ok().filter(|of: &syn::Macro| of.path.is_ident("concat"))?;
    let args = all.parse_body_with(Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated).ok()?;
    let mut parts = args.into_iter().map(|arg| match arg {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(Part::Text(text.value())),
        syn::Expr::Macro(variable) if variable.mac.path.is_ident("env") => {
            Some(Part::Variable(variable.mac.parse_body::<syn::LitStr>().ok()?.value()))
        }
        _ => None,
    });
    match parts.next()?? {
        Part::Variable(name) => Some((name, parts.collect::<Option<_>>()?)),
        Part::Text(_) => None,
    }
}

impl Collector<'_> {
    /// `include!("file.rs")` in item position.
    pub(crate) fn include(&mut self, scope: &CollectScope, inside: (u32, u32)) {
        let source = self.program.sources.get(scope.source);
        let place = SourceRange { source: scope.source, lo: inside.0, hi: inside.1 };
        let included = self
            .program
            .include_path(self.krate, &source.text[inside.0 as usize..inside.1 as usize])
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
