//! The meaning of the paths in rustc's names of types, in the program of all registered items.
//!
//! - RUSTCPATH1 such paths begin with crates and lead through functions: their meaning is determined here and
//!   entered in a scope of its own, so that the path can be parsed as Rust.
//! - RUSTCPATH2 a path that may refer to two items is rejected.

use std::sync::PoisonError;

use overdub_context::Symbol;

use super::crates::is_replaced;
use super::names::Meaning;
use super::node::Space;
use super::registered::Items;
use crate::hir::{DefId, DefKind};
use crate::program::Program;
use crate::registration::Registered;
use crate::source::hygiene::unmarked_name;

/// The path may refer to two items.
pub(crate) struct Ambiguous;

impl Program {
    /// The scope in which paths in rustc's names of types are resolved.
    pub(crate) fn names_scope(&self) -> DefId {
        match self.items() {
            Some(items) => self.crate_root(items.names),
            None => self.root(),
        }
    }

    /// Whether a path in [`Program::names_scope`] names a function, or the type of a method.
    pub(crate) fn is_path_of_names(&self, path: &str) -> bool {
        let names: Vec<Symbol> = path.trim_start_matches(':').split("::").map(Symbol::new).collect();
        let scope = self.names_scope();
        let meaning = |names: &[Symbol], space| self.resolve_path(scope, names, space, &mut Vec::new());
        meaning(&names, Space::Values).is_some()
            || names.split_last().is_some_and(|(_, before)| match meaning(before, Space::Types) {
                Some(Meaning::Item(def)) => self.head(def).kind != DefKind::Mod,
                Some(Meaning::Prim(_)) => true,
                None => false,
            })
    }

    /// The crate that a name in rustc's names of types refers to.
    pub(crate) fn crate_of_names(&self, items: &Items, name: Symbol) -> Option<DefId> {
        if let Some(krate) = items.krate(name) {
            return Some(self.crate_root(krate));
        }
        if is_replaced(name) || self.graph_roots().is_empty() {
            return self.replacement_crate(name);
        }
        let graph = self.graph()?;
        let roots = self.graph_roots().len();
        // The user's packages name these directly; the rest of the graph is named by other packages.
        let of_roots = graph.packages.iter().take(roots).flat_map(|package| package.deps.values().copied());
        let mut all = (0..roots).chain(of_roots).chain(0..graph.packages.len());
        let found = all
            .find(|index| graph.packages.get(*index).is_some_and(|of| of.is_enabled && of.ident() == name));
        match found {
            Some(index) => self.package_root(graph, index),
            None => self.replacement_crate(name),
        }
    }

    /// The Rust path in [`Program::names_scope`] for a path in rustc's names of types, if anything has it.
    pub(crate) fn path_from_names(
        &self,
        items: &Items,
        krate: Symbol,
        rest: &str,
    ) -> Result<Option<String>, Ambiguous> {
        let segments: Vec<Symbol> =
            rest.split("::").filter(|name| *name != "{{closure}}").map(unmarked_name).collect();
        let mut of_name = items.sources().iter().filter(|of| of.name == unmarked_name(&krate)).peekable();
        let mut roots: Vec<DefId> = match of_name.peek() {
            // Two versions of a crate have the same name.
            None if items.krate(krate).is_none() && self.is_twice_in_graph(krate) => return Err(Ambiguous),
            None => Vec::from_iter(self.crate_of_names(items, krate)),
            Some(_) => of_name
                .flat_map(|of| [Some(self.crate_root(of.krate)), self.namesake(of)])
                .flatten()
                .collect(),
        };
        roots.sort_unstable();
        roots.dedup();
        let mut found = Vec::new();
        for root in &roots {
            found.extend(self.follow(*root, &segments)?.map(|within| (*root, within)));
        }
        match found[..] {
            // The modules of a replacement are others; what the original exports at its root is exported there.
            [] if is_replaced(krate) => {
                let last = segments.last().copied().unwrap_or(krate);
                let is_exported = match self.replacement_crate(krate) {
                    Some(root) => self.follow(root, &[last])?.is_some(),
                    None => false,
                };
                let at_root = is_exported.then(|| format!("{krate}::{last}"));
                let path = at_root.or_else(|| self.item_of_prelude(krate, last));
                Ok(path.map(|path| format!("::{path}")))
            }
            [] => Ok(None),
            [(root, (scope, at))] => {
                let is_unscoped = roots.len() == 1 && scope == root;
                Ok(Some(if is_unscoped {
                    format!("::{krate}::{rest}")
                } else {
                    format!("{}::{}", self.reach(scope), join(&segments[at..]))
                }))
            }
            _ => Err(Ambiguous),
        }
    }

