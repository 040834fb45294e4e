//! Finding items by the names that a person writes on a command line.

use overdub_context::Symbol;
use overdub_context::path::similar;

use super::names::Meaning;
use super::node::Space;
use crate::error::LookupError;
use crate::hir::*;
use crate::program::{Program, SelfHead};

/// An item, and the impl through which a trait's provided method was found.
type FoundItem = (DefId, Option<DefId>);

fn without_impl(def: DefId) -> FoundItem {
    (def, None)
}

impl Program {
    /// The item that a path from the user's root names.
    pub(crate) fn find(&self, path: &str) -> Result<FoundItem, LookupError> {
        let text = path.trim();
        let found = match text.strip_prefix('<') {
            Some(rest) => self.find_qualified(rest).or_else(|| self.find_shown(text)),
            None => self.find_plain(&segments(text)),
        };
        found.ok_or_else(|| LookupError { path: path.to_owned(), similar: self.similar(text) })
    }

    fn find_plain(&self, names: &[Symbol]) -> Option<FoundItem> {
        let root = self.root();
        let krate_name = self.krate(self.node(root).krate).name;
        let mut names = names;
        if names.len() > 1 && (&*names[0] == "crate" || names[0] == krate_name) {
            names = &names[1..];
        }
        let (last, before) = names.split_last()?;
        if before.is_empty() {
            return self.named_in(root, *last).map(without_impl);
        }
        let mut at = Meaning::Item(root);
        for (i, name) in before.iter().enumerate() {
            let Meaning::Item(module) = at else { return None };
            let mut visiting = Vec::new();
            at = self.lookup_in(module, *name, Space::Types, module, &mut visiting).or_else(|| {
                if i > 0 { None } else { self.lookup_from(root, *name, Space::Types, &mut Vec::new()) }
            })?;
        }
        match at {
            Meaning::Prim(prim) => self.method(SelfHead::Prim(prim), *last),
            Meaning::Item(def) => match self.node(def).head.kind {
                DefKind::Mod => self.named_in(def, *last).map(without_impl),
                DefKind::Struct => self.method(SelfHead::Def(def), *last),
                DefKind::Enum => self
                    .child(def, *last)
                    .map(without_impl)
                    .or_else(|| self.method(SelfHead::Def(def), *last)),
                DefKind::Trait | DefKind::Impl => self.child(def, *last).map(without_impl),
                DefKind::TypeAlias => {
                    let alias = self.assoc_type(def).ok()?;
                    self.method(self.head_of(&alias.value.as_ref()?.kind), *last)
                }
                _ => None,
            },
        }
    }

    fn named_in(&self, module: DefId, name: Symbol) -> Option<DefId> {
        let spaces = [Space::Values, Space::Types];
        spaces.iter().find_map(|space| {
            match self.lookup_in(module, name, *space, module, &mut Vec::new())? {
                Meaning::Item(def) => Some(def),
                Meaning::Prim(_) => None,
            }
        })
    }

    /// A method of a type: an inherent one, or one of a trait that it implements in the user's crate.
    fn method(&self, head: SelfHead, name: Symbol) -> Option<FoundItem> {
        let inherent = self.inherent_impls(head);
        if let Some(found) = inherent.iter().find_map(|def| self.child(*def, name)) {
            return Some(without_impl(found));
        }
        let krate = self.node(self.root()).krate;
        let all = self.edit_impls(|index| {
            let mut all: Vec<DefId> = index.by_trait.values().flatten().map(|(def, _)| *def).collect();
            all.sort();
            all
        });
        let in_crate = all.into_iter().filter(|def| self.node(*def).krate == krate);
        let fits = |def: &DefId| self.impl_(*def).is_ok_and(|i| self.head_of(&i.self_ty.kind) == head);
        let impls: Vec<DefId> = in_crate.filter(fits).collect();
        impls.iter().find_map(|def| self.child(*def, name).map(without_impl)).or_else(|| {
            impls.iter().find_map(|def| {
                let of = self.impl_(*def).ok()?.of.as_ref()?.def;
                Some((self.child(of, name)?, Some(*def)))
            })
        })
    }

    /// `T as Trait>::name`
    fn find_qualified(&self, rest: &str) -> Option<FoundItem> {
        let (inside, name) = rest.rsplit_once(">::")?;
        let (ty, of) = match inside.split_once(" as ") {
            Some((ty, of)) => (segments(ty.trim()), Some(segments(of.trim()))),
            None => (segments(inside.trim()), None),
        };
        let name = Symbol::new(name.trim());
        let type_of = |names: &[Symbol]| self.resolve_path(self.root(), names, Space::Types, &mut Vec::new());
        let head = match type_of(&ty)? {
            Meaning::Prim(prim) => SelfHead::Prim(prim),
            Meaning::Item(def) => self.head_of(&TypeKind::Def(def, Vec::new())),
        };
        let Some(of) = of else { return self.method(head, name) };
        let Meaning::Item(of) = type_of(&of)? else { return None };
        let impls = self.impls_for(of, head);
        let of_impl = impls.iter().find_map(|def| self.child(*def, name).map(without_impl));
        of_impl.or_else(|| Some((self.child(of, name)?, impls.first().copied())))
    }

