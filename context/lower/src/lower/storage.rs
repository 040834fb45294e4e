//! The end of the memory of variables: a raw pointer to a variable must not be used after its block.
//!
//! - STORAGE1 only variables in cells of functions that handle raw pointers are ended, so other code pays nothing.
//! - STORAGE2 memory that a variable owns may outlive it (`ManuallyDrop`), and is not kept apart from the variable.
//!   So a variable is ended only if it owns none, or is a vector or box, which frees it.

use overdub_context::ir::Operand;
use overdub_context::ops;

use super::cx::{Binding, FnCx};
use super::error::Lowered;
use super::place::SlotId;
use super::tys::Lang;
use crate::hir::{ExprId, PatId, PatKind};
use crate::infer::{self, TyKind};

/// A variable or temporary whose memory ends with a scope.
#[derive(Clone, Debug)]
pub(super) struct Storage {
    /// The scope, by its depth.
    pub(super) scope: usize,
    memory: Memory,
}

#[derive(Clone, Debug)]
enum Memory {
    Variable(SlotId),
    /// A pointer to a temporary.
    Temporary(Operand),
}

impl FnCx<'_> {
    /// Notes the variables of a pattern, so that their memory ends with the open block.
    pub(super) fn note_storage(&mut self, pat: PatId) {
        match &self.body.clone().pats[pat.index()].kind {
            PatKind::Tuple(pats, _) => pats.iter().for_each(|&pat| self.note_storage(pat)),
            PatKind::Bind { local, sub: None, .. } => {
                let Some(&Binding::Slot(id)) = self.bindings.get(local) else { return };
                let slot = self.slots[id.0 as usize];
                let has_value = slot.celled && !slot.deferred_init && slot.optional.is_none();
                if has_value && self.may_end(self.typed.locals[local.index()]) && self.handles_pointers() {
                    let scope = self.drop_scopes.locals_scope();
                    self.drop_scopes.storage.push(Storage { scope, memory: Memory::Variable(id) });
                }
            }
            _ => {}
        }
    }

    /// Notes that an expression makes a raw pointer into a vector that has no other place, so that its memory ends
    /// with the open statement. A constant array would live on.
    pub(super) fn note_temporary(&mut self, id: ExprId, pointer: &Operand) {
        if self.is_vector(self.typed.exprs[id.index()]) && !self.drop_scopes.manual_moves {
            let scope = self.drop_scopes.temporaries_scope();
            self.drop_scopes.storage.push(Storage { scope, memory: Memory::Temporary(pointer.clone()) });
        }
    }

    fn is_vector(&self, ty: infer::Ty) -> bool {
        matches!(ty.kind(), TyKind::Adt(def, _) if self.lowering.langs.get(*def) == Some(Lang::Array))
    }

    /// Ends the memory of the variables and temporaries of a scope.
    pub(super) fn end_storage(&mut self, scope: usize) -> Lowered<()> {
        for at in (0..self.drop_scopes.storage.len()).rev() {
            let storage = self.drop_scopes.storage[at].clone();
            if storage.scope == scope {
                let cell = match storage.memory {
                    Memory::Variable(slot) => {
                        let variable = self.slots[slot.0 as usize].variable;
                        self.build.read_variable(variable)?
                    }
                    Memory::Temporary(pointer) => pointer,
                };
                self.op(&ops::REF_END, vec![cell])?;
            }
        }
        Ok(())
    }

    /// Whether all memory that a variable of a type owns ends with the variable (STORAGE2).
    fn may_end(&self, ty: infer::Ty) -> bool {
        match ty.kind() {
            TyKind::Adt(_, args) if self.is_vector(ty) => {
                args.iter().filter_map(|arg| arg.ty()).all(|ty| !self.lowering.owns_memory(ty))
            }
            _ => !self.lowering.owns_memory(ty),
        }
    }

    /// Whether the function handles raw pointers itself.
    fn handles_pointers(&mut self) -> bool {
        if self.drop_scopes.manual_moves {
            return false;
        }
        if let Some(known) = self.drop_scopes.handles_pointers {
            return known;
        }
        let tys = self.typed.exprs.iter().chain(&self.typed.locals).chain([&self.typed.ret]);
        let found = tys.copied().any(|ty| self.pointee(ty).is_some());
        self.drop_scopes.handles_pointers = Some(found);
        found
    }
}