    fn is_twice_in_graph(&self, name: Symbol) -> bool {
        let is_outside = !is_replaced(name) && !self.graph_roots().is_empty();
        is_outside
            && self.graph().is_some_and(|graph| {
                graph.packages.iter().filter(|of| of.is_enabled && of.ident() == name).count() > 1
            })
    }

    /// The innermost scope on a path, and the number of segments leading to it: `root`, or the block of a
    /// function that contains the rest. `None` if nothing has this path.
    fn follow(&self, root: DefId, path: &[Symbol]) -> Result<Option<(DefId, usize)>, Ambiguous> {
        let (mut scope, mut used) = (root, 0);
        let mut module = root;
        for (at, name) in path.iter().enumerate() {
            let lookup = |space| self.lookup_in(module, *name, space, module, &mut Vec::new());
            let is_last = at + 1 == path.len();
            match (lookup(Space::Types), lookup(Space::Values)) {
                (Some(Meaning::Item(def)), _) if self.head(def).kind == DefKind::Mod => module = def,
                // A type: the next segment is one of its methods.
                (Some(_), _) => return Ok(Some((scope, used))),
                (None, Some(_)) if is_last => return Ok(Some((scope, used))),
                (None, Some(Meaning::Item(def))) => {
                    // The blocks of a function are known once its body is resolved.
                    let _ = self.body(def);
                    match self.blocks_with(def, path[at + 1])[..] {
                        [block] => (scope, module, used) = (block, block, at + 1),
                        [] => return Ok(None),
                        _ => return Err(Ambiguous),
                    }
                }
                (None, _) => return Ok(None),
            }
        }
        Ok(Some((scope, used)))
    }

    /// The blocks in the body of a function that declare an item of this name.
    fn blocks_with(&self, owner: DefId, name: Symbol) -> Vec<DefId> {
        let is_of_it = |def: &DefId| self.node(*def).head.parent == owner;
        self.all_items()
            .filter(|def| is_of_it(def) && self.is_block(*def) && self.declares(*def, name))
            .collect()
    }

    /// Whether an item of this name is declared directly in a module or block.
    pub(crate) fn declares(&self, scope: DefId, name: Symbol) -> bool {
        let node = self.node(scope);
        let Some(names) = node.module.as_ref() else { return false };
        let names = names.read().unwrap_or_else(PoisonError::into_inner);
        [Space::Values, Space::Types].iter().any(|space| names.direct(name, *space).is_some())
    }

    /// Enters a scope in [`Program::names_scope`], and returns its name there.
    pub(crate) fn reach(&self, scope: DefId) -> String {
        let name = format!("__scope_{}", scope.0);
        self.edit_module(self.names_scope(), |module| {
            module.types.insert(Symbol::new(&name), (scope, true));
        });
        self.forget_names();
        name
    }

    /// The module, or the enclosing function, that contains a registered item.
    pub(crate) fn scope_of_registered(&self, item: &Registered) -> Option<DefId> {
        let items = self.items()?;
        if let Some(scope) = items.scope(item) {
            return Some(scope);
        }
        // The item is in the library next to a binary whose sources are registered.
        let mut segments = item.module.split("::");
        let name = unmarked_name(segments.next()?);
        let library = items.sources().iter().filter(|of| of.name == name).find_map(|of| self.namesake(of))?;
        let is_module = item.scope_name() == item.module;
        is_module.then_some(library).and_then(|root| {
            segments.try_fold(root, |module, segment| self.direct_module(module, unmarked_name(segment)))
        })
    }
}

fn join(path: &[Symbol]) -> String {
    path.iter().map(|name| name.as_str()).collect::<Vec<_>>().join("::")
}
