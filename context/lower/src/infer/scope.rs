//! What generic parameters stand for: an item's parameters beside the arguments that bind them.
//!
//! - SCOPE1 arguments are laid out as [`Instance::args`] says: the parent's first, `Self` of a trait before all.

use std::sync::Arc;

use super::error::Result;
use super::session::Types;
use super::ty::*;
use crate::hir::{DefId, DefKind, Generics, ParamRef};

/// How the parameters of an item are laid out in its arguments.
#[derive(Debug)]
pub(super) struct Layout {
    /// The items whose parameters are in scope, outermost first, and where each one's begin.
    pub(super) segments: Vec<Segment>,
    /// The trait whose `Self` is the first argument.
    pub(super) self_trait: Option<DefId>,
    /// The impl or trait around the item, or the item itself.
    pub(super) container: Option<DefId>,
    /// How many arguments there are.
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
    pub(super) fn own(&self) -> Option<&Segment> {
        self.segments.last()
    }

    /// How many arguments come before the item's own.
    pub(super) fn parent_len(&self) -> usize {
        self.own().map_or(self.len, |own| own.start)
    }
}

/// An item's parameters with what they stand for.
#[derive(Clone, Debug)]
pub(super) struct GenericScope {
    pub(super) layout: Arc<Layout>,
    pub(super) args: Arc<[Arg]>,
    /// What `impl Trait` in the type that is read stands for.
    pub(super) hidden: Hidden,
}

/// What the `impl Trait` of a function's result is read as.
#[derive(Clone, Debug)]
pub(super) enum Hidden {
    /// Nothing: it does not occur.
    None,
    /// As its callers see it.
    Opaque(Instance),
    /// These types, while its own body is inferred.
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
