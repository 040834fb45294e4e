//! Generic scopes: an item's parameters with the arguments that bind them.
//!
//! - SCOPE1 arguments are laid out as specified by [`Instance::args`]: the parent's first, preceded by `Self`
//!   for a trait.

use std::sync::Arc;

use super::error::Result;
use super::session::Types;
use super::ty::*;
use crate::hir::{DefId, DefKind, Generics, ParamRef};

/// The layout of an item's parameters in its arguments.
#[derive(Debug)]
pub(super) struct Layout {
    /// The items whose parameters are in scope, outermost first, each with the index of its first parameter.
    pub(super) segments: Vec<Segment>,
    /// The trait whose `Self` is the first argument.
    pub(super) self_trait: Option<DefId>,
    /// The enclosing impl or trait, or the item itself.
    pub(super) container: Option<DefId>,
    /// The number of arguments.
    pub(super) len: usize,
}

/// The parameters that one item declares.
#[derive(Debug)]
pub(super) struct Segment {
    pub(super) owner: DefId,
    pub(super) start: usize,
    pub(super) generics: Arc<Generics>,
}

impl Layout {
    pub(super) fn of(types: &Types, def: DefId) -> Result<Layout> {
        let program = types.program();
        let def = match program.head(def).kind {
            DefKind::Variant => program.variant_of(def).map_or(def, |(adt, _)| adt),
            _ => def,
        };
        let mut chain = vec![];
        let mut next = Some(def);
        while let Some(owner) = next {
            let generics = program.generics(owner)?;
            next = generics.parent;
            chain.push((owner, generics));
        }
        let mut layout = Layout { segments: vec![], self_trait: None, container: None, len: 0 };
        for (owner, generics) in chain.into_iter().rev() {
            match program.head(owner).kind {
                DefKind::Trait => {
                    layout.self_trait = Some(owner);
                    layout.container = Some(owner);
                    layout.len += 1;
                }
                DefKind::Impl => layout.container = Some(owner),
                _ => {}
            }
            let start = layout.len;
            layout.len += generics.params.len();
            layout.segments.push(Segment { owner, start, generics });
        }
        Ok(layout)
    }

    /// The parameters of the item itself.
    pub(super) fn own_segment(&self) -> Option<&Segment> {
        self.segments.last()
    }

    /// The number of arguments before the item's own.
    pub(super) fn parent_len(&self) -> usize {
        self.own_segment().map_or(self.len, |segment| segment.start)
    }
}

/// An item's parameters with their arguments.
#[derive(Clone, Debug)]
pub(super) struct GenericScope {
    pub(super) layout: Arc<Layout>,
    pub(super) args: Arc<[Arg]>,
    /// The meaning of `impl Trait` in the type that is read.
    pub(super) hidden: Hidden,
}

/// The meaning of `impl Trait` in a function's result.
#[derive(Clone, Debug)]
pub(super) enum Hidden {
    /// None: it does not occur.
    None,
    /// An opaque type, as seen by callers.
    Opaque(Instance),
    /// These types, while the function's own body is inferred.
    Types(Arc<[Ty]>),
}

impl GenericScope {
    pub(super) fn param(&self, param: ParamRef) -> Option<Arg> {
        let segment = self.layout.segments.iter().find(|segment| segment.owner == param.owner)?;
        self.args.get(segment.start + param.index as usize).copied()
    }

    /// `Self` in a trait.
    pub(super) fn trait_self(&self, trait_: DefId) -> Option<Ty> {
        if self.layout.self_trait == Some(trait_) { self.args.first().and_then(|arg| arg.ty()) } else { None }
    }
}
