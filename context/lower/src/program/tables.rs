//! The tables of a program: items, crates, names, impls.
//!
//! - Tables only grow; a cached answer is dropped only when a crate is added that may change it.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError, RwLock};

use hashbrown::HashSet;
use overdub_context::Symbol;

use super::{LoadedFrom, NameKey, Program};
#[cfg(test)]
use crate::error::ResolveError;
use crate::hir::*;
use crate::resolve::crates::Krate;
use crate::resolve::impls::ImplIndex;
use crate::resolve::names::Meaning;
use crate::resolve::node::*;
use crate::source::SourceId;
use crate::source::cargo::{self, Graph, GraphRoot};
use crate::source::cfg::CfgOptions;
use crate::source::item_tree::{ItemNode, NodeKind};

impl Program {
    /// The number of known items.
    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        self.nodes.read().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// The errors of crates as a whole.
    #[cfg(test)]
    pub(crate) fn crate_faults(&self) -> Vec<ResolveError> {
        let crates = self.crates.read().unwrap_or_else(PoisonError::into_inner);
        let faults = |krate: &Arc<Krate>| krate.faults.lock().unwrap_or_else(PoisonError::into_inner).clone();
        crates.iter().flat_map(faults).collect()
    }

    /// All known items.
    pub(crate) fn all_items(&self) -> impl Iterator<Item = DefId> {
        let count = self.nodes.read().unwrap_or_else(PoisonError::into_inner).len() as u32;
        (0..count).map(DefId)
    }

    /// The packages that the user's crate may name, if they have been loaded.
    pub(crate) fn known_graph(&self) -> Option<&Graph> {
        self.graph.get()?.as_ref()
    }

    pub(crate) fn node(&self, def: DefId) -> Arc<Node> {
        self.nodes.read().unwrap_or_else(PoisonError::into_inner)[def.index()].clone()
    }

    pub(crate) fn add_node(&self, mut node: Node) -> DefId {
        if node.head.kind == DefKind::TypeAlias {
            self.edit_impls(|index| index.aliases.insert(node.head.name));
        }
        let mut nodes = self.nodes.write().unwrap_or_else(PoisonError::into_inner);
        let id = DefId(nodes.len() as u32);
        node.head.id = id;
        nodes.push(Arc::new(node));
        id
    }

    pub(crate) fn edit_module(&self, module: DefId, edit: impl FnOnce(&mut Module)) {
        let node = self.node(module);
        if let Some(cell) = &node.module {
            edit(&mut cell.write().unwrap_or_else(PoisonError::into_inner));
        }
    }

