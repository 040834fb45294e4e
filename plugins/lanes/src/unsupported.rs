//! Why a function does not run in lanes.

use overdub_context::Span;
use overdub_context::ir::Ty;
use overdub_context::ops::OpDef;

/// Why a function does not run in lanes.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{reason}")]
pub struct Unsupported {
    /// What does not.
    pub reason: Reason,
    /// The place in the source.
    pub span: Span,
}

/// What does not run in lanes.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// A parameter of this type.
    #[error("a parameter of type `{}` does not fit into lanes, which hold scalars and arrays that all share", .0.in_rust())]
    Param(Ty),
    /// A result of this type.
    #[error("a result of type `{}` does not fit into lanes, which hold scalars and arrays of scalars", .0.in_rust())]
    Result(Ty),
    /// A value of this type.
    #[error(
        "a value of type `{}` does not fit into lanes, which hold scalars, arrays of scalars without copies, and one tape for each loop",
        .0.in_rust()
    )]
    Type(Ty),
    /// This operation.
    #[error("`{}` does not run in lanes", .0.name)]
    Op(&'static OpDef),
    /// A call that was not inlined, such as a recursive one.
    #[error("a call that is not inlined does not run in lanes")]
    Call,
}

impl Reason {
    /// Why it is not in a kernel of [`opencl`](crate::opencl).
    pub fn in_kernel(&self) -> String {
        let what = match self {
            Reason::Param(ty) => format!("a parameter of type `{}`", ty.in_rust()),
            Reason::Result(ty) => format!("a result of type `{}`", ty.in_rust()),
            Reason::Type(ty) => format!("a value of type `{}`", ty.in_rust()),
            Reason::Op(op) => format!("the operation `{}`", op.name),
            Reason::Call => "a call that is not inlined".to_owned(),
        };
        format!("{what} has no counterpart in a kernel of scalars")
    }
}
