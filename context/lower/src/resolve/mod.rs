//! Name resolution: from scanned sources to resolved items and bodies.
//!
//! - RESOLVE1 a module's names are complete when its crate is; until then only macros are looked up.
//! - RESOLVE2 a declaration or a body is resolved on first use and cached, and never waits for another one.

mod attribute_macros;
pub(crate) mod attrs;
pub(crate) mod body;
pub(crate) mod children;
pub(crate) mod collect;
pub(crate) mod crates;
pub(crate) mod deferred_macros;
pub(crate) mod derive_macros;
pub(crate) mod find;
mod header;
pub(crate) mod impls;
mod include;
pub(crate) mod items;
mod named_crates;
pub(crate) mod names;
pub(crate) mod node;
pub(crate) mod parse;
pub(crate) mod proc_macros;
pub(crate) mod registered;
pub(crate) mod registered_source;
pub(crate) mod rustc_names;
pub(crate) mod search;
pub(crate) mod types;
