//! Deferred macro calls: their collection goes on when something is looked up that they may produce.
//!
//! Those of the prelude that only produce impls of a few traits or methods of a type are deferred: the operators of all
//! number types are a thousand impls, and most programs need those of a handful of traits.

use std::sync::{Arc, PoisonError};

use overdub_context::Symbol;

use super::collect::{CollectScope, Collector, Files};
use super::node::MacroScope;
use crate::error::ResolveError;
use crate::hir::DefId;
use crate::program::Program;
use crate::source::cfg::CfgOptions;
use crate::source::item_tree::ItemNode;
use crate::source::{Origin, SourceRange};

/// The number of the prelude's `std`, the first crate of every program.
pub(crate) const STD: u32 = 0;

/// An item, and where its collection goes on when what it expands to is needed.
#[derive(Debug)]
pub(crate) struct DeferredMacro {
    krate: u32,
    root: DefId,
    pub(super) cfg: Arc<CfgOptions>,
    macros: MacroScope,
    pub(super) scope: CollectScope,
    pub(super) raw: ItemNode,
}

impl DeferredMacro {
    /// Expands the macro call that it is.
    pub(crate) fn expand(self, program: &Program) {
        let (krate, raw) = (self.krate, self.raw.clone());
        let faults = self.collect(program, |collector, scope| collector.macro_call(scope, raw));
        program.krate(krate).faults.lock().unwrap_or_else(PoisonError::into_inner).extend(faults);
    }

    /// Collects the items of a text that a macro made of this one.
    pub(super) fn collect_text(self, program: &Program, text: String) -> Result<(), String> {
        let (lo, len) = (self.raw.name_lo, text.len());
        let hi = lo + self.raw.name.len() as u32;
        let place = SourceRange { source: self.scope.source, lo, hi };
        let source = program.sources.add_generated(text, vec![Origin { at: 0, place, copied: false }]);
        let faults = self.collect(program, |collector, scope| {
            let scope = CollectScope { source, depth: scope.depth + 1, ..scope.clone() };
            collector.text(&scope, 0, len);
        });
        program.forget_names();
        match faults.into_iter().next() {
            Some(fault) => Err(fault.to_string()),
            None => Ok(()),
        }
    }

    /// Collects items in the place of this one; returns what is wrong with them.
    pub(super) fn collect(
        self,
        program: &Program,
        items: impl FnOnce(&mut Collector<'_>, &CollectScope),
    ) -> Vec<ResolveError> {
        let DeferredMacro { krate, root, cfg, macros, scope, .. } = self;
        let (faults, pending_macros) = (Vec::new(), Vec::new());
        let mut collector =
            Collector { program, krate, root, files: Files::None, cfg, macros, faults, pending_macros };
        items(&mut collector, &scope);
        collector.expand_pending_macros();
        collector.faults
    }
}

impl Collector<'_> {
    /// Defers a macro call until impls of one of these traits, or methods of one of these types, are looked up.
    pub(crate) fn defer_macro(&self, scope: &CollectScope, raw: ItemNode, names: &[Symbol]) {
        let call = self.deferred(scope, raw);
        self.program.edit_impls(|index| index.defer_macro(call, names));
    }

    pub(super) fn deferred(&self, scope: &CollectScope, raw: ItemNode) -> DeferredMacro {
        DeferredMacro {
            krate: self.krate,
            root: self.root,
            cfg: self.cfg.clone(),
            macros: self.macros.clone(),
            scope: scope.clone(),
            raw,
        }
    }
}
