//! Why no derivatives are written.

use std::fmt;
use std::path::Path;

use overdub_context::{Span, Symbol};
use overdub_export::ExportError;
use overdub_lower::{FunctionError, Loaded, ResolveError};

use crate::report::render;

/// Why no derivatives are written: the cause, and its place in the source.
///
/// It is displayed as rustc shows errors, and so is its debug form, which Rust prints where `main` returns it.
pub struct Error(Box<Report>);

struct Report {
    cause: Cause,
    span: Span,
    help: Option<String>,
    /// What is displayed.
    text: String,
}

/// The cause of an [`Error`].
#[derive(Clone, Debug, thiserror::Error)]
pub enum Cause {
    /// A variable that cargo sets for build scripts is missing.
    #[error("`{0}` is not set: derivatives are written by a build script")]
    NotInBuildScript(&'static str),
    /// A manifest cannot be read, or nothing can be made of it.
    #[error("{0}")]
    Manifest(String),
    /// The source cannot be read or is not Rust.
    #[error(transparent)]
    Source(ResolveError),
    /// There is no function of this name, or it cannot be lowered.
    #[error(transparent)]
    Function(FunctionError),
    /// A function has no parameter of this name.
    #[error("`{function}` has no argument `{name}`")]
    Parameter {
        /// The function.
        function: Symbol,
        /// The name that was given.
        name: String,
    },
    /// A parameter cannot be a constant: it has two values, or is one that the function changes.
    #[error("`{name}` of `{function}` cannot be a constant: it has two values, or is a `&mut` parameter")]
    Static {
        /// The function.
        function: Symbol,
        /// The name of the parameter.
        name: String,
    },
    /// It cannot be written as Rust.
    #[error(transparent)]
    Export(ExportError),
    /// Two functions that are asked for would have one name.
    #[error("two functions would be called `{0}`: `named` chooses another name")]
    Name(String),
    /// A type of a signature cannot be named by its path.
    #[error("`{ty}` cannot be named in `{module}`: {reason}")]
    Type {
        /// The type.
        ty: String,
        /// The module that would name it.
        module: String,
        /// The reason, as a sentence without its full stop.
        reason: String,
    },
    /// The file cannot be written.
    #[error("{path}: {reason}")]
    Write {
        /// The file.
        path: String,
        /// The reason reported by the system.
        reason: String,
    },
}

impl Error {
    /// An error without a place.
    pub(crate) fn new(cause: Cause) -> Error {
        let (span, help) = match &cause {
            Cause::Source(error) => (error.span, error.help.clone()),
            Cause::Function(FunctionError::Lower(error)) => (error.span, error.help.clone()),
            Cause::Function(FunctionError::Lookup(error)) if !error.similar.is_empty() => {
                let names: Vec<String> = error.similar.iter().map(|name| format!("`{name}`")).collect();
                (Span::unknown(), Some(format!("there is {}", names.join(", "))))
            }
            Cause::Export(error @ ExportError::Load { cause, .. }) => (error.span(), cause.help.clone()),
            Cause::Export(error) => (error.span(), None),
            _ => (Span::unknown(), None),
        };
        let text = render(&cause.to_string(), span, &shown(span), None, help.as_deref());
        Error(Box::new(Report { cause, span, help, text }))
    }

    /// The error of an export of functions of a program.
    pub fn from_export(error: ExportError, loaded: &Loaded) -> Error {
        Error::new(Cause::Export(error)).in_program(loaded)
    }

    /// The error of a function of a program.
    pub fn from_function(error: FunctionError, loaded: &Loaded) -> Error {
        Error::new(Cause::Function(error)).in_program(loaded)
    }

    #[must_use]
    pub(crate) fn with_help(mut self, help: String) -> Error {
        self.0.help = Some(help);
        self.displayed(None)
    }

    #[must_use]
    pub(crate) fn at(mut self, span: Span) -> Error {
        self.0.span = span;
        self
    }

    /// With the line of the source, out of a program.
    #[must_use]
    pub(crate) fn in_program(self, loaded: &Loaded) -> Error {
        let source = loaded.program().source(self.0.span.file);
        self.displayed(source.as_deref())
    }

    /// With the line of the source, out of a file that could not be loaded.
    #[must_use]
    pub(crate) fn in_file(self) -> Error {
        let source = std::fs::read_to_string(self.0.span.file.as_str()).ok();
        self.displayed(source.as_deref())
    }

    fn displayed(mut self, source: Option<&str>) -> Error {
        let Report { cause, span, help, .. } = &*self.0;
        self.0.text = render(&cause.to_string(), *span, &shown(*span), source, help.as_deref());
        self
    }

    /// The cause.
    pub fn cause(&self) -> &Cause {
        &self.0.cause
    }

    /// The place in the source; unknown if there is none.
    pub fn span(&self) -> Span {
        self.0.span
    }

    /// Advice.
    pub fn help(&self) -> Option<&str> {
        self.0.help.as_deref()
    }
}

/// The file of a place as it is shown: relative to the folder in which cargo runs the build script, as rustc does.
fn shown(span: Span) -> String {
    let file = Path::new(span.file.as_str());
    let here = std::env::current_dir().and_then(|folder| folder.canonicalize());
    let inside = here.ok().and_then(|folder| Some(file.strip_prefix(folder).ok()?.display().to_string()));
    inside.unwrap_or_else(|| span.file.to_string())
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text)
    }
}

impl std::error::Error for Error {}