    /// The function listed under exactly this name: `<[T] as Norm>::norm`.
    fn find_shown(&self, path: &str) -> Option<FoundItem> {
        self.functions().into_iter().find(|def| self.path_of(*def) == path).map(without_impl)
    }

    fn similar(&self, path: &str) -> Vec<String> {
        let known: Vec<String> = self.functions().into_iter().map(|def| self.path_of(def)).collect();
        similar(path, known.iter().map(String::as_str))
    }

    /// All functions of the user's crate in source order.
    pub(crate) fn all_functions(&self) -> Vec<DefId> {
        let mut found = Vec::new();
        self.functions_in(self.root(), &mut found);
        found
    }

    fn functions_in(&self, module: DefId, out: &mut Vec<DefId>) {
        let node = self.node(module);
        let Some(cell) = &node.module else { return };
        let items = cell.read().unwrap_or_else(std::sync::PoisonError::into_inner).items.clone();
        for def in items {
            let node = self.node(def);
            match node.head.kind {
                DefKind::Fn => out.push(def),
                DefKind::Mod => self.functions_in(def, out),
                DefKind::Impl | DefKind::Trait if node.derived.is_none() => {
                    let children = self.children(def);
                    out.extend(children.iter().filter(|c| self.node(**c).head.kind == DefKind::AssocFn));
                }
                _ => {}
            }
        }
    }

    /// The full path of an item.
    pub(crate) fn path_of(&self, def: DefId) -> String {
        let node = self.node(def);
        let krate = self.krate(node.krate);
        if def == krate.root {
            return krate.name.to_string();
        }
        let parent = self.node(node.head.parent);
        let name = &node.head.name;
        match parent.head.kind {
            DefKind::Impl => format!("{}::{name}", self.impl_name(&parent)),
            _ if node.head.parent == krate.root && node.krate == self.node(self.root()).krate => {
                name.to_string()
            }
            DefKind::Mod if parent.head.name.is_empty() => {
                format!("{}::{name}", self.path_of(parent.head.parent))
            }
            _ => format!("{}::{name}", self.path_of(node.head.parent)),
        }
    }

    /// The full path of an item, with the crate also for those of the user's own.
    pub(crate) fn path_with_crate(&self, def: DefId) -> String {
        let (path, root) = (self.path_of(def), self.node(self.root()).krate);
        match self.node(def).krate == root && def != self.root() && !path.starts_with('<') {
            true => format!("{}::{path}", self.krate(root).name),
            false => path,
        }
    }

    /// The number of lifetime parameters of a struct or enum.
    pub(crate) fn count_lifetimes(&self, def: DefId) -> usize {
        let node = self.node(def);
        if !matches!(node.head.kind, DefKind::Struct | DefKind::Enum) {
            return 0;
        }
        self.derive_input(node.source, &node.raw).map_or(0, |tree| tree.generics.lifetimes().count())
    }

    /// `module::Type` or `<module::Type as Trait>`, according to the header.
    fn impl_name(&self, node: &super::node::Node) -> String {
        let Ok(it) = self.impl_(node.head.id) else { return "<impl>".to_owned() };
        let ty = self.type_name(&it.self_ty);
        match &it.of {
            Some(of) => format!("<{ty} as {}>", self.path_of(of.def)),
            None => ty,
        }
    }

    fn type_name(&self, ty: &Type) -> String {
        match &ty.kind {
            TypeKind::Def(def, _) => self.path_of(*def),
            TypeKind::Prim(prim) => prim.name().to_owned(),
            TypeKind::Ref { mutable, inner, .. } => {
                format!("&{}{}", if *mutable { "mut " } else { "" }, self.type_name(inner))
            }
            TypeKind::Slice(inner) => format!("[{}]", self.type_name(inner)),
            TypeKind::Array(inner, _) => format!("[{}; _]", self.type_name(inner)),
            TypeKind::Tuple(parts) => {
                format!("({})", parts.iter().map(|p| self.type_name(p)).collect::<Vec<_>>().join(", "))
            }
            TypeKind::Param(param) => {
                let generics = self.generics(param.owner).ok();
                let name = generics.and_then(|g| g.params.get(param.index as usize).map(|p| p.name));
                name.map_or_else(|| "_".to_owned(), |name| name.to_string())
            }
            TypeKind::Dyn(bounds) => bounds
                .first()
                .map_or_else(|| "dyn _".to_owned(), |of| format!("dyn {}", self.path_of(of.def))),
            _ => "_".to_owned(),
        }
    }
}

/// The segments of a path, without generic arguments.
fn segments(path: &str) -> Vec<Symbol> {
    let mut stripped = String::new();
    let mut depth = 0;
    for c in path.chars() {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            c if depth == 0 => stripped.push(c),
            _ => {}
        }
    }
    stripped.split("::").map(str::trim).filter(|s| !s.is_empty()).map(Symbol::new).collect()
}
