//! A program: the user's crate, the crates it names, and our `std`, with all that is known of their items.
//!
//! - Everything is found when it is first asked for and kept; a fault in one item never hides another.

use std::path::Path;
use std::sync::Arc;

use overdub_context::Symbol;

use crate::error::{LookupError, ResolveError};
use crate::hir::*;

/// The shape of the type that an impl is for, as far as its head tells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum SelfHead {
    /// A struct or an enum.
    Def(DefId),
    /// A primitive type.
    Prim(Prim),
    /// `[T]`
    Slice,
    /// `[T; N]`
    Array,
    /// `()`, `(A, B)`
    Tuple,
    /// `&T`, `&mut T`
    Ref,
    /// `fn(A) -> B`
    FnPtr,
    /// `dyn Trait`
    Dyn(DefId),
    /// `!`
    Never,
    /// A type parameter or a projection: the impl may be for any type.
    Blanket,
}

/// A loaded program.
pub struct Program {}

#[allow(unused_variables)]
impl Program {
    /// The program of a `.rs` file or of a crate's folder.
    pub fn load(path: &Path) -> Result<Program, ResolveError> {
        todo!()
    }

    /// The program of one text, for tests and attributes; `name` is what spans call it.
    pub fn from_source(name: &str, text: &str) -> Result<Program, ResolveError> {
        todo!()
    }

    /// The root module of the user's crate.
    pub fn root(&self) -> DefId {
        todo!()
    }

    /// The item that a path from the user's root names: `gamma::ln_gamma`, `Type::name`, `Trait::name`,
    /// `<T as Trait>::name`; visibility does not matter.
    pub fn lookup(&self, path: &str) -> Result<DefId, LookupError> {
        todo!()
    }

    /// All functions of the user's crate, in the order of the source.
    pub fn functions(&self) -> Vec<DefId> {
        todo!()
    }

    /// What every item has.
    pub fn head(&self, def: DefId) -> ItemHead {
        todo!()
    }

    /// The item's full path, as diagnostics and the IR name it.
    pub fn path(&self, def: DefId) -> String {
        todo!()
    }

    /// The innermost impl, trait or enum that an associated item or variant belongs to.
    pub fn container(&self, def: DefId) -> Option<DefId> {
        todo!()
    }

    /// The items of an impl or trait, the variants of an enum, in order.
    pub fn children(&self, def: DefId) -> Arc<[DefId]> {
        todo!()
    }

    /// The item called `name` in an impl or trait, the variant in an enum.
    pub fn child(&self, def: DefId, name: Symbol) -> Option<DefId> {
        todo!()
    }

    /// A function's signature.
    pub fn fn_sig(&self, def: DefId) -> Result<Arc<FnSig>, ResolveError> {
        todo!()
    }

    /// A struct or an enum.
    pub fn adt(&self, def: DefId) -> Result<Arc<Adt>, ResolveError> {
        todo!()
    }

    /// The enum (or, for a struct, itself) and the index in [`Adt::variants`].
    pub fn variant_of(&self, def: DefId) -> Option<(DefId, usize)> {
        todo!()
    }

    /// A trait.
    pub fn trait_(&self, def: DefId) -> Result<Arc<Trait>, ResolveError> {
        todo!()
    }

    /// An impl.
    pub fn impl_(&self, def: DefId) -> Result<Arc<Impl>, ResolveError> {
        todo!()
    }

    /// An associated type or a type alias.
    pub fn assoc_type(&self, def: DefId) -> Result<Arc<AssocType>, ResolveError> {
        todo!()
    }

    /// The generic parameters of any item.
    pub fn generics(&self, def: DefId) -> Result<Arc<Generics>, ResolveError> {
        todo!()
    }

    /// The type of a constant, a static or an associated constant.
    pub fn const_type(&self, def: DefId) -> Result<Arc<Type>, ResolveError> {
        todo!()
    }

    /// The body of a function, a constant or a static; `None` for required items and operations.
    pub fn body(&self, def: DefId) -> Result<Option<Arc<Body>>, ResolveError> {
        todo!()
    }

    /// All impls of a trait.
    pub fn impls_of(&self, trait_: DefId) -> Arc<[DefId]> {
        todo!()
    }

    /// The impls of a trait that may be for a type with this head: exact ones first, then blanket ones.
    pub fn impls_for(&self, trait_: DefId, head: SelfHead) -> Arc<[DefId]> {
        todo!()
    }

    /// The inherent impls for a type with this head.
    pub fn inherent_impls(&self, head: SelfHead) -> Arc<[DefId]> {
        todo!()
    }

    /// The item marked `#[lang("name")]`.
    pub fn lang(&self, name: &str) -> Option<DefId> {
        todo!()
    }

    /// The text of a file, for excerpts.
    pub fn source(&self, file: Symbol) -> Option<Arc<str>> {
        todo!()
    }
}
