//! Why a function cannot be exported.

use overdub_context::ir::{LoadError, Ty};
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
    /// A sparse derivative was asked for without a pattern.
    #[error(
        "a sparse derivative of `{func}` needs a pattern, which holds for the shape of given arguments: \
         `overdub export --sparse` finds one"
    )]
    NoPattern {
        /// The function.
        func: Symbol,
        /// Its place in the source.
        span: Span,
    },
    /// A pattern was given for a derivative that has none.
    #[error("only Jacobians and Hessians of `{0}` have sparsity patterns")]
    NotSparse(Symbol),
    /// A pattern was found for another number of arguments.
    #[error("the pattern was found for {found} arguments, and `{func}` takes {expected}")]
    Arguments {
        /// The function.
        func: Symbol,
        /// The number of arguments in the example.
        found: usize,
        /// The number of parameters.
        expected: usize,
    },
    /// A pattern does not have a column for each float of the arguments that are differentiated.
    #[error("the pattern has {found} columns, and these arguments of `{func}` hold {expected} floats")]
    Columns {
        /// The function.
        func: Symbol,
        /// The number of columns.
        found: usize,
        /// The number of floats in the example.
        expected: usize,
    },
    /// Failures are to be returned by text in C.
    #[error(
        "failures are returned in Rust alone: in C they call the macro `OVERDUB_FAIL`, which a program may define"
    )]
    FailuresInC,
    /// Functions in C, or that a program calls, are to use slices or a workspace of their callers.
    #[error("functions use memory of their callers in Rust, and not in {0}")]
    MemoryOfCaller(&'static str),
    /// Functions in C, of a program, or that use memory of their callers, are to run in lanes.
    #[error("functions run in lanes in Rust, with results of their own, and not in {0}")]
    LanesIn(&'static str),
    /// A number of lanes that no function has.
    #[error("a function has 1 to {most} lanes, and not {found}", most = crate::options::MOST_LANES)]
    LaneCount {
        /// The number.
        found: usize,
    },
    /// A static argument has another type than its parameter, or there is no such parameter.
    #[error("the static argument {number} of `{func}` has type `{found}`, {}", match expected {
        Some(ty) => format!("and its parameter type `{ty}`"),
        None => "and there is no such parameter".to_owned(),
    })]
    StaticArgument {
        /// The function.
        func: Symbol,
        /// The number of the parameter, from 0.
        number: usize,
        /// The type of the value.
        found: Ty,
        /// The type of the parameter, if there is one.
        expected: Option<Ty>,
    },
    /// An argument is to be the same for all elements, and no function has such a parameter.
    #[error("no function has a parameter `{0}`, of which all elements could have the same")]
    NoParameter(String),
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
    /// The error as one of the function of which a derivative cannot be exported.
    pub(crate) fn of(self, function: Option<Symbol>) -> ExportError {
        match (self, function) {
            (ExportError::Unsupported { construct, span, .. }, Some(func)) => {
                ExportError::Unsupported { func, construct, span }
            }
            (error, _) => error,
        }
    }

    /// The place in the source that caused the error; unknown if there is none.
    pub fn span(&self) -> Span {
        match self {
            ExportError::Load { cause, .. } => cause.span,
            ExportError::Missing(_)
            | ExportError::Twice(_)
            | ExportError::Name(_)
            | ExportError::NotSparse(_)
            | ExportError::Arguments { .. }
            | ExportError::Columns { .. }
            | ExportError::FailuresInC
            | ExportError::MemoryOfCaller(_)
            | ExportError::LanesIn(_)
            | ExportError::LaneCount { .. }
            | ExportError::NoParameter(_)
            | ExportError::StaticArgument { .. }
            | ExportError::LibraryInC => Span::unknown(),
            ExportError::NoPattern { span, .. } | ExportError::Unsupported { span, .. } => *span,
        }
    }
}
