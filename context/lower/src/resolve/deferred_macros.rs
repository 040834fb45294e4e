//! Deferred macro calls of the prelude: those that only produce impls of a few traits or methods of a type
//! are expanded when such an impl is looked up.
//!
//! The operators of all number types are a thousand impls; most programs need those of a handful of traits.

use std::sync::{Arc, PoisonError};

use overdub_context::Symbol;

use super::collect::{CollectScope, Collector, Files};
use super::node::MacroScope;
use crate::hir::DefId;
use crate::program::Program;
use crate::source::cfg::CfgOptions;
use crate::source::item_tree::ItemNode;

/// The number of the prelude's `std`, the first crate of every program.
pub(crate) const STD: u32 = 0;

/// A macro call that is expanded on demand.
#[derive(Debug)]
pub(crate) struct DeferredMacro {
    krate: u32,
    root: DefId,
    cfg: Arc<CfgOptions>,
    macros: MacroScope,
    scope: CollectScope,
    raw: ItemNode,
}

impl DeferredMacro {
    /// Expands it.
    pub(crate) fn expand(self, program: &Program) {
        let DeferredMacro { krate, root, cfg, macros, scope, raw } = self;
        let (faults, pending_macros) = (Vec::new(), Vec::new());
        let mut collector =
            Collector { program, krate, root, files: Files::None, cfg, macros, faults, pending_macros };
        collector.macro_call(&scope, raw);
        collector.expand_pending_macros();
        program.krate(krate).faults.lock().unwrap_or_else(PoisonError::into_inner).extend(collector.faults);
    }
}

impl Collector<'_> {
    /// Defers a macro call until impls of one of these traits, or methods of one of these types, are looked up.
    pub(crate) fn defer_macro(&self, scope: &CollectScope, raw: ItemNode, names: &[Symbol]) {
        let call = DeferredMacro {
            krate: self.krate,
            root: self.root,
            cfg: self.cfg.clone(),
            macros: self.macros.clone(),
            scope: scope.clone(),
            raw,
        };
        self.program.edit_impls(|index| index.defer_macro(call, names));
    }
}
