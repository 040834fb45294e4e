//! What can be wrong with a mapped call, and the failure of its first element.

use overdub_context::Failure;
use overdub_context::ir::Ty;
use overdub_context::limits::Limit;
use overdub_lower::api::Error;
use thiserror::Error as ThisError;

use crate::device::DeviceError;

/// Why a mapped call has no results. `E` is the error of one element: [`Error`] of a typed function, [`Failure`] of a loaded
/// one.
#[derive(Clone, PartialEq, Eq, Debug, ThisError)]
#[non_exhaustive]
pub enum MapError<E: std::error::Error + 'static = Error> {
    /// The function is not known, or cannot be lowered.
    #[error(transparent)]
    Function(E),
    /// An element failed. All elements before it did not.
    #[error("element {index}: {error}")]
    Element {
        /// The number of the element, from 0.
        index: usize,
        /// The error that a call for this element alone has.
        #[source]
        error: E,
    },
    /// Two inputs are of different lengths.
    #[error("argument {first} is given for {len} elements, and {what} for {other_len}")]
    Lengths {
        /// The number of the first argument that is mapped over.
        first: usize,
        /// The number of its elements.
        len: usize,
        /// The input with another length.
        what: Input,
        /// The number of its elements.
        other_len: usize,
    },
    /// No argument is mapped over, so there is no number of elements.
    #[error("no argument is mapped over: give a list for at least one of them")]
    NothingMapped,
    /// The function takes another number of arguments.
    #[error("the function takes {expected} arguments, {found} are given")]
    Arguments {
        /// The number of its parameters.
        expected: usize,
        /// The number of inputs.
        found: usize,
    },
    /// An argument is of another type than its parameter.
    #[error(
        "argument {argument} of element {index} is of type `{found}`, its parameter is of type `{expected}`"
    )]
    Type {
        /// The number of the argument.
        argument: usize,
        /// The first element with this argument.
        index: usize,
        /// The type of the parameter.
        expected: Ty,
        /// The type of the value.
        found: Ty,
    },
    /// An argument that all elements share can be changed by them.
    #[error(
        "argument {argument} is shared by all elements and holds a mutable cell: give each element its own"
    )]
    SharedCell {
        /// The number of the argument.
        argument: usize,
    },
    /// There is no argument of this name or number to differentiate.
    #[error("there is no argument `{name}`: the arguments are {known}")]
    UnknownArgument {
        /// The name that was given.
        name: String,
        /// The names of the arguments.
        known: String,
    },
    /// A sum of results that are not floats.
    #[error("the function returns `{ty}`, and only floats are summed")]
    NotAFloat {
        /// The type of the result.
        ty: Ty,
    },
    /// The list is not a whole number of rows.
    #[error("{len} numbers are no rows of {width}")]
    Rows {
        /// The number of numbers.
        len: usize,
        /// The length of a row.
        width: usize,
    },
    /// The device cannot run the function.
    #[error(transparent)]
    Device(DeviceError),
    /// The call was cancelled.
    #[error("cancelled after {done} of {len} elements")]
    Cancelled {
        /// The number of elements that were done.
        done: usize,
        /// The number of all elements.
        len: usize,
    },
}

/// The same as the error of [`overdub`](overdub_lower::api::overdub): that of an element is its own, with the number of the
/// element.
impl From<MapError> for Error {
    fn from(error: MapError) -> Error {
        let help = match &error {
            MapError::Lengths { .. } => {
                "lists that are mapped over have an entry for each element; what all share is given as `Fixed(x)`"
            }
            MapError::NothingMapped => "a list is given by reference: `(&xs, Fixed(k))`",
            _ => "",
        };
        match error {
            MapError::Function(error) => error,
            MapError::Element { index, error } => error.at_element(index),
            MapError::Cancelled { .. } => Failure::of_limit(Limit::Cancelled).into(),
            other if help.is_empty() => Error::new(other.to_string()),
            other => Error::new(other.to_string()).with_help(help),
        }
    }
}

/// An input of a mapped call.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ThisError)]
#[non_exhaustive]
pub enum Input {
    /// The values of an argument.
    #[error("argument {0}")]
    Argument(usize),
    /// The tangents of an argument.
    #[error("the tangent of argument {0}")]
    Tangent(usize),
    /// The cotangents of the results.
    #[error("the cotangent of the result")]
    Cotangent,
}

/// The error of one element.
pub trait ElementError: std::error::Error + From<Failure> + Send + 'static {
    /// The limit that the element hit, if it hit one.
    fn limit(&self) -> Option<Limit>;
}

impl ElementError for Error {
    fn limit(&self) -> Option<Limit> {
        Error::limit(self)
    }
}

impl ElementError for Failure {
    fn limit(&self) -> Option<Limit> {
        Failure::limit(self)
    }
}
