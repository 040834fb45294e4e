//! The meaning of names in their scopes.
//!
//! - LOOKUP1 own items shadow imports, imports shadow globs, and globs shadow enclosing blocks and preludes.
//! - LOOKUP2 a lookup that reaches itself again finds nothing there; only complete answers are cached.

use overdub_context::Symbol;

use super::deferred_macros::STD;
use super::node::*;
use crate::expand::crate_of_ident;
use crate::hir::*;
use crate::program::Program;

/// The meaning of a name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Meaning {
    Item(DefId),
    Prim(Prim),
}

/// The lookups in progress.
pub(crate) type Visiting = Vec<(DefId, Symbol, Space)>;

impl Prim {
    /// The primitive type called `name`.
    pub fn named(name: &str) -> Option<Prim> {
        Some(match name {
            "bool" => Prim::Bool,
            "char" => Prim::Char,
            "str" => Prim::Str,
            "i8" => Prim::I8,
            "i16" => Prim::I16,
            "i32" => Prim::I32,
            "i64" => Prim::I64,
            "i128" => Prim::I128,
            "isize" => Prim::Isize,
            "u8" => Prim::U8,
            "u16" => Prim::U16,
            "u32" => Prim::U32,
            "u64" => Prim::U64,
            "u128" => Prim::U128,
            "usize" => Prim::Usize,
            "f32" => Prim::F32,
            "f64" => Prim::F64,
            _ => return None,
        })
    }
}

impl Program {
    /// The meaning of `name` inside a module, an enum or a block, without enclosing scopes.
    pub(crate) fn lookup_in(
        &self,
        module: DefId,
        name: Symbol,
        space: Space,
        from: DefId,
        visiting: &mut Visiting,
    ) -> Option<Meaning> {
        let inside = self.is_inside(from, module);
        let key = (module, name, space, inside);
        if let Some(known) = self.remembered(key) {
            return known;
        }
        let found = self.lookup_uncached(module, name, space, inside, visiting);
        if visiting.is_empty() {
            self.remember(key, found);
        }
        found
    }

    fn lookup_uncached(
        &self,
        module: DefId,
        name: Symbol,
        space: Space,
        inside: bool,
        visiting: &mut Visiting,
    ) -> Option<Meaning> {
        let node = self.node(module);
        if node.krate == STD && &*node.head.name == "primitive" {
            return Prim::named(&name).filter(|_| space == Space::Types).map(Meaning::Prim);
        }
        if node.head.kind == DefKind::Enum {
            return if space == Space::Macros { None } else { self.child(module, name).map(Meaning::Item) };
        }
        let cell = node.module.as_ref()?;
        let key = (module, name, space);
        if visiting.contains(&key) {
            return None;
        }
        let (direct, imports, globs) = {
            let names = cell.read().unwrap_or_else(std::sync::PoisonError::into_inner);
            let direct = names.direct(name, space);
            let named =
                |i: &&std::sync::Arc<Import>| i.name == name && (space == Space::Types || !i.only_types);
            let imports: Vec<_> = names.imports.iter().filter(named).cloned().collect();
            (direct, imports, if direct.is_some() { Vec::new() } else { names.globs.clone() })
        };
        if let Some((def, _)) = direct {
            return Some(Meaning::Item(def));
        }
        visiting.push(key);
        let imported = imports.iter().find_map(|import| self.import(module, import, space, visiting));
        let found = imported.or_else(|| {
            globs.iter().filter(|glob| inside || glob.public).find_map(|glob| {
                let Meaning::Item(target) = self.import(module, glob, Space::Types, visiting)? else {
                    return None;
                };
                if !self.visible(target, name, space, module) {
                    return None;
                }
                self.lookup_in(target, name, space, module, visiting)
            })
        });
        visiting.pop();
        found
    }

