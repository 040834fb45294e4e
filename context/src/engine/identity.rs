//! Detects functions that a context leaves unchanged, so that the source itself is used.
//!
//! - IDENTITY1 a function in which a context changes nothing, callees included, is the same object under the context.
//! - A context with a handle changes every function; a domain changes every function that mentions a mapped type.

use std::sync::Arc;

use hashbrown::HashSet;

use super::NeedsHandle;
use super::func_key::Mode;
use super::specialize::{SpecializationCx, SpecializedBody};
use crate::Symbol;
use crate::ir::{Callee, Func, InstKind};

/// The maximum number of functions that are compared; beyond that a copy costs less than the comparison.
const MOST: usize = 64;

/// Whether `rewritten`, generated from `source`, equals it, callees included.
pub(super) fn is_unchanged(cx: &SpecializationCx<'_>, source: &Arc<Func>, rewritten: &Func) -> bool {
    cx.instance.needs_handle == NeedsHandle::No
        && Search { cx, seen: HashSet::new() }.is_unchanged_with_callees(source, rewritten)
}

struct Search<'m, 'e> {
    cx: &'m SpecializationCx<'e>,
    /// The functions assumed unchanged while their callees are compared.
    seen: HashSet<Symbol>,
}

impl Search<'_, '_> {
    fn is_unchanged_with_callees(&mut self, source: &Func, rewritten: &Func) -> bool {
        self.seen.insert(source.name);
        let is_unchanged =
            self.is_same(source, rewritten) && called(source).all(|callee| self.is_callee_unchanged(callee));
        if !is_unchanged {
            self.cx.instance.remember_changed(source.name, self.cx.specializer.base.epoch());
        }
        is_unchanged
    }

    fn is_callee_unchanged(&mut self, name: Symbol) -> bool {
        let SpecializationCx { specializer, instance, .. } = *self.cx;
        if self.seen.contains(&name) {
            return true;
        }
        if self.seen.len() >= MOST || instance.is_known_changed(name, specializer.base.epoch()) {
            return false;
        }
        let Ok(Some(source)) = specializer.func(name) else { return false };
        match self.cx.of(name).body(instance.name(name, Mode::Inside), &source) {
            Ok(SpecializedBody::ByCalls(rewritten, _)) => self.is_unchanged_with_callees(&source, &rewritten),
            Ok(SpecializedBody::ByPass(..)) => {
                instance.remember_changed(name, specializer.base.epoch());
                false
            }
            Err(_) => false,
        }
    }

    /// Whether a rewritten function differs from its source only in its name and the names of its callees.
    fn is_same(&self, source: &Func, rewritten: &Func) -> bool {
        let mut undone = rewritten.clone();
        undone.name = source.name;
        for inst in undone.blocks.iter_mut().flat_map(|body| &mut body.insts) {
            if let InstKind::Call { callee: Callee::Func(name), .. } = &mut inst.kind
                && let Some((root, instance, Mode::Inside)) = self.cx.specializer.rewritten(*name)
                && Arc::ptr_eq(&instance, self.cx.instance)
            {
                *name = root;
            }
        }
        undone == *source
    }
}

fn called(func: &Func) -> impl Iterator<Item = Symbol> {
    let insts = func.blocks.iter().flat_map(|body| &body.insts);
    insts.filter_map(|inst| match &inst.kind {
        InstKind::Call { callee: Callee::Func(name), .. } => Some(*name),
        _ => None,
    })
}
