//! Derive macros of other packages (`proc_macros`): when they run, and on what text.
//!
//! - DERIVEMACRO1 a macro runs when something is missing that it may produce: an impl for the type of a trait that is not one
//!   of std, that has the derive's name, or converts; a method or item of the type; a path with the type's name in it. Most
//!   programs derive more than they use, and a macro takes as long as a large program.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use hashbrown::HashMap;
use overdub_context::Symbol;
use quote::ToTokens;

use super::attribute_macros::PendingAttribute;
use super::collect::{CollectScope, Collector};
use super::deferred_macros::DeferredMacro;
use super::names::Meaning;
use super::node::Space;
use super::proc_macros::MacroUse;
use crate::hir::{DefId, DefKind};
use crate::program::Program;
use crate::source::cfg::{CfgOptions, are_on};
use crate::source::hygiene::unmarked;
use crate::source::item_tree::ItemNode;

/// The derives that no macro was run for yet.
#[derive(Default)]
pub(crate) struct DeriveMacros {
    is_any: AtomicBool,
    state: Mutex<State>,
    is_busy: AtomicBool,
    /// Held while a macro runs, by the thread that asked for it.
    running: Mutex<()>,
}

#[derive(Default)]
struct State {
    /// The attributes that no macro was run for yet, in the order of their items.
    attributes: Vec<PendingAttribute>,
    pending: HashMap<DefId, Vec<PendingDerive>>,
    /// Why a macro of a type or trait was not expanded.
    failures: HashMap<DefId, String>,
}

/// A derive whose macro did not run.
struct PendingDerive {
    name: Symbol,
    /// The struct or enum.
    item: DeferredMacro,
}

impl Collector<'_> {
    /// Notes a derive of a macro that is not one of the known ones.
    pub(super) fn derive_by_macro(&self, scope: &CollectScope, raw: &ItemNode, adt: DefId, name: Symbol) {
        let pending = PendingDerive { name, item: self.deferred(scope, raw.clone()) };
        let derives = &self.program.derives;
        derives.note_any();
        derives.state().pending.entry(adt).or_default().push(pending);
    }
}

impl DeriveMacros {
    /// Notes that there are macros to run.
    pub(super) fn note_any(&self) {
        self.is_any.store(true, Ordering::Release);
    }

    /// Whether there are macros that may have to run.
    #[cfg(test)]
    pub(crate) fn is_any(&self) -> bool {
        self.is_any.load(Ordering::Acquire)
    }

    /// Runs macros, one thread at a time; whether there were any, which another thread may have run meanwhile.
    pub(super) fn exclusively(&self, is_pending: impl Fn() -> bool, run: impl FnOnce() -> bool) -> bool {
        let is_pending = is_pending();
        let waits = self.is_busy.load(Ordering::Acquire);
        if !is_pending && !waits {
            return false;
        }
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        self.is_busy.store(true, Ordering::Release);
        let is_any = run();
        self.is_busy.store(false, Ordering::Release);
        drop(running);
        is_any || waits
    }

    /// Reads or changes the attributes that no macro was run for.
    pub(super) fn attributes<R>(&self, with: impl FnOnce(&mut Vec<PendingAttribute>) -> R) -> R {
        with(&mut self.state().attributes)
    }