    /// Whether a glob imports `name` from `target`: any public name, and every name if the glob is inside
    /// `target`.
    fn visible(&self, target: DefId, name: Symbol, space: Space, from: DefId) -> bool {
        if self.is_inside(from, target) {
            return true;
        }
        let node = self.node(target);
        let Some(cell) = &node.module else { return true };
        let names = cell.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        let direct = names.direct(name, space);
        // A macro becomes public by a `pub(crate) use name;` next to its definition; a private item of another kind
        // stays private beside a public import of its name, which is in another name space: `pub use area::area;`.
        if let Some((_, public)) = direct
            && (public || space != Space::Macros)
        {
            return public;
        }
        let mut own_imports = names.imports.iter().filter(|i| i.name == name).peekable();
        (direct.is_none() && own_imports.peek().is_none()) || own_imports.any(|i| i.public)
    }

    pub(crate) fn is_inside(&self, mut module: DefId, ancestor: DefId) -> bool {
        loop {
            if module == ancestor {
                return true;
            }
            match self.module_parent(module) {
                Some(parent) => module = parent,
                None => return false,
            }
        }
    }

    /// Whether an item may name an associated item: one that is public, or private to a module around it.
    pub(crate) fn sees_item(&self, mut from: DefId, item: DefId) -> bool {
        if self.node(item).raw.public {
            return true;
        }
        let mut module = item;
        while self.node(module).module.is_none() {
            module = self.node(module).head.parent;
        }
        let module = self.proper_module(module);
        while self.node(from).module.is_none() {
            from = self.node(from).head.parent;
        }
        self.is_inside(from, module)
    }

    pub(crate) fn module_parent(&self, module: DefId) -> Option<DefId> {
        let node = self.node(module);
        let names = node.module.as_ref()?.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        names.parent
    }

    pub(crate) fn is_block(&self, module: DefId) -> bool {
        let node = self.node(module);
        let Some(cell) = &node.module else { return false };
        cell.read().unwrap_or_else(std::sync::PoisonError::into_inner).is_block
    }

    /// The module that encloses a block, or the module itself.
    pub(crate) fn proper_module(&self, mut module: DefId) -> DefId {
        while self.is_block(module) {
            match self.module_parent(module) {
                Some(parent) => module = parent,
                None => break,
            }
        }
        module
    }

    /// The meaning of an import; for a glob, of its module.
    pub(crate) fn import(
        &self,
        module: DefId,
        import: &Import,
        space: Space,
        visiting: &mut Visiting,
    ) -> Option<Meaning> {
        let krate = self.node(module).krate;
        if import.external {
            let (first, rest) = import.path.split_first()?;
            return match self.extern_crate(krate, *first) {
                Some(root) => self.walk(Meaning::Item(root), rest, space, module, visiting),
                None if self.edition(krate) < 2018 => {
                    let root = Meaning::Item(self.crate_root(krate));
                    self.walk(root, &import.path, space, module, visiting)
                }
                None => None,
            };
        }
        if self.edition(krate) < 2018 {
            let root = Meaning::Item(self.crate_root(krate));
            let special = import.path.first().is_some_and(|s| matches!(&**s, "self" | "super" | "crate"));
            if !special && let Some(found) = self.walk(root, &import.path, space, module, visiting) {
                return Some(found);
            }
        }
        self.resolve_path(module, &import.path, space, visiting)
    }

    /// The meaning of a path in a module or block.
    pub(crate) fn resolve_path(
        &self,
        scope: DefId,
        path: &[Symbol],
        space: Space,
        visiting: &mut Visiting,
    ) -> Option<Meaning> {
        let (first, mut rest) = path.split_first()?;
        let krate = self.node(scope).krate;
        let start = match &**first {
            "crate" => self.crate_root(krate),
            "self" => self.proper_module(scope),
            "super" => {
                let mut module = self.module_parent(self.proper_module(scope))?;
                module = self.proper_module(module);
                while rest.first().is_some_and(|s| &**s == "super") {
                    module = self.module_parent(module)?;
                    rest = &rest[1..];
                }
                module
            }
            name => match crate_of_ident(name) {
                Some(krate) => self.crate_root(krate),
                None => {
                    if rest.is_empty() {
                        return self.lookup_from(scope, *first, space, visiting);
                    }
                    let start = self.lookup_from(scope, *first, Space::Types, visiting)?;
                    return self.walk(start, rest, space, scope, visiting);
                }
            },
        };
        self.walk(Meaning::Item(start), rest, space, scope, visiting)
    }

