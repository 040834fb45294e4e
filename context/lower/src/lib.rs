//! Rust source to the IR of overdub: `syn` → resolved items and bodies → types per instance → IR.

pub mod api;
pub mod codes;
pub mod error;
pub(crate) mod expand;
pub mod hir;
pub mod infer;
pub mod lang;
mod linalg;
mod loaded;
pub mod lower;
mod macro_runner;
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
pub use provided::{BodyRequest, GeneratedBody, Provided, ProvidedBody};

pub use source::PRELUDE;

/// Used by the expansions of `#[dub]`, `dub!` and `#[derive(Dub)]`; not public API.
#[doc(hidden)]
pub mod __private {
    pub use inventory;
    pub use overdub_context as context;

    pub use crate::api::{Capture, Dubbed};
    pub use crate::registration::{
        Cfg, Piece, Registered, RegisteredDependency, RegisteredSource, SourceFiles,
    };
    pub use crate::registry::{ir_ty_or_opaque, name_of, type_id_of};

    /// Whether a `module_path!()` is that of a crate root.
    pub const fn is_crate_root(module: &str) -> bool {
        let text = module.as_bytes();
        let mut at = 0;
        while at < text.len() {
            if text[at] == b':' {
                return false;
            }
            at += 1;
        }
        true
    }
}