    pub(crate) fn edit_impls<T>(&self, edit: impl FnOnce(&mut ImplIndex) -> T) -> T {
        edit(&mut self.impls.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn enter_lang(&self, name: Symbol, def: DefId) {
        self.langs.write().unwrap_or_else(PoisonError::into_inner).entry(name).or_insert(def);
    }

    pub(crate) fn krate(&self, krate: u32) -> Arc<Krate> {
        self.crates.read().unwrap_or_else(PoisonError::into_inner)[krate as usize].clone()
    }

    pub(crate) fn all_crates(&self) -> Vec<Arc<Krate>> {
        self.crates.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn crate_root(&self, krate: u32) -> DefId {
        self.krate(krate).root
    }

    pub(crate) fn edition(&self, krate: u32) -> u16 {
        self.krate(krate).edition
    }

    /// The edition of an item's crate.
    pub(crate) fn edition_of(&self, item: DefId) -> u16 {
        self.edition(self.node(item).krate)
    }

    pub(crate) fn cfg(&self, krate: u32) -> Arc<CfgOptions> {
        self.krate(krate).cfg.clone()
    }

    pub(crate) fn std_root(&self) -> Option<DefId> {
        // The first crate is `std`, even while it is being loaded.
        let crates = self.crates.read().unwrap_or_else(PoisonError::into_inner);
        crates.first().filter(|krate| &*krate.name == "std").map(|krate| krate.root)
    }

    /// The item of `std` at a path.
    pub(crate) fn std_item(&self, path: &[Symbol]) -> Option<DefId> {
        let mut at = self.std_root()?;
        for name in path {
            match self.lookup_in(at, *name, Space::Types, at, &mut Vec::new())? {
                Meaning::Item(def) => at = def,
                Meaning::Prim(_) => return None,
            }
        }
        Some(at)
    }

    /// The module whose names are visible in every module.
    pub(crate) fn std_prelude(&self) -> Option<DefId> {
        self.std.get()?;
        *self.std_prelude.get_or_init(|| self.std_item(&[Symbol::new("prelude"), Symbol::new("v1")]))
    }

    pub(crate) fn new_crate(
        &self,
        make: impl FnOnce(DefId) -> Krate,
        source: SourceId,
        len: u32,
    ) -> (u32, DefId) {
        let mut crates = self.crates.write().unwrap_or_else(PoisonError::into_inner);
        let krate = crates.len() as u32;
        let next = self.nodes.read().unwrap_or_else(PoisonError::into_inner).len() as u32;
        let root = self.add_node(module_node(krate, DefId(next), DefId(next), source, (0, len), None, false));
        crates.push(Arc::new(make(root)));
        (krate, root)
    }

    /// A scope for the items that a block declares.
    pub(crate) fn add_block(&self, scope: DefId, owner: DefId) -> DefId {
        let outer = self.node(scope);
        let node = module_node(outer.krate, owner, scope, outer.source, (0, 0), Some(scope), true);
        self.add_node(node)
    }

    pub(crate) fn graph(&self) -> Option<&Graph> {
        let read = || Graph::read(self.graph_roots()).ok().filter(|graph| !graph.packages.is_empty());
        self.graph.get_or_init(read).as_ref()
    }

    /// The packages whose dependencies programs may name.
    pub(crate) fn graph_roots(&self) -> &[GraphRoot] {
        self.graph_roots.get_or_init(|| self.package_folder().map(GraphRoot::library).into_iter().collect())
    }

    fn package_folder(&self) -> Option<PathBuf> {
        let folder = self.folder.as_ref()?.canonicalize().ok()?;
        folder.ancestors().find(|dir| dir.join("Cargo.toml").exists()).map(Path::to_owned)
    }

    /// Whether a name is unlikely to be a crate: all manifests would have to be read to find out, and the
    /// package's own does not list it. Every file looks up `f64` and `Vec`.
    pub(crate) fn is_unlikely_crate(&self, krate: u32, name: Symbol) -> bool {
        self.graph.get().is_none()
            && self.krate(krate).package.is_some()
            && !self.names_of_own_crates().contains(&name)
    }

    /// The names that the package's own manifest gives crates.
    pub(crate) fn names_of_own_crates(&self) -> &HashSet<Symbol> {
        self.crate_names.get_or_init(|| self.graph_roots().iter().flat_map(cargo::names).collect())
    }

    pub(crate) fn is_lone_file(&self) -> bool {
        self.loaded_from == Some(LoadedFrom::LoneFile)
    }

    pub(crate) fn next_expansion(&self) -> u32 {
        self.expansions.fetch_add(1, Ordering::Relaxed)
    }

    pub(crate) fn remembered(&self, key: NameKey) -> Option<Option<Meaning>> {
        self.names.lock().unwrap_or_else(PoisonError::into_inner).get(&key).copied()
    }

    pub(crate) fn remember(&self, key: NameKey, meaning: Option<Meaning>) {
        let complete = self.krate(self.node(key.0).krate).complete.load(Ordering::Acquire);
        if complete {
            self.names.lock().unwrap_or_else(PoisonError::into_inner).insert(key, meaning);
        }
    }

    pub(crate) fn forget_names(&self) {
        self.names.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.scope_traits.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    pub(crate) fn known_traits(&self, scope: DefId) -> Option<Arc<[DefId]>> {
        self.scope_traits.lock().unwrap_or_else(PoisonError::into_inner).get(&scope).cloned()
    }

    pub(crate) fn keep_traits(&self, scope: DefId, traits: Arc<[DefId]>) {
        self.scope_traits.lock().unwrap_or_else(PoisonError::into_inner).insert(scope, traits);
    }
}

pub(crate) fn module_node(
    krate: u32,
    parent: DefId,
    scope: DefId,
    source: SourceId,
    body: (u32, u32),
    enclosing: Option<DefId>,
    is_block: bool,
) -> Node {
    let name = Symbol::new("");
    let raw = ItemNode {
        kind: NodeKind::Mod,
        name,
        name_lo: 0,
        attrs: std::borrow::Cow::Borrowed(&[]),
        public: true,
        lo: body.0,
        hi: body.1,
        body: Some(body),
        impl_header: None,
    };
    let entered = NewNode { kind: DefKind::Mod, parent, krate, scope, source, macros: None };
    let mut node = Node::new(entered, raw);
    node.module = Some(Box::new(RwLock::new(Module { parent: enclosing, is_block, ..Module::default() })));
    node
}