    /// Notes why a macro of an item was not expanded.
    pub(super) fn failed(&self, item: DefId, reason: String) {
        self.state().failures.insert(item, reason);
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Program {
    /// Runs the macros that may implement a trait for a type (DERIVEMACRO1).
    pub(crate) fn derive_impls_of(&self, trait_: DefId, adt: DefId) {
        if !self.derives.is_any.load(Ordering::Acquire) {
            return;
        }
        let of = self.node(trait_).head.name;
        let may_convert = matches!(&*of, "From" | "TryFrom" | "Into" | "TryInto" | "FromStr");
        let is_foreign = !self.is_of_prelude(trait_) || may_convert;
        let scope = self.node(adt).scope;
        // A trait that is imported with the macro is the one that it implements.
        let of_other = |name| match self.resolve_path(scope, &[name], Space::Types, &mut Vec::new()) {
            Some(Meaning::Item(def)) => self.node(def).head.kind == DefKind::Trait && def != trait_,
            _ => false,
        };
        self.expand_derives(adt, &|name| name == of || is_foreign && !of_other(name));
        self.expand_attributes(&[adt, trait_]);
    }

    /// Runs all macros that derive for a type; whether there were any.
    pub(crate) fn derive_all(&self, adt: DefId) -> bool {
        let is_any = self.derives.is_any.load(Ordering::Acquire);
        is_any && (self.expand_derives(adt, &|_| true) | self.expand_attributes(&[adt]))
    }

    /// Runs all macros that derive for types whose name is part of a path; whether there were any.
    pub(crate) fn derive_all_named(&self, path: &[Symbol]) -> bool {
        if !self.derives.is_any.load(Ordering::Acquire) {
            return false;
        }
        let mut adts: Vec<DefId> = self.derives.state().pending.keys().copied().collect();
        adts.retain(|adt| {
            let name = self.node(*adt).head.name;
            path.iter().any(|segment| segment.as_str().contains(name.as_str()))
        });
        adts.sort();
        let mut is_any = false;
        for adt in adts {
            is_any |= self.derive_all(adt);
        }
        is_any
    }

    /// Why derives of a type were not expanded.
    pub(crate) fn derive_failure(&self, adt: DefId) -> Option<String> {
        self.derives.state().failures.get(&adt).cloned()
    }

    /// Why derives of a type whose name is part of a path were not expanded.
    pub(crate) fn derive_failure_named(&self, path: &[String]) -> Option<String> {
        let state = self.derives.state();
        let named = |adt: DefId| {
            let name = self.node(adt).head.name;
            path.iter().any(|segment| segment.contains(name.as_str()))
        };
        state.failures.iter().find(|(adt, _)| named(**adt)).map(|(_, reason)| reason.clone())
    }

    fn expand_derives(&self, adt: DefId, wanted: &dyn Fn(Symbol) -> bool) -> bool {
        let derives = &self.derives;
        let is_pending = || derives.state().pending.contains_key(&adt);
        derives.exclusively(is_pending, || {
            let names = |all: &Vec<PendingDerive>| all.iter().map(|of| of.name).collect::<Vec<_>>();
            let names = derives.state().pending.get(&adt).map(names).unwrap_or_default();
            // To look a name up may load a crate, which has derives.
            let names: Vec<Symbol> = names.into_iter().filter(|name| wanted(*name)).collect();
            if names.is_empty() {
                return false;
            }
            let all = derives.state().pending.remove(&adt).unwrap_or_default();
            let (now, later): (Vec<_>, Vec<_>) = all.into_iter().partition(|of| names.contains(&of.name));
            if !later.is_empty() {
                derives.state().pending.insert(adt, later);
            }
            let mut is_any = false;
            for pending in now {
                let name = pending.name;
                match self.expand_derive(pending) {
                    Ok(expanded) => is_any |= expanded,
                    Err(reason) => {
                        derives.failed(adt, format!("`#[derive({name})]` was not expanded: {reason}"));
                    }
                }
            }
            is_any
        })
    }

    fn expand_derive(&self, of: PendingDerive) -> Result<bool, String> {
        let Some(expand) = self.proc_macro(of.name, MacroUse::Derive) else { return Ok(false) };
        let text = expand?(&self.text_for_macro(&of.item)?)?;
        of.item.collect_text(self, text).map(|()| true)
    }

    /// The item as rustc gives it to a macro: without derives and what `cfg` leaves out.
    fn text_for_macro(&self, of: &DeferredMacro) -> Result<String, String> {
        let mut tree = self.derive_input(of.scope.source, &of.raw).map_err(|error| error.to_string())?;
        let cfg = &of.cfg;
        tree.attrs.retain(|attr| !attr.path().is_ident("derive"));
        evaluated(&mut tree.attrs, cfg);
        match &mut tree.data {
            syn::Data::Struct(it) => evaluate_fields(&mut it.fields, cfg),
            syn::Data::Enum(it) => {
                let variants = std::mem::take(&mut it.variants);
                it.variants = variants.into_iter().filter(|variant| are_on(&variant.attrs, cfg)).collect();
                for variant in &mut it.variants {
                    evaluated(&mut variant.attrs, cfg);
                    evaluate_fields(&mut variant.fields, cfg);
                }
            }
            syn::Data::Union(_) => {}
        }
        Ok(unmarked(&tree.into_token_stream().to_string()))
    }
}

fn evaluate_fields(fields: &mut syn::Fields, cfg: &CfgOptions) {
    let on = |field: &syn::Field| are_on(&field.attrs, cfg);
    match fields {
        syn::Fields::Named(it) => it.named = std::mem::take(&mut it.named).into_iter().filter(on).collect(),
        syn::Fields::Unnamed(it) => {
            it.unnamed = std::mem::take(&mut it.unnamed).into_iter().filter(on).collect();
        }
        syn::Fields::Unit => {}
    }
    fields.iter_mut().for_each(|field| evaluated(&mut field.attrs, cfg));
}

/// Attributes without `cfg`, and with what `cfg_attr` adds.
fn evaluated(attrs: &mut Vec<syn::Attribute>, cfg: &CfgOptions) {
    let all = std::mem::take(attrs);
    for attr in all {
        match &attr.meta {
            meta if meta.path().is_ident("cfg") => {}
            syn::Meta::List(list) if list.path.is_ident("cfg_attr") => {
                let parser = syn::punctuated::Punctuated::<syn::Meta, syn::Token![,]>::parse_terminated;
                let Ok(parts) = list.parse_args_with(parser) else { continue };
                let mut parts = parts.into_iter();
                let Some(predicate) = parts.next().map(|part| part.into_token_stream().to_string()) else {
                    continue;
                };
                if cfg.holds(&predicate, 0, predicate.len()) {
                    attrs.extend(parts.map(|meta| syn::Attribute { meta, ..attr.clone() }));
                }
            }
            _ => attrs.push(attr),
        }
    }
}
