//! The impls of a program, indexed by trait and by the head of their self type.
//!
//! - IMPLS1 an impl is entered by the names in its header; only impls with a matching trait name are ever
//!   resolved.

use std::sync::{Arc, PoisonError};

use hashbrown::{HashMap, HashSet};
use overdub_context::Symbol;

use super::deferred_macros::DeferredMacro;
use super::names::Meaning;
use super::node::{Import, Space};
use crate::hir::*;
use crate::program::{Program, SelfHead};
use crate::source::item_tree::{ImplHeader, SelfTyShape};

/// The impls of a program by the names in their headers.
#[derive(Debug, Default)]
pub(crate) struct ImplIndex {
    pub(crate) by_trait: HashMap<Symbol, Vec<(DefId, SelfTyShape<Symbol>)>>,
    pub(crate) inherent: Vec<(DefId, SelfTyShape<Symbol>)>,
    /// The other names given by `use … as …`.
    pub(crate) renames: HashMap<Symbol, Vec<Symbol>>,
    /// The names of type aliases: whichever type they stand for, a header may name it so. A crate may have thousands.
    pub(crate) aliases: HashSet<Symbol>,
    /// Macro calls that expand to impls, until they are expanded, and their indices by the names they belong
    /// to: traits, or types with methods.
    calls: Vec<Option<DeferredMacro>>,
    calls_of: HashMap<Symbol, Vec<usize>>,
    /// Cached answers, dropped when impls are entered.
    pub(crate) of: HashMap<DefId, Arc<[DefId]>>,
    pub(crate) exact: HashMap<(DefId, SelfHead), Arc<[DefId]>>,
    pub(crate) heads: HashMap<SelfHead, Arc<[DefId]>>,
}

impl ImplIndex {
    /// Keeps a macro call that expands only to impls of these traits and to methods of types with these
    /// names.
    pub(crate) fn defer_macro(&mut self, call: DeferredMacro, names: &[Symbol]) {
        for of in names {
            self.calls_of.entry(*of).or_default().push(self.calls.len());
        }
        self.calls.push(Some(call));
    }

    /// The calls that may expand to impls of this trait or methods of this type; the caller must expand them.
    fn take_calls(&mut self, of: Symbol) -> Vec<DeferredMacro> {
        let names = self.names(of);
        let places: Vec<usize> =
            names.iter().filter_map(|name| self.calls_of.remove(name)).flatten().collect();
        places.into_iter().filter_map(|at| self.calls[at].take()).collect()
    }

    /// The next alias after `last`, in the order of their texts, under which calls are deferred.
    fn alias_with_calls(&self, last: Option<Symbol>) -> Option<Symbol> {
        if self.calls_of.is_empty() {
            return None;
        }
        let names_calls = |alias: &Symbol| match self.renames.contains_key(alias) {
            true => self.names(*alias).iter().any(|name| self.calls_of.contains_key(name)),
            false => self.calls_of.contains_key(alias),
        };
        self.aliases
            .iter()
            .filter(|alias| Some(**alias) > last)
            .filter(|alias| names_calls(alias))
            .min()
            .copied()
    }

    /// Whether a self type of this shape may be a type with this head and these names.
    fn may_be(&self, shape: SelfTyShape<Symbol>, head: SelfHead, names: &[Symbol]) -> bool {
        shape.may_be(head, |name| names.contains(&name) || self.aliases.contains(&name))
    }

    fn names(&self, name: Symbol) -> Vec<Symbol> {
        let mut names = vec![name];
        let mut at = 0;
        while at < names.len() {
            for other in self.renames.get(&names[at]).into_iter().flatten() {
                if !names.contains(other) {
                    names.push(*other);
                }
            }
            at += 1;
        }
        names
    }
}

impl SelfTyShape<Symbol> {
    /// Whether a self type of this shape may be a type with this head and a name for which `is_name` holds.
    fn may_be(self, head: SelfHead, is_name: impl Fn(Symbol) -> bool) -> bool {
        match self {
            SelfTyShape::Unclear => true,
            SelfTyShape::Named(name) => is_name(name),
            SelfTyShape::Brackets => matches!(head, SelfHead::Slice | SelfHead::Array),
            SelfTyShape::Tuple => head == SelfHead::Tuple,
            SelfTyShape::Ref => head == SelfHead::Ref,
            SelfTyShape::FnPtr => head == SelfHead::FnPtr,
            SelfTyShape::Dyn => matches!(head, SelfHead::Dyn(_)),
            SelfTyShape::Never => head == SelfHead::Never,
        }
    }
}

