//! Types and functions by the names that rustc gives them, read without generic parameters in scope.

use overdub_context::Symbol;

use super::cx::Cx;
use super::error::Result;
use super::scope::{GenericScope, Hidden, Layout};
use super::session::Types;
use super::ty::*;
use super::typed::Callee;
use crate::hir::{DefId, GenericArg, TraitRef, Type};

impl Types {
    /// A type that is written without parameters.
    pub(crate) fn read(&self, written: &Type) -> Result<Ty> {
        let mut cx = Cx::new(self);
        let ty = cx.read_ty(written, &empty_scope())?;
        cx.finish(ty, written.span)
    }

    /// A function with all its generic arguments.
    pub(crate) fn read_fn(&self, def: DefId, args: &[GenericArg]) -> Result<Instance> {
        let mut cx = Cx::new(self);
        let args = cx.read_args(args, &empty_scope(), self.item_span(def))?;
        Ok(Instance::new(def, args))
    }

    /// The function named by `<base as of>::name` or `base::name`; `None` if the type has none.
    pub(crate) fn read_method(
        &self,
        base: &Type,
        of: Option<&TraitRef>,
        name: Symbol,
        args: &[GenericArg],
    ) -> Result<Option<Instance>> {
        let mut cx = Cx::new(self);
        let scope = empty_scope();
        let base_ty = cx.read_ty(base, &scope)?;
        let found = match of {
            Some(of) => {
                let predicate = cx.lower_predicate(base_ty, of, &scope)?;
                cx.item_of_predicate(predicate, name)?
            }
            None => cx.find_assoc(base, base_ty, name, &[], &scope)?,
        };
        let Some((def, mut all)) = found else { return Ok(None) };
        all.extend(cx.read_args(args, &scope, base.span)?);
        let all = cx.table.resolve_args(&all);
        Ok(match self.resolve_assoc(def, &all)? {
            Callee::Fn(instance) => Some(instance),
            _ => None,
        })
    }
}

/// A scope without parameters.
fn empty_scope() -> GenericScope {
    let layout = Layout { segments: vec![], self_trait: None, container: None, len: 0 };
    GenericScope { layout: layout.into(), args: [].into(), hidden: Hidden::None }
}
