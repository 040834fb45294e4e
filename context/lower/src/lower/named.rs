//! Functions by the names that contexts give them, possibly before anything calls them.
//!
//! A function that replaces a call gets its type arguments from the call: the Rust parameter and result types
//! of the callee if it was lowered from Rust, otherwise the Rust types of scalars.

use overdub_context::Symbol;
use overdub_context::ir::{Instead, Matches, Ty};
use overdub_context::path::{is_called, is_within, last_segment, without_type_args};

use super::LowerError;
use super::session::{Code, Lowering};
use crate::hir::{DefId, DefKind};
use crate::infer::{self, CallHints, CallTypes, Callee, Instance};
use crate::naming;
use crate::resolve::names::Meaning;
use crate::resolve::node::Space;

/// An item, and the impl through which a trait's provided method was found.
type FoundItem = (DefId, Option<DefId>);

impl Lowering {
    /// The name of the function that a user refers to as `path` when replacing a call.
    pub(super) fn resolved(&self, path: &str, instead: &Instead<'_>) -> Result<Option<Symbol>, LowerError> {
        let callee = match self.code(instead.called) {
            Some(Code::Item(instance) | Code::Ctor(instance)) => Some(instance),
            _ => None,
        };
        let stripped = without_type_args(path);
        let Some((def, through)) = self.item_named(&stripped, callee) else { return Ok(None) };
        let is_ctor = self.program.variant_of(def).is_some();
        let is_fn = matches!(self.program.head(def).kind, DefKind::Fn | DefKind::AssocFn);
        if !is_fn && !is_ctor {
            return Ok(None);
        }
        if stripped.len() < path.len()
            && let Ok(Some(instance)) = naming::find_fn(&self.program, &self.types, path, self.program.root())
        {
            return Ok(Some(self.symbol(instance)));
        }
        let instance = match callee.and_then(|callee| self.sibling(callee, def)) {
            Some(instance) => instance,
            None => {
                let call = self.call_types(callee, instead);
                let hints = CallHints { through, call: Some(&call), ..CallHints::default() };
                self.types.default_instance_for(def, hints)?
            }
        };
        // A trait method is resolved to the implementor's.
        let instance = match self.types.resolve_assoc(def, instance.args()) {
            Ok(Callee::Fn(resolved)) if is_fn => resolved,
            _ => instance,
        };
        Ok(Some(self.symbol_of(if is_ctor { Code::Ctor(instance) } else { Code::Item(instance) })))
    }

    /// The item of a path: from the root, or from the scope of the callee.
    fn item_named(&self, path: &str, callee: Option<Instance>) -> Option<FoundItem> {
        let program = &self.program;
        if let Ok(found) = program.lookup_through(path) {
            return Some(found);
        }
        let callee = callee?.def();
        let names: Vec<Symbol> = path.split("::").map(Symbol::new).collect();
        if let (Some(container), [name]) = (program.container(callee), &*names)
            && let Some(child) = program.child(container, *name)
        {
            return Some((child, None));
        }
        let scope = program.node(callee).scope;
        match program.resolve_path(scope, &names, Space::Values, &mut Vec::new())? {
            Meaning::Item(def) => Some((def, None)),
            Meaning::Prim(_) => None,
        }
    }

    /// The method in the same impl as the callee, with the same arguments.
    fn sibling(&self, callee: Instance, def: DefId) -> Option<Instance> {
        let container = self.program.container(callee.def())?;
        let sibling = Instance::new(def, callee.args());
        let (generics, known) = (self.program.generics(def).ok()?, self.program.generics(callee.def()).ok()?);
        let is_sibling = self.program.container(def) == Some(container) && def != callee.def();
        (is_sibling && generics.params.len() == known.params.len()).then_some(sibling)
    }

    /// The Rust types of a call.
    fn call_types(&self, callee: Option<Instance>, instead: &Instead<'_>) -> CallTypes {
        if let Some(callee) = callee
            && let Ok((args, ret)) = self.types.signature(callee)
        {
            return CallTypes { args: args.into_iter().map(Some).collect(), ret: Some(ret) };
        }
        let args = instead.args.iter().map(|ty| self.scalar(*ty)).collect();
        CallTypes { args, ret: self.scalar(instead.ret) }
    }

    /// The Rust scalar type that has this IR type.
    fn scalar(&self, ty: Ty) -> Option<infer::Ty> {
        infer::Ty::prims().find(|prim| self.ty(*prim).is_ok_and(|of| of == ty))
    }

    /// What is known about a name that a user wrote.
    pub(super) fn search(&self, name: &str) -> Matches {
        if self.code(Symbol::new(name)).is_some() {
            return Matches { functions: vec![name.to_owned()], maybe_more: false };
        }
        let mut found = self.program.search(name);
        found.maybe_more |= self.symbols().iter().any(|known| is_called(known, name));
        found
    }

    /// Paths of functions with a similar spelling.
    pub(super) fn similar(&self, name: &str) -> Vec<String> {
        self.program.spelled_like(name)
    }

    /// Whether there may be functions in a scope of this name.
    pub(super) fn search_within(&self, name: &str) -> bool {
        last_segment(name).starts_with('{')
            || self.symbols().iter().any(|known| is_within(known, name))
            || self.program.search_within(name)
    }
}