impl Program {
    /// Enters an impl.
    pub(crate) fn enter_impl(&self, def: DefId, impl_header: ImplHeader<Symbol>) {
        self.edit_impls(|index| {
            match impl_header.of {
                Some(of) => {
                    index.by_trait.entry(of).or_default().push((def, impl_header.shape));
                    index.of.clear();
                    index.exact.clear();
                }
                None => {
                    index.inherent.push((def, impl_header.shape));
                    index.heads.clear();
                }
            };
        });
    }

    pub(crate) fn enter_rename(&self, from: Symbol, to: Symbol) {
        self.edit_impls(|index| {
            let names = index.renames.entry(from).or_default();
            if !names.contains(&to) {
                names.push(to);
            }
        });
    }

    pub(crate) fn find_impls_of(&self, of: DefId) -> Arc<[DefId]> {
        if let Some(known) = self.edit_impls(|index| index.of.get(&of).cloned()) {
            return known;
        }
        let found: Arc<[DefId]> = self.named_impls(of, |_, _| true).into();
        self.edit_impls(|index| index.of.insert(of, found.clone()));
        found
    }

    /// The impls of a trait whose self type has a possible shape.
    fn named_impls(&self, of: DefId, may_be: impl Fn(&ImplIndex, SelfTyShape<Symbol>) -> bool) -> Vec<DefId> {
        let name = self.node(of).head.name;
        self.expand_impls_of(name);
        let mut found: Vec<DefId> = self.edit_impls(|index| {
            let named = index.names(name);
            let each = named.iter().filter_map(|name| index.by_trait.get(name)).flatten();
            each.filter(|(_, shape)| may_be(index, *shape)).map(|(def, _)| *def).collect()
        });
        found.retain(|def| self.impl_(*def).is_ok_and(|i| i.of.as_ref().is_some_and(|t| t.def == of)));
        found.sort();
        found
    }

    /// Expands the macro calls that produce impls of a trait, or methods of a type, of this name. Another
    /// thread that needs them waits until they are expanded.
    fn expand_impls_of(&self, name: Symbol) {
        let expanding = self.expanding.lock().unwrap_or_else(PoisonError::into_inner);
        for call in self.edit_impls(|index| index.take_calls(name)) {
            call.expand(self);
        }
        drop(expanding);
    }

    /// Expands all deferred macro calls.
    #[cfg(test)]
    pub(crate) fn expand_all_impls(&self) {
        let names: Vec<Symbol> = self.edit_impls(|index| index.calls_of.keys().copied().collect());
        for name in names {
            self.expand_impls_of(name);
        }
    }

    pub(crate) fn find_impls_for(&self, of: DefId, head: SelfHead) -> Arc<[DefId]> {
        if let SelfHead::Def(adt) = head {
            self.derive_impls_of(of, adt);
        }
        if let Some(known) = self.edit_impls(|index| index.exact.get(&(of, head)).cloned()) {
            return known;
        }
        let names = self.names_of(head);
        let all = self.named_impls(of, |index, shape| index.may_be(shape, head, &names));
        let heads: Vec<_> = all.iter().map(|def| (*def, self.impl_head(*def))).collect();
        let exact = heads.iter().filter(|(_, h)| *h == Some(head) && head != SelfHead::Blanket);
        let blanket = heads.iter().filter(|(_, h)| *h == Some(SelfHead::Blanket));
        let found: Arc<[DefId]> = exact.chain(blanket).map(|(def, _)| *def).collect();
        self.edit_impls(|index| index.exact.insert((of, head), found.clone()));
        found
    }

    /// The names that types with this head may have in a header, besides those of aliases: their own, or another from a
    /// `use`.
    fn names_of(&self, head: SelfHead) -> Vec<Symbol> {
        let name = match head {
            SelfHead::Def(def) | SelfHead::Dyn(def) => Some(self.node(def).head.name),
            SelfHead::Prim(prim) => Some(Symbol::new(prim.name())),
            _ => None,
        };
        name.map_or_else(Vec::new, |name| self.edit_impls(|index| index.names(name)))
    }

    pub(crate) fn find_inherent(&self, head: SelfHead) -> Arc<[DefId]> {
        if let Some(known) = self.edit_impls(|index| index.heads.get(&head).cloned()) {
            return known;
        }
        let names = self.names_of(head);
        let mut expanded = None;
        while let Some(alias) = self.edit_impls(|index| index.alias_with_calls(expanded)) {
            self.expand_impls_of(alias);
            expanded = Some(alias);
        }
        names.iter().for_each(|name| self.expand_impls_of(*name));
        let candidates: Vec<DefId> = self.edit_impls(|index| {
            let fitting = index.inherent.iter().filter(|(_, shape)| index.may_be(*shape, head, &names));
            fitting.map(|(def, _)| *def).collect()
        });
        let mut found: Vec<DefId> =
            candidates.into_iter().filter(|def| self.impl_head(*def) == Some(head)).collect();
        found.sort();
        let found: Arc<[DefId]> = found.into();
        self.edit_impls(|index| index.heads.insert(head, found.clone()));
        found
    }

