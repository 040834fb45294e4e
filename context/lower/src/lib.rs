//! Rust source to the IR of overdub: `syn` → resolved items and bodies → types per instance → IR.

pub mod api;
pub mod error;
pub(crate) mod expand;
pub mod hir;
pub mod infer;
pub mod lang;
mod linalg;
mod loaded;
pub mod lower;
mod naming;
mod prelude;
mod program;
mod provided;
mod registration;
pub mod registry;
pub(crate) mod resolve;
pub(crate) mod source;

pub use error::{LookupError, ResolveError};
pub use loaded::{Function, FunctionError, Loaded, Param, user_span};
pub use program::signature;
pub use program::{Program, SelfHead};
pub use provided::{MadeBody, Provided, ProvidedBody, Wanted};

pub use source::PRELUDE;

/// What the expansions of `#[dub]`, `dub!` and `#[derive(Dub)]` use; not for anyone else.
#[doc(hidden)]
pub mod __private {
    pub use inventory;
    pub use overdub_context as context;

    pub use crate::api::{Capture, Dubbed};
    pub use crate::registration::{Piece, Registered};
    pub use crate::registry::{ir_ty_or_opaque, name_of, type_id_of};
}
