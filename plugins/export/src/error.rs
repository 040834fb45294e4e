//! Why a function cannot be exported.

use overdub_context::ir::LoadError;
use overdub_context::{Span, Symbol};

/// A function cannot be written as source.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ExportError {
    /// A function that is called cannot be loaded.
    #[error("`{func}` cannot be exported: {}", cause.message)]
    Load {
        /// The function.
        func: Symbol,
        /// The cause, with its place.
        cause: LoadError,
    },
    /// There is no function of this name.
    #[error("there is no function `{0}`")]
    Missing(Symbol),
    /// One function was asked for under two names.
    #[error("`{0}` is exported twice: once is enough, or name the other derivative")]
    Twice(Symbol),
    /// The name of a function is one that the text has for something else, or no identifier.
    #[error("no function can be called `{0}` here: it is a keyword, or the exported text uses the name")]
    Name(String),
    /// Failures are to be returned by text in C.
    #[error(
        "failures are returned in Rust alone: in C they call the macro `OVERDUB_FAIL`, which a program may define"
    )]
    FailuresInC,
    /// Text in C is to use another library.
    #[error("only text in Rust does without its standard library: text in C uses that of C")]
    LibraryInC,
    /// An operation, a type or a form of control flow has no counterpart in the target language.
    #[error("`{func}` cannot be exported: {construct}")]
    Unsupported {
        /// The function.
        func: Symbol,
        /// The construct, as the end of a sentence.
        construct: String,
        /// Its place in the source.
        span: Span,
    },
}

impl ExportError {
    /// The place in the source that caused the error; unknown if there is none.
    pub fn span(&self) -> Span {
        match self {
            ExportError::Load { cause, .. } => cause.span,
            ExportError::Missing(_)
            | ExportError::Twice(_)
            | ExportError::Name(_)
            | ExportError::FailuresInC
            | ExportError::LibraryInC => Span::unknown(),
            ExportError::Unsupported { span, .. } => *span,
        }
    }
}