    /// The head of an impl's self type.
    fn impl_head(&self, def: DefId) -> Option<SelfHead> {
        Some(self.type_head(&self.impl_(def).ok()?.self_ty.kind, 0))
    }

    pub(crate) fn head_of(&self, kind: &TypeKind) -> SelfHead {
        self.type_head(kind, 0)
    }

    fn type_head(&self, kind: &TypeKind, depth: usize) -> SelfHead {
        match kind {
            TypeKind::Prim(prim) => SelfHead::Prim(*prim),
            TypeKind::Tuple(_) => SelfHead::Tuple,
            TypeKind::Ref { .. } => SelfHead::Ref,
            TypeKind::Slice(_) => SelfHead::Slice,
            TypeKind::Array(..) => SelfHead::Array,
            TypeKind::Def(def, _) if self.node(*def).head.kind == DefKind::TypeAlias && depth < 16 => {
                let alias = self.assoc_type(*def).ok();
                let value = alias.as_ref().and_then(|alias| alias.value.as_ref());
                value.map_or(SelfHead::Blanket, |ty| self.type_head(&ty.kind, depth + 1))
            }
            TypeKind::Def(def, _) => SelfHead::Def(*def),
            TypeKind::FnPtr(..) => SelfHead::FnPtr,
            TypeKind::Dyn(bounds) => bounds.first().map_or(SelfHead::Blanket, |of| SelfHead::Dyn(of.def)),
            TypeKind::Never => SelfHead::Never,
            TypeKind::Infer
            | TypeKind::Param(_)
            | TypeKind::SelfType(_)
            | TypeKind::Assoc { .. }
            | TypeKind::ImplTrait(_)
            | TypeKind::Unsupported(_) => SelfHead::Blanket,
        }
    }

    /// The traits whose methods are in scope in a module or block.
    pub(crate) fn traits_in_scope(&self, scope: DefId) -> Arc<[DefId]> {
        if let Some(known) = self.known_traits(scope) {
            return known;
        }
        let mut found = Vec::new();
        let mut at = Some(scope);
        while let Some(module) = at {
            self.traits_in(module, &mut found, &mut Vec::new(), true);
            at = if self.is_block(module) { self.module_parent(module) } else { None };
        }
        if let Some(prelude) = self.std_prelude() {
            self.traits_in(prelude, &mut found, &mut Vec::new(), false);
        }
        let found: Arc<[DefId]> = found.into();
        self.keep_traits(scope, found.clone());
        found
    }

    fn traits_in(&self, module: DefId, out: &mut Vec<DefId>, seen: &mut Vec<DefId>, inside: bool) {
        if seen.contains(&module) {
            return;
        }
        seen.push(module);
        let node = self.node(module);
        let Some(cell) = &node.module else { return };
        let (items, imports, globs) = {
            let names = cell.read().unwrap_or_else(std::sync::PoisonError::into_inner);
            let items: Vec<DefId> = names.items.clone();
            (items, names.imports.clone(), names.globs.clone())
        };
        let mut add = |def: DefId| {
            if self.node(def).head.kind == DefKind::Trait && !out.contains(&def) {
                out.push(def);
            }
        };
        items.into_iter().for_each(&mut add);
        let seen_from = |import: &Arc<Import>| inside || import.public;
        for import in imports.iter().filter(|i| seen_from(i)) {
            if let Some(Meaning::Item(def)) = self.import(module, import, Space::Types, &mut Vec::new()) {
                add(def);
            }
        }
        for glob in globs.iter().filter(|i| seen_from(i)) {
            if let Some(Meaning::Item(def)) = self.import(module, glob, Space::Types, &mut Vec::new()) {
                self.traits_in(def, out, seen, self.is_inside(module, def));
            }
        }
    }
}

impl Prim {
    /// The name of the primitive type.
    pub fn name(self) -> &'static str {
        match self {
            Prim::Bool => "bool",
            Prim::Char => "char",
            Prim::Str => "str",
            Prim::I8 => "i8",
            Prim::I16 => "i16",
            Prim::I32 => "i32",
            Prim::I64 => "i64",
            Prim::I128 => "i128",
            Prim::Isize => "isize",
            Prim::U8 => "u8",
            Prim::U16 => "u16",
            Prim::U32 => "u32",
            Prim::U64 => "u64",
            Prim::U128 => "u128",
            Prim::Usize => "usize",
            Prim::F32 => "f32",
            Prim::F64 => "f64",
        }
    }
}