    fn walk(
        &self,
        start: Meaning,
        rest: &[Symbol],
        space: Space,
        from: DefId,
        visiting: &mut Visiting,
    ) -> Option<Meaning> {
        let mut at = start;
        for (i, name) in rest.iter().enumerate() {
            let Meaning::Item(module) = at else { return None };
            let space = if i + 1 == rest.len() { space } else { Space::Types };
            at = self.lookup_in(module, *name, space, from, visiting)?;
            if self.is_private_module(module, *name, at, from) {
                return None;
            }
        }
        Some(at)
    }

    /// Whether this is a module that its crate does not show to the crate of `from`, where a macro or an import of
    /// the same name may be meant.
    fn is_private_module(&self, parent: DefId, name: Symbol, found: Meaning, from: DefId) -> bool {
        let Meaning::Item(def) = found else { return false };
        if self.node(def).head.kind != DefKind::Mod || self.node(parent).krate == self.node(from).krate {
            return false;
        }
        let Some(cell) = &self.node(parent).module else { return false };
        let names = cell.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        names.direct(name, Space::Types) == Some((def, false))
    }

    /// The meaning of a single name in a module or block, including enclosing scopes.
    pub(crate) fn lookup_from(
        &self,
        scope: DefId,
        name: Symbol,
        space: Space,
        visiting: &mut Visiting,
    ) -> Option<Meaning> {
        let mut at = scope;
        loop {
            if let Some(found) = self.lookup_in(at, name, space, scope, visiting) {
                return Some(found);
            }
            if !self.is_block(at) {
                break;
            }
            at = self.module_parent(at)?;
        }
        let krate = self.node(scope).krate;
        let is_late = space == Space::Types && self.is_late_crate(krate, name);
        if space == Space::Types
            && !is_late
            && let Some(root) = self.extern_name(krate, name, visiting)
        {
            return Some(Meaning::Item(root));
        }
        if space == Space::Macros
            && let Some(def) = self.used_macro(krate, name)
        {
            return Some(Meaning::Item(def));
        }
        if let Some(prelude) = self.std_prelude()
            && let Some(found) = self.lookup_in(prelude, name, space, scope, visiting)
        {
            return Some(found);
        }
        if space != Space::Types {
            return None;
        }
        if let Some(prim) = Prim::named(&name) {
            return Some(Meaning::Prim(prim));
        }
        if is_late { self.extern_name(krate, name, visiting).map(Meaning::Item) } else { None }
    }

    /// Whether a crate of this name is looked up only after the names visible everywhere, since all manifests
    /// have to be read for it.
    fn is_late_crate(&self, krate: u32, name: Symbol) -> bool {
        let is_known = matches!(&*name, "std" | "core" | "alloc") || super::crates::is_replaced(name);
        !is_known && self.registered_crate(name).is_none() && self.is_unlikely_crate(krate, name)
    }

    /// A crate by the name that the manifest or an `extern crate` in the root module gives it.
    fn extern_name(&self, krate: u32, name: Symbol, visiting: &mut Visiting) -> Option<DefId> {
        if let Some(root) = self.extern_crate(krate, name) {
            return Some(root);
        }
        let crate_root = self.crate_root(krate);
        let node = self.node(crate_root);
        let import = {
            let names = node.module.as_ref()?.read().unwrap_or_else(std::sync::PoisonError::into_inner);
            names.imports.iter().find(|i| i.external && i.only_types && i.name == name).cloned()
        };
        match self.import(crate_root, &*import?, Space::Types, visiting)? {
            Meaning::Item(def) => Some(def),
            Meaning::Prim(_) => None,
        }
    }

    /// The macro that the path of a call refers to.
    pub(crate) fn find_macro(&self, macros: &MacroScope, scope: DefId, path: &[Symbol]) -> Option<DefId> {
        if let [name] = path {
            let mut link = macros;
            while let Some(found) = link {
                if found.name == *name {
                    return Some(found.def);
                }
                link = &found.next;
            }
        }
        match self.resolve_path(scope, path, Space::Macros, &mut Vec::new())? {
            Meaning::Item(def) => Some(def),
            Meaning::Prim(_) => None,
        }
    }
}
