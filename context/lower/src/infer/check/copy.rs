//! Which types are `Copy`.

use super::super::cx::Cx;
use super::super::session::Types;
use super::super::ty::*;
use super::super::typed::*;
use crate::hir::Prim;

impl Cx<'_> {
    /// Whether no type that this may become is `Copy`.
    pub(in crate::infer) fn is_never_copy(&self, ty: Ty) -> bool {
        match self.shallow(ty).kind() {
            TyKind::RefMut(_) | TyKind::Slice(_) | TyKind::Dyn(_) | TyKind::Prim(Prim::Str) => true,
            TyKind::Tuple(elems) => elems.iter().any(|&elem| self.is_never_copy(elem)),
            TyKind::Array(elem, _) => self.is_never_copy(*elem),
            TyKind::Adt(def, _) => self.types.lang.get("copy").is_some_and(|copy| {
                self.types.program().impls_for(copy, crate::SelfHead::Def(*def)).is_empty()
            }),
            TyKind::Prim(_)
            | TyKind::Never
            | TyKind::Ref(_)
            | TyKind::FnDef(_)
            | TyKind::FnPtr(..)
            | TyKind::Closure(_)
            | TyKind::Opaque(..)
            | TyKind::Infer(_) => false,
        }
    }
}

impl Types {
    /// Whether values of the type are copied instead of moved.
    pub fn is_copy(&self, ty: Ty) -> bool {
        match ty.kind() {
            TyKind::Prim(_) | TyKind::Never | TyKind::Ref(_) | TyKind::FnDef(_) | TyKind::FnPtr(..) => true,
            TyKind::Tuple(elems) => elems.iter().all(|&elem| self.is_copy(elem)),
            TyKind::Array(elem, _) => self.is_copy(*elem),
            TyKind::Closure(id) => self.known_closure(*id).is_some_and(|closure| {
                closure.captures.iter().all(|capture| match capture.mode {
                    CaptureMode::Ref => true,
                    CaptureMode::RefMut => false,
                    CaptureMode::Move | CaptureMode::MoveMut => self.is_copy(capture.ty),
                })
            }),
            TyKind::Adt(def, args) => {
                let implements = self.lang.get("copy").is_some_and(|copy| {
                    !self.program().impls_for(copy, crate::SelfHead::Def(*def)).is_empty()
                });
                implements && args.iter().all(|arg| arg.ty().is_none_or(|ty| self.is_copy(ty)))
            }
            TyKind::RefMut(_) | TyKind::Slice(_) | TyKind::Dyn(_) | TyKind::Opaque(..) | TyKind::Infer(_) => {
                false
            }
        }
    }
}
